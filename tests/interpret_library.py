"""Plans of every spectrum of the library in the interpreter, for one model and target: as they are
lowered and after all passes, at awkward sizes, with nothing to report and equal to the meaning.

    python3 tests/interpret_library.py --tangram build/tangram --tangram-run build/tangram-run \\
        --model simple-gpu --target opencl [--spectrum NAME] [--plans N]

Of each spectrum the best plans, and the best of those with loops, with parts of parts, with workers along
two dimensions, and without each codelet that the best one uses. A plan that is refused at every size
fails, and so does a spectrum no plan of which can be expressed.
"""

import json
import pathlib

from benchmarks import BENCHMARKS
from library import OTHERS, SPECTRUMS, manifest_of, share_of, source_of, tags_of
from pipeline import Pipeline
from random_shapes import free_extents

# Each spectrum is interpreted for one of them, or for all: library.py.
TARGETS = ["openmp", "opencl", "cuda-warps"]

# Of each free extent, by how many there are.
SIZES = {0: [], 1: [0, 1, 2, 37, 65], 2: [0, 1, 13], 3: [0, 1, 5]}
# Loops in loops take so many steps as the product of their numbers of parts.
FEW_PARTS = [word for name in ("p", "NUM_ITEMS", "NUM_THREADS", "NUM_LANES")
             for word in ("--tunable", f"{name}=3")]
STEPS = 40_000_000  # of one run; an endless one ends
DEEP = 3  # loops in loops that may take longer


def more_arguments(parser):
    parser.add_argument("--model", required=True)
    parser.add_argument("--target", required=True, choices=TARGETS)
    parser.add_argument("--spectrum", help="only this one")
    parser.add_argument("--plans", type=int, default=2, help="of each choice (default: 2)")


class Interpreted:
    """Plans of one spectrum, as they are interpreted."""

    def __init__(self, test, file, spectrum):
        self.test = test
        self.name = f"{spectrum} on {test.arguments.model} for {test.arguments.target}"
        self.command = ["interpret", source_of(file), "--spectrum", spectrum, "--hw", test.arguments.model,
                        "--target", test.arguments.target, "--plan", "all", "--limit",
                        str(test.arguments.plans), "--steps", STEPS, "--format", "json", *self.sizes(file, spectrum)]
        self.counts, self.run, self.never, self.refused = {}, set(), {}, {}

    def sizes(self, file, spectrum):
        (bundle,) = self.test.synth(source_of(file), spectrum, "cpu", "openmp", f"signature-{spectrum}")
        extents = free_extents(manifest_of(bundle))
        numbers = ",".join(map(str, SIZES.get(len(extents), [1, 5])))
        return [word for extent in extents for word in ("--size", f"{extent}={numbers}")]

    def __call__(self, *options):
        """The steps of the first plan."""
        done = self.test.run("tangram", *self.command, *options)
        # Without some codelet there may be no plan, or none that the target can express.
        if not self.test.check(done.out.strip() or (done.status == 1 and options),
                               f"{self.name} {' '.join(options)}: status {done.status}\n{done.err}"):
            return []
        plans = json.loads(done.out)["plans"] if done.out.strip() else []
        for plan in plans:
            if "refused" in plan:
                self.refused[plan["id"]] = plan["refused"]
            else:
                self.judge(plan, options)
        return plans[0]["steps"] if plans else []

    def judge(self, plan, options):
        deep = sum(step.startswith("serialize(") for step in plan["steps"]) >= DEEP
        for run in plan["runs"]:
            status = run["status"]
            self.counts[status] = self.counts.get(status, 0) + 1
            if status == "refused":
                self.never.setdefault(plan["id"], run["reason"])
                continue
            self.run.add(plan["id"])
            if deep and [report["kind"] for report in run.get("reports", [])] == ["endless"]:
                self.counts["too long"] = self.counts.get("too long", 0) + 1
                self.counts[status] -= 1
            elif status != "right":
                numbers = " ".join(f"{name}={n}" for name, n in {**run["extents"], **run["tunables"]}.items())
                reports = "".join(f"\n  {report['file']}:{report['line']}: {report['kind']}: {report['message']}"
                                  for report in run.get("reports", []))
                self.test.fail(f"{self.name} {' '.join(options)}, plan {plan['id']} as {run['form']}: {status}: "
                               f"{numbers} {run.get('reason', '')}{reports}")

    def finish(self):
        counts = ", ".join(f"{count} {status}" for status, count in sorted(self.counts.items()))
        print(f"{self.name}: {len(self.run)} plans, {len(self.refused)} not expressed; {counts} runs", flush=True)
        why = "; ".join(sorted(set(self.refused.values())))
        self.test.check(self.run, f"{self.name}: no plan was run: {why}")
        for plan in sorted(self.never.keys() - self.run):
            self.test.fail(f"{self.name}: plan {plan} is refused at every size: {self.never[plan]}")


def main():
    test = Pipeline(__doc__, more_arguments)
    files = {path.stem for path in pathlib.Path("codelets").glob("*.cpp")}
    spectrums = [("sum", "sum"), ("rounds", "heat_steps<float>"), *SPECTRUMS]
    # Benchmarks have a test of their own.
    test.equal({file for file, _ in [*spectrums, *BENCHMARKS]}, files,
               "files of the library whose spectrums are interpreted")
    for file, spectrum in share_of(test, spectrums, TARGETS.index(test.arguments.target), len(TARGETS)):
        interpreted = Interpreted(test, file, spectrum)
        for tag in tags_of(interpreted()):
            interpreted("--without", tag)
        for options in OTHERS:
            interpreted(*options)
        interpreted(*FEW_PARTS, "--strategy", "all")
        interpreted.finish()
    test.finish()


if __name__ == "__main__":
    main()
