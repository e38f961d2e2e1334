"""Layers of convolutions, written as loops alone, whose groups go through the channels in steps that are staged in local memory
(reordered-sums): with strides, dilations, zeros around images, transposed, and with two dimensions in one. The interpreter runs the
kernels, at sizes that neither tiles nor steps divide.
"""

import json

from pipeline import Pipeline

GENERAL = "tests/codelets/convolutions.cpp"
SOURCE = "tests/codelets/convolution_steps.cpp"


def steps_of(groups, items):
    """The sketch of plans in which a group has a tile along all loops, and each item a tile in it along some of them."""
    of_groups = ", ".join(f"regroup(derived_{each}, *), distribute({'*' if each == groups[-1] else '*.flat'})"
                          for each in groups)
    of_items = ", ".join(f"regroup(derived_{each}, *), distribute({'*' if each == items[-1] else '*.flat'})"
                         for each in items)
    return f"..., {of_groups}, S_*, {of_items}, compute(derived_loop, *), ..."


IMAGES = steps_of(["tile_n", "tile_o", "tile_i", "tile_j"], ["tile_o", "tile_i", "tile_j"])
ROWS = steps_of(["tile_n", "tile_o", "tile_i"], ["tile_o", "tile_i"])
FLAT = steps_of(["each_n", "tile_o", "tile_i", "tile_j"], ["tile_o", "tile_i", "tile_j"])
LAYERS = [(GENERAL, "layer", IMAGES, ["x=2x5x6x9", "w=17x5x2x3"]),
          (SOURCE, "apart", IMAGES, ["x=2x5x9x11", "w=17x5x2x3", "y=2x17x6x7"]),
          (SOURCE, "spread", ROWS, ["x=2x5x35", "w=5x17x4", "y=2x17x41"]),
          (SOURCE, "named", ROWS, None),  # the interpreter is given no numbers
          (SOURCE, "spread_flat", FLAT, ["x=16x5x35", "w=136x2x4"])]


def main():
    test = Pipeline(__doc__)
    for source, spectrum, sketch, sizes in LAYERS:
        options = [source, "--spectrum", spectrum, "--hw", "h200", "--target", "opencl", "--strategy", "predict"]
        found = test.expect("tangram", "plans", *options, "--plan", sketch, "--limit", "1", "--format", "json").out
        plan = ", ".join(json.loads(found)["plans"][0]["steps"])
        for keeps in ([], ["--keep-order"]):
            out = test.scratch / (spectrum + "_".join(keeps))
            test.expect("tangram", "synth", *options, *keeps, "--plan", plan, "-o", str(out))
            kernel = (out / f"{spectrum}.cl").read_text()
            is_staged = "SUM_STEP" in kernel and "x_tile[" in kernel and "w_tile[" in kernel
            keeps_steps = not keeps or spectrum == "named"  # integers are the same in any order
            test.check(is_staged == keeps_steps, f"{spectrum} {keeps}: {kernel}")
        if sizes is None:
            continue
        named = [each for size in sizes for each in ("--size", size)]
        done = test.expect("tangram", "interpret", *options, "--plan", plan, *named, "--form", "kernel", "--tunable",
                           "SUM_STEP=2,8", "--schedule", "3")
        test.check(" right" in done.out, f"{spectrum}: {done.out}")
    test.finish()


if __name__ == "__main__":
    main()
