"""Programs that are short to write and long to look at.

Each kind has a size. What is done for a program of that size must grow with it, and not double with it: names that stand
for sums of names, loops in loops, operators of vectors in loops of constant length, helpers that call helpers twice, and
numbers at the ends of their types.
"""

HEAD = "#include <tangram.h>\n"
EXTREMES = ("0", "1", "-1", "2", "63", "64", "0u", "2147483647", "-2147483647 - 1", "4294967295u",
            "9223372036854775807", "-9223372036854775807 - 1", "9223372036854775808u", "18446744073709551615u")


def elementwise(body, result):
    return (f"{HEAD}__codelet void f(const Array<1, int> in, Array<1, int> out) {{\n  require(out.size() == in.size());\n"
            f"  for (unsigned i = 0; i < out.size(); ++i) {{\n{body}    out[i] = {result};\n  }}\n}}\n")


def chain(type_, first, step, size):
    """Names each of which is made of the one before it, twice."""
    return (f"    {type_} a0 = {first};\n"
            + "".join(f"    {type_} a{k + 1} = {step.replace('A', f'a{k}')};\n" for k in range(size)))


def places(step):
    return lambda size: elementwise(chain("unsigned", "i", step, size), f"in[min(a{size}, in.size() - 1)]")


def values(step):
    return lambda size: elementwise(chain("int", "in[i]", step, size), f"a{size}")


def parts(step):
    def program(size):
        return (f"{HEAD}__codelet int f(const Array<1, int> in) {{\n  int s = 0;\n"
                "  for (unsigned i = 0; i < in.size(); ++i)\n    s += in[i];\n  return s;\n}\n"
                "__codelet __tag(parts) int f(const Array<1, int> in) {\n  __tunable unsigned p;\n"
                f"{chain('unsigned', 'p', step, size)}  return f(map(f, rows(in, a{size})));\n}}\n")
    return program


def nest(head, end="}", before=""):
    """Loops in loops that change an integer, which the loops may go by."""
    def program(size):
        heads = "".join(head.replace("I", f"i{k}") + "\n" for k in range(size))
        ends = "".join(end.replace("I", f"i{k}") + "\n" for k in reversed(range(size)))
        return (f"{HEAD}__codelet int f(const Array<1, int> in) {{\n  int s = 0;\n  {before}\n{heads}  s += in[0];\n"
                f"{ends}  return s;\n}}\n")
    return program


def helpers(size):
    calls = "".join(f"int h{k + 1}(int x) {{ return h{k}(x) + h{k}(x + 1); }}\n" for k in range(size))
    return elementwise("", f"h{size}(in[i])").replace(HEAD, f"{HEAD}int h0(int x) {{ return x * x + 1; }}\n{calls}")


OPERATOR = ("int4 op(int4 a, int4 b) { return int4(a.x + b.x, max(a.y, b.y), a.z < b.z ? a.z : b.z, min(a.w, b.w)); }\n")


def vectors(size):
    """An operator of vectors in `size` loops of constant length, over rows of a padded container."""
    loops = "".join(f"    for (int k{d} = 0; k{d} < 3; ++k{d})\n" for d in range(size))
    return f"""{HEAD}{OPERATOR}__codelet __tag(line_loop) void line(const Array<2, int4> w, Array<1, int4> out) {{
  require(w.size(0) == 3);
  require(w.size(1) == out.size());
  for (unsigned j = 0; j < out.size(); ++j) {{
    int4 acc = int4(0, 0, 0, 0);
{loops}      acc = op(acc, w[k0][j]);
    out[j] = acc;
  }}
}}
__codelet __tag(loop) void f(const Array<2, int4> in, Array<2, int4> out) {{
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (int i = 0; i < (int)in.size(0); ++i)
    for (int j = 0; j < (int)in.size(1); ++j)
      out[i][j] = in[i][j];
}}
__codelet __tag(lines) void f(const Array<2, int4> in, Array<2, int4> out) {{
  map(line, slide(pad(in, 1, 1, clamp), 3, 1), out);
}}
"""


def calls_of_vectors(size):
    calls = "".join(f"int4 j{k + 1}(int4 a, int4 b) {{ return j{k}(j{k}(a, b), j{k}(b, a)); }}\n" for k in range(size))
    return (f"{HEAD}{OPERATOR.replace(' op(', ' j0(')}{calls}"
            "__codelet void f(const Array<1, int4> in, Array<1, int4> out) {\n  require(out.size() == in.size());\n"
            f"  for (unsigned i = 0; i < out.size(); ++i)\n    out[i] = j{size}(in[i], in[i]);\n}}\n")


def steps(size):
    """Maps one after the other, each over what the one before it has made."""
    maps = "".join(f"  Array<1, int> t{k}(in.size());\n  map(one, {'in' if k == 0 else f't{k - 1}'}, t{k});\n"
                   for k in range(size))
    return (elementwise("", f"in[i] + {size + 1}").replace(HEAD, f"{HEAD}__codelet void one(int a, int &b) {{ b = a + 1; }}\n")
            + "__codelet __tag(steps) void f(const Array<1, int> in, Array<1, int> out) {\n"
              f"  require(out.size() == in.size());\n{maps}  map(one, t{size - 1}, out);\n}}\n")


KINDS = {
    "names_of_places": places("A > 3 ? A - 1 : A + 1"),
    "sums_of_places": places("A + A"),
    "least_places": places("min(A, in.size() - 1 - A)"),
    "remainders_of_places": places("(A + A) % in.size()"),
    "products_of_places": places("A * (A + in.size())"),
    "products_of_values": values("A * A + max(A, 3)"),
    "remainders_of_parts": parts("(A + A) % (in.size() + 1)"),
    "products_of_parts": parts("A * (A + in.size())"),
    "loops": nest("for (unsigned I = 0; I < in.size(); ++I) {"),
    "constant_loops": nest("for (int I = 0; I < 2; ++I) {"),
    "loops_that_double": nest("for (unsigned I = 1; I < in.size(); I *= 2) {\n  s += 2;"),
    "loops_by_numbers_of_others": nest("for (int I = s; I < (int)in.size(); I += 1 + s) {\n  s += 1;"),
    "conditional_loops": nest("int I = 0; while (I < 2) {\n  ++I;"),
    "loops_after_bodies": nest("int I = 0; do {\n  ++I;", "} while (I < in[0]);"),
    "branches": nest("for (unsigned I = 0; I < in.size(); ++I) { if (in[I] > s) {", "} else { s -= 1; } }"),
    "helpers": helpers,
    "vectors": vectors,
    "calls_of_vectors": calls_of_vectors,
    "steps": steps,
}


# ----------------------------------------------------------------------------
# Numbers at the ends of their types
# ----------------------------------------------------------------------------

def number(random, depth, names):
    if depth == 0 or random.random() < 0.2:
        return f"({random.choice(EXTREMES if random.random() < 0.6 else names)})"
    operator = random.choice(["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"])
    return f"({number(random, depth - 1, names)} {operator} {number(random, depth - 1, names)})"


def extremes(random):
    """Sizes, parts, windows, tunables and loops whose bounds are made of numbers at the ends of their types."""
    sizes = ["in.size()", "out.size()"]

    def bound(names=None):
        return number(random, random.randint(0, 2), names or sizes)

    require = random.choice([
        f"require(out.size() == {bound()});", f"require(out.size() == in.size() + {bound()});",
        f"require(out.size() >= {bound()});", f"require({bound()} == {bound()});", "require(out.size() == in.size());"])
    low, high = sorted(random.sample([0, 1, 7, 2**31 - 1, 2**31, 2**62, 2**63 - 1], 2))
    tunable = random.choice([
        "__tunable unsigned p;", f"__tunable unsigned long p = choice({low}, {high});",
        f"__tunable unsigned long p = range({low}, {high}, {random.choice([1, 3, 2**62, 2**63 - 1])});",
        f"__tunable unsigned long p = pow2({random.choice([1, 2])}, {2 ** random.choice([3, 31, 62])});"])
    free = ["p", *sizes]
    cut = (f"p, sequence({bound(free)}, {bound(free)}, {bound(free)}), sequence({bound(['p'])}), "
           f"sequence({bound(free)}, {bound(free)}, {bound(free)})")
    work = random.choice([
        f"map(f, partition(in, {cut}), partition(out, {cut}));", "map(f, rows(in, p), rows(out, p));",
        f"map(f, chunks(in, p + {bound(['p'])}), chunks(out, p));",
        f"map(f, slide(in, p, {bound(['p'])}), slide(out, p, {bound(['p'])}));",
        f"f(slice(in, p, {bound(free)}), slice(out, {bound(free)}, p));"])
    loop = random.choice([
        "for (unsigned i = 0; i < out.size(); ++i)",
        f"for (long i = {bound()}; i {random.choice(['<', '<=', '>', '!='])} {bound()}; i += {bound()})"])
    value = f"(int)({number(random, 2, ['in.size()', '(long)i'])}) + (in[i] / {random.choice(EXTREMES[1:6])})"
    return (f"{HEAD}__codelet void f(const Array<1, int> in, Array<1, int> out) {{\n  {require}\n  {loop}\n"
            f"    out[i] = in[i] + {value};\n}}\n"
            f"__codelet __tag(parts) void f(const Array<1, int> in, Array<1, int> out) {{\n  {require}\n  {tunable}\n"
            f"  {work}\n}}\n")
