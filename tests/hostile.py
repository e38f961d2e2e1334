"""Input as an attacker would write it: no text becomes code, and nothing ends a command without a word.

Texts with newlines, ends of comments, quotes and bytes that are no UTF-8 in every text of a model, in the names
of sources and folders, and in manifests; input that is nested too deeply, has no end, or is no file.
"""

import copy
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess

from pipeline import Pipeline

SUM = "codelets/sum.cpp"
# Text that may stand in a line, and that would end a comment, string or tag in each of the places that it goes to.
PRINTABLE = "a */ /* ??/ \\ \" ' <!-- </script> <script> ]]> $x ${y} $(touch pwned) `z` @NAME@ %s # ; \\"
UNPRINTABLE = ["a\n#error compiled\n//", "a\rb", "a\u001b[2Jb", "a\u009b2Jb", "a\u202eb", "a\u2028b", "a\tb", "a\u007f"]


def texts_of(schema, node, at=()):
    """Pointers of the fields of a model that are any text, as paths with "*" for elements of arrays."""
    node = schema["$defs"][node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node
    if node.get("type") == "string" and "enum" not in node and not re.match(r"\^\[A-Za-z", node.get("pattern", "")):
        yield at
    for name, field in node.get("properties", {}).items():
        yield from texts_of(schema, field, (*at, name))
    if isinstance(node.get("items"), dict):
        yield from texts_of(schema, node["items"], (*at, "*"))


def places(document, path):
    """Where `path` leads in a document: containers and their last keys."""
    *above, last = path
    found = [document]
    for step in above:
        found = [each for one in found
                 for each in (one if step == "*" and isinstance(one, list) else
                              [one[step]] if isinstance(one, dict) and step in one else [])]
    for one in found:
        if last == "*" and isinstance(one, list):
            yield from ((one, i) for i in range(len(one)))
        elif isinstance(one, dict) and last in one:
            yield one, last


def signalled(done):
    return done.status < 0 or done.status >= 126


def models(test):
    schema = json.loads(pathlib.Path("hwmodels/schema.json").read_text())
    model = json.loads(pathlib.Path("hwmodels/cpu.json").read_text())
    model["levels"][0]["memory"][0]["title"] = "main"
    paths = [path for path in texts_of(schema, schema)
             if path[-1] not in ("$schema", "subordinate", "default")]
    test.check(len(paths) >= 4, f"texts of a model: {paths}")
    file = test.scratch / "hostile.json"
    for path in paths:
        where = list(places(model, path))
        test.check(where, f"a model with {'/'.join(path)}")
        for number, text in enumerate(UNPRINTABLE):
            changed = copy.deepcopy(model)
            holder, key = list(places(changed, path))[-1]
            holder[key] = text
            file.write_text(json.dumps(changed))
            done = test.run("tangram", "hw", "validate", file)
            test.check(done.status == 1 and "expected a line of printable text" in done.err + done.out and
                       (str(key) in done.err + done.out) and "\x1b" not in done.err + done.out,
                       f"text {number} in {'/'.join(path)}: {done.status}, {done.err}{done.out}")
    # The same names in code, so that nothing but comments and strings may differ.
    same = re.sub("[^A-Za-z0-9]", "_", PRINTABLE)
    for target in ("openmp", "opencl"):
        made = {}
        for name, text in (("hostile", PRINTABLE), ("plain", same)):
            changed = copy.deepcopy(model)
            for path in paths:
                for holder, key in list(places(changed, path)):
                    holder[key] = text
            changed["name"] = "model"
            (test.scratch / "model.json").write_text(json.dumps(changed))
            options = ["--python"] if target == "openmp" else []
            made[name] = test.synth(SUM, "sum", test.scratch / "model.json", target, f"{target}-{name}", *options)[0]
            if target == "openmp":
                runs = test.verify([made[name]], "--size", "100")
                test.equal([run["status"] for run in runs], ["verified"], f"{name} texts: {runs}")
        for file in sorted(made["hostile"].iterdir()):
            if file.suffix in (".c", ".h", ".cl"):
                test.equal(code_of(file), code_of(made["plain"] / file.name), f"code of {target} {file.name}")


def code_of(file):
    """What a compiler sees of C: no comments, and lines that trigraphs and backslashes have joined."""
    text = subprocess.run(["cc", "-trigraphs", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c", file],
                          capture_output=True, text=True, check=True).stdout
    # A host and the header for PoCL have the kernels, which are compared by themselves, as strings.
    has_kernels = "_host" in file.name or file.name.endswith("_pocl.h")
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text) if has_kernels else text


def names_of_sources(test):
    """Of files and folders: bytes of any kind but "/" and 0."""
    source = pathlib.Path(SUM).read_bytes()
    for number, name in enumerate([b"a\n#error compiled\n.cpp", b"a*.cpp", b"a\\.cpp", b"??.cpp", b"a'\"$(touch pwned).cpp",
                                   b"\xff\xfe.cpp", b"\x1b[2J.cpp", b"<!-- <script>.cpp", "\u202e.cpp".encode(), b"-x.cpp"]):
        folder = os.fsencode(test.scratch) + b"/names/" + name[:-4]
        os.makedirs(folder, exist_ok=True)
        file = folder + b"/" + name
        with open(file, "wb") as out:
            out.write(source)
        common = [file, "--spectrum", "sum", "--hw", "simple-cpu"]
        for words in (["check", file, "--format", "json"], ["plans", *common, "--format", "json"],
                      ["rules", file, "--format", "json"], ["plans", *common], ["check", file]):
            done = run_bytes(test, "tangram", *words)
            test.check(done.returncode == 0 and b"\x1b" not in done.stdout + done.stderr and
                       b"\xff" not in done.stdout + done.stderr, f"{words[0]} of {name}: {done}")
            if "json" in words:
                json.loads(done.stdout)
        bundle = folder + b"/out"
        done = run_bytes(test, "tangram", "synth", *common, "--target", "openmp", "-o", bundle, "--format", "json")
        test.check(done.returncode == 0, f"synth of {name}: {done}")
        done = run_bytes(test, "tangram-run", "verify", bundle, "--size", "10")
        test.check(done.returncode == 0 and done.stdout.count(b"\n") == 1 and b"\x1b" not in done.stdout,
                   f"verify of {name}: {done}")
        if number < 2:
            page = bundle + b".html"
            done = run_bytes(test, "tangram", "compare", file, "--spectrum", "sum", "--hw", "simple-cpu", "-o", page)
            test.check(done.returncode == 0, f"compare of {name}: {done}")
    test.check(not pathlib.Path("pwned").exists(), "a file that a name has made")


def run_bytes(test, command, *words):
    return subprocess.run([os.fsencode(test.commands[command]), *(os.fsencode(str(w)) if not isinstance(w, bytes) else w
                                                                  for w in words)],
                          capture_output=True, check=False, timeout=120)


def page(test):
    """A description that opens a comment of a script leaves the page's data whole."""
    model = json.loads(pathlib.Path("hwmodels/simple-cpu.json").read_text())
    model["description"] = "see <!-- and <script> tags </script>"
    (test.scratch / "page.json").write_text(json.dumps(model))
    out = test.scratch / "page.html"
    test.expect("tangram", "compare", SUM, "--spectrum", "sum", "--hw", test.scratch / "page.json", "-o", out)
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', out.read_text(), re.S).group(1)
    test.check("<" not in data, "a tag in the data of a page")
    test.check(json.loads(data)["machines"][0]["description"] == model["description"], "the description in a page")


def manifests(test):
    """Every text of a manifest; and one that is wrong takes nothing from the others."""
    [good] = test.synth(SUM, "sum", "simple-cpu", "openmp", "good")
    bad = test.scratch / "bad"
    shutil.copytree(good, bad)
    manifest = json.loads((good / "manifest.json").read_text())

    def texts(node, at=""):
        if isinstance(node, str):
            yield at
        for key, each in (node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else []):
            yield from texts(each, f"{at}/{key}")

    def put(pointer, text):
        changed = copy.deepcopy(manifest)
        *above, last = pointer.split("/")[1:]
        node = changed
        for key in above:
            node = node[int(key) if isinstance(node, list) else key]
        node[int(last) if isinstance(node, list) else last] = text
        (bad / "manifest.json").write_text(json.dumps(changed))

    for pointer in texts(manifest):
        put(pointer, "a\x1b[2J\nverified  good")
        done = test.run("tangram-run", "verify", bad, "--size", "5")
        test.check(done.status == 1 and pointer in done.err + done.out and "\x1b" not in done.err + done.out and
                   "\nverified  good" not in done.out, f"text in {pointer}: {done.status} {done.err}{done.out}")
    for flag in ("-fplugin=/tmp/x.so", "-B/tmp", "@/etc/passwd", "-o/etc/x", "-include/etc/passwd", "-wrapper"):
        put("/compile/openmp/0", flag)
        done = test.run("tangram-run", "verify", bad, "--size", "5")
        test.check(done.status == 1 and "expected a flag that tangram emits" in done.err + done.out,
                   f"flag {flag}: {done.err}{done.out}")
    for name in ("../good/sum.c", "/etc/passwd", "..", "."):
        put("/files/source", name)
        done = test.run("tangram-run", "verify", bad, "--size", "5")
        test.equal(done.status, 1, f"file {name}: {done.err}{done.out}")
    (bad / "manifest.json").write_bytes(json.dumps(manifest).encode().replace(b"simple-cpu", b"\xff\xfe"))
    done = test.run("tangram-run", "verify", bad, good, "--size", "5")
    test.check("verified  " + str(good) in done.out and done.status == 1, f"one manifest is no UTF-8: {done.out}")
    json.loads(test.run("tangram-run", "verify", bad, good, "--size", "5", "--format", "json").out)


def nesting(test):
    head = "#include <tangram.h>\n__codelet int f(const Array<1, int> in) {\n  int x = 1;\n  "
    for name, text in {"operators": "return " + "x + " * 4000 + "x;", "minus": "return " + "- " * 4000 + "x;",
                       "parentheses": "return " + "(" * 4000 + "x" + ")" * 4000 + ";",
                       "conditions": "return " + "x ? 1 : " * 4000 + "x;", "braces": "{" * 4000 + "}" * 4000 + "return x;",
                       "branches": "if (x) " * 4000 + "x = 2; return x;",
                       "loops": "for (int i = 0; i < 2; ++i) " * 400 + "x = 2; return x;",
                       "subscripts": "return " + "in[" * 2000 + "0" + "]" * 2000 + ";"}.items():
        file = test.scratch / f"{name}.cpp"
        file.write_text(head + text + "\n}\n")
        done = test.run("tangram", "check", file, timeout=100)
        test.check(done.status == 1 and f"{file}:" in done.err and "error:" in done.err,
                   f"nested {name}: {done.status} {done.err[-300:]}")
    [bundle] = test.synth(SUM, "sum", "simple-gpu", "opencl", "nested")
    manifest = json.loads((bundle / "manifest.json").read_text())
    text = json.dumps(manifest)[:-1]
    for name, more in {"schedule": ', "schedule": ' + '[{"if": "x", "do": ' * 10000 + "[]" + "}]" * 10000,
                       "arrays": ', "x": ' + "[" * 1000000 + "]" * 1000000}.items():
        (bundle / "manifest.json").write_text(text + more + "}")
        done = test.run("tangram-run", "verify", bundle)
        test.check(done.status == 1 and "nested deeper than" in done.err + done.out, f"nested {name}: {done.err[-300:]}")
    for expression in ("(" * 100000 + "1", "1" + "+1" * 100000, "-" * 100000 + "1"):
        manifest["traffic"]["read"] = expression
        (bundle / "manifest.json").write_text(json.dumps(manifest))
        done = test.run("tangram-run", "verify", bundle)
        test.check(done.status == 1 and "/traffic/read" in done.err + done.out, f"expression: {done.err[-300:]}")
    for sketch in ("select(" * 5000, "(" * 100000, ", " * 5000, "S_P, regroup(" + "a(" * 5000 + ")" * 5000 + ", P)"):
        done = test.run("tangram", "plans", SUM, "--spectrum", "sum", "--hw", "simple-cpu", "--plan", sketch)
        test.check(done.status == 1 and "error:" in done.err, f"a sketch of nested parentheses: {done.status}")


def no_files(test):
    """Devices, pipes and folders in the place of each file."""
    [bundle] = test.synth(SUM, "sum", "simple-cpu", "openmp", "for-inputs")
    pipe = test.scratch / "pipe"
    os.mkfifo(pipe)
    broken = test.scratch / "broken-bundle"
    shutil.copytree(bundle, broken)
    (broken / "manifest.json").unlink()
    os.mkfifo(broken / "manifest.json")
    zero = test.scratch / "zero.npy"
    zero.symlink_to("/dev/zero")
    matrix = test.scratch / "zero.mtx"
    matrix.symlink_to("/dev/zero")
    plans = ["plans", SUM, "--spectrum", "sum", "--hw"]
    for words in (["tangram", "check", "/dev/zero"], ["tangram", "check", test.scratch],
                  ["tangram", *plans, "/dev/zero"], ["tangram", "hw", "validate", "/dev/zero"],
                  ["tangram", "hw", "validate", test.scratch], ["tangram", "hw", "detect", "--measured", "/dev/zero"],
                  ["tangram", *plans, "simple-cpu", "--plan", "/dev/zero"],
                  ["tangram-run", "verify", bundle, "--input", f"in={zero}"],
                  ["tangram-run", "verify", bundle, "--input", f"in={matrix}"],
                  ["tangram-run", "verify", "/dev/zero"], ["tangram-run", "store", "show", "/dev/zero"]):
        done = test.run(*words, timeout=60)
        said = done.err + done.out
        test.check(done.status in (1, 2) and said and len(said) < 1000, f"{words}: {done.status} {said[:300]}")
    # A pipe may be a command's output: it is given ten seconds.
    waiting = [subprocess.Popen([test.commands[words[0]], *map(str, words[1:])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
               for words in (["tangram", "check", pipe], ["tangram-run", "verify", broken],
                             ["tangram", *plans, pipe])]
    for process in waiting:
        out, error = process.communicate(timeout=60)
        test.check(process.returncode == 1 and "pipe" in out + error, f"a pipe: {process.returncode} {out}{error}")


def little_memory(test):
    """Of an address space that does not suffice nobody dies, whatever it is that asks for more."""
    plans = ["tangram", "plans", SUM, "--spectrum", "sum", "--hw", "cpu", "--strategy", "all", "--limit", "3000"]
    verify = ["tangram-run", "verify", test.scratch / "good", "--size", "2^27"]
    for words, sizes in ((plans, (400, 600)), (verify, (60, 150, 700))):
        for megabytes in sizes:
            def limit(bytes=megabytes << 20):
                resource.setrlimit(resource.RLIMIT_AS, (bytes, bytes))
            done = subprocess.run([test.commands[words[0]], *map(str, words[1:])], preexec_fn=limit, timeout=120,
                                  capture_output=True, text=True, check=False)
            test.check(0 <= done.returncode < 126, f"{words[0]} in {megabytes} MiB: {done.returncode} {done.stderr[-300:]}")


def main():
    test = Pipeline(__doc__)
    models(test)
    names_of_sources(test)
    page(test)
    manifests(test)
    nesting(test)
    no_files(test)
    little_memory(test)
    test.finish()


if __name__ == "__main__":
    main()
