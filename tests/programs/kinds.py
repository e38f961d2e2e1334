"""The kinds of random programs there are."""

from functools import partial

from programs.random_lockstep import random_lockstep
from programs.random_loops import random_loops
from programs.shapes import MAKERS, random_shape
from programs.smaller import LockstepProgram


def lockstep(random, size):
    return LockstepProgram(random_lockstep(random, size))


def absolute(random, size):
    """Of its own, so that a seed goes on to mean the same lockstep programs."""
    return LockstepProgram(random_lockstep(random, size, absolute=True))


def of_shape(kind, random, size):
    return random_shape(random, kind)


KINDS = {"lockstep": lockstep, "absolute": absolute, "loops": random_loops, **{kind: partial(of_shape, kind) for kind in MAKERS}}
