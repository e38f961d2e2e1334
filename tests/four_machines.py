"""docs/four-machines.md shows what the commands print: compares, or writes with --update.

    python3 tests/four_machines.py --tangram build/tangram --tangram-run build/tangram-run --update

A comment of the page says what stands below it, in a block up to the next blank line after its fence:

    <!-- command MODEL TARGET -->                    the command
    <!-- plan MODEL -->                              the first plan in notation
    <!-- code MODEL from "FIRST" to "LAST" -->       lines of the source from the one that contains FIRST
                                                     up to that before LAST; "" is the end
"""

import difflib
import json
import pathlib
import re

from pipeline import Pipeline

PAGE = pathlib.Path("docs/four-machines.md")
SOURCE, SPECTRUM = "codelets/dot.cpp", "dot<float>"
COMMENT = re.compile(r"(<!-- (command|plan|code) (\S+)( [^\n]*)? -->\n)(?:\n```\w*\n.*?\n```\n)?", re.S)
WIDTH = 100


def more_arguments(parser):
    parser.add_argument("--update", action="store_true", help="write the page")


def wrapped(steps):
    """Plan notation in lines, as `tangram plans` breaks them."""
    lines = [""]
    for step in steps:
        more = step if not lines[-1] else f"{lines[-1]}, {step}"
        if len(more) < WIDTH:
            lines[-1] = more
        else:
            lines[-1] += ","
            lines.append(step)
    return "\n".join(lines)


class Page:
    def __init__(self, test):
        self.test, self.bundles = test, {}

    def block(self, match):
        head, kind, model, rest = match.groups(default="")
        language, text = getattr(self, kind)(model, rest.strip())
        return f"{head}\n```{language}\n{text}\n```\n"

    def command(self, model, target):
        self.bundles[model], = self.test.synth(SOURCE, SPECTRUM, model, target, model,
                                                   "--strategy", "thesis")
        return "console", (f"$ build/tangram synth {SOURCE} --spectrum '{SPECTRUM}' --hw {model} "
                           f"--target {target} --strategy thesis -o out/{model}")

    def manifest(self, model):
        return json.loads((self.bundles[model] / "manifest.json").read_text())

    def plan(self, model, _):
        return "", wrapped(self.manifest(model)["plan"]["steps"])

    def code(self, model, rest):
        """The lines, moved left by what they have in common."""
        first, last = re.fullmatch(r'from "(.+)" to "(.*)"', rest).groups()
        manifest = self.manifest(model)
        lines = (self.bundles[model] / manifest["files"]["source"]).read_text().splitlines()
        starts = [i for i, line in enumerate(lines) if first in line]
        if not self.test.check(starts, f"{model}: no line contains {first!r}"):
            return "c", ""
        ends = [i for i in range(starts[0] + 1, len(lines)) if last and last in lines[i]]
        if not self.test.check(ends or not last, f"{model}: no line after it contains {last!r}"):
            return "c", ""
        chosen = lines[starts[0]:ends[0] if ends else None]
        left = min(len(line) - len(line.lstrip()) for line in chosen if line)
        return "c", "\n".join(line[left:] for line in chosen).strip()


def main():
    test = Pipeline(__doc__, more_arguments)
    old = PAGE.read_text()
    new = COMMENT.sub(Page(test).block, old)
    test.equal(len(re.findall(r"<!-- command ", new)), 4, "machines of the page")
    if test.arguments.update and not test.failures:
        PAGE.write_text(new)
    else:
        difference = difflib.unified_diff(old.splitlines(), new.splitlines(), str(PAGE), "now",
                                          lineterm="")
        test.check(old == new, "the page is not what the commands print; see the docstring for "
                   "--update\n" + "\n".join(difference))
    test.finish()


if __name__ == "__main__":
    main()
