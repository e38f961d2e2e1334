"""Steps from container to container, of which some are local and some parts of the output: what is copied may be built
where it is copied to, as far as nobody looks at what was there, or at what is copied, later on."""

from programs.pieces import SPELLING, Unit
from programs.tree import is_float

SIZES = (0, 1, 2, 3, 8, 33, 97)


class Memory:
    """Containers as large as the input: which step their elements have come to; None: none was done."""

    def __init__(self, random, parts, locals_):
        self.random = random
        self.steps = {"in": 0, **{f"part{j}": None for j in range(parts)}, **{f"t{j}": None for j in range(locals_)}}
        self.named = {f"part{j}": random.random() < 0.6 for j in range(parts)}
        self.lines = []

    def parts(self):
        return [name for name in self.steps if name.startswith("part")]

    def sources(self, to):
        """What `to` may be made of: of two parts of one container plans have to prove that they are apart."""
        return [name for name, step in self.steps.items() if step is not None and name not in ("in", to)
                and not (name.startswith("part") and to.startswith("part"))]

    def text(self, name):
        if name not in self.named or self.named[name]:
            return name
        j = int(name[4:])
        return f"slice(out, {j} * n, {j + 1} * n)"

    def copy(self, source, to):
        self.lines.append(f"same({self.text(source)}, {self.text(to)});")
        self.steps[to] = self.steps[source]

    def step(self, source, to):
        first = source == "in"
        if self.text(to) == to and self.random.random() < 0.5:
            self.lines.append(f"{to} = map({'first' if first else 'another'}, {self.text(source)});")
        else:
            self.lines.append(f"{'start' if first else 'step'}({self.text(source)}, {self.text(to)});")
        self.steps[to] = self.steps[source] + 1

    def go_on(self):
        targets = [name for name in self.steps if name != "in"]
        to = self.random.choice(targets)
        others = self.sources(to)
        locals_ = [name for name in others if name.startswith("t")]
        if locals_ and to.startswith("part") and self.random.random() < 0.6:
            self.copy(self.random.choice(locals_), to)
        elif others and self.random.random() < 0.2:
            self.copy(self.random.choice(others), to)
        else:
            # Numbers stay small.
            few = [name for name in others if self.steps[name] < 5]
            self.step(self.random.choice([*few, "in"]), to)


def straight(random, parts):
    """(statements, how many steps each part has come to)"""
    memory = Memory(random, parts, random.choice([1, 2, 3]))
    for _ in range(random.randint(3, 9)):
        memory.go_on()
    for part in memory.parts():
        if memory.steps[part] is None:
            known = memory.sources(part)
            memory.copy(random.choice(known), part) if known and random.random() < 0.7 else memory.step("in", part)
    names = [f"auto {part} = slice(out, {part[4:]} * n, {int(part[4:]) + 1} * n);"
             for part in memory.parts() if memory.named[part]]
    return names, memory.lines, [memory.steps[part] for part in memory.parts()]


def copies(random, shape):
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    parts = random.choice([1, 2, 2, 3])
    names, lines, steps = straight(random, parts)
    half = {"f32": "0.5f", "f64": "0.5"}.get(shape.type)
    further = f"x * {half} + 1" if is_float(shape.type) else "(x + 3) % 1009"
    head = (f"void f(const Array<1, {e}> in, Array<1, {t}> out) {{\n"
            f"  require(out.size() == {parts} * in.size());\n  unsigned n = in.size();")

    def of(step):
        text = "value(in[i])"
        for _ in range(step - 1):
            text = f"further({text})"
        return text
    results = "".join(f"    out[{j} * n + i] = {of(step)};\n" for j, step in enumerate(steps))
    declared = [f"Array<1, {t}> t{j}(n);" for j in range(3) if any(f"t{j}" in line for line in lines)]
    random.shuffle(declared)
    body = [*declared, *names] if random.random() < 0.5 else [*names, *declared]
    composed = "".join(f"  {line}\n" for line in [*body, *lines])

    def between(name, source, call):
        return (f"__codelet\nvoid {name}(const Array<1, {source}> from, Array<1, {t}> to) {{\n"
                f"  require(to.size() == from.size());\n  for (unsigned i = 0; i < from.size(); ++i)\n"
                f"    to[i] = {call};\n}}\n\n"
                f"__codelet __tag({name}_rows)\nvoid {name}(const Array<1, {source}> from, Array<1, {t}> to) {{\n"
                f"  require(to.size() == from.size());\n  __tunable unsigned p;\n"
                f"  map({name}, rows(from, p), rows(to, p));\n}}")
    units = [
        Unit("functions", f"{t} further({t} x) {{\n  return {further};\n}}"),
        Unit("meaning", f"__codelet\n{head}\n  for (unsigned i = 0; i < n; ++i) {{\n{results}  }}\n}}"),
        Unit("same", between("same", t, "from[i]")), Unit("step", between("step", t, "further(from[i])")),
        Unit("start", between("start", e, "value(from[i])")),
        Unit("first", f"__codelet\n{t} first({e} x) {{\n  return value(x);\n}}"),
        Unit("another", f"__codelet\n{t} another({t} x) {{\n  return further(x);\n}}"),
        Unit("composed", f"__codelet __tag(composed)\n{head}\n{composed}}}", ("same", "step", "start", "first", "another"))]
    return units, (("in_size", SIZES),)
