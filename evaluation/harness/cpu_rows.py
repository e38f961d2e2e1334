"""Our OpenMP bundles beside libraries and hand-written loops on a CPU, a table of rows: what
cpu_libraries and stencils share.

Each line of the table is one process in which ours and the peers take turns on the same data. Ours
are `first`, the plan ranked first with its defaults, and `best`, the best one found by a search:
plans of several classes (search.py), several of them timed in one process, the best few with other
values of their tunables; the fastest that tangram-run finds to be right at awkward sizes is then
measured afresh. The time that is left is shared among the lines that are left; of its share, a line
spends at most a part on the search. What was measured is written after every line.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import statistics
import tempfile
import threading
import time

from collections.abc import Callable

from . import chart, cpu_table, join, machine, processes, report, rodinia, search
from .gpu import Clock, OutOfTime
from .manifest import Bundle

SHARED = pathlib.Path(__file__).resolve().parent / "cpu"  # row.h, and the program around the rows
MODELS = ("cpu", "simple-cpu")
FINALISTS = 3
CARRIED = 6  # plans that were best at one size and are tried at the next
TOGETHER = 8  # plans that are timed in one process
LOOKING = 0.6  # of a line's share of the time, for the search
COMPILING = 0.25  # of the time, before the first line; what is left is compiled when it is looked at
HOPELESS = 8  # times slower than the fastest plan, at a small size: not looked at again
COMPILE_S = 30  # of a plan's compilation: those that take longer are left out
REFUSED: set[str] = set()  # what could not be compiled is not tried again
WORKERS = len(os.sched_getaffinity(0))
FACTS = {"threads": WORKERS, "compute_units": WORKERS, "max_group_size": 4096,
         "local_memory": 1 << 20}


@dataclasses.dataclass(frozen=True)
class Row:
    name: str  # for --rows
    title: str
    kind: str  # what the peers' program calls it
    spectrum: search.Spectrum
    shapes: dict[str, tuple[str, ...]]  # scale -> sizes, as the peers' program takes them
    verify: tuple[tuple[str, ...], ...]  # sets of options of `tangram-run verify`
    goal: float = 1.0
    alike: bool = False  # what is fast at one shape is so at the others
    sizes: dict[str, tuple[tuple[str, ...], ...]] = dataclasses.field(default_factory=dict)
    # scale -> options of tangram-run that name the shapes, one after the other; for predictions, too
    rodinia: str | None = None  # the peer whose command may be given


def each(shapes: dict[str, tuple[str, ...]], *options: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """For Row.sizes: options for every shape; its numbers stand for {0}, {1}, ..."""
    return {scale: tuple(tuple(option.format(*shape.split(",")) for option in options) for shape in those)
            for scale, those in shapes.items()}


@dataclasses.dataclass(frozen=True)
class Table:
    """What is measured, and beside what."""

    name: str  # of its folder, which holds the peers' rows in C++, and of its results
    title: str
    chart: str  # title of the drawing
    rows: Callable[[argparse.Namespace], list[Row]]
    compile: tuple[str, ...] = ()  # options for g++
    link: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()  # libraries that --prepare takes along: other machines may lack them
    objects: Callable[[pathlib.Path, argparse.Namespace], list[str]] = lambda folder, options: []
    # made in a folder for the processor of the options, and linked with
    options: Callable[[argparse.ArgumentParser], None] = lambda parser: None  # of its own

    @property
    def folder(self) -> pathlib.Path:
        return machine.ROOT / "evaluation" / self.name


def build_peers(table: Table, folder: pathlib.Path, options: argparse.Namespace) -> str:
    """One program with all rows, for this kind of processor; its parts are compiled side by side."""
    processes.tell(f"{table.name}: building the peers")
    binary = str(folder / "peers")
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)

        def unit(source: pathlib.Path) -> str:
            out = str(scratch / f"{source.stem}-unit.o")
            processes.output(["g++", "-std=c++20", "-O3", f"-march={options.processor}", "-fopenmp",
                              f"-I{SHARED}", *table.compile, "-c", str(source), "-o", out], limit_s=900)
            return out

        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            units = list(pool.map(unit, sorted([*table.folder.glob("*.cpp"), SHARED / "main.cpp"])))
        processes.output(["g++", *units, *table.objects(scratch, options), "-fopenmp", "-o", binary, *table.link,
                          "-ldl", "-Wl,-rpath,$ORIGIN"])
    return binary


def carry_libraries(table: Table, folder: pathlib.Path) -> None:
    """Copies what the peers' program is linked with and finds beside itself, too."""
    for line in processes.output(["ldd", str(folder / "peers")]).splitlines():
        name, _, where = line.strip().partition(" => ")
        if name in table.carried and not (folder / name).exists():
            shutil.copy2(where.split(" (")[0], folder / name)


@dataclasses.dataclass(frozen=True)
class Variant:
    """A plan with values of its tunables; those not named have their defaults."""

    name: str  # "MODEL PLAN"
    bundle: Bundle
    chosen: tuple[tuple[str, int], ...] = ()

    def compile_values(self) -> dict[str, int]:
        return self.bundle.tunables("compile", FACTS, dict(self.chosen))

    def launch_values(self) -> list[int]:
        """0 is the entry point's own default, which works at every size."""
        chosen = dict(self.chosen)
        return [chosen.get(tunable["name"], 0) for tunable in self.bundle.manifest["tunables"]
                if tunable["kind"] == "launch"]

    def library(self) -> str:
        """The bundle as an argument of the peers' program, compiled as its manifest says."""
        values = self.compile_values()
        files = self.bundle.manifest["files"]
        target = self.bundle.folder / ("-".join(["measured", *map(str, values.values())]) + ".so")
        if str(target) in REFUSED:
            raise processes.Failed(f"{target.name} could not be compiled")
        if not target.exists():
            made = target.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
            try:
                processes.output(
                    [os.environ.get("CC", "cc"), *self.bundle.manifest["compile"]["openmp"], "-fopenmp",
                     "-shared", "-fPIC", *(f"-D{name}={value}" for name, value in values.items()),
                     str(self.bundle.folder / files["source"]), str(self.bundle.folder / files["entry"]),
                     "-o", str(made), "-lm"], limit_s=COMPILE_S)
            except processes.Failed:
                REFUSED.add(str(target))
                raise
            made.rename(target)
        return ",".join([str(target), *map(str, self.launch_values())])

    def neighbours(self) -> list["Variant"]:
        """The same plan with one tunable changed."""
        found = []
        for tunable in self.bundle.manifest["tunables"]:
            name = tunable["name"]
            current = self.bundle.tunables(tunable["kind"], FACTS, dict(self.chosen))[name]
            for value in search.menu(tunable, current, WORKERS):
                chosen = {**dict(self.chosen), name: value}
                found.append(Variant(self.name, self.bundle, tuple(sorted(chosen.items()))))
        return found


class Plans:
    """The plans of each row, made here or brought along."""

    def __init__(self, table: Table, options: argparse.Namespace, folder: pathlib.Path):
        self.table = table
        self.options = options
        self.folder = folder
        self.effort = search.Effort(*map(int, options.effort.split(",")))

    def of(self, row: Row) -> tuple[Variant | None, list[Variant], str]:
        """The plan that synth takes, all candidates, and why there are none."""
        folder = self.folder / row.name
        list_of_plans = folder / "plans.json"
        if not list_of_plans.exists():
            processes.tell(f"{self.table.name}: {row.name}: synthesizing")
            folder.mkdir(parents=True, exist_ok=True)
            list_of_plans.write_text(json.dumps(self.synthesized(row, folder), indent=2) + "\n")
        made = json.loads(list_of_plans.read_text())
        plans = {name: Variant(name, Bundle(folder / where)) for name, where in made["plans"].items()}
        bundle = Bundle(folder / made["first"]) if made["first"] else None
        first = Variant(f"{MODELS[0]} {bundle.plan}", bundle) if bundle else None
        return first, list(plans.values()), made["problem"]

    def synthesized(self, row: Row, folder: pathlib.Path) -> dict:
        """Names of plans and where they are, from the folder of the row."""
        tangram = self.options.tangram
        try:
            first = search.first_ranked(tangram, row.spectrum, MODELS[0], "openmp", folder)
            found = search.candidates(tangram, row.spectrum, MODELS, "openmp", folder, self.effort,
                                      row.sizes.get(self.options.scale, ()))
            problem = "" if found else f"no plan of {row.spectrum.name} for OpenMP"
        except processes.Failed as error:
            first, found, problem = None, {}, str(error)
        where = {name: str(bundle.folder.relative_to(folder)) for name, bundle in found.items()}
        sizes = row.sizes.get(self.options.scale, ())
        taken = first and next(bundle for bundle in first.bundles
                               if bundle.plan == first.at(list(sizes[0]) if sizes else []))
        return {"first": str(taken.folder.relative_to(folder)) if taken else None, "plans": where,
                "problem": problem}


class Lines:
    """Measures the lines of one row after the other."""

    def __init__(self, table: Table, options: argparse.Namespace, binary: str, folder: pathlib.Path):
        self.table = table
        self.options = options
        self.binary = binary
        self.folder = folder
        brought = options.prepared / "tangram-run" if options.prepared else None
        self.runner = str(brought if brought and brought.exists()
                          else pathlib.Path(options.tangram).with_name("tangram-run"))
        self.clock = Clock(options.limit)
        self.waiting = 0  # lines that are still to be measured
        self.refusing: list[Variant] = []  # of a size
        self.carried: dict[str, list[Variant]] = {}  # by row, when its shapes are alike
        self.verdicts: dict[tuple[str, str, tuple], bool] = {}  # by row, plan and tunables

    def compile(self, row: Row, variant: Variant) -> None:
        try:
            variant.library()
        except processes.Failed as error:
            processes.tell(f"{self.table.name}: {row.name}: {variant.name}: {error}")

    def make_ready(self, plans: list[tuple[Row, Variant]]) -> None:
        """Compiles them side by side."""
        until = time.monotonic() + COMPILING * self.clock.left(1e9)

        def compiled(plan: tuple[Row, Variant]) -> None:
            if time.monotonic() < until:
                self.compile(*plan)

        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(compiled, plans))

    def run(self, row: Row, shape: str, repeats: int, beside: str, ours: dict[str, Variant],
            limit_s: float | None = None) -> dict:
        """Beside "peers", "alone" for a quick look, or "alone,SECONDS" in turns for so long (cpu/main.cpp)."""
        libraries = [f"{name}={variant.library()}" for name, variant in ours.items()]
        limit_s = limit_s or self.options.time_limit * (10 if beside == "peers" else 1)
        return json.loads(processes.output(
            [self.binary, row.kind, shape, str(repeats), "1", beside, *libraries], limit_s=self.clock.left(limit_s)))

    def seconds(self, row: Row, shape: str, variants: list[Variant]) -> list[float | None]:
        """A quick look at each, all in one process; where that ends badly, at each by itself: one that
        crashes or is wrong takes nobody with it."""
        try:
            run = self.run(row, shape, 3, "alone", {f"ours{i}": each for i, each in enumerate(variants)})
            return [min(each["seconds"]) for each in run["variants"]]
        except (processes.Failed, ValueError) as error:
            if len(variants) > 1:
                return [self.seconds(row, shape, [each])[0] for each in variants]
            if str(error).rstrip().endswith("refuses this size"):
                self.refusing.append(variants[0])
            processes.tell(f"{self.table.name}: {row.name}: {variants[0].name} is left out: {str(error)[-300:]}")
            return [None]

    def settled(self, row: Row, shape: str, variant: Variant) -> Variant | None:
        """The plan with the values that tangram-run takes at this shape, where its defaults do not go together."""
        scale = self.options.scale if shape in row.shapes[self.options.scale] else "small"
        if variant.chosen or scale not in row.sizes:
            return None
        try:
            text = processes.output(
                [self.runner, "time", str(variant.bundle.folder), *row.sizes[scale][row.shapes[scale].index(shape)],
                 "--no-verify", "--repeat", "1", "--format", "json"], limit_s=60, allow=(0, 1, 3))
            values = json.loads(text)["runs"][0].get("tunables", {})
        except (processes.Failed, ValueError, LookupError):
            return None
        return Variant(variant.name, variant.bundle, tuple(sorted(values.items()))) if values else None

    def ranked(self, row: Row, shape: str, variants: list[Variant], until: float) -> list[tuple[float, Variant]]:
        """Those that work, fastest first; none of them is begun with after the time `until`, but a few."""
        timed: list[tuple[float, int, Variant]] = []
        for at in range(0, len(variants), TOGETHER):
            if timed and time.monotonic() > until:
                break
            some = variants[at:at + TOGETHER]
            for number, seconds in enumerate(self.seconds(row, shape, some)):
                variant = some[number]
                if seconds is None and variant in self.refusing and (other := self.settled(row, shape, variant)):
                    variant, (seconds,) = other, self.seconds(row, shape, [other])
                if seconds is not None:
                    timed.append((seconds, at + number, variant))
        return [(seconds, variant) for seconds, _, variant in sorted(timed)]

    def verified(self, row: Row, variant: Variant) -> bool:
        key = (row.name, variant.name, variant.chosen)
        if key not in self.verdicts:
            self.verdicts[key] = self.verify(row, variant)
        return self.verdicts[key]

    def verify(self, row: Row, variant: Variant) -> bool:
        settings = [word for name, value in variant.chosen for word in ("--set", f"{name}={value}")]
        try:
            for sizes in row.verify:
                processes.output([self.runner, "verify", str(variant.bundle.folder), *sizes, *settings],
                                 limit_s=600)
            return True
        except processes.Failed as error:
            processes.tell(f"{self.table.name}: {row.name}: {variant.name}: {error}")
            return False

    def hopeful(self, row: Row, shape: str, everything: list[Variant], until: float) -> list[Variant]:
        """The plans that deserve a look at this shape, likely ones first."""
        if row.name in self.carried:
            return self.carried[row.name]
        at = row.shapes[self.options.scale].index(shape)
        small = row.shapes["small"][min(at, len(row.shapes["small"]) - 1)]
        if small == shape:
            return everything
        ranked = self.ranked(row, small, everything, until)
        return [variant for seconds, variant in ranked if seconds < HOPELESS * ranked[0][0]]

    def searched(self, row: Row, shape: str, first: Variant | None, everything: list[Variant],
                 until: float) -> list[tuple[float, Variant]]:
        """Plans and values of tunables, fastest first."""
        hopeful = self.hopeful(row, shape, everything, until)
        ranked = self.ranked(row, shape, [*([first] if first else []), *hopeful], until)
        finalists = ranked[:1 if row.name in self.carried else FINALISTS]
        neighbours = [other for _, variant in finalists for other in variant.neighbours()]
        if time.monotonic() < until:
            with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
                list(pool.map(lambda variant: self.compile(row, variant), neighbours))
            for at in range(0, len(neighbours), TOGETHER):
                if time.monotonic() < until:
                    ranked += self.ranked(row, shape, neighbours[at:at + TOGETHER], until)
        ranked.sort(key=lambda pair: pair[0])
        if row.alike:
            self.carried[row.name] = [variant for _, variant in ranked[:CARRIED]]
        return ranked

    def line(self, row: Row, shape: str, first: Variant | None, everything: list[Variant]) -> dict:
        line = {"row": row.name, "title": row.title, "shape": shape.rsplit("/", 1)[-1],
                "goal": row.goal, "candidates": len(everything)}
        share = self.clock.left(1e9) / max(1, self.waiting)
        found = self.searched(row, shape, first, everything, time.monotonic() + LOOKING * share)
        ours = {}
        if first and any(variant is first for _, variant in found) and self.verified(row, first):
            ours["first"] = first
        if best := next((variant for _, variant in found if self.verified(row, variant)), None):
            ours["best"] = best
        run = self.run(row, shape, self.options.repeats, "peers", ours)
        variants = {variant["name"]: variant for variant in run["variants"]}
        line["threads"] = run["threads"]
        line["plans"] = {name: {"plan": variant.name, "chosen": dict(variant.chosen),
                                "steps": variant.bundle.manifest["plan"]["steps"]}
                         for name, variant in ours.items()}
        self.judge(line, run, variants)
        if row.rodinia:
            line["rodinia"] = rodinia.measured(rodinia.commands(self.options, row.rodinia), shape,
                                               lambda: self.clock.left(600))
        return line

    @staticmethod
    def judge(line: dict, run: dict, variants: dict[str, dict]) -> None:
        """Medians, quartiles, and the ratios to the best peer, repetition by repetition."""
        peers = [variant for variant in variants.values() if not variant["ours"]]
        peer = min(peers, key=lambda variant: statistics.median(variant["seconds"]))
        line["peer"] = peer["name"]
        line["ratios"] = {}
        for name in ("first", "best"):
            if name in variants:
                each = [p / o for p, o in zip(peer["seconds"], variants[name]["seconds"])]
                line["ratios"][name] = {
                    "ratio": (statistics.median(peer["seconds"])
                              / statistics.median(variants[name]["seconds"])),
                    "quartiles": processes.summary(each)["quartiles"]}
        # The search took quick looks, and noise is noise: the better of the two is the best one found.
        ratios = line["ratios"]
        if "first" in ratios and ratios["first"]["ratio"] > ratios.get("best", {}).get("ratio", 0):
            ratios["best"], line["plans"]["best"] = ratios["first"], line["plans"]["first"]
            variants["best"] = variants["first"]
        line["variants"] = {}
        for name, variant in variants.items():
            entry = {"ours": variant["ours"], **processes.summary(variant["seconds"])}
            for unit, amount in (("gb_per_s", run["bytes"]), ("gflop_per_s", run["operations"])):
                if amount:
                    entry[unit] = amount / entry["median"] / 1e9
            line["variants"][name] = entry


def write(table: Table, data: dict, out: pathlib.Path, said: bool) -> None:
    """Everything so far; the chart has the lines that have a ratio."""
    report.write(table.name, f"{table.title}, {data['scale']} scale", data, cpu_table.text(data), out, said)
    bars = [{"label": f"{line['title']}, {cpu_table.shape_text(line['shape'])}", "goal": line["goal"],
             **line["ratios"]["best"], "first": line["ratios"].get("first", {}).get("ratio")}
            for line in data["lines"] if "best" in line.get("ratios", {})]
    if bars:
        chart.draw(table.chart, bars, out / f"{table.name}.svg")


def reached(line: dict) -> bool:
    """Whether this line has its goal, beside Rodinia too where it was there."""
    return (line.get("ratios", {}).get("best", {}).get("ratio", 0) >= line["goal"]
            and rodinia.reached(line, line["variants"]["best"]))


def measure(lines: Lines, row: Row, plans: tuple[Variant | None, list[Variant], str], data: dict,
            options: argparse.Namespace) -> None:
    table = lines.table
    first, everything, problem = plans
    for shape in row.shapes[options.scale]:
        processes.tell(f"{table.name}: {row.name} {shape}: {len(everything)} plans")
        try:
            if not everything:
                raise processes.Failed(problem)
            lines.clock.left(1)
            data["lines"].append(lines.line(row, shape, first, everything))
        except (processes.Failed, ValueError, OutOfTime) as error:
            said = "the time was up" if isinstance(error, OutOfTime) else str(error)
            processes.tell(f"{table.name}: {row.name} {shape}: {said}")
            data["lines"].append({"row": row.name, "title": row.title, "goal": row.goal,
                                  "shape": shape.rsplit("/", 1)[-1], "problem": said[-500:]})
        lines.waiting -= 1
        write(table, data, options.out, False)


def arguments(table: Table, about: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tangram", default=str(machine.ROOT / "build" / "tangram"))
    parser.add_argument("--scale", choices=("small", "full"), default="full")
    parser.add_argument("--rows", help="only these, by name")
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--effort", default="8,4", help="classes of plans, and plans of each")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds of one plan by itself")
    parser.add_argument("--limit", type=float, default=1e9, metavar="SECONDS",
                        help="after which no new work starts")
    parser.add_argument("--prepare", type=pathlib.Path, metavar="FOLDER",
                        help="only write what --prepared takes")
    parser.add_argument("--prepared", type=pathlib.Path, metavar="FOLDER",
                        help="plans and peers that are there")
    parser.add_argument("--join", type=pathlib.Path, nargs="+", metavar="RUN.json",
                        help="measure nothing: one table of what these runs measured on one machine")
    parser.add_argument("--processor", default="native",
                        help="-march of the peers' program (default: native)")
    parser.add_argument("--out", type=pathlib.Path, default=report.RESULTS)
    table.options(parser)
    return parser.parse_args()


def prepare(table: Table, options: argparse.Namespace, chosen: list[Row]) -> int:
    """Bundles, the peers' program and tangram-run, for a machine that cannot make them."""
    options.prepare.mkdir(parents=True, exist_ok=True)
    plans = Plans(table, options, options.prepare)
    try:
        build_peers(table, options.prepare, options)
        carry_libraries(table, options.prepare)
        shutil.copy2(pathlib.Path(options.tangram).with_name("tangram-run"), options.prepare)
    except (processes.Failed, OSError) as error:
        processes.tell(f"{table.name}: {error}")
        return 1
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        made = list(pool.map(plans.of, chosen))
    print(f"{sum(len(plans) for _, plans, _ in made)} plans of {len(made)} rows in {options.prepare}")
    return 0 if all(plans for _, plans, _ in made) else 1


def processor(run: dict) -> str:
    return f"{run['machine']['cores']} cores of {run['machine']['processor']}"


def write_joined(table: Table, options: argparse.Namespace, rows: list[Row]) -> int:
    """Status 2 where a run cannot be read, or is of another machine."""
    try:
        runs = [json.loads(file.read_text()) for file in options.join]
        goals = {row.name: {"goal": row.goal} for row in rows}
        data = join.joined(list(goals), runs, processor, lambda line: "best" in line.get("ratios", {}),
                           lambda line: goals[line["row"]])
    except (OSError, ValueError, KeyError, processes.Failed) as error:
        processes.tell(f"{table.name}: {processes.problem(error)}")
        return 2
    write(table, data, options.out, True)
    return 0


def main(table: Table, about: str) -> int:
    machine.tell_openblas()
    options = arguments(table, about)
    everything = table.rows(options)
    wanted = options.rows.split(",") if options.rows else [row.name for row in everything]
    if unknown := set(wanted) - {row.name for row in everything}:
        processes.tell(f"{table.name}: no row {', '.join(sorted(unknown))} "
                       f"({', '.join(row.name for row in everything)})")
        return 2
    chosen = [row for row in everything if row.name in wanted]
    if options.join:
        return write_joined(table, options, everything)
    if options.prepare:
        return prepare(table, options, chosen)
    data = {"machine": machine.describe(), "scale": options.scale, "lines": []}
    if data["machine"]["load_before"] > 0.5:
        processes.tell(f"{table.name}: others are at work here (load {data['machine']['load_before']:.1f}): "
                       "figures of this run are noise")
    with tempfile.TemporaryDirectory() as name:
        folder = options.prepared or pathlib.Path(name)
        try:
            binary = folder / "peers"
            if not binary.exists():
                build_peers(table, folder, options)
            lines = Lines(table, options, str(binary), pathlib.Path(name))
        except processes.Failed as error:
            processes.tell(f"{table.name}: {error}")
            return 1
        plans = Plans(table, options, folder)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            found = dict(zip((row.name for row in chosen), pool.map(plans.of, chosen)))
        lines.make_ready([(row, variant) for row in chosen for variant in found[row.name][1]])
        lines.waiting = sum(len(row.shapes[options.scale]) for row in chosen)
        for row in chosen:
            measure(lines, row, found[row.name], data, options)
    write(table, data, options.out, True)
    return 0 if all(map(reached, data["lines"])) or options.scale == "small" else 3

