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
    """What clang -ftime-trace says of one compile, in microseconds of wall time."""

    def __init__(self, path):
        totals = {event["name"]: event["dur"] for event in json.loads(Path(path).read_text())["traceEvents"]
                  if event["name"].startswith("Total ")}
        self.all = totals["Total ExecuteCompiler"]
        self.passes = sum(length for name, length in totals.items() if "SqttPass" in name)
        self.backend = totals.get("Total CodeGenPasses", 0)


def trace(compiler, source, directory, target, settings, flags):
    path = directory / "trace.json"
    flags = (*flags, "-Xclang", f"-ftime-trace={path}", "-Xclang", "-ftime-trace-granularity=0")
    compiler.compile(source, directory / "unit.co", target, settings, flags)
    return Trace(path)


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
    return print_ratios(places, times, rounds), print_shares(places, traces)


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


def print_shares(places, traces):
    rounds = len(traces[places[0], VARIANTS[0][0]])
    print("\n## The plugin's own passes, and the added code in code generation\n")
    print(f"clang -ftime-trace, sums of {rounds} compiles; % of the compile with these settings, and of the code")
    print("generation without the plugin.\n")
    print(f"| {'passes / added code':22} | " + " | ".join(f"LLVM {c.version} {target:8}".ljust(19)
                                                         for c, target in places) + " |")
    print("|---" * (len(places) + 1) + "|")
    most = 0.0
    for name, _, _ in VARIANTS[2:]:
        row = []
        for place in places:
            own = traces[place, name]
            base = traces[place, VARIANTS[0][0]] + traces[place, VARIANTS[1][0]]
            share = 100 * sum(t.passes for t in own) / sum(t.all for t in own)
            added = statistics.median(t.backend for t in own) / statistics.median(t.backend for t in base)
            most = max(most, share)
            row.append(f"{share:.2f} % / {100 * (added - 1):+.0f} %".ljust(19))
        print(f"| {name:22} | " + " | ".join(row) + " |")
    return most


SHAPES = (
    ("functions", lambda size: unit.wide(size // 10, size), {**SOME, "SQTT_INSTRUMENT_MEMORY": "1:0"}),
    ("functions, addresses", lambda size: unit.wide(size // 10, size), {"SQTT_TRACE_ADDRESSES": "memory"}),
    ("one long function", unit.long, SOME),
)

# The last one is 2,000 functions with 20,000 named markers; a single function has a tenth of them.
SIZES = (5000, 10000, 20000)


def scaling(compiler, directory):
    """Prints how the time of the passes grows when everything doubles. Returns the largest growth."""
    print("\n## The plugin's own passes on large units\n")
    print(f"LLVM {compiler.version}, optimizer only (-emit-llvm), time of the passes when the number of markers")
    print("doubles: 2 is linear, 4 is quadratic.\n")
    print("| shape | markers | share of the compile | growth |")
    print("|---|---|---|---|")
    worst = 0.0
    for name, make, settings in SHAPES:
        before = None
        for size in SIZES:
            size = size // 10 if make is unit.long else size
            source = directory / "large.hip"
            source.write_text(make(size))
            flags = (*NAMED, "-O1", "-emit-llvm")
            runs = [trace(compiler, source, directory, TARGETS[1], settings, flags) for _ in range(3)]
            best = min(runs, key=lambda run: run.passes)
            growth = best.passes / before if before else None
            print(f"| {name} | {size} | {100 * best.passes / best.all:.1f} % | {f'{growth:.1f}' if growth else ''} |")
            worst, before = max(worst, growth or 0.0), best.passes
    return worst
