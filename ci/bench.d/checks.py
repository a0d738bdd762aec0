"""What checking traces against machine code costs, beside `sqtt summary` of the same traces in the same run."""

import json
import random
import shutil
import statistics
import subprocess

import objects
import traces
from tools import UNSCOPED

TARGET = "gfx942"
RECORDS = 1_000_000
MANY = 10
# Of the time of `sqtt summary`.
MOST_CLEAN = 2.0
MOST_FAULTY = 15.0
# With ten times the records that may be so many times as much.
MOST_GROWTH = 1.25
MOST_MEMORY = 100 << 20
# Bytes for a header of a wave that has not ended.
MOST_HEADER = 40

# A loop with calls and divergent branches, in which every scope and point has a name of its own.
SOURCE = """
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __noinline__ __attribute__((noinline))
#include "markers.hpp"
__device__ __noinline__ void part(volatile unsigned *data, unsigned count) {
  sqtt_marker_enter("part");
  for (unsigned i = 0; i < count; i++) {
    sqtt_marker_enter("step");
    data[i] = data[i] * 3;
    sqtt_marker_exit("step");
    data[i] = 5;
  }
  sqtt_marker_exit("part");
}
__global__ void kernel(volatile unsigned *data, unsigned count) {
  unsigned lane = __builtin_amdgcn_workitem_id_x();
  sqtt_marker_enter("all");
  for (unsigned i = 0; i < count; i++) {
    sqtt_marker_enter("turn");
    if (data[lane] > 9) {
      sqtt_marker_point("busy");
      data[lane] = 1;
      part(data, data[0]);
    }
    if (data[lane] > 99) {
      sqtt_marker_enter("some");
      data[lane] = 2;
      sqtt_marker_exit("some");
    }
    sqtt_marker_data("value", data[1]);
    sqtt_marker_exit("turn");
    data[lane] = 4;
  }
  sqtt_marker_exit("all");
}
"""
ENTER, EXIT = 2, 1


class Program:
    """The code object of SOURCE, and what its waves trace."""

    def __init__(self, compiler, sqtt, directory):
        self.path, source = directory / "check.co", directory / "check.hip"
        source.write_text(SOURCE)
        compiler.compile(source, self.path, TARGET, UNSCOPED, ("-DSQTT_ENABLED=1",))
        document = json.loads(subprocess.run([sqtt, "funcmap", "--json", self.path], check=True, capture_output=True,
                                             text=True).stdout)
        rows = document["files"][0]["code_objects"][0]["funcmap"]["units"][0]["rows"]
        self.words = {row["name"]: row["id"] << 2 for row in rows if row["id"]}

    def wave(self, rng, count):
        """Words of a wave with about `count` records. Every wave closes what it opens."""
        word, below = self.words, rng.randrange
        words = [word["all"] | ENTER]
        while len(words) < count:
            words.append(word["turn"] | ENTER)
            if below(2):
                words += [word["busy"], word["part"] | ENTER]
                words += [word["step"] | ENTER, EXIT] * below(12)
                words.append(EXIT)
            if below(2):
                words += [word["some"] | ENTER, EXIT]
            words += [word["value"], below(1 << 32), EXIT]
        return [*words, EXIT]

    def foreign(self):
        """The word of a marker that the program has not."""
        return max(self.words.values()) + 400


def every_second(change):
    """What applies `change` to every second record of a wave."""
    return lambda words: [new for at, old in enumerate(words) for new in (change(old) if at % 2 else [old])]


# What happens to the words of each wave.
HARMS = {
    "clean": lambda program: list,
    "every second record lost": lambda program: every_second(lambda _: []),
    "every second record wrong": lambda program: every_second(lambda _: [program.foreign()]),
}
# Traces: records, records of each wave, what happens to them.
TRACES = (
    (RECORDS, 60, "clean"),
    (MANY * RECORDS, 60, "clean"),
    (RECORDS, RECORDS, "clean"),
    (MANY * RECORDS, MANY * RECORDS, "clean"),
    (RECORDS, 60, "every second record lost"),
    (MANY * RECORDS, 60, "every second record lost"),
    (RECORDS, RECORDS, "every second record lost"),
    (RECORDS, 60, "every second record wrong"),
)


def generate(parent, program, count, wave, harm):
    """A `ui_` directory of `count` records at least in waves of `wave`, of which up to eight run at the same time; then
    `harm` is done to each."""
    change = HARMS[harm](program)
    directory = parent / "ui_output_agent_1_dispatch_1"
    directory.mkdir(parents=True)
    (parent / f"1_{TARGET}_code_object_id_1.out").write_bytes(program.path.read_bytes())
    rng, slots = random.Random(count), min(8, count // wave)
    records, events, files, time, total = [], [], [], 1000, 0

    def flush():
        name = f"shaderdata_0_{len(files)}.json"
        traces.write(directory / name, {
            "type": "shaderdata", "begin_time": records[0][0], "end_time": records[-1][0],
            "records_schema": ["time", "value", "cu", "simd", "wave_id", "flags"], "records_count": len(records),
            "records": records})
        files.append([name, records[0][0], records[-1][0]])
        records.clear()

    while total < count:
        begin = time
        words = [program.wave(rng, wave) for _ in range(slots)]
        total += sum(map(len, words))
        waves = [iter(change(each)) for each in words]
        events += [[begin, 1, 0, slot, 1, 1] for slot in range(slots)]
        running = dict(enumerate(waves))
        while running:
            for slot in list(running):
                time += 4
                word = next(running[slot], None)
                if word is None:
                    del running[slot]
                    events.append([time, 1, 0, slot, 0, 1])
                    continue
                records.append([time, word, 1, 0, slot, 0])
            if len(records) >= traces.ROWS:
                flush()
        time += 10
    if records:
        flush()
    traces.write(directory / "occupancy.json", {"0": events, "dispatches": {"1": "_Z6kernelPVjj"}, "version": "3.0.0"})
    traces.write(directory / "filenames.json", {"version": "3.0.0", "shaderdata_filenames": {"0": files}})
    return directory


def measure(compiler, directory, rounds):
    """Prints the comparison for each trace and returns what misses its goal."""
    sqtt, notes, taken = objects.reader(), [], {}
    program = Program(compiler, sqtt, directory)
    objdump = f"--objdump={compiler.bin / 'llvm-objdump'}"
    print("\nchecking traces (medians of processor time, one core; llvm-objdump and its memory are in it)")
    for number, trace in enumerate(TRACES):
        count, wave, harm = trace
        place = generate(directory / f"checked{number}", program, count, wave, harm)
        is_clean = harm == "clean"
        turns = [(traces.peak([sqtt, "summary", place], 0, is_clean)[0],
                  *traces.peak([sqtt, "check", objdump, place], 0 if is_clean else 1, is_clean))
                 for _ in range(rounds)]
        shutil.rmtree(place)
        summary, check = (statistics.median(turn[at] for turn in turns) for at in (0, 1))
        memory, share = max(turn[2] for turn in turns), check / summary
        most = MOST_CLEAN if is_clean else MOST_FAULTY
        taken[trace] = share
        what = f"{count} records in waves of {wave}, {harm}"
        print(f"  {what}: {check:.3f} s ({check / count * 1e9:.0f} ns each), {memory >> 20} MiB, "
              f"sqtt summary {summary:.3f} s, ratio {share:.2f} (goal {most})")
        if share > most:
            notes.append(f"checking {what} takes {share:.2f} of sqtt summary, the goal is {most}")
        limit = MOST_MEMORY + (MOST_HEADER * wave if wave == count else 0)
        if is_clean and memory > limit:
            notes.append(f"checking {what} takes {memory >> 20} MiB, the goal is {limit >> 20}")
    for count, wave, harm in TRACES:
        few = taken.get((count // MANY, wave if wave < count else wave // MANY, harm))
        if few:
            growth = taken[count, wave, harm] / few
            what = f"{MANY} times the records {'in one wave' if wave == count else f'in waves of {wave}'}, {harm}"
            print(f"  {what}: {growth:.2f} times the ratio (goal {MOST_GROWTH})")
            if growth > MOST_GROWTH:
                notes.append(f"checking {what} takes {growth:.2f} times the ratio, the goal is {MOST_GROWTH}")
    return notes
