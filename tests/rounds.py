"""Loops around kernels and swaps (tests/codelets/rounds.cpp, codelets/rounds.cpp): plans of each spectrum
verified and interpreted, with no round, one, an odd and an even number; emitted OpenCL libraries go round by
themselves; and what is refused where such a loop cannot be.
"""

import json
import re

from library import EVERYTHING, sample
from pipeline import Pipeline, Tally

LENGTHS = "0,1,2,3,8,100,1003"
SIZES = {
    "tests/codelets/rounds.cpp": {
        "number": [f"in={LENGTHS}"], "falling": [f"in={LENGTHS}"],
        "from_to": [f"out={LENGTHS}"], "triangle": [f"out={LENGTHS}"],
        "halves": [f"out={LENGTHS}"], "until": [f"out={LENGTHS}"], "sometimes": [f"in={LENGTHS}"],
        "prefix": ["out=0,1,2,3,8,33"], "first_zero": [f"in={LENGTHS}"], "ring": [f"values={LENGTHS}"],
        "rings": ["values=1x0,3x1,2x2,5x9,3x100"], "shrinking": ["values=0,1,2,3,8,33"]},
    "codelets/rounds.cpp": {
        "heat_steps<int>": [f"in={LENGTHS}"], "heat_steps<float>": [f"in={LENGTHS}"],
        "smooth<int>": [f"values={LENGTHS}"], "search": ["distance=1,2,37", "targets=90"],
        "levels": ["distance=1,2,37", "targets=90"],
        "cluster<double>": ["points=0x3,1x3,37x3", "centroids=4x3"]},
}
# Scalars of each run, where others than generated ones are tried.
SCALARS = {
    "falling": [["most=0"], ["most=1"], ["most=2"], ["most=9"], ["most=16"]],
    "number": [["rounds=0"], ["rounds=1"], ["rounds=2"], ["rounds=9"]],
    "from_to": [["from=0", "to=0"], ["from=-3", "to=9"], ["from=4", "to=-2"]],
    "triangle": [["rounds=0"], ["rounds=5"]],
    "halves": [["from=0"], ["from=1"], ["from=77"]],
    "until": [["limit=-7"], ["limit=0"], ["limit=5000"]],
    "sometimes": [["rounds=0"], ["rounds=1"], ["rounds=7"]],
    "prefix": [[]],
    "first_zero": [[]],
    "ring": [["rounds=0"], ["rounds=1"], ["rounds=4"]],
    "rings": [["rounds=1"], ["rounds=3"]],
    "shrinking": [[]],
    "heat_steps<int>": [["steps=0", "c=1"], ["steps=5", "c=1"], ["steps=6", "c=2"]],
    "heat_steps<float>": [["steps=1", "c=0.25"], ["steps=12", "c=0.25"]],
    "smooth<int>": [["by=0", "most=0"], ["by=1", "most=1"], ["by=1", "most=40"]],
    "search": [[]],
    "levels": [["source=0"], ["source=-1"]],
    "cluster<double>": [["most=0"], ["most=30"]],
}
MODELS = {"openmp": ["simple-cpu"], "opencl": ["simple-gpu"]}
SMALL = {"rings": ["values=1x0,3x1,2x2,3x9"], "search": ["distance=1,2,9", "targets=20"], "levels": ["distance=1,2,9", "targets=20"],
         "cluster<double>": ["points=0x2,9x2", "centroids=3x2"]}
PLANS = 6 if EVERYTHING else 2  # of each spectrum and model

WRONG = """#include <tangram.h>
__codelet void one(const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];
}
__codelet __tag(parameters) void one(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> own(in.size());
  one(in, own);
  swap(own, out);
}
__codelet __tag(named) void one(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> own(in.size());
  Array<1, int> other(in.size());
  Array<1, int> view = pad(own, 1, 1, clamp);
  auto parts = chunks(other, 4);
  one(in, own);
  swap(own, other);
}
"""
ERRORS = [
    "8:13: error: 'out' is no local container: only those are swapped",
    "13:17: error: 'view' is a view of 'own', which is swapped: use the view without a name",
    "14:8: error: 'parts' is a view of 'other', which is swapped: use the view without a name",
]

# No plan of `jumps` around launches; `inside` swaps where a work-group runs.
REFUSED = """#include <tangram.h>
__codelet int head(const Array<1, int> in) {
  int first = 0;
  for (unsigned i = 0; i < in.size(); ++i) first += in[i];
  return first;
}
__codelet int jumps(const Array<1, int> in) {
  int first = 0;
  for (unsigned i = 0; i < in.size(); ++i) first += in[i];
  return first;
}
__codelet __tag(leaves) int jumps(const Array<1, int> in) {
  int found = 0;
  for (unsigned t = 0; t < 3; ++t) {
    found = head(in);
    if (found > 3)
      break;
  }
  return found;
}
__codelet __tag(swaps) int jumps(const Array<1, int> in) {
  Array<1, int> a(in.size());
  Array<1, int> b(in.size() + 1);
  int found = head(in);
  swap(a, b);
  return found;
}
"""

# What divides the work of `fourfold` cannot be made; of `twice` it can.
UNDIVIDED = """#include <tangram.h>
__codelet void twice(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
}
__codelet __tag(parts) void twice(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(twice, rows(in, p), rows(out, p));
}
__codelet void fourfold(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) out[i] = 4 * in[i];
}
__codelet __tag(swaps) void fourfold(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> a(in.size());
  Array<1, int> b(in.size() + 1);
  twice(in, a);
  swap(a, b);
  twice(slice(b, 0, in.size()), out);
}
"""


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def inputs_of(scalars):
    return [word for each in scalars for word in ("--input", each)]


def interpreted(test, source, spectrum, model):
    sizes = [word for each in SMALL.get(spectrum, ["0,1,2,9"]) for word in ("--size", each)]
    done = test.run("tangram", "interpret", source, "--spectrum", spectrum, "--hw", model, "--target",
                    test.arguments.target, "--plan", "all", "--limit", "3" if EVERYTHING else "2", *sizes)
    found = re.search(r"(\d+) plans?: (\d+) right, 0 not, 0 refused", done.out)
    test.check(done.status == 0 and found and found[1] == found[2],
               f"{spectrum} on {model} interpreted:\n{done.out}{done.err}")


def goes_round(bundle):
    """Whether the host of a bundle does more than to launch one kernel after the other."""
    return "schedule" in json.loads((bundle / "manifest.json").read_text())


def checked(test):
    source = test.scratch / "wrong.cpp"
    source.write_text(WRONG)
    text = test.run("tangram", "check", source)
    text = text.out + text.err
    found = [line.split("wrong.cpp:", 1)[1] for line in text.splitlines() if ": error: " in line]
    test.check(found == ERRORS, "check of wrong swaps:\n" + "\n".join(found))
    for source in SIZES:
        done = test.expect("tangram", "check", source)
        test.check("warning" not in done.out + done.err, f"check of {source} warns:\n{done.out}{done.err}")


def refused(test):
    source = test.scratch / "refused.cpp"
    source.write_text(REFUSED)
    text = test.run("tangram", "rules", source, "--spectrum", "jumps", "--hw", "simple-gpu", "--target",
                    "opencl", "--why").out
    for reason in ["refused.cpp:17:7): with target opencl level G (grid) can only launch kernels, and codelet "
                   "leaves leaves a loop in its middle",
                   "refused.cpp:25:3): workers of level B (block) have no pointers to exchange, and codelet "
                   "swaps swaps containers"]:
        test.check(reason in text, f"no '{reason}' in\n{text}")
    done = test.run("tangram", "synth", source, "--spectrum", "jumps", "--hw", "simple-gpu", "--target",
                    "opencl", "--without", "leaves,jumps#1", "-o", test.scratch / "swaps")
    test.check(done.status == 1 and "'a' and 'b' are swapped, and that they have the same extents is not known"
               in done.out + done.err, f"extents that differ:\n{done.out}{done.err}")
    for limit, said in (((), "opencl can express none of the plans\n"),
                        (("--limit", "1"), "opencl can express none of the plans\n")):
        done = test.run("tangram", "interpret", source, "--spectrum", "jumps", "--hw", "simple-gpu", "--target",
                        "opencl", "--without", "leaves,jumps#1", "--plan", "all", *limit, "--size", "in=3")
        test.check(done.status == 1 and f"error: {said}" in done.err, f"{limit}: {done.err}")


def undivided(test):
    """Where one worker is left with everything, synth says why."""
    source = test.scratch / "undivided.cpp"
    source.write_text(UNDIVIDED)
    target = test.arguments.target
    for spectrum, is_told in (("fourfold", True), ("twice", False)):
        done = test.expect("tangram", "synth", source, "--spectrum", spectrum, "--hw", MODELS[target][0],
                           "--target", target, "-o", test.scratch / spectrum)
        for said in (f"note: one worker does all the work; of plans that divide it {target} can express none",
                     "'a' and 'b' are swapped, and that they have the same extents is not known"):
            test.check((said in done.err) == is_told, f"{spectrum}: {done.err}")


def left_at_zero(test):
    """What groups are counted by is 0 after a call: a host that asks it would go round for ever."""
    bundles = test.synth("codelets/bfs.cpp", "frontier", "simple-gpu", "opencl", "counters", "--plan", "all",
                         "--strategy", "all", "--limit", "8")
    asked = []
    for bundle in bundles:
        manifest = json.loads((bundle / "manifest.json").read_text())
        counters = [buffer["name"] for buffer in manifest["buffers"] if buffer.get("zeroed")]
        manifest["schedule"] = [{"kernel": kernel["name"]} for kernel in manifest["kernels"]]
        manifest["schedule"] += [{"do_while": counter, "do": []} for counter in counters]
        (bundle / "manifest.json").write_text(json.dumps(manifest))
        asked += [bundle] if counters else []
    runs = test.verify(asked, "--size", "distance=1600", "--input", "depth=3", "--time-limit", "20")
    test.check(len(runs) >= 4 and all(run["status"] == "verified" for run in runs),
               f"counters that are not 0 again: {runs}")


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
        refused(test)
        left_at_zero(test)
    else:
        checked(test)
    undivided(test)
    tally = Tally(test)
    rounds = 0
    for source, spectrums in SIZES.items():
        for spectrum, sizes in sample(spectrums.items(), 2):
            for model in MODELS[target]:
                bundles = test.synth(source, spectrum, model, target, f"{spectrum}-{model}", "--plan",
                                     "all", "--strategy", "all", "--limit", str(PLANS))
                test.check(bundles, f"no plan of {spectrum} on {model}")
                rounds += sum(goes_round(bundle) for bundle in bundles)
                for scalars in SCALARS[spectrum]:
                    options = [word for each in sizes for word in ("--size", each)]
                    tally.add(test.verify(bundles, *options, *inputs_of(scalars)))
                interpreted(test, source, spectrum, model)
    print(tally.text(), f"{rounds} with a schedule")
    test.check(target != "opencl" or rounds >= (20 if EVERYTHING else 3), f"too few hosts that go round: {rounds}")
    test.check(tally.counts.get("verified", 0) >= (250 if EVERYTHING else 40), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
