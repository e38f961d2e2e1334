"""Times plans on a CPU without their passes, in turns with the plan as it is: in one process on the same data, the one that
times ours beside peers in the tables (cpu/main.cpp). What ends such a process badly is looked for, and left out."""

import concurrent.futures
import pathlib
import statistics
import time

from . import cpu_rows, pass_report, processes
from .cpu_rows import Row, Variant
from .manifest import Bundle
from .pass_plans import NOTHING, PLAN

TOGETHER = 7  # variants beside the plan in one process
LONGEST = 15.0  # seconds of turns of one process
SHORTEST = 1.0


class PassLines(cpu_rows.Lines):
    def restricted(self, name: str, folder: pathlib.Path, values: dict[str, int]) -> Variant:
        """With the values of those tunables that the bundle has."""
        bundle = Bundle(folder)
        own = {tunable["name"] for tunable in bundle.manifest["tunables"]}
        return Variant(name, bundle, tuple(sorted((name, value) for name, value in values.items() if name in own)))

    def problem(self, row: Row, shape: str, variant: Variant) -> str | None:
        """What one by itself says where it cannot be timed."""
        try:
            self.run(row, shape, 1, "alone", {PLAN: variant})
            return None
        except (processes.Failed, ValueError) as error:
            return str(error)

    def plan(self, row: Row, shape: str, folder: pathlib.Path, values: dict[str, int]) -> Variant:
        """As it is, verified; Failed where it is wrong."""
        plan = self.restricted(PLAN, folder / PLAN, values)
        if said := self.problem(row, shape, plan):
            other = self.settled(row, shape, plan) if pass_report.status(said) == "refused" else None
            if not other or (said := self.problem(row, shape, other)):
                raise processes.Failed(said)
            plan = other
        if not self.verified(row, plan):
            raise processes.Failed("the plan is wrong")
        return plan

    def turns(self, row: Row, shape: str, plan: Variant, others: dict[str, Variant], seconds: float) -> dict[str, dict]:
        """Entries of "without"; `seconds` of turns."""
        ours = {f"ours{number}": variant for number, variant in enumerate(others.values())}
        try:
            run = self.run(row, shape, self.options.repeats, f"alone,{seconds:.1f}", {PLAN: plan, **ours},
                           self.options.time_limit + 2 * seconds)
        except (processes.Failed, ValueError):
            said = {name: self.problem(row, shape, variant) for name, variant in others.items()}
            found = {name: {"status": pass_report.status(why), "reason": why[-300:]} for name, why in said.items() if why}
            if not found:  # together they took too long
                half = len(others) // 2
                if not half:
                    return {name: {"status": "too slow", "reason": "its turns did not end"} for name in others}
                parts = (dict(list(others.items())[:half]), dict(list(others.items())[half:]))
                return {name: entry for part in parts
                        for name, entry in self.turns(row, shape, plan, part, seconds / 2).items()}
            rest = {name: variant for name, variant in others.items() if name not in found}
            return found | (self.turns(row, shape, plan, rest, seconds) if rest else {})
        timed = {variant["name"]: variant["seconds"] for variant in run["variants"]}
        return {name: pass_report.times(timed[PLAN], timed[key], len(timed[key]))
                for key, name in zip(ours, others)}

    def without(self, row: Row, shape: str, made: dict, folder: pathlib.Path, line: dict) -> None:
        """Adds to a line what was measured."""
        end = time.monotonic() + self.clock.left(1e9) / max(1, self.waiting)
        plan = self.plan(row, shape, folder, made["tunables"])
        begin = time.monotonic()
        self.problem(row, shape, plan)
        setting_up = time.monotonic() - begin
        values = {**plan.compile_values(), **dict(plan.chosen)}
        changed = sorted({where for where in made["variants"].values() if where})
        variants = {where: self.restricted(where, folder / where, values) for where in changed}
        found: dict[str, dict] = {}
        with concurrent.futures.ThreadPoolExecutor(cpu_rows.WORKERS) as pool:
            for where, why in zip(changed, pool.map(self.not_compiled, variants.values())):
                if why:
                    found[where] = {"status": pass_report.status(why), "reason": why[-300:]}
        ready = [NOTHING, *(where for where in changed if where not in found)]
        variants[NOTHING] = plan
        parts = [ready[at:at + TOGETHER] for at in range(0, len(ready), TOGETHER)]
        for number, part in enumerate(parts):
            seconds = (end - time.monotonic()) / (len(parts) - number) - setting_up
            found |= self.turns(row, shape, plan, {where: variants[where] for where in part},
                                min(LONGEST, max(SHORTEST, seconds)))
        line["without"] |= {name: found[where] for name, where in made["variants"].items() if where}
        line["without"][NOTHING] = found[NOTHING]
        own = [entry["median"] / entry["times"] for entry in found.values() if "times" in entry]
        line |= {"median": statistics.median(own), "tunables": dict(plan.chosen)}

    @staticmethod
    def not_compiled(variant: Variant) -> str | None:
        try:
            variant.library()
            return None
        except processes.Failed as error:
            return str(error)
