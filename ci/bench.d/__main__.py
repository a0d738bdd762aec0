"""The measurements of ci/bench, which calls this with the compilers and their plugins."""

import argparse
import tempfile
from pathlib import Path

import checks
import compile_time
import driver
import instruction_counts
import objects
import timelines
import traces
from tools import Compiler


def main():
    parser = argparse.ArgumentParser(prog="ci/bench")
    parser.add_argument("--rounds", type=int, default=15, help="compiles of the cheap kinds (at least 3)")
    parser.add_argument("--part", action="append",
                        choices=("times", "instructions", "scaling", "objects", "driver", "traces", "check"))
    parser.add_argument("compilers", nargs="+", metavar="VERSION=PREFIX=PLUGIN")
    arguments = parser.parse_args()
    compilers = [Compiler(*text.split("=", 2)) for text in arguments.compilers]
    parts = arguments.part or ["instructions", "times", "scaling", "objects", "driver", "traces", "check"]
    notes, broken = [], []
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        if "instructions" in parts:
            broken += instruction_counts.measure(compilers, directory)
        if "times" in parts:
            broken += compile_time.measure(compilers, directory, arguments.rounds)
        if "scaling" in parts:
            broken += compile_time.scaling(compilers[-1], directory)
        if "objects" in parts:
            notes += objects.measure(compilers[-1], directory)
        if "traces" in parts:
            notes += traces.measure(directory, 5)
            notes += timelines.measure(directory, 5)
        if "check" in parts:
            notes += checks.measure(compilers[-1], directory, 3)
        if "driver" in parts:
            added = driver.measure(compilers[-1], directory, 20 * arguments.rounds)
            if added > driver.MOST_ADDED:
                notes.append(f"the driver adds {added:.2f} ms to a call, the goal is {driver.MOST_ADDED}")
    print()
    for note in notes:
        print(f"note: {note}")
    for fact in broken:
        print(f"FAIL: {fact}")
    print("bench: " + (f"FAILED: {len(broken)} facts do not hold" if broken else "ok"))
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
