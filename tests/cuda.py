"""Libraries in CUDA: nvcc compiles kernels, host and example without a warning, their functions say what they should of
calls that cannot be served, and tangram-run says what is missing on a machine without CUDA.

    python3 tests/cuda.py --tangram build/tangram --tangram-run build/tangram-run --emulator build/.../libemulated_cuda.so

What nvcc compiles is left out where there is none (CUDA_HOME, /usr/local/cuda, PATH);
the test says so. In the gate every third library.
"""

import os
import pathlib
import shutil

from library import SPECTRUMS, manifest_of, sample, source_of
from pipeline import Pipeline, execute

MODEL = "h200"
# Of each, what its kernels have: a tree, vectors, memory asked for at launch, rounds of the host, look-back, atomics.
COMPILED = ["dot<double>", "scan<int>", "gemm<float>", "transpose<int>", "histogram", "argmin<float>", "bfs", "compact<int>"]


def more_arguments(parser):
    parser.add_argument("--emulator", required=True)


def nvcc():
    homes = [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    found = [pathlib.Path(home) / "bin/nvcc" for home in homes if home and (pathlib.Path(home) / "bin/nvcc").exists()]
    return str(found[0]) if found else shutil.which("nvcc")


def compiles(test, compiler, bundle):
    """Kernels as PTX, host and example as objects."""
    manifest = manifest_of(bundle)
    out = test.scratch / "out"
    warnings = ["-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror"]
    for options, file in ((["-ptx"], manifest["files"]["host"]), (["-c"], manifest["files"]["host"]),
                          (["-c"], manifest["files"]["example"])):
        done = execute([compiler, "-arch=sm_90", *warnings, *options, "-o", str(out), str(bundle / file)])
        test.check(done.status == 0, f"nvcc {' '.join(options)} {bundle / file}:\n{done.err}{done.out}")


def says_what_is_missing(test, bundle):
    nothing = {"TANGRAM_CUDA_LIBRARY": "/nonexistent/libcuda.so"}
    done = test.run("tangram-run", "verify", bundle, environment=nothing)
    test.check(done.status == 3 and "no CUDA driver on this machine: /nonexistent/libcuda.so" in done.out + done.err,
               f"without a driver: status {done.status}\n{done.out}{done.err}")
    half = {"TANGRAM_CUDA_LIBRARY": test.arguments.emulator, "TANGRAM_NVRTC_LIBRARY": "/nonexistent/libnvrtc.so"}
    done = test.run("tangram-run", "verify", bundle, environment=half)
    test.check(done.status == 3 and "no NVRTC, CUDA's compiler library, on this machine" in done.out + done.err,
               f"without NVRTC: status {done.status}\n{done.out}{done.err}")


def main():
    test = Pipeline(__doc__, more_arguments)
    compiler = nvcc()
    known = {spectrum: file for file, spectrum in SPECTRUMS}
    compiled = 0
    chosen = sample(COMPILED, 3)
    for spectrum in chosen:
        if spectrum not in known:
            continue
        (bundle,) = test.synth(source_of(known[spectrum]), spectrum, MODEL, "cuda", f"bundle-{compiled}", "--plan", "best")
        text = (bundle / manifest_of(bundle)["files"]["source"]).read_text()
        test.check("__global__ void __launch_bounds__" in text and "POCL" not in text, f"{spectrum}: its kernels\n{text}")
        if compiler:
            compiles(test, compiler, bundle)
        compiled += 1
        if compiled == 1:
            says_what_is_missing(test, bundle)
    test.equal(compiled, len(chosen), "spectrums")
    if not compiler:
        print("nothing was compiled: there is no nvcc")
    test.finish()


if __name__ == "__main__":
    main()
