"""Helper functions of random programs: their text, and what they compute."""

from programs.tree import SPELLING, binary, is_float


def helpers(type_):
    """(name, type, text, Python function); all parameters have the type too."""
    t = SPELLING[type_]

    def larger_of(a, b):
        return a if a > b else b

    def halved(x):
        for _ in range(3):
            if x < 100:
                break
            x = binary("/", x, 2, type_)
        return x

    def kind_of(x):
        return {0: 1, 1: 4}.get(binary("%", x, 3, type_), 7)

    found = (("larger_of", type_, f"{t} larger_of({t} a, {t} b) {{\n  if (a > b)\n    return a;\n  return b;\n}}",
              larger_of),)
    if is_float(type_):
        return found
    return found + (
        ("halved", type_, f"{t} halved({t} x) {{\n  for (int k = 0; k < 3; ++k) {{\n    if (x < 100)\n      break;\n"
         f"    x /= 2;\n  }}\n  return x;\n}}", halved),
        ("kind_of", type_, f"{t} kind_of({t} x) {{\n  switch (x % 3) {{\n  case 0:\n    return 1;\n  case 1:\n"
         f"    return 4;\n  default:\n    return 7;\n  }}\n}}", kind_of))
