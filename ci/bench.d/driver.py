"""What the driver adds to a compile: a compiler that ends at once, called by hand and through the driver, in turn."""

import contextlib
import os
import statistics
import subprocess
import time
from pathlib import Path

# Milliseconds that a call through the driver may take longer; starting a process takes about 0.75 of them.
MOST_ADDED = 3.0

# A clang as far as the driver asks: it says which LLVM it is, or does nothing.
COMPILER = """
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "--version") == 0)
    printf("clang version %s\\nInstalledDir: %s\\n", VERSION, DIRECTORY);
  return 0;
}
"""
# What is measured: a name, and the words of the call.
CALLS = {
    "instrumented compile": ["-O2", "-Iinclude", "-c", "kernel.hip", "-o", "kernel.o"],
    "compile of C": ["-O2", "-Iinclude", "-c", "plain.c", "-o", "plain.o"],
    "question": ["--version"],
}


def build_driver():
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "-p", "sqtt-hipcc"], check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", "target")).resolve() / "release/sqtt-hipcc"


def make_compiler(compiler, directory):
    version = subprocess.run([compiler.bin / "clang", "-dumpversion"], check=True, capture_output=True, text=True)
    source, program = directory / "compiler.c", directory / "clang++"
    source.write_text(COMPILER)
    texts = {"VERSION": version.stdout.strip(), "DIRECTORY": compiler.bin}
    words = [f'-D{name}="{text}"' for name, text in texts.items()]
    subprocess.run(["cc", "-O2", *words, source, "-o", program], check=True)
    return program


def milliseconds(command, environment, directory):
    start = time.perf_counter()
    subprocess.run(command, env=environment, cwd=directory, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (time.perf_counter() - start)


def measure(compiler, directory, rounds):
    """Prints the medians; returns the most that the driver adds to a call, in milliseconds."""
    driver, program = build_driver(), make_compiler(compiler, directory)
    # One processor and the first turn on it: another's work would count several times for the driver, which waits.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with contextlib.suppress(PermissionError):
        os.nice(-20)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(directory),
        "SQTT_HIPCC": str(program),
        "SQTT_PLUGIN": str(Path(compiler.plugin).resolve()),
        "SQTT_CACHE_DIR": str(directory / "cache"),
    }
    print(f"\nthe driver, with a compiler that ends at once (medians of {rounds} calls, ms)")
    print(f"{'':24}{'by hand':>10}{'driver':>10}{'added':>10}")
    most = 0.0
    for name, words in CALLS.items():
        times = {program: [], driver: []}
        for _ in range(rounds + 1):
            for start in times:
                times[start].append(milliseconds([start, *words], environment, directory))
        # The first call fills the cache.
        hand, ours = (statistics.median(times[start][1:]) for start in (program, driver))
        most = max(most, ours - hand)
        print(f"{name:24}{hand:10.2f}{ours:10.2f}{ours - hand:10.2f}")
    return most
