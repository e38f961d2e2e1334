"""What C++ programmers write without thinking means what C++ says: the codelets of tests/codelets/everyday.cpp, of which
each is compiled as plain C++ too (as in tests/oracle.py), run on OpenMP and OpenCL. In the gate every eighth one."""

import ctypes
import random
import re

import oracle
from pipeline import ROOT, Pipeline

SOURCE = ROOT / "tests" / "codelets" / "everyday.cpp"
SIZES = (1, 37)


def numbers(count):
    source = random.Random(count)
    return [source.choice((source.randint(-20, 20), source.randint(-10 ** 6, 10 ** 6), 0, 99)) for _ in range(count)]


def by_plain_cpp(test, names):
    """name, size: the bytes that the codelet as C++ writes."""
    calls = "".join(f'extern "C" void {name}_(int *x, int *y, std::size_t n) {{ {name}(Array<1, int>(x, &n), Array<1, int>(y, &n)); }}\n'
                    for name in names)
    library = oracle.compiled(test, test.scratch, "everyday", f'#include "{SOURCE}"\n{calls}')
    results = {}
    for name in names:
        for count in SIZES:
            xs = (ctypes.c_int * count)(*numbers(count))
            out = (ctypes.c_int * count)()
            getattr(library, name + "_")(xs, out, ctypes.c_size_t(count))
            results[name, count] = bytes(out)
    return results


def main():
    test = Pipeline(__doc__)
    names = re.findall(r"^EVERYDAY\((\w+)\) {", SOURCE.read_text(), re.MULTILINE)
    wanted = by_plain_cpp(test, names)
    targets = [each for each in oracle.TARGETS if each[1] != "opencl" or test.opencl_devices()]
    for count in SIZES:
        oracle.save(test.scratch / f"xs{count}.npy", "int", oracle.pack("int", numbers(count)), count)
    runs = 0
    for turn, name in enumerate(names):
        for model, target in targets:
            if not oracle.EVERYTHING and (turn + (target == "opencl")) % 8:
                continue
            for count in SIZES if oracle.EVERYTHING else SIZES[1:]:
                out = test.scratch / "out.npy"
                out.unlink(missing_ok=True)
                done = test.run("tangram", "run", SOURCE, "--spectrum", name, "--hw", model, "--target", target, "--repeat", 1,
                                "--warmup", 0, "--input", f"xs={test.scratch}/xs{count}.npy", "--size", f"out={count}",
                                "--output", f"out={out}", environment={"OMP_NUM_THREADS": "2"})
                if test.check(out.exists(), f"{name} on {target}: {done.err}{done.out}"):
                    test.check(oracle.load(out) == wanted[name, count], f"{name} of {count} on {target} is not what C++ says")
                    runs += 1
    print(f"{len(names)} codelets, {runs} runs")
    test.finish()


if __name__ == "__main__":
    main()
