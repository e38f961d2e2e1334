"""Sizes and tunables for bundles: random ones, with the awkward ones always among them."""

PRIMES = [2, 3, 5, 7, 13, 31, 61, 127, 257, 509, 1021, 4093]
TILES = [4, 8, 16, 32, 64, 128, 256]  # sizes next to them are awkward too

# The largest extent by the number of extents that are free, for one dimension and for more: the
# reference takes the product of them as its time.
LARGEST = {1: 60000, 2: 4000, 3: 1500}
LARGEST_OF_MORE = {1: 300, 2: 300, 3: 70, 4: 24}
SHAPES = 16  # of one call, about


def free_extents(manifest):
    """Extents that no equation defines, as tangram-run chooses them."""
    names = []
    for parameter in manifest["signature"]["parameters"]:
        for extent in parameter.get("extents", []):
            if extent not in names:
                names.append(extent)
    defined = {equation["extent"]: equation["equals"] for equation in manifest.get("shape", [])}
    return ([name for name in names if name not in defined] or
            [name for name in names if not defined[name].isdecimal()][:1])


def largest(manifest):
    many = any(parameter.get("rank", 1) > 1 for parameter in manifest["signature"]["parameters"])
    limits, fewest = (LARGEST_OF_MORE, 12) if many else (LARGEST, 500)
    return limits.get(len(free_extents(manifest)), fewest)


def tile_sizes(manifest):
    sizes = set(TILES)
    for tunable in manifest["tunables"]:
        sizes |= {value for value in tunable.get("values", []) if value <= 4096}
    return sorted(sizes)


def random_size(random, manifest):
    most = largest(manifest)
    kind = random.randrange(4)
    if kind == 0:
        return random.choice([0, 1])
    if kind == 1:
        size = random.choice(PRIMES)
    elif kind == 2:
        size = random.choice(tile_sizes(manifest)) + random.choice([-1, 0, 1])
    else:
        size = int(2 ** random.uniform(0, most.bit_length()))
    return min(size, most)


def awkward_shapes(manifest):
    """Those that are always tried: nothing, one, small and ragged; with more extents all mixtures of
    them, which are the tall and the flat ones."""
    extents = free_extents(manifest)
    if not extents:
        return {}
    sizes = {1: [0, 1, 2, 3, 7, 31, 33, 64, 257, 1000], 2: [0, 1, 7, 33], 3: [0, 1, 33]}
    return {extent: sizes.get(len(extents), [1, 7]) for extent in extents}


def random_shapes(random, manifest):
    """A list of sizes for each free extent; all combinations are tried."""
    extents = free_extents(manifest)
    each = max(1, round(SHAPES ** (1 / max(1, len(extents)))))
    return {extent: sorted({random_size(random, manifest) for _ in range(each)})
            for extent in extents}


def allowed(tunable, value):
    return (tunable["min"] <= value <= tunable["max"]
            and value in (tunable.get("values") or [value]))


def random_tunables(random, manifests):
    """Values for some tunables, within the domain of every bundle that has them."""
    tunables = {}
    for manifest in manifests:
        for tunable in manifest["tunables"]:
            tunables.setdefault(tunable["name"], []).append(tunable)
    chosen = {}
    for name, ones in sorted(tunables.items()):
        if random.random() < 0.5:
            continue
        if ones[0].get("values"):
            value = random.choice(ones[0]["values"])
        else:
            value = max(ones[0]["min"], random.choice([1, 2, 3, 5, 7, 8, 16, 31, 64, 100]))
        if all(allowed(one, value) for one in ones):
            chosen[name] = value
    return chosen


def options_of(shapes, tunables, seed):
    """The options of tangram-run; `shapes` has lists or numbers."""
    options = []
    for extent, sizes in shapes.items():
        sizes = sizes if isinstance(sizes, list) else [sizes]
        options += ["--size", f"{extent}={','.join(map(str, sizes))}"]
    for name, value in tunables.items():
        options += ["--set", f"{name}={value}"]
    if seed != 1:
        options += ["--seed", str(seed)]
    return options
