"""Programs of a known shape: a reduction, a map, a scan, a histogram, sums of rows that data or a matrix
define, stencils. Their codelets divide the work in every way the language has, over one element function, so
they agree by construction."""

import random as random_module
from dataclasses import dataclass, replace

from programs.lockstep import Lockstep, has_one_meaning
from programs.neighbourhoods import Neighbourhood, Pad, random_boundary, random_neighbourhood
from programs.pieces import SPELLING
from programs.shapes_of_components import vectors
from programs.shapes_of_copies import copies
from programs.shapes_of_data import histogram, rounding, segments
from programs.shapes_of_matrices import grid, matrix, product, rowwise
from programs.shapes_of_neighbourhoods import stencil
from programs.shapes_of_numbers import numbers
from programs.shapes_of_rounds import rounds
from programs.shapes_of_steps import stencil_parts, stencil_steps, stencil_total
from programs.shapes_of_vectors import elementwise, generic, reduction, scan
from programs.smaller import places, rebuilt, simpler_expressions
from programs.tree import Words, is_float, literal, text_of

X = ("name", "x")


@dataclass(frozen=True)
class Shape:
    """`seed` decides how the codelets are written, `function` is what is done to an element; a stencil's
    `detail` is its neighbourhood."""
    kind: str
    seed: str
    element: str  # type of x
    type: str     # type of what is made of it
    function: tuple
    without: frozenset = frozenset()
    detail: Neighbourhood | None = None

    spectrum = "f"

    @property
    def program(self):
        return self

    def made(self):
        return MAKERS[self.kind](random_module.Random(self.seed), self)

    def units(self):
        """Those that are left, in order."""
        units = self.made()[0]
        gone = set(self.without)
        while True:
            more = {u.label for u in units if set(u.needs) & gone} - gone
            if not more:
                return [u for u in units if u.label not in gone]
            gone |= more

    def source(self):
        parts = ["#include <tangram.h>", self.function_text()]
        return "\n\n".join(parts + [u.text.strip() for u in self.units()]) + "\n"

    def function_text(self):
        return (f"{SPELLING[self.type]} value({SPELLING[self.element]} x) {{\n"
                f"  return {text_of(self.function, Words())};\n}}")

    def sizes(self):
        return self.made()[1]

    def settings(self, random, target):
        settings = {}
        if random.random() < 0.6:
            settings["p"] = random.choice([1, 2, 3, 5, 8, 64])
        if random.random() < 0.3:
            settings["p_2"] = random.choice([1, 2, 3, 7])
        for name in ("q", "t"):
            if random.random() < 0.3:
                settings[name] = random.choice([1, 2, 4, 8])
        if random.random() < 0.4:
            settings["NUM_THREADS" if target == "opencl" else "NUM_LANES"] = random.choice([1, 2, 4, 8, 16, 64])
        return settings

    def valid(self, random):
        return function_is_defined(self, random)

    def simpler(self):
        for unit in self.units():
            if unit.label not in ("meaning", "functions"):
                yield replace(self, without=self.without | {unit.label})
        if self.detail:
            for detail in self.detail.simpler():
                if detail_fits(self.kind, detail):
                    yield replace(self, detail=detail)
        for path, node in places(self.function):
            if node and node[0] not in ("lit",):
                for other in simpler_expressions(node):
                    yield replace(self, function=rebuilt(self.function, path, other))
        if self.function != X:
            yield replace(self, function=X)
        for type_ in ("i32", "u32"):
            if self.type == self.element and self.type != type_ and not (type_ == "u32" and self.type == "i32"):
                yield replace(self, type=type_, element=type_)

    def constructs(self):
        return ", ".join(u.label for u in self.units())


def function_is_defined(shape, random):
    body = ("block", ("if", ("bin", "<", ("id",), ("n",)),
                      ("block", ("decl", shape.element, "x", ("at", "in", ("id",))),
                       ("set", ("at", "out", ("id",)), "=", shape.function)), ("block",)))
    return has_one_meaning(Lockstep(shape.element, shape.type, "", body=body), random)


def random_function(random, element, type_, absolute=False):
    whole = not is_float(element) and not is_float(type_)

    def expression(depth):
        kind = random.randrange(9 if absolute else 8)
        if depth == 0 or kind == 0:
            return random.choice([X, X, literal(random.choice([1, 2, 3, 5]))])
        if kind < 4:
            return ("bin", random.choice(["+", "-"]), expression(depth - 1), expression(depth - 1))
        if kind == 4:
            return ("bin", "*", expression(depth - 1), literal(random.choice([2, 3, 7])))
        if kind == 5:
            return ("cond", ("bin", random.choice(["<", ">", "=="]), X, literal(random.choice([0, 3, 100]))),
                    expression(depth - 1), expression(depth - 1))
        if whole and kind == 6:
            return ("bin", "%", expression(depth - 1), literal(random.choice([5, 17, 101])))
        if whole and kind == 7:
            return ("cond", ("bin", "!=", X, literal(0)), ("bin", "/", literal(1000), X), expression(depth - 1))
        if kind == 8:
            return ("call", "abs", ("cast", "i64" if whole else type_, expression(depth - 1)))
        return X
    e = expression(2)
    return ("bin", "%", e, literal(1009)) if whole and type_[0] == "i" else e


MAKERS = {"reduction": reduction, "elementwise": elementwise, "scan": scan, "histogram": histogram,
          "segments": segments, "matrix": matrix, "rounding": rounding, "grid": grid, "rowwise": rowwise,
          "product": product, "generic": generic, "stencil": stencil, "stencil_total": stencil_total,
          "stencil_steps": stencil_steps, "stencil_parts": stencil_parts, "rounds": rounds,
          "numbers": numbers, "vectors": vectors, "copies": copies}

AS_LARGE = ("stencil_steps", "stencil_parts")  # stencils with as many results as elements


def random_detail(random, kind):
    """The neighbourhood of a stencil."""
    if kind in AS_LARGE:
        left, right = random.choice([(1, 1), (1, 1), (0, 1), (2, 0), (2, 2), (1, 3)])
        return Neighbourhood((left + right + 1,), (1,), (Pad(0, left, right, random_boundary(random)),))
    ranks = {"stencil": [1, 1, 1, 2, 2, 3], "stencil_total": [1, 1, 2]}
    return random_neighbourhood(random, random.choice(ranks[kind])) if kind in ranks else None


def detail_fits(kind, detail):
    """With as many results as elements where these are asked for."""
    return kind not in AS_LARGE or (len(detail.pads) == 1 and detail.padding(0) == detail.windows[0] - 1)


def random_shape(random, kind):
    while True:
        element = random.choice(["i32", "i32", "u32", "u8", "i8", "i16", "u16", "i64", "u64", "f32", "f64"])
        if is_float(element):
            type_ = element
        else:
            type_ = random.choice(["u32", "u32", "i32", "i64", "u64"])
        if kind in ("histogram", "rounding"):
            element = type_ = "i32"
        if kind in ("rowwise", "product"):
            element = type_ = random.choice(["u32", "u64", "i32", "u8"]) if kind == "rowwise" else "u32"
        if kind == "stencil_steps":  # (what is compared must not be rounded)
            element = type_ = random.choice(["i32", "u32", "u8", "i16", "i64", "u64"])
        if kind == "vectors":
            element = type_ = random.choice(["u32", "i32", "f32", "f32", "f64"])
        if kind == "rounds":  # (signed ones might overflow)
            element = type_ = random.choice(["u32", "u32", "u64", "f32", "f64"])
        function = X if kind == "histogram" else random_function(random, element, type_, kind == "numbers")
        shape = Shape(kind, str(random.random()), element, type_, function, detail=random_detail(random, kind))
        if function_is_defined(shape, random):
            return shape
