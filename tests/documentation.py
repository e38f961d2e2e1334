"""Sample outputs of the documentation are what the commands print: compares them, or writes them.

    python3 tests/documentation.py --tangram build/tangram --tangram-run build/tangram-run --page docs/tutorial.md [--update]

Runs a page's commands from its top to its end in a scratch folder (documented_commands.py), and reads what the page
says of them (documented_page.py). Where a page shows a time or what else depends on the machine, any other stands for
it (documented_masks.py). `--update` writes the blocks that differ; read the difference before it is committed.
"""

import difflib
import pathlib

from documented_commands import Commands
from documented_masks import differs
from documented_page import Page, elided
from pipeline import Pipeline


def more_arguments(parser):
    parser.add_argument("--page", required=True, type=pathlib.Path, action="append", help="a Markdown file; repeatable")
    parser.add_argument("--update", action="store_true", help="write the page")


class Checked:
    """One page, block by block."""

    def __init__(self, test, path):
        self.test, self.path = test, path
        self.commands = Commands(test)
        self.page = Page(path.read_text())
        self.count = 0

    def block(self, block):
        """The text that the block should have."""
        for hidden in block.hidden:
            self.status(self.commands.run(hidden), hidden, block)
        if block.written_to:
            self.commands.write(block.written_to, block.text, block.appended)
        if block.excerpt:
            return self.excerpt(block)
        if block.language != "console" or block.not_run:
            return block.text
        return "".join(self.command(block, command, shown) for command, shown in block.commands())

    def command(self, block, command, shown):
        self.count += 1
        done = self.commands.run(command)
        if not shown:
            self.status(done, command, block)
            return f"$ {command}\n"
        found = done.out.splitlines()
        if differs(command, shown, found):
            if self.test.arguments.update:
                found = self.commands.run(command, quickly=False).out.splitlines()
            now = elided(shown, found)
            self.differs(block, f"$ {command}", shown, now)
            shown = now
        return "".join(f"{line}\n" for line in [f"$ {command}", *shown])

    def excerpt(self, block):
        path, first, last = block.excerpt
        now = self.commands.excerpt(path, first, last)
        if isinstance(now, str):
            self.test.fail(f"{self.path}:{block.line}: {now}")
            return block.text
        if now != block.text.splitlines():
            self.differs(block, path, block.text.splitlines(), now)
        return "".join(f"{line}\n" for line in now)

    def differs(self, block, name, shown, now):
        if not self.test.arguments.update:
            difference = difflib.unified_diff(shown, now, f"{self.path}:{block.line}", "now", lineterm="")
            self.test.fail(f"{name}\n" + "\n".join(difference))

    def status(self, done, command, block):
        self.test.check(done.status == 0, f"{self.path}:{block.line}: {command}\nended with status {done.status}:\n{done.out}")

    def run(self):
        for block in self.page.blocks:
            block.text = self.block(block)
        if self.test.arguments.update:
            self.path.write_text(self.page.whole())
        print(f"{self.path}: {self.count} commands")


def main():
    test = Pipeline(__doc__, more_arguments, as_shipped=True)
    for path in test.arguments.page:
        Checked(test, path).run()
    test.finish()


if __name__ == "__main__":
    main()
