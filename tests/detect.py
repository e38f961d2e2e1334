# End-to-end tests: the two commands, from codelets to kernels that run. See README.md.
"""Models that `tangram hw detect` has measured: valid, with figures that can be, and good enough to synthesize
for, on the processor and on an OpenCL device; also from figures that were measured elsewhere."""

import json

from library import EVERYTHING
from pipeline import Pipeline, Tally

# What no machine of this century is outside of.
LIKELY = {"cycles_per_second": (1e8, 1e10), "instructions_per_cycle": (0.01, 16), "operations_per_cycle": (0.01, 1e4),
          "operation_cycles": (0.3, 1000), "memory_seconds": (1e-9, 1e-4), "launch_seconds": (1e-9, 1),
          "barrier_seconds": (1e-10, 1), "atomic_seconds": (1e-13, 1e-3), "unit_bytes_per_second": (1e7, 1e14)}


def likely(test, model, what):
    costs = model.get("costs", {})
    for name, (least, most) in LIKELY.items():
        # What equals the default is not written.
        test.check(least <= costs.get(name, least) <= most, f"{what}: {name} is {costs.get(name)}")
    measured = [name for name in LIKELY if name in costs]
    test.check(len(measured) >= 6, f"{what}: only {measured} are measured")
    memory = model["levels"][0]["memory"][0]
    test.check(1e7 <= memory["bytes_per_second"] <= 1e14, f"{what}: {memory}")
    test.check(any("measured by tangram hw detect" in source for source in model["sources"]), f"{what}: {model}")


def main():
    test = Pipeline(__doc__, lambda parser: parser.add_argument("--target", required=True,
                                                                choices=["openmp", "opencl"]),
                    as_shipped=True)
    target = test.arguments.target
    device = []
    if target == "opencl":
        test.need_opencl()
        device = ["--device", "0"]
    # The same figures from a file: the model of another machine. Its name and its source are all that differs.
    measured = test.scratch / "measured.json"
    measured.write_text(test.expect("tangram-run", "measure", "--format", "json", *device).out)
    there = json.loads(test.expect("tangram", "hw", "detect", "--measured", measured).out)
    likely(test, there, f"{target}, from a file")
    # An OpenCL driver takes long to measure: in the gate there is its file alone.
    again = EVERYTHING or target == "openmp"
    file = test.scratch / "here.json"
    file.write_text(test.expect("tangram", "hw", "detect", "--name", "here",
                                *(device if again else ["--measured", measured])).out)
    test.expect("tangram", "hw", "validate", file)
    likely(test, json.loads(file.read_text()), target)
    tally = Tally(test)
    for spectrum, source in (("sum", "sum"), ("gemv<float>", "gemv")):
        bundles = test.synth(f"codelets/{source}.cpp", spectrum, str(file), target, f"{source}-{target}", "--plan",
                             "all", "--limit", "3")
        tally.add(test.verify(bundles, "--size", "0,1,33"))
    test.check(tally.counts.get("verified", 0) >= 12, f"too few runs: {tally.counts}")

    here = json.loads(file.read_text())
    test.check(there["name"] == "this-machine" and there["targets"] == here["targets"] and
               [level["name"] for level in there["levels"]] == [level["name"] for level in here["levels"]],
               f"from a file: {there}")
    wrong = test.run("tangram", "hw", "detect", "--device", "no such device")
    test.check(wrong.status in (2, 3) and wrong.err and not wrong.out, f"an unknown device: {wrong}")
    test.finish()


if __name__ == "__main__":
    main()
