"""Lanes of a CPU are vectors, not hopes: the assembly that GCC makes of the loop that does the work has packed arithmetic
alone, on registers as wide as the processor's, for x86-64-v3 (AVX2) and x86-64-v4 (AVX-512), whatever this machine is. Tiles in
registers are as many accumulators as the tile says, and nothing is stored to the stack between them.

That the test can fail is a part of it: the same plan without the passes that make the vectors, or compiled without GCC's
vectorizer where that makes them, has to be found out. With TANGRAM_TEST_EVERYTHING=1 each case for both processors,
otherwise every second one for one of them in turn.
"""

import collections
import dataclasses
import json
import platform
import re
import shutil

from library import EVERYTHING, sample
from pipeline import Pipeline, execute, skip

WIDTHS = {"x86-64-v3": 32, "x86-64-v4": 64}  # bytes of a vector
SCALAR = ("-fno-tree-vectorize", "-fno-tree-slp-vectorize")
ARITHMETIC = re.compile(r"v(?:fn?m(?:add|sub)(?:132|213|231)|add|sub|mul|div|sqrt|min|max)(ps|pd|ss|sd)$")
FLOAT = 4  # bytes: all spectrums here are of float


@dataclasses.dataclass(frozen=True)
class Case:
    source: str
    spectrum: str
    options: tuple[str, ...]  # of synth: which plan
    least: int  # packed operations in a round
    without: tuple[str, ...] = ()  # passes that make them vectors
    vectorizer: bool = False  # of GCC, which makes them, too
    region: int = 0  # which parallel loop does the work
    most: int | None = None  # instructions in a round
    models: tuple[str, ...] = ("cpu", "cpu")  # by processor; None: not there
    tile: bool = False  # of accumulators


BEST = ("--plan", "best")
CASES = (
    # Tiles as large as the registers of the model: 16 of 32 bytes, 32 of 64.
    Case("gemm", "gemm<float>", ("--plan", "tiles"), 8, ("register-tiles",), models=("i7-3820", "cpu"), tile=True),
    Case("gemv", "gemv<float>", BEST, 8, ("unroll-and-jam",)),
    Case("reduce", "sum<float>", BEST, 8, ("unroll-and-jam",)),
    # Nothing in the interior compares: a round is its loads, its arithmetic, a store, and the end of the loop.
    Case("stencil", "jacobi<float>", (*BEST, "--for-size", "in=4096x4096"), 4, ("index-set-splitting",), most=16),
    Case("convolution", "convolve<float,17>", BEST, 8, vectorizer=True),
    Case("convolution", "separable<float,17>", BEST, 17, ("register-tiles", "unroll-and-jam")),
    Case("nbody", "nbody<float>", (
        "--plan", "select(pulls_first, *), ..., regroup(body_blocks, P), distribute(T), compute(lane_a_body, *), ..."), 15,
         ("unroll-and-jam",), region=1),
    Case("kmeans", "kmeans<float>", ("--plan", "points", "--instantiate", "kmeans<float>"), 1, ("unroll-and-jam",)),
    Case("lbm", "lbm<float>", (
        "--plan", "select(lbm_rounds, P), ..., regroup(lbm_parts, P), distribute(T), S_T, devolve(V), "
        "compute(lbm_inside#1, SE_V), ..."), 50, ("independent-rounds",), region=1, models=(None, "cpu")),
    # The plan with paths as elements of vectors: what is predicted to be best may cut the paths once more.
    Case("option_pricing", "option_pricing<float,3,5>", (
        "--plan", "select(payoffs_first, P), S_P, regroup(path_parts, P), distribute(T), S_T, regroup(path_parts, T), "
        "distribute(V), S_V, regroup(path_parts, V), distribute(I), regroup(path_blocks, I), serialize(I), "
        "select(numbers_first, I), compute(recurrent, SE_I), ..."), 30, ("outer-loop-vectorization",)),
)


def regions(assembly):
    """Instructions and labels of each parallel loop, by its number."""
    found, current = {}, None
    for line in assembly.splitlines():
        if name := re.match(r"([A-Za-z_][\w.]*):", line):
            number = re.search(r"\._omp_fn\.(\d+)$", name[1])
            current = found.setdefault(int(number[1]), []) if number else None
        elif current is not None and re.match(r"\t[a-z]|\.L\w+:", line):
            current.append(line.strip())
    return found


def innermost_loops(lines):
    """Jumps back, and what is between them and where they go, without those around others."""
    places = {line[:-1]: number for number, line in enumerate(lines) if line.endswith(":")}
    spans = set()
    for number, line in enumerate(lines):
        jump = re.match(r"j\w+\s+(\.L\w+)$", line)
        if jump and places.get(jump[1], number) < number:
            spans.add((places[jump[1]], number))
    return [[line for line in lines[begin:end + 1] if not line.endswith(":")] for begin, end in sorted(spans)
            if not any(other != (begin, end) and begin <= other[0] and other[1] <= end for other in spans)]


def arithmetic(loop):
    """How many operations of each width, in bytes; 0: of one number."""
    found = collections.Counter()
    for line in loop:
        if operation := ARITHMETIC.match(line.split()[0]):
            widths = [width for name, width in (("%zmm", 64), ("%ymm", 32), ("%xmm", 16)) if name in line]
            found[0 if operation[1] in ("ss", "sd") else max(widths)] += 1
    return found


def hottest(lines):
    """The innermost loop that gets most done in a round."""
    def done(loop):
        return sum(count * max(1, width // FLOAT) for width, count in arithmetic(loop).items())
    return max(innermost_loops(lines), key=done, default=[])


def accumulators(loop):
    """Registers that hold what products are added to."""
    return {line.rsplit(",", 1)[1].strip() for line in loop if re.match(r"vfmadd\d+ps\s", line)}


def stored_to_stack(loop):
    return [line for line in loop if re.match(r"v?mov\w*\s.*,\s*-?\d*\(%r[sb]p[^)]*\)$", line)]


def problem(case, width, assembly, tile):
    """What keeps the loop that does the work from being what it is to be, or None."""
    loop = hottest(regions(assembly).get(case.region, []))
    operations = arithmetic(loop)
    if set(operations) != {width}:
        return f"operations by width in bytes (0: of one number): {dict(operations)}, expected only {width}"
    if operations[width] < case.least:
        return f"{operations[width]} packed operations in a round, expected {case.least}"
    if case.most and len(loop) > case.most:
        return f"{len(loop)} instructions in a round, expected {case.most} at most"
    if case.tile:
        expected = tile["TILE_M_2"] * tile["TILE_N_2"] * FLOAT // width
        if len(accumulators(loop)) != expected:
            return f"{len(accumulators(loop))} accumulators, expected {expected}"
        if stored := stored_to_stack(loop):
            return f"{len(stored)} are stored to the stack"
    return None


def compiled(test, bundle, processor, more=()):
    """The assembly of a bundle by its own flags, but for this processor."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    flags = [flag for flag in manifest["compile"]["openmp"] if not flag.startswith("-march=")]
    out = bundle / f"{processor}{len(more)}.s"
    done = execute(["gcc", *flags, f"-march={processor}", "-fopenmp", "-fPIC", *more, "-S",
                    str(bundle / manifest["files"]["source"]), "-o", str(out)])
    if not test.check(done.status == 0, f"gcc for {processor}: {done.err}"):
        test.finish()
    defaults = {tunable["name"]: int(tunable["default"]) for tunable in manifest["tunables"]
                if tunable["kind"] == "compile"}
    return out.read_text(), defaults


def judged(test, case, processor, model):
    name = f"{case.spectrum} for {processor}"
    folder = f"{case.spectrum}-{processor}"
    source = f"codelets/{case.source}.cpp"
    made = test.synth(source, case.spectrum, model, "openmp", folder, *case.options)
    if not test.check(len(made) == 1, f"{name}: {len(made)} plans"):
        return
    width = WIDTHS[processor]
    why = problem(case, width, *compiled(test, made[0], processor))
    test.check(why is None, f"{name}: {why}")
    other, how = made, [*case.without]
    if case.without:
        options = [option for number, option in enumerate(case.options)
                   if "--instantiate" in (option, case.options[number - 1])]
        other = test.synth(source, case.spectrum, model, "openmp", f"{folder}-without", "--plan", made[0] / "plan.json",
                           *(word for name in case.without for word in ("--without-pass", name)), *options)
    if case.vectorizer:
        how.append("GCC's vectorizer")
    worse = compiled(test, other[0], processor, SCALAR if case.vectorizer else ())
    test.check(arithmetic(hottest(regions(worse[0]).get(case.region, []))),
               f"{name}: nothing is computed without {' and '.join(how)} where it is looked for")
    found = problem(case, width, *worse)
    test.check(found is not None, f"{name} is not found out without {' and '.join(how)}")
    print(f"{name}: {why or 'vectors'}; without {' and '.join(how)}: {found}")


def main():
    test = Pipeline(__doc__, as_shipped=True)
    if platform.machine() != "x86_64" or not shutil.which("gcc"):
        skip("not GCC on an x86-64")
    for number, case in sample(enumerate(CASES), 2):
        places = [(processor, model) for processor, model in zip(WIDTHS, case.models) if model]
        for processor, model in places if EVERYTHING else [places[number // 2 % len(places)]]:
            judged(test, case, processor, model)
    test.finish()


if __name__ == "__main__":
    main()
