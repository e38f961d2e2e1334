"""Loops around kernels: rounds of a step over containers that are exchanged, or in place. The meaning goes round
in place on one array, from the end where neighbours to the left have to be the old ones."""

from programs.pieces import SPELLING, Unit
from programs.tree import is_float

SIZES = (0, 1, 2, 3, 8, 33, 97)
# Who a step looks at besides the element itself, and in which order it may be done in place.
NEIGHBOURS = ("none", "left", "far", "both")


class Rounds:
    """What all codelets of a program say alike."""

    def __init__(self, random, shape):
        self.random = random
        self.t, self.type = SPELLING[shape.type], shape.type
        self.e = SPELLING[shape.element]
        self.neighbours = random.choice(NEIGHBOURS)
        self.by_round = random.random() < 0.5 or self.neighbours == "far"  # the step knows its number
        # (What decides about a round must not be rounded.)
        self.loop = random.choice(["counted"] if is_float(shape.type) else ["counted", "asked", "do", "nested"])
        self.most = random.choice([0, 1, 2, 3, 5])
        self.first = random.choice(["0", "0", "1"])
        self.stride = random.choice([1, 1, 2])
        self.returns = random.random() < 0.4  # how often it went round
        self.begins = random.choice(["1", "count % 2"])
        self.conditional = random.random() < 0.3

    def end(self):
        """Of the counter: what a host knows."""
        return {0: "count", 1: "count % 4", 2: "min(count, 3)", 3: "count % 3 + in.size() % 2", 5: "5"}[self.most]

    def next(self, here, left, right, number):
        """The new value; whole numbers stay small."""
        more = f" + {number}" if self.by_round else ""
        if is_float(self.type):
            half, less = ("0.5", "0.25") if self.type == "f64" else ("0.5f", "0.25f")
            sides = {"none": "1", "left": left, "far": left, "both": f"{left} - {right}"}[self.neighbours]
            return f"{here} * {half} + ({sides}) * {less}{more}"
        sides = {"none": "1", "left": left, "far": left, "both": f"{left} + 2 * {right}"}[self.neighbours]
        return f"({here} + {sides}{more}) % 1009"

    def far(self, number):
        return f"(1u << {number})" if self.neighbours == "far" else "1"


def rounds(random, shape):
    r = Rounds(random, shape)
    result = "unsigned" if r.returns else "void"
    head = f"{result} f(unsigned count, const Array<1, {r.e}> in, Array<1, {r.t}> out) {{\n  require(out.size() == in.size());"
    units = [Unit("functions", move(r)), Unit("meaning", meaning(r, head)), start(r), *steps(r), *answers(r)]
    way = random.choice(["exchanged", "exchanged", "placed"])
    units.append(composed(r, head, "by_rounds", way == "placed" and r.neighbours == "none"))
    if r.neighbours == "none" and random.random() < 0.5:
        units.append(composed(r, head, "in_place", True))
    if random.random() < 0.4:
        units.append(composed(r, head, "again", False))
    return units, (("in_size", SIZES),)


def move(r):
    """What becomes of an element: both the meaning and the steps call it."""
    return (f"{r.t} move({r.t} here, {r.t} left, {r.t} right, unsigned number) {{\n"
            f"  return {r.next('here', 'left', 'right', 'number')};\n}}")


def loop(r, body, ends, indent="  "):
    """The rounds around lines, which may use `t`; `ends`: lines that make `moved`."""
    def lines(each, more=""):
        return "".join(f"{indent}{more}{line}\n" for line in each)
    if r.loop == "counted":
        return (f"{indent}for (unsigned t = {r.first}; t < {r.end()}; t += {r.stride}) {{\n{lines(body, '  ')}"
                f"{indent}  done += 1;\n{indent}}}\n")
    if r.loop == "nested":
        return (f"{indent}for (unsigned u = 0; u < 2; ++u) {{\n{indent}  for (unsigned t = u; t < {r.end()}; ++t) {{\n"
                f"{lines(body, '    ')}{indent}    done += 1;\n{indent}  }}\n{indent}}}\n")
    bound = f"moved > 0 && done < {r.most + 1}"
    inside = lines(body, "  ") + lines(ends, "  ") + f"{indent}  t += 1;\n{indent}  done += 1;\n"
    before = f"{indent}unsigned t = 0;\n{indent}unsigned moved = {r.begins};\n"
    if r.loop == "asked":
        return f"{before}{indent}while ({bound}) {{\n{inside}{indent}}}\n"
    return f"{before}{indent}do {{\n{inside}{indent}}} while ({bound});\n"


def in_place(r):
    """One step on `out`."""
    if r.neighbours in ("left", "far"):
        d = r.far("t")
        return ["for (unsigned k = out.size(); k > 0; --k) {",
                f"  {r.t} left = k > {d} ? out[k - 1 - {d}] : 0;",
                "  out[k - 1] = move(out[k - 1], left, 0, t);", "}"]
    if r.neighbours == "both":
        return [f"{r.t} old = 0;", "for (unsigned k = 0; k < out.size(); ++k) {", f"  {r.t} here = out[k];",
                f"  {r.t} right = k + 1 < out.size() ? out[k + 1] : 0;", "  out[k] = move(here, old, right, t);",
                "  old = here;", "}"]
    return ["for (unsigned k = 0; k < out.size(); ++k)", "  out[k] = move(out[k], 0, 0, t);"]


def meaning(r, head):
    ends = ["moved = 0;", "for (unsigned k = 0; k < out.size(); ++k)", "  moved += out[k] % 3 == 0 ? 1 : 0;"]
    text = loop(r, in_place(r), ends)
    return (f"__codelet\n{head}\n  for (unsigned i = 0; i < in.size(); ++i)\n    out[i] = value(in[i]);\n"
            f"  unsigned done = 0;\n{guarded(r, text)}{'  return done;' + chr(10) if r.returns else ''}}}")


def guarded(r, text):
    """An `if` around the rounds, which a host asks for."""
    if not r.conditional:
        return text
    return f"  if (in.size() > 2) {{\n{''.join(f'  {line}{chr(10)}' for line in text.splitlines())}  }}\n"


def start(r):
    return Unit("start", f"__codelet\nvoid start(const Array<1, {r.e}> in, Array<1, {r.t}> out) {{\n"
                f"  require(out.size() == in.size());\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                f"    out[i] = value(in[i]);\n}}\n\n"
                f"__codelet __tag(start_rows)\nvoid start(const Array<1, {r.e}> in, Array<1, {r.t}> out) {{\n"
                f"  require(out.size() == in.size());\n  __tunable unsigned p;\n  map(start, rows(in, p), rows(out, p));\n}}\n\n"
                f"__codelet\nvoid same(const Array<1, {r.t}> from, Array<1, {r.t}> to) {{\n"
                f"  require(to.size() == from.size());\n  for (unsigned i = 0; i < from.size(); ++i)\n"
                f"    to[i] = from[i];\n}}\n\n"
                f"__codelet __coop __tag(same_lanes)\nvoid same(const Array<1, {r.t}> from, Array<1, {r.t}> to) {{\n"
                f"  require(to.size() == from.size());\n"
                f"  for (unsigned i = coopIdx(); i < from.size(); i += coopDim())\n    to[i] = from[i];\n}}")


def steps(r):
    """The spectrum of one step, from one container to another."""
    head = (f"void step(unsigned t, const Array<1, {r.t}> now, Array<1, {r.t}> next) {{\n"
            f"  require(next.size() == now.size());")
    d = r.far("t")
    left, right = f"i >= {d} ? now[i - {d}] : 0", "i + 1 < now.size() ? now[i + 1] : 0"
    sides = {"none": ("0", "0"), "left": (left, "0"), "far": (left, "0"), "both": (left, right)}[r.neighbours]
    body = f"next[i] = move(now[i], {sides[0]}, {sides[1]}, t);"
    units = [Unit("step", f"__codelet\n{head}\n  for (unsigned i = 0; i < now.size(); ++i)\n    {body}\n}}"),
             Unit("step_lanes", f"__codelet __coop __tag(step_lanes)\n{head}\n"
                  f"  for (unsigned i = coopIdx(); i < now.size(); i += coopDim())\n    {body}\n}}", ("step",))]
    if r.neighbours == "none":
        units.append(Unit("step_rows", f"__codelet __tag(step_rows)\n{head}\n  __tunable unsigned p;\n"
                          f"  map(step, t, rows(now, p), rows(next, p));\n}}", ("step",)))
        units += [Unit("one", f"__codelet\n{r.t} one(unsigned t, {r.t} x) {{\n  return move(x, 0, 0, t);\n}}"),
                  Unit("step_each", f"__codelet __tag(step_each)\n{head}\n  next = map(one, t, now);\n}}", ("step", "one"))]
    elif r.neighbours == "far":
        units.append(Unit("step_number", f"__codelet\nvoid part(unsigned t, unsigned first, const Array<1, {r.t}> now, "
                          f"Array<1, {r.t}> next) {{\n  for (unsigned k = 0; k < next.size(); ++k) {{\n"
                          f"    unsigned i = first + k;\n    if (i < now.size())\n      {body.replace('next[i]', 'next[k]')}\n  }}\n}}\n\n"
                          f"__codelet __tag(step_number)\n{head}\n  __tunable unsigned p;\n"
                          f"  unsigned tile = (now.size() + p - 1) / p;\n"
                          f"  map(part, t, sequence(0, tile, now.size() + p * tile + 1), all(now), rows(next, p));\n}}",
                          ("step",)))
    else:
        width, pad = (2, "1, 0") if r.neighbours == "left" else (3, "1, 1")
        near = "near[1], near[0], " + ("near[2]" if width == 3 else "0")
        units += [Unit("at", f"__codelet\n{r.t} at(unsigned t, const Array<1, {r.t}> near) {{\n  return move({near}, t);\n}}"),
                  Unit("step_windows", f"__codelet __tag(step_windows)\n{head}\n"
                       f"  next = map(at, t, slide(pad(now, {pad}, constant(0)), {width}, 1));\n}}", ("step", "at"))]
    return units


def answers(r):
    """A scalar that says whether there is another round."""
    if r.loop not in ("asked", "do"):
        return []
    body = "  unsigned sum = 0;\n  for (unsigned i = 0; i < in.size(); ++i)\n    sum += {};\n  return sum;\n}}"
    return [Unit("answer", f"__codelet\nunsigned answer(const Array<1, {r.t}> in) {{\n{body.format('in[i] % 3 == 0 ? 1 : 0')}"),
            Unit("total", f"__codelet\nunsigned total(const Array<1, unsigned> in) {{\n{body.format('in[i]')}"),
            Unit("answer_rows", f"__codelet __tag(answer_rows)\nunsigned answer(const Array<1, {r.t}> in) {{\n"
                 "  __tunable unsigned p;\n  return total(map(answer, rows(in, p)));\n}", ("answer", "total"))]


def composed(r, head, tag, placed):
    """`f` by steps: exchanging two containers, or in place on one."""
    ends = ["moved = answer(now);"]
    if placed:
        body = ["map(alone, t, rows(now, 4));"]
        local = f"  Array<1, {r.t}> now(in.size());\n"
        extra = (f"__codelet\nvoid alone(unsigned t, Array<1, {r.t}> values) {{\n"
                 f"  for (unsigned i = 0; i < values.size(); ++i)\n    values[i] = move(values[i], 0, 0, t);\n}}\n\n"
                 if tag == "in_place" else
                 f"__codelet\nvoid turned(unsigned t, Array<1, {r.t}> values) {{\n"
                 f"  for (unsigned i = values.size(); i > 0; --i)\n    values[i - 1] = move(values[i - 1], 0, 0, t);\n}}\n\n")
        body = body if tag == "in_place" else ["map(turned, t, chunks(now, 5));"]
    else:
        body = ["step(t, now, next);", r.random.choice(["swap(now, next);", "swap(next, now);"])]
        if tag == "again":
            body = ["step(t, now, next);", "same(next, now);"]
        local = f"  Array<1, {r.t}> now(in.size());\n  Array<1, {r.t}> next(in.size());\n"
        extra = ""
    begin = r.random.choice(["start(in, now);", "start(in, now);", "map(start, chunks(in, 7), chunks(now, 7));"])
    text = guarded(r, loop(r, body, ends))
    finish = "  same(now, out);\n" + ("  return done;\n" if r.returns else "")
    needs = ["start"] + ([] if placed else ["step"]) + (["answer"] if r.loop in ("asked", "do") else [])
    return Unit(tag, f"{extra}__codelet __tag({tag})\n{head}\n{local}  {begin}\n  unsigned done = 0;\n{text}{finish}}}",
                tuple(needs))
