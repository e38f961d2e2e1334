"""The example of a bundle is a program: it compiles without a warning and prints the right sum.

It is what an application would do: the system's C compiler, the bundle's files, and nothing of
this project.
"""

import os

from pipeline import Pipeline, execute

WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
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


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    for model in ("simple-cpu", "simple-gpu", "cpu"):
        bundles = test.synth("codelets/sum.cpp", "sum", model, target, model, "--plan", "all",
                             "--strategy", "thesis", "--limit", "3")
        for bundle in bundles:
            compile_and_run(test, bundle, f"{model}-{bundle.name}", target)
        print(f"{len(bundles)} examples of {model} for {target}")
    test.finish()


if __name__ == "__main__":
    main()
