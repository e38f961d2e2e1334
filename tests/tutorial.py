"""What docs/tutorial.md says a reader writes, works: `sum` with all its codelets, as a template, and
`lengths` on top of the library, and a stencil in tiles and rounds; and the mistakes that it shows are found.
"""

import re
import shlex

from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline

TEXT = (ROOT / "docs/tutorial.md").read_text()


def source_with(*words):
    """The first C++ block of the page with all of these words."""
    return next(block for block in re.findall(r"```cpp\n(.*?)```", TEXT, re.S)
                if all(word in block for word in words))


def shown(command):
    """What the page prints below this command, line by line, without `...`."""
    printed = TEXT.split(f"\n$ {command}\n")[1]
    return [line for line in re.split(r"\n(?:\$ |```)", printed)[0].splitlines() if line != "..."]


def compare(test, command, found):
    for line in shown(command):
        test.check(line in found.splitlines(), f"{line!r} is not in\n{found}")


def whole_sum():
    kog = source_with("__tag(kog)").replace("  __shared", "  require(in.size() <= coopDim());\n  __shared", 1)
    return "\n".join([source_with("#include <tangram.h>", "accum += in[i]"),
                      source_with("__tag(asso_tiled)"), kog, source_with("__tag(stride_tiled)")])


def template_of(source):
    """As section 8 says."""
    return (source.replace("__codelet", "template <class T> __codelet")
            .replace("map(sum,", "map(sum<T>,").replace("int sum", "T sum")
            .replace("Array<1, int>", "Array<1, T>").replace("int accum", "T accum")
            .replace("__shared int", "__shared T"))


def check_sum(test):
    file = test.scratch / "sum.cpp"
    file.write_text(whole_sum())
    planning = ["plans", file, "--spectrum", "sum", "--hw", "simple-gpu"]
    command = "build/tangram plans /tmp/sum.cpp --spectrum sum --hw simple-gpu"
    for more in ("--limit 2", "--strategy all --iterations 6 --count"):
        compare(test, f"{command} {more}", test.expect("tangram", *planning, *more.split()).out)

    file.write_text(template_of(whole_sum()))
    test.check("is not instantiated" in test.expect("tangram", "check", file).err,
               "no warning about a template without instances")
    runs = run(test, file, "--instantiate", "sum<long>", "--spectrum", "sum", "--plan", "all",
               "--size", "1000003")
    test.check(runs.status == 0 and "verified" in runs.out, f"sum<long>:\n{runs.out}{runs.err}")


def run(test, file, *options):
    return test.run("tangram", "run", file, "--hw", "simple-cpu", "--target", "openmp", "--repeat",
                    "1", "--warmup", "0", *options, environment=OPENMP_ENVIRONMENT)


def check_lengths(test):
    file = test.scratch / "lengths.cpp"
    file.write_text(source_with("void lengths"))
    options = [file, "-I", "codelets", "--spectrum", "lengths"]
    compare(test, "build/tangram plans /tmp/lengths.cpp -I codelets --spectrum lengths --hw simple-gpu "
            "--limit 1", test.expect("tangram", "plans", *options, "--hw", "simple-gpu", "--limit",
                                     "1").out)
    done = run(test, *options, "--plan", "all", "--size", "a=0x0,1x300,300x1,1000x300")
    test.check(done.status == 0 and "wrong" not in done.out, f"lengths:\n{done.out}{done.err}")

    mistake = re.search(r"`by_row` said `(.*?)`", TEXT, re.S)[1]
    file.write_text(source_with("void lengths").replace("map(dot<T>, a, a)", mistake))
    done = run(test, *options, "--plan", "all", "--size", "a=1000x300")
    test.equal(done.status, 3, f"exit status of a wrong codelet:\n{done.out}{done.err}")
    test.check("999 of 1000 elements differ, the first at 1" in done.out, done.out)
    done = run(test, *options, "--plan", "all", "--size", "a=1x300")
    test.equal(done.status, 0, f"one row, where the mistake does not show:\n{done.out}{done.err}")


def try_shown(test, start):
    """Runs the command of the page that starts so, with files of the scratch folder. Of lines with times, only
    the verdict and the plan are compared."""
    command = next(line[2:] for line in TEXT.splitlines() if line.startswith(f"$ {start}"))
    words = [word.replace("/tmp/", f"{test.scratch}/") for word in shlex.split(command)]
    timed = ["--repeat", "1", "--warmup", "0"] if words[1] == "run" else []
    done = test.run("tangram", *words[1:], *timed, environment=OPENMP_ENVIRONMENT)
    test.equal(done.status, 0, f"{command}\n{done.out}{done.err}")
    lines = (done.out + done.err).replace(f"{test.scratch}/", "/tmp/").splitlines()
    verdicts = [line.split()[:2] for line in lines]
    for line in shown(command):
        test.check(line in lines or " median " in line and line.split()[:2] in verdicts,
                   f"{command}\n{line!r} is not in\n{done.out}{done.err}")


def check_stencil(test):
    rod = "\n".join(source_with(words) for words in ("void heat(", "slide(pad(", "chunks(in, t, 2)"))
    file = test.scratch / "rod.cpp"
    file.write_text(rod.replace("chunks(in, t, 2)", "chunks(in, t, 1)"))
    try_shown(test, "build/tangram check /tmp/rod.cpp")
    file.write_text(rod)
    test.check("warning" not in test.expect("tangram", "check", file).err, "a warning where tiles fit")
    (test.scratch / "steps.cpp").write_text(source_with("void heat_steps", "swap"))
    try_shown(test, "build/tangram plans /tmp/rod.cpp")
    for program in ("/tmp/rod.cpp --spectrum heat", "/tmp/steps.cpp -I codelets --spectrum heat_steps"):
        try_shown(test, f"build/tangram run {program} --hw simple-cpu --target openmp")
        if test.opencl_devices():
            try_shown(test, f"build/tangram run {program} --hw simple-gpu --target opencl")
    try_shown(test, "build/tangram run codelets/rounds.cpp --spectrum 'heat_steps<float>'")
    out = test.scratch / "heat"
    test.expect("tangram", "synth", file, "--spectrum", "heat", "--hw", "simple-cpu", "--target", "openmp", "--plan",
                "a435e102", "-o", out)
    loop = next(block for block in re.findall(r"```c\n(.*?)```", TEXT, re.S) if "i = inside" in block)
    test.check(loop in (out / "heat.c").read_text(), "the loop between the ends of the rod is another")


def check_comparison(test):
    gemv = ["codelets/gemv.cpp", "--spectrum", "gemv<float>"]
    options = ["--hw", "h200", "--for-size", "a=524288x128", "--why", "many_rows"]
    compare(test, "build/tangram plans codelets/gemv.cpp --spectrum 'gemv<float>' --hw h200 "
            "--for-size a=524288x128 --why many_rows",
            test.expect("tangram", "plans", *gemv, *options).out)
    page = test.scratch / "gemv.html"
    test.expect("tangram", "compare", *gemv, "--hw", "h200,cpu", "--limit", "10", "-o", page)
    test.check(page.read_text().endswith("</html>\n"), "the page is whole")


def main():
    test = Pipeline(__doc__)
    check_comparison(test)
    check_sum(test)
    check_lengths(test)
    check_stencil(test)
    test.finish()


if __name__ == "__main__":
    main()
