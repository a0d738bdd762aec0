"""Machine instructions that a marker, its boundary and the scope check add: exact facts, found as differences between
kernels with 0, 1, 2 and 3 markers."""

import re
from collections import Counter

import unit
from tools import UNSCOPED

TARGETS = ("gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250")
WITHOUT_IMMEDIATE = ("gfx906", "gfx90a", "gfx942")
MODES = ("none", "asm", "fence")

# What is under way where the marker stands.
PENDING = {"idle": "", "LDS": "store(lds + lane(), lane());", "global": "store(q + lane(), lane());"}

MARKERS = {
    "short": 'sqtt_marker_point("short");',
    "long": "sqtt_marker_point(1000);",
    "data": 'sqtt_marker_data("data", 1000);',
    "run": 'sqtt_marker_point("short"); sqtt_marker_point("short");',
    # Behind 64 other names.
    "far": 'sqtt_marker_point("far");',
}

# Stays where it is, needs nothing, and is too long to be duplicated into the arms of a guard.
SEPARATOR = " ".join(f"__builtin_amdgcn_s_sleep({time});" for time in range(1, 9))

THROUGH_M0 = Counter({"s_mov_b32 m0": 1, "s_nop": 1, "s_ttracedata": 1})
IMMEDIATE = Counter({"s_ttracedata_imm": 1})

# The waits that a fence may add: for LDS, which gfx9 to gfx11 count together with scalar loads and messages.
FENCE_WAITS = re.compile(r"s_waitcnt lgkmcnt\(0\)|s_wait_dscnt 0x0|s_wait_kmcnt 0x0")
CACHE = re.compile(r"_inv|_wb|_gl[01]_|cache|_discard")


def kernel(marker, pending, markers):
    """The name of a kernel with that many markers of a kind."""
    return f"{marker}_{pending}_{markers}"


def source():
    """Kernels that differ in nothing but their markers; each marker stands between two instructions that stay."""
    bodies = {}
    for marker, call in MARKERS.items():
        if marker == "far":
            # Ids count up in the order of the module: these leave none below 64.
            bodies["fill"] = [f'sqtt_marker_point("{number}"); __builtin_amdgcn_s_sleep(1);' for number in range(64)]
        for pending, statement in PENDING.items():
            for markers in range(4):
                places = [f"{statement} {call if index < markers else ''} {SEPARATOR}" for index in range(3)]
                bodies[kernel(marker, pending, markers)] = places
    return unit.kernels(bodies)


def subtract(left, right):
    """The difference of two counters, negative ones included."""
    return Counter({name: left[name] - right[name] for name in left.keys() | right.keys()
                    if left[name] != right[name]})


def mangled(functions, name):
    return functions[f"_Z{len(name)}{name}PU3AS1j"]


class Place:
    """The counts of one target and compiler."""

    def __init__(self, compiler, directory, target):
        self.name, self.target, self.broken = f"LLVM {compiler.version} {target}", target, []
        text, output = directory / "kernels.hip", directory / "kernels.co"
        text.write_text(source())

        def count(settings, flags=("-DSQTT_ENABLED=1",)):
            compiler.compile(text, output, target, settings, flags)
            return compiler.instructions(output)

        self.open = {mode: count({**UNSCOPED, "SQTT_MEM_BARRIER": mode}) for mode in MODES}
        # As by default: one of the four masks selects.
        self.scoped = {mode: count({"SQTT_MEM_BARRIER": mode}) for mode in MODES}
        self.two_masks = count({"SQTT_MEM_BARRIER": "none", "SQTT_SCOPE_WAVE": "0x1"})
        self.must(count({}, ()) == count(None, ()), "everything off changes instructions")

    def must(self, holds, text):
        if not holds and f"{self.name}: {text}" not in self.broken:
            self.broken.append(f"{self.name}: {text}")

    def steps(self, functions, marker, pending):
        """What the first, the second and the third marker of a kernel each add."""
        counts = [mangled(functions, kernel(marker, pending, markers)) for markers in range(4)]
        return [subtract(more, fewer) for fewer, more in zip(counts, counts[1:])]

    def record(self, marker):
        """What a marker must be by itself."""
        short = THROUGH_M0 if self.target in WITHOUT_IMMEDIATE else IMMEDIATE
        # Two blocks of assembly that write M0: LLVM 22 puts a wait state between them on gfx942.
        between = Counter({"s_nop": 1}) if self.name == "LLVM 22 gfx942" else Counter()
        return {"short": short, "long": THROUGH_M0, "far": THROUGH_M0, "data": short + between + THROUGH_M0,
                "run": short + between + short}[marker]

    def boundary(self, mode, pending):
        """Instructions that a marker's boundaries add at most, beyond the marker itself."""
        most = 0
        for marker in MARKERS:
            for step in self.steps(self.open[mode], marker, pending):
                added = subtract(step, self.record(marker))
                what = f"`{mode}`, {pending} pending, marker `{marker}`: the boundary adds {dict(added)}"
                self.must(not any(CACHE.search(opcode) for opcode in step), f"{what}, a cache operation")
                self.must(min(added.values(), default=0) >= 0, what)
                if mode == "fence":
                    self.must(all(FENCE_WAITS.fullmatch(opcode) for opcode in added), f"{what}, not a wait for LDS")
                    self.must(added.total() <= (1 if pending == "LDS" else 0), f"{what}, more than it may")
                else:
                    self.must(not added, what)
                most = max(most, added.total())
        return most

    def guard(self):
        """Instructions of the scope check, once in a function, with one mask and with two; of the guard of each run of
        markers."""
        counts = {self.scope(functions, "short") for functions in self.scoped.values()}
        self.must(len(counts) == 1, f"scope checks and guards differ by mode: {sorted(counts)}")
        check, guard = max(counts)
        # The specification's bound for the check with its branch.
        self.must(check + guard <= 8, f"the scope check takes {check} instructions, its branch {guard}")
        self.must(guard <= 2, f"the guard of a run takes {guard} instructions")
        for functions in self.scoped.values():
            alone, run = (self.steps(functions, marker, "idle")[2] for marker in ("short", "run"))
            self.must(subtract(run, alone) == subtract(self.record("run"), self.record("short")),
                      "two markers of a run do not share a guard")
        return check, self.scope(self.two_masks, "short")[0], guard

    def scope(self, functions, marker):
        """Instructions of the check and of a guard."""
        steps = [subtract(step, self.record(marker)) for step in self.steps(functions, marker, "idle")]
        for step in steps:
            vector = [opcode for opcode in step if not opcode.startswith("s_") or "vcc" in opcode]
            self.must(not vector, f"the scope check needs lane masks: {', '.join(sorted(vector))}")
        # The last marker adds its guard; the first ones have the check as well.
        guard = steps[-1].total()
        return sum(step.total() for step in steps) - len(steps) * guard, guard

    def row(self):
        records = {marker: self.record(marker).total() for marker in ("short", "long", "data")}
        quiet = max(self.boundary(mode, pending) for mode in ("none", "asm") for pending in PENDING)
        fences = [self.boundary("fence", pending) for pending in PENDING]
        return [*records.values(), quiet, *fences, *self.guard()]


COLUMNS = ("id to 63", "number or id above", "data", "none, asm", "fence, idle", "fence, LDS", "fence, global",
           "scope check", "with two masks", "guard")


def measure(compilers, directory):
    """Prints the table. Returns the facts that do not hold."""
    print("\n## Machine instructions\n")
    print("Of a marker; what its boundary adds, by mode and what is pending; of the scope check, once in a function; of")
    print("the guard, once in a run of markers.\n")
    print(f"| {'':15} | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    broken = []
    for compiler in compilers:
        for target in TARGETS:
            if not compiler.knows(target):
                print(f"LLVM {compiler.version} does not know {target}.")
                continue
            place = Place(compiler, directory, target)
            row = place.row()
            broken += place.broken
            print(f"| {place.name:15} | " + " | ".join(f"{count:{len(name)}}" for count, name in zip(row, COLUMNS)) + " |")
    return broken
