"""Writes the pass of docs/lowering.md ("Adding a pass") into files, as the page has it: what is declared, the pass, its test.

    documented_pass.py docs/lowering.md FOLDER
"""

import pathlib
import re
import sys
import textwrap


def main():
    page, folder = map(pathlib.Path, sys.argv[1:])
    _, _, section = page.read_text().partition("\n### Adding a pass\n")
    section = section.partition("\n## ")[0]
    listings = [textwrap.dedent(text) for text in re.findall(r"^ *```cpp\n(.*?)^ *```$", section, re.S | re.M)]
    if len(listings) != 4:
        sys.exit(f"{page}: 'Adding a pass' has {len(listings)} listings of C++ instead of 4: the pass, its "
                 "declaration, its line in the pipeline, its test")
    implementation, declaration, _, test = listings
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "declared.h").write_text('#pragma once\n\n#include "codegen/passes/kernel/passes.h"\n\n'
                                       f"namespace tangram::codegen {{\n\n{declaration}\n}}\n")
    (folder / "pass.cpp").write_text(implementation)
    (folder / "pass_test.cpp").write_text(test)


main()
