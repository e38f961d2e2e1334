"""The applications of examples/: make synthesizes, compiles without a warning, runs, and is right.

What an application prints is compared with what is known of its problem: in a grid of N x N points the
farthest from a corner is 2 (N - 1) steps away; k-means of generated clusters ends with every point in
one of them. One more run has a kernel that was made wrong, which the application must notice.
"""

import pathlib
import re

from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline, execute, need_program

GRID = 40
POINTS = 5000


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def make(test, example, size, *goals):
    out = test.scratch / example
    return execute(["make", "-C", str(ROOT / "examples" / example),
                    f"TARGET={test.arguments.target}", f"SIZE={size}", f"OUT={out}",
                    f"TANGRAM={test.commands['tangram']}",
                    f"TANGRAM_RUN={test.commands['tangram-run']}", *map(str, goals)],
                   OPENMP_ENVIRONMENT)


def built_and_run(test, example, program, size):
    """What it prints; empty when something went wrong."""
    done = make(test, example, size, test.scratch / example / program)
    if not test.check(done.status == 0 and "warning:" not in done.err,
                      f"{example} does not compile:\n{done.err}"):
        return ""
    done = make(test, example, size)
    test.check(done.status == 0, f"{example} ended with status {done.status}:\n{done.out}{done.err}")
    test.check(done.out.count("\nright\n") == 1, f"{example} does not say that it is right:\n{done.out}")
    return done.out


def search(test):
    text = built_and_run(test, "bfs", "search", GRID)
    for line in (f"graph: {GRID * GRID} vertices, {4 * GRID * (GRID - 1)} edges\n",
                 f"reached: {GRID * GRID} vertices, the farthest at distance {2 * (GRID - 1)}\n"):
        test.check(line in text, f"expected {line!r} in\n{text}")
    print(text)


def clustering(test):
    text = built_and_run(test, "kmeans", "cluster", POINTS)
    sizes = [int(size) for size in re.findall(r"cluster \d: (\d+) points", text)]
    test.equal((len(sizes), sum(sizes)), (8, POINTS), "points of the clusters")
    test.check(all(sizes), f"a cluster without points: {sizes}")
    iterations = re.search(r", (\d+) iterations\n", text)
    test.check(iterations and int(iterations[1]) > 1, f"expected several iterations in\n{text}")
    print(text)


def wrong_kernel(test):
    """Neighbours are two steps away instead of one: the application must say so and fail."""
    folder = test.scratch / "bfs"
    sources = [folder / "bfs" / name for name in ("bfs.c", "bfs_host.c")]
    changed = 0
    for source in filter(pathlib.Path.exists, sources):
        text = source.read_text()
        source.write_text(text.replace("depth + 1", "depth + 2"))
        changed += text.count("depth + 1")
    test.check(changed, "found no 'depth + 1' in the kernel of bfs")
    (folder / "search").unlink()
    done = make(test, "bfs", GRID)
    test.check(done.status != 0 and "\nwrong\n" in done.out,
               f"a wrong kernel went unnoticed:\n{done.out}{done.err}")


def main():
    test = Pipeline(__doc__, more_arguments)
    need_program("make", "make")
    if test.arguments.target == "opencl":
        test.need_opencl()
    search(test)
    clustering(test)
    if not test.failures:
        wrong_kernel(test)
    test.finish()


if __name__ == "__main__":
    main()
