"""Arrays of kinds that tangram-run does not make up, as .npy files; written without NumPy where there is none.

Where any number in [-1, 1) will do, tangram-run makes its own. These are for the others (probabilities, matrices that can
be factored, prices, rows of sparse matrices), and for what a peer is to compute, too.
"""

import array
import math
import pathlib
import random
import struct

try:
    import numpy
except ImportError:
    numpy = None

FORMATS = {"f32": ("<f4", "f"), "f64": ("<f8", "d"), "i32": ("<i4", "i"), "u8": ("|u1", "B"), "u32": ("<u4", "I")}



# What an element is, by its number and a draw from [0, 1).
KINDS = {
    "any": lambda i, draw: 2 * draw - 1,
    "positive": lambda i, draw: 0.01 + draw,
    "zeros": lambda i, draw: 0 * draw,
    "small": lambda i, draw: 0.4 * draw - 0.2,
    "decaying": lambda i, draw: (0.3 * draw - 0.15) / (1 + i),
    "prices": lambda i, draw: 0.1 + 0.1 * draw,
    "around_one": lambda i, draw: 0.8 + 0.4 * draw,
}


def elements(kind: str, extents: tuple[int, ...], shapes: dict[str, tuple[int, ...]], seed: int):
    """Numbers of this kind, in the order of memory: a list, or an array of NumPy's. `shapes` are those of all containers:
    "below b.1" are integers below b's extent 1, "below 4" those below 4; "rising columns" begin with 0 and end with the
    extent of `columns`, each as far from the one before; "columns b.0 offsets.0" rise within such rows, below b's extent 0."""
    count = math.prod(extents)
    word, _, what = kind.partition(" ")
    draws = random_numbers(count, seed)
    if word == "below":
        end = extent(what, shapes)
        return mapped(lambda i, draw: draw * end // 1, draws)
    if word == "columns":
        whole, rows = (extent(name, shapes) for name in what.split())
        a_row = max(count // max(rows - 1, 1), 1)
        apart = max(whole // a_row, 1)
        return mapped(lambda i, draw: i % a_row * apart + draw * apart // 1, draws)
    if word == "rising":
        end = shapes[what][0]
        return [i * end // max(count - 1, 1) for i in range(count)]
    if word == "dominant":  # like those of `tangram-run generate dominant-matrix`
        side = extents[1]
        draws = mapped(KINDS["any"], draws)
        for i in range(0, count, side + 1):
            draws[i] = float(side)
        return draws
    if word == "spheres":  # four numbers a sphere: a centre in front of the camera, a radius
        return [(2 * draw - 1, 2 * draw - 1, 2 + 4 * draw, 0.05 + 0.2 * draw)[i % 4] for i, draw in enumerate(draws)]
    return mapped(KINDS[word], draws)


def extent(text: str, shapes: dict[str, tuple[int, ...]]) -> int:
    """4 of "4", and of "b.1" what b's extent 1 is."""
    name, dot, dimension = text.partition(".")
    return shapes[name][int(dimension)] if dot else int(text)


def mapped(make, draws):
    if numpy:
        return make(numpy.arange(len(draws)), draws)
    return [make(i, draw) for i, draw in enumerate(draws)]


def random_numbers(count: int, seed: int):
    if numpy:
        return numpy.random.default_rng(seed).random(count, dtype="f4")
    source = random.Random(seed)
    return [source.random() for _ in range(count)]


def write(file: pathlib.Path, kind: str, element: str, extents: tuple[int, ...], shapes: dict[str, tuple[int, ...]],
          seed: int = 1) -> None:
    """Writes an array of elements called as manifests call them: f32, i32."""
    name, code = FORMATS[element]
    shape = f"({', '.join(map(str, extents))}{',' if len(extents) == 1 else ''})"
    header = f"{{'descr': '{name}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    values = elements(kind, extents, shapes, seed)
    with open(file, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        if numpy:
            numpy.asarray(values).astype(name).tofile(out)
        else:
            array.array(code, map(float if code in "fd" else int, values)).tofile(out)
