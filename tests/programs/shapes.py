"""Programs of a known shape: a reduction, a map, a scan, a histogram, sums of rows that data or a matrix
define. Their codelets divide the work in every way the language has, over one element function, so they
agree by construction."""

import random as random_module
from dataclasses import dataclass, replace

from programs.lockstep import Lockstep, has_one_meaning
from programs.smaller import simpler_expressions, places, rebuilt
from programs.tree import SPELLING as FIRST_SPELLING
from programs.tree import Words, highest, is_float, literal, lowest, spell_literal, text_of

SIZES = (0, 1, 2, 3, 7, 8, 9, 31, 64, 97, 1000, 2049)
FEW_SIZES = (0, 1, 3, 8, 33)
X = ("name", "x")
SPELLING = {**FIRST_SPELLING, "u64": "unsigned long long"}  # the other one is in lockstep programs


@dataclass(frozen=True)
class Unit:
    """A codelet, or a spectrum with its first codelet, and what it needs besides."""
    label: str
    text: str
    needs: tuple = ()


@dataclass(frozen=True)
class Shape:
    """`seed` decides how the codelets are written, `function` is what is done to an element."""
    kind: str
    seed: str
    element: str  # type of x
    type: str     # type of what is made of it
    function: tuple
    without: frozenset = frozenset()

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
        if random.random() < 0.4:
            settings["NUM_THREADS" if target == "opencl" else "NUM_LANES"] = random.choice([1, 2, 4, 8, 16, 64])
        return settings

    def valid(self, random):
        return function_is_defined(self, random)

    def simpler(self):
        for unit in self.units():
            if unit.label != "meaning":
                yield replace(self, without=self.without | {unit.label})
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


def random_function(random, element, type_):
    whole = not is_float(element) and not is_float(type_)

    def expression(depth):
        kind = random.randrange(8)
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
        return X
    e = expression(2)
    return ("bin", "%", e, literal(1009)) if whole and type_[0] == "i" else e


# ----------------------------------------------------------------------------
# Ways to write a piece
# ----------------------------------------------------------------------------

def parts(random, containers, count="p"):
    """(statements before, the same parts of several containers)"""
    kind = random.randrange(4)
    if kind == 0:
        return "", [f"rows({c}, {count})" for c in containers]
    length = f"  unsigned len = {containers[0]}.size();\n"
    if kind == 1:
        return length + f"  unsigned tile = (len + {count} - 1) / {count};\n", [
            f"partition({c}, {count}, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1))"
            for c in containers]
    if kind == 2:
        return length, [f"partition({c}, {count}, sequence(0, 1, {count}), sequence({count}), sequence(len))"
                        for c in containers]
    return length + f"  unsigned tile = len / {count} + 1;\n", [
        f"partition({c}, {count}, sequence(0, tile, len + {count} * tile), sequence(1), "
        f"sequence(tile, tile, len + {count} * tile + 1))" for c in containers]


def in_order(random, containers, count="p"):
    """The same of parts that are next to each other."""
    while True:
        before, found = parts(random, containers, count)
        if f"sequence({count}), sequence(len)" not in found[0]:
            return before, found


def guarded(random, condition, statement, indent="  "):
    """`if (condition) statement`, in one of many ways."""
    left, *rest = condition.split(" && ")
    nested = f"{indent}if ({left}) {{\n{indent}  if ({rest[0]}) {{\n{indent}    {statement}\n{indent}  }}\n{indent}}}\n" \
        if rest else f"{indent}if ({left}) {{\n{indent}  if (coopDim() > 0)\n{indent}    {statement}\n{indent}}}\n"
    name = f"on{random.randrange(1000)}"
    return random.choice([
        f"{indent}if ({condition})\n{indent}  {statement}\n",
        nested, nested,
        f"{indent}bool {name} = {condition};\n{indent}if ({name})\n{indent}  {statement}\n",
        f"{indent}if (!({condition})) {{\n{indent}  dead += 1;\n{indent}}} else {{\n{indent}  {statement}\n{indent}}}\n",
        f"{indent}for (int round_{name} = 0; round_{name} < 3; ++round_{name}) {{\n{indent}  if (round_{name} == 1)\n{indent}    break;\n"
        f"{indent}  if ({condition}) {{\n{indent}    {statement}\n{indent}  }}\n{indent}}}\n",
    ])


class Operation:
    """Associative and commutative, with a neutral element."""

    def __init__(self, random, type_):
        kinds = ["+", "max", "min"] + ([] if is_float(type_) else ["^", "|", "&"])
        self.kind, self.type = random.choice(kinds), type_
        none = {"max": None, "min": None, "&": -1}.get(self.kind, 0)
        if self.kind == "max":
            none = -1e30 if is_float(type_) else lowest(type_)
        elif self.kind == "min":
            none = 1e30 if is_float(type_) else highest(type_)
        elif self.kind == "&" and type_[0] == "u":
            none = highest(type_)
        if self.kind in ("max", "min") and type_ in ("i32", "i64"):
            none = none // 2  # the least number cannot be written as one literal
        self.none = "0" if none == 0 else spell_literal(none, type_)
        self.atomic = {"+": "atomicAdd", "max": "atomicMax", "min": "atomicMin"}.get(self.kind)
        if type_ not in ("i32", "u32", "i64", "u64") and not (is_float(type_) and self.kind == "+"):
            self.atomic = None

    def of(self, a, b):
        return f"{self.kind}({a}, {b})" if self.kind in ("max", "min") else f"{a} {self.kind} {b}"

    def onto(self, random, a, b):
        """A statement that combines b into a."""
        if self.kind in ("max", "min"):
            sign = "<" if self.kind == "max" else ">"
            return random.choice([f"{a} = {self.kind}({a}, {b});", f"if ({a} {sign} {b}) {a} = {b};",
                                  f"{a} = {a} {sign} {b} ? {b} : {a};"])
        return random.choice([f"{a} {self.kind}= {b};", f"{a} = {b} {self.kind} {a};"])


def tree(random, op, type_):
    """From tmp, an element a lane, to tmp[0] or the last; the place of the result."""
    t = SPELLING[type_]
    kind = random.randrange(5)
    if kind == 0:
        step = guarded(random, "id >= s", op.onto(random, "tmp[id]", "tmp[id - s]"), "    ")
        return f"  for (unsigned s = 1; s < coopDim(); s *= 2) {{\n{step}  }}\n", "tmp[coopDim() - 1]"
    if kind == 1:
        step = guarded(random, "id % (2 * s) == 0 && id + s < coopDim()",
                       op.onto(random, "tmp[id]", "tmp[id + s]"), "    ")
        return f"  for (unsigned s = 1; s < coopDim(); s *= 2) {{\n{step}  }}\n", "tmp[0]"
    if kind == 2:
        return (f"  __shared {t} other[coopDim()];\n"
                f"  for (unsigned s = 1; s < coopDim(); s *= 2) {{\n"
                f"    other[id] = id >= s ? {op.of('tmp[id]', 'tmp[id - s]')} : tmp[id];\n"
                f"    tmp[id] = other[id];\n  }}\n"), "tmp[coopDim() - 1]"
    if kind == 3 and op.atomic:
        # (a lane's condition around it would be one more way)
        return (f"  __shared {t} all;\n  all = {op.none};\n" +
                guarded(random, "id < coopDim()", f"{op.atomic}(all, tmp[id]);")), "all"
    step = guarded(random, "id < s && id + s < size", op.onto(random, "tmp[id]", "tmp[id + s]"), "    ")
    return (f"  unsigned size = coopDim();\n  unsigned s = 1;\n  while (s < size)\n    s *= 2;\n"
            f"  for (s = s / 2; s > 0; s /= 2) {{\n{step}  }}\n"), "tmp[0]"


def load(random, op, type_):
    t = SPELLING[type_]
    kind = random.randrange(4)
    if kind == 0:
        return f"  tmp[id] = id < len ? value(in[id]) : {op.none};\n", True
    if kind == 1:
        return f"  tmp[id] = {op.none};\n" + guarded(random, "id < len", "tmp[id] = value(in[id]);"), True
    if kind == 2:
        return (f"  {t} own = {op.none};\n  for (unsigned i = id; i < len; i += coopDim())\n"
                f"    own = {op.of('own', 'value(in[i])')};\n  tmp[id] = own;\n"), False
    return (f"  tmp[id] = {op.none};\n  for (unsigned i = id; i < len; i += coopDim())\n"
            f"    tmp[id] = {op.of('tmp[id]', 'value(in[i])')};\n"), False


# ----------------------------------------------------------------------------
# Shapes: the units of a program, and the sizes it is tried at
# ----------------------------------------------------------------------------

def reduction(random, shape):
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    head = f"{t} f(const Array<1, {e}> in) {{"
    loop = random.choice([
        f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n",
        f"  unsigned i = 0;\n  while (i < in.size()) {{\n    accum = {op.of('accum', 'value(in[i])')};\n    ++i;\n  }}\n",
        f"  for (unsigned i = in.size(); i > 0; --i) {{\n    {t} one = value(in[i - 1]);\n"
        f"    accum = {op.of('accum', 'one')};\n  }}\n"])
    units = [Unit("meaning", f"__codelet\n{head}\n  {t} accum = {op.none};\n{loop}  return accum;\n}}")]
    units.append(Unit("combine", f"__codelet\n{t} combine(const Array<1, {t}> in) {{\n  {t} accum = {op.none};\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'in[i]')};\n"
                      f"  return accum;\n}}"))
    for number in range(random.choice([1, 2])):
        before, (part,) = parts(random, ["in"])
        result = random.choice([
            f"  return combine(map(f, {part}));\n",
            f"  Array<1, {t}> found = map(f, {part});\n  return combine(found);\n",
            f"  Array<1, {t}> found(p);\n  found = map(f, {part});\n  return combine(found);\n"])
        units.append(Unit(f"tiled{number}", f"__codelet __tag(tiled{number})\n{head}\n  __tunable unsigned p;\n"
                          f"{before}{result}}}", ("combine",)))
    loading, small = load(random, op, shape.type)
    folding, result = tree(random, op, shape.type)
    require = "  require(in.size() <= coopDim());\n" if small else ""
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n{require}  __shared {t} tmp[coopDim()];\n"
                      f"  unsigned len = in.size();\n  unsigned id = coopIdx();\n  int dead = 0;\n"
                      f"{loading}{folding}  return {result};\n}}"))
    if random.random() < 0.5:
        loading, _ = load(random, op, shape.type)
        folding, result = tree(random, op, shape.type)
        units.append(Unit("combine_lanes", f"__codelet __coop __tag(combine_lanes)\n{t} combine(const Array<1, {t}> in) {{\n"
                          f"  require(in.size() <= coopDim());\n  __shared {t} tmp[coopDim()];\n"
                          f"  unsigned len = in.size();\n  unsigned id = coopIdx();\n  int dead = 0;\n"
                          f"{loading.replace('value(in[id])', 'in[id]').replace('value(in[i])', 'in[i]')}"
                          f"{folding}  return {result};\n}}", ("combine",)))
    if random.random() < 0.4:
        units.append(Unit("one", f"__codelet\n{t} one({e} x) {{\n  return value(x);\n}}"))
        units.append(Unit("elements", f"__codelet __tag(elements)\n{head}\n  Array<1, {t}> all(in.size());\n"
                          f"  all = map(one, in);\n  return combine(all);\n}}", ("one", "combine")))
    if random.random() < 0.5:
        before, (part,) = parts(random, ["in"])
        units.append(Unit("onto", f"__codelet\n{t} onto({t} carry, const Array<1, {e}> in) {{\n"
                          f"  for (unsigned i = 0; i < in.size(); ++i)\n"
                          f"    carry = {op.of('carry', 'value(in[i])')};\n  return carry;\n}}"))
        units.append(Unit("onto_f", f"__codelet __tag(onto_f)\n{t} onto({t} carry, const Array<1, {e}> in) {{\n"
                          f"  {t} own = f(in);\n  return {op.of('carry', 'own')};\n}}", ("onto",)))
        units.append(Unit("chained", f"__codelet __tag(chained)\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  {t} none = {op.none};\n  return chain(onto, none, {part});\n}}", ("onto",)))
    if random.random() < 0.4:
        before, (part,) = parts(random, ["in"])
        units.append(Unit("into", f"__codelet\nvoid into(const Array<1, {e}> in, Array<1, {t}> acc) {{\n"
                          f"  require(acc.size() == 1);\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                          f"    acc[0] = {op.of('acc[0]', 'value(in[i])')};\n}}"))
        units.append(Unit("folded", f"__codelet __tag(folded)\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  Array<1, {t}> acc(1);\n  acc[0] = {op.none};\n  fold(into, {part}, all(acc));\n"
                          f"  return acc[0];\n}}", ("into",)))
    if op.atomic and random.random() < 0.5:
        before, (part,) = parts(random, ["in"])
        units.append(Unit("share", f"__codelet\nvoid share(const Array<1, {e}> in, Array<1, {t}> acc) {{\n"
                          f"  require(acc.size() == 1);\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                          f"    {op.atomic}(acc[0], value(in[i]));\n}}"))
        units.append(Unit("atomics", f"__codelet __tag(atomics)\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  Array<1, {t}> acc(1);\n  acc[0] = {op.none};\n  map(share, {part}, all(acc));\n"
                          f"  return acc[0];\n}}", ("share",)))
    if random.random() < 0.4:
        before, (part,) = parts(random, ["in"])
        inner, (piece,) = parts(random, ["in"], "q")
        units.append(Unit("blocks", f"__codelet\n{t} blocks(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                          f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                          f"  return accum;\n}}"))
        units.append(Unit("blocks_f", f"__codelet __tag(blocks_f)\n{t} blocks(const Array<1, {e}> in) {{\n"
                          f"  __tunable unsigned q;\n{inner}  Array<1, {t}> found = map(f, {piece});\n"
                          f"  return combine(found);\n}}", ("blocks", "combine")))
        if random.random() < 0.5:  # three deep
            units.append(Unit("blocks_b", f"__codelet __tag(blocks_b)\n{t} blocks(const Array<1, {e}> in) {{\n"
                              f"  __tunable unsigned r;\n  Array<1, {t}> found(r);\n"
                              f"  found = map(blocks, rows(in, r));\n  return combine(found);\n}}",
                              ("blocks", "combine")))
        units.append(Unit("nested", f"__codelet __tag(nested)\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  Array<1, {t}> found(p);\n  found = map(blocks, {part});\n"
                          f"  return combine(found);\n}}", ("blocks", "combine")))
    return units, (("in_size", SIZES),)


def elementwise(random, shape):
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    from_ = random.random() < 0.5  # the element's number counts too
    scalar = "unsigned from, " if from_ else ""
    head = f"void f({scalar}const Array<1, {e}> in, Array<1, {t}> out) {{"
    extra = f" + ({t})((from + i) % 7)" if from_ else ""
    update = random.random() < 0.3
    assign = f"out[i] {'+=' if update and shape.type[0] != 'i' else '='} value(in[i]){extra};"
    units = [Unit("meaning", f"__codelet\n{head}\n  require(out.size() == in.size());\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    {assign}\n}}")]
    for number in range(random.choice([1, 2])):
        before, found = in_order(random, ["in", "out"]) if from_ else parts(random, ["in", "out"])
        if from_:
            if "tile" not in before:
                before += "  unsigned tile = (in.size() + p - 1) / p;\n"
            found = ["sequence(from, tile, from + p * tile + 1)"] + found
        units.append(Unit(f"tiled{number}", f"__codelet __tag(tiled{number})\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  map(f, {', '.join(found)});\n}}"))
    alias = random.random() < 0.3
    view = "  auto seat = out;\n" if alias else ""
    to = assign.replace("out[i]", "seat[i]") if alias else assign
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n{view}"
                      f"  for (unsigned i = coopIdx(); i < in.size(); i += coopDim()) {{\n    {to}\n  }}\n}}"))
    if random.random() < 0.5:
        own = guarded(random, "i < in.size()", to)
        units.append(Unit("once", f"__codelet __coop __tag(once)\n{head}\n  require(in.size() <= coopDim());\n{view}"
                          f"  unsigned i = coopIdx();\n  int dead = 0;\n{own}}}"))
    if not from_ and not update and random.random() < 0.6:
        units.append(Unit("one", f"__codelet\n{t} one({e} x) {{\n  return value(x);\n}}"))
        units.append(Unit("elements", f"__codelet __tag(elements)\n{head}\n  out = map(one, in);\n}}", ("one",)))
        units.append(Unit("aside", f"__codelet __tag(aside)\n{head}\n  Array<1, {t}> all(in.size());\n"
                          f"  all = map(one, in);\n  copy(all, out);\n}}", ("one", "copy")))
        units.insert(1, Unit("copy", f"__codelet\nvoid copy(const Array<1, {t}> a, Array<1, {t}> b) {{\n"
                             f"  require(a.size() == b.size());\n  for (unsigned i = 0; i < a.size(); ++i)\n"
                             f"    b[i] = a[i];\n}}"))
    return units, (("in_size", SIZES),)


def scan(random, shape):
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    head = f"void f({t} start, const Array<1, {e}> in, Array<1, {t}> out) {{"
    units = [Unit("meaning", f"__codelet\n{head}\n  require(out.size() == in.size());\n  {t} accum = start;\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i) {{\n    accum = {op.of('accum', 'value(in[i])')};\n"
                  f"    out[i] = accum;\n  }}\n}}"),
             Unit("total", f"__codelet\n{t} total(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                  f"  return accum;\n}}"),
             Unit("starts", f"__codelet\nvoid starts({t} start, Array<1, {t}> a) {{\n  {t} accum = start;\n"
                  f"  for (unsigned i = 0; i < a.size(); ++i) {{\n    {t} own = a[i];\n    a[i] = accum;\n"
                  f"    accum = {op.of('accum', 'own')};\n  }}\n}}")]
    before, (one, two) = in_order(random, ["in", "out"])
    units.append(Unit("three", f"__codelet __tag(three)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  Array<1, {t}> a = map(total, {one});\n  starts(start, a);\n"
                      f"  map(f, a, {one}, {two});\n}}", ("total", "starts")))
    loading, _ = load(random, op, shape.type)
    if "i += coopDim" in loading:
        loading = f"  tmp[id] = id < len ? value(in[id]) : {op.none};\n"
    step = guarded(random, "id >= s", op.onto(random, "tmp[id]", "tmp[id - s]"), "    ")
    if random.random() < 0.3:
        step = (f"    {t} left = {op.none};\n" + guarded(random, "id >= s", "left = tmp[id - s];", "    ") +
                f"    tmp[id] = {op.of('tmp[id]', 'left')};\n")
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n  require(in.size() <= coopDim());\n"
                      f"  __shared {t} tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n{loading}  for (unsigned s = 1; s < coopDim(); s *= 2) {{\n{step}  }}\n"
                      f"  if (id < len)\n    out[id] = {op.of('start', 'tmp[id]')};\n}}"))
    if random.random() < 0.5:
        before, (one, two) = in_order(random, ["in", "out"])
        units += [Unit("on", f"__codelet\n{t} on({t} start, const Array<1, {e}> in, Array<1, {t}> out) {{\n"
                       f"  require(out.size() == in.size());\n  {t} accum = start;\n"
                       f"  for (unsigned i = 0; i < in.size(); ++i) {{\n    accum = {op.of('accum', 'value(in[i])')};\n"
                       f"    out[i] = accum;\n  }}\n  return accum;\n}}"),
                  Unit("on_f", f"__codelet __tag(on_f)\n{t} on({t} start, const Array<1, {e}> in, Array<1, {t}> out) {{\n"
                       f"  {t} own = total(in);\n  {t} next = {op.of('start', 'own')};\n  f(start, in, out);\n"
                       f"  return next;\n}}", ("on", "total")),
                  Unit("chained", f"__codelet __tag(chained)\n{head}\n  __tunable unsigned p;\n{before}"
                       f"  chain(on, start, {one}, {two});\n}}", ("on",))]
    return units, (("in_size", SIZES),)


def histogram(random, shape):
    low = random.choice([0, 0, -8, -3])
    high = random.choice([8, 16, 5])
    e = "int"
    t = SPELLING[random.choice(["i32", "u32", "i64", "u64"])]
    at = f"in[i] + {-low}" if low else "in[i]"
    one = f"in[i] - {low}" if low and random.random() < 0.5 else at
    count = high - low
    by = random.choice(["1", f"({t})(i % 3)"]) if False else "1"
    head = f"void f(const Array<1, {e}> in, Array<1, {t}> bins) {{"
    contract = f"  require(within(in, {low}, {high}));\n  require(bins.size() == {count});\n"
    units = [Unit("meaning", f"__codelet\n{head}\n{contract}  for (unsigned i = 0; i < in.size(); ++i)\n"
                  f"    bins[{one}] += {by};\n}}"),
             Unit("adds", f"__codelet\nvoid adds(const Array<1, {e}> in, Array<1, {t}> bins) {{\n{contract}"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    atomicAdd(bins[{at}], {by});\n}}")]
    before, (part,) = parts(random, ["in"])
    units.append(Unit("shared", f"__codelet __tag(shared)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  map(adds, {part}, all(bins));\n}}", ("adds",)))
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n  __shared {t} own[{count}];\n"
                      f"  for (unsigned b = coopIdx(); b < {count}; b += coopDim())\n    own[b] = 0;\n"
                      f"  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())\n"
                      f"    atomicAdd(own[{one}], {by});\n"
                      f"  for (unsigned b = coopIdx(); b < bins.size(); b += coopDim())\n    bins[b] += own[b];\n}}"))
    before, (part,) = parts(random, ["in"])
    units.append(Unit("private", f"__codelet\n{t} plus({t} a, const Array<1, {t}> in) {{\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    a += in[i];\n  return a;\n}}\n\n"
                      f"__codelet\nvoid count(const Array<1, {e}> in, Array<1, {t}> bins) {{\n{contract}"
                      f"  for (unsigned b = 0; b < bins.size(); ++b)\n    bins[b] = 0;\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    bins[{one}] += {by};\n}}\n\n"
                      f"__codelet __tag(privately)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  Array<2, {t}> own(p, bins.size());\n  map(count, {part}, own);\n"
                      f"  bins = map(plus, bins, transpose(own));\n}}"))
    return units, (("in_size", SIZES),)


def segments(random, shape):
    """Sums of the rows of a sparse matrix, so to say: data says where they are."""
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    head = f"void f(const Array<1, unsigned> offsets, const Array<1, {e}> in, Array<1, {t}> out) {{"
    contract = ("  require(offsets.size() == out.size() + 1);\n"
                "  require(ascending(offsets, 0, in.size()));\n")
    units = [Unit("meaning", f"__codelet\n{head}\n{contract}  for (unsigned r = 0; r < out.size(); ++r) {{\n"
                  f"    {t} accum = {op.none};\n    for (unsigned i = offsets[r]; i < offsets[r + 1]; ++i)\n"
                  f"      accum = {op.of('accum', 'value(in[i])')};\n    out[r] = accum;\n  }}\n}}"),
             Unit("total", f"__codelet\n{t} total(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                  f"  return accum;\n}}")]
    loading, small = load(random, op, shape.type)
    folding, result = tree(random, op, shape.type)
    require = "  require(in.size() <= coopDim());\n" if small else ""
    units.append(Unit("total_lanes", f"__codelet __coop __tag(total_lanes)\n{t} total(const Array<1, {e}> in) {{\n{require}"
                      f"  __shared {t} tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n{loading}{folding}  return {result};\n}}", ("total",)))
    units.append(Unit("rows", f"__codelet __tag(by_row)\n{head}\n  unsigned n = out.size();\n"
                      f"  out = map(total, partition(in, n, sequence(offsets, 0, 1, n), sequence(1),\n"
                      f"      sequence(offsets, 1, 1, n + 1)));\n}}", ("total",)))
    if random.random() < 0.6:
        units.append(Unit("row_lanes", f"__codelet __coop __tag(row_lanes)\n{head}\n"
                          f"  for (unsigned r = coopIdx(); r < out.size(); r += coopDim()) {{\n"
                          f"    {t} accum = {op.none};\n    for (unsigned i = offsets[r]; i < offsets[r + 1]; ++i)\n"
                          f"      accum = {op.of('accum', 'value(in[i])')};\n    out[r] = accum;\n  }}\n}}"))
    return units, (("out_size", (0, 1, 3, 8, 33)), ("in_size", (0, 1, 9, 64, 300)))


def matrix(random, shape):
    """What comes of each row, or column, of a matrix."""
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    by_row = random.random() < 0.6
    r, c = ("0", "1") if by_row else ("1", "0")
    at = "a[i][j]" if by_row else "a[j][i]"
    head = f"void f(const Array<2, {e}> a, Array<1, {t}> out) {{"
    units = [Unit("meaning", f"__codelet\n{head}\n  require(out.size() == a.size({r}));\n"
                  f"  for (unsigned i = 0; i < a.size({r}); ++i) {{\n    {t} accum = {op.none};\n"
                  f"    for (unsigned j = 0; j < a.size({c}); ++j)\n      accum = {op.of('accum', f'value({at})')};\n"
                  f"    out[i] = accum;\n  }}\n}}"),
             Unit("total", f"__codelet\n{t} total(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                  f"  return accum;\n}}"),
             Unit("each", f"__codelet __tag(each)\n{head}\n  out = map(total, {'a' if by_row else 'transpose(a)'});\n}}",
                  ("total",)),
             Unit("parts", f"__codelet __tag(parts)\n{head}\n  __tunable unsigned p;\n"
                  f"  map(f, {'rows' if by_row else 'cols'}(a, p), rows(out, p));\n}}")]
    loading, small = load(random, op, shape.type)
    folding, result = tree(random, op, shape.type)
    require = "  require(in.size() <= coopDim());\n" if small else ""
    units.append(Unit("total_lanes", f"__codelet __coop __tag(total_lanes)\n{t} total(const Array<1, {e}> in) {{\n{require}"
                      f"  __shared {t} tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n{loading}{folding}  return {result};\n}}", ("total",)))
    if random.random() < 0.6:
        row = "    auto row = a[i];\n" if by_row else ""
        units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n"
                          f"  for (unsigned i = coopIdx(); i < out.size(); i += coopDim()) {{\n{row}    {t} accum = {op.none};\n"
                          f"    for (unsigned j = 0; j < a.size({c}); ++j)\n"
                          f"      accum = {op.of('accum', 'value(row[j])' if by_row else 'value(a[j][i])')};\n"
                          f"    out[i] = accum;\n  }}\n}}"))
    if random.random() < 0.6:
        units += [Unit("more", f"__codelet\nvoid more(const Array<2, {e}> a, Array<1, {t}> out) {{\n"
                       f"  require(out.size() == a.size({r}));\n  for (unsigned i = 0; i < a.size({r}); ++i) {{\n"
                       f"    for (unsigned j = 0; j < a.size({c}); ++j)\n"
                       f"      out[i] = {op.of('out[i]', f'value({at})')};\n  }}\n}}"),
                  Unit("clear", f"__codelet\nvoid clear(Array<1, {t}> out) {{\n  for (unsigned i = 0; i < out.size(); ++i)\n"
                       f"    out[i] = {op.none};\n}}"),
                  Unit("folded", f"__codelet __tag(folded)\n{head}\n  __tunable unsigned p;\n  clear(out);\n"
                       f"  fold(more, {'cols' if by_row else 'rows'}(a, p), all(out));\n}}", ("more", "clear"))]
    return units, (("a_size0", FEW_SIZES), ("a_size1", FEW_SIZES))


def rounding(random, shape):
    """Floating point with many roundings, judged by the bound that the plan states."""
    t = random.choice(["float", "float", "double"])
    f = "f" if t == "float" else ""
    many = random.choice([10, 50, 200])
    step = random.choice([f"x = x * 1.001{f} + 0.1{f};", f"x = x * 0.5{f} + 0.25{f};",
                          f"x += x / 3.0{f} - 0.01{f};"])
    body = f"for (int k = 0; k < {many}; ++k)\n    {step}"
    decide = random.choice(["", "", f"  if (x > 0.5{f})\n    x -= 0.25{f};\n", f"  x += (int)(x * 10.0{f});\n"])
    head = f"{t} f(const Array<1, {t}> in) {{"
    where = random.choice(["helper", "codelet"])
    helper = f"{t} rounds({t} x) {{\n  {body}\n{decide}  return x;\n}}"
    one = "rounds(in[i])"
    units = [Unit("helper", helper)]
    units.append(Unit("meaning", f"__codelet\n{head}\n  {t} accum = 0;\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                      f"    accum += {one};\n  return accum;\n}}"))
    if where == "codelet":
        inside = body.replace("\n", "\n  ")
        units[1] = Unit("meaning", f"__codelet\n{head}\n  {t} accum = 0;\n"
                        f"  for (unsigned i = 0; i < in.size(); ++i) {{\n    {t} x = in[i];\n    {inside}\n"
                        f"  {decide.strip() and decide.replace(chr(10) + '  ', chr(10) + '    ')}    accum += x;\n  }}\n  return accum;\n}}")
    units.append(Unit("sum", f"__codelet\n{t} sum(const Array<1, {t}> in) {{\n  {t} accum = 0;\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum += in[i];\n  return accum;\n}}"))
    before, (part,) = parts(random, ["in"])
    units.append(Unit("tiled", f"__codelet __tag(tiled)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  return sum(map(f, {part}));\n}}", ("sum",)))
    op = Operation(random_module.Random(0), "f32")
    op.kind, op.none, op.atomic = "+", "0", "atomicAdd"
    folding, result = tree(random, op, "f32" if t == "float" else "f64")
    if random.random() < 0.5:
        units.append(Unit("adds", f"__codelet\nvoid adds(const Array<1, {t}> in, Array<1, {t}> acc) {{\n"
                          f"  require(acc.size() == 1);\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                          f"    atomicAdd(acc[0], {'rounds(in[i])' if random.random() < 0.5 else 'in[i] * in[i]'});\n}}"))
        units.append(Unit("adds_f", f"__codelet __tag(adds_f)\nvoid adds(const Array<1, {t}> in, Array<1, {t}> acc) {{\n"
                          f"  __tunable unsigned p;\n  map(adds, rows(in, p), all(acc));\n}}", ("adds",)))
        if "rounds" in units[-2].text:
            units.append(Unit("atomics", f"__codelet __tag(atomics)\n{head}\n  Array<1, {t}> acc(1);\n"
                              f"  acc[0] = 0;\n  adds(in, acc);\n  return acc[0];\n}}", ("adds",)))
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n  require(in.size() <= coopDim());\n"
                      f"  __shared {t} tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n  tmp[id] = id < len ? rounds(in[id]) : 0;\n{folding}  return {result};\n}}"))
    return units, (("in_size", (0, 1, 2, 9, 64, 1000)),)


MAKERS = {"reduction": reduction, "elementwise": elementwise, "scan": scan, "histogram": histogram,
          "segments": segments, "matrix": matrix, "rounding": rounding}


def random_shape(random, kind):
    while True:
        element = random.choice(["i32", "i32", "u32", "u8", "i8", "i16", "u16", "i64", "u64", "f32", "f64"])
        if is_float(element):
            type_ = element
        else:
            type_ = random.choice(["u32", "u32", "i32", "i64", "u64"])
        if kind in ("histogram", "rounding"):
            element = type_ = "i32"
        function = X if kind == "histogram" else random_function(random, element, type_)
        shape = Shape(kind, str(random.random()), element, type_, function)
        if function_is_defined(shape, random):
            return shape
