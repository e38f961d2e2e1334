"""What random programs once found, as sources in found/: `check` accepts each, its plans have nothing to report in the
interpreter, and are right on this machine, with checked bounds where the target is OpenMP.

    python3 tests/found.py --tangram build/tangram --tangram-run build/tangram-run [--source tests/found/NAME.cpp]

A finding is kept by its source: what a seed makes changes with the generator. Its first lines say what was wrong.
"""

import pathlib

from library import EVERYTHING, manifest_of
from pipeline import Pipeline
from programs.judge import Judge, Trial
from random_shapes import free_extents

PLACES = [("cpu", "openmp"), ("simple-gpu", "opencl")]
SIZES = {1: (0, 1, 2, 7, 8, 9, 33, 64), 2: (0, 1, 2, 7, 20), 3: (0, 1, 6)}  # of each free extent, by how many there are
PLANS = 6 if EVERYTHING else 3
SPECTRUM = "f"


def more_arguments(parser):
    parser.add_argument("--source", action="append", type=pathlib.Path, help="only this one; repeatable")


def sizes_of(test, source):
    bundle, = test.synth(source, SPECTRUM, "simple-cpu", "openmp", source.stem)
    extents = free_extents(manifest_of(bundle))
    return tuple((extent, SIZES[len(extents)]) for extent in extents)


def main():
    test = Pipeline(__doc__, more_arguments)
    places = PLACES if test.opencl_devices() else PLACES[:1]
    judge = Judge(test.commands["tangram"], test.commands["tangram-run"], test.scratch)
    sources = test.arguments.source or sorted(pathlib.Path("tests/found").glob("*.cpp"))
    test.check(sources, "tests/found has no sources")
    for source in sources:
        findings, sizes = judge.check(source), sizes_of(test, source)
        for model, target in [] if findings else places:
            findings += judge.place(source, SPECTRUM, model, target, Trial(sizes, limit=PLANS))
        for finding in findings:
            test.fail(f"{source} {' '.join(finding.place)} {finding.plan}: {finding.category}: {finding.message}\n"
                      f"  with {' '.join(finding.options)}")
    print(f"{len(sources)} sources, {judge.counts['plans']} plans, {judge.counts['runs']} runs, "
          f"{judge.counts['interpreted']} interpretations")
    test.finish()


if __name__ == "__main__":
    main()
