"""What drawing timelines costs, beside Python's json.load of the same files in the same run."""

import shutil
import statistics

import objects
import traces

MOST_JSON = 0.6
MOST_MEMORY = 150 << 20


def draw(command, out):
    """Processor seconds, memory and size of the file in bytes, of one call that finds no file of an earlier one."""
    shutil.rmtree(out, ignore_errors=True)
    seconds, memory = traces.peak([*command, "-o", out])
    return seconds, memory, sum(path.stat().st_size for path in out.iterdir())


def measure(directory, rounds):
    """Prints the comparison for both formats and returns what misses its goal, which is that of JSON."""
    sqtt, notes = objects.reader(), []
    place, out = traces.generate(directory / "timelines", traces.RECORDS), directory / "drawn"
    print("\ndrawing timelines (medians of processor time, one core)")
    for kind in ("json", "pftrace"):
        command = [sqtt, "perfetto", "--demangle", f"--format={kind}", place]
        turns = [(traces.load(place), *draw(command, out)) for _ in range(rounds)]
        python, seconds = (statistics.median(turn[at] for turn in turns) for at in (0, 1))
        memory, size = max(turn[2] for turn in turns), turns[0][3]
        share = seconds / python
        goal = f" (goal {MOST_JSON})" if kind == "json" else ""
        print(f"  {traces.RECORDS} records, {kind}: {seconds:.3f} s, {memory >> 20} MiB, {size >> 20} MiB of file, "
              f"json.load {python:.3f} s, ratio {share:.2f}{goal}")
        if kind == "json" and share > MOST_JSON:
            notes.append(f"timelines as JSON take {share:.2f} of json.load, the goal is {MOST_JSON}")
        if memory > MOST_MEMORY:
            notes.append(f"timelines as {kind} take {memory >> 20} MiB, the goal is {MOST_MEMORY >> 20}")
    return notes
