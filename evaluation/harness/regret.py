"""Measures how much slower than the best known the plan is that is taken first.

For each line the candidates (regret_plans.py) are timed with their defaults, then the first one and the
fastest few with other values of their tunables, on a machine where others are at work or few seconds
are left as far as time allows; with `--long N` also `tangram-run tune` tries N settings. In the end
what was chosen is measured afresh, in turns:

    unasked   the plan that synth takes where nobody names sizes, with its defaults
    first     the plan that is ranked first for the sizes of the line, with its defaults
    tuned     the same plan with the best values found for its tunables
    of 20     the fastest of 20 plans with their defaults, or of as many as there were
    after 50  the fastest setting of the first 50 that were measured, likewise
    known     the fastest of all, and of what the tables of libraries have

Tables have `of 20` and `after 50` only where there were that many (regret_report.py).
"""

import argparse
import dataclasses
import json
import pathlib
import statistics

from collections.abc import Callable

from . import machine, processes, regret_report, report
from .gpu import OutOfTime
from .manifest import Bundle
from .place import Place
from .regret_report import MOST, SEARCHED

FAR = 100  # times as long as the first by prediction: not measured, unless it has to be
FINALISTS = 3  # plans whose tunables are tried
CONTENDERS = 3  # settings that are measured afresh as the best known
NOT_MEASURED = "s were up: later lines were not measured."
HOPELESS_S = 20  # seconds of one call, the reference included: such a plan is left alone


@dataclasses.dataclass(frozen=True)
class Setting:
    plan: str
    tunables: tuple[tuple[str, int], ...]

    def fixed(self) -> dict[str, list[int]]:
        return {name: [value] for name, value in self.tunables}


class LineOfTable:
    """The measurements of one line."""

    def __init__(self, place: Place, line, prepared: dict, folder: pathlib.Path, inputs: list[str],
                 options: argparse.Namespace):
        self.place, self.line, self.inputs, self.options = place, line, inputs, options
        self.own = prepared["lines"].get(line.shape) or {}
        self.unasked = self.own.get("unasked")
        if not self.own.get("first"):
            raise processes.Failed(prepared["problem"] or "no plan")
        self.bundles = {plan: Bundle(folder / plan) for plan in self.wanted()}
        self.found: dict[Setting, float] = {}  # seconds, in order
        self.of_defaults: list[dict] = []
        self.after: Setting | None = None  # the fastest of the first SEARCHED

    def wanted(self) -> list[str]:
        """At most MOST plans: those that have to be there, then the likeliest."""
        must = [self.own["first"], self.unasked, self.own["committed"]]
        predicted = self.own["predicted"]
        near = [plan for plan, seconds in predicted.items() if seconds < FAR * min(predicted.values())]
        kept = set([plan for plan in dict.fromkeys([*must, *near]) if plan][:MOST])
        return [plan for plan in predicted if plan in kept]

    def note(self, run: dict) -> None:
        setting = Setting(run["plan"], tuple(sorted(run["tunables"].items())))
        seconds = self.place.seconds(run)
        self.found[setting] = min(seconds, self.found.get(setting, seconds))

    def best(self, among: Callable[[Setting], bool] = lambda setting: True,
             first: int | None = None) -> Setting | None:
        """The fastest setting, also of the first so many."""
        those = [setting for setting in list(self.found)[:first] if among(setting)]
        return min(those, key=self.found.__getitem__, default=None)

    def defaults(self) -> None:
        """Times all candidates; one that is wrong or fails is listed with what is wrong."""
        bundles = list(self.bundles.values())
        problems = {}
        if self.line.slow_reference:
            for run in self.place.records("verify", bundles, list(self.line.slow_reference)):
                if run["status"] != "verified":
                    problems[run["plan"]] = f"{run['status']}: {run['reason']}"
            bundles = [bundle for bundle in bundles if bundle.plan not in problems]
        runs = []
        together = self.options.together
        for begin in range(0, len(bundles), together):
            runs += self.looks(bundles[begin:begin + together], problems)
        for run in runs:
            if "seconds" in run:
                self.note(run)
            else:
                problems[run["plan"]] = f"{run['status']}: {run['reason']}"
        seconds = {run["plan"]: self.place.seconds(run) for run in runs if "seconds" in run}
        self.of_defaults = [
            {"plan": plan, "steps": bundle.manifest["plan"]["steps"],
             "predicted": self.own["predicted"][plan], "seconds": seconds.get(plan),
             **({"problem": problems[plan][-300:]} if plan in problems else {})}
            for plan, bundle in self.bundles.items()]

    def looks(self, bundles: list[Bundle], problems: dict[str, str]) -> list[dict]:
        """Runs of some candidates; where they never end together, of each by itself."""
        inputs = [*self.inputs, "--time-limit", str(HOPELESS_S)]
        try:
            runs = self.place.times(bundles, inputs, self.options.looks, verify=not self.line.slow_reference)
            # A float's error bound may say nothing of a long sum: then it is timed unverified.
            unjudged = [self.bundles[run["plan"]] for run in runs
                        if "error bound says nothing" in (run.get("reason") or "")]
            if unjudged:
                runs = [run for run in runs if self.bundles[run["plan"]] not in unjudged]
                runs += self.place.times(unjudged, inputs, self.options.looks)
            return runs
        except processes.Failed as error:
            if len(bundles) > 1:
                return [run for bundle in bundles for run in self.looks([bundle], problems)]
            problems[bundles[0].plan] = str(error)[-200:]
            return []

    def explore(self, plan: str) -> None:
        """Other values of the tunables of a plan, one after the other, beginning at the best so far."""
        start = self.best(lambda setting: setting.plan == plan)
        if start is None:
            return
        bundle = self.bundles[plan]
        begun = {"plan": plan, "tunables": dict(start.tunables),
                 "seconds": {"median": self.found[start], "min": self.found[start]}}
        self.place.tuned(bundle, self.inputs, begun, self.options.looks, self.note)

    def tune(self, ranked: list[str], budget: int) -> int:
        """`tangram-run tune` of the fastest plans; how many settings it has measured, which the store may
        have had. None where it comes to no end, and where the reference takes too long: it verifies each setting."""
        if self.line.slow_reference:
            return 0
        folders = [str(self.bundles[plan].folder) for plan in ranked]
        try:
            said = processes.output(
                [self.place.runner, "tune", *folders, *self.place.device, *self.inputs, "--store",
                 str(self.options.store), "--budget", str(budget), "--repeat",
                 str(self.options.looks), *(["--cold"] if self.place.cold else []), "--format", "json"],
                limit_s=self.place.clock.left(3600), allow=(0, 3))
        except processes.Failed as error:
            processes.tell(f"regret: {self.line.name}: {error}")
            return 0
        plans = json.loads(said)["results"][0]["plans"]
        for plan in plans:
            if plan.get("best"):
                self.note({**plan["best"], "plan": plan["plan"]})
        return sum(plan["measured"] for plan in plans)

    def search(self, ranked: list[str]) -> int:
        """Tries --long settings of the fastest plans, and has a look at what is the fastest when SEARCHED were
        measured; how many measurements there were in all. What both have measured counts twice."""
        count, tried = len(self.found), 0
        self.after = self.best(first=SEARCHED)
        if 0 < SEARCHED - count < self.options.long:
            self.tune(ranked, SEARCHED - count)
            self.after = self.best()
        if self.options.long:
            tried = self.tune(ranked, self.options.long)
        if count + tried <= SEARCHED:
            self.after = self.best()
        return count + tried

    def afresh(self, settings: dict[str, Setting]) -> dict[str, dict]:
        """What was chosen, in turns; several names may be of one setting."""
        runs: dict[Setting, list[dict]] = {setting: [] for setting in settings.values()}
        for number in range(self.options.rounds):
            for setting in list(runs):
                bundle = self.bundles[setting.plan]
                verify = number == 0 and not self.line.slow_reference
                arguments = (self.inputs, self.options.repeats, setting.fixed())
                try:
                    made = (self.place.timed([bundle], *arguments, verify)
                            or self.place.timed([bundle], *arguments))
                except processes.Failed as error:  # a value of a tunable that is wrong: no time of ours
                    processes.tell(f"regret: {self.line.name}: {error}")
                    del runs[setting]
                    continue
                runs[setting] += made[:1]
        found = {}
        for name, setting in settings.items():
            those = [run["seconds"] for run in runs.get(setting, [])]
            if those:
                found[name] = {
                    "plan": setting.plan, "tunables": dict(setting.tunables),
                    "steps": self.bundles[setting.plan].manifest["plan"]["steps"],
                    "runs": self.options.repeats * len(those),
                    "median": statistics.median(each["median"] for each in those),
                    "min": min(each["min"] for each in those),
                    "quartiles": [statistics.median(each["quartiles"][i] for each in those)
                                  for i in (0, 1)]}
        return found

    def settings(self) -> dict[str, Setting]:
        """What is measured afresh, by name."""
        default = {setting.plan: setting for setting in reversed(self.found)}  # the first of each plan
        chosen = {"unasked": default.get(self.unasked), "first": default.get(self.own["first"]),
                  "tuned": self.best(lambda setting: setting.plan == self.own["first"]),
                  "of 20": self.best(lambda setting: setting == default[setting.plan]),
                  "after 50": self.after}
        fastest = sorted(self.found, key=self.found.__getitem__)
        chosen |= {f"fast {i}": setting for i, setting in enumerate(fastest[:CONTENDERS])}
        if self.own["committed"] in self.bundles and self.line.committed:
            names = {tunable["name"] for tunable in
                     self.bundles[self.own["committed"]].manifest["tunables"]}
            values = tuple(pair for pair in self.line.committed.tunables if pair[0] in names)
            chosen["committed"] = Setting(self.own["committed"], values)
        return {name: setting for name, setting in chosen.items() if setting}

    def measure(self, deadline: Callable[[], float]) -> dict:
        """`deadline` says how many seconds are left for this line."""
        self.place.measured = 0
        self.defaults()
        if not self.found:
            raise processes.Failed("no plan could be measured")
        fastest = sorted(self.found, key=self.found.__getitem__)
        ranked = list(dict.fromkeys(setting.plan for setting in fastest))[:FINALISTS]
        for plan in dict.fromkeys([self.own["first"], *ranked]):
            if plan not in self.bundles or deadline() < 0:
                continue
            self.explore(plan)
        count = self.search(ranked)
        measured = self.afresh(self.settings())
        return regret_report.judged({
            "row": self.line.row, "title": self.line.title, "shape": self.line.shape,
            "spectrum": self.line.spectrum.name, "held_back": self.line.held_back,
            "verified_at": " ".join(self.line.slow_reference) or "its own sizes", "measured": count,
            "candidates": self.of_defaults, "settings": measured},
            "min" if self.place.fastest else "median")


def add_options(parser: argparse.ArgumentParser) -> None:
    """What both machines' commands take."""
    parser.add_argument("--out", type=pathlib.Path, default=report.RESULTS)
    parser.add_argument("--rows", help="only these, by name")
    parser.add_argument("--scale", choices=("small", "full"), default="full")
    parser.add_argument("--once", action="store_true", help="one size of each row")
    parser.add_argument("--fastest", action="store_true", help="the fastest run counts")
    parser.add_argument("--long", type=int, default=0, metavar="N", help="tangram-run tune tries N settings")
    parser.add_argument("--store", type=pathlib.Path, help="its store, to be kept")
    parser.add_argument("--limit", type=float, default=1e9, metavar="SECONDS",
                        help="after which no new work starts")
    parser.add_argument("--add", action="store_true",
                        help="measure the lines that the results in --out lack, and keep the others")


def begun(name: str, wanted: list, options: argparse.Namespace) -> tuple[dict, list]:
    """The results as they are before anything is measured, and the lines that are to be measured; OSError where
    --out cannot be written."""
    processes.make_folder(options.out)
    data: dict = {"machine": machine.describe(), "scale": options.scale, "lines": [], "problems": []}
    if data["machine"]["load_before"] > 0.5:
        data["problems"].append(f"Others were at work (load {data['machine']['load_before']:.1f}).")
    file = options.out / f"{name}.json"
    if options.add and file.exists():
        before = json.loads(file.read_text())
        if before["scale"] == options.scale:
            data["lines"] = [line for line in before["lines"] if "regret" in line]
            data["problems"] = list(dict.fromkeys(
                [each for each in before["problems"] if not each.endswith(NOT_MEASURED)] + data["problems"]))
    known = {(line["row"], line["shape"]) for line in data["lines"]}
    return data, [line for line in wanted if (line.row, line.shape) not in known]


def measure(place: Place, lines: list, plans: dict, folder: pathlib.Path,
            inputs: Callable[[object], list[str]], options: argparse.Namespace, data: dict,
            write: Callable[[dict], None]) -> None:
    """All lines, one after the other; `write` is called after each. Each gets its part of the time."""
    for number, line in enumerate(lines):
        if number > 0 and place.clock.left(1e9) < options.least:
            raise OutOfTime
        end = place.clock.left(1e9) * (1 - 0.6 / (len(lines) - number))
        try:
            if line.row not in plans:
                raise processes.Failed("not prepared")
            entry = LineOfTable(place, line, plans[line.row], folder / line.row, inputs(line),
                                options).measure(lambda: place.clock.left(1e9) - end)
        except (processes.Failed, OSError, ValueError, KeyError) as error:
            processes.tell(f"regret: {line.name}: {error!r}")
            entry = {"row": line.row, "title": line.title, "shape": line.shape, "held_back": line.held_back,
                     "spectrum": line.spectrum.name, "problem": str(error)[-500:]}
        data["lines"].append({**entry, "date": data["machine"]["date"]})
        write(data)
        if "regret" in entry:
            first, after = (regret_report.number(regret_report.ratio(entry, each)) for each in
                            ("first", "after 50"))
            processes.tell(f"regret: {line.name}: first {first}, after 50 {after}, {entry['measured']} measured, "
                           f"{place.clock.left(1e9):.0f} s left")
