"""Tiles of two loops that follow from a sum over both (tests/codelets/derived_tiles.cpp), flattened onto the workers of
a level: a group goes through the sum in steps, and its items hold their tiles in registers from the first step to the
last. Plans are verified at sizes that tiles do not divide; for a GPU's model they are interpreted, and
the first choice of a prediction that knows sizes is predicted no slower.
"""

import json

from library import sample
from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/derived_tiles.cpp"


def tiles(level, loops):
    """One map of `loops` on the workers of `level`."""
    return ", ".join(f"regroup(derived_tile_{loop}, *), distribute({level}{'' if loop == loops[-1] else '.flat'})"
                     for loop in loops)


def sketch(groups, step, items, rounds=""):
    return (f"..., {tiles('B', groups)}, {rounds}select(derived_sums, *), compute(*, VE_B), S_B, "
            f"regroup(derived_step_{step}, B), "
            f"serialize(B), S_B, {tiles('T', items)}, compute(derived_loop, SE_T)")


SKETCHES = {"product": sketch("ij", "k", "ij"), "batch": sketch("nij", "k", "ij"), "layer": sketch("oij", "c", "oj"),
            "images": sketch("ioj", "c", "oj", "S_B, regroup(derived_tile_n, B), serialize(B), ")}
SIZES = {"product": ["a=37x21 b=21x45", "a=64x32 b=32x64", "a=1x0 b=0x3"],
         "batch": ["a=3x18x9 b=3x9x35", "a=0x4x4 b=0x4x4"],
         "layer": ["in=5x9x37 w=6x5x3x3", "in=1x2x2 w=1x1x3x3"],
         "images": ["in=3x3x7x37 w=6x3x3x3"]}
LARGE = {"batch": "a=2048x128x128 b=2048x128x128", "images": "in=16x64x114x114 w=128x64x3x3"}


def sizes_of(text):
    return [each for extent in text.split() for each in ("--size", extent)]


def verified(test):
    """In the gate every second one, the others are interpreted there."""
    tally, chosen = Tally(test), sample(SKETCHES.items(), 2)
    for spectrum, plan in chosen:
        bundles = test.synth(SOURCE, spectrum, "pocl", "opencl", spectrum, "--strategy", "predict",
                             "--iterations", "10", "--plan", plan)
        test.check(bundles, f"{spectrum}: nothing is made of '{plan}'")
        for size in SIZES[spectrum]:
            tally.add(test.verify(bundles, *sizes_of(size)))
    print(tally.text())
    test.equal(tally.counts, {"verified": sum(len(SIZES[spectrum]) for spectrum, _ in chosen)}, "runs")


def interpreted(test):
    for spectrum, plan in sample(SKETCHES.items(), 2, 1):
        done = test.expect("tangram", "interpret", SOURCE, "--spectrum", spectrum, "--hw", "h200", "--target", "opencl",
                           "--strategy", "predict", "--iterations", "10", "--plan", plan, *sizes_of(SIZES[spectrum][0]))
        test.check("right" in done.out, f"{spectrum}: {done.out}")


def first(test, spectrum, *options):
    """The first plan that `plans` lists for a GPU at the sizes of LARGE: its steps, and the seconds that are predicted."""
    sizes = [each for extent in LARGE[spectrum].split() for each in ("--for-size", extent)]
    listed = json.loads(test.expect("tangram", "plans", SOURCE, "--spectrum", spectrum, "--hw", "h200", "--target",
                                    "opencl", "--strategy", "predict", *sizes, "--limit", "1", "--format", "json",
                                    *options).out)
    plan = listed["plans"][0]
    return ", ".join(plan["steps"]), plan["seconds"]


def chosen(test):
    """The first choice holds tiles in registers, and is predicted no slower than the tiles above."""
    for spectrum in LARGE:
        steps, seconds = first(test, spectrum)
        _, of_tiles = first(test, spectrum, "--plan", SKETCHES[spectrum])
        test.check("distribute(T.flat)" in steps and steps.endswith("distribute(T), compute(derived_loop, SE_T)"),
                   f"{spectrum}: chosen is {steps}")
        test.check(seconds <= of_tiles, f"{spectrum}: {seconds} s are predicted, {of_tiles} s for the tiles")


def main():
    test = Pipeline(__doc__)
    interpreted(test)
    chosen(test)
    test.need_opencl()
    verified(test)
    test.finish()


if __name__ == "__main__":
    main()
