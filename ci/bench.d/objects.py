"""What reading code objects costs, beside llvm-objcopy and cat on the same file in the same run."""

import os
import resource
import statistics
import subprocess
from pathlib import Path

import unit
from tools import HEADERS, die

ROOT = HEADERS.parent
MOST_SMALL = 1 / 3
MOST_BIG = 2.0
MOST_MEMORY = 64 << 20
BIG = 1 << 30

FUNCTIONS = 60
MAP = 'W:64\\nK:k0@k.hip:2\\nF:1:_Z1fv@k.hip:3\\nU:2:load\\n\\0'


def reader():
    """The reader, built for release."""
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "--bin", "sqtt"], cwd=ROOT, check=True)
    metadata = subprocess.run(["cargo", "metadata", "--no-deps", "--format-version=1"], cwd=ROOT, check=True,
                              capture_output=True, text=True).stdout
    return Path(metadata.split('"target_directory":"')[1].split('"')[0]) / "release" / "sqtt"


def run(command, limit=None):
    """Seconds of processor time; with a limit no more private memory than that many bytes can be had."""
    def prepare():
        if limit:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=prepare) as process:
        errors = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        die(f"{command[0]} fails with {process.returncode}: {errors[-500:]}")
    return usage.ru_utime + usage.ru_stime


def compare(commands, rounds):
    """The median seconds of each command, in turns."""
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (command, limit) in commands.items():
            times[name].append(run(command, limit))
    return {name: statistics.median(values) for name, values in times.items()}


def make(compiler, directory):
    """A small object with code for two GPUs, and one whose bundles take a gigabyte."""
    def tool(name, *arguments):
        subprocess.run([compiler.bin / name, *arguments], cwd=directory, check=True)
    (directory / "k.hip").write_text(unit.mixed(FUNCTIONS))
    (directory / "map").write_bytes(MAP.encode().decode("unicode_escape").encode())
    (directory / "empty").write_bytes(b"")
    targets, inputs = ["host-x86_64-unknown-linux-gnu"], ["-input=empty"]
    for target in ("gfx942", "gfx1100"):
        compiler.compile(directory / "k.hip", directory / f"{target}.co", target)
        tool("llvm-objcopy", "--add-section=.sqtt_funcmap=map", f"{target}.co")
        targets.append(f"hipv4-amdgcn-amd-amdhsa--{target}")
        inputs.append(f"-input={target}.co")
    tool("clang-offload-bundler", "-type=o", "-bundle-align=4096", f"-targets={','.join(targets)}", *inputs,
         "-output=bundle")
    (directory / "host.c").write_text("int f(void) { return 1; }")
    tool("clang", "-c", "host.c", "-o", "host.o")
    tool("llvm-objcopy", "--add-section=.hip_fatbin=bundle", "host.o", "small.o")
    bundle = (directory / "bundle").read_bytes()
    bundle += bytes(-len(bundle) % 4096)
    with open(directory / "bundles", "wb") as file:
        for _ in range(BIG // len(bundle)):
            file.write(bundle)
    tool("llvm-objcopy", "--add-section=.hip_fatbin=bundles", "host.o", "big.o")
    (directory / "bundles").unlink()
    return directory / "small.o", directory / "big.o"


def measure(compiler, directory):
    """Prints both comparisons and returns what misses its goal."""
    sqtt, notes = reader(), []
    small, big = make(compiler, directory)
    objcopy = [compiler.bin / "llvm-objcopy", f"--dump-section=.hip_fatbin={directory / 'dump'}"]
    print("\nreading code objects (medians of processor time)")
    times = compare({"sqtt funcmap": ([sqtt, "funcmap", small], None),
                     "llvm-objcopy": ([*objcopy, small, "/dev/null"], None)}, 51)
    share = times["sqtt funcmap"] / times["llvm-objcopy"]
    print(f"  object of {small.stat().st_size >> 10} KiB: sqtt funcmap {times['sqtt funcmap'] * 1e3:.2f} ms,"
          f" llvm-objcopy {times['llvm-objcopy'] * 1e3:.2f} ms, ratio {share:.2f} (goal {MOST_SMALL:.2f})")
    if share > MOST_SMALL:
        notes.append(f"a small object takes {share:.2f} of one llvm-objcopy call, the goal is {MOST_SMALL:.2f}")
    times = compare({"cat": (["cat", big], None), "sqtt funcmap": ([sqtt, "funcmap", big], MOST_MEMORY)}, 5)
    share = times["sqtt funcmap"] / times["cat"]
    print(f"  object of {big.stat().st_size >> 20} MiB, {MOST_MEMORY >> 20} MiB of memory beside the file:"
          f" sqtt funcmap {times['sqtt funcmap']:.2f} s, cat {times['cat']:.2f} s,"
          f" ratio {share:.2f} (goal {MOST_BIG:.2f});"
          f" llvm-objcopy {run([*objcopy, big, '/dev/null']):.2f} s")
    if share > MOST_BIG:
        notes.append(f"a gigabyte takes {share:.2f} of the time to read it, the goal is {MOST_BIG:.2f}")
    return notes
