"""What the plugin costs a compile, as ratios of processor time, and which share its own passes have."""

import json
import statistics
from pathlib import Path

import unit

TARGETS = ("gfx942", "gfx1201")

FUNCTIONS = 60
MOST_OFF = 1.01
MOST_SHARE = 1.0
# Between linear, which is 2, and quadratic, which is 4.
MOST_GROWTH = 3

SOME = {"SQTT_INSTRUMENT_FUNCTIONS": "10", "SQTT_INSTRUMENT_BARRIERS": "1"}
NAMED = ("-DSQTT_ENABLED=1",)

OFF = "plugin, everything off"

# Name, settings (None: without the plugin), flags. The second one shows how much of a ratio is noise.
VARIANTS = (
    ("no plugin", None, ()),
    ("no plugin, once more", None, ()),
    (OFF, {}, ()),
    ("functions, barriers", SOME, ()),
    ("all, with memory", {**SOME, "SQTT_INSTRUMENT_MEMORY": "4:8"}, NAMED),
    ("all, with addresses", {**SOME, "SQTT_TRACE_ADDRESSES": "memory,lds"}, NAMED),
)

# What differs little from the base needs many compiles to be told from it; what differs much takes long.
CHEAP = [name for name, _, _ in VARIANTS[1:3]]
COSTLY = [name for name, _, _ in VARIANTS[3:]]
COSTLY_EVERY = 3


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

    @property
    def share(self):
        """Of the passes, in %. Other work on the machine stretches both times alike."""
        return 100 * self.passes / self.all


def trace(compiler, source, directory, target, settings, flags):
    path = directory / "trace.json"
    flags = (*flags, "-Xclang", f"-ftime-trace={path}", "-Xclang", "-ftime-trace-granularity=0")
    return Trace(path, compiler.compile(source, directory / "unit.co", target, settings, flags))


class Times:
    """Processor times and traces by place, which is a compiler and a target, and variant."""

    def __init__(self, compilers, directory):
        self.places = [(compiler, target) for compiler in compilers for target in TARGETS]
        self.directory, self.source, self.turns = directory, directory / "unit.hip", 0
        self.source.write_text(unit.mixed(FUNCTIONS))
        self.ratios = {(place, name): [] for place in self.places for name, _, _ in VARIANTS}
        self.traces = {(place, name): [] for place in self.places for name, _, _ in VARIANTS}
        self.base = []

    def turn(self, names):
        """One more compile of each of these variants at each place, right behind one without the plugin."""
        wanted = [variant for variant in VARIANTS[1:] if variant[0] in names]
        # Each turn begins with another variant: whatever changes with time meets all of them.
        first = self.turns % len(wanted)
        self.turns += 1
        for place in self.places:
            base = self.compile(place, VARIANTS[0])
            self.base.append(base)
            for variant in wanted[first:] + wanted[:first]:
                self.ratios[place, variant[0]].append(self.compile(place, variant) / base)

    def compile(self, place, variant):
        (compiler, target), (_, settings, flags) = place, variant
        return compiler.compile(self.source, self.directory / "unit.co", target, settings, flags)

    def trace(self, cells):
        """One more traced compile of each of these places with a variant."""
        for place, name in cells:
            (compiler, target), (_, settings, flags) = place, next(known for known in VARIANTS if known[0] == name)
            self.traces[place, name].append(trace(compiler, self.source, self.directory, target, settings, flags))

    def cells(self):
        """All places with each variant that has the plugin."""
        return [(place, name) for place in self.places for name, _, _ in VARIANTS[2:]]

    def share(self, cell):
        """The median share of the passes, in %."""
        return statistics.median(trace.share for trace in self.traces[cell])

    def slow(self):
        """Where the passes take more than they may."""
        return [cell for cell in self.cells() if self.share(cell) > MOST_SHARE]

    def off(self):
        """The median ratio with everything off, of all places."""
        return statistics.median(ratio for place in self.places for ratio in self.ratios[place, OFF])


def measure(compilers, directory, rounds):
    """Prints both tables. Returns the limits that are not kept."""
    times = Times(compilers, directory)
    for turn in range(rounds):
        times.turn(CHEAP)
        if turn % COSTLY_EVERY == 0:
            times.turn(COSTLY)
            times.trace(times.cells())
    # A busy machine must not decide: what looks too slow is looked at for longer.
    while times.off() > MOST_OFF and times.turns < 4 * rounds:
        times.turn(CHEAP)
    for _ in range(2 * rounds):
        times.trace(times.slow())
    print_ratios(times)
    broken = []
    if times.off() > MOST_OFF:
        broken.append(f"with everything off a compile takes {times.off():.3f} of one without the plugin, over {MOST_OFF}")
    return broken + print_shares(times)


def print_heading(times, first, *more):
    places = [f"LLVM {compiler.version} {target}".ljust(19) for compiler, target in times.places]
    columns = [first.ljust(22), *places, *more]
    print("| " + " | ".join(columns) + " |")
    print("|---" * len(columns) + "|")


def print_ratios(times):
    print(f"\n## Device compile of {FUNCTIONS} functions at -O3, as a ratio of the one without the plugin\n")
    print("Processor time of the whole compile; median and quartiles of the ratios of interleaved compiles.\n")
    print_heading(times, "", "all".ljust(19))
    for name, _, _ in VARIANTS[1:]:
        row = [times.ratios[place, name] for place in times.places]
        row.append([ratio for ratios in row for ratio in ratios])
        print(f"| {name:22} | " + " | ".join("{:.3f} ({:.3f}-{:.3f})".format(*middle(ratios)) for ratios in row) + " |")
    print(f"\n1.000 is {statistics.median(times.base):.2f} s here.")


def print_shares(times):
    """Returns the shares that are over the limit."""
    print("\n## The plugin's own passes, and what the added code costs the rest of the compile\n")
    print("Passes: clang -ftime-trace, the median share of the compile with these settings. Rest: the compile less the")
    print("passes, against the one without the plugin.\n")
    print_heading(times, "passes / rest")
    broken = []
    for name, _, _ in VARIANTS[2:]:
        row = []
        for place in times.places:
            share = times.share((place, name))
            rest = statistics.median(times.ratios[place, name]) * (1 - share / 100) - 1
            row.append(f"{share:.2f} % / {100 * rest:+.0f} %".ljust(19))
            if share > MOST_SHARE:
                where = f"LLVM {place[0].version} {place[1]}"
                broken.append(f"{where}: {name}: the passes take {share:.2f} % of a compile, over {MOST_SHARE} %")
        print(f"| {name:22} | " + " | ".join(row) + " |")
    return broken


SHAPES = (
    ("functions", lambda size: unit.wide(size // 10, size), {**SOME, "SQTT_INSTRUMENT_MEMORY": "1:0"}),
    ("functions, addresses", lambda size: unit.wide(size // 10, size), {"SQTT_TRACE_ADDRESSES": "memory"}),
    ("one long function", unit.long, SOME),
)

# The last one is 2,000 functions with 20,000 named markers; a single function has a tenth of them.
SIZES = (5000, 20000)


def scaling(compiler, directory):
    """Prints how the time of the passes grows when everything doubles. Returns the shapes that grow faster than
    linearly."""
    print("\n## The plugin's own passes on large units\n")
    print(f"LLVM {compiler.version}, optimizer only (-emit-llvm at -O1), where nearly every statement has a marker. Growth")
    print("of the passes' time when the number of markers doubles: 2 is linear, 4 is quadratic.\n")
    print("| shape | markers | share of the compile | growth |")
    print("|---|---|---|---|")
    broken = []
    for name, make, settings in SHAPES:
        sizes = [size // 10 if make is unit.long else size for size in SIZES]
        spent = [passes_time(compiler, directory, make(size), settings) for size in sizes]
        # What the machine does beside makes wall times useless here: the share of the processor time is taken.
        growth = (spent[1][0] / spent[0][0]) ** 0.5
        shares = " to ".join(f"{100 * share:.1f} %" for _, share in spent)
        print(f"| {name} | {sizes[0]} to {sizes[1]} | {shares} | {growth:.1f} |")
        if growth > MOST_GROWTH:
            broken.append(f"{name}: the passes take {growth:.1f} times as long for twice as much")
    return broken


def passes_time(compiler, directory, text, settings):
    """Processor time of the passes and their share: the least of three compiles."""
    source = directory / "large.hip"
    source.write_text(text)
    runs = [trace(compiler, source, directory, TARGETS[1], settings, (*NAMED, "-O1", "-emit-llvm")) for _ in range(3)]
    return min((run.seconds * run.passes / run.all, run.passes / run.all) for run in runs)
