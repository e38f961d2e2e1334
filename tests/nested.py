"""Maps in maps (tests/codelets/nested.cpp): the outer one along rows of workers and the inner one in a row, flattened
into one index, over two levels, and one of them as a loop. Each way that a sketch names is verified; `plans --count`
counts what `plans --strategy all` lists; and where sizes are named, the plan that is predicted to be the best uses the
machine, however long rows are.
"""

import json

from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/nested.cpp"
FLAT = "..., distribute(*.flat), ..."
ROWS = "..., distribute(*.y), ..."
SIZES = {"matrix": ["in=1x1", "in=3x50", "in=67x5", "in=0x4", "in=4x0"],
         "cube": ["in=2x3x5", "in=5x1x9", "in=3x0x2"],
         "product": ["a=5 b=9", "a=33 b=70", "a=1 b=100", "a=0 b=3"],
         "centered": ["in=7x5", "in=40x33", "in=1x9"]}
SKETCHES = {
    "cpu": {"matrix": [FLAT, "..., distribute(T.flat), select(elements, *), split(T.flat), ...",
                       "..., serialize(T), ..., distribute(V), ..."],
            "cube": ["..., distribute(T.flat), ..., distribute(T.flat), ...", FLAT],
            "product": [FLAT, "..., regroup(tile_j, P), distribute(T.flat), ..."],
            "centered": [FLAT]},
    "pocl": {"matrix": [FLAT, ROWS, "..., distribute(B.y), select(elements, B.y), split(B.y), ...",
                        "..., distribute(B.flat), select(elements, B.flat), split(B.flat), ...",
                        "..., serialize(B), ..., distribute(T), ...", "..., distribute(T.y), ..."],
             "cube": ["..., distribute(B.flat), ..., distribute(B.flat), ...",
                      "..., distribute(B), ..., distribute(T.flat), ..."],
             "product": [FLAT, ROWS, "..., distribute(B.flat), ..., compute(lanes, VE_B)",
                         "..., regroup(split_i, G), distribute(B.y), ...",
                         "..., regroup(tile_j, B), distribute(T.flat), ..."],
             "centered": [FLAT, ROWS]}}
MODELS = {"openmp": "cpu", "opencl": "pocl"}
# Sizes at which few rows, or short ones, are not to leave most of the machine idle: milliseconds at most.
USES_ALL = {"4x16777216": 0.4, "16777216x4": 0.4, "3000x3000": 0.06}


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def verify_sketches(test):
    model = MODELS[test.arguments.target]
    tally = Tally(test)
    for spectrum, sketches in SKETCHES[model].items():
        for number, sketch in enumerate(sketches):
            bundles = test.synth(SOURCE, spectrum, model, test.arguments.target, f"{spectrum}-{number}",
                                 "--strategy", "predict", "--plan", sketch)
            test.check(bundles, f"{spectrum} on {model}: nothing is made of '{sketch}'")
            for size in SIZES[spectrum]:
                options = [each for extent in size.split() for each in ("--size", extent)]
                tally.add(test.verify(bundles, *options))
    print(tally.text())
    wanted = sum(len(sketches) for sketches in SKETCHES[model].values())
    test.check(len(tally.verified) >= wanted - 4, f"too few plans verified: {tally.text()}")


def compare_counts(test):
    for spectrum in ("matrix", "product"):
        options = ["plans", SOURCE, "--spectrum", spectrum, "--hw", "simple-gpu", "--strategy", "all"]
        count = int(test.expect("tangram", *options, "--count").out.split()[0])
        listed = json.loads(test.expect("tangram", *options, "--format", "json").out)["plans"]
        test.check(count == len(listed) == len({plan["id"] for plan in listed}),
                   f"{spectrum}: {count} plans counted, {len(listed)} listed")
        test.check(any(".flat" in step for plan in listed for step in plan["steps"]),
                   f"{spectrum}: no plan is flattened")


def use_the_machine(test):
    for size, most in USES_ALL.items():
        listed = json.loads(test.expect(
            "tangram", "plans", SOURCE, "--spectrum", "matrix", "--hw", "h200", "--target", "opencl",
            "--strategy", "predict", "--for-size", f"in={size}", "--limit", "1", "--format", "json").out)
        plan = listed["plans"][0]
        test.check(plan["seconds"] * 1e3 <= most,
                   f"{size}: {plan['seconds'] * 1e3:.3g} ms predicted of {', '.join(plan['steps'])}")


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    verify_sketches(test)
    if test.arguments.target == "openmp":
        compare_counts(test)
        use_the_machine(test)
    test.finish()


if __name__ == "__main__":
    main()
