"""Mistakes that are put into right programs are found by `tangram check --equiv`, and right programs are not accused.

Planted faults (mutations/planted.py) and mechanical mutants of one codelet: each operator, constant, condition and index
of it changed in turn. A mutant that survives stands in mutations/survivors.txt with the reason. Here a sample of both;
with TANGRAM_TEST_EVERYTHING=1 (scripts/test --all) all of them, and the whole library as it is. By hand: `--fault N` for
one of the faults, `--mutant N` for one of the mutants, `--only originals`, `--share 2/8` for a share of each.
"""

import concurrent.futures
import json
import re
import sys
import time

from library import EVERYTHING, SPECTRUMS, VARIANTS
from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline, unwatched_leaks

FOLDER = ROOT / "tests" / "mutations"
sys.path.insert(0, str(FOLDER))
from planted import FAULTS, LIBRARY  # pylint: disable=wrong-import-position

SHARE_FOUND = 0.95  # of the planted faults
EVERY_FAULT, EVERY_MUTANT = 20, 25  # of which one is in the sample

# The codelet that is mutated: its program, its first line and its last lines.
MUTATED = ("first_largest", "__codelet __coop __tag(lanes)", "  return best[0];\n}\n")

# Patterns and their replacements. Digits right behind a letter are part of a name, and stay.
REPLACEMENTS = [
    (r" \+ ", [" - "]), (r" - ", [" + "]), (r" \* ", [" + "]), (r" / ", [" * "]), (r" \+= ", [" -= "]),
    (r" /= ", [" *= "]), (r" < ", [" <= ", " > "]), (r" > ", [" >= ", " < "]), (r" == ", [" != "]),
    (r" && ", [" || "]), (r" \|\| ", [" && "]),
    (r"(?<![\w.])\d+(?![\w.])", ["MORE", "LESS"]),
    # A condition that holds where it did not: everything but its first operand is as it was.
    (r"\bif \(", ["if (true || ", "if (false && "]), (r"\bmin\(", ["max("]),
    (r"\[(\w+)\]", [r"[\1 + 1]"]),
    (r"= (\w+);", [r"= \1 + 1;"]),
]


def path_of(program):
    return ROOT / "codelets" / f"{program}.cpp" if program in LIBRARY else FOLDER / f"{program}.cpp"


class Mutant:
    """One place of a text changed."""

    def __init__(self, text, start, end, after):
        self.text = text[:start] + after + text[end:]
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        self.name = f"{line}:{column} {text[start:end].strip()} -> {after.strip()}"


def mutants_of(text, first, last):
    begin = text.index(first)
    end = text.index(last, begin) + len(last)
    for pattern, replacements in REPLACEMENTS:
        for found in re.finditer(pattern, text[begin:end]):
            start = begin + found.start()
            for each in replacements:
                after = changed(found, each)
                if after is not None:
                    yield Mutant(text, start, start + len(found.group()), after)


def changed(found, replacement):
    """What stands there instead; nothing where there is no such number."""
    if replacement == "MORE":
        return str(int(found.group()) + 1)
    if replacement == "LESS":
        return str(int(found.group()) - 1) if found.group() != "0" else None
    return found.expand(replacement)


class Checker:
    """Runs `check --equiv` on texts."""

    def __init__(self, test):
        self.test = test
        self.count = 0

    def verdict(self, program, text=None):
        """(status of the codelets, seconds, what was said)"""
        source = path_of(program)
        if text is not None:
            self.count += 1
            folder = self.test.scratch / f"mutant{self.count}"
            folder.mkdir()
            source = folder / source.name
            source.write_text(text)
        started = time.monotonic()
        done = self.test.run("tangram", "check", source, "-I", "codelets", "--equiv", "--spectrum",
                             LIBRARY.get(program, program), "--format", "json",
                             environment={**OPENMP_ENVIRONMENT, **unwatched_leaks()})
        seconds = time.monotonic() - started
        statuses = []
        if done.status in (0, 3):
            for spectrum in json.loads(done.out)["spectrums"]:
                statuses += [each["status"] for each in spectrum["codelets"]]
        return statuses, seconds, f"exit status {done.status}\n{done.out}{done.err}"


def all_of(work, items):
    """Two at a time, in order."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(zip(items, pool.map(work, items)))


def faulty(fault):
    text = path_of(fault.program).read_text()
    if text.count(fault.before) != 1:
        raise ValueError(f"{fault.program}: {fault.before!r} occurs {text.count(fault.before)} times")
    return text.replace(fault.before, fault.after)


def planted_are_found(test, checker, faults):
    missed = []
    for fault, (statuses, seconds, said) in all_of(
            lambda each: checker.verdict(each.program, faulty(each)), faults):
        found = "differs" in statuses
        print(f"{'found' if found else 'MISSED'} in {seconds:.1f} s: {fault.program}: {fault.why}", flush=True)
        test.check(statuses, f"{fault.program} with {fault.after!r}: {said}")
        if not found:
            missed.append(fault)
    most = len(faults) - SHARE_FOUND * len(faults)
    test.check(len(missed) <= most, f"{len(missed)} of {len(faults)} planted faults are missed: " +
               "; ".join(f"{each.program}: {each.why}" for each in missed))


def originals_are_right(test, checker, programs):
    for program, (statuses, _, said) in all_of(checker.verdict, programs):
        test.check(statuses and not {"differs", "not comparable"} & set(statuses),
                   f"{program} as it is: {said}")


def library_is_right(test):
    def check(each):
        file, spectrum = each
        return test.run("tangram", "check", f"codelets/{file}.cpp", "--equiv", "--spectrum", spectrum,
                        environment={**OPENMP_ENVIRONMENT, **unwatched_leaks()})
    for (_, spectrum), done in all_of(check, test.shared(SPECTRUMS + VARIANTS)):
        test.equal(done.status, 0, f"--equiv of {spectrum}\n{done.out}{done.err}")


def survivors():
    """The listed ones: name -> why nobody can see a difference."""
    listed = {}
    for line in (FOLDER / "survivors.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, why = line.split(" | ")
            listed[name] = why
    return listed


def mutants_are_found(test, checker, mutants, everything):
    program = MUTATED[0]
    listed = survivors()
    survived = set()
    for mutant, (statuses, _, said) in all_of(lambda each: checker.verdict(program, each.text), mutants):
        if "agrees" in statuses and "differs" not in statuses:
            survived.add(mutant.name)
            test.check(mutant.name in listed, f"mutant {mutant.name} of {program} survives\n{said}")
    if everything:
        for name in set(listed) - survived:
            test.fail(f"{name} is listed in survivors.txt but is found, or is no mutant any more")
    print(f"{len(mutants)} mutants, {len(survived)} survive", flush=True)


def more_arguments(parser):
    parser.add_argument("--fault", type=int, action="append", help="only this planted fault")
    parser.add_argument("--mutant", type=int, action="append", help="only this mutant")
    parser.add_argument("--only", choices=["faults", "mutants", "originals", "library"])


def main():
    test = Pipeline(__doc__, more_arguments)
    only = test.arguments
    checker = Checker(test)
    faults = FAULTS if EVERYTHING else FAULTS[::EVERY_FAULT]
    mutants = list(mutants_of(path_of(MUTATED[0]).read_text(), *MUTATED[1:]))
    chosen = mutants if EVERYTHING else mutants[::EVERY_MUTANT]
    if only.fault is not None:
        planted_are_found(test, checker, [FAULTS[number] for number in only.fault])
        test.finish()
    if only.mutant is not None:
        mutants_are_found(test, checker, [mutants[number] for number in only.mutant], False)
        test.finish()
    if only.only in (None, "faults"):
        planted_are_found(test, checker, test.shared(faults))
    if only.only in (None, "originals"):
        programs = test.shared(sorted({fault.program for fault in faults}))
        originals_are_right(test, checker, programs if EVERYTHING else programs[:1])
    if only.only in (None, "mutants"):
        mutants_are_found(test, checker, test.shared(chosen), EVERYTHING and test.is_whole())
    if only.only == "library" or (EVERYTHING and only.only is None):
        library_is_right(test)
    test.finish()


if __name__ == "__main__":
    main()
