"""What `verified` means: plans of the same function are verified whatever a worst case would be, plans of another one
are wrong, and what cannot be judged is not comparable.

    python3 tests/verification.py --tangram build/tangram --tangram-run build/tangram-run
"""

import json

from library import EVERYTHING
from pipeline import OPENMP_ENVIRONMENT, Pipeline, describe, unwatched_leaks

FOLDER = "tests/codelets/verification"
# Sizes at which one codelet is compared with another.
RIGHT = {"softmax": ["in=1,2,33,1000"], "logsumexp": ["in=1,33,1000"], "attention": ["keys=1x8,33x8,257x8"],
         "spread": ["in=1,33,1000"], "variance": ["in=33,1000"], "cubes": ["in=1,33,1000"],
         "gelu": ["x=1,33,1000"], "ones": ["x=1,33,1000"],
         "total": ["in=0,33,100000"], "filtered": ["in=0,33,1000"], "kalman": ["in=1,12,31,1000"]}
WRONG = {"softmax": ["factor", "no_rescale", "tail"], "expsum": ["anything"], "total": ["narrowed", "thousandth"],
         "largest": ["last"]}


def equivalence(test, file, spectrum, *options):
    # Codelets that follow from loops are others' matter (derive.py), and plans of other models those of --all.
    written = [] if EVERYTHING else ["--derive", "none", "--hw", "cpu"]
    done = test.run("tangram", "check", f"{FOLDER}/{file}.cpp", "--equiv", "--spectrum", spectrum, "--format", "json",
                    *written, *options, environment={**OPENMP_ENVIRONMENT, **unwatched_leaks()})
    found = json.loads(done.out)["spectrums"][0]["codelets"] if done.out else []
    return done, {each["codelet"]: each for each in found}


def sized(sizes):
    return [word for size in sizes for word in ("--size", size)]


def right_ones_are_verified(test):
    for spectrum, sizes in RIGHT.items():
        done, found = equivalence(test, "right", spectrum, *sized(sizes))
        test.equal(done.status, 0, f"{spectrum}\n{done.out}{done.err}")
        for name, each in found.items():
            test.equal(each["status"], "agrees", f"{spectrum} {name}")


def wrong_ones_are_found(test):
    for spectrum, names in WRONG.items():
        sizes = ["--size", "in=40"] if spectrum != "largest" else []
        done, found = equivalence(test, "wrong", spectrum, *sizes)
        for name in names:
            if name == "last" and "differs" not in done.out:
                continue  # a matter of data: ties
            test.equal(found.get(name, {}).get("status"), "differs", f"{spectrum} {name}\n{done.out}{done.err}")


def conjugate_gradients(test):
    bundles = test.synth(f"{FOLDER}/conjugate_gradients.cpp", "cg", "simple-cpu", "openmp", "cg", "--without", "loop",
                         "--limit", "1", "--plan", "all")
    for steps in (3, 12, 31):
        for run in test.verify(bundles, "--size", "b=1,2,31,257", "--input", f"steps={steps}"):
            test.check(run["status"] == "verified", f"cg, {steps} steps: {describe(run)}")


def not_comparable(test):
    for spectrum, size, says in (("cholesky", "a=37x37", "generate dominant-matrix --size 37 --element double"),
                                 ("logistic", "in=50", "its wide runs differ")):
        bundles = test.synth(f"{FOLDER}/not_comparable.cpp", spectrum, "simple-cpu", "openmp", spectrum, "--plan", "all")
        done = test.run("tangram-run", "verify", *bundles, "--size", size, "--verify-widened", "--format", "json",
                        environment=OPENMP_ENVIRONMENT)
        test.equal(done.status, 3, f"{spectrum}: exit status\n{done.err}")
        runs = json.loads(done.out)["runs"]
        statuses = {run["status"] for run in runs}
        test.check("not comparable" in statuses and statuses <= {"not comparable", "verified"},
                   f"{spectrum}: {statuses}\n{done.err}")
        for run in runs:
            if run["status"] == "not comparable":
                test.check(says in run["reason"], f"{spectrum}: {describe(run)}")
    # With a matrix that has a factorization there are numbers to compare.
    matrix = test.scratch / "a.npy"
    test.expect("tangram-run", "generate", "dominant-matrix", "--size", "37", "--element", "double", "-o", matrix)
    bundle = test.synth(f"{FOLDER}/not_comparable.cpp", "cholesky", "simple-cpu", "openmp", "dominant", "--plan", "all")
    for run in test.verify(bundle, "--input", f"a={matrix}", "--verify-widened"):
        test.check(run["status"] == "verified", f"cholesky of a dominant matrix: {describe(run)}")
        test.check(run["verification"]["same_function_within"] < 1e-15, f"figures: {run['verification']}")


def figures(test):
    bundle = test.synth(f"{FOLDER}/right.cpp", "total", "simple-cpu", "openmp", "sum")
    row = test.expect("tangram-run", "verify", *bundle, "--size", "1000", "--verify-widened",
                      environment=OPENMP_ENVIRONMENT).out
    test.check("same function within " in row and "rounding at most " in row, f"figures: {row}")
    row = test.expect("tangram-run", "run", *bundle, "--size", "1000", "--repeat", "2", environment=OPENMP_ENVIRONMENT).out
    test.check("bit for bit" in row or "same function within " in row, f"run: {row}")


def main():
    test = Pipeline(__doc__)
    right_ones_are_verified(test)
    wrong_ones_are_found(test)
    conjugate_gradients(test)
    not_comparable(test)
    figures(test)
    test.finish()


if __name__ == "__main__":
    main()
