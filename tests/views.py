"""reverse, diagonal, flatten, reshape, broadcast, slices in loops, and windows as long as another container
(tests/codelets/views.cpp) are what they are in Python: first codelets on OpenMP and OpenCL against values that are computed
here; the codelets that hand views to spectrums in all their plans, also interpreted for a GPU."""

import random
import struct

import oracle
from library import EVERYTHING
from pipeline import Pipeline

SOURCE = "tests/codelets/views.cpp"
HANDED_ON = {"folded": "xs_size", "last_first": "xs_size", "convolved": "in_size"}


def matrix(values, columns):
    return [values[i:i + columns] for i in range(0, len(values), columns)]


def square(a, rows, columns):
    return [a[rows - 1 - i][j] - a[i][columns - 1 - j] + a[i][j] for i in range(rows) for j in range(columns)]


def cases():
    """Spectrum, inputs by name with their shapes, the output's shape, what it is."""
    source = random.Random(5)
    xs = [source.randint(-50, 50) for _ in range(12)]
    a = matrix(xs, 4)
    back = xs[::-1]
    yield "palindrome", {"xs": (12,)}, xs, (12,), [b + 2 * x for b, x in zip(back, xs)]
    yield "written_backward", {"xs": (12,)}, xs, (12,), [3 * xs[i] + i for i in range(12)][::-1]
    yield "rows_backward", {"a": (3, 4)}, xs, (3, 4), square(a, 3, 4)
    yield "flat", {"a": (3, 4)}, xs, (12,), [x + i for i, x in enumerate(xs)]
    yield "shaped", {"xs": (12,)}, xs, (3, 4), [a[i][j] - xs[j] for i in range(3) for j in range(4)]
    yield "every_third", {"xs": (12,)}, xs, (4,), [x + 4 for x in xs[1::3]]
    yield "trace", {"a": (3, 4)}, xs, (), [a[0][0] + a[1][1] + a[2][2]]


def save(path, values, shape):
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({''.join(f'{extent}, ' for extent in shape)}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     oracle.pack("int", values))


def main():
    test = Pipeline(__doc__)
    targets = [each for each in oracle.TARGETS if each[1] != "opencl" or test.opencl_devices()]
    for number, (spectrum, shapes, values, out, wanted) in enumerate(cases()):
        ((name, shape),) = shapes.items()
        given, result = test.scratch / "given.npy", test.scratch / "result.npy"
        save(given, values, shape)
        sizes = [f"--size=out_size{d if len(out) > 1 else ''}={extent}" for d, extent in enumerate(out)]
        for model, target in targets if EVERYTHING else targets[number % len(targets):][:1]:
            result.unlink(missing_ok=True)
            done = test.run("tangram", "run", SOURCE, "--spectrum", spectrum, "--hw", model, "--target", target, "--repeat", 1,
                            "--warmup", 0, "--input", f"{name}={given}", *sizes, "--output",
                            f"{'out' if out else 'result'}={result}", environment={"OMP_NUM_THREADS": "2"})
            if test.check(result.exists(), f"{spectrum} on {target}: {done.err}{done.out}"):
                got = list(struct.unpack(f"<{len(wanted)}i", oracle.load(result)[:4 * len(wanted)]))
                test.check(got == wanted, f"{spectrum} on {target}: {got}, expected {wanted}")
    for spectrum, size in HANDED_ON.items():
        for model, target in (("simple-cpu", "openmp"), ("simple-gpu", "opencl")):
            if target == "opencl" and not test.opencl_devices():
                continue
            bundles = test.synth(SOURCE, spectrum, model, target, f"{spectrum}-{target}", "--plan", "all", "--limit", "6")
            more = ("--size", "w_size=3") if spectrum == "convolved" else ()
            test.verify(bundles, "--size", f"{size}=1,7,33" if not more else f"{size}=5,33", *more)
    test.finish()


if __name__ == "__main__":
    main()
