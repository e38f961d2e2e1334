"""Layers of convolutions with filters of any size, as the loop alone (tests/codelets/convolutions.cpp): a GPU's items
take neighbouring pixels, and hold a register tile of channels and lines each, from the loop alone and without sizes
that are named. The kernels are run by the interpreter, at sizes that tiles do not divide.
"""

import json

from pipeline import Pipeline

SOURCE = "tests/codelets/convolutions.cpp"
SIZES = {"layer": ["x=1x2x6x9", "w=17x2x2x3"],
         "padded": ["x=1x1x5x6", "w=17x1x3x3", "y=1x17x3x4"],
         "transposed": ["x=2x2x5", "w=2x17x3", "y=2x17x11"],
         "volumes": ["x=2x2x3x4", "w=34x1x2x2"]}


def main():
    test = Pipeline(__doc__)
    for spectrum, sizes in SIZES.items():
        options = [SOURCE, "--spectrum", spectrum, "--hw", "h200", "--target", "opencl", "--strategy", "predict"]
        listed = json.loads(test.expect("tangram", "plans", *options, "--limit", "1", "--format", "json").out)
        steps = ", ".join(listed["plans"][0]["steps"])
        is_tiled = "distribute(T.flat), regroup(derived_tile_" in steps and "compute(derived_loop, SE_T)" in steps
        test.check(is_tiled or spectrum == "transposed", f"{spectrum}: chosen is {steps}")
        named = [each for size in sizes for each in ("--size", size)]
        done = test.expect("tangram", "interpret", *options, "--plan", steps, *named)
        test.check("right" in done.out, f"{spectrum}: {done.out}")
    # Windows that move by several elements: as many as the rounds of a block need, no more.
    derived = test.expect("tangram", "derive", SOURCE, "--spectrum", "thirds").out
    test.check("require(in.size(1) + 1 == 3 * out.size(1));" in derived, derived)
    done = test.expect("tangram", "interpret", SOURCE, "--spectrum", "thirds", "--hw", "h200", "--target", "opencl",
                       "--plan", "..., regroup(derived_tile_j, *), distribute(B), ...", "--size", "in=3x16")
    test.check("right" in done.out, f"thirds: {done.out}")
    # Volumes one by one, and blocks of channels in each.
    derived = test.expect("tangram", "derive", SOURCE, "--spectrum", "volumes").out
    test.check("chunks(y, 1, max<unsigned long>(w.size(0) / 2, 1) - 1, 0, w.size(0) / 2)" in derived, derived)
    test.finish()


if __name__ == "__main__":
    main()
