"""Ways to write a piece of a codelet: parts of containers, guards, operations, trees over the lanes."""

from dataclasses import dataclass

from programs.tree import SPELLING as FIRST_SPELLING
from programs.tree import highest, is_float, lowest, spell_literal

SIZES = (0, 1, 2, 3, 7, 8, 9, 31, 64, 97, 1000, 2049)
FEW_SIZES = (0, 1, 3, 8, 33)
SPELLING = {**FIRST_SPELLING, "u64": "unsigned long long"}  # the other one is in lockstep programs


@dataclass(frozen=True)
class Unit:
    """A codelet, or a spectrum with its first codelet, and what it needs besides."""
    label: str
    text: str
    needs: tuple = ()


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
