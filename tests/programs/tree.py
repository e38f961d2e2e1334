"""Programs as trees: types, expressions and statements, their text, and what may be done with them.

A node is a tuple, its first element what it is. Names are unique in a program, so the type of a name
does not depend on where it stands.

Expressions
    ("lit", value, type)          ("name", x)              ("id",) ("n",) ("dim",)
    ("un", "-" | "!" | "~", e)    ("bin", op, a, b)        ("cond", c, a, b)
    ("at", array, index)          ("cast", type, e)        ("call", "min" | "max" | "abs" | helper, e...)

Statements
    ("decl", type, x, e)          a lane's own variable
    ("array", type, x, size)      a lane's own array
    ("set", target, op, e)        target: ("name", x) or ("at", ...); op: "=", "+=", ...
    ("atomic", function, target, e, x or None)    x: what the value before is assigned to
    ("atomic", "atomicCAS", target, e, x or None, expected)
    ("if", c, block, block)       ("for", type, x, start, c, step, block)
    ("switch", e, x, ("case", number, block)..., block)    x: a name for the value of e, an i32
    ("while", c, block)           ("break",) ("continue",)
    ("block", statement...)
"""

import struct

INTEGERS = ("bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
SPELLING = {"bool": "bool", "i8": "signed char", "u8": "unsigned char", "i16": "short",
            "u16": "unsigned short", "i32": "int", "u32": "unsigned", "i64": "long long",
            "u64": "unsigned long", "f32": "float", "f64": "double"}
BITS = {"bool": 1, "i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGIC = ("&&", "||")
PRECEDENCE = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7,
              ">=": 7, "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1}


class Invalid(Exception):
    """A program that the language gives no meaning, or more than one."""


# ----------------------------------------------------------------------------
# Types and values
# ----------------------------------------------------------------------------

def is_float(type_):
    return type_ in ("f32", "f64")


def is_signed(type_):
    return type_[0] == "i"


def promoted(type_):
    return "i32" if type_ in ("bool", "i8", "u8", "i16", "u16") else type_


def common(a, b):
    """C++'s usual arithmetic conversions."""
    for type_ in ("f64", "f32"):
        if type_ in (a, b):
            return type_
    a, b = promoted(a), promoted(b)
    for type_ in ("u64", "i64", "u32"):
        if type_ in (a, b):
            return type_
    return "i32"


def convert(value, type_):
    if type_ == "bool":
        return value != 0
    if type_ == "f32":
        return struct.unpack("f", struct.pack("f", float(value)))[0]
    if type_ == "f64":
        return float(value)
    if isinstance(value, float):
        if value != value or not -2.0 ** 31 < value < 2.0 ** 31:
            raise Invalid("conversion of a number that is too large")
        value = int(value)
        if not lowest(type_) <= value <= highest(type_):
            raise Invalid("conversion of a number that does not fit")
    value = int(value) & ((1 << BITS[type_]) - 1)
    return value - (1 << BITS[type_]) if is_signed(type_) and value >> (BITS[type_] - 1) else value


def lowest(type_):
    return -(1 << (BITS[type_] - 1)) if is_signed(type_) else 0


def highest(type_):
    return (1 << (BITS[type_] - (1 if is_signed(type_) else 0))) - 1


def checked(value, type_):
    """Of an operation in this type: signed numbers may not overflow."""
    if is_signed(type_) and not lowest(type_) <= value <= highest(type_):
        raise Invalid("signed overflow")
    return convert(value, type_)


def binary(op, a, b, type_):
    """Of operands that have this type already."""
    if op == "+":
        return checked(a + b, type_)
    if op == "-":
        return checked(a - b, type_)
    if op == "*":
        return checked(a * b, type_)
    if op in ("/", "%"):
        if b == 0:
            raise Invalid("division by zero")
        if is_float(type_):
            return convert(a / b, type_)
        quotient = abs(a) // abs(b)
        quotient = -quotient if (a < 0) != (b < 0) else quotient
        return checked(quotient if op == "/" else a - quotient * b, type_)
    if op in ("<<", ">>"):
        if not 0 <= b < BITS[type_] or (op == "<<" and a < 0):
            raise Invalid("shift")
        return checked(a << b if op == "<<" else a >> b, type_)
    if op == "&":
        return convert(a & b, type_)
    if op == "|":
        return convert(a | b, type_)
    if op == "^":
        return convert(a ^ b, type_)
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[op]


# ----------------------------------------------------------------------------
# What stands in a tree
# ----------------------------------------------------------------------------

def nodes(node):
    """It and all below it."""
    yield node
    for part in node:
        if isinstance(part, tuple):
            yield from nodes(part)


def names_in(node):
    return {each[1] for each in nodes(node) if each and each[0] in ("name", "at")}


def called_in(node):
    return {each[1] for each in nodes(node) if each and each[0] == "call"}


def desugared(node):
    """Without `switch`: its value is made once, and decides as conditions do."""
    if not node:
        return node
    node = tuple(desugared(part) if isinstance(part, tuple) else part for part in node)
    if node[0] != "switch":
        return node
    chosen = node[-1]
    for case in reversed(node[3:-1]):
        test = ("bin", "==", ("name", node[2]), ("lit", case[1], "i32"))
        chosen = ("block", ("if", test, case[2], chosen))
    return ("block", ("decl", "i32", node[2], node[1]), *chosen[1:])


def literal(value, type_="i32"):
    return ("lit", value, type_)


def type_of(expression, types):
    kind = expression[0]
    if kind == "lit":
        return expression[2]
    if kind in ("id", "n", "dim"):
        return types[kind]
    if kind in ("name", "at"):
        if expression[1] not in types:
            raise Invalid(f"{expression[1]} is not declared")
        return types[expression[1]]
    if kind == "un":
        return "bool" if expression[1] == "!" else promoted(type_of(expression[2], types))
    if kind == "bin":
        if expression[1] in COMPARISONS + LOGIC:
            return "bool"
        if expression[1] in ("<<", ">>"):
            return promoted(type_of(expression[2], types))
        return common(type_of(expression[2], types), type_of(expression[3], types))
    if kind == "cond":
        a, b = type_of(expression[2], types), type_of(expression[3], types)
        return a if a == b else common(a, b)
    if kind == "cast":
        return expression[1]
    if kind == "call":
        if expression[1] in ("min", "max", "abs"):
            return type_of(expression[2], types)
        return types[expression[1]]
    raise AssertionError(expression)


# ----------------------------------------------------------------------------
# Text
# ----------------------------------------------------------------------------

class Words:
    """How leaves are spelled; the meaning of a program spells them otherwise."""

    def __init__(self, id_="id", n="n", dim="coopDim()"):
        self.id, self.n, self.dim = id_, n, dim

    def name(self, x):
        return x

    def element(self, x, index):
        return f"{x}[{text_of(index, self)}]"


def spell_literal(value, type_):
    if type_ == "bool":
        return "true" if value else "false"
    if is_float(type_):
        text = repr(float(value))
        return text + ("f" if type_ == "f32" else "")
    return str(value) + {"u32": "u", "i64": "ll", "u64": "ul"}.get(type_, "")


def text_of(e, words, above=0):
    """`above`: how tightly what it stands in binds."""
    kind = e[0]
    if kind == "lit":
        text = spell_literal(e[1], e[2])
        return f"({text})" if text[0] == "-" and above > 11 else text
    if kind == "id":
        return words.id
    if kind == "n":
        return words.n
    if kind == "dim":
        return words.dim
    if kind == "name":
        return words.name(e[1])
    if kind == "at":
        return words.element(e[1], e[2])
    if kind == "cast":
        return f"({SPELLING[e[1]]}){text_of(e[2], words, 12)}"
    if kind == "call":
        return f"{e[1]}({', '.join(text_of(each, words) for each in e[2:])})"
    if kind == "un":
        text, mine = e[1] + text_of(e[2], words, 12), 11
    elif kind == "cond":
        text, mine = (f"{text_of(e[1], words, 1)} ? {text_of(e[2], words, 1)} : "
                      f"{text_of(e[3], words, 1)}"), 0.5
    else:
        op, mine = e[1], PRECEDENCE[e[1]]
        # Compilers warn of some mixtures that C++ defines.
        mixed = op in ("&", "|", "^", "<<", ">>", "&&", "||") or op in COMPARISONS
        sides = []
        for number, side in enumerate(e[2:]):
            inner = mine + (0.1 if number else 0)
            if side[0] == "bin" and side[1] != op and mixed and not (
                    op in LOGIC and side[1] in COMPARISONS) and not (
                    op in COMPARISONS and PRECEDENCE[side[1]] >= 9):
                inner = 20
            sides.append(text_of(side, words, inner))
        text = f"{sides[0]} {op} {sides[1]}"
    return f"({text})" if mine < above else text
