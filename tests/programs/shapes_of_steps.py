"""Stencils and what else is done with their results: totals of windows, a step after the other, parts that are padded
each by itself."""

from programs.neighbourhoods import AXES, element, extent, nested, plus, subscripts, times
from programs.pieces import Operation, Unit
from programs.stencil_text import (STENCIL_SIZES, Stencil, block, each_result, exact, functions, lanes, overlapping,
                                   pads_of, plus_text, tile_size, windowed)

# ----------------------------------------------------------------------------
# One result of all windows
# ----------------------------------------------------------------------------

def stencil_total(random, shape):
    """What an operation makes of the results of all windows, or of each row of them: parts that overlap hold each
    window once."""
    near, s = shape.detail, Stencil(random, shape, inputs=False)
    rank, op = near.rank, Operation(random, shape.type)
    by_row = rank == 2 and random.random() < 0.4
    array = f"const Array<{rank}, {s.e}> in"
    by = f"{s.t} by, " if s.by else ""
    head = f"{s.t} f({s.parameters(rank, v=True)}) {{"

    def loops(pads, first=0, indent="  "):
        """Combines the results of windows into accum."""
        counts = [windows_of(near if pads else near.bare(), d) for d in range(first, rank)]
        lines = s.result(list(AXES[:rank]), "", pads) + block(op.onto(random, "accum", "r"))
        return nested(AXES[first:rank], counts, lines, indent)

    def total(loops_, indent="  "):
        return f"{indent}{s.t} accum = {op.none};\n{loops_}"
    units = functions(s) + [
        Unit("meaning", f"__codelet\n{head}\n{total(loops(True))}  return accum;\n}}"), s.at(),
        Unit("combine", f"__codelet\n{s.t} combine(const Array<1, {s.t}> in) {{\n  {s.t} accum = {op.none};\n"
             f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'in[i]')};\n  return accum;\n}}"),
        Unit("inside", f"__codelet\n{s.t} inside({by}{array}) {{\n{total(loops(False))}  return accum;\n}}")]
    n, step = near.windows[0], near.steps[0]

    def rows(of):
        return f"map(inside, {s.arguments(lambda each: f'slide({of(each)}, {n}, {step})', out=False)})"
    free = tuple(f"in_size{d}" if rank > 1 else "in_size" for d in range(rank))
    if by_row:
        head = f"void f({s.parameters(rank, v=True)}, Array<1, {s.t}> out) {{"
        equation = near.equation(0, "in", "out").replace("out.size(0)", "out.size()")
        if equation.startswith("in"):
            free = ("out_size", free[1])
        units[len(units) - 4] = Unit("meaning", f"__codelet\n{head}\n  require({equation});\n"
                                     f"  for (unsigned i = 0; i < out.size(); ++i) {{\n{total(loops(True, 1, '    '), '    ')}"
                                     f"    out[i] = accum;\n  }}\n}}")
        units.append(Unit("each", f"__codelet __tag(each)\n{head}\n  out = {rows(lambda each: pads_of(s, each))};\n}}",
                          ("inside",)))
    else:
        call = f"inside({s.arguments(lambda each: pads_of(s, each), out=False)})"
        units.append(Unit("padded", f"__codelet __tag(padded)\n{head}\n  return {call};\n}}", ("inside",)))
    if rank == 1:
        mapped = f"map(at, {s.arguments(lambda each: f'slide({each}, {n}, {step})', out=False)})"
        units.append(Unit("inside_windows", f"__codelet __tag(inside_windows)\n{s.t} inside({by}{array}) {{\n"
                          f"  return combine({mapped});\n}}", ("inside", "at", "combine")))
        mapped = f"map(at, {s.arguments(lambda each: f'slide({pads_of(s, each)}, {n}, {step})', out=False)})"
        kept = f"  Array<1, {s.t}> all = {mapped};\n  return combine(all);\n" if random.random() < 0.4 else \
            f"  return combine({mapped});\n"
        units.append(Unit("windows", f"__codelet __tag(windows)\n{head}\n{kept}}}", ("at", "combine")))
    else:
        units.append(Unit("inside_rows", f"__codelet __tag(inside_rows)\n{s.t} inside({by}{array}) {{\n"
                          f"  return combine({rows(lambda each: each)});\n}}", ("inside", "combine")))
    if n >= step:
        units += parts_of_total(s, op, f"{s.t} inside({by}{array}) {{", by)
    return units, tuple((name, STENCIL_SIZES[rank]) for name in free)


def parts_of_total(s, op, own, by):
    random, near, rank = s.random, s.near, s.rank
    t, declared = tile_size(random, "t")
    n, step = near.windows[0], near.steps[0]
    ways = [(declared, lambda c: f"chunks({c}, {times(t, step)}, {n - step})")]
    if step == 1:
        ways.append(("  __tunable unsigned p;\n", lambda c: f"rows({c}, p, {n - 1})"))
    if rank > 1 and near.windows[1] >= near.steps[1]:
        u, more = tile_size(random, "u")
        n1, step1 = near.windows[1], near.steps[1]
        ways += [(declared + more, lambda c: f"tile_chunks({c}, {times(t, step)}, {times(u, step1)}, "
                  f"{n - step}, {n1 - step1})"),
                 (more, lambda c: f"col_chunks({c}, {times(u, step1)}, {n1 - step1})")]
        if step == step1 == 1:
            ways.append(("  __tunable unsigned p;\n", lambda c: f"tiles({c}, p, p, {n - 1}, {n1 - 1})"))
    units = []
    for number in range(random.choice([1, 2])):
        tunables, parts = random.choice(ways)
        units.append(Unit(f"parts{number}", f"__codelet __tag(parts{number})\n{own}\n{tunables}"
                          f"  return combine(map(inside, {s.arguments(parts, out=False)}));\n}}", ("inside", "combine")))
    tunables, parts = random.choice(ways)
    none = f"  {s.t} none = {op.none};\n"
    array = f"const Array<{rank}, {s.e}> in"
    given = s.arguments(lambda each: each, out=False)
    if random.random() < 0.5:
        units += [Unit("onto", f"__codelet\n{s.t} onto({s.t} carry, {by}{array}) {{\n  {s.t} own = inside({given});\n"
                       f"  return {op.of('carry', 'own')};\n}}", ("inside",)),
                  Unit("chained", f"__codelet __tag(chained)\n{own}\n{tunables}{none}"
                       f"  return chain(onto, none, {s.arguments(parts, out=False)});\n}}", ("onto",))]
    if random.random() < 0.4:
        units += [Unit("into", f"__codelet\nvoid into({by}{array}, Array<1, {s.t}> acc) {{\n  require(acc.size() == 1);\n"
                       f"  {s.t} own = inside({given});\n  acc[0] = {op.of('acc[0]', 'own')};\n}}", ("inside",)),
                  Unit("folded", f"__codelet __tag(folded)\n{own}\n{tunables}  Array<1, {s.t}> acc(1);\n  acc[0] = {op.none};\n"
                       f"  fold(into, {s.arguments(parts, out=False)}, all(acc));\n  return acc[0];\n}}", ("into",))]
    if op.atomic and random.random() < 0.4:
        units += [Unit("share", f"__codelet\nvoid share({by}{array}, Array<1, {s.t}> acc) {{\n  require(acc.size() == 1);\n"
                       f"  {s.t} own = inside({given});\n  {op.atomic}(acc[0], own);\n}}", ("inside",)),
                  Unit("atomics", f"__codelet __tag(atomics)\n{own}\n{tunables}  Array<1, {s.t}> acc(1);\n  acc[0] = {op.none};\n"
                       f"  map(share, {s.arguments(parts, out=False)}, all(acc));\n  return acc[0];\n}}", ("share",))]
    return units


def windows_of(near, d):
    """How many windows the padded container has."""
    size, step, spare = extent("in", near.rank, d), near.steps[d], near.spare(d)
    if spare < 0:
        return f"({size} < {-spare} ? 0 : ({size} - {-spare}) / {step})"
    return f"({plus(size, spare)}) / {step}" if step > 1 else plus(size, spare)


# ----------------------------------------------------------------------------
# One step after the other
# ----------------------------------------------------------------------------

def stencil_steps(random, shape):
    """Two steps, the second on what the first has made: as many results as there are elements."""
    near, s = shape.detail, Stencil(random, shape, inputs=False)
    n, (pad,), e = near.windows[0], near.pads, s.e
    parameters, given = s.parameters(1, 1, v=True), s.arguments
    same = "  require(out.size() == in.size());\n"
    head = f"void f({parameters}) {{"
    units = functions(s) + [
        Unit("meaning", f"__codelet\n{head}\n{same}{two_steps(s, pad)}}}"), s.at(),
        Unit("step", f"__codelet\nvoid step({parameters}) {{\n{same}{each_result(s, 1, 1, True)}}}"),
        Unit("step_windows", f"__codelet __tag(step_windows)\nvoid step({parameters}) {{\n"
             f"{windowed(s, lambda each: pads_of(s, each))}}}", ("step", "at")),
        Unit("inside", f"__codelet\nvoid inside({s.parameters(1, 1)}) {{\n{exact(near.bare()).contract()}"
             f"{each_result(s, 1, 1)}}}"),
        Unit("inside_windows", f"__codelet __tag(inside_windows)\nvoid inside({s.parameters(1, 1)}) {{\n"
             f"{windowed(s, lambda each: each)}}}", ("inside", "at"))]
    if random.random() < 0.5:
        tunables, windows, results = overlapping(random, near)
        units.append(Unit("step_tiles", f"__codelet __tag(step_tiles)\nvoid step({parameters}) {{\n{tunables}"
                          f"  map(inside, {given(lambda c: windows(pads_of(s, c)), results)});\n}}", ("step", "inside")))
    one, two = given(lambda c: c, v=True), given(lambda c: "between", v=True)
    units.append(Unit("steps", f"__codelet __tag(steps)\n{head}\n  Array<1, {e}> between(in.size());\n"
                      f"  step({one.replace('out', 'between')});\n  step({two});\n}}", ("step",)))
    if pad.boundary == "wrap" or random.random() < 0.3:
        units += time_tiles(s, pad, head)
    return units, (("in_size", STENCIL_SIZES[1]),)


def two_steps(s, pad):
    """For each result the results of the first step around it, each of the elements around it."""
    n = s.near.windows[0]

    def first(indexes):
        return element("in", s.e, s.near.pads, (plus_text("q", indexes[0]),))
    inner = s.lines(first, None, "") + ["mid[m] = r;"]
    if pad.boundary in ("clamp", "mirror", "wrap"):
        q = element("in", s.e, (pad,), ("(i + m)",)).split("in[", 1)[1].rsplit("] :", 1)[0]
        body = [f"unsigned q = {q};", *inner]
    else:
        inside, at = ("", "i + m") if pad.left == 0 else (f"i + m >= {pad.left} && ", f"i + m - {pad.left}")
        body = [f"mid[m] = {pad.boundary};", f"if ({inside}i + m < {plus('in.size()', pad.left)}) {{",
                f"  unsigned q = {at};", *("  " + line for line in inner), "}"]
    outer = s.lines(lambda indexes: f"mid[{indexes[0]}]", None, "") + ["out[i] = r;"]
    lines = [f"{s.e} mid[{n}];", *block(nested(["m"], [str(n)], body, "")), *outer]
    return nested(["i"], ["in.size()"], lines, "  ")


def time_tiles(s, pad, head):
    """Both steps on a tile, with the neighbours of its neighbours: f too, where the container goes round."""
    random, n = s.random, s.near.windows[0]
    own = f"void both({s.parameters(1, 1)}) {{"

    def first(indexes):
        return element("in", s.e, (), (plus_text("i + m", indexes[0]),))
    body = s.lines(first, None, "") + ["mid[m] = r;"]
    outer = s.lines(lambda indexes: f"mid[{indexes[0]}]", None, "") + ["out[i] = r;"]
    lines = [f"{s.e} mid[{n}];", *block(nested(["m"], [str(n)], body, "")), *outer]
    t, declared = tile_size(random, "t")
    given = s.arguments
    ways = [(declared, lambda c: f"chunks({c}, {t}, {2 * (n - 1)})", lambda c: f"chunks({c}, {t})"),
            ("  __tunable unsigned p;\n", lambda c: f"rows({c}, p, {2 * (n - 1)})", lambda c: f"rows({c}, p)")]
    tunables, windows, results = random.choice(ways)
    units = [Unit("both", f"__codelet\n{own}\n  require({'in.size()'} == {plus('out.size()', 2 * (n - 1))});\n"
                  f"{nested(['i'], ['out.size()'], lines, '  ')}}}"),
             Unit("both_steps", f"__codelet __tag(both_steps)\n{own}\n  Array<1, {s.e}> mid({plus('out.size()', n - 1)});\n"
                  f"  inside({given(lambda c: c).replace('out', 'mid')});\n  inside({given(lambda c: 'mid')});\n}}",
                  ("both", "inside")),
             Unit("both_tiles", f"__codelet __tag(both_tiles)\n{own}\n{tunables}"
                  f"  map(both, {given(windows, results)});\n}}", ("both",))]
    if pad.boundary == "wrap":
        wide = given(lambda c: f"pad({c}, {2 * pad.left}, {2 * pad.right}, wrap)")
        units.append(Unit("round", f"__codelet __tag(round)\n{head}\n  both({wide});\n}}", ("both",)))
    return units


# ----------------------------------------------------------------------------
# Parts that are padded each by itself, and results of rows of windows
# ----------------------------------------------------------------------------

def stencil_parts(random, shape):
    """One step of each row, column or part of a container, which ends where these do."""
    near, s = shape.detail, Stencil(random, shape, inputs=False)
    kind = random.choice(["parts", "rows", "columns", "row_parts"])
    rank = 1 if kind == "parts" else 2
    part = random.choice([1, 2, 3, 5, 8])
    step, head = (f"void {name}({s.parameters(r, r, v=True)}) {{" for name, r in (("step", 1), ("f", rank)))
    units = functions(s)
    ends = [extent("out", rank, d) for d in range(rank)]
    same = "".join(f"  require({extent('out', rank, d)} == {extent('in', rank, d)});\n" for d in range(rank))
    place, size, before, own = {
        "parts": (lambda x: f"in[first + {x[0]}]", "length", [f"unsigned first = i / {part} * {part};",
                  f"unsigned length = min({part}, in.size() - first);"], "i - first"),
        "rows": (lambda x: f"in[i][{x[0]}]", "in.size(1)", [], "j"),
        "columns": (lambda x: f"in[{x[0]}][j]", "in.size(0)", [], "i"),
        "row_parts": (lambda x: f"in[i][first + {x[0]}]", "length", [f"unsigned first = j / {part} * {part};",
                      f"unsigned length = min({part}, in.size(1) - first);"], "j - first")}[kind]
    axes = list(AXES[:rank])
    lines = before + s.result([own], "", True, place, lambda d: size) + [f"out{subscripts(axes)} = r;"]
    units += [Unit("meaning", f"__codelet\n{head}\n{same}{nested(axes, ends, lines, '  ')}}}"), s.at(),
              Unit("step", f"__codelet\n{step}\n  require(out.size() == in.size());\n{each_result(s, 1, 1, True)}}}"),
              Unit("step_windows", f"__codelet __tag(step_windows)\n{step}\n"
                   f"{windowed(s, lambda each: pads_of(s, each))}}}", ("step", "at"))]
    if random.random() < 0.5:
        units.append(lanes(s, "step", step, 1, True))
    if random.random() < 0.5:
        units += [Unit("inside", f"__codelet\nvoid inside({s.parameters(1, 1)}) {{\n{exact(near.bare()).contract()}"
                       f"{each_result(s, 1, 1)}}}")]
        tunables, windows, results = overlapping(random, near)
        units.append(Unit("step_tiles", f"__codelet __tag(step_tiles)\n{step}\n{tunables}"
                          f"  map(inside, {s.arguments(lambda c: windows(pads_of(s, c)), results)});\n}}", ("step", "inside")))
    if kind == "row_parts":
        units += [Unit("one", f"__codelet\n{step.replace('void step', 'void one')}\n  require(out.size() == in.size());\n"
                       f"  for (unsigned i = 0; i < out.size(); ++i) {{\n    unsigned first = i / {part} * {part};\n"
                       f"    unsigned length = min({part}, in.size() - first);\n" +
                       "".join(f"    {line}\n" for line in s.result(
                           ["i - first"], "", True, lambda x: f"in[first + {x[0]}]", lambda d: "length")) +
                       "    out[i] = r;\n  }\n}"),
                  Unit("one_parts", f"__codelet __tag(one_parts)\n{step.replace('void step', 'void one')}\n"
                       f"  map(step, {s.arguments(lambda c: f'chunks({c}, {part})', lambda c: f'chunks({c}, {part})', v=True)});"
                       "\n}", ("one", "step"))]
    cut = {"parts": ("step", lambda c: f"chunks({c}, {part})"), "rows": ("step", lambda c: c),
           "columns": ("step", lambda c: f"transpose({c})"), "row_parts": ("one", lambda c: c)}[kind]
    units.append(Unit("each", f"__codelet __tag(each)\n{head}\n"
                      f"  map({cut[0]}, {s.arguments(cut[1], cut[1], v=True)});\n}}", (cut[0],)))
    if rank == 2:
        t, declared = tile_size(random, "t")
        way = random.choice([lambda c: f"chunks({c}, {t})", lambda c: f"rows({c}, 3)"]) if kind != "columns" else (
            lambda c: f"col_chunks({c}, {t})")
        declared = declared if "t)" in way("a") else ""
        units.append(Unit("blocks", f"__codelet __tag(blocks)\n{head}\n{declared}"
                          f"  map(f, {s.arguments(way, way, v=True)});\n}}"))
        return units, (("in_size0", (0, 1, 3, 8)), ("in_size1", (0, 1, 2, 7, 33)))
    if random.random() < 0.6:
        units.append(Unit("blocks", f"__codelet __tag(blocks)\n{head}\n  __tunable unsigned t;\n"
                          f"  map(f, {s.arguments(lambda c: f'chunks({c}, t * {part})', lambda c: f'chunks({c}, t * {part})', v=True)});\n}}"))
    return units, (("in_size", STENCIL_SIZES[1]),)
