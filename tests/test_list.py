"""tests/README.md says which tests hold which guarantee, and names every test that CTest knows, in the half that runs it;
tests/times.tsv names none that is not there.

    python3 tests/test_list.py --build build
"""

import argparse
import itertools
import os
import re
import sys

from times import LONG, ROOT, check, tests_of

ROW = re.compile(r"\| (.+) \| (.*) \| (.*) \|")


def expanded(name):
    """`a_{b,c}` is `a_b` and `a_c`."""
    parts = [part.strip("{}").split(",") if part.startswith("{") else [part] for part in re.split(r"({.*?})", name)]
    return ["".join(chosen) for chosen in itertools.product(*parts)]


def named(cell):
    return [name for word in re.findall("`(.*?)`", cell) for name in expanded(word)]


def table():
    """(gate, all): the names of the table, as often as they stand in it."""
    text = (ROOT / "tests/README.md").read_text().split("| guarantee |", 1)[1].split("\n\n", 1)[0]
    rows = [ROW.fullmatch(line) for line in text.splitlines()[2:]]
    return [name for row in rows for name in named(row[2])], [name for row in rows for name in named(row[3])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default="build", help="build folder (default: build)")
    options = parser.parse_args()
    tests = tests_of(os.path.abspath(options.build))
    wrong = []
    for half, names in zip(("gate", LONG), table()):
        there = {test.name for test in tests if test.half == half}
        wrong += [f"tests/README.md: {name} has no line in the column of the {half} tests" for name in sorted(there - set(names))]
        wrong += [f"tests/README.md: {name} is no {half} test" for name in sorted(set(names) - there)]
        wrong += [f"tests/README.md: {name} stands there twice" for name in sorted(set(names)) if names.count(name) > 1]
    wrong += [f"tests/times.tsv: {text}" for text in check(tests)]
    print("\n".join(wrong) or f"{len(tests)} tests")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
