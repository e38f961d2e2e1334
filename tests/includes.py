#!/usr/bin/env python3
"""Holds the includes of C++ files against cmake/folders.txt: each folder includes those that its line allows.

    includes.py [--root FOLDER]       exit status 3 when an include is not allowed, or the list is wrong
    includes.py --bites               mistakes put into a small tree are found
"""

import argparse
import pathlib
import re
import sys
import tempfile

LIST = "cmake/folders.txt"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


class Folders:
    """The list: what each folder, and its tests, may include."""

    def __init__(self, text: str):
        self.allowed: dict[str, set[str]] = {}
        self.for_tests: dict[str, set[str]] = {}
        self.whole: set[str] = set()
        self.mistakes: list[str] = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.partition("#")[0].strip()
            if line:
                self._add(f"{LIST}:{number}", line)
        for folder, more in self.for_tests.items():
            for each in more - self.allowed.keys():
                self.mistakes.append(f"{LIST}: {folder}: no folder {each} in the list")

    def _add(self, place: str, line: str):
        name, colon, rest = line.partition(":")
        below, _, tests = rest.partition("|")
        name = name.strip()
        folder = name.removesuffix("/**")
        if not colon or folder in self.allowed:
            self.mistakes.append(f"{place}: expected FOLDER: FOLDER..., each folder once, found '{line}'")
            return
        if folder != name:
            self.whole.add(folder)
        reached = {folder}
        for each in below.split():
            if each in self.allowed:
                reached |= self.allowed[each]
            else:
                self.mistakes.append(f"{place}: {folder} may include folders of lines above it only, not {each}")
        self.allowed[folder] = reached
        self.for_tests[folder] = set(tests.split())

    def folder_of(self, file: pathlib.PurePath) -> str:
        """The folder of the list that a file belongs to, or the file's own."""
        own = file.parent.as_posix()
        for folder in self.whole:
            if own == folder or own.startswith(folder + "/"):
                return folder
        return own

    def may_include(self, folder: str, included: str, is_test: bool) -> bool:
        reached = self.allowed[folder]
        if is_test:
            more = self.for_tests[folder]
            reached = reached.union(more, *(self.allowed[each] | self.for_tests[each] for each in more))
            reached = reached.union(*(self.allowed.get(each, set()) for each in reached))
        return included in reached


def is_test(file: pathlib.PurePath) -> bool:
    return file.name.endswith(("_test.cpp", "_fixture.h"))


def problems_of(root: pathlib.Path) -> list[str]:
    folders = Folders((root / LIST).read_text())
    problems = list(folders.mistakes)
    tops = {folder.split("/")[0] for folder in folders.allowed}
    files = sorted(file for top in tops for file in (root / top).rglob("*") if file.suffix in (".cpp", ".h"))
    unlisted = set()
    for file in files:
        name = file.relative_to(root)
        folder = folders.folder_of(name)
        if folder not in folders.allowed:
            if folder not in unlisted:
                problems.append(f"{name}: folder {folder} is not in {LIST}")
            unlisted.add(folder)
            continue
        text = file.read_text()
        for found in INCLUDE.finditer(text):
            included = pathlib.PurePosixPath(found[1])
            to = folders.folder_of(included)
            if not (root / included).exists() or folders.may_include(folder, to, is_test(name)):
                continue
            line = text.count("\n", 0, found.start()) + 1
            problems.append(f"{name}:{line}: {folder} may not include {included}: {LIST} has no way from {folder} to {to}")
    return problems


def bites() -> list[str]:
    """What is not found of the mistakes that are made here."""
    missed = []

    def expect(what: str, listed: str, files: dict[str, str], problem: str):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {LIST: listed, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            found = problems_of(root)
            if found != ([problem] if problem else []):
                missed.append(f"{what}: expected {[problem]}, found {found}")

    low, high = {"a/low.h": ""}, {"b/high.h": '#include "a/low.h"\n'}
    expect("a right tree", "a:\nb: a\n", low | high, "")
    expect("an include that runs up", "a:\nb: a\n", {"a/low.h": '\n#include "b/high.h"\n', "b/high.h": ""},
           f"a/low.h:2: a may not include b/high.h: {LIST} has no way from a to b")
    expect("a circle in the list", "a: b\nb: a\n", low | high,
           f"{LIST}:1: a may include folders of lines above it only, not b")
    expect("a folder that is not listed", "a:\n", {"a/c/new.h": ""}, f"a/c/new.h: folder a/c is not in {LIST}")
    expect("a folder with those in it", "a/**:\n", {"a/c/new.h": '#include "a/d/other.h"\n', "a/d/other.h": ""}, "")
    expect("a test above its folder", "a: | b\nb: a\n", {"a/low_test.cpp": '#include "b/high.h"\n', "b/high.h": ""}, "")
    expect("what a test may, in no test", "a: | b\nb: a\n", {"a/low.cpp": '#include "b/high.h"\n', "b/high.h": ""},
           f"a/low.cpp:1: a may not include b/high.h: {LIST} has no way from a to b")
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--bites", action="store_true")
    options = parser.parse_args()
    problems = bites() if options.bites else problems_of(options.root)
    for problem in problems:
        print(problem)
    sys.exit(3 if problems else 0)


main()
