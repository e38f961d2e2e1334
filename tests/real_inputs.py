"""Real problems from files: sparse matrices and graphs, those that `tangram-run generate` writes, and
those of ../shared/data when they are there.

A breadth-first search is the whole traversal: one call a level, each with the levels that the one
before it saved, compared with a search in Python.
"""

import array
import pathlib

from library import EVERYTHING
from new_codelet import write_npy
from pipeline import ROOT, Pipeline, describe

SHARED = ROOT.parent / "shared" / "data"
MODELS = {"openmp": ["simple-cpu", "cpu"], "opencl": ["simple-gpu"]}
FAR = 1000000  # a level that no vertex has


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def generated(test, problem, size):
    file = test.scratch / f"{problem}-{size}.mtx"
    test.expect("tangram-run", "generate", problem, "--size", size, "-o", file)
    return file


def shared(*names):
    files = [SHARED / name for name in names if (SHARED / name).exists()]
    if len(files) < len(names):
        print(f"{SHARED} is not there: only generated inputs are tried")
    return files


def some_plans(test, source, spectrum):
    target = test.arguments.target
    return [bundle for model in MODELS[target]
            for bundle in test.synth(source, spectrum, model, target, f"{spectrum}-{model}", "--plan",
                                     "all", "--strategy", "all", "--iterations", "4", "--limit", "4")]


def products(test):
    bundles = some_plans(test, "codelets/spmv.cpp", "spmv<double>")
    for file in [generated(test, "poisson", 1), generated(test, "poisson", 40),
                 *shared("bcsstk13.mtx", "cryg2500.mtx", "jagmesh7.mtx")]:
        runs = test.verify(bundles, "--input", f"csr:values,columns,offsets={file}")
        for run in runs:
            test.check(run["status"] == "verified", f"{file.name}: {describe(run)}")
        print(f"{file.name}: {len(runs)} plans, {runs[0]['extents']}", flush=True)


def neighbours_of(file):
    """Of each vertex of a symmetric pattern."""
    lines = [line.split() for line in file.read_text().splitlines() if not line.startswith("%")]
    neighbours = [[] for _ in range(int(lines[0][0]))]
    for row, column in ((int(a) - 1, int(b) - 1) for a, b in lines[1:]):
        neighbours[row].append(column)
        neighbours[column].append(row)
    return neighbours


def levels_of(neighbours, start):
    levels = [FAR] * len(neighbours)
    frontier, level = {start}, 0
    while frontier:
        for vertex in frontier:
            levels[vertex] = level
        frontier = {n for v in frontier for n in neighbours[v] if levels[n] == FAR}
        level += 1
    return levels


def numbers(file):
    """Of a .npy file of int32."""
    data = file.read_bytes()
    return array.array("i", data[10 + int.from_bytes(data[8:10], "little"):])


def traversal(test, bundle, file, start):
    """The distances after as many calls as it takes, and how many that was."""
    neighbours = neighbours_of(file)
    before, after = test.scratch / "before.npy", test.scratch / "after.npy"
    first = array.array("i", [FAR] * len(neighbours))
    first[start] = 0
    write_npy(after, "<i4", first)
    for depth in range(len(neighbours) + 1):
        known = numbers(after)
        write_npy(before, "<i4", known)
        runs = test.verify([bundle], "--input", f"csr:targets,offsets={file}", "--input",
                           f"depth={depth}", "--input", f"before={before}", "--output",
                           f"after={after}")
        test.check(runs[0]["status"] == "verified", f"depth {depth}: {describe(runs[0])}")
        if numbers(after) == known:
            break
    test.equal(list(numbers(after)), levels_of(neighbours, start), f"distances of {file.name}")
    print(f"{file.name}: {depth + 1} calls of plan {bundle.name}", flush=True)


def traversals(test):
    bundles = some_plans(test, "codelets/bfs.cpp", "bfs")
    traversal(test, bundles[0], generated(test, "grid-graph", 6), 0)
    traversal(test, bundles[-1], generated(test, "grid-graph", 7), 24)
    for file in shared("jagmesh7.mtx") if EVERYTHING else []:  # it has many levels, each a call
        # Symmetric, and its diagonal joins vertices to themselves.
        traversal(test, bundles[0], file, 500)


def clusters(test):
    """Points of a file with two dimensions; the reader and the generator agree."""
    file = test.scratch / "points.npy"
    test.expect("tangram-run", "generate", "clusters", "--size", "500", "--dimensions", "3", "-o", file)
    bundles = some_plans(test, "codelets/gemv.cpp", "gemv<float>")
    for run in test.verify(bundles, "--input", f"a={file}"):
        test.check(run["status"] == "verified", describe(run))
        test.equal((run["extents"]["y_size"], run["extents"]["x_size"]), (500, 3), "sizes from a file")


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    products(test)
    traversals(test)
    clusters(test)
    test.finish()


if __name__ == "__main__":
    main()
