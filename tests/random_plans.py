"""Random plans, shapes and tunables of spectrums: every run equal to the reference, or refused.

    python3 tests/random_plans.py --tangram build/tangram --tangram-run build/tangram-run \\
        [--source FILE.cpp]... [--spectrum S] [--model M]... [--target T]... \\
        [--budget SECONDS] [--seed N] [--bound PLANS] [--sample PLANS]

Takes every plan within a bound and a sample beyond it (plan_sample.py), and runs them with awkward
and random shapes and tunables (random_shapes.py) until the budget is spent. Integers have to be
equal, floating point within the plan's bound. A failure is shrunk (shrink.py) and printed with
the one command that reproduces it. The same seed tries the same things in the same order; how many of
them depends on the machine.
"""

import itertools
import json
import pathlib
import random
import shlex
import subprocess
import sys
import time

from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline, unwatched_leaks
from plan_sample import Space
from random_shapes import awkward_shapes, free_extents, options_of, random_shapes, random_tunables
from shrink import Case, shrink

# Sizes up to which random data have a result: without pivots rounding grows without bounds.
MOST = {"lud": 5}
# Scalars for the same reason, steps in which what has no bound yet is squared; and what most matrices have room for.
SCALARS = {"lbm": ("steps=3", "omega=0.8"), "gemm_window": ("n=2", "k=1")}
TOGETHER = 8  # bundles of one call of tangram-run
SHRUNK = 3  # failures that are shrunk for one spectrum, model and target
SYNTH_SECONDS = 60  # that one call of tangram synth may take
CALL_SECONDS = 10  # that one call of a plan or reference may take


def more_arguments(parser):
    parser.add_argument("--source", action="append", help="codelets (default: all of codelets/)")
    parser.add_argument("--spectrum", help="this one, or all instances of this template (default: the first instance "
                             "of all that no other spectrum calls)")
    parser.add_argument("--model", action="append", help="hardware models (default: cpu)")
    parser.add_argument("--target", action="append", choices=["openmp", "opencl"],
                        help="(default: openmp)")
    parser.add_argument("--instantiate", action="append", default=[], metavar="TEMPLATE",
                        help="handed to tangram")
    parser.add_argument("--budget", type=float, default=60, help="seconds (default: 60)")
    parser.add_argument("--seed", type=int, help="(default: a random one, printed)")
    parser.add_argument("--bound", type=int, default=24,
                        help="take every plan of a space of at most so many (default: 24)")
    parser.add_argument("--sample", type=int, default=4,
                        help="plans of each larger space (default: 4)")


class Bundle:
    def __init__(self, path, planning):
        self.path, self.planning = path, planning
        self.manifest = json.loads((path / "manifest.json").read_text())
        self.id = self.manifest["plan"]["id"]

    def own(self, tunables):
        """Those that it has."""
        names = {tunable["name"] for tunable in self.manifest["tunables"]}
        return {name: value for name, value in tunables.items() if name in names}


class Subject:
    """One spectrum, model and target."""

    def __init__(self, test, source, spectrum, model, target):
        self.test, self.source, self.spectrum = test, source, spectrum
        self.model, self.target = model, target
        self.extra = [word for each in test.arguments.instantiate for word in ("--instantiate", each)]
        self.name = f"{spectrum} {model} {target}"
        self.random = random.Random(f"{test.arguments.seed} {self.name}")
        self.environment = {**(OPENMP_ENVIRONMENT if target == "openmp" else {}),
                            **unwatched_leaks()}
        self.counts, self.verified, self.reasons, self.failed = {}, set(), {}, {}
        self.reference_failed = False  # then all plans fail alike

    # Plans

    def synthesize(self, deadline):
        """Bundles of the chosen plans, as many as half of the time allows."""
        now = time.monotonic()
        quarter, half = now + (deadline - now) / 4, now + (deadline - now) / 2
        space = Space(self.test, self.source, self.spectrum, self.model, self.target, self.extra)
        choices, self.what = space.choose(self.random, self.test.arguments.bound,
                                          self.test.arguments.sample, quarter)
        self.bundles, self.not_made, self.late, self.slow = [], {}, 0, []
        for choice in choices:
            for options in choice.options():
                if self.bundles and time.monotonic() > half:
                    self.late += 1
                else:
                    self.synth(choice.planning, options)
        self.random.shuffle(self.bundles)

    def synth(self, planning, options):
        out = self.test.scratch / f"bundles{len(list(self.test.scratch.iterdir()))}"
        command = ["synth", self.source, "--spectrum", self.spectrum, "--hw", self.model, "--target",
                   self.target, *self.extra, *options, "--format", "json", "-o", out]
        try:
            done = self.test.run("tangram", *command, timeout=SYNTH_SECONDS)
        except subprocess.TimeoutExpired:
            self.slow.append(options[-1])
            return
        if not done.out:
            # One plan, and it is refused.
            self.not_made[options[-1]] = done.err.strip()
            self.test.check("refused" in done.err and done.status == 1,
                            f"{self.name}: synth {' '.join(options)}: status {done.status}\n{done.err}")
            return
        for plan in json.loads(done.out)["plans"]:
            if "bundle" in plan:
                self.bundles.append(Bundle(pathlib.Path(plan["bundle"]), planning))
            else:
                self.not_made[plan["id"]] = plan.get("refused")

    # Runs

    def verify(self, bundles, options):
        """The runs of tangram-run; None when it crashed or hung."""
        command = [self.test.commands["tangram-run"], "verify", *(str(b.path) for b in bundles),
                   "--format", "json", "--time-limit", str(CALL_SECONDS), *map(str, self.test.kept_objects()), *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600,
                                  env={**self.test.environment(), **self.environment})
        except subprocess.TimeoutExpired:
            self.said = "took more than 600 s"
            return None
        self.said = f"status {done.returncode}: {done.stderr.strip()[-2000:]}"
        return json.loads(done.stdout)["runs"] if done.returncode in (0, 3) else None

    def round(self, bundles, shapes, tunables, seed):
        """Runs that failed, as (bundle, run)."""
        runs = self.verify(bundles, self.options(shapes, tunables, seed))
        if runs is None and len(bundles) > 1:
            return [each for b in bundles
                    for each in self.round([b], shapes, b.own(tunables), seed)]
        if runs is None:
            return [(bundles[0], {"status": "failed", "bundle": bundles[0].id,
                                  "extents": self.culprit(bundles[0], shapes, tunables, seed),
                                  "tunables": {}, "reason": f"tangram-run: {self.said}"})]
        bad = []
        for run in runs:
            status = run["status"]
            self.counts[status] = self.counts.get(status, 0) + 1
            if status in ("verified", "inaccurate"):
                self.verified.add(run["plan"])
            elif status == "refused" and run.get("reason"):
                self.reasons[run["plan"]] = run["reason"]
            else:
                bad.append((next(b for b in bundles if str(b.path) == run["bundle"]), run))
        return bad

    def culprit(self, bundle, shapes, tunables, seed):
        """The first of these shapes that ends tangram-run by itself; none when it takes several."""
        said = self.said
        for sizes in itertools.product(*shapes.values()):
            shape = dict(zip(shapes, sizes))
            if self.verify([bundle], self.options(shape, tunables, seed)) is None:
                return shape
        self.said = f"{said} (at one of {shapes}, but at none of them alone)"
        return {}

    def options(self, shapes, tunables, seed):
        scalars = SCALARS.get(self.spectrum.split("<")[0], ())
        return options_of(shapes, tunables, seed) + [word for each in scalars for word in ("--input", each)]

    def bounded(self, shapes):
        most = MOST.get(self.spectrum.split("<")[0])
        return shapes if most is None else {extent: sorted({min(size, most) for size in sizes})
                                            for extent, sizes in shapes.items()}

    def run(self, deadline):
        """Awkward shapes for everybody, then random ones for some, until the deadline."""
        first = True
        while first or time.monotonic() < deadline:
            for start in range(0, len(self.bundles), TOGETHER):
                if self.counts and time.monotonic() > deadline:
                    return
                bundles = self.bundles[start:start + TOGETHER]
                manifests = [b.manifest for b in bundles]
                shapes = self.bounded((awkward_shapes if first else
                                       lambda m: random_shapes(self.random, m))(manifests[0]))
                tunables = {} if first else random_tunables(self.random, manifests)
                seed = self.random.randrange(1, 1000)
                for bundle, run in self.round(bundles, shapes, tunables, seed):
                    if bundle.id not in self.failed and not self.reference_failed:
                        self.failed[bundle.id] = True
                        self.report(bundle, run, shapes, tunables, seed)
                if len(self.failed) >= SHRUNK or self.reference_failed:
                    return
            first = False

    # Failures

    def fails(self, bundle, case):
        runs = self.verify([bundle], self.options(case.shapes, case.tunables, case.seed))
        return runs is None or any(run["status"] in ("wrong", "failed") for run in runs)

    def command(self, bundle, case):
        """What reproduces it, from the root of the source."""
        words = [relative(self.test.commands["tangram"]), "run", relative(self.source), "--spectrum",
                 self.spectrum, "--hw", self.model, "--target", self.target, *self.extra,
                 *bundle.planning, "--plan", bundle.id,
                 *self.options(case.shapes, case.tunables, case.seed)]
        environment = OPENMP_ENVIRONMENT if self.target == "openmp" else {}
        return " ".join([*(f"{name}={value}" for name, value in environment.items()),
                         *map(shlex.quote, words)])

    def report(self, bundle, run, shapes, tunables, seed):
        free = free_extents(bundle.manifest)
        sizes = {extent: run["extents"].get(extent, max(shapes[extent])) for extent in free}
        case = Case(sizes, bundle.own(tunables), seed)
        found = " ".join(self.options(case.shapes, case.tunables, case.seed))
        print(f"{self.name}, plan {bundle.id}: {run['status']} with {found}; shrinking", flush=True)
        if self.fails(bundle, case):
            case = shrink(case, lambda other: self.fails(bundle, other))
            runs = self.verify([bundle], self.options(case.shapes, case.tunables, case.seed))
            run = next((r for r in runs or [] if r["status"] in ("wrong", "failed")), run)
        else:
            found += " (not again)"
        command = self.command(bundle, case)
        self.reference_failed = run.get("reason", "").startswith("tangram_reference")
        if self.reference_failed:
            found += "\n  the first codelet itself: does it lack a require of its sizes or data?"
        self.test.fail(f"{self.name}, plan {bundle.id}: {run['status']}: {run.get('reason')}\n"
                       f"  found with: {found}\n"
                       f"  reproduce:  {command}")
        done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True,
                              check=False, env=self.test.environment())
        if done.returncode == 0:
            print("  (that command passed here: the failure depends on more than its arguments)")

    def summary(self):
        runs = ", ".join(f"{count} {status}" for status, count in sorted(self.counts.items()))
        text = (f"{self.name}: {len(self.bundles)} plans ({self.what}"
                + (f"; {len(self.not_made)} not expressible" if self.not_made else "")
                + (f"; not made in {SYNTH_SECONDS} s: {' '.join(self.slow)}" if self.slow else "")
                + (f"; {self.late} left out for lack of time" if self.late else "")
                + f"), runs: {runs or 'none'}; {len(self.verified)} plans verified")
        return text

    def always_refused(self):
        """The plans that were tried and served nothing: one that no caller can use is a mistake."""
        never = {b.id for b in self.bundles} - self.verified - set(self.failed)
        return sorted(never & set(self.reasons))


def relative(path):
    """From the source root, when it is there."""
    path = pathlib.Path(path).resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def chosen_spectrums(check, source, wanted):
    """Names. Without a wish: what the source itself defines and no other spectrum calls, for the
    guarantees of a caller are often not stated, and of a template the first instance."""
    own, called = {}, set()
    for spectrum in check["spectrums"]:
        name, template = spectrum["name"], spectrum["name"].split("<")[0]
        for codelet in spectrum["codelets"]:
            called |= {other for other in codelet["callees"] if other != name}
        if pathlib.Path(spectrum["location"]["file"]).name == pathlib.Path(source).name:
            own.setdefault(template, []).append(name)
    if wanted:
        return own.get(wanted) or [n for names in own.values() for n in names if n == wanted]
    return [names[0] for names in own.values() if names[0] not in called]


def subjects(test):
    arguments = test.arguments
    extra = [word for each in arguments.instantiate for word in ("--instantiate", each)]
    for source in arguments.source or sorted(map(str, pathlib.Path("codelets").glob("*.cpp"))):
        done = test.expect("tangram", "check", source, *extra, "--format", "json")
        for spectrum in chosen_spectrums(json.loads(done.out), source, arguments.spectrum):
            for target in arguments.target or ["openmp"]:
                for model in arguments.model or ["cpu"]:
                    yield Subject(test, source, spectrum, model, target)


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.seed is None:
        test.arguments.seed = random.SystemRandom().randrange(1, 10 ** 6)
    if "opencl" in (test.arguments.target or []):
        test.need_opencl()
    chosen = list(subjects(test))
    if not chosen:
        print(f"no spectrum {test.arguments.spectrum} in the sources", file=sys.stderr)
        sys.exit(2)
    print(f"seed {test.arguments.seed}, {test.arguments.budget:g} s for {len(chosen)} spectrums",
          flush=True)
    end = time.monotonic() + test.arguments.budget
    for number, subject in enumerate(chosen):
        # What one leaves of its share is for the others.
        deadline = time.monotonic() + (end - time.monotonic()) / (len(chosen) - number)
        subject.synthesize(deadline)
        subject.run(deadline)
        print(subject.summary(), flush=True)
        for plan in subject.always_refused():
            test.fail(f"{subject.name}: plan {plan} is refused at every size: {subject.reasons[plan]}")
        test.check(subject.verified or subject.failed, f"{subject.name}: nothing was verified")
    test.finish()


if __name__ == "__main__":
    main()
