"""Stencils as text: parameters, what comes of a window, loops and maps over windows, parts that overlap."""

from programs.neighbourhoods import (AXES, WITHIN, boundary_functions, element, extent, nested, padded, plus,
                                     subscripts, times)
from programs.pieces import SPELLING, Operation, Unit
from programs.tree import is_float

STENCIL_SIZES = {1: (0, 1, 2, 3, 5, 8, 9, 31, 64, 97, 1000), 2: (0, 1, 2, 7, 20), 3: (0, 1, 3, 6)}


class Stencil:
    """What is said of one in all of its codelets: parameters, and what comes of a window."""

    def __init__(self, random, shape, inputs=True):
        self.random, self.near = random, shape.detail
        self.rank = self.near.rank
        self.e, self.t = SPELLING[shape.element], SPELLING[shape.type]
        self.type = shape.type
        self.by = random.random() < 0.3                    # a number that is the same for all
        self.beside = inputs and random.random() < 0.3     # a container like the results
        self.other = inputs and random.random() < 0.3      # a second one with windows
        self.needs_v = any(pad.boundary == "v" for pad in self.near.pads + (self.near.others if self.other else ()))
        self.kind = random.choice(["weighted", "extreme", "conditions", "until", "difference"])
        self.weights = [random.choice([1, 2, 3, 5]) for _ in range(self.count)]
        self.operation = Operation(random, self.type)
        self.swapped = random.random() < 0.5

    @property
    def count(self):
        count = 1
        for window in self.near.windows:
            count *= window
        return count

    # Parameters and arguments

    def scalars(self, v=False):
        return ([f"{self.e} v"] if v and self.needs_v else []) + ([f"{self.t} by"] if self.by else [])

    def parameters(self, rank, out=None, v=False):
        """Of a spectrum of windows whose first dimensions may be one window long; `out`: rank of the results."""
        return ", ".join(self.scalars(v) + ([f"const Array<{out}, {self.e}> beside"] if self.beside and out else []) +
                         [f"const Array<{rank}, {self.e}> in"] +
                         ([f"const Array<{rank}, {self.e}> other"] if self.other else []) +
                         ([f"Array<{out}, {self.t}> out"] if out else []))

    def arguments(self, windows, results=None, out=True, v=False):
        """`windows` and `results` make arguments of containers of the two sorts."""
        results = results or (lambda name: name)
        return ", ".join((["v"] if v and self.needs_v else []) + (["by"] if self.by else []) +
                         ([results("beside")] if self.beside else []) + [windows("in")] +
                         ([windows("other")] if self.other else []) + ([results("out")] if out else []))

    # What comes of a window

    def tables(self):
        return f"constexpr int weights[{self.count}] = {{{', '.join(map(str, self.weights))}}};" \
            if self.kind == "weighted" else ""

    def flat(self, indexes):
        text = indexes[0]
        for index, size in zip(indexes[1:], self.near.windows[1:]):
            text = f"({text}) * {size} + {index}" if not text.isalnum() else f"{text} * {size} + {index}"
        return text

    def lines(self, near, other, beside, ends=None):
        """Statements that make `r`; near and other give the text of an element by its indexes."""
        windows = self.near.windows
        ends = ends or [str(window) for window in windows]
        loops = list(WITHIN[:self.rank])
        first, last = ["0"] * self.rank, [str(window - 1) for window in windows]
        middle = [str(window // 2) for window in windows]
        if self.kind == "weighted":
            lines = [f"{self.t} r = 0;"] + block(nested(loops, ends, [
                f"r += weights[{self.flat(loops)}] * value({near(loops)});"], ""))
        elif self.kind == "extreme":
            op = self.operation
            lines = [f"{self.t} r = {op.none};"] + block(nested(loops, ends, [
                f"r = {op.of('r', f'value({near(loops)})')};"], ""))
        elif self.kind == "conditions":
            lines = [f"{self.t} r = value({near(middle)});", f"if ({near(first)} > {near(last)}) {{",
                     f"  if ({near(middle)} != {near(first)})", f"    r = r + value({near(first)});", "  else",
                     "    r = 1;", f"}} else if ({near(last)} == {near(middle)}) {{", "  r = r + 2;", "}"]
        elif self.kind == "until":
            step = [f"{self.e} x = {near(loops)};", f"if (x > {near(first)})", "  break;",
                    f"if (x == {near(middle)})", "  continue;", "r += value(x);"]
            lines = [f"{self.t} r = 0;"] + block(nested(loops, ends, step, ""))
        else:
            lines = [f"{self.t} r = value({near(last)}) - value({near(first)});", f"r += 2 * value({near(middle)});"]
        if self.other:
            at = first if self.swapped else last
            lines.append(f"r += value({other(at)});")
            if self.kind == "conditions":
                lines[-1] = f"if ({other(at)} > {near(first)}) {{"
                lines += [f"  r += value({other(middle)});", "}"]
        if beside:
            lines.append(f"r += value({beside});")
        if self.by:
            lines.append("r += by % 101;" if not is_float(self.type) else "r += by;")
        return lines

    def result(self, positions, beside, pads=True, place=None, size=None):
        """Statements that make `r` at the result with these indexes: of the padded containers, by arithmetic.
        `place` and `size` as `element` has them."""
        pads = {"in": self.near.pads, "other": self.near.others} if pads else {"in": (), "other": ()}

        def at(container):
            return lambda indexes: element(container, self.e, pads[container], tuple(
                position(p, step, index) for p, step, index in zip(positions, self.near.steps, indexes)), place, size)
        if self.random.random() < 0.5:
            return self.lines(at("in"), at("other"), beside)
        loops = list(WITHIN[:self.rank])
        lines = []
        for container in ["in"] + (["other"] if self.other else []):
            lines.append(f"{self.e} {container}_near[{self.count}];")
            lines += block(nested(loops, map(str, self.near.windows), [
                f"{container}_near[{self.flat(loops)}] = {at(container)(loops)};"], ""))

        def kept(container):
            return lambda indexes: f"{container}_near[{self.index(indexes)}]"
        return lines + self.lines(kept("in"), kept("other"), beside)

    def index(self, indexes):
        if all(index.isdigit() for index in indexes):
            flat = 0
            for index, size in zip(indexes, self.near.windows):
                flat = flat * size + int(index)
            return str(flat)
        return self.flat(indexes)

    def at(self):
        """The codelet of one window."""
        ends = [extent("in", self.rank, d) if self.random.random() < 0.5 else str(window)
                for d, window in enumerate(self.near.windows)]
        element_of = {name: (lambda indexes, name=name: name + subscripts(indexes)) for name in ("in", "other")}
        parameters = ", ".join(self.scalars() + ([f"{self.e} beside"] if self.beside else []) +
                               [f"const Array<{self.rank}, {self.e}> in"] +
                               ([f"const Array<{self.rank}, {self.e}> other"] if self.other else []))
        lines = self.lines(element_of["in"], element_of["other"], "beside" if self.beside else "", ends)
        body = "".join(f"  {line}\n" for line in lines)
        return Unit("at", f"__codelet\n{self.t} at({parameters}) {{\n{body}  return r;\n}}")


def position(p, step, index):
    if p == "0":
        return index
    return f"{times(p, step)} + {index}" if index != "0" else times(p, step)


def block(text):
    return text.splitlines()


def functions(s):
    pads = s.near.pads + (s.near.others if s.other else ())
    text = "\n\n".join(boundary_functions(pads) + ([s.tables()] if s.tables() else []))
    return [Unit("functions", text)] if text else []


def pads_of(s, name):
    return padded(s.random, name, s.near.pads if name == "in" else s.near.others, s.rank)


def each_result(s, rank, out, pads=False, indent="  "):
    """Loops over the results; the first dimensions of a window may be one window long."""
    axes = list(AXES[:out])
    positions = ["0"] * (rank - out) + axes
    beside = f"beside{subscripts(axes)}" if s.beside else ""
    body = s.result(positions, beside, pads) + [f"out{subscripts(axes)} = r;"]
    return nested(axes, [extent("out", out, d) for d in range(out)], body, indent)


def windowed(s, of, d=""):
    """out = map(at, ...): windows along the only dimension, or the last one."""
    near = s.near
    n, step = near.windows[-1], near.steps[-1]
    names = ["in"] + (["other"] if s.other else [])
    before, text = "", {name: of(name) for name in names}
    if s.random.random() < 0.3:
        before = "".join(f"  auto whole_{name} = {text[name]};\n" for name in names if text[name] != name)
        text = {name: f"whole_{name}" if text[name] != name else name for name in names}
    call = s.arguments(lambda name: f"slide({text[name]}, {n}, {step}{d})", out=False)
    return f"{before}  out = map(at, {call});\n"


def lanes(s, name, head, out, pads=False):
    """All lanes, each with results of its own."""
    axes = list(AXES[:out])
    beside = f"beside{subscripts(axes)}" if s.beside else ""
    positions = ["0"] * (s.rank - out) + axes
    body = s.result(positions, beside, pads) + [f"out{subscripts(axes)} = r;"]
    ends = [extent("out", out, d) for d in range(out)]
    by_rows = out > 1 and s.random.random() < 0.5
    if by_rows:
        loop = f"  for (unsigned i = coopIdx(); i < {ends[0]}; i += coopDim()) {{\n"
        text = loop + nested(axes[1:], ends[1:], body, "    ") + "  }\n"
    else:
        count = " * ".join(ends)
        text = f"  for (unsigned x = coopIdx(); x < {count}; x += coopDim()) {{\n"
        rest = "x"
        for d in reversed(range(1, out)):
            text += f"    unsigned {axes[d]} = {rest} % {ends[d]};\n"
            text += f"    unsigned x{d} = {rest} / {ends[d]};\n"
            rest = f"x{d}"
        text += f"    unsigned {axes[0]} = {rest};\n" + "".join(f"    {line}\n" for line in body) + "  }\n"
    return Unit(f"{name}_lanes", f"__codelet __coop __tag({name}_lanes)\n{head}\n{text}}}",
                () if name == "f" else (name,))


def tile_size(random, name):
    """(text, declaration)"""
    kind = random.randrange(4)
    if kind == 0:
        return str(random.choice([1, 3, 4])), ""
    domain = ["", " = choice(3, 8)", " = pow2(2, 32)"][kind - 1]
    return name, f"  __tunable unsigned {name}{domain};\n"


def exact(near):
    """Sizes of windows by those of their results, which leave nothing over."""
    return ExactContract(near)


class ExactContract:
    def __init__(self, near):
        self.near = near

    def contract(self):
        near = self.near
        return "".join(
            f"  require({extent('in', near.rank, d)} == "
            f"{plus(times(extent('out', near.rank, d), near.steps[d]), near.windows[d] - near.steps[d])});\n"
            for d in range(near.rank))


def overlapping(random, near):
    """(tunables, the same parts of containers with windows, and of those of results)"""
    rank, h = near.rank, [n - step for n, step in zip(near.windows, near.steps)]
    kinds = ["chunks", "window"] + (["col_chunks", "tile_chunks", "tile_window", "tile_window"] if rank > 1 else [])
    if near.steps[0] == 1:
        kinds.append("rows")
    if rank > 1 and near.steps[1] == 1:
        kinds += ["cols"] + (["tiles"] if near.steps[0] == 1 else [])
    kind = random.choice(kinds)
    t, declared = tile_size(random, "t")
    u, more = tile_size(random, random.choice(["t", "u"]))
    if u == t:
        more = ""
    if kind in ("chunks", "col_chunks"):
        d = 0 if kind == "chunks" else 1
        return declared, lambda c: f"{kind}({c}, {times(t, near.steps[d])}, {h[d]})", lambda c: f"{kind}({c}, {t})"
    if kind == "tile_chunks":
        return (declared + more,
                lambda c: f"tile_chunks({c}, {times(t, near.steps[0])}, {times(u, near.steps[1])}, {h[0]}, {h[1]})",
                lambda c: f"tile_chunks({c}, {t}, {u})")
    n, steps = near.windows, near.steps
    if kind == "window":
        return "", lambda c: f"slide({c}, {n[0]}, {steps[0]})", lambda c: f"chunks({c}, 1)"
    if kind == "tile_window":
        return ("", lambda c: f"tile_slide({c}, {n[0]}, {steps[0]}, {n[1]}, {steps[1]})",
                lambda c: f"tile_chunks({c}, 1, 1)")
    p = "  __tunable unsigned p;\n"
    if kind == "tiles":
        q = random.choice(["p", "q"])
        return (p + ("  __tunable unsigned q;\n" if q == "q" else ""),
                lambda c: f"tiles({c}, p, {q}, {h[0]}, {h[1]})", lambda c: f"tiles({c}, p, {q})")
    d = 0 if kind == "rows" else 1
    return p, lambda c: f"{kind}({c}, p, {h[d]})", lambda c: f"{kind}({c}, p)"


def plus_text(a, b):
    return a if b == "0" else f"{a} + {b}"
