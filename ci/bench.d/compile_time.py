"""What the plugin costs a compile, as ratios of processor time, and which share its own passes have."""

import json
import statistics
from pathlib import Path

import unit

TARGETS = ("gfx942", "gfx1201")

FUNCTIONS = 60
MOST_OFF = 1.01
MOST_SHARE = 1.0

SOME = {"SQTT_INSTRUMENT_FUNCTIONS": "10", "SQTT_INSTRUMENT_BARRIERS": "1"}
NAMED = ("-DSQTT_ENABLED=1",)

# Name, settings (None: without the plugin), flags. The second one shows how much of a ratio is noise.
VARIANTS = (
    ("no plugin", None, ()),
    ("no plugin, once more", None, ()),
    ("plugin, everything off", {}, ()),
    ("functions, barriers", SOME, ()),
    ("all, with memory", {**SOME, "SQTT_INSTRUMENT_MEMORY": "4:8"}, NAMED),
    ("all, with addresses", {**SOME, "SQTT_TRACE_ADDRESSES": "memory,lds"}, NAMED),
)


def middle(values):
    """The median and the quartiles around it."""
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return median, low, high


class Trace:
    """What clang -ftime-trace says of one compile, in microseconds of wall time, and its processor time in seconds."""

    def __init__(self, path, seconds):
        self.seconds = seconds
        totals = {event["name"]: event["dur"] for event in json.loads(Path(path).read_text())["traceEvents"]
                  if event["name"].startswith("Total ")}
        self.all = totals["Total ExecuteCompiler"]
        self.passes = sum(length for name, length in totals.items() if "SqttPass" in name)


def trace(compiler, source, directory, target, settings, flags):
    path = directory / "trace.json"
    flags = (*flags, "-Xclang", f"-ftime-trace={path}", "-Xclang", "-ftime-trace-granularity=0")
    return Trace(path, compiler.compile(source, directory / "unit.co", target, settings, flags))


def measure(compilers, directory, rounds):
    """Prints both tables. Returns the largest ratio with everything off and the largest share of the passes in %."""
    source = directory / "unit.hip"
    source.write_text(unit.mixed(FUNCTIONS))
    places = [(compiler, target) for compiler in compilers for target in TARGETS]
    times = {(place, name): [] for place in places for name, _, _ in VARIANTS}
    traces = {(place, name): [] for place in places for name, _, _ in VARIANTS}
    for turn in range(rounds):
        for place in places:
            # Each round begins with another variant: whatever changes with time meets all of them.
            first = turn % len(VARIANTS)
            for name, settings, flags in VARIANTS[first:] + VARIANTS[:first]:
                compiler, target = place
                times[place, name].append(
                    compiler.compile(source, directory / "unit.co", target, settings, flags))
                if turn < max(5, rounds // 3):
                    traces[place, name].append(trace(compiler, source, directory, target, settings, flags))
    return print_ratios(places, times, rounds), print_shares(places, times, traces)


def print_ratios(places, times, rounds):
    print(f"\n## Device compile of {FUNCTIONS} functions at -O3, as a ratio of the one without the plugin\n")
    print(f"Processor time of the whole compile; median and quartiles of the ratios of {rounds} interleaved rounds.\n")
    print(f"| {'':22} | " + " | ".join(f"LLVM {c.version} {target:8}".ljust(19) for c, target in places)
          + " | all".ljust(22) + " |")
    print("|---" * (len(places) + 2) + "|")
    off = 0.0
    for name, _, _ in VARIANTS[1:]:
        row = [[time / base for time, base in zip(times[place, name], times[place, VARIANTS[0][0]])]
               for place in places]
        row.append([ratio for ratios in row for ratio in ratios])
        print(f"| {name:22} | " + " | ".join("{:.3f} ({:.3f}-{:.3f})".format(*middle(ratios)) for ratios in row) + " |")
        if name == "plugin, everything off":
            off = middle(row[-1])[0]
    base = statistics.median(time for place in places for time in times[place, VARIANTS[0][0]])
    print(f"\n1.000 is {base:.2f} s here.")
    return off


def print_shares(places, times, traces):
    """Other work on the machine stretches wall times: the least time of the passes is taken, over the processor time of
    a compile."""
    rounds = len(traces[places[0], VARIANTS[0][0]])
    print("\n## The plugin's own passes, and what the added code costs the rest of the compile\n")
    print(f"Passes: clang -ftime-trace, the least of {rounds} compiles, in % of the compile with these settings. Rest:")
    print("the compile less the passes, against the one without the plugin.\n")
    print(f"| {'passes / rest':22} | " + " | ".join(f"LLVM {c.version} {target:8}".ljust(19) for c, target in places)
          + " |")
    print("|---" * (len(places) + 1) + "|")
    most = 0.0
    for name, _, _ in VARIANTS[2:]:
        row = []
        for place in places:
            base, whole = (statistics.median(times[place, variant]) for variant in (VARIANTS[0][0], name))
            passes = min(trace.passes for trace in traces[place, name]) / 1e6
            most = max(most, 100 * passes / whole)
            row.append(f"{100 * passes / whole:.2f} % / {100 * ((whole - passes) / base - 1):+.0f} %".ljust(19))
        print(f"| {name:22} | " + " | ".join(row) + " |")
    return most


SHAPES = (
    ("functions", lambda size: unit.wide(size // 10, size), {**SOME, "SQTT_INSTRUMENT_MEMORY": "1:0"}),
    ("functions, addresses", lambda size: unit.wide(size // 10, size), {"SQTT_TRACE_ADDRESSES": "memory"}),
    ("one long function", unit.long, SOME),
)

# The last one is 2,000 functions with 20,000 named markers; a single function has a tenth of them.
SIZES = (5000, 20000)


def scaling(compiler, directory):
    """Prints how the time of the passes grows when everything doubles. Returns the largest growth."""
    print("\n## The plugin's own passes on large units\n")
    print(f"LLVM {compiler.version}, optimizer only (-emit-llvm at -O1), where nearly every statement has a marker. Growth")
    print("of the passes' time when the number of markers doubles: 2 is linear, 4 is quadratic.\n")
    print("| shape | markers | share of the compile | growth |")
    print("|---|---|---|---|")
    worst = 0.0
    for name, make, settings in SHAPES:
        sizes = [size // 10 if make is unit.long else size for size in SIZES]
        spent = [passes_time(compiler, directory, make(size), settings) for size in sizes]
        # What the machine does beside makes wall times useless here: the share of the processor time is taken.
        growth = (spent[1][0] / spent[0][0]) ** 0.5
        shares = " to ".join(f"{100 * share:.1f} %" for _, share in spent)
        print(f"| {name} | {sizes[0]} to {sizes[1]} | {shares} | {growth:.1f} |")
        worst = max(worst, growth)
    return worst


def passes_time(compiler, directory, text, settings):
    """Processor time of the passes and their share: the least of three compiles."""
    source = directory / "large.hip"
    source.write_text(text)
    runs = [trace(compiler, source, directory, TARGETS[1], settings, (*NAMED, "-O1", "-emit-llvm")) for _ in range(3)]
    return min((run.seconds * run.passes / run.all, run.passes / run.all) for run in runs)
