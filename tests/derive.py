"""Codelets that follow from loops (`tangram derive`): programs of one loop, as people write them.

Each program of loops/ is derived from: `check --equiv` runs every derived codelet against the loop, `tangram derive`
prints source that gives the same plans where it is pasted behind the program, plans for OpenMP and OpenCL are verified,
and without derived codelets the loop is what it was. The first line of a program says its spectrum, the tags that have
to be among what follows, and small sizes:

    // f; derived_tile_i derived_lanes_i_j; x=7x9 w=3 steps:=4

where steps is a number. A fourth part says how long the best plan for a GPU is predicted to take at a large size, at most:
`large x=112x64x512x512 below 10 ms`.

    python3 tests/derive.py --tangram build/tangram --tangram-run build/tangram-run [--source tests/loops/NAME.cpp]
"""

import concurrent.futures
import json
import pathlib
import re

from library import EVERYTHING
from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline, unwatched_leaks

LOOPS = ROOT / "tests" / "loops"
PLACES = (("cpu", "openmp"), ("simple-gpu", "opencl"))
AROUND = {"derived_loop", "derived_rounds", "derived_sums", "derived_total", "derived_nests", "derived_apart",
          "derived_local", "derived_residues", "derived_once", "derived_promoted",
          "derived_box"}  # what others need
EVERY = 20  # programs of which one is taken, but for --all


def more_arguments(parser):
    parser.add_argument("--source", action="append", type=pathlib.Path, help="only this one; repeatable")


class Program:
    """A program of loops/ and what its first line says."""

    def __init__(self, source):
        self.source = source
        first = source.read_text().splitlines()[0]
        spectrum, tags, sizes, *large = (part.strip() for part in first.removeprefix("//").split(";"))
        self.large = re.fullmatch(r"large (.+) below (\S+) ms", large[0]) if large else None
        assert self.large or not large, f"{source.name}: not a size and milliseconds: {large}"
        self.spectrum, self.tags, self.sizes = spectrum, tags.split(), sizes.split()

    def size_options(self, inputs=True):
        return [word for size in self.sizes if inputs or ":=" not in size
                for word in (("--input", size.replace(":=", "=")) if ":=" in size else ("--size", size))]


def derived_tags(test, program):
    done = test.run("tangram", "derive", program.source, "--spectrum", program.spectrum, "--format", "json")
    if not test.equal(done.status, 0, f"derive {program.source.name}\n{done.err}"):
        return set()
    test.equal(done.err, "", f"derive {program.source.name} has something to say")
    return {each["tag"] for each in json.loads(done.out)["codelets"]}


def plans_of(test, source, program, *options):
    done = test.run("tangram", "plans", source, "--spectrum", program.spectrum, "--hw", "cpu", "--target", "openmp",
                    "--limit", "40", "--format", "json", *options)
    test.equal(done.status, 0, f"plans of {source.name}\n{done.err}")
    return [each["id"] for each in json.loads(done.out)["plans"]] if done.status == 0 else []


def pasted_is_the_same(test, program):
    """What is printed, behind the program, and nothing derived any more."""
    done = test.run("tangram", "derive", program.source, "--derive", "loops")
    pasted = test.scratch / program.source.name
    pasted.write_text(program.source.read_text() + "\n" + done.out)
    told = plans_of(test, program.source, program, "--derive", "loops")
    test.equal(plans_of(test, pasted, program, "--derive", "none"), told, f"plans of {program.source.name}, pasted")
    test.check(len(told) > 1, f"{program.source.name} has {len(told)} plans")


def equiv(test, program, everywhere):
    """`everywhere`: at all shapes that `check` tries, not at the program's own."""
    budget = [] if EVERYTHING else ["--budget", "6", "--hw", "cpu", *([] if everywhere else program.size_options(inputs=False))]
    return test.run("tangram", "check", program.source, "--equiv", *budget,
                    environment={**OPENMP_ENVIRONMENT, **unwatched_leaks()})


def runs(test, program):
    for model, target in PLACES if test.opencl_devices() else PLACES[:1]:
        done = test.run("tangram", "run", program.source, "--spectrum", program.spectrum, "--hw", model, "--target", target,
                        *program.size_options(), environment=OPENMP_ENVIRONMENT)
        test.equal(done.status, 0, f"{program.source.name} on {model}\n{done.out}{done.err}")
        test.check("verified" in done.out, f"{program.source.name} on {model}\n{done.out}")


def fills_a_gpu(test, program):
    """At a large size no plan of a few groups is predicted to be best."""
    sizes = [word for size in program.large[1].split() for word in ("--for-size", size)]
    done = test.run("tangram", "plans", program.source, "--spectrum", program.spectrum, "--hw", "h200", "--target",
                    "opencl", "--strategy", "predict", *sizes, "--limit", "1", "--format", "json")
    if test.equal(done.status, 0, f"plans of {program.source.name} for {program.large[1]}\n{done.err}"):
        seconds = json.loads(done.out)["plans"][0]["seconds"]
        test.check(seconds < float(program.large[2]) / 1000,
                   f"{program.source.name} is predicted to take {seconds * 1000:.3g} ms for {program.large[1]}")


def can_be_left_out(test, program):
    done = test.run("tangram", "plans", program.source, "--spectrum", program.spectrum, "--hw", "cpu", "--target",
                    "openmp", "--derive", "none", "--limit", "5")
    test.check(done.status == 0 and "derived" not in done.out, f"--derive none\n{done.out}{done.err}")
    one = next(tag for tag in program.tags if tag not in AROUND)
    done = test.run("tangram", "check", program.source, "--derive", one)
    found = set(re.findall(r"derived_\w+", done.out)) - AROUND
    test.equal(found, {one}, f"--derive {one} of {program.source.name}")


def main():
    test = Pipeline(__doc__, more_arguments)
    programs = [Program(source) for source in test.arguments.source or sorted(LOOPS.glob("*.cpp"))]
    if not EVERYTHING and not test.arguments.source:
        programs = programs[::EVERY]
    programs = test.shared(programs)
    test.check(programs, "tests/loops has no programs")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        judged = list(pool.map(lambda each: equiv(test, each, EVERYTHING or each is programs[0]), programs))
    for program, done in zip(programs, judged):
        test.equal(done.status, 0, f"check --equiv of {program.source.name}\n{done.out}{done.err}")
        missing = set(program.tags) - derived_tags(test, program)
        test.check(not missing, f"{program.source.name}: {', '.join(sorted(missing))} should follow")
        pasted_is_the_same(test, program)
        runs(test, program)
        if program.large:
            fills_a_gpu(test, program)
    can_be_left_out(test, programs[0])
    test.finish()


if __name__ == "__main__":
    main()
