"""The tables of figures of README.md and of evaluation/limits.md are what was measured (evaluation/figures), and a
figure that is not is found."""

import json
import re
import subprocess
import sys

from pipeline import ROOT, Pipeline

sys.path.insert(0, str(ROOT / "evaluation"))
from harness import limits  # noqa: E402

COMMAND = ROOT / "evaluation" / "figures"
RESULTS = ROOT / "evaluation" / "results"


def figures(*arguments):
    return subprocess.run([sys.executable, "-B", str(COMMAND), *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def up_to_date(test):
    done = figures("--check")
    test.equal(done.returncode, 0, f"figures of README.md:\n{done.stdout}{done.stderr}")


def changed_digits(test):
    """A digit of a time, of a rate, of a ratio, and of the ratio as it comes; and how they become right again."""
    page = (ROOT / "README.md").read_text()
    copy = test.scratch / "README.md"
    cells = re.search(r"^\| sum of 2\^28 floats \| (\S+) ms, (\S+) GB/s \| CUB: (\S+) ms \| (\S+) \| (\S+) \|$", page, re.M)
    for group in range(1, 6):
        at = cells.end(group) - 1
        copy.write_text(page[:at] + str((int(page[at]) + 1) % 10) + page[at + 1:])
        done = figures("--check", "--readme", copy)
        test.check(done.returncode == 3 and f"+{cells[0]}" in done.stdout.splitlines(),
                   f"column {group}: status {done.returncode}\n{done.stdout}{done.stderr}")
        test.equal(figures("--readme", copy).returncode, 0, "status of writing")
        test.check(copy.read_text() == page, f"column {group} is not written as it was")


def tables_themselves(test):
    """An empty table is filled; one that is missing, and a line that nobody measured, are said."""
    page = (ROOT / "README.md").read_text()
    copy = test.scratch / "README.md"
    copy.write_text(re.sub(r"(<!-- figures: cpu_libraries -->\n).*?(<!-- end)", r"\1\2", page, count=1, flags=re.S))
    test.equal(figures("--readme", copy).returncode, 0, "status of an empty table")
    test.check(copy.read_text() == page, "an empty table is not filled")
    copy.write_text(page.replace("<!-- figures: cpu_libraries -->", ""))
    done = figures("--readme", copy)
    test.check(done.returncode == 2 and "not one table '<!-- figures: cpu_libraries -->'" in done.stderr, done.stderr)

    results = test.scratch / "results"
    for file in RESULTS.rglob("*.json"):
        (results / file.relative_to(RESULTS)).parent.mkdir(parents=True, exist_ok=True)
        (results / file.relative_to(RESULTS)).write_bytes(file.read_bytes())
    data = json.loads((results / "cpu_libraries.json").read_text())
    data["lines"] = [line for line in data["lines"] if line["row"] != "axpy"]
    (results / "cpu_libraries.json").write_text(json.dumps(data))
    done = figures("--check", "--results", results)
    test.check(done.returncode == 2 and "cpu_libraries.json has no line axpy 268435456" in done.stderr, done.stderr)


def lines_that_miss(test):
    """limits.md lists what misses a goal, and says whether it is written about; what reaches all is not there."""
    page = (ROOT / "evaluation" / "limits.md").read_text()
    copy = test.scratch / "limits.md"
    copy.write_text(page.replace("<!-- end of figures -->", "| sum | 2^99 | CUB | 0.10 | - | 1.00 | - | yes |\n<!-- end of figures -->", 1))
    done = figures("--check", "--limits", copy)
    test.check(done.returncode == 3 and "-| sum | 2^99 |" in done.stdout, done.stdout)
    test.equal(figures("--limits", copy).returncode, 0, "status of writing")
    test.check(copy.read_text() == page, "limits.md is not written as it was")

    below = "| row | what |\n| --- | --- |\n| dot, sum | slow |\n| heat, 3 points; SpMV, irregular | slow |\n"
    for title, described in (("sum", True), ("dot", True), ("SpMV", True), ("heat, 3 points", True),
                             ("heat, 7 points", False), ("axpy", False), ("points", False)):
        test.equal(limits.is_described(title, below), described, f"{title} below")

    entry = {"title": "sum", "shape": "8", "row": "sum", "goal": 1, "library": "cub", "peer": {"how": "", "median": 0.8999},
             "ratios": {"best": {"ratio": 0.8999, "quartiles": [0.8, 0.9]}}, "ours": {"best": {"median": 1, "of_copy": 0.5}}}
    test.equal(limits.missed({**entry, "goal": 0.9}), [["CUB", "0.8999", "0.80 to 0.90", "0.90", "-"]], "missed by little")
    test.equal(limits.missed({**entry, "goal": 0.5}), [], "a goal that is reached")
    test.equal(limits.missed({**entry, "goal": 0.5, "of_copy_goal": 0.85}), [["a copy", "0.50", "-", "0.85", "-"]], "a copy")
    rodinias = {**entry, "goal": 0.5, "rodinia_goal": 2, "rodinia": [{"command": "bfs_cuda", "median": 1.5, "quartiles": [1, 2]}],
                "ours": {"best": {"median": 1, "quartiles": [1, 1]}}}
    test.equal(limits.missed(rodinias), [["Rodinia bfs_cuda", "1.50", "1.00 to 2.00", "2.00", "-"]], "Rodinia's")
    test.equal(limits.missed({"goal": 1, "problem": "the time was up"}), [["-", limits.ABSENT, "-", "1.00", "-"]], "no line")


def main():
    test = Pipeline(__doc__)
    up_to_date(test)
    changed_digits(test)
    tables_themselves(test)
    lines_that_miss(test)
    test.finish()


if __name__ == "__main__":
    main()
