"""Neighbourhoods: windows of padded containers in one to three dimensions, and what each of their elements is,
as the primitives say it and as arithmetic on indexes."""

from dataclasses import dataclass, replace

BOUNDARIES = {
    "clamp": ("clamped", "unsigned clamped(unsigned i, unsigned l, unsigned n) {\n"
              "  return i < l ? 0 : min(i - l, n - 1);\n}"),
    "mirror": ("mirrored", "unsigned mirrored(unsigned i, unsigned l, unsigned n) {\n"
               "  unsigned at = (i + 2 * n * l - l) % (2 * n);\n  return at < n ? at : 2 * n - 1 - at;\n}"),
    "wrap": ("wrapped", "unsigned wrapped(unsigned i, unsigned l, unsigned n) {\n  return (i + n * l - l) % n;\n}"),
}
AXES = "ijk"     # of a result
WITHIN = "abc"   # of an element of its window


@dataclass(frozen=True)
class Pad:
    dimension: int
    left: int
    right: int
    boundary: str  # clamp, mirror, wrap, or the value of a constant one


@dataclass(frozen=True)
class Neighbourhood:
    """Windows of windows[d] elements every steps[d] along dimension d. `pads` from the inside out; those of a
    second container, `others`, make it as large as the first."""
    windows: tuple
    steps: tuple
    pads: tuple = ()
    others: tuple = ()

    @property
    def rank(self):
        return len(self.windows)

    def padding(self, d):
        return sum(pad.left + pad.right for pad in self.pads if pad.dimension == d)

    def is_exact(self, d):
        """Whether no element is left over behind the last window, whatever the size of the results."""
        return self.steps[d] == 1 or self.spare(d) <= 0

    def spare(self, d):
        """(size + spare) / step are the windows of a container of this size."""
        return self.padding(d) - self.windows[d] + self.steps[d]

    def contract(self, container="in", out="out"):
        """Requirements between a container and what comes of its windows."""
        return "".join(f"  require({self.equation(d, container, out)});\n" for d in range(self.rank))

    def equation(self, d, container, out):
        size, results = extent(container, self.rank, d), extent(out, self.rank, d)
        step, spare = self.steps[d], self.spare(d)
        if spare < 0 or (spare == 0 and step > 1):
            return f"{size} == {plus(times(results, step), -spare)}"
        return f"{results} == {plus(size, spare) if step == 1 else f'({plus(size, spare)}) / {step}'}"

    def bare(self):
        """Of containers that have their neighbours."""
        return replace(self, pads=(), others=())

    def simpler(self):
        for name in ("others", "pads"):
            for number, pad in enumerate(getattr(self, name)):
                rest = getattr(self, name)[:number], getattr(self, name)[number + 1:]
                if name == "pads" and not self.others:
                    yield replace(self, pads=rest[0] + rest[1])
                for other in simpler_pads(pad, name == "pads" and not self.others):
                    yield replace(self, **{name: rest[0] + (other,) + rest[1]})
        for name in ("windows", "steps"):
            for d, number in enumerate(getattr(self, name)):
                if number > 1:
                    yield replace(self, **{name: changed(getattr(self, name), d, 1)})
                    yield replace(self, **{name: changed(getattr(self, name), d, number - 1)})


def simpler_pads(pad, smaller):
    if pad.boundary != "0":
        yield replace(pad, boundary="0")
    if smaller and pad.left > 0:
        yield replace(pad, left=pad.left - 1)
    if smaller and pad.right > 0:
        yield replace(pad, right=pad.right - 1)
    if not smaller and pad.left > 0 and pad.boundary != "0":
        yield replace(pad, left=0, right=pad.left + pad.right)


def changed(numbers, d, number):
    return numbers[:d] + (number,) + numbers[d + 1:]


def random_neighbourhood(random, rank, padded=True, step=None):
    most = {1: 6, 2: 3, 3: 2 + (random.random() < 0.3)}[rank]
    windows = tuple(random.randint(1, most) for _ in range(rank))
    steps = tuple(step or random.choice([1, 1, 1, 1, 2, 3]) for _ in range(rank))
    if not padded:
        return Neighbourhood(windows, steps)
    pads = []
    for d in range(rank):
        for _ in range(random.choice([0, 1, 1, 1, 1, 2])):
            left, right = (random.choice([0, 1, 1, 2, 3, random.randint(0, 9)]) for _ in range(2))
            if rank > 1:
                left, right = min(left, 4), min(right, 4)
            pads.append(Pad(d, left, right, random_boundary(random)))
    random.shuffle(pads)
    others = tuple(other_pad(random, pad) for pad in random.sample(pads, len(pads)))
    return Neighbourhood(windows, steps, tuple(pads), others)


def random_boundary(random):
    return random.choice(["clamp", "mirror", "wrap", "0", random.choice(["7", "v"])])


def other_pad(random, pad):
    left = random.randint(0, pad.left + pad.right)
    return Pad(pad.dimension, left, pad.left + pad.right - left, random_boundary(random))


# ----------------------------------------------------------------------------
# As text
# ----------------------------------------------------------------------------

def extent(name, rank, d):
    return f"{name}.size()" if rank == 1 else f"{name}.size({d})"


def plus(text, number):
    if number == 0:
        return text
    return f"{text} + {number}" if number > 0 else f"{text} - {-number}"


def times(text, number):
    return text if number == 1 else f"{text} * {number}"


def subscripts(indexes):
    return "".join(f"[{each}]" for each in indexes)


def padded(random, container, pads, rank):
    """The padded container, by the primitives."""
    text = container
    for pad in pads:
        boundary = pad.boundary if pad.boundary in BOUNDARIES else f"constant({pad.boundary})"
        numbers = f"{pad.left}, {pad.right}, {boundary}"
        if rank == 2 and random.random() < 0.15:  # the same from the side
            other = "" if pad.dimension == 1 else ", 1"
            text = f"transpose(pad(transpose({text}), {numbers}{other}))"
        else:
            d = f", {pad.dimension}" if pad.dimension or random.random() < 0.2 else ""
            text = f"pad({text}, {numbers}{d})"
    return text


def element(container, type_, pads, positions, place=None, size=None):
    """The element of the padded container at `positions`, by arithmetic. What is padded may be a part: `place`
    gives the text of an element by its indexes, `size` that of an extent."""
    rank = len(positions)
    place = place or (lambda indexes: container + subscripts(indexes))
    size = size or (lambda d: extent(container, rank, d))
    if not pads:
        return place(positions)
    *inner, pad = pads
    d, at = pad.dimension, positions[pad.dimension]
    count = plus(size(d), sum(other.left + other.right for other in inner if other.dimension == d))

    def inside(position):
        return element(container, type_, inner, changed(positions, d, position), place, size)
    if pad.boundary in BOUNDARIES:
        return f"({count} > 0 ? {inside(f'{BOUNDARIES[pad.boundary][0]}({at}, {pad.left}, {count})')} : ({type_})0)"
    left = f"{at} >= {pad.left} && " if pad.left else ""
    return (f"({left}{at} < {plus(count, pad.left)} ? {inside(f'{at} - {pad.left}' if pad.left else at)} : "
            f"({type_}){pad.boundary})")


def boundary_functions(pads):
    return [BOUNDARIES[name][1] for name in BOUNDARIES if any(pad.boundary == name for pad in pads)]


def nested(indexes, ends, body, indent):
    """Loops around lines."""
    lines = [f"{indent}{'  ' * depth}for (unsigned {index} = 0; {index} < {end}; ++{index}) {{\n"
             for depth, (index, end) in enumerate(zip(indexes, ends))]
    inner = indent + "  " * len(lines)
    text = "".join(lines) + "".join(f"{inner}{line}\n" for line in body)
    return text + "".join(f"{indent}{'  ' * depth}}}\n" for depth in reversed(range(len(lines))))
