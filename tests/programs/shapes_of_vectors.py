"""Reductions, maps and scans, divided among workers in random ways."""

from programs.pieces import SIZES, SPELLING, Operation, Unit, guarded, in_order, load, parts, tree


def reduction(random, shape):
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    head = f"{t} f(const Array<1, {e}> in) {{"
    loop = random.choice([
        f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n",
        f"  unsigned i = 0;\n  while (i < in.size()) {{\n    accum = {op.of('accum', 'value(in[i])')};\n    ++i;\n  }}\n",
        f"  for (unsigned i = in.size(); i > 0; --i) {{\n    {t} one = value(in[i - 1]);\n"
        f"    accum = {op.of('accum', 'one')};\n  }}\n"])
    units = [Unit("meaning", f"__codelet\n{head}\n  {t} accum = {op.none};\n{loop}  return accum;\n}}")]
    units.append(Unit("combine", f"__codelet\n{t} combine(const Array<1, {t}> in) {{\n  {t} accum = {op.none};\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'in[i]')};\n"
                      f"  return accum;\n}}"))
    for number in range(random.choice([1, 2])):
        before, (part,) = parts(random, ["in"])
        result = random.choice([
            f"  return combine(map(f, {part}));\n",
            f"  Array<1, {t}> found = map(f, {part});\n  return combine(found);\n",
            f"  Array<1, {t}> found(p);\n  found = map(f, {part});\n  return combine(found);\n"])
        units.append(Unit(f"tiled{number}", f"__codelet __tag(tiled{number})\n{head}\n  __tunable unsigned p;\n"
                          f"{before}{result}}}", ("combine",)))
    if random.random() < 0.5:
        size = random.choice(["", " = choice(3, 8)", " = pow2(2, 32)"])
        result = random.choice(["combine(map(f, chunks(in, t)))", "combine(map(f, chunks(in, 5)))",
                                "combine(map(f, chunks(in, t * 2)))"])
        declared = f"  __tunable unsigned t{size};\n" if "t)" in result or "t *" in result else ""
        units.append(Unit("chunked", f"__codelet __tag(chunked)\n{head}\n{declared}  return {result};\n}}",
                          ("combine",)))
    loading, small = load(random, op, shape.type)
    folding, result = tree(random, op, shape.type)
    require = "  require(in.size() <= coopDim());\n" if small else ""
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n{require}  __shared {t} tmp[coopDim()];\n"
                      f"  unsigned len = in.size();\n  unsigned id = coopIdx();\n  int dead = 0;\n"
                      f"{loading}{folding}  return {result};\n}}"))
    if random.random() < 0.5:
        loading, _ = load(random, op, shape.type)
        folding, result = tree(random, op, shape.type)
        units.append(Unit("combine_lanes", f"__codelet __coop __tag(combine_lanes)\n{t} combine(const Array<1, {t}> in) {{\n"
                          f"  require(in.size() <= coopDim());\n  __shared {t} tmp[coopDim()];\n"
                          f"  unsigned len = in.size();\n  unsigned id = coopIdx();\n  int dead = 0;\n"
                          f"{loading.replace('value(in[id])', 'in[id]').replace('value(in[i])', 'in[i]')}"
                          f"{folding}  return {result};\n}}", ("combine",)))
    if random.random() < 0.4:
        units.append(Unit("one", f"__codelet\n{t} one({e} x) {{\n  return value(x);\n}}"))
        units.append(Unit("elements", f"__codelet __tag(elements)\n{head}\n  Array<1, {t}> all(in.size());\n"
                          f"  all = map(one, in);\n  return combine(all);\n}}", ("one", "combine")))
    if random.random() < 0.4:
        before, (part,) = parts(random, ["in"])
        few, small = random.choice([(0, op.none), (1, "f(in)"), (6, "combine(map(f, chunks(in, 2)))")])
        rest = random.choice([
            f"  return combine(map(f, {part}));\n",
            f"  Array<1, {t}> found = map(f, {part});\n  if (found[0] == found[p - 1])\n"
            f"    return combine(found);\n  return combine(map(f, rows(in, 3)));\n"])
        units.append(Unit("cases", f"__codelet __tag(cases)\n{head}\n  __tunable unsigned p;\n"
                          f"  if (in.size() <= {few})\n    return {small};\n{before}{rest}}}", ("combine",)))
    if random.random() < 0.5:
        before, (part,) = parts(random, ["in"])
        units.append(Unit("onto", f"__codelet\n{t} onto({t} carry, const Array<1, {e}> in) {{\n"
                          f"  for (unsigned i = 0; i < in.size(); ++i)\n"
                          f"    carry = {op.of('carry', 'value(in[i])')};\n  return carry;\n}}"))
        units.append(Unit("onto_f", f"__codelet __tag(onto_f)\n{t} onto({t} carry, const Array<1, {e}> in) {{\n"
                          f"  {t} own = f(in);\n  return {op.of('carry', 'own')};\n}}", ("onto",)))
        units.append(Unit("chained", f"__codelet __tag(chained)\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  {t} none = {op.none};\n  return chain(onto, none, {part});\n}}", ("onto",)))
    if random.random() < 0.4:
        before, (part,) = parts(random, ["in"])
        units.append(Unit("into", f"__codelet\nvoid into(const Array<1, {e}> in, Array<1, {t}> acc) {{\n"
                          f"  require(acc.size() == 1);\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                          f"    acc[0] = {op.of('acc[0]', 'value(in[i])')};\n}}"))
        units.append(Unit("folded", f"__codelet __tag(folded)\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  Array<1, {t}> acc(1);\n  acc[0] = {op.none};\n  fold(into, {part}, all(acc));\n"
                          f"  return acc[0];\n}}", ("into",)))
    if op.atomic and random.random() < 0.5:
        before, (part,) = parts(random, ["in"])
        units.append(Unit("share", f"__codelet\nvoid share(const Array<1, {e}> in, Array<1, {t}> acc) {{\n"
                          f"  require(acc.size() == 1);\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                          f"    {op.atomic}(acc[0], value(in[i]));\n}}"))
        units.append(Unit("atomics", f"__codelet __tag(atomics)\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  Array<1, {t}> acc(1);\n  acc[0] = {op.none};\n  map(share, {part}, all(acc));\n"
                          f"  return acc[0];\n}}", ("share",)))
    if random.random() < 0.4:
        before, (part,) = parts(random, ["in"])
        inner, (piece,) = parts(random, ["in"], "q")
        units.append(Unit("blocks", f"__codelet\n{t} blocks(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                          f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                          f"  return accum;\n}}"))
        units.append(Unit("blocks_f", f"__codelet __tag(blocks_f)\n{t} blocks(const Array<1, {e}> in) {{\n"
                          f"  __tunable unsigned q;\n{inner}  Array<1, {t}> found = map(f, {piece});\n"
                          f"  return combine(found);\n}}", ("blocks", "combine")))
        if random.random() < 0.5:  # three deep
            units.append(Unit("blocks_b", f"__codelet __tag(blocks_b)\n{t} blocks(const Array<1, {e}> in) {{\n"
                              f"  __tunable unsigned r;\n  Array<1, {t}> found(r);\n"
                              f"  found = map(blocks, rows(in, r));\n  return combine(found);\n}}",
                              ("blocks", "combine")))
        units.append(Unit("nested", f"__codelet __tag(nested)\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  Array<1, {t}> found(p);\n  found = map(blocks, {part});\n"
                          f"  return combine(found);\n}}", ("blocks", "combine")))
    return units, (("in_size", SIZES),)


def generic(random, shape):
    """A reduction as a template over its element, its function and its operation."""
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    functional = random.random() < 0.6
    parameters = "class E, class T, T (*one)(E), T (*both)(T, T)" if functional else "class E, class T"
    own = "E, T, one, both" if functional else "E, T"
    one, both = ("one", "both") if functional else ("value", "plus")
    given = f"{e}, {t}, value, plus" if functional else f"{e}, {t}"
    head = f"template <{parameters}> __codelet{{}}\nT reduced(const Array<1, E> in) {{{{"
    units = [Unit("plus", f"{t} plus({t} a, {t} b) {{\n  return {op.of('a', 'b')};\n}}"),
             Unit("reduced", f"{head.format('')}\n  T accum = {op.none};\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                  f"    accum = {both}(accum, {one}(in[i]));\n  return accum;\n}}", ("plus",)),
             Unit("folded", f"template <class T{', T (*both)(T, T)' if functional else ''}> __codelet\n"
                  f"T folded(const Array<1, T> in) {{\n  T accum = {op.none};\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {both}(accum, in[i]);\n  return accum;\n}}",
                  ("plus",))]
    folded = f"folded<T{', both' if functional else ''}>"
    before, (part,) = parts(random, ["in"])
    units.append(Unit("tiled", f"{head.format(' __tag(tiled)')}\n  __tunable unsigned p;\n{before}"
                      f"  return {folded}(map(reduced<{own}>, {part}));\n}}", ("reduced", "folded")))
    if random.random() < 0.5:
        units.append(Unit("chunked", f"{head.format(' __tag(chunked)')}\n"
                          f"  return {folded}(map(reduced<{own}>, chunks(in, 4)));\n}}", ("reduced", "folded")))
    folding, result = tree(random, op, shape.type)
    folding = folding.replace(f"__shared {t} ", "__shared T ")
    units.append(Unit("lanes", f"{head.format(' __coop __tag(lanes)')}\n  require(in.size() <= coopDim());\n"
                      f"  __shared T tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n  tmp[id] = id < len ? {one}(in[id]) : (T)({op.none});\n{folding}"
                      f"  return {result};\n}}", ("reduced",)))
    units.append(Unit("meaning", f"__codelet\n{t} f(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                      f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                      f"  return accum;\n}}"))
    units.append(Unit("instance", f"__codelet __tag(instance)\n{t} f(const Array<1, {e}> in) {{\n"
                      f"  return reduced<{given}>(in);\n}}", ("reduced",)))
    return units, (("in_size", SIZES),)


def elementwise(random, shape):
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    from_ = random.random() < 0.5  # the element's number counts too
    scalar = "unsigned from, " if from_ else ""
    head = f"void f({scalar}const Array<1, {e}> in, Array<1, {t}> out) {{"
    extra = f" + ({t})((from + i) % 7)" if from_ else ""
    update = random.random() < 0.3
    assign = f"out[i] {'+=' if update and shape.type[0] != 'i' else '='} value(in[i]){extra};"
    units = [Unit("meaning", f"__codelet\n{head}\n  require(out.size() == in.size());\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    {assign}\n}}")]
    for number in range(random.choice([1, 2])):
        before, found = in_order(random, ["in", "out"]) if from_ else parts(random, ["in", "out"])
        if from_:
            if "tile" not in before:
                before += "  unsigned tile = (in.size() + p - 1) / p;\n"
            found = ["sequence(from, tile, from + p * tile + 1)"] + found
        units.append(Unit(f"tiled{number}", f"__codelet __tag(tiled{number})\n{head}\n  __tunable unsigned p;\n{before}"
                          f"  map(f, {', '.join(found)});\n}}"))
    alias = random.random() < 0.3
    view = "  auto seat = out;\n" if alias else ""
    to = assign.replace("out[i]", "seat[i]") if alias else assign
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n{view}"
                      f"  for (unsigned i = coopIdx(); i < in.size(); i += coopDim()) {{\n    {to}\n  }}\n}}"))
    if random.random() < 0.5:
        own = guarded(random, "i < in.size()", to)
        units.append(Unit("once", f"__codelet __coop __tag(once)\n{head}\n  require(in.size() <= coopDim());\n{view}"
                          f"  unsigned i = coopIdx();\n  int dead = 0;\n{own}}}"))
    if not from_ and not update and random.random() < 0.6:
        units.append(Unit("one", f"__codelet\n{t} one({e} x) {{\n  return value(x);\n}}"))
        units.append(Unit("elements", f"__codelet __tag(elements)\n{head}\n  out = map(one, in);\n}}", ("one",)))
        units.append(Unit("aside", f"__codelet __tag(aside)\n{head}\n  Array<1, {t}> all(in.size());\n"
                          f"  all = map(one, in);\n  copy(all, out);\n}}", ("one", "copy")))
        units.insert(1, Unit("copy", f"__codelet\nvoid copy(const Array<1, {t}> a, Array<1, {t}> b) {{\n"
                             f"  require(a.size() == b.size());\n  for (unsigned i = 0; i < a.size(); ++i)\n"
                             f"    b[i] = a[i];\n}}"))
    return units, (("in_size", SIZES),)


def scan(random, shape):
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    head = f"void f({t} start, const Array<1, {e}> in, Array<1, {t}> out) {{"
    units = [Unit("meaning", f"__codelet\n{head}\n  require(out.size() == in.size());\n  {t} accum = start;\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i) {{\n    accum = {op.of('accum', 'value(in[i])')};\n"
                  f"    out[i] = accum;\n  }}\n}}"),
             Unit("total", f"__codelet\n{t} total(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                  f"  return accum;\n}}"),
             Unit("starts", f"__codelet\nvoid starts({t} start, Array<1, {t}> a) {{\n  {t} accum = start;\n"
                  f"  for (unsigned i = 0; i < a.size(); ++i) {{\n    {t} own = a[i];\n    a[i] = accum;\n"
                  f"    accum = {op.of('accum', 'own')};\n  }}\n}}")]
    before, (one, two) = in_order(random, ["in", "out"])
    units.append(Unit("three", f"__codelet __tag(three)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  Array<1, {t}> a = map(total, {one});\n  starts(start, a);\n"
                      f"  map(f, a, {one}, {two});\n}}", ("total", "starts")))
    loading, _ = load(random, op, shape.type)
    if "i += coopDim" in loading:
        loading = f"  tmp[id] = id < len ? value(in[id]) : {op.none};\n"
    step = guarded(random, "id >= s", op.onto(random, "tmp[id]", "tmp[id - s]"), "    ")
    if random.random() < 0.3:
        step = (f"    {t} left = {op.none};\n" + guarded(random, "id >= s", "left = tmp[id - s];", "    ") +
                f"    tmp[id] = {op.of('tmp[id]', 'left')};\n")
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n  require(in.size() <= coopDim());\n"
                      f"  __shared {t} tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n{loading}  for (unsigned s = 1; s < coopDim(); s *= 2) {{\n{step}  }}\n"
                      f"  if (id < len)\n    out[id] = {op.of('start', 'tmp[id]')};\n}}"))
    if random.random() < 0.5:
        before, (one, two) = in_order(random, ["in", "out"])
        units += [Unit("on", f"__codelet\n{t} on({t} start, const Array<1, {e}> in, Array<1, {t}> out) {{\n"
                       f"  require(out.size() == in.size());\n  {t} accum = start;\n"
                       f"  for (unsigned i = 0; i < in.size(); ++i) {{\n    accum = {op.of('accum', 'value(in[i])')};\n"
                       f"    out[i] = accum;\n  }}\n  return accum;\n}}"),
                  Unit("on_f", f"__codelet __tag(on_f)\n{t} on({t} start, const Array<1, {e}> in, Array<1, {t}> out) {{\n"
                       f"  {t} own = total(in);\n  {t} next = {op.of('start', 'own')};\n  f(start, in, out);\n"
                       f"  return next;\n}}", ("on", "total")),
                  Unit("chained", f"__codelet __tag(chained)\n{head}\n  __tunable unsigned p;\n{before}"
                       f"  chain(on, start, {one}, {two});\n}}", ("on",))]
    return units, (("in_size", SIZES),)
