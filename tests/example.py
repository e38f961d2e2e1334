"""The example of a bundle is a program: it compiles without a warning and prints the right sum. Those of
spectrums with contracts on shapes and data keep them: they end well, and read nothing that is not there.

It is what an application would do: the system's C compiler, the bundle's files, and nothing of
this project.
"""

import os

from pipeline import OPENMP_ENVIRONMENT, Pipeline, execute, unwatched_leaks

WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
ADDRESSES = ["-fsanitize=address", "-fno-omit-frame-pointer"]
LIBRARY = [("bfs", "bfs"), ("spmv", "spmv<double>"), ("histogram", "histogram"), ("scan", "scan<int>"),
           ("compact", "compact<int>"), ("gemv", "gemv<float>"), ("gemm", "gemm<float>"), ("transpose", "transpose<int>")]
EXPECTED = f"sum = {sum(i % 7 for i in range(1000))}\n"


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def compile_and_run(test, bundle, name, target):
    sources = (["example.c", "sum.c", "-fopenmp"] if target == "openmp"
               else ["example.c", "sum_host.c", "-lOpenCL"])
    program = test.scratch / f"{name}-program"
    done = execute([os.environ.get("CC", "cc"), "-O2", *WARNINGS, *sources, "-lm", "-o",
                    str(program)], cwd=bundle)
    if not test.check(done.status == 0 and not done.err, f"{name} does not compile:\n{done.err}"):
        return
    done = execute([str(program)], {"OMP_NUM_THREADS": "4"})
    test.equal((done.status, done.out, done.err), (0, EXPECTED, ""), f"example of {name}")


def library_example(test, file, spectrum, target):
    model = "simple-cpu" if target == "openmp" else "simple-gpu"
    bundle, = test.synth(f"codelets/{file}.cpp", spectrum, model, target, f"library-{file}",
                         "--plan", "best")
    return bundle


def run_library_example(test, file, spectrum, target, bundle):
    name = spectrum.replace("<", "_").replace(">", "")
    sources = ([f"{name}.c", "-fopenmp", *ADDRESSES] if target == "openmp"
               else [f"{name}_host.c", "-lOpenCL"])
    program = test.scratch / f"{file}-program"
    done = execute([os.environ.get("CC", "cc"), "-O1", "-std=c11", "-Wall", "-Werror", "example.c",
                    *sources, "-lm", "-o", str(program)], cwd=bundle)
    if not test.check(done.status == 0, f"example of {spectrum} does not compile:\n{done.err}"):
        return
    done = execute([str(program)], {**OPENMP_ENVIRONMENT, **unwatched_leaks()})
    test.check(done.status == 0 and " = " in done.out,
               f"example of {spectrum} ends with status {done.status}:\n{done.out}{done.err}")


def wide_indexes(test):
    """Where sizes do not let indexes take 32 bits they take 64, in the emitted host and in tangram-run."""
    bundle = library_example(test, "gemm", "gemm<float>", "opencl")
    for file, narrow, never in (
            ("gemm_float_host.c", "limit = 2147483648.0;", "limit = 0.0;"),
            ("manifest.json", '"most_index": "', '"most_index": "2147483648 + ')):
        text = (bundle / file).read_text()
        test.check(text.count(narrow) == 1, f"{file} does not say when indexes are narrow")
        (bundle / file).write_text(text.replace(narrow, never))
    run_library_example(test, "gemm", "gemm<float>", "opencl", bundle)
    done = test.run("tangram-run", "verify", bundle, "--size", "0,1,100")
    test.check(done.status == 0 and done.out.count("verified ") == 3,
               f"64-bit indexes:\n{done.out}{done.err}")


def main():
    test = Pipeline(__doc__, more_arguments, as_shipped=True)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    for model in ("simple-cpu", "simple-gpu", "cpu"):
        bundles = test.synth("codelets/sum.cpp", "sum", model, target, model, "--plan", "all",
                             "--strategy", "thesis", "--limit", "3")
        for bundle in bundles:
            compile_and_run(test, bundle, f"{model}-{bundle.name}", target)
        print(f"{len(bundles)} examples of {model} for {target}")
    for file, spectrum in LIBRARY:
        run_library_example(test, file, spectrum, target,
                            library_example(test, file, spectrum, target))
    if target == "opencl":
        wide_indexes(test)
    test.finish()


if __name__ == "__main__":
    main()
