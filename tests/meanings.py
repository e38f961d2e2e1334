"""Meanings that are easy to get wrong (tests/codelets/meanings.cpp), results that go to the container that
arguments are read from (in_place.cpp), what many programs have (idioms.cpp), what is required only where it is
done (conditions.cpp), what readers of the language write (guests.cpp), what authors of libraries do (tasks.cpp), and numbers that
wrap around below 0 (wraps.cpp): all plans within a bound. With TANGRAM_TEST_EVERYTHING=1 every spectrum on each model
of the target, otherwise every eighth one on each in turn."""

from library import EVERYTHING, manifest_of
from pipeline import Pipeline, Tally

# Of each source: spectrums, and options for their inputs, or a list of such.
SPECTRUMS = {
    "meanings": {"fibonacci_like": (), "add_all": (), "views": (), "greatest": (),
                 "half": (), "plus_table": (), "restrict": (),
                 "scaled": (), "in_pieces": (), "scaled_by_first": (), "odd_or_even": ()},
    "idioms": {"divide": ("--input", "limit=3"), "total": (), "squares": ("--input", "from=-3"),
               "odd_squares": ("--input", "n=1001"), "softmax": (), "masked": (),
               "power_iteration": ("--input", "steps=9"), "log_sum": (),
               "around": [("--input", f"at={at}") for at in (-40, -1, 0, 3, 33, 2147483640)]},
    "conditions": {"first_maximum": (), "squares_apart": ("--input", "step=3", "--input", "n=100"), "roughness": (),
                   "first_column": (), "centered": (), "before_the_last": (),
                   "squares_where": [("--input", f"step={step}", "--input", "n=100") for step in (-1, 0, 3)],
                   "firsts_where": ("--input", "beta=1"),
                   "all_but": ("--input", "last=-1", "--input", "first=0")},
    "guests": {"magnitudes": (), "runs": (), "distinct": (), "backward": (), "eliminate": (), "butterfly": (),
               "variance": (), "weighted": (), "smooth": (), "rounded": (), "in_order": (), "by_sign": (),
               "of_neighbours": [("--input", f"mode={mode}") for mode in (0, 1)], "peaks": (),
               "differences": (), "tails": (), "clipped": (), "doubling_sums": (),
               "sums_in_blocks": [("--input", f"least={least}") for least in (0, 1, 5, 100)], "blended": (), "settled": (),
               "joined": [(), ("--size", "weights=0")], "occurrences": [(), ("--size", "pattern=3")],
               "above": [("--input", f"lo={lo}", "--input", f"hi={hi}") for lo, hi in ((-5, 1), (-3, -1), (2, 9))]},
    "tasks": {"order_tiles": (), "widest": (), "lower": ("--input", "alpha=2"), "steepness": (),
              "values_at": ("--size", "coefficients=5"), "sum_by_halves": (), "invert": (),
              "ways_through": ()},
    "wraps": {"shifted": (), "before": (), "halved": (), "mirrored": (), "wrapped": (), "kept": ()},
    "in_place": {"neighbours": (), "eliminate": ("--input", "from=0"), "halves": (), "swap_rows": (), "raise_twice": ()},
}
# That distribute maps over parts of what they write.
IN_PLACE = ("block_by_block", "eliminate_below_and_above", "halves_by_columns", "raised_in_place",
            "swap_parts")
# Besides those of conditions.cpp: no call is refused.
SERVED = ("differences", "tails", "doubling_sums", "joined", "occurrences")
# Of conditions.cpp: sizes without elements that are refused, by target; launches are counted without conditions.
REFUSED = {"before_the_last": ("openmp", "opencl"), "roughness": ("opencl",)}
MODELS = (("simple-cpu", "openmp"), ("cpu", "openmp"), ("simple-gpu", "opencl"))


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    share = 1 if EVERYTHING else 8
    models = [(model, target) for model, target in MODELS if target == test.arguments.target]
    for turn, (model, target) in enumerate(models):
        chosen = [(source, spectrum, inputs) for source, spectrums in SPECTRUMS.items()
                  for spectrum, inputs in list(spectrums.items())[turn % share::share]]
        for source, spectrum, inputs in test.shared(chosen):
            # Of parts of one container derived codelets seldom can tell that they are apart: these plans are refused, and
            # come first where nothing is predicted.
            order = ["--strategy", "predict"] if source == "in_place" else []
            bundles = test.synth(f"tests/codelets/{source}.cpp", spectrum, model, target,
                                 f"{spectrum}-{model}", "--plan", "all", "--limit", "20" if EVERYTHING else "3", *order)
            refused = tally.counts.get("refused", 0)
            for options in inputs if isinstance(inputs, list) else [inputs]:
                tally.add(test.verify(bundles, "--size", "0,1,7,33", *options))
            test.check((source != "conditions" and spectrum not in SERVED) or target in REFUSED.get(spectrum, ()) or
                       tally.counts.get("refused", 0) == refused, f"{spectrum} on {model}: calls are refused")
            steps = " ".join(step for bundle in bundles for step in manifest_of(bundle)["plan"]["steps"])
            test.check(source != "in_place" or any(f"regroup({tag}" in steps for tag in IN_PLACE),
                       f"{spectrum} on {model}: no plan takes parts in place")
    test.check(not test.is_whole() or tally.counts.get("verified", 0) >= (50 if EVERYTHING else 20), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
