"""Measures the lines of a table on a machine with a GPU (gpu_rows.py says what a table is).

All plans are verified at awkward sizes before any is timed. For each line every plan of the row is timed, the
best one with other values of its tunables, and then it and the first-ranked one are measured afresh after the
peer, and the best one without each of the table's passes. The time that is left is shared among the lines
that are left: of its share, a line spends at most a part on looking for the best plan.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import tempfile
import time

from . import chart, gpu_table, machine, processes, report, rodinia
from .gpu import Clock, OutOfTime, gpu_of, provide, register_opencl
from .gpu_prepare import WITHOUT
from .gpu_rows import COPY, Row, Shape, Table, build, chosen
from .manifest import Bundle, called
from .place import Place, write_matrix

GROUPS = 132  # multiprocessors of an H200: launch tunables are tried at multiples
HOPELESS = 8  # times slower than the fastest plan, at a small size: not looked at again
LIKELY = 6  # of the plans that are quickest with their defaults: tried with known values of tunables
SLOW = ("--time-limit", "4")  # seconds of a plan's call: nor is one that takes longer
LOOKING = 0.6  # of a line's share of the time


class GpuPlace(Place):
    """Where the peers' programs are, too."""

    def __init__(self, table: Table, options: argparse.Namespace, folder: pathlib.Path):
        super().__init__(str(folder / "tangram-run"), Clock(options.limit), cold=True, workers=GROUPS)
        self.table = table
        self.bundles = options.folder
        self.scratch = folder
        self.repeats = options.repeats
        self.options = options
        provide(table.needed(), options.folder, folder, self.clock)
        build(table, folder, "native", self.clock.left(300))
        self.device = ("--device", options.device or gpu_of(self.runner))

    def inputs(self, shape: Shape) -> list[str]:
        """Options of tangram-run that give the data of this shape."""
        given = [*shape.options, *shape.inputs]
        return given + (self.arrays(shape.problem or shape.name, shape.arrays) if shape.arrays else [])

    def arrays(self, problem: str, names: tuple[str, ...]) -> list[str]:
        return write_matrix(self.scratch / "write_matrix", problem, "float", self.scratch / problem,
                            self.clock.left(120), names)

    def peer(self, row: Row, shape: Shape) -> dict:
        return json.loads(processes.output(
            [str(self.scratch / row.library), row.name, str(self.repeats), shape.name],
            limit_s=self.clock.left(120)))

    def copy(self, row: Row, shape: Shape) -> dict | None:
        """How long memory takes to copy as much as this row has to move."""
        if not self.table.copies or row.unit != "GB/s" or not shape.amount:
            return None
        said = json.loads(processes.output(
            [str(self.scratch / COPY), str(self.repeats), str(round(shape.amount))],
            limit_s=self.clock.left(60)))
        return processes.summary(said["seconds"])

    def rodinia(self, row: Row, shape: Shape) -> list[dict] | None:
        """What peers built elsewhere say of their own times, where their commands are given."""
        if not row.rodinia:
            return None
        return rodinia.measured(rodinia.commands(self.options, row.rodinia), shape.name, lambda: self.clock.left(120))


def verified(place: GpuPlace, row: Row, plans: list[str], data: dict) -> list[Bundle]:
    """The plans that were never wrong, and right at some size."""
    bundles = [Bundle(place.bundles / row.name / plan) for plan in plans]
    statuses: dict[str, list[str]] = {str(bundle.folder): [] for bundle in bundles}
    problems = [place.arrays(problem, row.shapes[0].arrays) for problem in row.problems]
    for bundle in bundles:
        for sizes in [*row.verify, *problems]:
            try:
                runs = place.records("verify", [bundle], list(sizes))
            except (processes.Failed, ValueError) as error:
                runs = [{"status": "failed", "reason": str(error)[-300:]}]
            statuses[str(bundle.folder)] += [run["status"] for run in runs]
            for run in runs:
                if run["status"] not in ("verified", "refused"):
                    problem = f"{row.name} {bundle.plan}: {run['status']}: {run.get('reason')}"
                    processes.tell(f"{place.table.name}: {problem}")
                    data["problems"].append(problem)
    return [bundle for bundle in bundles
            if set(statuses[str(bundle.folder)]) <= {"verified", "refused"}
            and "verified" in statuses[str(bundle.folder)]]


def picked(place: GpuPlace, row: Row, inputs: list[str], first: str | None, good: list[Bundle],
           until: float) -> dict:
    """The plans to compare, each with its tunables."""
    by_folder = {str(bundle.folder): bundle for bundle in good}
    if row.small:
        runs = place.timed(good, [*row.small, *SLOW], 3)
        if not runs:
            raise processes.Failed("no plan could be timed at a small size")
        good = [by_folder[run["bundle"]] for run in runs
                if run["plan"] == first or place.seconds(run) < HOPELESS * place.seconds(runs[0])]
    looks = place.timed(good, [*inputs, *SLOW], 3)
    if not looks:
        raise processes.Failed("no plan could be timed")
    likely = [by_folder[run["bundle"]] for run in looks[:LIKELY]]
    best = min([looks[0], *known(place, row, inputs, likely)], key=place.seconds)
    bundle = by_folder[best["bundle"]]
    ours = {"best": (bundle, place.tuned(bundle, inputs, best, until=until)["tunables"])}
    if default := next((run for run in looks if run["plan"] == first), None):
        ours["first"] = (by_folder[default["bundle"]], {})
    return ours


def known(place: GpuPlace, row: Row, inputs: list[str], bundles: list[Bundle]) -> list[dict]:
    """Runs of those that have them with the values of tunables that were best in earlier runs."""
    runs = []
    for values in row.known:
        having = [bundle for bundle in bundles
                  if set(values) <= {tunable["name"] for tunable in bundle.manifest["tunables"]}]
        try:
            runs += place.timed(having, [*inputs, *SLOW], 3, settings_of(values)) if having else []
        except (processes.Failed, ValueError) as error:
            processes.tell(f"{place.table.name}: {row.name} {values}: {error}")
    return runs


def settings_of(tunables: dict[str, int]) -> dict[str, list[int]]:
    return {name: [value] for name, value in tunables.items()}


def without_passes(place: GpuPlace, row: Row, inputs: list[str], best: dict) -> dict[str, dict]:
    """The best plan without each pass that changes its kernels."""
    found = {}
    for name in place.table.passes:
        folder = place.bundles / row.name / WITHOUT / name / best["plan"]
        if folder.exists() and (runs := place.timed([Bundle(folder)], inputs, place.repeats,
                                                    settings_of(best["tunables"]))):
            found[name] = {**runs[0]["seconds"], "times": place.seconds(runs[0]) / best["median"]}
    return found


def ratios_to(seconds: dict, ours: dict) -> dict:
    """How many times as fast as what took these seconds."""
    low, high = ours["quartiles"]
    return {"ratio": seconds["median"] / ours["median"],
            "quartiles": [seconds["quartiles"][0] / high, seconds["quartiles"][1] / low]}


def line(place: GpuPlace, row: Row, shape: Shape, ours: dict[str, tuple[Bundle, dict[str, int]]],
         candidates: int) -> dict:
    """One line of the table."""
    inputs = place.inputs(shape)
    result = {"row": row.name, "title": row.title, "shape": shape.title, **row.goals(shape.title),
              "library": row.library, "candidates": candidates, "ratios": {}, "ours": {}}
    try:
        peer = place.peer(row, shape)
        result["peer"] = {"how": peer["how"], "others": peer.get("others", []), **processes.summary(peer["seconds"])}
    except (processes.Failed, ValueError) as error:  # ours are worth measuring all the same
        processes.tell(f"{place.table.name}: {row.name} {shape.title}: {error}")
        result["problem"] = str(error)[-500:]
    if copy := place.copy(row, shape):
        result["copy"] = copy
    for name, (plan, tunables) in ours.items():
        # Where a float's error bound says nothing at this size, it is timed unverified, and says so.
        found = (place.timed([plan], inputs, place.repeats, settings_of(tunables), row.verify_when_timed)
                 or place.timed([plan], inputs, place.repeats, settings_of(tunables)))
        if not found:
            continue
        run = found[0]
        result["ours"][name] = {
            "plan": plan.plan, "steps": plan.manifest["plan"]["steps"], "tunables": run["tunables"],
            "verified_at_this_size": run["verified"], "repeat": run["repeat"], **run["seconds"]}
        if shape.amount:
            result["ours"][name]["rate"] = f"{shape.amount / place.seconds(run) / 1e9:,.0f} {row.unit}"
        if copy:
            result["ours"][name]["of_copy"] = copy["median"] / place.seconds(run)
    # The search looked at less data, and noise is noise: the better of the two is the best one found.
    timed = result["ours"]
    if timed:
        timed["best"] = min(timed.values(), key=lambda one: one["median"])
        result["without"] = without_passes(place, row, inputs, timed["best"])
    if "peer" in result:
        result["ratios"] = {name: ratios_to(result["peer"], one) for name, one in timed.items()}
    return result


def reached(entry: dict) -> bool:
    """Whether this line has its goals."""
    of_copy = entry.get("ours", {}).get("best", {}).get("of_copy", 0)
    return (entry["ratios"].get("best", {}).get("ratio", 0) >= entry["goal"]
            and of_copy >= entry.get("of_copy_goal", 0) and rodinia.reached(entry, entry["ours"]["best"]))


def write(table: Table, data: dict, out: pathlib.Path, said: bool) -> None:
    report.write(table.name, table.title, data, gpu_table.text(table, data), out, said)
    bars = [{"label": f"{entry['title']}, {entry['shape']}", "goal": entry["goal"],
             **entry["ratios"]["best"], "first": entry["ratios"].get("first", {}).get("ratio")}
            for entry in data["lines"] if "best" in entry["ratios"]]
    if bars:
        chart.draw(table.chart, bars, out / f"{table.name}.svg")


def measure(place: GpuPlace, wanted: list[Row], plans: dict, data: dict, out: pathlib.Path) -> None:
    name = place.table.name
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
        good = dict(zip((row.name for row in wanted), pool.map(
            lambda row: verified(place, row, plans.get(row.name, {}).get("plans", []), data), wanted)))
    left = sum(len(row.shapes) for row in wanted)
    for row in wanted:
        processes.tell(f"{name}: {row.name}: {len(good[row.name])} plans verified")
        found: dict[tuple[str, ...], dict] = {}  # the search, by the data it was made with
        for shape in row.shapes:
            until = time.monotonic() + LOOKING * place.clock.left(1e9) / left
            left -= 1
            try:
                if not good[row.name]:
                    raise processes.Failed("no plan was verified")
                data_of = tuple(shape.tuned_at or place.inputs(shape))
                if data_of not in found:
                    taken = plans[row.name]["first"]
                    found[data_of] = picked(place, row, list(data_of),
                                            called(taken, shape.options) if taken else None, good[row.name], until)
                entry = line(place, row, shape, found[data_of], len(good[row.name]))
                entry["rodinia"] = place.rodinia(row, shape)
            except (processes.Failed, ValueError, KeyError) as error:
                processes.tell(f"{name}: {row.name} {shape.title}: {error}")
                entry = {"row": row.name, "title": row.title, "shape": shape.title, **row.goals(shape.title),
                         "ratios": {}, "problem": str(error)[-500:]}
            data["lines"].append(entry)
            write(place.table, data, out, False)
            if best := entry["ratios"].get("best"):
                processes.tell(f"{name}: {row.name} {shape.title}: {best['ratio']:.3f}, "
                               f"{place.clock.left(1e9):.0f} s left")


def arguments(about: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=report.RESULTS)
    parser.add_argument("--rows", help="only these, by name")
    parser.add_argument("--scale", choices=("small", "full"), default="full")
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--limit", type=float, default=3600, metavar="SECONDS")
    rodinia.add_options(parser)
    parser.add_argument("--device", help="as tangram-run --list-devices names it")
    return parser.parse_args()


def main(table: Table, about: str) -> int:
    """The command. FOLDER is what `prepare` wrote; status 3 where a goal is not reached."""
    options = arguments(about)
    try:
        wanted = chosen(table.rows(options.scale == "small"), options.rows)
        plans = json.loads((options.folder / "plans.json").read_text())
        processes.make_folder(options.out)
    except (OSError, ValueError) as error:
        processes.tell(f"{table.name}: {processes.problem(error)}")
        return 2
    processes.tell(f"{table.name}: {register_opencl()}")
    data: dict = {"machine": machine.describe(), "lines": [], "problems": []}
    with tempfile.TemporaryDirectory() as name:
        try:
            place = GpuPlace(table, options, pathlib.Path(name))
            data["device"] = processes.output([place.runner, "--list-devices"])
            measure(place, wanted, plans, data, options.out)
        except OutOfTime:
            data["problems"].append(f"{options.limit:.0f} s were up: later lines were not measured")
        except processes.Failed as error:
            processes.tell(f"{table.name}: {error}")
            return 1
    write(table, data, options.out, True)
    return 0 if all(map(reached, data["lines"])) else 3
