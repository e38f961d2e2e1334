"""Loops that are fused (docs/loops.md, "Fusion"): what that saves by predictions, with and without `derived_fused`, and
what `plans --why` says of it. That fused codelets are right is for derive.py, which has the same programs of loops/.

    python3 tests/fusion.py --tangram build/tangram --tangram-run build/tangram-run
"""

import json

from library import EVERYTHING
from pipeline import Pipeline

MODEL, TARGET = "h200", "opencl"
# program, sizes, how many times as fast it is at least: the containers that need no memory, over all that go through it
PROGRAMS = (
    ("fused_chain", "x=8192x8192", 2.5),
    ("fused_rows", "scores=8192x4096", 1.5),
    ("fused_norm", "x=100000000", 2.0),
    ("fused_scan", "x=100000000", 1.2),
    ("composed_chain", "x=100000000", 2.5),
)
SAID = {
    "fused_rows": ["derived_fused: loops r and r_2 are one, loops i and i_2 are one, 'scaled' in no memory",
                   "loops i and i_3 are not fused: the second one needs 'top', which the first one has when it ends"],
    "local_rows": ["loops j and j_2 are not fused: their rounds are not the same"],
}


def source_of(name):
    return f"tests/loops/{name}.cpp"


def best(test, name, size, *more):
    done = test.expect("tangram", "plans", source_of(name), "--spectrum", name, "--hw", MODEL, "--target", TARGET,
                       "--strategy", "predict", "--for-size", size, "--limit", "1", "--format", "json", *more)
    return json.loads(done.out)["plans"][0]


def gains(test):
    for name, size, least in PROGRAMS if EVERYTHING else PROGRAMS[::4]:
        fused, apart = best(test, name, size), best(test, name, size, "--without", "derived_fused")
        gain = apart["seconds"] / fused["seconds"]
        print(f"{name}: {gain:.2f} times as fast fused")
        test.check(gain >= least, f"{name}: {gain:.2f} times as fast fused, expected {least}")


def is_said(test):
    for name, sentences in SAID.items():
        listed = json.loads(test.expect("tangram", "plans", source_of(name), "--spectrum", name, "--hw", MODEL, "--target",
                                        TARGET, "--limit", "1", "--format", "json").out)
        plan = listed["plans"][0]["id"]
        done = test.expect("tangram", "plans", source_of(name), "--spectrum", name, "--hw", MODEL, "--target", TARGET,
                           "--why", plan, "--format", "json")
        said = json.loads(done.out)["fusion"]
        for sentence in sentences:
            test.check(any(each.startswith(sentence) for each in said), f"{name}: '{sentence}' is not among {said}")


def main():
    test = Pipeline(__doc__)
    is_said(test)
    gains(test)
    test.finish()


if __name__ == "__main__":
    main()
