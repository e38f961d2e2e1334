"""Reductions and maps of vectors: elements of two to four components, in every place where vectors may stand."""

from programs.pieces import SIZES, SPELLING, Unit, guarded, parts

NAMES = {"i32": "int", "u32": "uint", "f32": "float", "f64": "double"}


def vectors(random, shape):
    lanes = random.choice([2, 2, 4, 4, 3])
    v, names = f"{NAMES[shape.type]}{lanes}", "xyzw"[:lanes]
    order = list(names)
    if random.random() < 0.5:
        random.shuffle(order)
    made = random.choice(["{v}({all})", "{v}{{{all}}}", "make_{v}({all})"]).format(
        v=v, all=", ".join(f"value(a.{k})" for k in order))
    alone = "".join(f"  b.{k} = value(a.{order[i]});\n" for i, k in enumerate(names))
    body = random.choice([f"  return {made};\n", f"  {v} b;\n{alone}  return b;\n",
                          f"  {v} b = a;\n{alone}  a = b;\n  return a;\n"])
    each = Unit("each", f"{v} each({v} a) {{\n{body}}}")
    make = summed if random.random() < 0.5 else mapped
    return [each] + make(random, v, names), (("in_size0", SIZES),)


def summed(random, v, names):
    head = f"{v} f(const Array<1, {v}> in) {{"
    none = random.choice([f"{v} accum = 0;", f"{v} accum(0);", f"{v} accum = {v}();"])
    one = random.choice(["accum += each(in[i]);", "accum = accum + each(in[i]);",
                         f"{v} one = each(in[i]);\n    accum = one + accum;",
                         f"{v} one = in[i];\n    one = each(one);\n    " +
                         " ".join(f"accum.{k} += one.{k};" for k in names)])
    units = [Unit("meaning", f"__codelet\n{head}\n  {none}\n  for (unsigned i = 0; i < in.size(); ++i) {{\n    {one}\n  }}\n"
                  "  return accum;\n}"),
             Unit("combine", f"__codelet\n{v} combine(const Array<1, {v}> in) {{\n  {none}\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i)\n    accum += in[i];\n  return accum;\n}}")]
    before, (part,) = parts(random, ["in"])
    result = random.choice([f"  return combine(map(f, {part}));\n",
                            f"  Array<1, {v}> found = map(f, {part});\n  return combine(found);\n",
                            f"  Array<1, {v}> found(p);\n  found = map(f, {part});\n  {v} all = combine(found);\n  return all;\n"])
    units.append(Unit("tiled", f"__codelet __tag(tiled)\n{head}\n  __tunable unsigned p;\n{before}{result}}}", ("combine",)))
    if random.random() < 0.5:
        units.append(Unit("chunked", f"__codelet __tag(chunked)\n{head}\n  return combine(map(f, chunks(in, 5)));\n}}",
                          ("combine",)))
    if random.random() < 0.5:
        units.append(Unit("one", f"__codelet\n{v} one({v} x) {{\n  return each(x);\n}}"))
        units.append(Unit("elements", f"__codelet __tag(elements)\n{head}\n  return combine(map(one, in));\n}}",
                          ("one", "combine")))
    step = guarded(random, "id >= s", random.choice(["tmp[id] += tmp[id - s];", "tmp[id] = tmp[id - s] + tmp[id];"]), "    ")
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n  __shared {v} tmp[coopDim()];\n"
                      f"  unsigned id = coopIdx();\n  int dead = 0;\n  {none}\n"
                      f"  for (unsigned i = id; i < in.size(); i += coopDim()) {{\n    {one}\n  }}\n  tmp[id] = accum;\n"
                      f"  for (unsigned s = 1; s < coopDim(); s *= 2) {{\n{step}  }}\n  return tmp[coopDim() - 1];\n}}"))
    return units


def mapped(random, v, names):
    by = not v.startswith("int") and random.random() < 0.5  # a vector that is the same for all; signed numbers may overflow
    scalar, more, hand = (f"{v} by, ", " + by", "by, ") if by else ("", "", "")
    head = f"void f({scalar}const Array<1, {v}> in, Array<1, {v}> out) {{"
    assign = random.choice([f"out[i] = each(in[i]){more};", f"{v} a = each(in[i]);\n    out[i] = a{more};",
                            f"{v} a = each(in[i]){more};\n    " + " ".join(f"out[i].{k} = a.{k};" for k in names)])
    assigned = f"{{\n    {assign}\n  }}"
    units = [Unit("meaning", f"__codelet\n{head}\n  require(out.size() == in.size());\n"
                  f"  for (unsigned i = 0; i < in.size(); ++i) {assigned}\n}}")]
    before, found = parts(random, ["in", "out"])
    units.append(Unit("tiled", f"__codelet __tag(tiled)\n{head}\n  __tunable unsigned p;\n{before}"
                      f"  map(f, {hand}{', '.join(found)});\n}}"))
    if random.random() < 0.5:
        units.append(Unit("chunked", f"__codelet __tag(chunked)\n{head}\n  __tunable unsigned t = choice(8, 3);\n"
                          f"  map(f, {hand}chunks(in, t), chunks(out, t));\n}}"))
    units.append(Unit("lanes", f"__codelet __coop __tag(lanes)\n{head}\n"
                      f"  for (unsigned i = coopIdx(); i < in.size(); i += coopDim()) {assigned}\n}}"))
    units.append(Unit("one", f"__codelet\n{v} one({scalar}{v} x) {{\n  return each(x){more};\n}}"))
    units.append(Unit("elements", f"__codelet __tag(elements)\n{head}\n  out = map(one, {hand}in);\n}}", ("one",)))
    if random.random() < 0.5:
        units.append(Unit("two", f"__codelet\nvoid two({scalar}{v} x, {v} &y) {{\n  y = each(x);\n  y += {'by' if by else v + '(0)'};\n}}"))
        units.append(Unit("written", f"__codelet __tag(written)\n{head}\n  map(two, {hand}in, out);\n}}", ("two",)))
    if random.random() < 0.5:
        units.append(Unit("aside", f"__codelet __tag(aside)\n{head}\n  Array<1, {v}> all(in.size());\n"
                          f"  all = map(one, {hand}in);\n  out = map(same, all);\n}}", ("one", "same")))
        units.insert(1, Unit("same", f"__codelet\n{v} same({v} x) {{\n  return x;\n}}"))
    return units
