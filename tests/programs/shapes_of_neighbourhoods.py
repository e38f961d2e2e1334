"""Stencils: what comes of each window of a padded container. The meaning computes which elements these are; the
other codelets map over windows, over parts that overlap, or over rows of windows, of what has its neighbours."""

from dataclasses import replace

from programs.neighbourhoods import AXES, extent, nested, plus, subscripts, times
from programs.pieces import Unit
from programs.stencil_text import (STENCIL_SIZES, Stencil, each_result, exact, functions, lanes, overlapping, pads_of,
                                   plus_text, tile_size, windowed)

RANK_WORDS = {3: "inside", 2: "plane", 1: "row"}  # of spectrums whose results have fewer dimensions


def stencil(random, shape):
    near, s = shape.detail, Stencil(random, shape)
    rank = near.rank
    head = f"void f({s.parameters(rank, rank, v=True)}) {{"
    units = functions(s) + [Unit("meaning", f"__codelet\n{head}\n{contract(s, near, rank)}"
                                 f"{each_result(s, rank, rank, True)}}}"), s.at()]
    if rank > 1:
        units += below(s) + [rows_of_windows(s, rank, "f", head)]
    else:
        units.append(Unit("windows", f"__codelet __tag(windows)\n{head}\n"
                          f"{windowed(s, lambda name: pads_of(s, name))}}}", ("at",)))
    if all(near.is_exact(d) for d in range(rank)) and all(n >= step for n, step in zip(near.windows, near.steps)):
        units += inside(s, head)
    free = tuple((size_name(near, d, rank), STENCIL_SIZES[rank]) for d in range(rank))
    return units, free


def size_name(near, d, rank):
    container = "out" if near.equation(d, "in", "out").startswith("in") else "in"
    return f"{container}_size" + (str(d) if rank > 1 else "")


def contract(s, near, rank):
    text = near.contract()
    if s.other:
        text += "".join(f"  require({extent('other', rank, d)} == {extent('in', rank, d)});\n" for d in range(rank))
    if s.beside:
        text += "".join(f"  require({extent('beside', rank, d)} == {extent('out', rank, d)});\n" for d in range(rank))
    return text


def rows_of_windows(s, rank, name, head):
    """A map over windows along one dimension, whose results are rows."""
    d = s.rank - rank
    of = (lambda each: pads_of(s, each)) if name == "f" else (lambda each: each)
    along = f", {d}" if d else ""
    call = s.arguments(lambda each: f"slide({of(each)}, {s.near.windows[d]}, {s.near.steps[d]}{along})")
    return Unit(f"{name}_windows", f"__codelet __tag({name}_windows)\n{head}\n  map({RANK_WORDS[rank - 1]}, {call});\n}}",
                (RANK_WORDS[rank - 1],))


def below(s):
    """Spectrums for fewer dimensions of results: of planes of windows, and of rows."""
    units = []
    for out in range(1, s.rank):
        name = RANK_WORDS[out]
        head = f"void {name}({s.parameters(s.rank, out)}) {{"
        units.append(Unit(name, f"__codelet\n{head}\n{one_window(s, out)}{each_result(s, s.rank, out)}}}"))
        if out > 1:
            units.append(replace(rows_of_windows(s, out, name, head), needs=(name, RANK_WORDS[out - 1])))
        else:
            units.append(Unit("row_windows", f"__codelet __tag(row_windows)\n{head}\n"
                              f"{windowed(s, lambda each: each, f', {s.rank - 1}')}}}", ("row", "at")))
            if s.random.random() < 0.4:
                units.append(lanes(s, "row", head, 1))
            last = s.rank - 1
            n, step = s.near.windows[last], s.near.steps[last]
            if s.rank == 2 and n >= step and row_is_exact(s) and s.random.random() < 0.4:
                t, declared = tile_size(s.random, "t")
                call = s.arguments(lambda each: f"col_chunks({each}, {times(t, step)}, {n - step})",
                                   lambda each: f"chunks({each}, {t})")
                units.append(Unit("row_chunks", f"__codelet __tag(row_chunks)\n{head}\n{declared}  map(row, {call});\n}}",
                                  ("row",)))
    return units


def row_is_exact(s):
    return all(s.near.is_exact(d) for d in range(s.rank))


def one_window(s, out):
    """What is required of windows that are one window long along the first dimensions."""
    bare = s.near.bare()
    text = ""
    for container in ["in"] + (["other"] if s.other else []):
        text += "".join(f"  require({container}.size({d}) == {s.near.windows[d]});\n" for d in range(s.rank - out))
        if row_is_exact(s):
            for d in range(s.rank - out, s.rank):
                results = extent("out", out, d - (s.rank - out))
                size = plus(times(results, bare.steps[d]), bare.windows[d] - bare.steps[d])
                text += f"  require({container}.size({d}) == {size});\n"
    if s.beside:
        text += "".join(f"  require({extent('beside', out, d)} == {extent('out', out, d)});\n" for d in range(out))
    return text


def inside(s, head):
    """A spectrum of containers that have their neighbours, and `f` by it."""
    random, near, rank = s.random, s.near, s.rank
    bare = near.bare()
    own = f"void inside({s.parameters(rank, rank)}) {{"
    units = [Unit("inside", f"__codelet\n{own}\n{contract(s, exact(bare), rank)}{each_result(s, rank, rank)}}}")]
    if rank == 1:
        units.append(Unit("inside_windows", f"__codelet __tag(inside_windows)\n{own}\n"
                          f"{windowed(s, lambda each: each)}}}", ("inside", "at")))
    else:
        unit = rows_of_windows(s, rank, "inside", own)
        units.append(replace(unit, needs=("inside",) + unit.needs))
    for number in range(random.choice([1, 2, 2])):
        tunables, windows, results = overlapping(random, near)
        units.append(Unit(f"parts{number}", f"__codelet __tag(parts{number})\n{own}\n{tunables}"
                          f"  map(inside, {s.arguments(windows, results)});\n}}", ("inside",)))
    if random.random() < 0.6:
        units.append(lanes(s, "inside", own, rank))
    if rank == 1 and near.steps == (1,) and random.random() < 0.5:
        units.append(staged(s, own))
    units.append(Unit("padded", f"__codelet __tag(padded)\n{head}\n"
                      f"  inside({s.arguments(lambda each: pads_of(s, each))});\n}}", ("inside",)))
    if random.random() < 0.4:
        tunables, windows, results = overlapping(random, near)
        call = s.arguments(lambda each: windows(pads_of(s, each)), results)
        units.append(Unit("tiles", f"__codelet __tag(tiles)\n{head}\n{tunables}  map(inside, {call});\n}}", ("inside",)))
    if random.random() < 0.4:
        units += copied(s, head)
    return units


def staged(s, head):
    """The lanes copy what they need together, and meet."""
    n = s.near.windows[0]
    names = ["in"] + (["other"] if s.other else [])
    shared = "".join(f"  __shared {s.e} {name}_tile[coopDim() + {n}];\n" for name in names)
    copies = "".join(f"      {name}_tile[k] = base + k < {name}.size() ? {name}[base + k] : ({s.e})0;\n" for name in names)

    def kept(name):
        return lambda indexes: f"{name}_tile[{plus_text('coopIdx()', indexes[0])}]"
    body = s.lines(kept("in"), kept("other"), "beside[i]" if s.beside else "")
    body = "".join(f"      {line}\n" for line in body)
    return Unit("staged", f"__codelet __coop __tag(staged)\n{head}\n{shared}"
                f"  for (unsigned base = 0; base < out.size(); base += coopDim()) {{\n"
                f"    for (unsigned k = coopIdx(); k < {plus('coopDim()', n - 1)}; k += coopDim()) {{\n{copies}    }}\n"
                f"    unsigned i = base + coopIdx();\n    if (i < out.size()) {{\n{body}      out[i] = r;\n    }}\n  }}\n}}",
                ("inside",))


def copied(s, head):
    """The padded containers put down in memory of their own."""
    rank, random = s.rank, s.random
    array = f"Array<{rank}, {s.e}>"
    copy = Unit("copy", f"__codelet\nvoid copy(const {array} from, {array} to) {{\n" +
                "".join(f"  require({extent('to', rank, d)} == {extent('from', rank, d)});\n" for d in range(rank)) +
                nested(AXES[:rank], [extent("to", rank, d) for d in range(rank)],
                       [f"to{subscripts(AXES[:rank])} = from{subscripts(AXES[:rank])};"], "  ") + "}")
    sizes = ", ".join(plus(extent("in", rank, d), s.near.padding(d)) for d in range(rank))
    names = ["in"] + (["other"] if s.other else [])
    text = "".join(f"  {array} whole_{name}({sizes});\n" for name in names)
    t, declared = tile_size(random, "t")
    for name in names:
        parts = (lambda c: f"rows({c}, 3)") if random.random() < 0.3 else (lambda c: f"chunks({c}, {t})")
        text += (f"  copy({pads_of(s, name)}, whole_{name});\n" if random.random() < 0.3 else
                 f"  map(copy, {parts(pads_of(s, name))}, {parts(f'whole_{name}')});\n")
    if declared and "(in" in text and f", {t})" not in text:
        declared = ""
    return [copy, Unit("copied", f"__codelet __tag(copied)\n{head}\n{declared}{text}"
                       f"  inside({s.arguments(lambda each: f'whole_{each}')});\n}}", ("copy", "inside"))]
