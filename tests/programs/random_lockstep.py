"""Random lockstep programs. They are made with care for guards, and judged afterwards: what has no meaning,
or more than one, is thrown away."""

from programs.helpers import helpers
from programs.lockstep import Lockstep, has_one_meaning
from programs.random_expressions import ID, N, Expressions, Facts
from programs.tree import is_float, literal

EMPTY = ("block",)


# How many programs have them.
FEATURES = {"aliases": 0.15, "own arrays": 0.15, "own rounds": 0.25, "loops below": 0.15, "writes in own rounds": 0.15,
            "atomics": 0.6, "casts": 0.7, "switches": 0.3, "helpers": 0.3, "swaps": 0.3,
            "scalars": 0.5, "trees": 0.7, "rounds": 0.6, "strided": 0.3, "permuted": 0.5, "exchange": 0.6}


class Generator(Expressions):
    def __init__(self, random, size, plain=False, absolute=False):
        self.random, self.size, self.absolute = random, size, absolute
        self.count = 0
        r = random
        self.element = r.choice(["i32", "i32", "i32", "u32", "u32", "i64", "u64", "i16", "u8", "f32"])
        self.index = r.choice(["u32", "u32", "u32", "i32"])
        self.main = self.element if self.element in ("i32", "u32", "i64", "u64") else r.choice(["i32", "u32"])
        if is_float(self.element) and r.random() < 0.7:
            self.main = "f32"
        self.shared, self.lane, self.loop_vars, self.uniform_vars, self.own_arrays = [], {}, [], [], {}
        self.aliases = []
        self.helpers = helpers(self.main)
        self.depth = 0
        self.alone = 0  # loops around that lanes leave by themselves: in them the order of swaps is not one
        self.divergent = 0  # conditions around that lanes decide for themselves
        self.lane_only = False
        self.forbidden = set()  # shared arrays another branch of a condition writes
        # Few of them in one program, so that what is refused or breaks does not hide the rest.
        self.without = {feature for feature, p in FEATURES.items() if not self.chance(p) or plain}

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def chance(self, p):
        return self.random.random() < p

    # The whole

    def program(self):
        r = self.random
        arrays = r.choice([1, 1, 2, 2, 3])
        stems = r.sample(["tmp", "first", "second", "sums", "ping", "pong", "seen", "best"], arrays)
        self.shared = [(self.main if self.chance(0.8) else self.other_type(), stem, "lanes")
                       for stem in stems]
        if "scalars" not in self.without and self.chance(0.7):
            self.shared.append((self.atomic_type(), r.choice(["total", "flag", "count"]), None))
        for_out = self.chance(0.8)
        out = r.choice([self.main, self.main, "i32", "i64"]) if for_out else ""
        if out and is_float(self.main):
            out = "f32"
        aliases = "aliases" not in self.without
        if aliases and self.chance(0.7):
            self.aliases.append(("view", "in"))
        if out and aliases and self.chance(0.7):
            self.aliases.append(("seat", "out"))
        self.out = out
        body = self.start()
        for _ in range(r.randint(min(2, self.size), self.size)):
            body += self.statement(Facts(), 0)
        if out:
            body.append(self.finish())
        result, value = "", literal(0)
        if not out or self.chance(0.3):
            result, value = self.returned()
        return Lockstep(self.element, out, result, self.index, tuple(self.shared), tuple(self.aliases),
                        ("block", *body), value, self.helpers, converted=self.chance(0.1))

    def other_type(self):
        return self.random.choice(["i32", "u32", "i64", "u8", "i16", "bool"])

    def atomic_type(self):
        return self.main if self.main in ("i32", "u32", "i64", "u64") else "i32"

    def arrays(self):
        return [name for _, name, size in self.shared if size == "lanes"]

    def scalars(self):
        return [name for _, name, size in self.shared if size is None]

    def type(self, name):
        for type_, other, _ in self.shared:
            if other == name:
                return type_
        if name in self.lane:
            return self.lane[name]
        return self.own_arrays[name][0]

    def start(self):
        body = []
        for name in self.arrays():
            first = self.random.choice([
                ("cond", ("bin", "<", ID, N), self.input(ID), literal(0)),
                ("cond", ("bin", "<", ID, N), self.input(ID), literal(0)),
                literal(self.random.choice([0, 0, 1, -1])), ("bin", "%", ID, literal(7))])
            if self.chance(0.3):
                body.append(("set", ("at", name, ID), "=", literal(0)))
                body.append(("if", ("bin", "<", ID, N),
                             ("block", ("set", ("at", name, ID), "=", self.input(ID))), EMPTY))
            else:
                body.append(("set", ("at", name, ID), "=", first))
        for name in self.scalars():
            body.append(("set", ("name", name), "=", literal(0)))
        return body

    def finish(self):
        value = self.expression(Facts(below=True), 2)
        if self.chance(0.6):
            value = self.element_of(self.random.choice(self.arrays()), Facts(below=True))
        place = "seat" if ("seat", "out") in self.aliases and self.chance(0.5) else "out"
        return ("if", ("bin", "<", ID, N), ("block", ("set", ("at", place, ID), "=", value)), EMPTY)

    def returned(self):
        name = self.random.choice(self.arrays() + self.scalars())
        type_ = self.type(name)
        if name in self.scalars():
            return type_, ("name", name)
        return type_, ("at", name, literal(0) if self.chance(0.5) else
                       ("cond", ("bin", ">", N, literal(0)), ("bin", "-", N, literal(1)), literal(0)))

    # Statements

    def bounded(self, e, type_):
        if is_float(type_) or type_ in ("u32", "u64") and self.chance(0.7):
            return e
        if e[0] in ("bin",) and e[1] in ("+", "-", "*") and self.chance(0.6):
            return ("bin", "%", e, literal(self.random.choice([1009, 101, 37])))
        return e

    def statement(self, facts, depth):
        self.depth = depth
        r = self.random
        kinds = [(self.assign, 3, ""), (self.own_write, 4, ""), (self.permuted, 1, "permuted"),
                 (self.atomic, 3, "atomics"), (self.contested, 2, "atomics"), (self.declare, 3, ""), (self.own_array, 2, "own arrays"),
                 (self.swap, 0 if self.alone else 2, "swaps"), (self.one_lane, 1, "scalars")]
        if self.lane_only:
            kinds = [(self.assign, 3, ""), (self.declare, 3, "")]
        if depth < 3:
            kinds += [(self.branch, 6, ""), (self.switch, 3, "switches")]
        if depth < 3 and not self.lane_only and not (self.divergent and "loops below" in self.without):
            kinds += [(self.tree, 3, "trees"), (self.rounds, 3, "rounds"),
                      (self.own_rounds, 4, "own rounds"), (self.early, 2, "scalars"),
                      (self.exchange, 3, "exchange"), (self.halving, 1, "trees"),
                      (self.strided, 2, "strided")]
        chosen = [(kind, weight) for kind, weight, feature in kinds if feature not in self.without]
        return r.choices(*zip(*chosen))[0](facts, depth)

    def block(self, facts, depth, most=3):
        lane, own = dict(self.lane), dict(self.own_arrays)
        body = []
        for _ in range(self.random.randint(1, most)):
            body += self.statement(facts, depth)
        self.lane, self.own_arrays = lane, own
        self.depth = depth - 1
        return ("block", *body)

    def declare(self, facts, depth):
        r = self.random
        if self.chance(0.25):
            name, type_ = self.name("is"), "bool"
            e = self.condition(facts, 2)[0]
        else:
            type_ = self.main if self.chance(0.7) else r.choice(["i32", "u32", "i64", "i16", "u8", "bool"])
            name = self.name(r.choice(["own", "x", "left"]))
            e = self.bounded(self.expression(facts, 2), type_)
        self.lane[name] = type_
        found = [("decl", type_, name, literal(0) if self.chance(0.3) else e)]
        if found[0][3] == literal(0):
            guard, more = self.condition(facts, 2)
            found.append(("if", guard, ("block", ("set", ("name", name), "=", self.bounded(
                self.expression(more, 2), type_))), EMPTY))
        return found

    def assign(self, facts, depth):
        names = list(self.lane)
        if not names:
            return self.declare(facts, depth)
        name = self.random.choice(names)
        type_ = self.lane[name]
        e = self.bounded(self.expression(facts, 2), type_)
        op = "=" if type_ == "bool" else self.random.choice(["=", "=", "+=", "-="] + (
            ["^=", "|=", "&="] if not is_float(type_) and not is_float(self.main) else []))
        if self.own_arrays and self.chance(0.3):
            array = self.random.choice(list(self.own_arrays))
            index = literal(self.random.randrange(self.own_arrays[array][1]))
            return [("set", ("at", array, index), "=", self.bounded(e, self.own_arrays[array][0]))]
        return [("set", ("name", name), op, e)]

    def own_write(self, facts, depth):
        name = self.random.choice(self.arrays())
        type_ = self.type(name)
        e = self.bounded(self.expression(facts, 2), type_)
        if self.chance(0.35):
            e = self.element_of(self.random.choice(self.arrays()), facts)
        op = "=" if type_ == "bool" else self.random.choice(["=", "=", "=", "+="])
        return [("set", ("at", name, ID), op, e)]

    def permuted(self, facts, depth):
        name = self.random.choice(self.arrays())
        at = self.random.choice([("bin", "-", ("bin", "-", N, literal(1)), ID),
                                 ("bin", "%", ("bin", "+", ID, literal(1)), N)])
        inner = ("set", ("at", name, at), "=", self.expression(facts.also(below=True), 1))
        if facts.below:
            return [inner]
        return [("if", ("bin", "<", ID, N), ("block", inner), EMPTY)]

    def one_lane(self, facts, depth):
        if not self.scalars():
            return self.own_write(facts, depth)
        name = self.random.choice(self.scalars())
        return [("if", ("bin", "==", ID, literal(0)),
                 ("block", ("set", ("name", name), "=", self.element_of(
                     self.random.choice(self.arrays()), Facts()))), EMPTY)]

    def atomic(self, facts, depth):
        r = self.random
        integer = [name for name in self.arrays() if self.type(name) in ("i32", "u32", "i64", "u64")]
        places = [("at", name, ID) for name in integer]
        inside = facts.also(below=True)
        places += [("at", name, ("bin", "%", ("cast", "u32", self.leaf(inside)), N)) for name in integer]
        places += [("name", name) for name in self.scalars()] * 2
        if not places:
            return self.own_write(facts, depth)
        target = r.choice(places)
        function = r.choice(["atomicAdd", "atomicAdd", "atomicMax", "atomicMin"])
        e = self.bounded(self.expression(inside, 1), "i32")
        found, before = [], None
        if target[-1] == ID and self.chance(0.4):
            before = self.name("before")
            found.append(("decl", self.type(target[1]), before, literal(0)))
        step = ("atomic", function, target, e, before)
        alone = ("if", self.condition(inside, 1)[0], ("block", step), EMPTY) if self.chance(0.3) else step
        if facts.below:
            found.append(alone)
        else:
            found.append(("if", ("bin", "<", ID, N), ("block", alone), EMPTY))
        if before:
            self.lane[before] = self.type(target[1])
        return found

    def swap(self, facts, depth):
        """Exchanges and comparisons on elements that one lane each has, perhaps another one's."""
        integer = [name for name in self.arrays() if self.type(name) in ("i32", "u32", "i64", "u64")]
        if not integer:
            return self.own_write(facts, depth)
        r = self.random
        name = r.choice(integer)
        at = r.choice([ID, ID, ("bin", "%", ("bin", "+", ID, self.small()), N),
                       ("bin", "-", ("bin", "-", N, literal(1)), ID)])
        inside = facts.also(below=True)
        before = self.name("before")
        e, expected = self.expression(inside, 1), self.expression(inside, 1)
        step = r.choice([("atomic", "atomicExchange", ("at", name, at), e, before),
                         ("atomic", "atomicCAS", ("at", name, at), e, before, expected),
                         ("atomic", "atomicCAS", ("at", name, at), e, before, ("at", name, at))])
        found = [("decl", self.type(name), before, literal(0)),
                 step if facts.below else ("if", ("bin", "<", ID, N), ("block", step), EMPTY)]
        self.lane[before] = self.type(name)
        return found

    def switch(self, facts, depth):
        """Cases that lanes decide on; each sees what was there before all of them."""
        r = self.random
        count = r.choice([2, 3, 3, 4])
        of = ID if self.chance(0.25) else self.leaf(facts)
        e = ("cast", "i32", ("bin", "%", ("cast", "u32", of), literal(count)))
        self.divergent += 1
        kept, branches = self.forbidden, []
        for number in range(r.randint(1, count)):
            block = self.block(facts, depth + 1, 2)
            self.forbidden = self.forbidden | written_in(block)
            branches.append(("case", number, block))
        other = self.block(facts, depth + 1, 1) if self.chance(0.5) else EMPTY
        self.forbidden = kept
        self.divergent -= 1
        return [("switch", e, self.name("chosen"), *branches, other)]

    def contested(self, facts, depth):
        """A condition that its own branch changes, with another branch behind it."""
        integer = [name for name in self.arrays() if self.type(name) in ("i32", "u32", "i64", "u64")]
        if not integer:
            return self.own_write(facts, depth)
        r = self.random
        name = r.choice(integer)
        c = ("bin", r.choice(["<", ">", "!="]), ("at", name, ID), self.small())
        change = ("atomic", r.choice(["atomicAdd", "atomicMax", "atomicMin"]), r.choice([
            ("at", name, ID), ("at", name, ("bin", "%", ("bin", "+", ID, literal(1)), N))]), self.small(), None)
        kept, self.forbidden = self.forbidden, self.forbidden | {name}
        other = self.own_write(facts.also(below=True), depth)[0]
        while other[1][1] == name:  # what the other branch changes too has no order
            other = (self.assign(facts, depth) or [change])[-1] if self.lane else ("block",)
            if other[0] != "set" or other[1][1] == name:
                other = ("block",)
                break
        self.forbidden = kept
        step = ("if", c, ("block", change), ("block", other) if other[0] == "set" else EMPTY)
        return [step] if facts.below else [("if", ("bin", "<", ID, N), ("block", step), EMPTY)]

    def own_array(self, facts, depth):
        name, size = self.name("v"), self.random.choice([2, 3, 4])
        type_ = self.main
        k = self.name("k")
        self.own_arrays[name] = (type_, size)
        self.loop_vars.append(k)
        e = self.bounded(self.expression_without(facts, name), type_)
        self.loop_vars.remove(k)
        loop = ("for", "i32", k, literal(0), ("bin", "<", ("name", k), literal(size)),
                ("set", ("name", k), "+=", literal(1)),
                ("block", ("set", ("at", name, ("name", k)), "=", e)))
        return [("array", type_, name, size), loop]

    def expression_without(self, facts, array):
        kept = dict(self.own_arrays)
        del self.own_arrays[array]
        e = self.expression(facts, 2)
        self.own_arrays = kept
        return e

    def branch(self, facts, depth):
        alike = self.chance(0.2)
        c, more = (self.uniform_condition(), facts) if alike else self.condition(facts, 2)
        self.divergent += not alike
        then = self.block(more, depth + 1)
        other = EMPTY
        if self.chance(0.35):
            kept, self.forbidden = self.forbidden, self.forbidden | written_in(then)
            other = self.block(facts, depth + 1, 2)
            self.forbidden = kept
        self.divergent -= not alike
        return [("if", c, then, other)]

    def tree(self, facts, depth):
        """for (s = 1; s < n; s *= 2): neighbours at a growing distance."""
        r = self.random
        s = self.name("s")
        end = r.choice([N, ("dim",), literal(8)])
        self.loop_vars.append(s)
        self.uniform_vars.append(s)
        s_ = ("name", s)
        up = self.chance(0.6)
        guard = ("bin", ">=", ID, s_) if up else ("bin", "<", ("bin", "+", ID, s_), N)
        more = facts.also(least=[s_]) if up else facts.also(room=[s_])
        array = r.choice(self.arrays())
        there = ("at", array, ("bin", "-" if up else "+", ID, s_))
        here = ("at", array, ID)
        kind = r.randrange(5)
        if kind == 0:
            # Sums of sums, round by round, do not fit signed types where there are more lanes than elements.
            adds = self.type(array)[0] in "uf" or len(self.loop_vars) == 1
            inner = [("set", here, "=" if self.type(array) == "bool" else "+=" if adds else "^=", there)]
        elif kind == 1:
            inner = [("if", ("bin", r.choice(["<", ">"]), there, here),
                      ("block", ("set", here, "=", there)), EMPTY)]
        elif kind == 2:
            inner = [("set", here, "=", ("call", "max", here, there))]
        else:
            self.divergent += 1
            inner = list(self.block(more, depth + 2, 2)[1:])
            self.divergent -= 1
        if end == ("dim",) and kind >= 3:
            end = N
        body = [("if", guard, ("block", *inner), EMPTY)]
        if self.chance(0.2) and kind >= 3:
            body += self.statement(facts, depth + 2)
        self.loop_vars.remove(s)
        self.uniform_vars.remove(s)
        type_ = r.choice(["u32", self.index])
        return [("for", type_, s, literal(1), ("bin", "<", s_, end),
                 ("set", s_, "*=", literal(2)), ("block", *body))]

    def halving(self, facts, depth):
        """for (s = 32; s > 0; s /= 2): the upper half onto the lower one."""
        s = self.name("s")
        s_ = ("name", s)
        array = self.random.choice(self.arrays())
        here, there = ("at", array, ID), ("at", array, ("bin", "+", ID, s_))
        step = self.random.choice([
            ("set", here, "=", ("call", "max", here, there)),
            ("set", here, "=" if self.type(array) == "bool" else "+=", there),
            ("if", ("bin", "<", here, there), ("block", ("set", here, "=", there)), EMPTY)])
        inner = ("if", ("bin", "<", ("bin", "+", ID, s_), N), ("block", step), EMPTY)
        nested = self.chance(0.5)
        below = ("bin", "<", ID, s_)
        body = (("if", below, ("block", inner), EMPTY) if nested else
                ("if", ("bin", "&&", below, inner[1]), inner[2], EMPTY))
        return [("for", self.index, s, literal(32), ("bin", ">", s_, literal(0)),
                 ("set", s_, "/=", literal(2)), ("block", body))]

    def rounds(self, facts, depth):
        """A loop that is the same for all lanes; perhaps left early by all of them."""
        k = self.name("k")
        self.loop_vars.append(k)
        self.uniform_vars.append(k)
        body = list(self.block(facts, depth + 1)[1:])
        if self.chance(0.35):
            leave = ("if", ("bin", self.random.choice(["==", ">"]), ("name", k), literal(self.random.randrange(3))),
                     ("block", (self.random.choice(["break", "continue"]),)), EMPTY)
            body.insert(self.random.randrange(len(body) + 1), leave)
        self.loop_vars.remove(k)
        self.uniform_vars.remove(k)
        end = literal(self.random.choice([1, 2, 3, 5])) if self.chance(0.7) else ("bin", "%", N, literal(4))
        return [("for", self.index, k, literal(0), ("bin", "<", ("name", k), end),
                 ("set", ("name", k), "+=", literal(1)), ("block", *body))]

    def own_rounds(self, facts, depth):
        """A loop that each lane takes as often as its data says."""
        r = self.random
        k = self.name("k")
        end = r.choice([("bin", "%", ID, literal(4)),
                        ("bin", "%", ("cast", "u32", self.leaf(facts)), literal(5))])
        self.loop_vars.append(k)
        kept = self.lane_only
        self.lane_only = kept or "writes in own rounds" in self.without
        self.divergent += 1
        self.alone += 1
        body = list(self.block(facts, depth + 1, 2)[1:])
        self.alone -= 1
        self.divergent -= 1
        self.lane_only = kept
        if self.chance(0.3):
            c = self.condition(facts, 1)[0]
            body.insert(r.randrange(len(body) + 1), ("if", c, ("block", (r.choice(["break", "continue"]),)),
                                                     EMPTY))
        self.loop_vars.remove(k)
        return [("for", "u32", k, literal(0), ("bin", "<", ("name", k), end),
                 ("set", ("name", k), "+=", literal(1)), ("block", *body))]

    def early(self, facts, depth):
        """while with a flag that lanes set."""
        if not self.scalars() or depth:
            return self.branch(facts, depth)
        flag = ("name", self.random.choice(self.scalars()))
        guard = ("bin", "==", ID, literal(0))
        step = ("if", guard, ("block", ("set", flag, "+=", literal(1))), EMPTY)
        return [("set", flag, "=", literal(0)),
                ("while", ("bin", "<", flag, literal(self.random.choice([1, 2, 3]))),
                 ("block", *self.safe_block(facts, depth + 1, flag[1])[1:], step))]

    def safe_block(self, facts, depth, name):
        kept = self.shared
        self.shared = [each for each in kept if each[1] != name]
        block = self.block(facts, depth)
        self.shared = kept
        return block

    def exchange(self, facts, depth):
        """From one array into another one, and back: ping-pong."""
        if len(self.arrays()) < 2:
            return self.own_write(facts, depth)
        a, b = self.random.sample(self.arrays(), 2)
        guard, more = self.guard(facts)
        own = self.name("own")
        e = self.bounded(("bin", "+", self.element_of(a, more), self.leaf(more)), self.main)
        found = []
        if self.chance(0.5):
            self.lane[own] = self.main
            found += [("decl", self.main, own, literal(0)),
                      ("if", guard, ("block", ("set", ("name", own), "=", e)), EMPTY),
                      ("set", ("at", b, ID), "=", ("name", own))]
        else:
            found.append(("set", ("at", b, ID), "=", ("cond", guard, e, ("at", a, ID))))
        if self.chance(0.6):
            found.append(("set", ("at", a, ID), "=", ("at", b, ID)))
        return found

    def strided(self, facts, depth):
        """for (i = id; i < n; i += coopDim()): the lane's share of the input."""
        i = self.name("i")
        if facts.below:
            return self.assign(facts, depth)
        name = self.name("share")
        index = ("name", i)
        body = [("set", ("name", name), "+=", self.bounded(self.input(index), self.main))]
        if self.out and self.chance(0.3):
            seat = "seat" if ("seat", "out") in self.aliases else "out"
            body.append(("set", ("at", seat, index), "+=", self.input(index)))
        loop = ("for", self.index, i, ID, ("bin", "<", index, N), ("set", index, "+=", ("dim",)),
                ("block", *body))
        self.lane[name] = self.main
        return [("decl", self.main, name, literal(0)), loop]


def flat(block):
    for s in block[1:]:
        yield s
        for part in s:
            if isinstance(part, tuple) and part and part[0] == "block":
                yield from flat(part)
            elif isinstance(part, tuple) and part and part[0] == "case":
                yield from flat(part[2])


def written_in(block):
    return {s[1][1] if s[0] == "set" else s[2][1] for s in flat(block) if s[0] in ("set", "atomic")}


def random_lockstep(random, size=6, plain=False, absolute=False):
    """`plain`: without the constructs of FEATURES; `absolute`: with absolute values."""
    while True:
        program = Generator(random, size, plain, absolute).program()
        if has_one_meaning(program, random):
            return program
