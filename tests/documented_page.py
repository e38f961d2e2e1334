"""A Markdown page as blocks of code and the comments before them, which a reader of the page does not see:

    <!-- file: /tmp/sum.cpp -->                    the next block is that file
    <!-- added to: /tmp/sum.cpp -->                ... stands at the end of that file
    <!-- run: sed -i s/long/int/ /tmp/sum.cpp -->  done before the next block
    <!-- from out/sum/sum.c, "FIRST" to "LAST" --> the next block has these lines of that file: from the one that contains
                                                   FIRST to that before LAST; to the end where LAST is empty
    <!-- not run: the reason -->                   the commands of the next block are left alone

A ```console block has commands, each behind `$ `, and below each what it prints, where the page shows it. A line `...`
stands for any lines. A command whose output is not shown has to end well.
"""

import difflib
import re

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
COMMENT = re.compile(r"<!-- (file|added to|run|from|not run)(?:: | )(.*?) -->", re.S)
EXCERPT = re.compile(r'(\S+), "(.+)" to "(.*)"')
ELLIPSIS = "..."


class Block:
    """Code between fences, and what the comments before it say."""

    def __init__(self, line, language, text, comments):
        self.line, self.language, self.text = line, language, text
        self.hidden, self.written_to, self.appended, self.excerpt, self.not_run = [], None, False, None, None
        for word, rest in comments:
            if word == "run":
                self.hidden.append(rest)
            elif word == "not run":
                self.not_run = rest
            elif word == "from":
                self.excerpt = EXCERPT.fullmatch(rest).groups()
            else:
                self.written_to, self.appended = rest, word == "added to"

    def commands(self):
        """Each command with the lines that are shown below it. A command goes on behind a backslash."""
        found = []
        for line in self.text.splitlines():
            if found and found[-1][0].endswith("\\"):
                found[-1][0] += f"\n{line}"
            elif line.startswith("$ "):
                found.append([line[2:], []])
            else:
                found[-1][1].append(line)
        return found


class Page:
    """Blocks, and the text between them."""

    def __init__(self, text):
        self.blocks, self.between, end = [], [], 0
        for match in FENCE.finditer(text):
            before = text[end:match.start()]
            line = text.count("\n", 0, match.start()) + 1
            self.between.append(before)
            self.blocks.append(Block(line, match[1], match[2], COMMENT.findall(before)))
            end = match.end()
        self.rest = text[end:]

    def whole(self):
        parts = [f"{before}```{block.language}\n{block.text}```" for before, block in zip(self.between, self.blocks)]
        return "".join(parts) + self.rest


def pieces(shown):
    """The lines between the ellipses."""
    found = [[]]
    for line in shown:
        if line.strip() == ELLIPSIS:
            found.append([])
        else:
            found[-1].append(line)
    return found


def nearest(piece, found):
    """Where in `found` as many lines stand that are most like those of the piece."""
    def likeness(at):
        return sum(difflib.SequenceMatcher(None, old, new).ratio() for old, new in zip(piece, found[at:]))
    return max(range(max(1, len(found) - len(piece) + 1)), key=likeness)


def elided(shown, found):
    """What a command prints now, shortened as the page shortens it."""
    first, *others = pieces(shown)
    if not others:
        return found
    lines, at = found[:len(first)], len(first)
    ellipses = [line for line in shown if line.strip() == ELLIPSIS]
    for number, piece in enumerate(others):
        rest = found[at:]
        last = number == len(others) - 1
        start = len(rest) - len(piece) if last and piece else nearest(piece, rest) if piece else 0
        lines += [ellipses[number], *rest[max(start, 0):max(start, 0) + len(piece)]]
        at += max(start, 0) + len(piece)
    return lines
