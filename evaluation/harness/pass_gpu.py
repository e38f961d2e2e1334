"""Times plans on a GPU without their passes, in turns with the plan as it is and with cold caches: one process of tangram-run
has all of them, several times over. What is verified against the reference is the plan, at awkward sizes, and everything once:
at the row's size, or at a small one where a reference takes long."""

import pathlib
import random
import statistics
import time

from . import pass_report, processes
from .gpu_lines import GpuPlace, settings_of, verified
from .gpu_rows import Row, Shape
from .manifest import Bundle
from .pass_plans import NOTHING, PLAN

ROUNDS = 4  # of turns; the runs of a line are dealt out to them
FEWEST = 2  # of these, where a line's share of the time is short
OF_LOOK = 0.7  # what a round takes of the time of the first look, which verifies
HOPELESS = 20  # times slower than the plan: what the first look has seen is enough
SLOW = ("--time-limit", "5")  # seconds of a call, or of a reference


class PassPlace(GpuPlace):
    waiting = 1  # lines that are still to be measured

    def look(self, row: Row, shape: Shape, folders: list[pathlib.Path], tunables: dict[str, int]) -> dict[str, dict]:
        """A run of each, by folder, verified."""
        bundles, settings = [Bundle(folder) for folder in folders], settings_of(tunables)
        inputs = [*self.inputs(shape), *SLOW]
        if row.verify_when_timed:
            runs = self.times(bundles, inputs, 1, settings, verify=True)
            if not any("error bound says nothing" in run.get("reason", "") for run in runs):
                return {run["bundle"]: run for run in runs}
        small = [*(row.small or row.verify[0]), *SLOW]
        judged = self.records("verify", bundles, [*small, *(word for name, values in settings.items()
                                                            for word in ("--set", f"{name}={values[0]}"))])
        bad = {run["bundle"]: run for run in judged if run["status"] in ("wrong", "failed")}
        rest = [bundle for bundle in bundles if str(bundle.folder) not in bad]
        runs = self.times(rest, inputs, 1, settings) if rest else []
        return bad | {run["bundle"]: {**run, "verified": False} for run in runs}

    def turns(self, shape: Shape, folders: list[pathlib.Path], tunables: dict[str, int],
              rounds: int) -> dict[str, list[float]]:
        """Medians of each round, by folder; what failed in one has fewer. The first one stands twice in each."""
        order = [Bundle(folder) for folder in [folders[0], *folders]]
        seconds: dict[str, list[float]] = {}
        shuffled = []
        for number in range(rounds):
            random.Random(number).shuffle(order)
            shuffled += order
        for run in self.times(shuffled, [*self.inputs(shape), *SLOW], max(1, self.repeats // ROUNDS), settings_of(tunables)):
            if "seconds" in run:
                seconds.setdefault(run["bundle"], []).append(self.seconds(run))
        return seconds

    def without(self, row: Row, shape: Shape, made: dict, line: dict) -> None:
        """Adds to a line what was measured."""
        begin = time.monotonic()
        share = self.clock.left(1e9) / self.waiting
        folder = self.bundles / row.name
        plan = str(folder / PLAN)
        changed = sorted({where for where in made["variants"].values() if where})
        names = {own["name"] for own in Bundle(folder / PLAN).manifest["tunables"]}
        tunables = {name: value for name, value in made["tunables"].items() if name in names}
        first = self.look(row, shape, [folder / PLAN], tunables)[plan]
        if "seconds" not in first:
            raise processes.Failed(f"the plan: {first['status']}: {first.get('reason', '')}")
        tunables = first["tunables"]  # those of the plan, also where a default is another without a pass
        looked = self.look(row, shape, [folder / where for where in changed], tunables) if changed else {}
        found: dict[str, dict] = {}
        quick = []
        for where in changed:
            run = looked.get(str(folder / where), {"status": "failed", "reason": "nothing was said of it"})
            if run["status"] == "wrong" or "seconds" not in run:
                said = run.get("reason", "")
                said = pass_report.status(said) if run["status"] == "failed" else run["status"]
                found[where] = {"status": said, "reason": run.get("reason", "")[-300:]}
            elif self.seconds(run) > HOPELESS * self.seconds(first):
                found[where] = pass_report.times([self.seconds(first)], [self.seconds(run)], 1)
            else:
                quick.append(where)
        looking = time.monotonic() - begin
        rounds = max(FEWEST, min(ROUNDS, int((share - looking) / (OF_LOOK * looking))))
        seconds = self.turns(shape, [folder / PLAN, *(folder / where for where in quick)], tunables, rounds)
        # The plan stands twice in every round: of the two, the one that came first is the plan, the other `nothing`.
        own, again = seconds[plan][0::2], seconds[plan][1::2]
        runs = max(1, self.repeats // ROUNDS) * rounds
        found[NOTHING] = pass_report.times(own, again, runs)
        both = [statistics.mean(pair) for pair in zip(own, again)]
        for where in quick:
            timed = seconds.get(str(folder / where), [])
            found[where] = (pass_report.times(both, timed, runs) if len(timed) == rounds else
                            {"status": "failed", "reason": f"{len(timed)} of {rounds} rounds ended"})
        line["without"] |= {name: found[where] for name, where in made["variants"].items() if where}
        line["without"][NOTHING] = found[NOTHING]
        line |= {"median": statistics.median(both), "tunables": tunables, "verified_at_this_size": first["verified"]}


def plans_verified(place: PassPlace, row: Row, data: dict) -> bool:
    """Whether the plan of a row is right at awkward sizes."""
    return bool(verified(place, row, [PLAN], data))
