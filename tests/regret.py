"""The table of regret (evaluation/regret): rank correlations and ratios of made-up lines are what they are by
hand, tables keep quiet about what too little was measured for, folders that are missing or broken are named, and one
small line goes all the way from plans to its table.
"""

import json
import pathlib
import subprocess
import sys

from pipeline import ROOT, Pipeline

sys.path.insert(0, str(ROOT / "evaluation"))
from harness import place, processes, regret_plans, regret_report  # noqa: E402
from harness.rank_correlation import kendall, ranks, spearman  # noqa: E402


def close(test, got, expected, what):
    test.check(got is not None and abs(got - expected) < 1e-9, f"{what}: {got} instead of {expected}")


def correlations(test):
    test.equal(ranks([3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0], "ranks")
    close(test, spearman([1, 2, 3, 4, 5], [1, 3, 2, 5, 4]), 0.8, "Spearman")
    close(test, kendall([1, 2, 3, 4, 5], [1, 3, 2, 5, 4]), 0.6, "Kendall")
    close(test, spearman([1, 2, 3], [9, 5, 1]), -1, "Spearman of the reverse")
    close(test, kendall([1, 1, 2], [1, 2, 3]), 2 / 6**0.5, "Kendall with a tie")
    test.equal(spearman([1, 1], [1, 2]), None, "Spearman of what is equal")
    test.equal(kendall([1, 1], [1, 2]), None, "Kendall of what is equal")


def setting(seconds):
    return {"plan": "p", "tunables": {}, "steps": ["S_P"], "median": 2 * seconds, "min": seconds,
            "quartiles": [seconds, 3 * seconds]}


def made_up(title, held_back, measured=50, plans=7, **seconds):
    candidates = [{"plan": str(i), "predicted": i, "seconds": -i if i else None} for i in range(plans + 1)]
    return regret_report.judged(
        {"row": title, "title": title, "shape": "2^4", "spectrum": "s", "held_back": held_back,
         "measured": measured,
         "candidates": candidates, "settings": {name.replace("_", " "): setting(value)
                                                for name, value in seconds.items()}}, "min")


def judgement(test):
    good = made_up("good", False, first=1.05, after_50=1.0, fast=1.02)
    test.equal(good["known"], "after 50", "the best known")
    close(test, good["regret"]["first"], 1.05, "regret")
    test.equal(good["correlation"], {"plans": 7, "spearman": -1.0, "kendall": -1.0}, "correlation")
    bad = made_up("bad", False, first=3.0, after_50=1.06, fast=1.0)
    for lines, met in (([good], True), ([good, bad], False), ([], False),
                       ([good, {"title": "none", "shape": "1", "held_back": False, "problem": "?"}], False)):
        test.equal(regret_report.met({"lines": lines}), met, f"goals of {len(lines)} lines")
    text = regret_report.tables({"lines": [good, bad, made_up("kept", True, first=9.0, fast=1.0)]})
    before, after = text.split("## Held back")
    test.check("| bad " in before and "| kept" not in before and "| kept" in after, f"two tables: {text}")
    for cells in (["first-ranked, every line", "1.25", "3.00", "1 of 2"],
                  ["after 50 measurements, every line", "1.05", "1.06", "1 of 2"]):
        test.check(any([cell.strip() for cell in line.split("|")[1:-1]] == cells
                       for line in before.splitlines()), f"no line {cells} in {before}")


def cells_of(text, first):
    """Of the lines of tables that begin so."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    return [row for row in rows if row[:1] == [first]]


def too_few(test):
    """What fewer plans or settings were measured of than its name says is not shown, and not counted."""
    seconds = {"first": 1.2, "of_20": 1.15, "after_50": 1.01, "fast": 1.0}
    few = made_up("few", False, measured=49, plans=19, **seconds)
    enough = made_up("enough", False, measured=50, plans=20, **seconds)
    goal = "after 50 measurements, every line"
    for lines, rest in (([few, enough], ["1.05", "1.01", "1 of 1; 1 of 2 lines measured so far"]),
                        ([few], ["1.05", "-", "0 of 1 lines measured so far"]),
                        ([enough], ["1.05", "1.01", "1 of 1"])):
        test.equal(cells_of(regret_report.goals_table(lines), goal), [[goal, *rest]], f"goal of {len(lines)} lines")
        test.equal(cells_of(regret_report.goals_table(lines), "first-ranked, every line")[0][-1],
                   f"{len(lines)} of {len(lines)}", "another goal")
    test.check("19 to 20 plans" in regret_report.counts_sentence([few, enough])
               and "49 to 50 measurements" in regret_report.counts_sentence([few, enough]), "of how many lines are")
    text = regret_report.tables({"lines": [few, enough]})
    test.check(regret_report.counts_sentence([few, enough]) in text, f"no sentence of how many in {text}")
    for line, of_20, after_50 in ((few, "-", "-"), (enough, "1.15", "1.01")):
        row = cells_of(text, line["title"])[0]
        test.equal([row[i] for i in (5, 7, 8)], ["1.20", of_20, after_50], f"cells of {line['title']}")
    good = {"measured": 50, "first": 1.05, "after_50": 1.0}
    test.equal(regret_report.met({"lines": [made_up("m", False, **good)]}), True, "goals of enough")
    test.equal(regret_report.met({"lines": [made_up("m", False, **{**good, "measured": 49})]}), False,
               "goals of too few")
    machine = {"processor": "", "cores": 1, "caches": [], "memory_gib": 1, "gpu": "", "system": "",
               "compilers": {}, "date": "", "revision": ""}
    for lines, drawn in (([few], False), ([few, enough], True)):
        regret_report.write("few", "few", {"machine": machine, "lines": lines}, test.scratch / "few", False)
        test.equal("best of 50" in (test.scratch / "few" / "few.svg").read_text(), drawn, "legend")


def folders(test):
    """Folders that cannot be read or written: one line, and status 2."""
    file = test.scratch / "a file"
    file.write_text("")
    broken, empty = test.scratch / "broken", test.scratch / "empty"
    for folder, text in ((broken, "{"), (empty, "{}")):
        folder.mkdir()
        (folder / "plans.json").write_text(text)
    for command, *arguments in (
            ("prepare", file), ("prepare", file / "below"), ("prepare", broken),
            ("run_on_gpu", test.scratch / "none"), ("run_on_gpu", file), ("run_on_gpu", broken),
            ("run_on_gpu", empty, "--out", file),
            ("run", "--plans", file), ("run", "--out", file / "below")):
        done = subprocess.run(
            [sys.executable, str(ROOT / "evaluation/regret" / command), *map(str, arguments), "--rows", "axpy"],
            capture_output=True, text=True, check=False)
        said = done.stderr.splitlines()
        test.check(done.returncode == 2 and len(said) == 1 and str(test.scratch) in said[0],
                   f"{command} {arguments}: status {done.returncode}: {done.stderr}")


def matrices(test):
    """A matrix that was not written to its end is not taken for one."""
    scratch = test.scratch / "matrices"
    scratch.mkdir()
    program = scratch / "program"
    folder = scratch / "poisson,3"

    def written(lines, limit_s=30):
        program.write_text(f'#!/bin/sh\necho x > "$3/values.npy"\n{lines}\n')
        program.chmod(0o755)
        return place.write_matrix(program, "poisson,3", "float", folder, limit_s, ("values", "columns"))

    for lines, limit_s in (("exec sleep 60", 0.5), ("exit 1", 30)):
        try:
            written(lines, limit_s)
            test.fail(f"a matrix of {lines}")
        except processes.Failed:
            pass
        test.equal(list(scratch.iterdir()), [program], f"what is left of {lines}")
    options = written('echo y > "$3/columns.npy"')
    test.equal(options, ["--input", f"values={folder}/values.npy", "--input", f"columns={folder}/columns.npy"],
               "options")
    test.equal(sorted(path.name for path in folder.iterdir()), ["columns.npy", "values.npy"], "arrays")
    test.equal(written("exit 1"), options, "a matrix that is there is not written again")


def diversity(test):
    """Of many alike a few, slower ones, and the best that begins otherwise."""
    alike = [{"steps": ["a", "b", "c", str(i)], "seconds": 1 + i / 1000} for i in range(50)]
    slower = [{"steps": ["a", "b", "c", "slow"], "seconds": 2.5}, {"steps": ["x"], "seconds": 6.0}]
    taken = [each["steps"][-1] for each in regret_plans.spread(alike + slower)]
    test.equal(taken, ["0", "1", "2", "slow", "x"], "what is taken of a list")


def whole_line(test):
    out = test.scratch / "out"
    done = subprocess.run(
        [sys.executable, str(ROOT / "evaluation/regret/run"), "--tangram", test.commands["tangram"], "--scale",
         "small", "--rows", "axpy", "--looks", "1", "--repeats", "1", "--rounds", "1", "--long", "30",
         "--out", str(out)],
        capture_output=True, text=True, check=False, cwd=test.scratch)
    test.check(not list(test.scratch.rglob("regret.db")), "a store that nobody asked for is left")
    test.equal(done.returncode, 0, f"regret of axpy: {done.stderr}")
    data = json.loads(pathlib.Path(out / "regret_cpu.json").read_text())
    line = data["lines"][0]
    test.equal(min(line["regret"].values()), 1.0, "the best known")
    test.check({"unasked", "first", "tuned", "of 20", "after 50"} <= set(line["settings"]),
               f"settings: {list(line['settings'])}")
    timed = [each for each in line["candidates"] if each["seconds"]]
    test.check(len(timed) >= 5, f"{len(timed)} candidates were timed")
    test.check(line["measured"] >= len(timed) + 30, f"{line['measured']} settings, 30 of them of the tuner")
    predicted = [each["predicted"] for each in timed]
    test.equal(predicted, sorted(predicted), "candidates by prediction")
    test.check((out / "regret_cpu.svg").exists() and "axpy" in (out / "regret_cpu.md").read_text(), "table and drawing")


def main():
    test = Pipeline(__doc__)
    correlations(test)
    judgement(test)
    too_few(test)
    folders(test)
    matrices(test)
    diversity(test)
    whole_line(test)
    test.finish()


if __name__ == "__main__":
    main()
