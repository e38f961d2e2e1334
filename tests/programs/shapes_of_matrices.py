"""Programs on matrices: what comes of each row or column, of each element, of two matrices."""

from programs.pieces import FEW_SIZES, SPELLING, Operation, Unit, guarded, load, tree


def matrix(random, shape):
    """What comes of each row, or column, of a matrix."""
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    op = Operation(random, shape.type)
    by_row = random.random() < 0.6
    r, c = ("0", "1") if by_row else ("1", "0")
    at = "a[i][j]" if by_row else "a[j][i]"
    head = f"void f(const Array<2, {e}> a, Array<1, {t}> out) {{"
    units = [Unit("meaning", f"__codelet\n{head}\n  require(out.size() == a.size({r}));\n"
                  f"  for (unsigned i = 0; i < a.size({r}); ++i) {{\n    {t} accum = {op.none};\n"
                  f"    for (unsigned j = 0; j < a.size({c}); ++j)\n      accum = {op.of('accum', f'value({at})')};\n"
                  f"    out[i] = accum;\n  }}\n}}"),
             Unit("total", f"__codelet\n{t} total(const Array<1, {e}> in) {{\n  {t} accum = {op.none};\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum = {op.of('accum', 'value(in[i])')};\n"
                  f"  return accum;\n}}"),
             Unit("each", f"__codelet __tag(each)\n{head}\n  out = map(total, {'a' if by_row else 'transpose(a)'});\n}}",
                  ("total",)),
             Unit("parts", f"__codelet __tag(parts)\n{head}\n  __tunable unsigned p;\n"
                  f"  map(f, {'rows' if by_row else 'cols'}(a, p), rows(out, p));\n}}")]
    loading, small = load(random, op, shape.type)
    folding, result = tree(random, op, shape.type)
    require = "  require(in.size() <= coopDim());\n" if small else ""
    units.append(Unit("total_lanes", f"__codelet __coop __tag(total_lanes)\n{t} total(const Array<1, {e}> in) {{\n{require}"
                      f"  __shared {t} tmp[coopDim()];\n  unsigned len = in.size();\n  unsigned id = coopIdx();\n"
                      f"  int dead = 0;\n{loading}{folding}  return {result};\n}}", ("total",)))
    if random.random() < 0.6:
        row = "    auto row = a[i];\n" if by_row else ""
        units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n"
                          f"  for (unsigned i = coopIdx(); i < out.size(); i += coopDim()) {{\n{row}    {t} accum = {op.none};\n"
                          f"    for (unsigned j = 0; j < a.size({c}); ++j)\n"
                          f"      accum = {op.of('accum', 'value(row[j])' if by_row else 'value(a[j][i])')};\n"
                          f"    out[i] = accum;\n  }}\n}}"))
    if random.random() < 0.6:
        units += [Unit("more", f"__codelet\nvoid more(const Array<2, {e}> a, Array<1, {t}> out) {{\n"
                       f"  require(out.size() == a.size({r}));\n  for (unsigned i = 0; i < a.size({r}); ++i) {{\n"
                       f"    for (unsigned j = 0; j < a.size({c}); ++j)\n"
                       f"      out[i] = {op.of('out[i]', f'value({at})')};\n  }}\n}}"),
                  Unit("clear", f"__codelet\nvoid clear(Array<1, {t}> out) {{\n  for (unsigned i = 0; i < out.size(); ++i)\n"
                       f"    out[i] = {op.none};\n}}"),
                  Unit("folded", f"__codelet __tag(folded)\n{head}\n  __tunable unsigned p;\n  clear(out);\n"
                       f"  fold(more, {'cols' if by_row else 'rows'}(a, p), all(out));\n}}", ("more", "clear"))]
    return units, (("a_size0", FEW_SIZES), ("a_size1", FEW_SIZES))


def matrix_parts(random, names, kinds):
    """(tunables, (parts of each of the matrices))"""
    kind = random.choice(kinds)
    one, two = random.choice([("p", "q"), ("p", "p")]) if kind in ("tiles", "tile_chunks") else ("p", "")
    domain = random.choice([" = choice(2, 5)", "", " = pow2(1, 8)"]) if "chunks" in kind else ""
    tunables = "".join(f"  __tunable unsigned {name}{domain};\n" for name in dict.fromkeys([one, two]) if name)
    sizes = f"{one}, {two}" if two else one
    return tunables, [f"{kind}({name}, {sizes})" for name in names]


def grid(random, shape):
    """Each element of one matrix, or two, from the same one of another."""
    e, t = SPELLING[shape.element], SPELLING[shape.type]
    several, update = random.random() < 0.5, random.random() < 0.3 and shape.type[0] != "i"
    names = ["a", "b"] + (["c"] if several else [])
    containers = f"const Array<2, {e}> a, Array<2, {t}> b" + (f", Array<2, {t}> c" if several else "")
    head = f"void f({containers}) {{"
    contract = "".join(f"  require({name}.size({d}) == a.size({d}));\n" for name in names[1:] for d in (0, 1))

    def step(at):
        first = f"b{at} {'+=' if update else '='} value(a{at});"
        return [first] + ([f"c{at} = a{at} > ({e})2 ? b{at} : ({t})1;"] if several else [])

    def loops(at, i="i", j="j", indent="  "):
        inner = "".join(f"{indent}    {line}\n" for line in step(at))
        return (f"{indent}for (unsigned {i} = 0; {i} < a.size(0); ++{i})\n{indent}  for (unsigned {j} = 0; {j} < a.size(1); "
                f"++{j}) {{\n{inner}{indent}  }}\n")
    units = [Unit("meaning", f"__codelet\n{head}\n{contract}{loops('[i][j]')}}}")]
    for number in range(random.choice([1, 2])):
        tunables, found = matrix_parts(random, names, ["rows", "cols", "tiles", "chunks", "col_chunks", "tile_chunks"])
        units.append(Unit(f"tiled{number}", f"__codelet __tag(tiled{number})\n{head}\n{tunables}"
                          f"  map(f, {', '.join(found)});\n}}"))
    views = "".join(f"    auto {name}_row = {name}[i];\n" for name in names)
    by_row = "".join("      " + line.replace("[i][j]", "_row[j]").replace("a[", "a_row[") + "\n"
                     for line in step("[i][j]"))
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n"
                      f"  for (unsigned i = coopIdx(); i < a.size(0); i += coopDim()) {{\n{views}"
                      f"    for (unsigned j = 0; j < a.size(1); ++j) {{\n{by_row}    }}\n  }}\n}}"))
    if random.random() < 0.5:
        inner = "".join(f"      {line}\n" for line in step("[i][j]"))
        units.append(Unit("columns", f"__codelet __coop __tag(columns)\n{head}\n"
                          f"  for (unsigned i = 0; i < a.size(0); ++i) {{\n"
                          f"    for (unsigned j = coopIdx(); j < a.size(1); j += coopDim()) {{\n{inner}    }}\n  }}\n}}"))
    if random.random() < 0.5:
        units.append(Unit("turned", f"__codelet\nvoid turned({containers}) {{\n{contract}{loops('[i][j]')}}}\n\n"
                          f"__codelet __tag(turned_tiles)\nvoid turned({containers}) {{\n  __tunable unsigned p;\n"
                          f"  map(turned, {', '.join(f'rows({name}, p)' for name in names)});\n}}"))
        units.append(Unit("transposed", f"__codelet __tag(transposed)\n{head}\n"
                          f"  turned({', '.join(f'transpose({name})' for name in names)});\n}}", ("turned",)))
    if not update and random.random() < 0.6:
        extents = "a.size(0), a.size(1)"
        units.append(Unit("copy", f"__codelet\nvoid copy(const Array<2, {t}> from, Array<2, {t}> to) {{\n"
                          f"  require(from.size(0) == to.size(0));\n  require(from.size(1) == to.size(1));\n"
                          f"  for (unsigned i = 0; i < to.size(0); ++i) {{\n    auto row = to[i];\n"
                          f"    for (unsigned j = 0; j < to.size(1); ++j)\n      row[j] = from[i][j];\n  }}\n}}"))
        tunables, found = matrix_parts(random, ["tmp", "b"], ["rows", "tiles", "tile_chunks"])
        rest = ", c" if several else ""
        units.append(Unit("local", f"__codelet __tag(local)\n{head}\n{tunables}  Array<2, {t}> tmp({extents});\n"
                          f"  f(a, tmp{rest});\n  map(copy, {', '.join(found)});\n}}", ("copy",)))
    return units, (("a_size0", FEW_SIZES), ("a_size1", FEW_SIZES))


def rowwise(random, shape):
    """A matrix in place, row by row: each from what it was."""
    t = SPELLING[shape.element]
    op = Operation(random, shape.element)
    head = f"void f(Array<2, {t}> a) {{"
    body = random.choice([
        f"for (unsigned j = 1; j < a.size(1); ++j)\n      row[j] = {op.of('row[j]', 'row[j - 1]')};",
        f"for (unsigned j = 0; j + 1 < a.size(1); ++j) {{\n      {t} here = row[j];\n      row[j] = row[j + 1];\n"
        f"      row[j + 1] = here;\n    }}",
        f"{t} accum = {op.none};\n    for (unsigned j = 0; j < a.size(1); ++j)\n      accum = "
        f"{op.of('accum', 'row[j]')};\n    for (unsigned j = 0; j < a.size(1); ++j)\n      row[j] = accum;"])
    units = [Unit("meaning", f"__codelet\n{head}\n  for (unsigned i = 0; i < a.size(0); ++i) {{\n    auto row = a[i];\n"
                  f"    {body}\n  }}\n}}"),
             Unit("one", f"__codelet\nvoid one(Array<1, {t}> row) {{\n    "
                  f"{body.replace('a.size(1)', 'row.size()')}\n}}"),
             Unit("mapped", f"__codelet __tag(mapped)\n{head}\n  map(one, a);\n}}", ("one",))]
    tunables, (part,) = matrix_parts(random, ["a"], ["rows", "chunks"])
    units.append(Unit("tiled", f"__codelet __tag(tiled)\n{head}\n{tunables}  map(f, {part});\n}}"))
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n"
                      f"  for (unsigned i = coopIdx(); i < a.size(0); i += coopDim()) {{\n    auto row = a[i];\n"
                      f"    {body}\n  }}\n}}"))
    if random.random() < 0.6:  # a lane an element: what all read before any writes
        sign = random.choice(["-", "+"])
        guard = "j >= 1 && j < row.size()" if sign == "-" else "j + 1 < row.size()"
        step = guarded(random, guard, op.onto(random, "row[j]", f"row[j {sign} 1]"), "    ")
        order = ("for (unsigned j = row.size(); j > 1; --j)\n    row[j - 1] = " + op.of("row[j - 1]", "row[j - 2]")
                 if sign == "-" else
                 "for (unsigned j = 0; j + 1 < row.size(); ++j)\n    row[j] = " + op.of("row[j]", "row[j + 1]"))
        units = [Unit("meaning", f"__codelet\n{head}\n  for (unsigned i = 0; i < a.size(0); ++i) {{\n    auto row = a[i];\n"
                      f"    {order};\n  }}\n}}"),
                 Unit("one", f"__codelet\nvoid one(Array<1, {t}> row) {{\n  {order};\n}}"),
                 Unit("one_lanes", f"__codelet __coop __tag(one_lanes)\nvoid one(Array<1, {t}> row) {{\n"
                      f"  require(row.size() <= coopDim());\n  unsigned j = coopIdx();\n  int dead = 0;\n{step}}}", ("one",)),
                 Unit("mapped", f"__codelet __tag(mapped)\n{head}\n  map(one, a);\n}}", ("one",)),
                 Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n  require(a.size(1) <= coopDim());\n"
                      f"  unsigned j = coopIdx();\n  int dead = 0;\n"
                      f"  for (unsigned i = 0; i < a.size(0); ++i) {{\n    auto row = a[i];\n{step}  }}\n}}")]
    return units, (("a_size0", FEW_SIZES), ("a_size1", FEW_SIZES))


def product(random, shape):
    """c += a * b, of integers that wrap."""
    t = random.choice(["unsigned", "unsigned", "unsigned long long"])
    head = f"void f(const Array<2, {t}> a, const Array<2, {t}> b, Array<2, {t}> c) {{"
    contract = ("  require(a.size(0) == c.size(0));\n  require(b.size(1) == c.size(1));\n"
                "  require(a.size(1) == b.size(0));\n")
    units = [Unit("meaning", f"__codelet\n{head}\n{contract}  for (unsigned i = 0; i < c.size(0); ++i)\n"
                  f"    for (unsigned j = 0; j < c.size(1); ++j)\n      for (unsigned k = 0; k < b.size(0); ++k)\n"
                  f"        c[i][j] += a[i][k] * b[k][j];\n}}")]
    domain = random.choice([" = choice(2, 4)", "", " = pow2(1, 4)"])
    p, t_ = "  __tunable unsigned p;\n", f"  __tunable unsigned t{domain};\n"
    ways = {"m": (p, "map(f, rows(a, p), all(b), rows(c, p))"), "n": (p, "map(f, all(a), cols(b, p), cols(c, p))"),
            "k": (p, "fold(f, cols(a, p), rows(b, p), all(c))"),
            "chunks_m": (t_, "map(f, chunks(a, t), all(b), chunks(c, t))"),
            "chunks_n": (t_, "map(f, all(a), col_chunks(b, t), col_chunks(c, t))"),
            "chunks_k": (t_, "fold(f, col_chunks(a, t), chunks(b, t), all(c))")}
    for way in random.sample(sorted(ways), 3):
        tunables, call = ways[way]
        units.append(Unit(way, f"__codelet __tag({way})\n{head}\n{tunables}  {call};\n}}"))
    if random.random() < 0.6:
        inner = random.choice(["  c[i][j] += accum;\n", "  auto row = c[i];\n  row[j] += accum;\n"])
        inner = inner.replace("\n  ", "\n    ").replace("  c[", "    c[").replace("  auto", "    auto")
        units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n"
                          f"  for (unsigned x = coopIdx(); x < c.size(0) * c.size(1); x += coopDim()) {{\n"
                          f"    unsigned i = x / c.size(1);\n    unsigned j = x % c.size(1);\n    {t} accum = 0;\n"
                          f"    for (unsigned k = 0; k < b.size(0); ++k)\n      accum += a[i][k] * b[k][j];\n{inner}  }}\n}}"))
    if random.random() < 0.4:
        units.append(Unit("aside", f"__codelet\nvoid add(const Array<2, {t}> a, Array<2, {t}> c) {{\n"
                          f"  require(a.size(0) == c.size(0));\n  require(a.size(1) == c.size(1));\n"
                          f"  for (unsigned i = 0; i < c.size(0); ++i)\n    for (unsigned j = 0; j < c.size(1); ++j)\n"
                          f"      c[i][j] += a[i][j];\n}}\n\n__codelet\nvoid clear(Array<2, {t}> c) {{\n"
                          f"  for (unsigned i = 0; i < c.size(0); ++i)\n    for (unsigned j = 0; j < c.size(1); ++j)\n"
                          f"      c[i][j] = 0;\n}}\n\n__codelet __tag(aside)\n{head}\n"
                          f"  Array<2, {t}> tmp(c.size(0), c.size(1));\n  clear(tmp);\n  f(a, b, tmp);\n  add(tmp, c);\n}}"))
    return units, (("c_size0", (0, 1, 5, 9)), ("c_size1", (0, 1, 7)), ("a_size1", (0, 1, 6)))
