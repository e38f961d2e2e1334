"""`tangram check --equiv`: the library's codelets agree, and codelets that are wrong are found."""

import json
import shlex
import subprocess

from library import EVERYTHING
from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline, unwatched_leaks

# (file, spectrum): some of the library, with all kinds of codelets.
RIGHT = [("sum", "sum"), ("scan", "scan<int>"), ("gemm", "gemm<int>"), ("histogram", "histogram"),
         ("spmv", "spmv<double>"), ("compact", "compact<int>")]

# Stands for any extents: whether numbers overflow depends on their values.
SOME = "some extents"

# Codelets that are written: derived ones that another codelet calls are as wrong as that one. What is said of each, and its smallest counterexample where there is but one.
WRONG = {
    "narrow": {
        "sixteen_bits": ("differs", {"in_size": 1}),
        "half_the_bits": ("differs", {"in_size": 1}),
        "right": ("agrees", None),
        "byte_counter": ("differs", SOME),
    },
    "sum": {
        "late": ("differs", {"in_size": 1}),
        "lost_tail": ("differs", {"in_size": 1}),
        "printed": ("differs", {"in_size": 1}),
        "short_tree": ("differs", {"in_size": 1}),
        "right": ("agrees", None),
    },
    "write": {
        "one_less": ("differs", {"in_size": 1, "out_size": 1}),
        "right": ("agrees", None),
        "exchanged": ("differs", {"bins_size": 1, "in_size": 1}),
        "right_too": ("agrees", None),
        "elsewhere": ("differs", {"bins_size": 1, "in_size": 1}),
        "too_wide": ("could not be run", None),
    },
}


def check(test, source, *options):
    few = [] if EVERYTHING else ["--budget", "8", *([] if "--hw" in options else ["--hw", "cpu"])]
    done = test.run("tangram", "check", source, "--equiv", *few, *options,
                    environment={**OPENMP_ENVIRONMENT, **unwatched_leaks()})
    return done


def library_agrees(test):
    for file, spectrum in RIGHT if EVERYTHING else RIGHT[::3]:
        done = check(test, f"codelets/{file}.cpp", "--spectrum", spectrum)
        test.equal(done.status, 0, f"--equiv of {spectrum}\n{done.out}{done.err}")
        test.check(" agrees (" in done.out and "  could not be run: " not in done.out,
                   f"--equiv of {spectrum}\n{done.out}")


def wrong_ones_are_found(test):
    for file, codelets in WRONG.items():
        done = check(test, f"tests/codelets/wrong/{file}.cpp", "--format", "json", "--derive", "none")
        if not test.equal(done.status, 3, f"--equiv of {file}\n{done.out}{done.err}"):
            continue
        found = {each["codelet"]: each for spectrum in json.loads(done.out)["spectrums"]
                 for each in spectrum["codelets"] if "derived_" not in each["codelet"]}
        test.equal(list(found), list(codelets), f"the codelets of {file}")
        for name, (status, extents) in codelets.items():
            one = found.get(name, {})
            test.equal((one.get("status"), SOME if extents == SOME else one.get("extents")), (status, extents),
                       f"{file} {name}")
            if status == "differs":
                command_does_it_again(test, one)


def codelets_that_are_called_take_part(test):
    """What is right behind a wrong codelet, as what follows from loops that it calls, is not blamed."""
    written = [] if EVERYTHING else ["--derive", "none"]
    done = check(test, "tests/codelets/wrong/saturate.cpp", "--spectrum", "scaled", "--format", "json", *written)
    test.equal(done.status, 3, f"--equiv of saturate\n{done.out}{done.err}")
    found = {each["codelet"]: each["status"] for each in json.loads(done.out)["spectrums"][0]["codelets"]}
    derived = {name: found.pop(name) for name in list(found) if "derived_" in name}
    test.equal(found, {"two_steps": "differs", "two_right_steps": "agrees", "product:late": "differs"}, "saturate")
    test.check("differs" not in derived.values(), f"derived codelets of saturate: {derived}")


def a_choice_of_data(test):
    # Ordinary numbers do not show what 32 bits lose.
    done = check(test, "tests/codelets/wrong/narrow.cpp", "--spectrum", "xor_sum", "--data", "ordinary")
    test.equal(done.status, 0, done.out + done.err)
    done = check(test, "tests/codelets/wrong/narrow.cpp", "--data", "fulll")
    test.equal((done.status, done.err.splitlines()[-1:]), (2, [
        "error: --data fulll: expected ordinary, full, few, sorted, reversed, edges, constants, special or usual; "
        "did you mean full?"]), "an unknown kind of data")


def command_does_it_again(test, codelet):
    words = shlex.split(codelet["command"])
    command = [test.commands[words[0]], *words[1:]]
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False,
                           env=test.environment({**OPENMP_ENVIRONMENT, **unwatched_leaks()}))
    test.equal(again.returncode, 3,
               f"exit status of {codelet['command']}\n{again.stdout}{again.stderr}")
    test.check(codelet["message"].splitlines()[0] in again.stdout,
               f"{codelet['command']} does not say {codelet['message']!r} but\n{again.stdout}")


def said_as_text(test):
    done = check(test, "tests/codelets/wrong/write.cpp", "--spectrum", "shift", "--size", "5",
                 "--hw", "cpu", "--time-limit", "5")
    test.equal(done.status, 3, done.err)
    lines = done.out.splitlines()
    test.equal(lines[0], "shift: against shift#1", "first line")
    test.check(lines[1].startswith("  one_less  differs at in_size=5 out_size=5 "), done.out)
    test.check(lines[2].startswith("    tangram run tests/codelets/wrong/write.cpp --spectrum shift "
                                   "--hw cpu --target openmp "), done.out)
    test.check(lines[3].startswith("  right     agrees (1 shape, "), done.out)
    test.equal(lines[4:], ["2 codelets: 1 agree, 1 differ"], "last line")


def wrong_command_lines(test):
    done = check(test, "codelets/sum.cpp", "--spectrum", "summ")
    test.equal((done.status, done.out, done.err),
               (1, "", "error: no spectrum is called 'summ'\n"), "an unknown spectrum")
    done = test.run("tangram", "check", "codelets/sum.cpp", "--size", "3")
    test.equal((done.status, done.out), (2, ""), "--size without --equiv")
    test.check("--size requires --equiv" in done.err, done.err)
    done = check(test, "codelets/sum.cpp", "--size", "three")
    test.equal((done.status, done.out), (2, ""), "a size that is no number")
    test.check("--size three: expected a size" in done.err, done.err)


def main():
    test = Pipeline(__doc__)
    wrong_command_lines(test)
    said_as_text(test)
    wrong_ones_are_found(test)
    codelets_that_are_called_take_part(test)
    a_choice_of_data(test)
    library_agrees(test)
    test.finish()


if __name__ == "__main__":
    main()
