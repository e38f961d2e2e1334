"""Reads a bundle's manifest, and evaluates the expressions in it."""

import json
import pathlib
import re
from collections.abc import Callable

TOKEN = re.compile(r"\s*(\d+|[A-Za-z_]\w*|&&|\|\||<=|>=|==|!=|[-+*/%<>!?:(),])")
BINARY = [["||"], ["&&"], ["==", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*", "/", "%"]]


OPERATIONS = {
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right,
    "%": lambda left, right: left % right,
}

Meaning = Callable[[dict[str, int]], int]


class Expression:
    """C syntax over unsigned 64-bit integers, as manifests write it."""

    def __init__(self, text: str):
        self.text = text
        self.tokens = TOKEN.findall(text)
        self.next = 0
        if "".join(self.tokens) != re.sub(r"\s", "", text):
            raise ValueError(f"cannot read the expression '{text}'")
        self.meaning = self._choice()
        if self.next != len(self.tokens):
            raise ValueError(f"cannot read '{self.tokens[self.next]}' in '{text}'")

    def value(self, names: dict[str, int]) -> int:
        return self.meaning(names)

    def _take(self, *expected: str) -> str | None:
        token = self.tokens[self.next] if self.next < len(self.tokens) else None
        if token is None or (expected and token not in expected):
            return None
        self.next += 1
        return token

    def _require(self, token: str) -> None:
        if self._take(token) is None:
            raise ValueError(f"expected '{token}' in '{self.text}'")

    def _choice(self) -> Meaning:
        condition = self._binary(0)
        if self._take("?") is None:
            return condition
        first = self._choice()
        self._require(":")
        second = self._choice()
        return lambda names: first(names) if condition(names) else second(names)

    def _binary(self, precedence: int) -> Meaning:
        if precedence == len(BINARY):
            return self._unary()
        left = self._binary(precedence + 1)
        while operator := self._take(*BINARY[precedence]):
            left = self._combine(operator, left, self._binary(precedence + 1))
        return left

    def _combine(self, operator: str, left: Meaning, right: Meaning) -> Meaning:
        if operator == "||":
            return lambda names: int(bool(left(names)) or bool(right(names)))
        if operator == "&&":
            return lambda names: int(bool(left(names)) and bool(right(names)))

        def meaning(names: dict[str, int]) -> int:
            a, b = left(names), right(names)
            if operator in "/%" and b == 0:
                raise ValueError(f"division by zero in '{self.text}'")
            if operator == "-" and b > a:
                raise ValueError(f"a value below zero in '{self.text}'")
            return OPERATIONS[operator](a, b)

        return meaning

    def _unary(self) -> Meaning:
        if self._take("!"):
            operand = self._unary()
            return lambda names: int(not operand(names))
        if self._take("("):
            inner = self._choice()
            self._require(")")
            return inner
        token = self._take()
        if token is None:
            raise ValueError(f"'{self.text}' ends too early")
        if token.isdigit():
            return lambda names: int(token)
        if not (token[0].isalpha() or token[0] == "_"):
            raise ValueError(f"cannot read '{token}' in '{self.text}'")
        if token in ("min", "max") and self._take("("):
            first = self._choice()
            self._require(",")
            second = self._choice()
            self._require(")")
            pick = min if token == "min" else max
            return lambda names: pick(first(names), second(names))
        return lambda names: self._named(token, names)

    def _named(self, token: str, names: dict[str, int]) -> int:
        if token not in names:
            raise ValueError(f"unknown name '{token}' in '{self.text}'")
        return names[token]


class Bundle:
    """A bundle on disk."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.manifest = json.loads((folder / "manifest.json").read_text())

    @property
    def plan(self) -> str:
        return self.manifest["plan"]["id"]

    def tunables(self, kind: str, facts: dict[str, int], chosen: dict[str, int]) -> dict[str, int]:
        """Value of each tunable of `kind` ("launch" or "compile"): the chosen one, or its default."""
        return {
            tunable["name"]: chosen.get(
                tunable["name"], Expression(str(tunable["default"])).value(facts)
            )
            for tunable in self.manifest["tunables"]
            if tunable["kind"] == kind
        }


def bundles_below(folder: pathlib.Path) -> list[Bundle]:
    """The bundle `folder` is, or those directly in it, in order of name."""
    if (folder / "manifest.json").exists():
        return [Bundle(folder)]
    return [Bundle(path.parent) for path in sorted(folder.glob("*/manifest.json"))]


class Taken:
    """What `synth` makes for who says nothing: a bundle, or a library of several, one of which is called."""

    def __init__(self, bundles: list[Bundle], rules: list[dict]):
        self.bundles = bundles
        self.rules = rules  # "when" (none: always) and "version", a plan's id; none of a single bundle

    def at(self, options: list[str]) -> str:
        """Id of the plan that is called at sizes, which are options of tangram-run."""
        return called(self.as_json(), options)

    def as_json(self) -> dict:
        return {"plans": [bundle.plan for bundle in self.bundles], "rules": self.rules}


def called(taken: dict, options: list[str]) -> str:
    """The same of a Taken as it is kept in a file."""
    try:
        sizes = extents(options)
        return next(rule["version"] for rule in taken["rules"]
                    if "when" not in rule or Expression(rule["when"]).value(sizes))
    except (StopIteration, ValueError):
        return taken["plans"][0]


def extents(options: list[str]) -> dict[str, int]:
    """What the options `--size NAME=N,...` and `--size NAME=NxM` say of one call, as manifests name it."""
    found = {}
    words = iter(options)
    for option, value in zip(words, words):
        name, equals, sizes = value.partition("=")
        if option != "--size" or not equals:
            continue
        numbers = [int(base) ** int(exponent or 1) for base, _, exponent in
                   (size.partition("^") for size in sizes.split(",")[0].split("x"))]
        found |= ({f"{name}_size": numbers[0]} if len(numbers) == 1 else
                  {f"{name}_size{i}": size for i, size in enumerate(numbers)})
    return found
