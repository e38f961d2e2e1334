"""What passes are worth (evaluation/passes): what is left out is what the tool can leave out, ratios and tables are what they are
by hand, and rows go from plans to the table: one on this CPU and one on any OpenCL device, with variants that refuse, that
are wrong and that cannot be compiled. In the gate on this CPU alone."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

from library import EVERYTHING
from pipeline import ROOT, Pipeline, execute

sys.path.insert(0, str(ROOT / "evaluation"))
from harness import cpu_rows, gpu, machine, pass_plans, pass_report, processes  # noqa: E402

sys.path.insert(0, str(ROOT / "evaluation" / "passes"))
import points  # noqa: E402


def run(test, command, *arguments):
    return subprocess.run([sys.executable, str(ROOT / "evaluation" / "passes" / command), *map(str, arguments)],
                          capture_output=True, text=True, check=False, cwd=test.scratch)


def cells_of(text, first):
    """Of the lines of tables that begin so."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    return [row for row in rows if row[:1] == [first]]


def names(test):
    """Passes are the tool's; a group with another name is found out."""
    tangram = test.commands["tangram"]
    passes = pass_plans.optional(tangram)
    test.check(len(passes) > 25 and passes[0] == "results-in-place" and passes[-1] == "narrow-indexes", f"passes {passes}")
    before = dict(pass_plans.GROUPS)
    pass_plans.GROUPS["another"] = ("index-set-splitting", "no-such-pass")
    try:
        pass_plans.optional(tangram)
        test.fail("a group of a pass that there is not")
    except processes.Failed as error:
        test.check("no-such-pass" in str(error) and "index-set-splitting" not in str(error), f"message: {error}")
    finally:
        del pass_plans.GROUPS["another"]
    test.equal(pass_plans.GROUPS, before, "groups")


def selection(test):
    """About 25 rows of each kind of machine, each with sizes to predict for; a row that there is not is named."""
    for scale in ("small", "full"):
        options = argparse.Namespace(rows=None, scale=scale)
        on_cpu = [(row.name, point) for _, row, point in points.on_cpu(options)]
        on_gpu = [(row.name, point) for row, _, point in points.on_gpu(None, scale == "small")]
        for rows in (on_cpu, on_gpu):
            test.check(23 <= len(rows) <= 28, f"{len(rows)} rows")
            test.check(all(point.predict[0] in ("--size", "--input") for _, point in rows), "sizes of all")
    for command, *arguments in (("run",), ("prepare", "folder"), ("run_on_gpu", "folder")):
        done = run(test, command, *arguments, "--rows", "jacobi,nothing")
        test.check(done.returncode == 2 and done.stderr.count("\n") == 1 and "no row nothing (" in done.stderr,
                   f"{command}: status {done.returncode}: {done.stderr}")


def line(row, **without):
    return {"row": row, "title": row, "shape": "2^4", "plan": "p", "steps": ["S_P"], "of_results": False, "tunables": {},
            "median": 1, "without": {name.replace("_", "-"): {"times": value} if isinstance(value, float) else
                                     {"status": value, "reason": "in one\nfoo.c:1: error: here\nthe end"}
                                     for name, value in without.items()}}


def made_up(lines):
    return {**pass_report.begun({"passes": ["index-set-splitting", "stage-halos", "unroll-and-jam"],
                                 "groups": {"edges apart": ["index-set-splitting", "unroll-and-jam"]}}, machine.describe(), "full"),
            "lines": lines}


def judgement(test):
    entry = pass_report.times([1.0, 2.0, 4.0], [2.0, 6.0, 4.0], 3)
    test.equal((entry["times"], entry["quartiles"], entry["median"]), (2.0, [1.0, 3.0], 4.0), "a ratio of medians")
    for said, means in (("x: no end after 5 s", "too slow"), ("p: exit status 1\npeers: x.so refuses this size", "refused"),
                        ("p: exit status 3\npeers: element 0 is 1", "wrong"), ("p: exit status 139", "failed")):
        test.equal(pass_report.status(said), means, f"what {said!r} means")
    lines = [line("good", index_set_splitting=1.5, nothing=1.01), line("bad", index_set_splitting=0.8, unroll_and_jam="failed"),
             line("usual", index_set_splitting=1.2), {"row": "none", "title": "none", "shape": "1", "without": {}, "problem": "no plan"}]
    text = pass_report.tables(made_up(lines))
    short, whole = cells_of(text, "index-set-splitting")
    test.equal(short, ["index-set-splitting", "3", "1.50", "1.20", "0.80", "good", "bad"], "a pass in short")
    test.equal(whole, ["index-set-splitting", "1.50", "0.80", "1.20"], "a pass on all rows")
    test.equal(cells_of(text, "unroll-and-jam"), [["unroll-and-jam", "1", *"-----"], ["unroll-and-jam", "-", "failed", "-"]], "not timed")
    test.equal(cells_of(text, "stage-halos"), [], "a pass that changes nothing")
    test.check("changes without: stage-halos, all edges apart" in text and "foo.c:1: error: here" in text
               and "- none: none, 1: no plan" in text, f"sentences in {text}")
    test.equal([(bar["label"], bar["ratio"], bar["first"]) for bar in pass_report.bars(made_up(lines))],
               [("nothing (1)", 1.01, 1.01), ("index-set-splitting (3)", 1.5, 1.2)], "bars")


def joined(test):
    """Rows of two runs stand in the order of the selection; the later run counts."""
    files = []
    for number, lines in enumerate(([line("jacobi", index_set_splitting=1.5), line("sum", unroll_and_jam=1.1)],
                                    [line("sum", unroll_and_jam=1.2)])):
        files.append(test.scratch / f"run{number}.json")
        files[-1].write_text(json.dumps(made_up(lines)))
    done = run(test, "join", test.scratch / "joined", *files)
    test.equal(done.returncode, 0, f"join: {done.stderr}")
    lines = json.loads((test.scratch / "joined" / "passes_cpu.json").read_text())["lines"]
    test.equal([(each["row"], each["without"]) for each in lines],
               [("sum", {"unroll-and-jam": {"times": 1.2}}), ("jacobi", {"index-set-splitting": {"times": 1.5}})], "lines of both")
    files[1].write_text(json.dumps({**made_up([]), "device": "a GPU"}))
    done = run(test, "join", test.scratch / "joined", *files)
    test.check(done.returncode == 2 and "make no table" in done.stderr, f"runs of two kinds: {done.stderr}")


def peers_of_sobel(test, folder):
    """The program of cpu_benchmarks, with this row alone."""
    folder.mkdir(parents=True)
    source = test.scratch / "sobel.cpp"
    source.write_text('#include "row.h"\nRow makeSobel(const Words &sizes);\n'
                      'const std::map<std::string, Row (*)(const Words &)> makers = {{"sobel", makeSobel}};\n')
    done = execute(["g++", "-std=c++20", "-O0", "-fopenmp", "-DWITH_HALIDE=0", f"-I{cpu_rows.SHARED}", str(source),
                    str(cpu_rows.SHARED / "main.cpp"), *(str(ROOT / "evaluation/cpu_benchmarks" / name)
                                                         for name in ("images.cpp", "halide.cpp")),
                    "-ldl", "-o", str(folder / "peers")])
    test.equal(done.status, 0, f"peers: {done.err}")


def changed_variants(plans, row):
    return sorted({where for where in plans["rows"][row]["variants"].values() if where})


def whole_line_on_cpu(test):
    folder, out = test.scratch / "cpu", test.scratch / "out"
    peers_of_sobel(test, folder / "cpu_benchmarks")
    done = run(test, "run", "--tangram", test.commands["tangram"], "--rows", "sobel", "--scale", "small", "--prepare", folder)
    test.equal(done.returncode, 0, f"prepare: {done.stderr}")
    plans = json.loads((folder / "plans.json").read_text())
    changed = changed_variants(plans, "sobel")
    test.check(len(changed) >= 4 and "index-set-splitting" in changed, f"variants {changed}")
    base = pass_plans.text_of(pass_plans.Bundle(folder / "sobel" / pass_plans.PLAN))
    test.check(all(pass_plans.text_of(pass_plans.Bundle(folder / "sobel" / name)) != base for name in changed), "variants")
    refusing, wrong, broken = [name for name in changed if name != "index-set-splitting"][:3]
    for name, instead in ((refusing, "return 1; return"), (wrong, "return 0; return"), (broken, "no C")):
        entry = folder / "sobel" / name / "entry.c"
        entry.write_text(entry.read_text().replace("return", instead, 1))
    done = run(test, "run", "--tangram", test.commands["tangram"], "--rows", "sobel", "--scale", "small", "--prepared", folder,
               "--repeats", "3", "--out", out)
    test.equal(done.returncode, 0, f"run: {done.stderr}")
    measured = json.loads((out / "passes_cpu.json").read_text())["lines"][0]
    without = measured["without"]
    for name, status in ((refusing, "refused"), (wrong, "wrong"), (broken, "failed")):
        test.equal(without[name].get("status"), status, f"without {name}: {without[name]}")
    test.check(all(without[name]["times"] > 0 for name in ("index-set-splitting", pass_plans.NOTHING)), f"times: {without}")
    test.check(without["index-set-splitting"]["runs"] == 3 and measured["median"] > 0, f"runs of {measured}")
    page = (out / "passes_cpu.md").read_text()
    test.equal(len(cells_of(page, "index-set-splitting")), 2, f"lines of index-set-splitting in {page}")
    test.check((out / "passes_cpu.svg").exists(), "a drawing")


def whole_line_on_gpu(test):
    folder, out = test.scratch / "gpu", test.scratch / "out"
    done = run(test, "prepare", folder, "--tangram", test.commands["tangram"], "--hw", "simple-gpu", "--scale", "small", "--rows",
               "heat")
    test.equal(done.returncode, 0, f"prepare: {done.stderr}")
    changed = changed_variants(json.loads((folder / "plans.json").read_text()), "heat")
    test.check("index-set-splitting" in changed and len(changed) >= 3, f"variants {changed}")
    broken = next(name for name in changed if name != "index-set-splitting")
    for source in (folder / "heat" / broken).glob("*.cl"):
        source.write_text("no OpenCL C")
    (folder / "tangram-run").symlink_to(pathlib.Path(test.commands["tangram-run"]).resolve())
    writer = folder / "write_matrix"  # nothing is written for this row
    writer.write_text("#!/bin/sh\nexit 1\n")
    writer.chmod(0o755)
    done = run(test, "run_on_gpu", folder, "--rows", "heat", "--scale", "small", "--device", "0", "--repeats", "4", "--out", out)
    test.equal(done.returncode, 0, f"run_on_gpu: {done.stderr}")
    measured = json.loads((out / "passes_gpu.json").read_text())["lines"][0]
    without = measured["without"]
    test.equal(measured["verified_at_this_size"], True, "the plan is verified")
    test.equal(without[broken].get("status"), "failed", f"without {broken}: {without[broken]}")
    test.check(all(without[name]["times"] > 0 and without[name]["runs"] == 4 for name in ("index-set-splitting", pass_plans.NOTHING)),
               f"times: {without}")


def runner_without_cmake(test):
    """A machine without CMake builds tangram-run from a list of sources: every header that they include exists, and its source is in the list."""
    gpu.write_embedded(test.scratch)
    sources = gpu.runtime_sources()
    seen, open_files = set(), [ROOT / source for source in sources]
    while open_files:
        file = open_files.pop()
        for header in re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE):
            found = next((folder / header for folder in (ROOT, test.scratch, test.scratch / "embedded") if (folder / header).exists()), None)
            test.check(found is not None, f"{file}: no {header}")
            if found is None or found in seen:
                continue
            seen.add(found)
            open_files.append(found)
            body = header.removesuffix(".h") + ".cpp"
            test.check(body in sources or not (ROOT / body).exists(), f"{body} is not compiled")


def main():
    test = Pipeline(__doc__, as_shipped=True)
    names(test)
    selection(test)
    judgement(test)
    joined(test)
    runner_without_cmake(test)
    whole_line_on_cpu(test)
    if EVERYTHING and test.opencl_devices():
        whole_line_on_gpu(test)
    test.finish()


if __name__ == "__main__":
    main()
