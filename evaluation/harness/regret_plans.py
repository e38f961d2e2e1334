"""Plans whose times say how well plans are chosen: what is taken first, what is predicted to be about as
quick, what is predicted to be slower by more and more, the best that begins otherwise, what is
first in rank where codelets of those before are left out, and the best that was ever committed; of those that
follow in rank as many as make twenty.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import tempfile

from . import processes, search
from .manifest import Bundle, Taken

FOREMOST = 3  # of those listed
SLOWER = (1.1, 1.25, 1.5, 2, 3, 5, 8)  # the first listed that is predicted to take so many times as long
BEGINNING = 3  # steps: plans that differ there are plans of different classes
CLASSES = 4  # of these
ENOUGH = 20  # plans, where there are that many
RANKED = search.Effort(3, 1)
MOST_OF_SKETCH = 50  # steps


def listed(tangram: str, spectrum: search.Spectrum, model: str, target: str, predict: tuple[str, ...],
           more: tuple[str, ...] = ()) -> list[dict]:
    """Plans with their "steps" and predicted "seconds" at these sizes; none where there is no plan."""
    text = processes.output(
        [tangram, "plans", *spectrum.arguments(), "--hw", model, "--target", target, "--strategy",
         "predict", *search.for_sizes(predict), "--format", "json", *more], limit_s=900, allow=(0, 1))
    return json.loads(text)["plans"] if text.strip() else []


def notation(plan: dict) -> str:
    return ", ".join(plan["steps"])


def spread(plans: list[dict]) -> list[dict]:
    """Of a list by prediction: the foremost, slower ones, and the best of some classes."""
    taken = plans[:FOREMOST]
    for factor in SLOWER:
        taken += [plan for plan in plans if plan["seconds"] >= factor * plans[0]["seconds"]][:1]
    beginnings = {tuple(plan["steps"][:BEGINNING]): plan for plan in reversed(plans)}
    taken += sorted(beginnings.values(), key=lambda plan: plan["seconds"])[:CLASSES]
    return list({notation(plan): plan for plan in taken}.values())


class Row:
    """The plans of one spectrum for lines that differ in their sizes."""

    def __init__(self, tangram: str, spectrum: search.Spectrum, model: str, target: str,
                 folder: pathlib.Path):
        self.tangram, self.spectrum, self.model, self.target = tangram, spectrum, model, target
        self.folder = folder
        self.steps: dict[str, str] = {}  # notation by id
        self.sizes: list[str] = []  # options of the list that is looked at
        self.taken: Taken | None = None  # where nobody says anything

    def bundle(self, plan: str, listed_as: str | None = None) -> str | None:
        """Id of a plan that is given by its notation; its bundle is made. None where it cannot be. One
        that is too long for a sketch is found by the id that it is listed with."""
        for known, steps in self.steps.items():
            if steps == plan:
                return known
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            named = listed_as if listed_as and plan.count("), ") >= MOST_OF_SKETCH else plan
            more = [] if named == plan else ["--strategy", "predict", *self.sizes]
            made = search.synthesize(self.tangram, self.spectrum, self.model, self.target,
                                     pathlib.Path(name) / "bundle", ["--plan", named, *more])
            if not made:
                return None
            if not (self.folder / made[0].plan).exists():
                shutil.copytree(made[0].folder, self.folder / made[0].plan)
        self.steps[made[0].plan] = plan
        return made[0].plan

    def ranked(self) -> list[str]:
        """Notations of what a user gets who says nothing, and of what is first in rank of a few classes."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.taken = search.first_ranked(self.tangram, self.spectrum, self.model, self.target, folder)
            classes = search.left_out(self.tangram, self.spectrum, self.model, self.target, folder, RANKED)
            bundles = [*(self.taken.bundles if self.taken else []), *(those[0] for _, those in classes)]
            return [", ".join(bundle.manifest["plan"]["steps"]) for bundle in bundles]

    def candidates(self, predict: tuple[str, ...], more: list[str]) -> tuple[str | None, dict[str, float]]:
        """Id of the plan that is first at these sizes, and predicted seconds of all candidates by id."""
        plans = listed(self.tangram, self.spectrum, self.model, self.target, predict)
        self.sizes = search.for_sizes(predict)
        ids = {notation(plan): plan["id"] for plan in plans}
        seconds = {notation(plan): plan["seconds"] for plan in plans}
        wanted = [notation(plan) for plan in spread(plans)] + more
        found: dict[str, float] = {}
        for number, plan in enumerate(dict.fromkeys(wanted + [notation(plan) for plan in plans])):
            if number >= len(set(wanted)) and len(found) >= ENOUGH:
                break
            if plan not in seconds:
                one = listed(self.tangram, self.spectrum, self.model, self.target, predict, ("--plan", plan))
                if not one:
                    continue
                seconds[plan] = one[0]["seconds"]
            if made := self.bundle(plan, ids.get(plan)):
                found[made] = seconds[plan]
        first = self.bundle(wanted[0], ids.get(wanted[0])) if plans else None
        return first, dict(sorted(found.items(), key=lambda pair: pair[1]))


def prepare_row(lines: list, options: argparse.Namespace, model: str, target: str,
                folder: pathlib.Path) -> dict:
    """Bundles of a row in a folder of its own, and what is said about them. Each line has "unasked", what is called
    of what is taken where nobody names sizes, its "first" and all its candidates, "predicted"."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    row = Row(options.tangram, lines[0].spectrum, model, target, folder)
    made: dict = {"lines": {}, "problem": None}
    try:
        more = row.ranked()
        for plan in more[:len(row.taken.bundles) if row.taken else 0]:
            row.bundle(plan)
        for line in lines:
            own = [line.committed.notation] if line.committed else []
            first, predicted = row.candidates(line.predict, more + own)
            made["lines"][line.shape] = {
                "first": first, "predicted": predicted,
                "unasked": row.taken.at(list(line.predict)) if row.taken else None,
                "committed": row.bundle(own[0]) if own else None}
    except (processes.Failed, ValueError) as error:
        made["problem"] = str(error)[-500:]
    processes.tell(f"regret: {lines[0].row}: {len(row.steps)} plans {made['problem'] or ''}")
    return made


def read(folder: pathlib.Path) -> dict:
    """What FOLDER/plans.json says; OSError or ValueError where it cannot be read."""
    file = folder / "plans.json"
    try:
        return json.loads(file.read_text())
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def prepare(lines: list, options: argparse.Namespace, model: str, target: str,
            folder: pathlib.Path) -> dict:
    """Plans of all lines, by row; also in FOLDER/plans.json, which keeps other rows. OSError or ValueError where
    FOLDER cannot be written, or is not to be read."""
    rows: dict[str, list] = {}
    for line in lines:
        rows.setdefault(line.row, []).append(line)
    processes.make_folder(folder)
    file = folder / "plans.json"
    made = read(folder) if file.exists() else {}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, row in zip(rows, pool.map(
                lambda name: prepare_row(rows[name], options, model, target, folder / name), rows)):
            made[name] = row
            file.write_text(json.dumps(made, indent=2) + "\n")
    return made
