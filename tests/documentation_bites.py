"""documentation.py finds what a page shows otherwise than a command prints it, leaves times alone, and writes what differs."""

import subprocess
import sys

from documented_masks import differs
from documented_page import elided
from pipeline import ROOT, Pipeline

PAGE = """# A page

<!-- file: /tmp/total.cpp -->

```cpp
#include <tangram.h>

__codelet
int total(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}
```

<!-- run: sed -i s/total/whole/ /tmp/total.cpp -->

```console
$ tangram check /tmp/total.cpp --derive none
...
  whole#1  autonomous  (line 4)
    reads    in[i]  unit stride in the loop
```

<!-- run: tangram synth /tmp/total.cpp --spectrum whole --hw simple-cpu --target openmp -o out/whole -->
<!-- from out/whole/whole.h, "int whole(" to "" -->

```c
```

<!-- not run: there is no such program -->

```console
$ no-such-program
```
"""

RAN = "tangram-run time out --size 5"
SHOWN = ["verified  out  in_size=5  p=2  median 7.4 us, min 1.9 us, max 13.4 us, spread 154.7 %, 0.05 GB/s"]
AGAIN = ["verified  out  in_size=5  p=16  median 1.250 ms, min 1.2 ms, max 2 s = 1600 x median, 12.50 GB/s"]


def run(test, page, *options):
    return subprocess.run([sys.executable, "-B", "tests/documentation.py", "--tangram", test.commands["tangram"],
                           "--tangram-run", test.commands["tangram-run"], "--page", page, *options], cwd=ROOT,
                          capture_output=True, text=True, check=False)


def pages(test):
    page = test.scratch / "page.md"
    page.write_text(PAGE)
    done = run(test, page)
    test.check(done.returncode == 1 and "+int whole(" in done.stdout and "1 failed" in done.stdout,
               f"an excerpt that is not there:\n{done.stdout}{done.stderr}")
    done = run(test, page, "--update")
    test.check(done.returncode == 0 and "\nint whole(" in page.read_text(), f"--update:\n{done.stdout}{done.stderr}")
    made = page.read_text()
    test.equal(run(test, page).returncode, 0, "a page that was just made")
    for old, new in (("unit stride", "zero stride"), ("(line 4)", "(line 5)"), ("accum += in[i]", "accum += in[i] *")):
        page.write_text(made.replace(old, new))
        test.equal(run(test, page).returncode, 1, f"{new} in place of {old}")
    page.write_text(made.replace("no-such-program", "false").replace("<!-- not run: there is no such program -->\n", ""))
    done = run(test, page)
    test.check(done.returncode == 1 and "false\nended with status 1" in done.stdout, f"a command that fails:\n{done.stdout}")


def times(test):
    test.check(not differs(RAN, SHOWN, AGAIN), "other times are no difference")
    test.check(differs(RAN, SHOWN, [AGAIN[0].replace("verified", "wrong")]), "another verdict is one")
    test.check(differs("tangram plans", ["0.5 ms"], ["0.6 ms"]), "a predicted time is one")
    test.check(not differs(RAN, [*SHOWN, "1 verified"], [*AGAIN, "1 verified"]), "whole outputs")
    test.check(differs(RAN, [*SHOWN, "1 verified"], AGAIN), "a line less")
    found = ["first", "second", "third", "fourth"]
    test.check(not differs("tangram plans", ["first", "...", "fourth"], found), "lines that are left out")
    test.check(differs("tangram plans", ["second", "...", "fourth"], found), "not from the first line on")
    test.equal(elided(["firsd", "...", "fourd"], found), ["first", "...", "fourth"], "the same lines, shortened alike")


def main():
    test = Pipeline(__doc__)
    times(test)
    pages(test)
    test.finish()


if __name__ == "__main__":
    main()
