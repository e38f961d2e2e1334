"""Programs on matrices: what comes of each row or column."""

from programs.pieces import FEW_SIZES, SPELLING, Operation, Unit, load, tree


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
