"""Programs about numbers without a sign: differences that may wrap around below 0, kept in variables, changed
and compared, under loops that end and begin in many ways, behind early returns, and numbers of data that
the caller vouches for."""

from programs.pieces import SIZES, SPELLING, Unit

SMALL = ("1", "1", "2", "3", "4", "5", "8")


class Numbers:
    """Random expressions of type unsigned over a loop's i, the size n and names; nothing divides by 0."""

    def __init__(self, random, names):
        self.random, self.names = random, list(names)

    def leaf(self):
        return self.random.choice(["i", "i", "n", self.random.choice(SMALL) + "u", *self.names])

    def of(self, depth):
        r = self.random
        if depth == 0:
            return self.leaf()
        sub = lambda: self.of(depth - 1)
        small = lambda: r.choice(SMALL)
        return r.choice([
            lambda: f"({sub()} - {r.choice([small(), sub()])})",
            lambda: f"({sub()} - {small()})",
            lambda: f"({sub()} + {sub()})",
            lambda: f"{sub()} * {small()}",
            lambda: f"{sub()} / {small()}",
            lambda: f"{sub()} % {small()}",
            lambda: f"{r.choice(['min', 'max'])}({sub()}, {sub()})",
            lambda: f"(max({(a := sub())} + {(b := sub())}, {a}) - {r.choice([a, b])})",
            lambda: f"({self.test(depth - 1)} ? {sub()} : {sub()})",
            lambda: f"(unsigned)((int){self.leaf()} - {small()})",
            lambda: f"(unsigned)abs((int){self.leaf()} - (int)n / {small()})",
            lambda: f"(({sub()} + {(c := small())} - 1) / {c})",
        ])()

    def test(self, depth=1):
        r = self.random
        return f"{self.of(depth)} {r.choice(['<', '>', '<=', '>=', '==', '!='])} {self.of(depth)}"

    def statements(self, indent):
        """Declarations of names, some of which change afterwards."""
        r, found = self.random, []
        for _ in range(r.randint(1, 3)):
            name = f"d{len(self.names)}"
            found.append(f"unsigned {name} = {self.of(2)};")
            self.names.append(name)
            if r.random() < 0.4:
                change = r.choice([f"{name} -= {self.of(1)};", f"--{name};", f"{name} += {self.of(1)};",
                                   f"{name} /= {r.choice(SMALL)};", f"{name} = {self.of(2)};"])
                found.append(r.choice([change, f"if ({self.test()})\n{indent}  {change}"]))
        return "".join(f"{indent}{each}\n" for each in found)

    def subscript(self):
        e = self.of(2)
        return self.random.choice([f"({e}) % n", f"min({e}, n - 1)", f"{e} < n ? {e} : n - 1"])


def numbers(random, shape):
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    scalar, data = random.random() < 0.4, random.random() < 0.4
    low = random.choice([0, 0, -3])
    parameters = ["unsigned k"] * scalar + [f"const Array<1, {e}> in"] + ["const Array<1, int> at"] * data
    head = f"void f({', '.join(parameters)}, Array<1, {t}> out) {{"
    contract = "  require(out.size() == in.size());\n"
    if data:
        contract += f"  require(at.size() == in.size());\n  require(within(at, {low}, in.size()));\n"
    if scalar and random.random() < 0.3:
        contract += f"  require(k - {random.choice(SMALL)} <= {random.choice(['4294967295u', '4294967290u'])});\n"
    # What is compared with k is a number of 32 bits, and has as many as an index in another codelet: no such sums.
    own = Numbers(random, [])
    first = random.choice(["", "  if (n == 0)\n    return;\n",
                           f"  if (n < {random.choice(SMALL)}) {{\n{{fill}}    return;\n  }}\n"])
    end = random.choice(["n", "n", "min(n, out.size())", "min(n, n - 1 + 1)", "n > 3 ? n : n / 2", "max(n, 1u) - 1",
                         "n - n / 2", "out.size() < 5 ? 0 : n", *["min(n, k)", "k % 2 == 0 ? n : n / 3"] * scalar])
    before = "" if random.random() < 0.7 else f"    unsigned last = n - {random.choice(SMALL)};\n"
    if before:
        own.names.append("last")
    body = before + own.statements("    ")
    place = f"at[i] + {-low}" if data and low else "at[i]"
    value = f"value(in[{own.subscript()}])"
    if data and random.random() < 0.7:
        number = f"({t})({place})"
        value = random.choice([f"{number} + {value}", f"({place} > {random.choice(SMALL)} ? {number} : {value})"])
    extra = random.choice([f" + ({t})({own.of(2)} % 7)", f" + ({t})({own.test(2)} ? 3 : 5)"])
    body += f"    out[i] = {value}{extra};\n"

    def codelet(tag, start, step):
        fill = f"  for (unsigned j = {start}; j < n; j += {step})\n    out[j] = 1;\n"
        return (f"__codelet{tag}\n{head}\n{contract}  unsigned n = in.size();\n"
                f"{first.replace('{fill}', fill.replace('  ', '    '))}{fill}"
                f"  for (unsigned i = {start}; i < ({end}); i += {step}) {{\n{body}  }}\n}}")
    units = [Unit("meaning", codelet("", "0", "1").replace("i += 1)", "++i)")),
             Unit("lanes", codelet(" __coop __tag(lanes)", "coopIdx()", "coopDim()"))]
    if "k" not in end and random.random() < 0.5:
        units.append(Unit("backward", codelet(" __tag(backward)", "0", "1").replace(
            f"for (unsigned i = 0; i < ({end}); i += 1)", f"for (unsigned i = ({end}) - 1; i < n; --i)")))
    return units, (("in_size", SIZES),)
