"""Spectrums of one loop: nests of loops over accesses of every kind, from which all other codelets are derived.

Each choice has a label, and its first option is the simplest, so that a program is made small by taking the first
option of one label after the other.
"""

import random as random_module
import re
from dataclasses import dataclass, replace

COUNTERS = "ijkl"
INPUTS = "abc"
EXTENTS = {1: (0, 1, 2, 7, 33, 64, 1000), 2: (0, 1, 5, 33), 3: (1, 9), 4: (1, 4)}
SUMMED = (0, 1, 5)
INTEGERS = ("int", "unsigned", "long", "unsigned char", "short")


@dataclass(frozen=True)
class LoopProgram:
    """`seed` decides each choice by its label; those in `plain` take their first option."""
    seed: str
    plain: frozenset = frozenset()

    kind = "loops"
    spectrum = "f"

    @property
    def program(self):
        return self

    def source(self):
        return Writer(self).source()

    def sizes(self):
        writer = Writer(self)
        writer.source()
        return tuple(writer.sizes.items())

    def settings(self, random, target):
        settings = {}
        for name in ("p", "t", "t_2", "t_3"):
            if random.random() < 0.3:
                settings[name] = random.choice([1, 2, 4, 8])
        if random.random() < 0.4:
            settings["NUM_THREADS" if target == "opencl" else "NUM_LANES"] = random.choice([1, 2, 4, 8, 16, 64])
        return settings

    def valid(self, _):
        return True

    def simpler(self):
        writer = Writer(self)
        writer.source()
        for label in writer.taken:
            yield replace(self, plain=self.plain | {label})

    def constructs(self):
        writer = Writer(self)
        writer.source()
        return ", ".join(f"{label} {option}" for label, option in writer.taken.items())


def random_loops(random, _):
    return LoopProgram(str(random.getrandbits(60)))


class Writer:
    """The text of one program."""

    def __init__(self, program):
        self.program = program
        self.taken = {}  # label: option, of choices that are not the simplest
        self.containers = {}  # name: its extents as text
        self.requirements, self.sizes = [], {}
        self.again = {}  # container: an element of it that any statement of its nest may read
        self.between = False

    def choose(self, label, options):
        option = options[0] if label in self.program.plain else (
            random_module.Random(f"{self.program.seed} {label}").choice(options))
        if option != options[0]:
            self.taken[label] = option
        return option

    # The whole

    def source(self):
        self.type = self.choose("type", ["int", "int", "unsigned", "float", "double", "long"])
        self.floats = self.type in ("float", "double")
        self.element = self.type if self.floats else self.choose("element", [self.type, self.type, *INTEGERS])
        self.form = self.choose("form", ["each", "each", "sum", "sum", "sum", "extreme", "place", "scan", "update",
                                         "total", "steps", "pivots"])
        self.rank = self.choose("rank", [1, 2, 2, 3, 3, 4])
        if self.form == "pivots":
            return self.pivots()
        if self.form == "total":
            return self.total()
        self.rank = min(self.rank, 3) if self.form == "steps" else self.rank
        self.free = EXTENTS[self.rank]
        self.results = [self.size("out", d, self.rank) for d in range(self.rank)]
        for d in range(self.rank):
            self.sizes[self.extent_name("out", d, self.rank)] = self.free
        body = self.steps() if self.form == "steps" else self.nest(0) + (
            self.second() if self.choose("second", ["no", "no", "yes"]) == "yes" else [])
        result = f"Array<{self.rank}, {self.type}>"
        return self.whole("void", body, f"{result} out, {result} next" if self.between else f"{result} out")

    def whole(self, result, body, last=None):
        parameters = [f"const Array<{len(extents)}, {self.element}> {name}" for name, extents in self.containers.items()]
        parameters += [f"{self.type} by"] if any(re.search(r"\bby\b", line) for line in body) else []
        parameters += [last] if last else []
        lines = ["#include <tangram.h>", "", f"__codelet {result} f({', '.join(parameters)}) {{"]
        lines += [f"  require({requirement});" for requirement in self.requirements]
        return "\n".join([*lines, *("  " + line for line in body), "}", ""])

    # Sizes

    @staticmethod
    def size(name, d, rank):
        return f"{name}.size({d})" if rank > 1 else f"{name}.size()"

    @staticmethod
    def extent_name(name, d, rank):
        return f"{name}_size{d}" if rank > 1 else f"{name}_size"

    # Nests

    def nest(self, number):
        """A perfect nest over the results around what is done to one of them."""
        self.label = f"nest {number} "
        self.counters = list(COUNTERS[:self.rank])
        self.borders = [self.choose(f"{self.label}border {d}", ["whole", "whole", "whole", "inside", "first"])
                        for d in range(self.rank)]
        order = list(range(self.rank))
        if self.choose(self.label + "order", ["given", "given", "other"]) == "other":
            random_module.Random(self.program.seed).shuffle(order)
        carried = self.form == "scan" and number == 0
        inner = order[-1] if carried else None
        around = order[:-1] if carried else order
        if carried:
            self.borders[inner] = "whole"
        self.outside, self.starting, self.ending = [], [], []
        body = self.scan(inner) if carried else self.element_of_result(number)
        triangle = self.choose(self.label + "triangle", ["no", "no", "no", "yes"]) == "yes" and len(around) > 1
        def around_it(body):
            for place, d in reversed(list(enumerate(around))):
                limit = self.counters[around[place - 1]] if triangle and place == len(around) - 1 else None
                body = self.loop(d, body, limit)
            return body
        body = around_it(body)
        for head in reversed(self.outside):
            body = [head, *braced(body)]
        starting = around_it(self.starting) if self.starting else []
        return [*starting, *body, *(around_it(self.ending) if self.ending else [])]

    def loop(self, d, body, limit=None):
        counter, size = self.counters[d], self.results[d]
        start = {"whole": "0", "inside": "1", "first": "2"}[self.borders[d]]
        end = f"{counter} + 1 < {size}" if self.borders[d] == "inside" else f"{counter} < {size}"
        if limit:
            end += f" && {counter} <= {limit}" if self.choose(self.label + "limit", ["and", "bound"]) == "and" else ""
        head = f"for (unsigned {counter} = {start}; {end}; ++{counter})"
        if limit and "&&" not in head:
            return [head, *braced([f"if ({counter} > {limit})", "  continue;", *body])]
        return [head, *(braced(body) if len(body) > 1 else indented(body))]

    def target(self):
        return "out" + "".join(f"[{counter}]" for counter in self.counters)

    def element_of_result(self, number):
        if self.form in ("sum", "extreme", "place") and number == 0:
            body = self.summed()
        elif self.form == "update" or number:
            operator = self.choose(self.label + "operator", ["+=", "=", "-=", "="])
            value = self.expression("value", [])
            body = [f"{self.target()} {operator} {value}{' + ' + self.target() if operator == '=' else ''};"]
        else:
            body = [f"{self.target()} = {self.expression('value', [])};"]
        guard = self.choose(self.label + "guard", ["no", "no", "no", "counters", "data"])
        if guard == "counters":
            other = self.counters[-1] if len(self.counters) > 1 else "3"
            body = [f"if ({self.counters[0]} {self.choose('comparison', ['>', '<=', '!='])} {other})", *braced(body)]
        elif guard == "data" and (element := self.read("condition", [])) != "1":
            body = [f"if ({element} > 2)", *braced(body)]
        return body

    def second(self):
        """A nest that works on what the first one made."""
        return self.nest(1)

    # Sums and the like

    def summed(self):
        count = self.choose(self.label + "summed", [1, 1, 1, 2, 2, 3])
        names = [f"q{n}" for n in range(count)]
        self.limits = {name: self.choose(f"limit {name}", ["3", "given", "given", "given", "2", "5"]) for name in names}
        given = [name for name in names if self.limits[name] == "given"][:3]
        if given:  # one container says how long these loops are
            mixed = self.choose("weights", ["alone", "alone", "by result"]) == "by result"
            extents = ([self.results[0]] if mixed else []) + [None] * len(given)
            self.containers["w"] = extents
            for n, name in enumerate(given):
                d = n + mixed
                self.limits[name] = self.size("w", d, len(extents))
                self.sizes[self.extent_name("w", d, len(extents))] = SUMMED
            if mixed:
                self.requirements.append(f"{self.size('w', 0, len(extents))} == {self.results[0]}")
            self.weight = "w" + (f"[{self.counters[0]}]" if mixed else "") + "".join(f"[{name}]" for name in given)
        else:
            self.weight = None
        value = self.expression("summand", names)
        if self.weight:
            value = f"{self.weight} * ({value})"
        start = self.choose("start", ["0", "1", "by"])
        take, before, result = self.combined(value, start, names)
        body = take
        kept = self.kept()
        if kept != "local":  # in the element itself
            text = re.compile(r"\bs\b")
            body = [text.sub(self.target(), line) for line in take]
            before = [f"{self.target()} = {start};"]
            result = text.sub(self.target(), result)
        skipped = self.choose("skipped", ["no", "no", "no", "if", "triangle"])
        if skipped == "if" and self.form != "place":
            body = [f"if ({self.counters[0]} + {names[0]} > 2)", *indented(body)] if len(body) == 1 else body
        for n, name in reversed(list(enumerate(names))):
            if kept == "outside":
                self.outside.insert(0, f"for (unsigned {name} = 0; {name} < {self.limits[name]}; ++{name})")
                continue
            below = f" && {name} <= {self.counters[-1]}" if skipped == "triangle" and n == 0 and (
                self.borders[self.rank - 1] == "whole") else ""
            head = f"for (unsigned {name} = 0; {name} < {self.limits[name]}{below}; ++{name})"
            body = [head, *(braced(body) if len(body) > 1 else indented(body))]
        ending = [f"{self.target()} = {result};"] if kept == "local" or result != self.target() else []
        if kept == "outside":
            self.starting, self.ending = before, ending
            return body
        return [*before, *body, *ending]

    def kept(self):
        """Where sums are: in a local, in the element, or in the element with their loops around those of the nest."""
        if self.form == "place":
            return "local"
        return self.choose(self.label + "kept", ["local", "local", "element", "outside"])

    def combined(self, value, start, names):
        """(statements of a round, statements before, the result)"""
        if self.form == "place":
            better = self.choose("better", [">", "<", ">=", "<="])
            return ([f"{self.type} next = {value};", f"if (next {better} top)",
                     *braced(["top = next;", f"at = {names[-1]};"])],
                    [f"{self.type} top = {start};", "unsigned at = 7;"],
                    self.choose("what", ["at", "at + top", "top"]))
        after = self.choose("after", ["s", "s", "s * 3 + 1", "s > 4 ? s : 4", f"s + {self.counters[0]}"])
        if self.form == "extreme":
            function = self.choose("function", ["max", "min"])
            return [f"s = {function}(s, {'(' + self.type + ')'}({value}));"], [f"{self.type} s = {start};"], after
        operator = self.choose("operator", ["+=", "+=", "-=", "|=" if not self.floats else "+=", "^=" if not self.floats else "+="])
        return [f"s {operator} {value};"], [f"{self.type} s = {start};"], after

    def scan(self, inner):
        step = self.choose("step", ["s += {}", "s = max(s, ({})({}))", "s = s * 3 + {}"])
        value = self.expression("value", [])
        text = step.format(self.type, value) if "max" in step else step.format(value)
        write = f"{self.target()} = s;"
        body = [f"{text};", write] if self.choose("inclusive", ["yes", "no"]) == "yes" else [write, f"{text};"]
        if self.floats and "* 3" in step:
            body = [line.replace("s * 3", "s * 0.5f") for line in body]
        return [f"{self.type} s = 0;", *self.loop(inner, body)]

    def total(self):
        """What the loops add up is returned."""
        self.rank = min(self.rank, 3)
        self.counters = list(COUNTERS[:self.rank])
        self.label, self.borders = "total ", ["whole"] * self.rank
        self.results = [self.size("a", d, self.rank) for d in range(self.rank)]
        self.containers["a"] = [None] * self.rank
        for d in range(self.rank):
            self.sizes[self.extent_name("a", d, self.rank)] = EXTENTS[self.rank]
        element = "a" + "".join(f"[{counter}]" for counter in self.counters)
        value = self.choose("of", [element, f"{element} * {element}", f"({element} > 2 ? {element} : {self.counters[0]})"])
        kind = self.choose("kind", ["sum", "extreme", "count"])
        if kind == "sum":
            body = [f"s += {value};"]
        elif kind == "extreme":
            body = [f"s = {self.choose('function', ['max', 'min'])}(s, ({self.type})({value}));"]
        else:
            body = [f"if ({value} > 2)", "  s += 1;"]
        for d in reversed(range(self.rank)):
            body = self.loop(d, body)
        after = self.choose("after", ["s", "s * 2 + 1"])
        return self.whole(self.type, [f"{self.type} s = {self.choose('start', ['0', '3'])};", *body, f"return {after};"])

    # Loops that keep their order

    def steps(self):
        """Time steps from one container to another and back, or within one."""
        self.label, self.counters = "steps ", list(COUNTERS[:self.rank])
        self.borders = ["inside"] * self.rank
        half = "0.25f * " if self.floats else ""

        def at(container, d=None, moved=""):
            return container + "".join(f"[{counter}{moved if n == d else ''}]" for n, counter in enumerate(self.counters))

        def sweep(source, target):
            last = self.rank - 1
            body = [f"{at(target)} = {half}({at(source, last, ' - 1')} + {at(source, last, ' + 1')} - "
                    f"{at(source, 0, ' + 1')});"]
            for d in reversed(range(self.rank)):
                body = self.loop(d, body)
            return body
        self.between = self.choose("containers", ["two", "two", "one"]) == "two"
        body = sweep("out", "next") + sweep("next", "out") if self.between else sweep("out", "out")
        if self.between:
            self.requirements += [f"{self.size('next', d, self.rank)} == {self.results[d]}" for d in range(self.rank)]
        return [f"for (unsigned step = 0; step < {self.choose('rounds', ['2', '1', '3'])}; ++step)", *braced(body)]

    def pivots(self):
        """Elimination: each round changes what is behind it by what is in its row and column."""
        self.rank, self.label = 2, "pivots "
        self.sizes["out_size0"] = (0, 1, 2, 7, 20)
        self.requirements.append("out.size(1) == out.size(0)")
        above = self.choose("above", ["k + 1", "0"])
        change = self.choose("change", ["out[i][j] - out[i][k] * out[k][j]", "min(out[i][j], out[i][k] + out[k][j])",
                                        "out[i][j] + out[k][j]", "out[i][j] + out[i][k]"])
        if above == "0":  # then only what gives the same in every order is fine
            change = "min(out[i][j], out[i][k] + out[k][j])"
        scaled = self.choose("scaled", ["no", "yes"]) == "yes" and above != "0"
        half = "0.125f" if self.floats else "3"
        body = (["for (unsigned i = k + 1; i < out.size(0); ++i)", f"  out[i][k] *= {half};"] if scaled else []) + [
            f"for (unsigned i = {above}; i < out.size(0); ++i)", f"  for (unsigned j = {above}; j < out.size(1); ++j)",
            f"    out[i][j] = {change};"]
        return self.whole("void", ["for (unsigned k = 0; k < out.size(0); ++k)", *braced(body)],
                          f"Array<2, {self.type}> out")

    # Expressions

    def expression(self, label, summed):
        count = self.choose(f"{self.label}{label} reads", [1, 1, 2, 3])
        text = self.read(f"{label} 0", summed)
        for n in range(1, count):
            operator = self.choose(f"{self.label}{label} operator {n}", ["+", "-", "*"])
            text = f"{text} {operator} {self.read(f'{label} {n}', summed)}"
        more = self.choose(f"{self.label}{label} more", ["", "", "", " + by", " + counter"])
        return text + more.replace("counter", f"(int){self.counters[0]}")

    def read(self, label, summed):
        """An element of an input, whose extents follow from the loops."""
        name = self.choose(f"{self.label}{label} container", ["new", "new", "own"])
        label = f"{self.label}{label} "
        if name == "own" and self.form in ("update",):
            return self.target()
        free = [name for name in INPUTS if name not in self.containers]
        if not free:
            known = [name for name in INPUTS if name in self.containers]
            return self.again.get(known[0], "1")
        name = free[0]
        loops = [*self.counters, *summed]
        rank = self.choose(label + "rank", [min(2, len(loops)), 1, min(2, len(loops)), min(3, len(loops)), min(4, len(loops))])
        subscripts = [self.subscript(f"{label}{d} ", loops, summed, d, rank) for d in range(rank)]
        self.containers[name] = [extent for _, extent in subscripts]
        self.requirements += [f"{self.size(name, d, rank)} == {extent}" for d, (_, extent) in enumerate(subscripts)]
        text = name + "".join(f"[{index}]" for index, _ in subscripts)
        self.again[name] = text if not summed else "1"
        return text

    def extent(self, loop):
        return self.results[self.counters.index(loop)] if loop in self.counters else self.limits[loop]

    def subscript(self, label, loops, summed, d, rank):
        """(the index, how many elements the dimension has)"""
        loop = self.choose(label + "loop", [loops[min(d + max(0, len(loops) - rank), len(loops) - 1)], *loops])
        kind = self.choose(label + "kind", ["same", "same", "same", "moved", "times", "window", "window", "reversed", "constant"])
        size = self.extent(loop)
        if kind == "constant":
            return "0", "1"
        if kind == "moved":
            by = self.choose(label + "by", [1, 2, 3])
            return f"{loop} + {by}", f"{size} + {by}"
        if kind == "times":
            times = self.choose(label + "times", [2, 3])
            return f"{times} * {loop}", f"{times} * {size}"
        if kind == "reversed":
            return f"{size} - 1 - {loop}", size
        if kind == "window" and summed and loop not in summed:
            other = self.choose(label + "other", summed)
            step = self.choose(label + "step", [1, 1, 2])
            apart = self.choose(label + "apart", [1, 1, 2, 3])
            index = f"{loop if step == 1 else f'{step} * {loop}'} + {other if apart == 1 else f'{apart} * {other}'}"
            extent = f"{size if step == 1 else f'{step} * {size}'} + {self.extent(other) if apart == 1 else f'{apart} * {self.extent(other)}'}"
            return index, extent
        return loop, size


def indented(lines):
    return ["  " + line for line in lines]


def braced(lines):
    return ["  " + line if n else line for n, line in enumerate(["{", *lines])] + ["}"]
