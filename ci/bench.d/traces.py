"""What reading traces costs, beside Python's json.load of the same files in the same run."""

import json
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

import objects
from tools import die

MOST_FOLDED = 0.3
MOST_MEMORY = 100 << 20
RECORDS = 1_000_000
MANY = 10
# Ten times the records may take this much longer than ten times as long.
MOST_GROWTH = 1.25

ENGINES = 4
ROWS = 65_536
SCOPES = 40
LOAD = """
import json, sys, time
start = time.process_time()
for path in sys.argv[1:]:
    with open(path) as file:
        json.load(file)
print(time.process_time() - start)
"""


def rows(rng, count, slots):
    """Records of one shader engine and the events of its occupancy: waves of some hundred records each, all slots
    interleaved, scopes nested up to six deep. Every wave closes what it opens."""
    records, events, time = [], [], 1000
    open_scopes = {slot: [] for slot in slots}
    left = {slot: rng.randrange(200, 900) for slot in slots}
    events += [[time, *slot, 1, 1] for slot in slots]
    draw, places = rng.random, len(slots)
    while len(records) < count:
        time += 4 + int(draw() * 8)
        slot = slots[int(draw() * places)]
        stack = open_scopes[slot]
        left[slot] -= 1
        if left[slot] <= 0 and not stack:
            events += [[time, *slot, 0, 1], [time + 3, *slot, 1, 1]]
            left[slot] = rng.randrange(200, 900)
            continue
        chance = draw()
        if stack and (len(stack) > 5 or left[slot] <= 0 or chance < 0.45):
            stack.pop()
            word = 1
        else:
            flags = 3 if stack and chance < 0.5 else 2
            if flags == 3:
                stack.pop()
            # A scope has three kinds of children, so that there are as many stacks as a large program has.
            scope = ((stack[-1] * 3 if stack else 0) + int(draw() * 3)) % SCOPES + 1
            stack.append(scope)
            word = scope << 2 | flags
        records.append([time, word, *slot, 1])
    for slot, stack in open_scopes.items():
        time += 4
        records += [[time, 1, *slot, 1] for _ in stack]
    return records, events, time


def generate(parent, count):
    """A `ui_` directory with so many records in files as the profiler writes them."""
    directory = Path(parent) / "ui_output_agent_1_dispatch_1"
    directory.mkdir(parents=True)
    rng = random.Random(count)
    slots = [(cu, simd, wave) for cu in range(2) for simd in range(4) for wave in range(8)]
    names = [[7, 0, "K", "_Z6kernelPfi", "k.hip:90", 4096]]
    for number in range(1, SCOPES + 1):
        mangled = f"_ZN4math4gemmILi{number}EE4tileEPKfi"
        names.append([7, number, "F", mangled, f"gemm.hip:{number}", 256 * number] if number % 2 else
                     [7, number, "U", f"phase {number}", "", 0])
    occupancy, files = {"dispatches": {"0": "0 / 0x0", "1": "_Z6kernelPfi"}, "version": "3.0.0"}, {}
    for engine in range(ENGINES):
        records, events, time = rows(rng, count // ENGINES, slots)
        occupancy[str(engine)] = events + [[time + 4, *slot, 0, 1] for slot in slots]
        listed = files[str(engine)] = []
        for part in range(0, len(records), ROWS):
            some = records[part:part + ROWS]
            name = f"shaderdata_{engine}_{part // ROWS}.json"
            write(directory / name, {
                "type": "shaderdata", "begin_time": some[0][0], "end_time": some[-1][0],
                "records_schema": ["time", "value", "cu", "simd", "wave_id", "flags"], "records_count": len(some),
                "records": some})
            listed.append([name, some[0][0], some[-1][0]])
    write(directory / "occupancy.json", occupancy)
    write(directory / "code.json", {"code": None, "sqtt_funcmap": names})
    write(directory / "filenames.json", {"version": "3.0.0", "shaderdata_filenames": files})
    return directory


def write(path, document):
    path.write_text(json.dumps(document, separators=(",", ":")))


def peak(command, expected=0, is_quiet=True):
    """Processor seconds and peak of resident memory in bytes, on one core, of a command that ends with the status
    `expected` and, if it `is_quiet`, without a message."""
    def one_core():
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=one_core) as process:
        errors = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != expected or (errors and is_quiet):
        die(f"{command[0]} fails with {process.returncode}: {errors[-500:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10


def load(directory):
    """Seconds that Python takes to read the records as JSON."""
    paths = sorted(directory.glob("shaderdata_*.json"))
    done = subprocess.run([sys.executable, "-c", LOAD, *paths], check=True, capture_output=True, text=True)
    return float(done.stdout)


def measure(directory, rounds):
    """Prints both comparisons and returns what misses its goal."""
    sqtt, notes, folded = objects.reader(), [], {}
    print("\nreading traces (medians of processor time, one core)")
    for count in (RECORDS, MANY * RECORDS):
        place = generate(directory / f"trace{count}", count)
        command = [sqtt, "flamegraph", "--demangle", place, "-o", directory / "flame.svg"]
        turns = [(load(place) if count == RECORDS else None, *peak(command)) for _ in range(rounds)]
        seconds = statistics.median(turn[1] for turn in turns)
        memory = max(turn[2] for turn in turns)
        folded[count] = seconds
        line = f"  {count} records: sqtt flamegraph {seconds:.3f} s, {memory >> 20} MiB"
        if count == RECORDS:
            python = statistics.median(turn[0] for turn in turns)
            share = seconds / python
            line += f", json.load {python:.3f} s, ratio {share:.2f} (goal {MOST_FOLDED})"
            if share > MOST_FOLDED:
                notes.append(f"folded stacks take {share:.2f} of json.load, the goal is {MOST_FOLDED}")
        if memory > MOST_MEMORY:
            notes.append(f"{count} records take {memory >> 20} MiB, the goal is {MOST_MEMORY >> 20}")
        print(line)
    growth = folded[MANY * RECORDS] / folded[RECORDS] / MANY
    print(f"  {MANY} times the records take {MANY} * {growth:.2f} times as long (goal {MOST_GROWTH})")
    if growth > MOST_GROWTH:
        notes.append(f"{MANY} times the records take {growth:.2f} times as long each, the goal is {MOST_GROWTH}")
    return notes
