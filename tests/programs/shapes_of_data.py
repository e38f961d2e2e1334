"""Programs whose elements or parts data decides, and those whose roundings count."""

import random as random_module

from programs.pieces import SIZES, SPELLING, Operation, Unit, load, parts, tree


def histogram(random, shape):
    low = random.choice([0, 0, -8, -3])
    high = random.choice([8, 16, 5])
    e = "int"
    t = SPELLING[random.choice(["i32", "u32", "i64", "u64"])]
    at = f"in[i] + {-low}" if low else "in[i]"
    one = f"in[i] - {low}" if low and random.random() < 0.5 else at
    count = high - low
    by = random.choice(["1", f"({t})(i % 3)"]) if False else "1"
    head = f"void f(const Array<1, {e}> in, Array<1, {t}> bins) {{"
    contract = f"  require(within(in, {low}, {high}));\n  require(bins.size() == {count});\n"
    units = [Unit("meaning", f"__codelet\n{head}\n{contract}  for (unsigned i = 0; i < in.size(); ++i)\n"
                  f"    bins[{one}] += {by};\n}}"),
             Unit("adds", f"__codelet\nvoid adds(const Array<1, {e}> in, Array<1, {t}> bins) {{\n{contract}"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    atomicAdd(bins[{at}], {by});\n}}")]
    before, (part,) = parts(random, ["in"])
    units.append(Unit("shared", f"__codelet __tag(shared)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  map(adds, {part}, all(bins));\n}}", ("adds",)))
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n  __shared {t} own[{count}];\n"
                      f"  for (unsigned b = coopIdx(); b < {count}; b += coopDim())\n    own[b] = 0;\n"
                      f"  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())\n"
                      f"    atomicAdd(own[{one}], {by});\n"
                      f"  for (unsigned b = coopIdx(); b < bins.size(); b += coopDim())\n    bins[b] += own[b];\n}}"))
    before, (part,) = parts(random, ["in"])
    units.append(Unit("private", f"__codelet\n{t} plus({t} a, const Array<1, {t}> in) {{\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    a += in[i];\n  return a;\n}}\n\n"
                      f"__codelet\nvoid count(const Array<1, {e}> in, Array<1, {t}> bins) {{\n{contract}"
                      f"  for (unsigned b = 0; b < bins.size(); ++b)\n    bins[b] = 0;\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    bins[{one}] += {by};\n}}\n\n"
                      f"__codelet __tag(privately)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  Array<2, {t}> own(p, bins.size());\n  map(count, {part}, own);\n"
                      f"  bins = map(plus, bins, transpose(own));\n}}"))
    return units, (("in_size", SIZES),)


def segments(random, shape):
    """Sums of the rows of a sparse matrix, so to say: data says where they are."""
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    head = f"void f(const Array<1, unsigned> offsets, const Array<1, {e}> in, Array<1, {t}> out) {{"
    contract = ("  require(offsets.size() == out.size() + 1);\n"
                "  require(ascending(offsets, 0, in.size()));\n")
    units = [Unit("meaning", f"__codelet\n{head}\n{contract}  for (unsigned r = 0; r < out.size(); ++r) {{\n"
                  f"    {t} accum = {op.none};\n    for (unsigned i = offsets[r]; i < offsets[r + 1]; ++i)\n"
                  f"      accum = {op.of('accum', 'value(in[i])')};\n    out[r] = accum;\n  }}\n}}"),
             Unit("total", f"__codelet\n{t} total(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                  f"  return accum;\n}}")]
    loading, small = load(random, op, shape.type)
    folding, result = tree(random, op, shape.type)
    require = "  require(in.size() <= coopDim());\n" if small else ""
    units.append(Unit("total_lanes", f"__codelet __coop __tag(total_lanes)\n{t} total(const Array<1, {e}> in) {{\n{require}"
                      f"  __shared {t} tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n{loading}{folding}  return {result};\n}}", ("total",)))
    units.append(Unit("rows", f"__codelet __tag(by_row)\n{head}\n  unsigned n = out.size();\n"
                      f"  out = map(total, partition(in, n, sequence(offsets, 0, 1, n), sequence(1),\n"
                      f"      sequence(offsets, 1, 1, n + 1)));\n}}", ("total",)))
    if random.random() < 0.6:
        units.append(Unit("row_lanes", f"__codelet __coop __tag(row_lanes)\n{head}\n"
                          f"  for (unsigned r = coopIdx(); r < out.size(); r += coopDim()) {{\n"
                          f"    {t} accum = {op.none};\n    for (unsigned i = offsets[r]; i < offsets[r + 1]; ++i)\n"
                          f"      accum = {op.of('accum', 'value(in[i])')};\n    out[r] = accum;\n  }}\n}}"))
    return units, (("out_size", (0, 1, 3, 8, 33)), ("in_size", (0, 1, 9, 64, 300)))


def rounding(random, shape):
    """Floating point with many roundings, judged by the bound that the plan states."""
    t = random.choice(["float", "float", "double"])
    f = "f" if t == "float" else ""
    many = random.choice([10, 50, 200])
    step = random.choice([f"x = x * 1.001{f} + 0.1{f};", f"x = x * 0.5{f} + 0.25{f};",
                          f"x += x / 3.0{f} - 0.01{f};"])
    body = f"for (int k = 0; k < {many}; ++k)\n    {step}"
    # A number beyond all integers has no conversion to one in C.
    small = f"x > -1000.0{f} && x < 1000.0{f}"
    decide = random.choice(["", "", f"  if (x > 0.5{f})\n    x -= 0.25{f};\n",
                            f"  if ({small})\n    x += (int)(x * 10.0{f});\n"])
    head = f"{t} f(const Array<1, {t}> in) {{"
    where = random.choice(["helper", "codelet"])
    helper = f"{t} rounds({t} x) {{\n  {body}\n{decide}  return x;\n}}"
    one = "rounds(in[i])"
    units = [Unit("helper", helper)]
    units.append(Unit("meaning", f"__codelet\n{head}\n  {t} accum = 0;\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                      f"    accum += {one};\n  return accum;\n}}"))
    if where == "codelet":
        inside = body.replace("\n", "\n  ")
        units[1] = Unit("meaning", f"__codelet\n{head}\n  {t} accum = 0;\n"
                        f"  for (unsigned i = 0; i < in.size(); ++i) {{\n    {t} x = in[i];\n    {inside}\n"
                        f"  {decide.strip() and decide.replace(chr(10) + '  ', chr(10) + '    ')}    accum += x;\n  }}\n  return accum;\n}}")
    units.append(Unit("sum", f"__codelet\n{t} sum(const Array<1, {t}> in) {{\n  {t} accum = 0;\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum += in[i];\n  return accum;\n}}"))
    before, (part,) = parts(random, ["in"])
    units.append(Unit("tiled", f"__codelet __tag(tiled)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  return sum(map(f, {part}));\n}}", ("sum",)))
    op = Operation(random_module.Random(0), "f32")
    op.kind, op.none, op.atomic = "+", "0", "atomicAdd"
    folding, result = tree(random, op, "f32" if t == "float" else "f64")
    if random.random() < 0.5:
        units.append(Unit("adds", f"__codelet\nvoid adds(const Array<1, {t}> in, Array<1, {t}> acc) {{\n"
                          f"  require(acc.size() == 1);\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                          f"    atomicAdd(acc[0], {'rounds(in[i])' if random.random() < 0.5 else 'in[i] * in[i]'});\n}}"))
        units.append(Unit("adds_f", f"__codelet __tag(adds_f)\nvoid adds(const Array<1, {t}> in, Array<1, {t}> acc) {{\n"
                          f"  __tunable unsigned p;\n  map(adds, rows(in, p), all(acc));\n}}", ("adds",)))
        if "rounds" in units[-2].text:
            units.append(Unit("atomics", f"__codelet __tag(atomics)\n{head}\n  Array<1, {t}> acc(1);\n"
                              f"  acc[0] = 0;\n  adds(in, acc);\n  return acc[0];\n}}", ("adds",)))
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n  require(in.size() <= coopDim());\n"
                      f"  __shared {t} tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n  tmp[id] = id < len ? rounds(in[id]) : 0;\n{folding}  return {result};\n}}"))
    return units, (("in_size", (0, 1, 2, 9, 64, 1000)),)
