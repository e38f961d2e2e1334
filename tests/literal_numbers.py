#!/usr/bin/env python3
"""Holds the numbers that stand in passes, analyses and predictions against literal_numbers.tsv, with a reason for each.

    literal_numbers.py             exit status 3: a number is not in the list, has another value there, or is not there any more
    literal_numbers.py --new       rows for the numbers that are not in the list

What is known of a machine stands in its model (hwmodels/), not in code. What stands in code has a kind:
    effort    how long a proof or a search may look; with another value the code is as right
    code      how large, or how far unrolled, generated code gets
    meaning   part of a format or of a language: bits of a word, the sides of a comparison
    guess     stands for a number that nobody knows before the code runs
    machine   holds for all machines that there are models of; the reason says why no model has it
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests/literal_numbers.tsv"
FOLDERS = ("codegen/analysis", "codegen/lockstep", "codegen/passes", "codegen/targets/opencl/pocl", "codegen/timing")
KINDS = ("effort", "code", "meaning", "guess", "machine")
NOT_CODE = re.compile(r'R"\(.*?\)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
NUMBER = r"(?:0x[\da-fA-F]+|\d[\d']*(?:\.\d+)?(?:[eE][-+]?\d+)?)"
NAMED = re.compile(r"\bconstexpr\b[^;={}()]*?\b(\w+)\s*=\s*([^;,]*?" + NUMBER + r"[^;,]*)[;,]|"
                   r"(?<=, )(\w+) = (" + NUMBER + r")(?=[,;])")
LITERAL = re.compile(r"(?<![\w.])" + NUMBER + r"(?![\w.'])")


def spaced(match: re.Match) -> str:
    """As many lines, and nothing else."""
    return " " + "\n" * match[0].count("\n")


def value_of(literal: str) -> float:
    text = literal.replace("'", "")
    return float(int(text, 16)) if text.startswith("0x") else float(text)


def is_plain(literal: str) -> bool:
    """A count that says itself what it is: 0 to 4."""
    return value_of(literal) in (0, 1, 2, 3, 4)


def numbers_in(text: str) -> list[tuple[str, str]]:
    """(name, value) of constants, and ("", literal) of numbers above 4, or with a fraction, that have no name."""
    code = NOT_CODE.sub(spaced, text)
    found = []
    for match in NAMED.finditer(code):
        name, value = match[1] or match[3], " ".join((match[2] or match[4]).split())
        if value not in ("0", "1", "2", "-1"):
            found.append((name, value))
    rest = NAMED.sub(spaced, code)
    found += [("", literal) for literal in LITERAL.findall(rest) if not is_plain(literal)]
    return list(dict.fromkeys(found))


def numbers() -> dict[tuple[str, str, str], None]:
    files = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*")
                   if file.suffix in (".cpp", ".h") and not file.name.endswith("_test.cpp"))
    return {(str(file.relative_to(ROOT)), name, value): None
            for file in files for name, value in numbers_in(file.read_text())}


def listed() -> tuple[dict[tuple[str, str, str], tuple[str, str]], list[str]]:
    rows, wrong = {}, []
    for number, line in enumerate(LIST.read_text().splitlines()[1:], 2):
        cells = line.split("\t")
        if len(cells) != 5 or cells[3] not in KINDS or len(cells[4].split()) < 3:
            wrong.append(f"tests/literal_numbers.tsv:{number}: expected file, name, value, a kind ({', '.join(KINDS)}) and a reason")
            continue
        rows[tuple(cells[:3])] = (cells[3], cells[4])
    return rows, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--new", action="store_true", help="rows for the numbers that are not in the list")
    options = parser.parse_args()
    there = numbers()
    if options.new:
        rows = listed()[0] if LIST.exists() else {}
        print(*("\t".join([*number, "", ""]) for number in there if number not in rows), sep="\n")
        return
    rows, wrong = listed()
    for file, name, value in there:
        if (file, name, value) not in rows:
            what = f"{name} = {value}" if name else value
            wrong.append(f"{file}: {what}: a figure of a machine belongs into its model; another number needs a row in "
                         "tests/literal_numbers.tsv that says why it is what it is")
    wrong += [f"tests/literal_numbers.tsv: {file} has no {name} {value} any more" for file, name, value in rows
              if (file, name, value) not in there]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(3 if wrong else 0)


main()
