"""Every file of codelets/ has a page in docs/codelets/ that names all of its spectrums and codelets, and
none that is not there; the commands of the pages work: the first of every twelfth page, or all with `scripts/test --all`.
"""

import json
import pathlib
import re
import shlex

from library import EVERYTHING
from pipeline import OPENMP_ENVIRONMENT, Pipeline

PAGES = pathlib.Path("docs/codelets")


def defined_in(test, source):
    """Names of spectrums, without their arguments, and of codelets, of this file alone."""
    checked = json.loads(test.expect("tangram", "check", source, "--derive", "none", "--format", "json").out)
    spectrums, codelets = set(), set()
    for spectrum in checked["spectrums"]:
        own = {codelet["name"] for codelet in spectrum["codelets"]
               if codelet["location"]["file"] == str(source)}
        if own:
            spectrums.add(spectrum["name"].split("<")[0])
            codelets |= own
    return spectrums, codelets


def named(test, source, page):
    text = page.read_text()
    spectrums, codelets = defined_in(test, source)
    for name in sorted(codelets):
        test.check(f"`{name}`" in text, f"{page} does not name codelet {name}")
    for name in sorted(spectrums):
        test.check(re.search(rf"`{name}[`<(]", text), f"{page} does not name spectrum {name}")
    for name in sorted(set(re.findall(r"`(\w+#\d+)`", text)) - codelets):
        test.fail(f"{page} names {name}, which {source} does not have")
    for tags in re.findall(r"--without (\S+)", re.sub("```.*?```", "", text, flags=re.S)):
        known = {word.strip("`") for word in tags.rstrip("`).,").split(",")}
        test.check(known <= codelets, f"{page}: --without {tags}")


def commands(page):
    """Of its console blocks; in the gate those that make inputs, and the first of the others."""
    found = list(all_commands(page))
    inputs = [command for command in found if " generate " in command]
    return found if EVERYTHING else inputs + [command for command in found if command not in inputs][:1]


def all_commands(page):
    for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                yield line[2:]


def run(test, page, command):
    program, *arguments = shlex.split(command.replace("out/", f"{test.scratch}/"))
    options = ["--repeat", "1", "--warmup", "0"] if arguments[0] == "run" else []
    done = test.run(program.removeprefix("build/"), *arguments, *options,
                    environment=OPENMP_ENVIRONMENT)
    test.check(done.status == 0, f"{page}: {command}\n{done.err}{done.out}")
    test.check("refused" not in done.out, f"{page}: a plan is refused: {command}\n{done.out}")


def main():
    test = Pipeline(__doc__)
    index = (PAGES / "README.md").read_text()
    count = 0
    for source in sorted(pathlib.Path("codelets").glob("*.cpp")):
        page = PAGES / f"{source.stem}.md"
        if not test.check(page.exists(), f"{source} has no page {page}"):
            continue
        test.check(f"({page.name})" in index, f"{PAGES / 'README.md'} does not list {page.name}")
        named(test, source, page)
    for page in sorted(PAGES.glob("*.md"))[::1 if EVERYTHING else 12]:
        for command in commands(page):
            run(test, page, command)
            count += 1
    test.check(count > (20 if EVERYTHING else 2), f"found only {count} commands")
    print(f"{count} commands")
    test.finish()


if __name__ == "__main__":
    main()
