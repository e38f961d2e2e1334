"""Instances of templates through the whole pipeline: asked for on the command line, explicit in the
source, and by the template's name alone."""

from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/reduce_by.cpp"
SIZES = "0,1,2,7,31,33,257,1000,65537"
SUM = "reduce_by<float, plus<float>, zero<float>>"
LARGEST = "reduce_by<int, larger, lowest>"


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    model = "simple-gpu" if target == "opencl" else "cpu"
    asked = ["--instantiate", SUM, "--instantiate", "reduce_by<long, plus<long>, zero<long>>"]

    # Instance, options, what files and functions are called.
    for number, (spectrum, options, name) in enumerate([
            (SUM.replace(", ", ","), asked, "reduce_by_float_plus_float_zero_float"),
            (LARGEST, asked, "reduce_by_int_larger_lowest"),
            ("reduce_by", asked, "reduce_by_float_plus_float_zero_float"),
            ("reduce_by", [], "reduce_by_int_larger_lowest")]):
        bundles = test.synth(SOURCE, spectrum, model, target, f"bundles{number}", *options,
                             "--plan", "all", "--limit", "6")
        test.check(len(bundles) >= 3, f"{spectrum}: at least 3 plans, there are {len(bundles)}")
        for bundle in bundles:
            test.check((bundle / f"{name}.h").is_file(), f"{bundle} has no {name}.h")
        tally = Tally(test)
        tally.add(test.verify(bundles, "--size", SIZES))
        print(f"{spectrum}: {len(bundles)} plans, {tally.text()}")
        for bundle in bundles:
            test.check(bundle.name in tally.verified, f"{spectrum}: {bundle.name} was never right")
    test.finish()


if __name__ == "__main__":
    main()
