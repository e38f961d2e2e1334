"""Programs made small: statements and expressions taken out, as long as the same is found."""

import time
from dataclasses import replace

from programs.lockstep import has_one_meaning
from programs.meaning import source
from programs.tree import literal, nodes

STATEMENTS = ("decl", "array", "set", "atomic", "if", "for", "while", "switch", "case", "break", "continue", "block")


def shrink(program, still, seconds):
    """The smallest program reached from this one by steps after which `still` holds."""
    deadline = time.monotonic() + seconds
    progress = True
    tried = set()
    while progress and time.monotonic() < deadline:
        progress = False
        for other in program.simpler():
            if time.monotonic() > deadline:
                break
            if other.program in tried:
                continue
            tried.add(other.program)
            if still(other):
                program, progress = other, True
                break
    return program


# ----------------------------------------------------------------------------
# Trees
# ----------------------------------------------------------------------------

def rebuilt(node, path, new):
    """The tree with `new` at this place; None takes the part out."""
    if not path:
        return new
    first = path[0]
    part = rebuilt(node[first], path[1:], new)
    return node[:first] + ((part,) if part is not None else ()) + node[first + 1:]


def places(node, path=()):
    yield path, node
    for number, part in enumerate(node):
        if isinstance(part, tuple):
            yield from places(part, path + (number,))


def simpler_bodies(body):
    """The boldest first."""
    blocks = [(path, node) for path, node in places(body) if node and node[0] == "block"]
    for path, node in blocks:
        count = len(node) - 1
        size = count
        while size >= 1:
            for start in range(1, count + 2 - size, max(1, size // 2)):
                yield rebuilt(body, path, node[:start] + node[start + size:])
            size //= 2
    for path, node in blocks:
        for number, s in enumerate(node):
            for instead in without_head(s):
                yield rebuilt(body, path, node[:number] + instead + node[number + 1:])
    for path, node in places(body):
        if is_expression(body, path, node):
            for other in simpler_expressions(node):
                yield rebuilt(body, path, other)
        elif node and node[0] == "set" and node[2] != "=" and not (
                body_at(body, path[:-1])[0] == "for"):
            yield rebuilt(body, path, ("set", node[1], "=", node[3]))
        elif node and node[0] == "atomic" and node[4]:
            yield rebuilt(body, path, node[:4] + (None,) + node[5:])
        elif node and node[0] in ("decl", "for", "array") and node[1] not in ("i32", "u32"):
            yield rebuilt(body, path, (node[0], "i32") + node[2:])


def without_head(s):
    """Statements in place of a compound one."""
    if s and s[0] == "if":
        yield s[2][1:]
        if len(s[3]) > 1:
            yield s[3][1:]
            yield (("if", s[1], s[2], ("block",)),)
    elif s and s[0] == "for":
        yield (("decl", s[1], s[2], s[3]),) + s[6][1:]
    elif s and s[0] == "while":
        yield s[2][1:]
    elif s and s[0] == "switch":
        for number, part in enumerate(s[3:], 3):
            yield part[-1][1:] if part[0] == "case" else part[1:]
            if part[0] == "case":
                yield (s[:number] + s[number + 1:],)


def is_expression(body, path, node):
    if not node or node[0] in STATEMENTS or not path:
        return False
    if node[0] in ("id", "n", "lit") and any(
            body_at(body, path[:length])[0] == "if" and path[length] == 1 for length in range(len(path))):
        return False  # a condition stays one of lanes
    above = body_at(body, path[:-1])
    if any(body_at(body, path[:length])[0] == "for" and path[length] in (3, 4, 5)
           for length in range(len(path))):
        return False  # loops end as they ended
    if above[0] in ("if", "while") and path[-1] == 1 and node[:2] not in (("bin", "&&"), ("bin", "||")):
        return False
    return not (above[0] == "set" and path[-1] == 1) and not (above[0] == "atomic" and path[-1] == 2) and not (
        above[0] == "for" and path[-1] == 5)


def body_at(body, path):
    for step in path:
        body = body[step]
    return body


def simpler_expressions(e):
    if e[0] == "lit":
        if e[1] not in (0, 1):
            yield literal(1, e[2])
        return
    if e[0] in ("id", "n", "dim"):
        yield literal(1)
        yield literal(0)
        return
    if e[0] == "name":
        yield literal(1)
        return
    if e[0] == "at":
        yield literal(1)
        if e[2][0] not in ("id", "lit"):
            yield ("at", e[1], ("id",))
        return
    for part in e[1:]:
        if isinstance(part, tuple):
            yield part
    if e[:2] not in (("bin", "&&"), ("bin", "||")):
        yield literal(1)


def simpler_lockstep(program):
    used = {each[1] for each in nodes(program.body) if each and each[0] in ("name", "at")}
    used |= {each[1] for each in nodes(program.value) if each and each[0] in ("name", "at")}
    for each in program.shared:
        if each[1] not in used:
            yield replace(program, shared=tuple(s for s in program.shared if s != each))
    for body in simpler_bodies(program.body):
        yield replace(program, body=body)
    for name, container in program.aliases:
        yield replace(renamed(program, name, container),
                      aliases=tuple(a for a in program.aliases if a[0] != name))
    for each in program.shared:
        if each[0] != "i32":
            yield replace(program, shared=tuple(("i32", *s[1:]) if s == each else s for s in program.shared))
    if program.out and "out" not in used and not program.aliases:
        yield replace(program, out="")
    if program.result and program.out:
        yield replace(program, result="", value=literal(0))
    if program.converted:
        yield replace(program, converted=False)
    if program.index != "u32":
        yield replace(program, index="u32")
    if program.element != "i32":
        yield replace(program, element="i32")
    if program.out not in ("", "i32"):
        yield replace(program, out="i32")
    for e in simpler_expressions(program.value):
        yield replace(program, value=e)


def renamed(program, old, new):
    def rename(node):
        if node and node[0] in ("name", "at") and node[1] == old:
            node = (node[0], new) + node[2:]
        return tuple(rename(part) if isinstance(part, tuple) else part for part in node)
    return replace(program, body=rename(program.body), value=rename(program.value))


def constructs(body):
    """What it is made of: how statements are nested, and what decides."""
    found = set()

    def walk(s, above):
        if s[0] == "switch":
            for part in s[3:]:
                for inner in (part[-1] if part[0] == "case" else part)[1:]:
                    walk(inner, f"{above}switch ")
        elif s[0] in ("if", "for", "while"):
            here = f"{above}{s[0]} "
            condition = s[1] if s[0] != "for" else s[4]
            for each in nodes(condition):
                if each and each[0] == "bin" and each[1] in ("&&", "||"):
                    found.add(each[1])
                if each and each[0] == "cond":
                    found.add("?:")
            for part in s:
                if isinstance(part, tuple) and part and part[0] == "block":
                    for inner in part[1:]:
                        walk(inner, here)
            if s[0] == "if" and len(s[3]) > 1:
                found.add("else")
        elif s[0] == "block":
            for inner in s[1:]:
                walk(inner, above)
        else:
            found.add(above + s[0])
            if s[0] in ("set", "decl") and any(each and each[0] == "cond" for each in nodes(s)):
                found.add("?:")
            if any(each and each[:2] in (("bin", "&&"), ("bin", "||")) for each in nodes(s)):
                found.add("&&")
    walk(body, "")
    return ", ".join(sorted(found))


class LockstepProgram:
    """A lockstep program as the search sees programs."""
    kind = "lockstep"
    spectrum = "f"
    SIZES = (0, 1, 2, 3, 7, 8, 9, 31, 33, 64)

    def __init__(self, program):
        self.program = program

    def source(self):
        return source(self.program)

    def sizes(self):
        return (("in_size", self.SIZES),)

    def settings(self, random, target):
        return {}

    def valid(self, random):
        return has_one_meaning(self.program, random)

    def simpler(self):
        return (LockstepProgram(p) for p in simpler_lockstep(self.program))

    def constructs(self):
        return constructs(self.program.body)
