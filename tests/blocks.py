"""Blocks along any dimension, and of windows that move by more than one element (tests/codelets/blocks.cpp): plans of each
spectrum verified and interpreted, at sizes that are empty, smaller than a window, and ragged, products among them whose
rows are taken together; and what `check` says of blocks that do not fit.
"""

import re

from library import EVERYTHING
from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/blocks.cpp"
# Lists of sizes; names with one each are one shape.
SIZES = {
    "line": [["out=0,1,2,3,7,16,100,501"]], "thirds": [["in=0,1,2,3,4,5,6,22,100,1003"]],
    "frames": [["out=0,1,5,7,100", "filter=1,3,4"]], "plane": [["in=0x2,1x3,2x2,3x5,4x4,17x23,30x35"]],
    "layer": [["out=1x1x1", "w=1x1x1x1"], ["out=2x0x3", "w=2x3x2x3"], ["out=3x4x5", "w=3x0x2x2"],
              ["out=4x9x11", "w=4x5x3x2"], ["out=2x5x7", "w=2x7x1x1"]],
    "pool": [["out=0x1x2x2,1x1x0x3,1x1x1x1,2x3x4x5,3x2x7x9"]],
    "batch": [["a=3x17x33", "b=3x33x19"], ["a=1x8x5", "b=1x5x33"], ["a=2x9x0", "b=2x0x40"]],
    "weighed": [["in=5x9x39", "w=19x5x3"], ["in=3x2x83", "w=8x3x3"]],
    "middle": [["in=0x3x2,2x0x3,1x1x1,3x5x2,4x7x9,2x33x17"]]}
MODELS = {"openmp": ["cpu"], "opencl": ["simple-gpu"]}
PLANS = 3 if EVERYTHING else 1  # of each spectrum and model

# Overlaps of 1 where windows of 3 elements every 2 need 2; a step of 3 for one of 2; parts of another dimension.
WRONG = """#include <tangram.h>
__codelet void line(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == 2 * out.size() + 1);
  for (unsigned i = 0; i < out.size(); ++i) out[i] = in[2 * i] + in[2 * i + 2];
}
__codelet __tag(few) void line(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t;
  map(line, chunks(in, t, 1, 0, 2), chunks(out, t));
}
__codelet __tag(far) void line(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(line, rows(in, p, 2, 0, 3), rows(out, p));
}
__codelet __tag(right) void line(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(line, rows(in, p, 2, 0, 2), rows(out, p));
}
__codelet void halves(const Array<2, int> in, Array<2, int> out) {
  require(in.size(0) == out.size(0));
  require(in.size(1) == 2 * out.size(1));
  for (unsigned i = 0; i < out.size(0); ++i)
    for (unsigned j = 0; j < out.size(1); ++j) out[i][j] = in[i][2 * j];
}
__codelet __tag(bare) void halves(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned t;
  map(halves, chunks(in, t, 0, 1, 2), chunks(out, t, 0, 1));
}
__codelet __tag(turned) void halves(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned t;
  map(halves, chunks(in, t, 1, 1, 2), chunks(out, t, 0, 0));
}
"""


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def options(size):
    return [word for each in size for word in ("--size", each)]


def checked(test):
    source = test.scratch / "wrong.cpp"
    source.write_text(WRONG)
    done = test.run("tangram", "check", source)
    found = [line.split("wrong.cpp:", 1)[1] for line in (done.out + done.err).splitlines() if "wrong.cpp:" in line
             and "warning" in line]
    places = [line.split(": ", 1)[0] for line in found]
    test.check(places == ["8:3", "12:3", "26:3", "30:3"] and all("windows do not fit" in line for line in found),
               "check of blocks that do not fit:\n" + "\n".join(found))
    done = test.expect("tangram", "check", SOURCE)
    test.check("warning" not in done.out + done.err, f"check of {SOURCE} warns:\n{done.out}{done.err}")


def interpreted(test, spectrum, model, sizes):
    for size in sizes:
        done = test.run("tangram", "interpret", SOURCE, "--spectrum", spectrum, "--hw", model, "--target",
                        test.arguments.target, "--plan", "all", "--limit", "4" if EVERYTHING else "2", *options(size))
        found = re.search(r"(\d+) plans?: (\d+) right, 0 not, 0 refused", done.out)
        test.check(done.status == 0 and found and found[1] == found[2],
                   f"{spectrum} on {model} interpreted at {' '.join(size)}:\n{done.out}{done.err}")


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    else:
        checked(test)
    tally = Tally(test)
    for spectrum, sizes in SIZES.items():
        for model in MODELS[target]:
            bundles = test.synth(SOURCE, spectrum, model, target, f"{spectrum}-{model}", "--plan", "all",
                                 "--strategy", "all", "--limit", str(PLANS))
            test.check(bundles, f"no plan of {spectrum} on {model}")
            for size in sizes:
                tally.add(test.verify(bundles, *options(size)))
            interpreted(test, spectrum, model, sizes if EVERYTHING else sizes[-2:])
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= (150 if EVERYTHING else 50), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
