"""Lockstep programs: a tree that all lanes run together, and whether it has exactly one meaning."""

from dataclasses import dataclass, replace

from programs.tree import (BITS, Invalid, binary, checked, common, convert, desugared, is_float, names_in,
                           nodes, promoted, type_of)

LANES = 64  # the largest size


@dataclass(frozen=True)
class Lockstep:
    """One spectrum: `out` from `in`, and a value."""
    element: str                      # of in
    out: str                          # of out, or "" when there is none
    result: str                       # type of what is returned, or ""
    index: str = "u32"                # type of id and n
    shared: tuple = ()                # (type, name, "lanes" | number | None for a scalar)
    aliases: tuple = ()               # (name, container)
    body: tuple = ("block",)
    value: tuple = ("lit", 0, "i32")  # returned
    helpers: tuple = ()               # (name, type, text, Python function)
    name: str = "f"
    converted: bool = False           # what it requires has a conversion
    planted: bool = False             # a mistake in the cooperative codelet, to see that it is found

    def types(self):
        types = {"id": self.index, "n": self.index, "dim": "u32", "in": self.element}
        if self.out:
            types["out"] = self.out
        for type_, name, _ in self.shared:
            types[name] = type_
        for name, container in self.aliases:
            types[name] = types[container]
        for each in nodes(self.body):
            if each and each[0] in ("decl", "array", "for"):
                types[each[2]] = each[1]
            elif each and each[0] == "switch":
                types[each[2]] = "i32"
        for name, type_, *_ in self.helpers:
            types[name] = type_
        return types

    def base(self, name):
        return dict(self.aliases).get(name, name)


def declared_well(program):
    """Every name is declared before it is used, and used where it can be seen."""
    known = {"in"} | ({"out"} if program.out else set()) | {name for _, name, _ in program.shared}
    known |= {name for name, _ in program.aliases}

    def uses(node, scope):
        if not names_in(node) <= scope:
            raise Invalid("a name that is not declared")

    def block(statements, scope, in_loop):
        scope = set(scope)
        for s in statements:
            if s[0] == "decl":
                uses(s[3], scope)
                scope.add(s[2])
            elif s[0] == "array":
                scope.add(s[2])
            elif s[0] == "set":
                uses(s[1], scope)
                uses(s[3], scope)
            elif s[0] == "atomic":
                uses(s[2], scope)
                for e in (s[3], *s[5:]):
                    uses(e, scope)
                if s[4] and s[4] not in scope:
                    raise Invalid("a name that is not declared")
            elif s[0] == "switch":
                uses(s[1], scope)
                for case in s[3:-1]:
                    block(case[2][1:], scope, False)
                block(s[-1][1:], scope, False)
            elif s[0] == "if":
                uses(s[1], scope)
                block(s[2][1:], scope, in_loop)
                block(s[3][1:], scope, in_loop)
            elif s[0] == "for":
                uses(s[3], scope)
                inner = scope | {s[2]}
                uses(s[4], inner)
                uses(s[5], inner)
                block(s[6][1:], inner, True)
            elif s[0] == "while":
                uses(s[1], scope)
                block(s[2][1:], scope, True)
            elif s[0] in ("break", "continue") and not in_loop:
                raise Invalid("outside a loop")
        return scope

    block(program.body[1:], known, False)
    uses(program.value, known)


def typed_well(program):
    """No remainder or bits of floats, in what never runs either."""
    types = program.types()
    for node in nodes((program.body, program.value)):
        if node and (node[0] == "bin" and node[1] in ("%", "&", "|", "^") and any(
                is_float(type_of(operand, types)) for operand in node[2:4])):
            raise Invalid("whole numbers are needed")


# ----------------------------------------------------------------------------
# Judging: is there one meaning?
# ----------------------------------------------------------------------------

class Run:
    """Lanes in lockstep. `backwards` takes what has no order in the other order."""

    STEPS = 400000

    def __init__(self, program, data, out, lanes, backwards):
        self.p, self.n, self.lanes, self.backwards = program, len(data), lanes, backwards
        self.types = program.types()
        self.memory = {"in": list(data), "out": list(out)}
        for type_, name, size in program.shared:
            count = {"lanes": lanes, None: 1}.get(size, size)
            self.memory[name] = [None] * count
        self.scalars = {name for _, name, size in program.shared if size is None}
        self.own = {}
        self.steps = 0
        self.frames = []
        self.compiled = {}

    # Expressions become functions of the lane, once.

    def value(self, e):
        key = id(e)
        if key not in self.compiled:
            self.compiled[key] = (self.compile(e), e)
        return self.compiled[key][0]

    def compile(self, e):
        kind = e[0]
        if kind == "lit":
            constant = convert(e[1], e[2])
            return lambda lane: constant
        if kind == "id":
            return lambda lane: lane
        if kind == "n":
            return lambda lane: self.n
        if kind == "dim":
            return lambda lane: self.lanes
        if kind == "name":
            name = e[1]
            if name in self.scalars:
                return lambda lane: self.read(name, 0)
            return lambda lane: self.own_value(name, lane)
        if kind == "at":
            index, name = self.value(e[2]), self.p.base(e[1])
            if name in self.memory:
                return lambda lane: self.read(name, index(lane))
            return lambda lane: self.own_element(name, lane, index(lane))
        if kind == "cast":
            inner, type_ = self.value(e[2]), e[1]
            return lambda lane: convert(inner(lane), type_)
        if kind == "un":
            inner = self.value(e[2])
            type_ = promoted(type_of(e[2], self.types))
            if e[1] == "!":
                return lambda lane: not inner(lane)
            if e[1] == "-":
                return lambda lane: checked(-convert(inner(lane), type_), type_)
            return lambda lane: convert(~convert(inner(lane), type_), type_)
        if kind == "cond":
            c, a, b = (self.value(each) for each in e[1:])
            type_ = type_of(e, self.types)
            return lambda lane: convert(a(lane) if c(lane) else b(lane), type_)
        if kind == "call":
            inner = [self.value(each) for each in e[2:]]
            if e[1] in ("min", "max"):
                pick = min if e[1] == "min" else max
                return lambda lane: pick(*(each(lane) for each in inner))
            if e[1] == "abs":
                type_ = type_of(e, self.types)
                return lambda lane: checked(abs(inner[0](lane)), type_)
            helper = next(h for h in self.p.helpers if h[0] == e[1])
            return lambda lane: helper[3](*(convert(each(lane), helper[1]) for each in inner))
        op, a, b = e[1], self.value(e[2]), self.value(e[3])
        if op == "&&":
            return lambda lane: bool(a(lane)) and bool(b(lane))
        if op == "||":
            return lambda lane: bool(a(lane)) or bool(b(lane))
        left, right = type_of(e[2], self.types), type_of(e[3], self.types)
        type_ = promoted(left) if op in ("<<", ">>") else common(left, right)
        if op in ("<<", ">>"):
            return lambda lane: binary(op, convert(a(lane), type_), b(lane), type_)
        if is_float(type_) and op in ("%", "&", "|", "^"):
            raise Invalid("no such operation")
        return lambda lane: binary(op, convert(a(lane), type_), convert(b(lane), type_), type_)

    def read(self, name, index):
        memory = self.memory[name]
        if not 0 <= index < len(memory):
            raise Invalid(f"{name}[{index}]")
        if memory[index] is None:
            raise Invalid(f"{name}[{index}] has no value")
        return memory[index]

    def own_value(self, name, lane):
        value = self.own[name][lane]
        if value is None:
            raise Invalid(f"{name} has no value")
        return value

    def own_element(self, name, lane, index):
        elements = self.own[name][lane]
        if not 0 <= index < len(elements) or elements[index] is None:
            raise Invalid(f"{name}[{index}]")
        return elements[index]

    # Statements

    def block(self, statements, lanes):
        for s in statements:
            if self.frames:
                lanes = [lane for lane in lanes if lane not in self.frames[-1]]
            if not lanes:
                return
            self.steps += len(lanes)
            if self.steps > self.STEPS:
                raise Invalid("takes too long")
            getattr(self, "do_" + s[0])(s, lanes)

    def do_block(self, s, lanes):
        self.block(s[1:], lanes)

    def do_decl(self, s, lanes):
        value, type_ = self.value(s[3]), s[1]
        column = self.own.setdefault(s[2], [None] * self.lanes)
        for lane in lanes:
            column[lane] = convert(value(lane), type_)

    def do_array(self, s, lanes):
        column = self.own.setdefault(s[2], [None] * self.lanes)
        for lane in lanes:
            column[lane] = [None] * s[3]

    def do_set(self, s, lanes):
        target, op = s[1], s[2]
        e = s[3] if op == "=" else ("bin", op[:-1], target, s[3])
        key = ("set", id(s))
        if key not in self.compiled:
            self.compiled[key] = (self.compile(e), s)
        value, type_ = self.compiled[key][0], self.types[target[1]]
        places = [self.place(target, lane) for lane in lanes]
        values = [convert(value(lane), type_) for lane in lanes]
        written = {}
        for (memory, index), new in zip(places, values):
            if written.setdefault((id(memory), index), new) != new:
                raise Invalid("lanes write one element")
            memory[index] = new

    def place(self, target, lane):
        """A list and an index into it."""
        name = self.p.base(target[1])
        if target[0] == "name":
            return (self.memory[name], 0) if name in self.scalars else (self.own[name], lane)
        index = self.value(target[2])(lane)
        memory = self.memory[name] if name in self.memory else self.own[name][lane]
        if name == "in" or not 0 <= index < len(memory):
            raise Invalid(f"{name}[{index}]")
        return memory, index

    def do_atomic(self, s, lanes):
        type_ = self.types[s[2][1]]
        value = self.value(s[3])
        steps = [(lane, self.place(s[2], lane), convert(value(lane), type_),
                  [convert(self.value(e)(lane), type_) for e in s[5:]]) for lane in lanes]
        for lane, (memory, index), operand, expected in reversed(steps) if self.backwards else steps:
            before = memory[index]
            if before is None:
                raise Invalid("an element has no value")
            if s[1] == "atomicAdd":
                memory[index] = checked(before + operand, type_)
            elif s[1] == "atomicExchange" or (expected and before == expected[0]):
                memory[index] = operand
            elif expected:
                pass
            else:
                memory[index] = (min if s[1] == "atomicMin" else max)(before, operand)
            if s[4]:
                self.own[s[4]][lane] = convert(before, self.types[s[4]])

    def do_if(self, s, lanes):
        c = self.value(s[1])
        taken = [lane for lane in lanes if c(lane)]
        chosen = set(taken)
        branches = [(s[2], taken), (s[3], [lane for lane in lanes if lane not in chosen])]
        for branch, own in reversed(branches) if self.backwards else branches:
            if own:
                self.block(branch[1:], own)

    def do_for(self, s, lanes):
        self.do_decl(("decl", s[1], s[2], s[3]), lanes)
        self.loop(s[4], s[6], lanes, s[5])

    def do_while(self, s, lanes):
        self.loop(s[1], s[2], lanes, None)

    def loop(self, condition, body, lanes, step):
        c = self.value(condition)
        self.broken = getattr(self, "broken", [])
        self.broken.append(set())
        while True:
            lanes = [lane for lane in lanes if lane not in self.broken[-1] and c(lane)]
            if not lanes:
                break
            self.frames.append(set())
            self.block(body[1:], lanes)
            self.frames.pop()
            lanes = [lane for lane in lanes if lane not in self.broken[-1]]
            if step and lanes:
                self.do_set(step, lanes)
            self.steps += 1 + len(lanes)
            if self.steps > self.STEPS:
                raise Invalid("takes too long")
        self.broken.pop()

    def do_break(self, s, lanes):
        self.broken[-1].update(lanes)
        self.frames[-1].update(lanes)

    def do_continue(self, s, lanes):
        self.frames[-1].update(lanes)

    def run(self):
        self.block(self.p.body[1:], list(range(self.lanes)))
        value = None
        if self.p.result:
            value = convert(self.value(self.p.value)(0), self.p.result)
        return self.memory["out"], value


def results(program, data, out):
    """What it computes, for every number of lanes and order; Invalid where that is not one thing."""
    n, found = len(data), None
    program = replace(program, body=desugared(program.body))
    for lanes, backwards in ((max(n, 1), False), (LANES, False), (LANES, True), (max(n, 1) + 3, True)):
        one = Run(program, data, out, lanes, backwards).run()
        if found is not None and repr(one) != repr(found):
            raise Invalid("depends on the number of lanes or on an order")
        found = one
    return found


def values(random, type_, count):
    """As tangram-run generates them."""
    if is_float(type_):
        return [convert(random.uniform(-1, 1), type_) for _ in range(count)]
    low, high = (-1000, 1000) if type_[0] == "i" else (0, 1000)
    if BITS[type_] <= 8:
        low, high = (-128, 127) if type_[0] == "i" else (0, 255)
    return [random.randint(low, high) for _ in range(count)]


def has_one_meaning(program, random):
    try:
        declared_well(program)
        typed_well(program)
        for n in (5, 0, 1, 2, 13, LANES):
            results(program, values(random, program.element, n), values(random, program.out or "i32", n))
    except (Invalid, OverflowError, KeyError):
        return False
    return True
