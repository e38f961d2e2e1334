"""Header, host and example of every spectrum of the library compile, on every model and target: header as C99, C11 and
C++17, host, example and entry as C99, without a warning.

With TANGRAM_TEST_EVERYTHING=1 that is what it does; otherwise every sixth spectrum, on one model and target.

    python3 tests/compile_everything.py --tangram build/tangram --tangram-run build/tangram-run [--spectrum NAME]
"""

import json
import shutil

from library import EVERYTHING, manifest_of
from names import compiles
from pipeline import ROOT, Pipeline

PLACES = [("simple-cpu", "openmp"), ("simple-gpu", "opencl"), ("cpu", "openmp"), ("pocl", "opencl"), ("gpu", "opencl"),
          ("h200", "opencl"), ("cpu", "opencl"), ("k20c", "opencl"), ("i7-3820", "openmp"), ("c2050", "opencl")]
# The number of places, from the first, that spectrums usually take in turn: predictions for the others take longer.
USUAL = 2


def more_arguments(parser):
    parser.add_argument("--spectrum", help="only this one, everywhere")


def spectrums(test):
    """The first instance of each spectrum of the library that no other one of its file calls, and its file."""
    found = []
    for file in sorted((ROOT / "codelets").glob("*.cpp")):
        checked = json.loads(test.expect("tangram", "check", file.relative_to(ROOT), "--format", "json").out)
        of_file = [each for each in checked["spectrums"]
                   if each["codelets"][0]["location"]["file"] == str(file.relative_to(ROOT))]
        seen = set()
        for each in of_file:
            family = each["name"].split("<")[0]
            if family not in seen:
                seen.add(family)
                found.append((str(file.relative_to(ROOT)), each["name"]))
    return found


def one(test, file, spectrum, model, target):
    what = f"{spectrum} on {model} for {target}"
    out = test.scratch / what
    done = test.run("tangram", "synth", file, "--spectrum", spectrum, "--hw", model, "--target", target, "--plan", "best",
                    "--strategy", "thesis", "-o", out)
    if done.status != 0:  # what one target cannot express
        test.check("error: " in done.err, f"{what}: status {done.status}\n{done.err}")
        return 0
    compiles(test, what, out, manifest_of(out))
    shutil.rmtree(out)
    return 1


def main():
    test = Pipeline(__doc__, more_arguments)
    everything = EVERYTHING or test.arguments.spectrum
    wanted = [each for each in spectrums(test) if test.arguments.spectrum in (None, each[1])]
    if not everything:
        wanted = wanted[::6]
    wanted = test.shared(wanted)
    count = 0
    for i, (file, spectrum) in enumerate(wanted):
        for model, target in PLACES if everything else [PLACES[i % USUAL]]:
            count += one(test, file, spectrum, model, target)
    print(f"{count} bundles of {len(wanted)} spectrums")
    test.check(count >= len(wanted) / 2, "many spectrums have no bundle")
    test.finish()


if __name__ == "__main__":
    main()
