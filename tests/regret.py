"""The table of regret (evaluation/regret): rank correlations and ratios of made-up lines are what they are by
hand, and one small line goes all the way from plans to its table.
"""

import json
import pathlib
import subprocess
import sys

from pipeline import ROOT, Pipeline

sys.path.insert(0, str(ROOT / "evaluation"))
from harness import regret_plans, regret_report  # noqa: E402
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


def made_up(title, held_back, **seconds):
    candidates = [{"plan": str(i), "predicted": i, "seconds": -i if i else None} for i in range(8)]
    return regret_report.judged(
        {"row": title, "title": title, "shape": "2^4", "spectrum": "s", "held_back": held_back, "measured": 9,
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
         "small", "--rows", "axpy", "--looks", "1", "--repeats", "1", "--rounds", "1", "--out", str(out)],
        capture_output=True, text=True, check=False)
    test.equal(done.returncode, 0, f"regret of axpy: {done.stderr}")
    data = json.loads(pathlib.Path(out / "regret_cpu.json").read_text())
    line = data["lines"][0]
    test.equal(min(line["regret"].values()), 1.0, "the best known")
    test.check({"unasked", "first", "tuned", "of 20", "after 50"} <= set(line["settings"]),
               f"settings: {list(line['settings'])}")
    timed = [each for each in line["candidates"] if each["seconds"]]
    test.check(len(timed) >= 5, f"{len(timed)} candidates were timed")
    predicted = [each["predicted"] for each in timed]
    test.equal(predicted, sorted(predicted), "candidates by prediction")
    test.check((out / "regret_cpu.svg").exists() and "axpy" in (out / "regret_cpu.md").read_text(), "table and drawing")


def main():
    test = Pipeline(__doc__)
    correlations(test)
    judgement(test)
    diversity(test)
    whole_line(test)
    test.finish()


if __name__ == "__main__":
    main()
