"""Which plans of a spectrum are tried: all of the smallest ones, and a random sample of the rest.

A plan space is too large to try, but its iterations are nested: the plans within one iteration less are
the simpler ones. Every plan within the largest number of iterations that has at most `bound` is taken,
and beyond that a sample of the spaces that can still be listed, of all rules and of the rules that
the best plans of a machine with many levels leave out.
"""

import json
import time

LISTED = 3000  # plans: more are not listed, and an id is not looked for among more
FURTHER = 2  # iterations more than the planner's own choice, which is enough for the levels and calls

# Planning options whose plans the ones within a bound may not have.
VARIANTS = [[], ["--map-rules", "serialize"], ["--map-rules", "split,distribute"], ["--dims", "2"]]


class Choice:
    """Options of `tangram synth` that choose some plans."""

    def __init__(self, planning, ids=None):
        self.planning = planning  # as `tangram run --plan ID` needs them to find the plan
        self.ids = ids  # None: all

    def options(self):
        """One list for each call of `tangram synth`."""
        if self.ids is None:
            return [[*self.planning, "--plan", "all"]]
        return [[*self.planning, "--plan", plan] for plan in self.ids]


class Space:
    """The plans of one spectrum on one machine for one target."""

    def __init__(self, test, source, spectrum, model, target, extra):
        self.test = test
        self.arguments = ["plans", source, "--spectrum", spectrum, "--hw", model, "--target", target,
                          *extra, "--strategy", "all"]

        done = test.run("tangram", *self.arguments, "--limit", "1", "--format", "json")
        self.usual = json.loads(done.out)["iterations"] if done.out else 1

    def count(self, options):
        """How many there are; None when there is none or the command does not know."""
        done = self.test.run("tangram", *self.arguments, *options, "--count")
        return int(done.out) if done.status == 0 and done.out.strip() else None

    def ids(self, options):
        done = self.test.expect("tangram", *self.arguments, *options, "--format", "json")
        return [plan["id"] for plan in json.loads(done.out)["plans"]]

    def counts(self, variant):
        """(options, count) for as many iterations as can be listed."""
        counts = []
        for iterations in range(1, self.usual + FURTHER + 1):
            options = [*variant, "--iterations", str(iterations)]
            count = self.count(options)
            if count is not None and count > LISTED:
                break
            if count:
                if len(counts) > 1 and counts[-1][1] == counts[-2][1] == count:
                    break  # there are no more
                counts.append((options, count))
        return counts

    def choose(self, random, bound, sample, deadline):
        """The choices, and a line that says what they are. After the deadline no space is begun."""
        plain = self.counts([])
        small = [(options, count) for options, count in plain if count <= bound]
        choices, seen, what = [], set(), []
        if small:
            options, count = small[-1]
            choices.append(Choice(["--strategy", "all", *options]))
            seen |= set(self.ids(options))
            what.append(f"all {count} within {options[-1]} iterations")
        for variant in VARIANTS:
            if variant and time.monotonic() > deadline:
                break
            counts = plain if not variant else self.counts(variant)
            if not counts:
                continue
            options, count = counts[-1]
            if variant and (count in [c for _, c in plain]):
                continue  # most likely the same plans
            others = sorted(set(self.ids(options)) - seen)
            picked = random.sample(others, min(sample, len(others)))
            if picked:
                seen |= set(picked)
                choices.append(Choice(["--strategy", "all", *options], picked))
                what.append(f"{len(picked)} of {count} ({' '.join(options)})")
        return choices, "; ".join(what)
