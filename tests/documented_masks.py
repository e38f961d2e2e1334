"""What of a command's output may be another one on another machine, or the next time: times and what follows from
them, numbers of processors, and how near to its bound a rounding error comes.

Only commands that run a kernel print such; of all others every character counts.
"""

import re

from documented_page import pieces

RUNS = re.compile(r"\btangram(?:-run)? (?:run|verify|time|tune)\b|--store\b|--equiv\b")
MASKS = [(re.compile(pattern), word) for pattern, word in (
    (r"^best: .*", "best: SOME"),
    (r"\bagrees \(.*\)", "agrees (SOME)"),  # as much as there is time for
    (r"\bon [^,]* \(\d+ threads?\)", "on SOME"),
    (r"\d[\d.,e+-]* (?:ns|us|ms|s)\b", "TIME"),
    (r"\d[\d.,e+-]* GB/s", "RATE"),
    (r"\b\d+\.\d\d+(?= +\w+_?\w*=)", "RATE"),  # in a table its unit stands in the heading
    (r", spread [\d.]+ %| = \d+ x median", ", SPREAD"),
    (r"\d[\d.]* %|max \d+ x median", "SPREAD"),
    (r"\b\d+\.\d{4,}(?:e[+-]?\d+)?\b", "NUMBER"),  # of floating point: compilers contract
    (r"\bp(_\d+)?=\d+", r"p\1=N"),
    (r"\d[\d.]* times as fast", "RATIO"),
    (r"(within|at most) [\d.e+-]+(?=[, )]|$)", r"\1 ERROR"),
    (r"\d+ shapes?, \d+ runs?(?:, \d+ left out)?", "SOME runs"),  # as many as there is time for
    (r", \d[\d.]* [KMG]?i?B(?:ytes)? of it temporaries|, \d+ bytes of it temporaries", ", SOME of it temporaries"),
    (r"\b[\d.]+ (?:[KMG]iB|bytes) of memory", "SOME of memory"),
)]
TIMED = re.compile(r"\bTIME\b")


def masked(line):
    for pattern, word in MASKS:
        line = pattern.sub(word, line)
    return re.sub(r" +", " ", line).rstrip()


def in_any_order(lines):
    """Lines with times that follow each other are sorted by them: here by their text."""
    found, run = [], []
    for line in [*lines, None]:
        if line is not None and TIMED.search(line):
            run.append(line)
        else:
            found += sorted(run)
            run = []
            if line is not None:
                found.append(line)
    return found


def stands_in(parts, found):
    """Whether the parts follow each other in `found`, the first at its beginning and the last at its end."""
    first, *others = parts
    if found[:len(first)] != first:
        return False
    at = len(first)
    for number, part in enumerate(others):
        if number == len(others) - 1:
            return len(found) - at >= len(part) and found[len(found) - len(part):] == part
        at = next((i + len(part) for i in range(at, len(found) - len(part) + 1) if found[i:i + len(part)] == part), None)
        if at is None:
            return False
    return at == len(found)


def differs(command, shown, found):
    """Whether the command prints something else than what is shown."""
    parts = pieces(shown)
    if RUNS.search(command):
        parts, found = [[masked(line) for line in part] for part in parts], [masked(line) for line in found]
        if len(parts) == 1:
            parts, found = [in_any_order(parts[0])], in_any_order(found)
    return not stands_in(parts, found)
