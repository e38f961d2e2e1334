"""The tables of figures of README.md are what was measured (evaluation/figures), and a figure that is not is found."""

import json
import re
import subprocess
import sys

from pipeline import ROOT, Pipeline

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
    results.mkdir()
    for file in RESULTS.glob("*.json"):
        (results / file.name).write_bytes(file.read_bytes())
    data = json.loads((results / "cpu_libraries.json").read_text())
    data["lines"] = [line for line in data["lines"] if line["row"] != "axpy"]
    (results / "cpu_libraries.json").write_text(json.dumps(data))
    done = figures("--check", "--results", results)
    test.check(done.returncode == 2 and "cpu_libraries.json has no line axpy 268435456" in done.stderr, done.stderr)


def main():
    test = Pipeline(__doc__)
    up_to_date(test)
    changed_digits(test)
    tables_themselves(test)
    test.finish()


if __name__ == "__main__":
    main()
