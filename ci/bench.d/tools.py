"""Running the compilers of ci/bench: which there are, one compile with its cost, messages."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

HEADERS = Path(__file__).resolve().parents[2] / "headers"

# Every wave traces.
UNSCOPED = {f"SQTT_SCOPE_{field}": "-1" for field in ("WAVE", "SIMD", "CU", "WG")}


def die(text):
    sys.stdout.flush()
    print(f"ci/bench: {text}", file=sys.stderr)
    sys.exit(2)


class Compiler:
    """clang of one LLVM with the plugin that was built for it."""

    def __init__(self, version, prefix, plugin):
        self.version, self.bin, self.plugin = version, Path(prefix) / "bin", Path(plugin)

    def knows(self, target):
        command = [self.bin / "clang", "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-nogpulib", "-fsyntax-only",
                   "-x", "c", os.devnull]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def command(self, source, output, target, *flags):
        """The device half of a HIP compile: front end, optimizer, code generation and link."""
        return [self.bin / "clang", "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc",
                "-nogpulib", f"--offload-arch={target}", f"-I{HEADERS}", "-O3", *flags, "-c", source, "-o", output]

    def compile(self, source, output, target, settings=None, flags=()):
        """Compiles with the plugin and these settings, or without it; returns the processor time in seconds."""
        flags = list(flags)
        if settings is not None:
            flags.append(f"-fpass-plugin={self.plugin}")
        # No setting of the caller's reaches the compile.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SQTT_")}
        environment.update(settings or {})
        command = self.command(source, output, target, *flags)
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
            errors = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            die(f"LLVM {self.version} cannot compile for {target} with {settings}:\n{errors}")
        return usage.ru_utime + usage.ru_stime

    def instructions(self, code_object):
        """For each function, how many instructions it has by opcode. Waits keep their operands, M0 writes are apart
        from other moves, and the padding behind a function's end does not count."""
        text = subprocess.run([self.bin / "llvm-objdump", "-d", "--no-show-raw-insn", code_object],
                              capture_output=True, text=True, check=True).stdout
        functions, found, ended = {}, Counter(), False
        for line in text.splitlines():
            label = re.match(r"[0-9a-f]+ <(.*)>:$", line)
            if label:
                found, ended = functions.setdefault(label[1], Counter()), False
            words = re.match(r"\t([a-z]\w*)(?: +([^/]*))?", line)
            if not words or (ended and words[1] in ("s_nop", "s_code_end")):
                continue
            opcode, operands = words[1], (words[2] or "").strip()
            if opcode == "s_mov_b32" and operands.startswith("m0,"):
                opcode = "s_mov_b32 m0"
            elif re.match("s_wait(?!_alu)", opcode):
                opcode = f"{opcode} {operands}"
            found[opcode] += 1
            ended = ended or opcode in ("s_endpgm", "s_setpc_b64")
        return functions
