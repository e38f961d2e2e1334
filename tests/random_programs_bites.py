"""random_programs.py finds what is planted, makes it small and prints a command that fails too; the same
seed makes the same programs, and they have the constructs that mistakes were found in."""

import random
import re
import subprocess
import sys

from pipeline import ROOT, Pipeline
from programs.kinds import KINDS

# Each was once in a program that went wrong.
CONSTRUCTS = {
    "a condition in a condition": r"if \(id [<>]=? \w+.*\) \{\n\s+if \(.*\[id [-+] \w+\]",
    "a neighbour's element to another array": r"(\w+)\[id\] = .*\b(?!\1)\w+\[id [-+] \w+\]",
    "a guard in an &&": r"id \+ \w+ < n && .*\[id \+ \w+\]",
    "a guard in a ?:": r"id >= \w+ \? .*\[id - \w+\]",
    "another name of a container": r"auto view = in;",
    "an atomic operation on an own element": r"atomic\w+\(\w+\[id\]",
    "an atomic operation on an element that the array names": r"atomic\w+\((\w+)\[[^;=]*\b\1\[id\]",
    "a tree of a maximum": r"max\(\w+\[id\], \w+\[id [-+] s\w*\]\)",
    "an array of each lane": r"\n\s+\w+( \w+)? v\d+\[\d\];",
    "a loop that all lanes leave": r"if \(k\d+ (==|>) \d\) \{\n\s+(break|continue);",
    "a negative bound of elements": r"within\(in, -\d+",
    "many roundings": r"< 200; \+\+k",
    "a chain": r"chain\(on",
    "a fold": r"fold\(",
    "parts that data say": r"sequence\(offsets, 0, 1, n\)",
    "a switch of the lanes": r"switch \(\(int\)\(.*\) \{\n\s+case 0: \{",
    "a comparison and exchange": r"= atomicCAS\(\w+\[",
    "a function of its own": r"\bhalved\(\(",
    "parts of a given size": r"tile_chunks\(a, p, [pq]\)",
    "two outputs": r"map\(f, \w+\(a, .*\), \w+\(b, .*\), \w+\(c, .*\)\)",
    "tiles of a local container": r"map\(copy, tiles\(tmp, p, [pq]\)",
    "a row that is read and written": r"auto row = a\[i\];\n.*\n?\s+row\[j[^]]*\] = ",
    "a loop of items behind the barriers of a loop": r"fold\(f, col_chunks\(a, t\)",
    "an instance of a template": r"return reduced<\w",
    "windows of a padded container": r"slide\(pad\(",
    "a pad from the side": r"transpose\(pad\(transpose\(",
    "parts that overlap": r"map\(inside, .*chunks\(in, [\w *]+, [1-9]\), .*chunks\(out, \w+\)\);",
    "tiles of windows": r"tile_slide\(",
    "lanes that copy the elements around theirs": r"in_tile\[k\] = base \+ k < in.size\(\)",
    "two steps on a tile": r"map\(both, ",
    "containers that are exchanged in rounds": r"step\(t, now, next\);\n\s+swap\(",
    "rounds in rounds": r"for \(unsigned u = 0; u < 2; \+\+u\) \{\n\s+for \(unsigned t = u;",
    "rounds that a result ends": r"\} while \(moved > 0 && done < \d\);|while \(moved > 0 && done < \d\) \{",
    "windows added up": r"combine\(map\(at, .*slide\(",
}
LOCKSTEP = 200


def sources(seed, count):
    found = []
    for number in range(count):
        own = random.Random(f"{seed} {number}")
        kind = own.choice(sorted(KINDS))
        found.append(KINDS[kind](own, 6).source())
    return found


def main():
    test = Pipeline(__doc__)
    # Also in a process that hashes in another way.
    again = "; ".join(["import random_programs_bites", "import sys",
                       "sys.stdout.write(repr(random_programs_bites.sources(1, 12)))"])
    made = [subprocess.run([sys.executable, "-B", "-c", again], cwd=ROOT / "tests", capture_output=True, text=True,
                           check=False, env=test.environment({"PYTHONHASHSEED": seed})).stdout for seed in "12"]
    test.equal(made[1], made[0], "the programs of seed 1, made again")
    test.equal(made[0], repr(sources(1, 12)), "the programs of seed 1, made here")
    missing = dict(CONSTRUCTS)
    for number in range(1000):
        own = random.Random(f"5 {number}")
        # Those take long to make, and a hundred have all that others do not have.
        kind = "lockstep" if number % 2 and number < LOCKSTEP else own.choice(sorted(KINDS))
        text = KINDS[kind](own, 6).source()
        missing = {name: pattern for name, pattern in missing.items() if not re.search(pattern, text)}
        if not missing:
            break
    test.check(not missing, f"1000 programs have nowhere: {', '.join(missing)}")

    command = [sys.executable, "-B", "tests/random_programs", "--tangram", test.commands["tangram"],
               "--tangram-run", test.commands["tangram-run"], "--seed", "1", "--programs", "2", "--plant",
               "--model", "cpu", "--target", "openmp", "--keep", str(test.scratch)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    test.equal(done.returncode, 3, f"exit status\n{done.stdout}{done.stderr}")
    found = re.search(r"FOUND in program \d+: interpreter: wrong openmp.*\n  says: .*\n(?:  at .*\n)?"
                      r"  reproduce: (.*)\n\n((?:.*\n)*?)\n\n", done.stdout)
    if test.check(found, f"the mistake was not found:\n{done.stdout}{done.stderr}"):
        codelet = found[2][found[2].index("__coop"):].splitlines()
        test.check(len(codelet) <= 12, f"not small:\n{found[2]}")
        again = subprocess.run(found[1], shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
        test.equal(again.returncode, 3, f"exit status of {found[1]}\n{again.stdout}{again.stderr}")
    test.finish()


if __name__ == "__main__":
    main()
