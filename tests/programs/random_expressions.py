"""Random expressions and conditions of lockstep programs, with the guards that protect their subscripts."""

from programs.tree import is_float, literal

ID, N = ("id",), ("n",)


class Facts:
    """What is known of the lanes that run a statement. In an order: a seed means the same in every process."""

    def __init__(self, below=False, least=(), room=()):
        self.below, self.least, self.room = below, tuple(dict.fromkeys(least)), tuple(dict.fromkeys(room))

    def also(self, below=False, least=(), room=()):
        return Facts(self.below or below or bool(room), (*self.least, *least), (*self.room, *room))


class Expressions:
    """Needs what a generator of programs knows: its random numbers, names and their types."""

    def input(self, index):
        return ("at", "view" if ("view", "in") in self.aliases and self.chance(0.6) else "in", index)

    def small(self):
        return literal(self.random.choice([0, 1, 1, 2, 3, 3, 5, 7, 11]))

    def indexes(self, facts, only_below):
        """Subscripts that are right under these facts."""
        found = [] if only_below and not facts.below else [ID, ID]
        for k in facts.least:
            if facts.below or not only_below:
                found += [("bin", "-", ID, k)] * 3
        for k in facts.room:
            found += [("bin", "+", ID, k)] * 3
        if facts.below:
            found.append(("bin", "-", ("bin", "-", N, literal(1)), ID))
            found.append(("bin", "%", ("bin", "+", ID, self.small()), N))
            found.append(("bin", "/", ID, literal(2)))
        return found

    def element_of(self, name, facts):
        choices = [i for i in self.indexes(facts, False) if name not in self.forbidden or i == ID]
        return ("at", name, self.random.choice(choices))

    def leaf(self, facts):
        r = self.random
        kind = r.randrange(10)
        arrays = self.arrays()
        if kind < 4:
            return self.element_of(r.choice(arrays), facts)
        if kind == 4 and facts.below:
            return self.input(r.choice(self.indexes(facts, True)))
        if kind == 5 and self.scalars() and not self.forbidden:
            return ("name", r.choice(self.scalars()))
        if kind == 6 and self.own_arrays:
            name = r.choice(list(self.own_arrays))
            return ("at", name, literal(r.randrange(self.own_arrays[name][1])))
        if kind in (6, 7, 8) and self.lane:
            return ("name", r.choice(list(self.lane)))
        if kind == 8 and self.loop_vars:
            return ("name", r.choice(self.loop_vars))
        if kind == 9:
            return r.choice([ID, N, self.small()])
        return self.small()

    def expression(self, facts, depth):
        r = self.random
        if depth <= 0 or self.chance(0.2):
            return self.leaf(facts)
        kind = r.randrange(15 + 2 * self.absolute)
        sub = lambda: self.expression(facts, depth - 1)
        if kind < 4:
            return ("bin", r.choice(["+", "-"]), sub(), sub())
        if kind == 4:
            return ("bin", "*", sub(), self.small())
        if kind in (5, 6):
            guard, more = self.guard(facts)
            return ("cond", guard, self.expression(more, depth - 1), sub())
        if kind == 7:
            return ("cond", self.condition(facts, depth - 1)[0], sub(), sub())
        if kind == 8 and not is_float(self.main):
            return ("bin", "%", sub(), literal(r.choice([3, 7, 17, 101, 1009])))
        if kind == 9 and not is_float(self.main):
            by = self.leaf(facts)
            return ("cond", ("bin", "!=", by, literal(0)), ("bin", r.choice(["/", "%"]), sub(), by), sub())
        if kind == 10:
            type_ = self.main
            return ("call", r.choice(["min", "max"]), ("cast", type_, sub()), ("cast", type_, sub()))
        if kind > 14:
            type_ = self.main if self.main in ("i32", "i64", "f32") else r.choice(["i32", "i64"])
            return ("call", "abs", ("cast", type_, sub()))
        if kind == 11 and not is_float(self.main):
            return ("bin", r.choice(["&", "|", "^"]), sub(), sub())
        if kind == 12 and not is_float(self.main) and "casts" not in self.without:
            return ("cast", r.choice(["i32", "u32", "i64", "u8", "i16", "u16", "i8", "u64"]), sub())
        if kind == 13 and "helpers" not in self.without:
            name, type_, _, function = r.choice(self.helpers)
            return ("call", name, *(("cast", type_, sub()) for _ in range(function.__code__.co_argcount)))
        return self.leaf(facts)

    def distance(self):
        """How far a neighbour is."""
        r = self.random
        if self.uniform_vars and self.chance(0.75):
            return ("name", r.choice(self.uniform_vars))
        return literal(r.choice([1, 1, 1, 2, 3, 4]))

    def guard(self, facts):
        """A condition that protects subscripts, and what is known below it."""
        r = self.random
        kind = r.randrange(8)
        k = self.distance()
        if kind == 0:
            return ("bin", "<", ID, N), facts.also(below=True)
        if kind in (1, 2):
            return ("bin", ">=", ID, k), facts.also(least=[k])
        if kind == 3:
            return ("bin", ">", ID, literal(0)), facts.also(least=[literal(1)])
        if kind in (4, 5):
            return ("bin", "<", ("bin", "+", ID, k), N), facts.also(room=[k])
        if kind == 6:
            return ("bin", "&&", ("bin", ">", ID, literal(0)), ("bin", "<", ID, N)), facts.also(
                below=True, least=[literal(1)])
        return ("bin", "&&", ("bin", ">=", ID, k), ("bin", "<", ID, N)), facts.also(
            below=True, least=[k])

    def test(self, facts, depth):
        """A condition on data."""
        r = self.random
        if self.chance(0.15):
            return ("bin", "==", ("bin", "%", ID, literal(r.choice([2, 3, 4]))), literal(r.choice([0, 1])))
        bools = [name for name, type_ in self.lane.items() if type_ == "bool"]
        if bools and self.chance(0.3):
            name = ("name", r.choice(bools))
            return ("un", "!", name) if self.chance(0.3) else name
        return ("bin", r.choice(["<", ">", "<=", ">=", "==", "!="]),
                self.expression(facts, depth - 1), self.expression(facts, depth - 1))

    def condition(self, facts, depth):
        kind = self.random.randrange(6)
        if kind < 2:
            return self.guard(facts)
        if kind < 4:
            guard, more = self.guard(facts)
            return ("bin", "&&", guard, self.test(more, depth)), more
        if kind == 4:
            guard, _ = self.guard(facts)
            return ("bin", "||", guard, self.test(facts, depth)), facts
        return self.test(facts, depth), facts

    def uniform_condition(self):
        r = self.random
        kind = r.randrange(4)
        if kind == 0 and self.scalars() and not self.depth:
            return ("bin", r.choice(["<", ">", "=="]), ("name", r.choice(self.scalars())), self.small())
        if kind == 1 and self.uniform_vars:
            return ("bin", r.choice(["<", ">", "==", "!="]), ("name", r.choice(self.uniform_vars)),
                    self.small())
        if kind == 2:
            return ("bin", "==", ("bin", "%", N, literal(2)), literal(r.randrange(2)))
        return ("bin", r.choice([">", "<", "<="]), N, literal(r.choice([1, 2, 3, 5, 8, 20])))
