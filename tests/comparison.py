"""`plans --why`, sketches and `compare` on the library: what they say is what the planner, the predictions and
the generated code say.
"""

import json

from pipeline import Pipeline

GEMV = ["codelets/gemv.cpp", "--spectrum", "gemv<float>"]
SUM = ["codelets/sum.cpp", "--spectrum", "sum"]
H200 = ["--hw", "h200", "--target", "opencl"]
OF_GPUS = "many_rows_by_vectors"


def read(test, *arguments):
    return json.loads(test.expect("tangram", *arguments, "--format", "json").out)


def why(test):
    listed = read(test, "plans", *GEMV, *H200, "--strategy", "predict", "--limit", "40")["plans"]
    first = listed[0]
    # Those that are predicted to be alike stand in the order of their ranks.
    slower = next(plan for plan in listed if plan["seconds"] > 1.05 * first["seconds"])
    one = read(test, "plans", *GEMV, *H200, "--why", first["id"])["plans"][0]
    test.equal(one["steps"], first["steps"], "steps of the plan explained")
    test.equal(one["standing"]["position"], 1, "the first is number 1")
    for size in one["sizes"]:
        predicted = 0
        for launch in size["launches"]:
            parts = [launch[part] for part in ("memory", "cache", "accesses", "operations", "waiting",
                                               "atomics")]
            predicted += launch["start"] + max(parts)
        test.check(abs(predicted - size["seconds"]) < 1e-3 * size["seconds"],
                   f"the time is that of its largest parts: {size}")
    two = read(test, "plans", *GEMV, *H200, "--why", first["id"], slower["id"])
    test.equal(two["difference"]["same"], False, "two plans differ")
    test.check(any(line[0] == "+" for line in two["difference"]["code"]), "so does their code")
    test.check(two["plans"][0]["seconds"] < two["plans"][1]["seconds"], "the first is quicker")
    # A plan that only ranks know, and one that is dropped.
    ranked = read(test, "plans", *GEMV, *H200)
    said = test.expect("tangram", "plans", *GEMV, *H200, "--why", ranked["plans"][0]["id"]).out
    test.check("Number 1 of " in said, f"the first by rank:\n{said}")
    dropped = read(test, "plans", *SUM, "--hw", "simple-gpu", "--strategy", "all", "--limit",
                   "70")["plans"][69]["id"]
    said = test.expect("tangram", "plans", *SUM, "--hw", "simple-gpu", "--strategy", "thesis",
                       "--why", dropped).out
    test.check("Not listed: iteration" in said and "candidates" in said, f"dropped:\n{said}")


def sketches(test):
    for name in [each["name"] for each in read(test, "sketch", GEMV[0])["sketches"]]:
        for place in (H200, ["--hw", "cpu", "--target", "openmp"]):
            done = test.run("tangram", "plans", *GEMV, *place, "--plan", name)
            if name == OF_GPUS and place != H200:
                test.check(done.status != 0 and "is for opencl, cuda, not for openmp" in done.err,
                           f"sketch {name} on {place}: status {done.status}\n{done.err}")
                continue
            test.equal(done.status, 0, f"sketch {name} on {place}:\n{done.err}")
    plan = read(test, "plans", *GEMV, *H200, "--plan",
                "S_G, regroup(*, G), distribute(B), ..., compute(lanes_a_row, VE_B)")["plans"][0]
    test.equal(plan["steps"][-1], "compute(lanes_a_row, VE_B)", "the end of a sketch")
    sketch = test.expect("tangram", "sketch", *SUM, "--hw", "simple-cpu", "--plan", "17ebc08c").out
    test.equal(sketch, "S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), ...\n",
               "a plan's structure")
    for command in (["synth", "-o", test.scratch / "bundle"], ["interpret", "--size", "0,7"]):
        test.expect("tangram", command[0], *SUM, "--hw", "simple-cpu", "--target", "openmp",
                    "--plan", sketch.strip(), *command[1:])
    manifest = json.loads((test.scratch / "bundle/manifest.json").read_text())
    test.equal(manifest["plan"]["steps"][:4],
               ["S_P", "regroup(asso_tiled, P)", "distribute(T)", "compute(sum#1, SE_T)"],
               "synth completes it")
    # All of a plan is a sketch without holes, longer than names of files can be.
    whole = read(test, "plans", *SUM, "--hw", "cpu", "--limit", "1")["plans"][0]
    again = read(test, "plans", *SUM, "--hw", "cpu", "--plan", ", ".join(whole["steps"]))["plans"][0]
    test.equal((again["id"], len(", ".join(whole["steps"])) > 255), (whole["id"], True), "all of a plan")


def compare(test):
    """Machines of one kind: each row is a plan, and what one machine lacks has its reason."""
    both = read(test, "compare", *GEMV, "--hw", "h200,k20c", "--limit", "2")
    test.equal((both["by"], [machine["name"] for machine in both["machines"]]),
               ("plan", ["h200:opencl", "k20c:opencl"]), "machines")
    for plan in both["plans"]:
        h200, k20c = plan["on"]
        test.check(plan["id"] == h200["id"] == k20c["id"], f"{plan['id']}: one plan of both")
        code_of_steps(test, plan)
        if h200.get("position") == 1:
            test.check(k20c["seconds"] > h200["seconds"], f"{plan['id']}: K20c is the slower one")
        test.check(plan["picture"].startswith("<svg ") and plan["picture"].endswith("</svg>\n"),
                   f"{plan['id']} is drawn")
    for m in range(2):
        places = [plan["on"][m].get("position") for plan in both["plans"]]
        test.check({1, 2} <= set(places), f"the first two of machine {m} are there: {places}")
    text = test.expect("tangram", "compare", *GEMV, "--hw", "cpu:openmp,cpu:opencl", "--limit",
                       "1").out
    test.check("cpu:openmp" in text and "cpu:opencl" in text, f"two targets:\n{text}")


def code_of_steps(test, plan):
    for cell in plan["on"]:
        if "missing" in cell or "refused" in cell:
            continue
        steps = cell.get("steps", plan["steps"])
        test.equal(len(cell["code"]["lines"]), len(cell["code"]["steps"]), "steps of lines")
        known = {step for line in cell["code"]["steps"] for step in line}
        test.check(known <= set(range(len(steps))), f"{cell['id']}: steps {known}")


def ways(test):
    """Machines of different kinds: each row is a way, and each cell a plan of that machine by its own levels."""
    for what, models in ((SUM, "gpu,cpu"), (GEMV, "h200,k20c,cpu")):
        found = read(test, "compare", *what, "--hw", models, "--limit", "2")
        test.equal(found["by"], "way", f"{models} are of different kinds")
        together = 0
        for plan in found["plans"]:
            code_of_steps(test, plan)
            cells = [cell for cell in plan["on"] if "missing" not in cell]
            together += len(cells) == len(plan["on"])
            for cell in plan["on"]:
                if "missing" in cell:
                    test.check("unknown level" not in cell["missing"], f"a reason: {cell['missing']}")
        test.check(together > 0, f"{models} have ways in common")
        for m in range(len(found["machines"])):
            test.check(1 in [plan["on"][m].get("position") for plan in found["plans"]],
                       f"the best plan of machine {m} is there")
        best = [min(plan["on"][m]["seconds"] for plan in found["plans"] if plan["on"][m].get("seconds"))
                for m in range(len(found["machines"]))]
        chosen = next(plan for plan in found["plans"] if plan["id"] == found["for_all"]["plan"])
        for m, ratio in enumerate(found["for_all"]["ratios"]):
            test.check(abs(chosen["on"][m]["seconds"] / best[m] - ratio) < 1e-9 * ratio,
                       f"what one way for all takes on machine {m}")
    # A reason that names no place in the plan is printed whole.
    loop = test.scratch / "mix.cpp"
    loop.write_text("#include <tangram.h>\n__codelet void mix(float a, const Array<1, float> x, Array<1, float> y) {\n"
                    "  require(y.size() == x.size());\n  for (unsigned i = 0; i < x.size(); ++i) y[i] += a * x[i];\n}\n")
    reasons = {cell["missing"] for plan in read(test, "compare", loop, "--hw", "cpu,microcontroller")["plans"]
               for cell in plan["on"] if "missing" in cell}
    whole = [each for each in reasons if each.startswith(("expected ", "level ", "tunable ", "microcontroller has no level"))]
    test.equal((sorted(reasons - set(whole)), len(whole) > 1), ([], True), "reasons")
    # Every id of a cell is one that other commands take.
    sums = read(test, "compare", *SUM, "--hw", "gpu,cpu", "--limit", "1")
    for m, place in enumerate((["--hw", "gpu", "--target", "opencl"], ["--hw", "cpu", "--target", "openmp"])):
        for plan in sums["plans"]:
            if "id" in plan["on"][m]:
                shown = read(test, "plans", *SUM, *place, "--why", plan["on"][m]["id"])["plans"][0]
                test.equal(shown["id"], plan["on"][m]["id"], "an id of the table")
    text = test.expect("tangram", "compare", *SUM, "--hw", "gpu,cpu", "--limit", "2").out
    for part in ("best on gpu:opencl: ", "best on cpu:openmp: ", "one way for all: "):
        test.check(part in text, f"{part} in\n{text}")


def main():
    test = Pipeline(__doc__)
    why(test)
    sketches(test)
    compare(test)
    ways(test)
    test.finish()


if __name__ == "__main__":
    main()
