"""A failure made small: smaller sizes, fewer tunables, as long as it still fails."""

import time

SECONDS = 45  # for one failure


class Case:
    """What a plan was run with."""

    def __init__(self, shapes, tunables, seed):
        self.shapes, self.tunables, self.seed = shapes, tunables, seed

    def with_shape(self, extent, size):
        return Case({**self.shapes, extent: size}, self.tunables, self.seed)

    def with_tunable(self, name, value):
        return Case(self.shapes, {**self.tunables, name: value}, self.seed)

    def without_tunable(self, name):
        rest = {other: value for other, value in self.tunables.items() if other != name}
        return Case(self.shapes, rest, self.seed)


def smaller(number, least):
    """Numbers to try in place of `number`, smallest first."""
    tries = {least, 0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 33, number // 4, number // 2, number - 1}
    return sorted(n for n in tries if least <= n < number)


def simpler(case):
    """Cases that are simpler than this one in one respect, the boldest first."""
    if case.seed != 1:
        yield Case(case.shapes, case.tunables, 1)
    for name in case.tunables:
        yield case.without_tunable(name)
    for extent, size in case.shapes.items():
        for n in smaller(size, 0):
            yield case.with_shape(extent, n)
    for name, value in case.tunables.items():
        for n in smaller(value, 1):
            yield case.with_tunable(name, n)


def shrink(case, fails):
    """The simplest case reached from `case`, which fails, by steps that fail too."""
    deadline = time.monotonic() + SECONDS
    progress = True
    while progress and time.monotonic() < deadline:
        progress = False
        for other in simpler(case):
            if time.monotonic() > deadline:
                break
            if fails(other):
                case, progress = other, True
                break
    return case
