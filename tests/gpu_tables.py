"""The tables of GPUs (evaluation/gpu_benchmarks, evaluation/gpu_libraries) without a GPU: bundles are prepared and
measured on any OpenCL device, beside programs that only say a time. And what all tables do with Rodinia's programs, and
with lines of several runs."""

import argparse
import json
import pathlib
import subprocess
import sys

from pipeline import ROOT, Pipeline

sys.path.insert(0, str(ROOT / "evaluation"))
from harness import cpu_table, gpu_prepare, gpu_rows, gpu_table, join, machine, processes, report, rodinia  # noqa: E402

sys.path.insert(0, str(ROOT / "evaluation" / "gpu_benchmarks"))
import rows  # noqa: E402


def programs(folder, table, fails=()):
    """Peers that take a second; those in `fails` say why they do not."""
    for name in (*table.programs, gpu_rows.COPY):
        program = folder / name
        program.write_text("#!/bin/sh\necho no such GPU >&2\nexit 1\n" if name in fails else
                           "#!/bin/sh\n"
                           'echo \'{"how": "by hand", "others": [{"how": "slowly", "median": 2}], "seconds": [1, 1, 1]}\'\n')
        program.chmod(0o755)


def every_row(test):
    """Rows of both scales have programs, sizes and ways to be verified."""
    for small in (False, True):
        for row in rows.TABLE.rows(small):
            test.check((ROOT / "evaluation" / "gpu_benchmarks" / f"{row.library}.cu").exists(), f"program of {row.name}")
            test.check(row.verify and row.small and all(shape.amount > 0 for shape in row.shapes), f"row {row.name}")
            source = (ROOT / "evaluation" / "gpu_benchmarks" / f"{row.library}.cu").read_text()
            test.check(f'"{row.name}"' in source, f"{row.library}.cu does not know {row.name}")


def goals(test):
    """A shape may have a goal of its own, and a row others beside Rodinia and a copy."""
    shapes = tuple(gpu_rows.Shape(name, (), name, goal=goal) for name, goal in (("wide", 1.15), ("long", None)))
    row = gpu_rows.Row("sgemv", "SGEMV", "cublas", None, shapes, (), 1.05, rodinia_goal=2, of_copy=0.85)
    test.equal([row.goals(name)["goal"] for name in ("wide", "long", "other")], [1.15, 1.05, 1.05], "goals of shapes")
    test.equal(row.goals("long"), {"goal": 1.05, "rodinia_goal": 2, "of_copy_goal": 0.85}, "all goals")


def run(test, command, *arguments):
    return subprocess.run(
        [sys.executable, str(ROOT / "evaluation" / "gpu_benchmarks" / command), *map(str, arguments)],
        capture_output=True, text=True, check=False, cwd=test.scratch)


def whole_lines(test):
    """From plans to the table: verified, timed, tuned, with and without the passes, and the peer's share."""
    folder, out = test.scratch / "bundles", test.scratch / "out"
    done = run(test, "prepare", folder, "--tangram", test.commands["tangram"], "--hw", "simple-gpu", "--effort", "1,1",
               "--rows", "sobel,heat")
    test.equal(done.returncode, 0, f"prepare: {done.stderr}")
    plans = json.loads((folder / "plans.json").read_text())
    without = folder / "sobel" / gpu_prepare.WITHOUT / "index-set-splitting"
    test.check(set(plans["sobel"]["first"]["plans"]) <= set(plans["sobel"]["plans"]) and without.exists(),
               f"plans of sobel: {plans}")
    for plan in without.iterdir():
        test.check(gpu_prepare.kernels(plan) != gpu_prepare.kernels(folder / "sobel" / plan.name),
                   f"{plan.name} is the same without the pass")
    programs(folder, rows.TABLE, fails=("elements",))
    (folder / "tangram-run").symlink_to(pathlib.Path(test.commands["tangram-run"]).resolve())
    done = run(test, "run_on_gpu", folder, "--out", out, "--scale", "small", "--device", "0", "--repeats", "2",
               "--rows", "sobel,heat")
    test.equal(done.returncode, 3, f"a line without a peer misses its goal: {done.stderr}")
    data = json.loads((out / "gpu_benchmarks.json").read_text())
    sobel, heat = data["lines"]
    best = sobel["ours"]["best"]
    test.equal(data["problems"], [], "problems")
    test.check(abs(sobel["ratios"]["best"]["ratio"] * best["median"] - 1) < 1e-9, "ratio to a peer that takes a second")
    test.check(abs(best["of_copy"] * best["median"] - 1) < 1e-9, "part of a copy that takes a second")
    test.equal(best["verified_at_this_size"], True, "verified at its size")
    if (without / best["plan"]).exists():
        test.check(sobel["without"]["index-set-splitting"]["times"] > 0, "times without the pass")
    test.check("no such GPU" in heat["problem"] and heat["ours"]["best"]["median"] > 0 and not heat["ratios"],
               f"a peer that fails: {heat}")
    page = (out / "gpu_benchmarks.md").read_text()
    test.check("also by hand: slowly" in page and "no such GPU" in page, page)


def rodinias(test):
    """Each program takes the shape of its line, gets a row of its own, and may fail without harm."""
    parser = argparse.ArgumentParser()
    rodinia.add_options(parser)
    options = parser.parse_args(["--rodinia-bfs", "echo time of {shape}: 6 ms", "--rodinia-bfs", "false {shape}"])
    test.equal((rodinia.commands(options, None), rodinia.commands(options, "kmeans")), ([], []), "no commands")
    said = rodinia.measured(rodinia.commands(options, "bfs"), "random,32")
    test.equal([entry["command"] for entry in said], ["echo", "false"], "names of programs")
    test.equal((said[0]["runs"], said[0]["median"]), (rodinia.RUNS, 6e-3), "the time that echo says")
    test.check("exit status 1" in said[1]["problem"], f"a program that fails: {said[1]}")
    first, best = processes.summary([6e-3]), processes.summary([3e-3])
    line = {"row": "bfs", "title": "BFS", "shape": "random,32", "goal": 1.5, "rodinia": said, "library": "by_hand",
            "ratios": {"best": {"ratio": 2, "quartiles": [2, 2]}, "first": {"ratio": 1, "quartiles": [1, 1]}}}
    test.check(rodinia.reached(line, best) and not rodinia.reached(line, first), "goals beside Rodinia")
    test.check(rodinia.reached({**line, "rodinia_goal": 1}, first), "a goal of its own beside Rodinia")
    plan = {"plan": "cpu 0", "chosen": {}, "steps": []}
    on_cpu = cpu_table.text({"lines": [{**line, "peer": "loop", "plans": {"best": plan}, "variants": {
        "loop": first, "best": best, "first": first}}]})
    ours = {"plan": "0", "tunables": {}, "steps": [], "verified_at_this_size": True}
    on_gpu = gpu_table.text(rows.TABLE, {"problems": [], "lines": [{**line, "peer": {"how": "loop", **first}, "ours": {
        "best": {**ours, **best}, "first": {**ours, **first}}}]})
    for page in (on_cpu, on_gpu):
        own = [row.split(" | ") for row in page.splitlines() if "| Rodinia echo" in row]
        test.equal([[cell.strip() for cell in row[4:9]] for row in own],
                   [["6.000", "Rodinia echo", "2.000", "2.00 to 2.00", "1.50"]], "its row")
        test.check("  - Rodinia false: sh -c false random,32: exit status 1" in page, page)
    absent = cpu_table.text({"lines": [{**line, "rodinia": [], "peer": "loop", "plans": {"best": plan}, "variants": {
        "loop": first, "best": best}}]})
    test.check(rodinia.ABSENT in absent, absent)


def several_runs(test):
    """A page of lines of several runs says when each was measured, and how often; one of a single run, when that was."""
    def line(row, seconds, **more):
        said = processes.summary(seconds)
        return {"row": row, "title": row, "shape": "4", "goal": 1, "peer": "loop", "variants": {"loop": said, "best": said},
                "plans": {"best": {"plan": "cpu 0", "chosen": {}, "steps": []}},
                "ratios": {"best": {"ratio": 1, "quartiles": [1, 1]}}, **more}
    first = {"machine": {"date": "yesterday", "revision": "a"}, "lines": [line("sum", [1, 1, 1]), line("dot", [1, 1, 1])]}
    second = {"machine": {"date": "today", "revision": "b"}, "lines": [
        line("scan", [1, 1], rodinia=[{"command": "scan", **processes.summary([1])}]),
        {"row": "dot", "title": "dot", "shape": "4", "goal": 1, "problem": "the time was up"}]}
    data = join.joined(["sum", "dot", "scan"], [first, second], lambda run: "one", lambda entry: "ratios" in entry,
                       lambda entry: {"goal": 1.5} if entry["row"] == "dot" else {})
    test.equal([entry["goal"] for entry in data["lines"]], [1, 1.5, 1], "goals are those of today's rows")
    page = cpu_table.text(data)
    test.check("Medians of 3 repetitions; of 2: scan 4. Rodinia's programs ran 1 times." in page, page)
    test.check("- today, revision b: scan 4\n- yesterday, revision a: sum 4; dot 4" in page, page)
    test.check("Measured in several runs" not in cpu_table.text({"lines": [line("sum", [1])]}), "a single run")
    here = {"machine": machine.describe()}
    for name, lines, dated in (("several", data["lines"], False), ("single", [line("sum", [1])], True),
                               ("regret", [{"measured": 12}], True)):
        report.write(name, name, {**here, "lines": lines}, "", test.scratch, said=False)
        found = (test.scratch / f"{name}.md").read_text()
        test.equal(f"Measured {here['machine']['date']}" in found, dated, f"date below {name}:\n{found}")


def mistakes(test):
    """One line, and status 2."""
    empty = test.scratch / "empty"
    empty.mkdir()
    for command, *arguments in (("prepare", empty, "--rows", "sobels"), ("run_on_gpu", empty),
                                ("run_on_gpu", test.scratch / "none")):
        done = run(test, command, *arguments)
        test.check(done.returncode == 2 and len(done.stderr.splitlines()) == 1,
                   f"{command} {arguments}: status {done.returncode}: {done.stderr}")


def main():
    test = Pipeline(__doc__)
    every_row(test)
    mistakes(test)
    goals(test)
    rodinias(test)
    several_runs(test)
    whole_lines(test)
    test.finish()


if __name__ == "__main__":
    main()
