"""A plan as it is, and without each optimization pass: what evaluation/passes measures on both kinds of machines."""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import tempfile

from . import machine, processes, search, table_lines
from .manifest import Bundle
from .table_lines import Committed

PLAN = "plan"  # the folder of the plan as it is
NOTHING = "nothing"  # left out: the plan beside itself, which tells what differences are noise

# What LIFT's ablation leaves out at once.
GROUPS = {
    "index simplification": ("simplify-indexes", "invariant-code-motion", "narrow-indexes"),
    "edges apart": ("index-set-splitting", "loop-versioning", "loop-unswitching"),
    "results in place": ("results-in-place",),
}
COMPARED = ("source", "entry")  # files of a bundle that a call depends on


@dataclasses.dataclass(frozen=True)
class Point:
    """A row of another table at one size."""

    row: str
    title: str
    shape: str  # as that table's results call it
    spectrum: search.Spectrum
    predict: tuple[str, ...]  # options of tangram-run for its sizes


def optional(tangram: str) -> list[str]:
    """Names of the passes that can be left out, as the tool lists them."""
    help_text = " ".join(processes.output([tangram, "synth", "--help"]).split())
    found = re.search(r"--without-pass PASS [^:]*: ((?:[a-z-]+, )+[a-z-]+)", help_text)
    if not found:
        raise processes.Failed(f"{tangram} synth --help lists no passes")
    names = found[1].split(", ")
    if unknown := {name for group in GROUPS.values() for name in group} - set(names):
        raise processes.Failed(f"{tangram} has no pass {', '.join(sorted(unknown))}")
    return names


def add_options(parser: argparse.ArgumentParser) -> None:
    """What decides on plans."""
    parser.add_argument("--tangram", default=str(machine.ROOT / "build" / "tangram"))
    parser.add_argument("--results", type=pathlib.Path, nargs="+", default=[], metavar="RUN.json",
                        help="tables whose best plans are taken, with their tunables, where they have the row")


def best_of(results: list[pathlib.Path]) -> dict[tuple[str, str], Committed]:
    return {key: best for file in results for key, best in table_lines.committed(file).items()}


def text_of(bundle: Bundle) -> str:
    """All that a call of a bundle depends on."""
    files = bundle.manifest["files"]
    return "".join((bundle.folder / files[name]).read_text() for name in COMPARED if name in files) + json.dumps(bundle.manifest)


def keep(bundle: Bundle, folder: pathlib.Path) -> None:
    """What its manifest names, without what only builds of applications need."""
    folder.mkdir(parents=True)
    for role, name in {"manifest": "manifest.json", **bundle.manifest["files"]}.items():
        if role == "wide":  # a bundle of its own, with a manifest of its own
            shutil.copytree((bundle.folder / name).parent, folder / pathlib.Path(name).parent)
        else:
            shutil.copy2(bundle.folder / name, folder)


class Maker:
    """Makes the bundles of a point in a folder of its own."""

    def __init__(self, tangram: str, model: str, target: str, best: dict[tuple[str, str], Committed]):
        self.tangram, self.model, self.target, self.best = tangram, model, target, best
        self.passes = optional(tangram)

    def synth(self, point: Point, model: str, out: pathlib.Path, more: list[str]) -> Bundle | None:
        made = search.synthesize(self.tangram, point.spectrum, model, self.target, out, more)
        return made[0] if made else None

    def taken(self, point: Point, folder: pathlib.Path) -> tuple[str, Bundle, Committed | None]:
        """The model, the plan whose passes are left out, and the line of a table that it is from."""
        best = self.best.get((point.row, point.shape))
        if best:
            said = "it cannot be expressed"
            try:
                model = best.model or self.model
                if made := self.synth(point, model, folder / "best", ["--plan", best.notation]):
                    return model, made, best
            except processes.Failed as error:
                said = str(error)[-200:]
            processes.tell(f"passes: {point.row}: the best plan of the table is left out: {said}")
        made = self.synth(point, self.model, folder / "first", ["--plan", "best", *search.for_sizes(point.predict)])
        if not made:
            raise processes.Failed(f"no plan of {point.spectrum.name}")
        return self.model, made, None

    def bundles(self, point: Point, folder: pathlib.Path) -> dict:
        """What "variants" there are of a plan: by what is left out the folder of the bundle, which several may share, or
        None where nothing changes; and why others are "refused"."""
        with tempfile.TemporaryDirectory() as name:
            scratch = pathlib.Path(name)
            model, taken, best = self.taken(point, scratch)
            plan = ["--plan", str(taken.folder / "plan.json")]
            base = self.synth(point, model, scratch / "base", plan)
            keep(base, folder / PLAN)
            known = {text_of(base): None}
            variants: dict[str, str | None] = {}
            refused: dict[str, str] = {}
            for left_out in [*((name,) for name in self.passes), *GROUPS.values()]:
                name = "+".join(left_out)
                if name in variants or name in refused:
                    continue
                try:
                    made = self.synth(point, model, scratch / name, [
                        *plan, *(word for each in left_out for word in ("--without-pass", each))])
                except processes.Failed as error:
                    made, refused[name] = None, str(error)[-300:]
                if not made:
                    refused.setdefault(name, "no kernels can be made")
                    continue
                text = text_of(made)
                if text not in known:
                    keep(made, folder / name)
                    known[text] = name
                variants[name] = known[text]
        return {"shape": point.shape, "model": model, "plan": base.plan, "steps": base.manifest["plan"]["steps"],
                "of_results": best is not None, "tunables": dict(best.tunables) if best else {},
                "variants": variants, "refused": refused}

    def attempt(self, point: Point, folder: pathlib.Path) -> dict:
        shutil.rmtree(folder, ignore_errors=True)
        try:
            made = self.bundles(point, folder)
        except (processes.Failed, OSError, ValueError) as error:
            made = {"shape": point.shape, "problem": str(error)[-500:]}
        changed = {where for where in made.get("variants", {}).values() if where}
        processes.tell(f"passes: {point.row}: {len(changed)} variants {made.get('problem', '')}")
        return made


def prepare(points: list[Point], options: argparse.Namespace, target: str, folder: pathlib.Path) -> dict:
    """Bundles of all points, each in FOLDER/ROW, and FOLDER/plans.json, which keeps other rows."""
    maker = Maker(options.tangram, options.hw, target, best_of(options.results))
    processes.make_folder(folder)
    file = folder / "plans.json"
    rows = json.loads(file.read_text())["rows"] if file.exists() else {}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        made = pool.map(lambda point: maker.attempt(point, folder / point.row), points)
        rows |= dict(zip((point.row for point in points), made))
    data = {"passes": maker.passes, "groups": {name: list(group) for name, group in GROUPS.items()}, "rows": rows}
    file.write_text(json.dumps(data, indent=2) + "\n")
    return data


def size_of(folder: pathlib.Path) -> str:
    """What was written, in a line."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return f"{len(list(folder.glob('*/*/manifest.json')))} bundles, {size / 2**20:.1f} MiB, in {folder}"
