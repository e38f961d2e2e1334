"""Windows and padded containers (tests/codelets/stencils.cpp, codelets/stencil.cpp): plans of each spectrum
verified and interpreted, at sizes of which some are smaller than windows and paddings; and what `check` says
of windows that do not fit. And tiles that are copied by vectors where rows of matrices are whole ones.
"""

import re

from library import EVERYTHING, sample
from pipeline import Pipeline, Tally

LINES = "in=0,1,2,3,5,8,100,1003"
PLANES = "in=0x0,0x3,3x0,1x1,2x1,1x2,3x5,17x23"
BOXES = "in=0x0x0,1x0x3,1x1x1,2x1x3,4x5x6"
WIDE = "in=0x1,0x3,3x1,1x2,2x2,3x5,17x23,5x34"
BLOCKS = "in=0x0x0,1x0x4,1x1x4,2x1x8,4x5x4,7x6x8"
SMALL = {WIDE: "in=0x3,1x1,2x3,7x9", BLOCKS: "in=0x0x4,1x1x4,3x4x8",
         LINES: "in=0,1,2,5,33", PLANES: "in=0x3,1x1,2x3,7x9", BOXES: "in=0x0x0,1x1x1,2x3x4"}
SIZES = {
    "tests/codelets/stencils.cpp": {
        "clamp_5_2": LINES, "mirror_5_2": LINES, "wrap_5_2": LINES, "constant_5_2": LINES,
        "apart": LINES, "turned": LINES, "turned_parts": LINES, "twice": LINES, "both": PLANES,
        "framed": PLANES, "boxes": BOXES},
    "tests/codelets/halos.cpp": {
        "line_clamp": LINES, "line_mirror": LINES, "line_wrap": LINES, "line_constant": LINES,
        "plane_mixed": PLANES, "plane_rows": WIDE, "plane_turned": PLANES, "box": BLOCKS},
    "codelets/stencil.cpp": {
        "heat<int>": LINES, "heat<float>": LINES, "jacobi<int>": PLANES, "heat3<float>": BOXES},
}
# Tiles of 4 rows and 64 columns, some of which are inside: source, spectrum, settings.
BY_VECTORS = [
    *(("codelets/nine.cpp", spectrum, ["--set", "NINE_TILES_T=4", "--set", "NINE_TILES_U=64", "--set", "NUM_THREADS=64"])
      for spectrum in ("jacobi9<float>", "sobel<float>", "life<int>")),
    ("codelets/convolution.cpp", "convolve<float,17>",
     ["--set", "CONVOLVE_TILES_T=16", "--set", "CONVOLVE_TILES_U=64", "--set", "NUM_THREADS=64"])]
INSIDE = "in=0x4,1x1,3x8,13x196,50x200,50x202,47x260,50x199"
MODELS = {"openmp": ["simple-cpu"], "opencl": ["simple-gpu"]}
PLANS = 12 if EVERYTHING else 2  # of each spectrum and model

# Overlaps of 1 where 2 are needed; full windows where the last tile is smaller; no padding; 7 where 8 are
# needed, in four sizes of which two are free.
WRONG = """#include <tangram.h>
__codelet int f(const Array<1, int> near) { return near[0] + near[2]; }
__codelet void inside(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == out.size() + 2);
  for (unsigned i = 0; i < out.size(); ++i) out[i] = in[i] + in[i + 2];
}
__codelet __tag(few) void inside(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t;
  map(inside, chunks(in, t, 1), chunks(out, t));
}
__codelet __tag(full) void inside(const Array<1, int> in, Array<1, int> out) {
  map(inside, slide(in, 6, 4), chunks(out, 4));
}
__codelet __tag(step) void inside(const Array<1, int> in, Array<1, int> out) {
  map(inside, chunks(in, 4, 3), chunks(out, 4));
}
__codelet __tag(right) void inside(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t;
  map(inside, chunks(in, 2 * t, 2), chunks(out, 2 * t));
}
__codelet void all(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < out.size(); ++i) out[i] = in[i];
}
__codelet __tag(bare) void all(const Array<1, int> in, Array<1, int> out) {
  out = map(f, slide(in, 3, 1));
}
__codelet void far(const Array<2, int> in, Array<2, int> out) {
  require(in.size(0) == out.size(0) + 8);
  require(in.size(1) == out.size(1) + 8);
  for (unsigned i = 0; i < out.size(0); ++i)
    for (unsigned j = 0; j < out.size(1); ++j) out[i][j] = in[i][j] + in[i + 8][j + 8];
}
__codelet __tag(near) void far(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned t;
  __tunable unsigned u;
  map(far, tile_chunks(in, t, u, 8, 7), tile_chunks(out, t, u));
}
"""
WARNINGS = [
    "9:3: warning: windows do not fit 'inside': in.size() = 2, out.size() = 0, t = 1: "
    "1 part of 'in', and 0 parts of 'out'",
    "12:3: warning: windows do not fit 'inside': in.size() = 3, out.size() = 1: "
    "0 parts of 'in', and 1 part of 'out'",
    "15:3: warning: windows do not fit 'inside': in.size() = 3, out.size() = 1: "
    "0 parts of 'in', and 1 part of 'out'",
    "26:9: warning: windows do not fit 'f': out.size() = 1, in.size() = 1: "
    "0 results for 1 elements",
    "37:3: warning: windows do not fit 'far': in.size(0) = 9, out.size(0) = 1, in.size(1) = 8, "
    "out.size(1) = 0, t = 1, u = 1: 1 part of 'in', and 0 parts of 'out'",
]


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def interpreted(test, source, spectrum, model, sizes):
    target = test.arguments.target
    done = test.run("tangram", "interpret", source, "--spectrum", spectrum, "--hw", model, "--target", target,
                    "--plan", "all", "--limit", str(min(PLANS, 4)), "--size", sizes)
    found = re.search(r"(\d+) plans?: (\d+) right, 0 not, 0 refused", done.out)
    test.check(done.status == 0 and found and found[1] == found[2],
               f"{spectrum} on {model} interpreted:\n{done.out}{done.err}")


def checked(test):
    source = test.scratch / "wrong.cpp"
    source.write_text(WRONG)
    text = test.run("tangram", "check", source)
    text = text.out + text.err
    found = [line.split("wrong.cpp:", 1)[1] for line in text.splitlines() if "windows do not fit" in line]
    test.check(found == WARNINGS, "check of windows that do not fit:\n" + "\n".join(found))
    for source in SIZES:
        done = test.expect("tangram", "check", source)
        test.check("warning" not in done.out + done.err, f"check of {source} warns:\n{done.out}{done.err}")


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    else:
        checked(test)
    tally = Tally(test)
    for source, spectrums in SIZES.items():
        for spectrum, sizes in sample(spectrums.items(), 2):
            for model in MODELS[target]:
                bundles = test.synth(source, spectrum, model, target, f"{spectrum}-{model}", "--plan",
                                     "all", "--strategy", "all", "--limit", str(PLANS))
                test.check(bundles, f"no plan of {spectrum} on {model}")
                # Of few plans none may be one that distributes parts to groups.
                if EVERYTHING and source.endswith("halos.cpp") and target == "opencl" and spectrum != "box":
                    test.check(any("_tile[" in kernel.read_text() for bundle in bundles
                                   for kernel in bundle.glob("*.cl")), f"no tile of {spectrum} is staged")
                tally.add(test.verify(bundles, "--size", sizes))
                interpreted(test, source, spectrum, model, SMALL[sizes])
    for source, spectrum, settings in BY_VECTORS if target == "opencl" else []:
        bundles = test.synth(source, spectrum, "h200", target, f"{spectrum}-by-vectors", "--strategy", "predict")
        text = "".join(file.read_text() for bundle in bundles for file in bundle.glob("*.cl"))
        test.check("vstore4(load_" in text, f"no tile of {spectrum} is copied by vectors")
        tally.add(test.verify(bundles, "--size", INSIDE, *settings))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= (250 if EVERYTHING else 30), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
