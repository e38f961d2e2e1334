"""The text of a lockstep program: the cooperative codelet, and its meaning, an autonomous one.

The meaning is the tree again, mechanically: a loop over all lanes a statement, which reads before it
writes, with what each lane has of its own in arrays. So both agree by construction, whatever the tree
is and whatever is taken out of it.
"""

from dataclasses import replace

from programs.lockstep import LANES
from programs.tree import SPELLING, Words, called_in, desugared, names_in, nodes, text_of


def signature(program, name):
    parameters = f"const Array<1, {SPELLING[program.element]}> in"
    if program.out:
        parameters += f", Array<1, {SPELLING[program.out]}> out"
    result = SPELLING[program.result] if program.result else "void"
    return f"{result} {name}({parameters})"


def assignment(target, op, e, words):
    one = e[0] == "lit" and e[1] == 1 and op in ("+=", "-=")
    if one and op == "+=":
        return f"++{text_of(target, words)}" if target[0] == "name" else f"{text_of(target, words)} += 1"
    return f"{text_of(target, words)} {op} {text_of(e, words)}"


class Writer:
    def __init__(self):
        self.lines, self.depth = [], 1

    def say(self, text):
        self.lines.append("  " * self.depth + text)

    def braces(self, head, inside):
        self.say(head + " {")
        self.depth += 1
        inside()
        self.depth -= 1
        self.say("}")


def cooperative(program, tag="lanes"):
    w, words = Writer(), Words()
    p = program
    w.say(f"require({'(unsigned)' if p.converted else ''}in.size() <= coopDim());")
    for type_, name, size in p.shared:
        extent = {"lanes": "[coopDim()]", None: ""}.get(size, f"[{size}]")
        w.say(f"__shared {SPELLING[type_]} {name}{extent};")
    w.say(f"{SPELLING[p.index]} n = in.size();")
    w.say(f"{SPELLING[p.index]} id = coopIdx();")
    for name, container in p.aliases:
        w.say(f"auto {name} = {container};")

    def block(statements):
        for s in statements:
            statement(s)

    def statement(s):
        if s[0] == "decl":
            w.say(f"{SPELLING[s[1]]} {s[2]} = {text_of(s[3], words)};")
        elif s[0] == "array":
            w.say(f"{SPELLING[s[1]]} {s[2]}[{s[3]}];")
        elif s[0] == "set":
            e = s[3]
            if p.planted and p.base(s[1][1]) == "out":
                e = ("bin", "+", e, ("cond", ("bin", ">", ("id",), ("lit", 2, "i32")), ("lit", 1, "i32"), ("lit", 0, "i32")))
            w.say(assignment(s[1], s[2], e, words) + ";")
        elif s[0] == "atomic":
            before = f"{s[4]} = " if s[4] else ""
            operands = [text_of(e, words) for e in (s[2], *s[5:], s[3])]
            w.say(f"{before}{s[1]}({', '.join(operands)});")
        elif s[0] == "if":
            w.braces(f"if ({text_of(s[1], words)})", lambda: block(s[2][1:]))
            if len(s[3]) > 1:
                w.lines.pop()
                w.braces("} else", lambda: block(s[3][1:]))
        elif s[0] == "for":
            w.braces(f"for ({SPELLING[s[1]]} {s[2]} = {text_of(s[3], words)}; {text_of(s[4], words)}; "
                     f"{assignment(*s[5][1:], words)})", lambda: block(s[6][1:]))
        elif s[0] == "while":
            w.braces(f"while ({text_of(s[1], words)})", lambda: block(s[2][1:]))
        elif s[0] == "switch":
            w.braces(f"switch ({text_of(s[1], words)})", lambda: cases(s[3:]))
        elif s[0] == "block":
            block(s[1:])
        else:
            w.say(s[0] + ";")

    def cases(branches):
        for branch in branches:
            def inside(body=branch[-1] if branch[0] == "case" else branch):
                block(body[1:])
                w.say("break;")
            w.braces(f"case {branch[1]}:" if branch[0] == "case" else "default:", inside)

    block(p.body[1:])
    if p.result:
        w.say(f"return {text_of(p.value, words)};")
    return "\n".join([f"__codelet __coop __tag({tag})", signature(p, p.name) + " {", *w.lines, "}"])


class LaneWords(Words):
    """What a lane has of its own is in arrays with an element, or some, for each lane."""

    def __init__(self, own, arrays):
        super().__init__("l", "n", f"{LANES}u")
        self.own, self.arrays = own, arrays

    def name(self, x):
        return f"{x}[l]" if x in self.own else x

    def element(self, x, index):
        if x not in self.arrays:
            return super().element(x, index)
        return f"{x}[l * {self.arrays[x]} + {text_of(index, self, 9.1)}]"


class Meaning:
    """Writes the autonomous codelet."""

    def __init__(self, program):
        program = replace(program, body=desugared(program.body))
        self.p, self.w, self.types = program, Writer(), program.types()
        self.memory = {"in", "out"} | {name for _, name, _ in program.shared}
        self.scalars = {name for _, name, size in program.shared if size is None}
        self.own, self.arrays = set(), {}
        self.plain = set()  # loops that are the same for all lanes, by identity
        self.masks, self.top = [], []
        self.loops = []  # (first mask of the loop's body) of loops that are simulated
        self.count = 0
        for s in nodes(program.body):
            if s and s[0] in ("decl", "for"):
                self.own.add(s[2])
            elif s and s[0] == "array":
                self.arrays[s[2]] = s[3]
        self.find_plain(program.body[1:], True)
        self.words = LaneWords(self.own, self.arrays)

    # What is the same for all lanes

    def uniform(self, e, outside):
        """`outside`: of all conditions that lanes decide for themselves."""
        for each in nodes(e):
            if not each or each[0] == "id":
                return False
            if each[0] == "name" and each[1] in self.own:
                return False
            if each[0] in ("name", "at") and self.p.base(each[1]) in self.memory and not (
                    outside and self.p.base(each[1]) != "in"):
                return False
            if each[0] == "at" and each[1] in self.arrays:
                return False
        return True

    def find_plain(self, statements, outside):
        for s in statements:
            if s[0] == "for":
                self.own.discard(s[2])
                alike = (self.uniform(s[3], outside) and self.uniform(s[4], outside)
                         and self.uniform(s[5][3], outside) and s[5][1] == ("name", s[2])
                         and not any(each[0] in ("set", "atomic") and (each[1] == ("name", s[2]) or s[2] in each[4:5])
                                     for each in nodes(s[6]) if each)
                         and self.leaves_alike(s[6][1:], outside))
                if alike:
                    self.plain.add(id(s))
                else:
                    self.own.add(s[2])
                self.find_plain(s[6][1:], outside and alike)
            elif s[0] == "while":
                alike = self.uniform(s[1], outside) and self.leaves_alike(s[2][1:], outside)
                if alike:
                    self.plain.add(id(s))
                self.find_plain(s[2][1:], outside and alike)
            elif s[0] == "if":
                alike = self.uniform(s[1], outside)
                if alike:
                    self.plain.add(id(s))
                self.find_plain(s[2][1:], outside and alike)
                self.find_plain(s[3][1:], outside and alike)

    def leaves_alike(self, statements, outside):
        """No lane leaves the loop by itself."""
        for s in statements:
            if s[0] == "if":
                inner = any(not self.leaves_alike(branch[1:], outside) or
                            any(each and each[0] in ("break", "continue") for each in own_leaves(branch))
                            for branch in s[2:])
                if inner and not (self.uniform(s[1], outside) and
                                  all(self.leaves_alike(b[1:], outside) for b in s[2:])):
                    return False
        return True

    # Text

    def lanes(self, inside):
        mask = self.masks[-1] if self.masks else None

        def body():
            if mask:
                self.w.say(f"if ({mask}[l])")
                self.w.depth += 1
            inside()
            if mask:
                self.w.depth -= 1

        self.w.say(f"for ({SPELLING[self.p.index]} l = 0; l < {LANES}; ++l)")
        self.w.depth += 1
        body()
        self.w.depth -= 1

    def text(self, e):
        return text_of(e, self.words)

    def fresh(self, stem, type_):
        self.count += 1
        name = f"{stem}{self.count}"
        self.top.append(f"{SPELLING[type_]} {name}[{LANES}];")
        return name

    def block(self, statements):
        for s in statements:
            getattr(self, "do_" + s[0])(s)

    def do_block(self, s):
        self.block(s[1:])

    def do_decl(self, s):
        self.top.append(f"{SPELLING[s[1]]} {s[2]}[{LANES}];")
        self.lanes(lambda: self.w.say(f"{s[2]}[l] = {self.text(s[3])};"))

    def do_array(self, s):
        self.top.append(f"{SPELLING[s[1]]} {s[2]}[{LANES * s[3]}];")

    def do_set(self, s):
        target, op, e = s[1:]
        name = self.p.base(target[1])
        reads = {self.p.base(each) for each in names_in(e) | (
            names_in(target[2]) if target[0] == "at" else set()) | ({name} if op != "=" else set())}
        place = self.text(target)
        alone = name not in self.memory or name not in reads or (
            target == ("at", target[1], ("id",)) and all(
                each[2] == ("id",) for each in nodes(e)
                if each and each[0] == "at" and self.p.base(each[1]) == name))
        if alone:
            self.lanes(lambda: self.w.say(assignment(target, op, e, self.words) + ";"))
            return
        if op != "=":
            e = ("bin", op[:-1], target, e)
        next_ = self.fresh("next", self.types[target[1]])
        moving = target[0] == "at" and name in {self.p.base(each) for each in names_in(target[2])}
        at = self.fresh("at", "u32") if moving else None
        if at:
            self.lanes(lambda: self.w.say(f"{at}[l] = {self.text(target[2])};"))
            place = f"{target[1]}[{at}[l]]"
        self.lanes(lambda: self.w.say(f"{next_}[l] = {self.text(e)};"))
        self.lanes(lambda: self.w.say(f"{place} = {next_}[l];"))

    def do_atomic(self, s):
        name = self.p.base(s[2][1])
        type_ = self.types[s[2][1]]
        value, place = self.text(s[3]), self.text(s[2])
        if any(self.p.base(each) == name for each in names_in(s[3])):
            operand = self.fresh("operand", type_)
            self.lanes(lambda text=value: self.w.say(f"{operand}[l] = {text};"))
            value = f"{operand}[l]"
        if s[2][0] == "at" and any(self.p.base(each) == name for each in names_in(s[2][2])):
            at = self.fresh("at", "u32")
            self.lanes(lambda: self.w.say(f"{at}[l] = {self.text(s[2][2])};"))
            place = f"{s[2][1]}[{at}[l]]"

        expected = self.text(s[5]) if s[5:] else ""
        if s[5:] and any(self.p.base(each) == name for each in names_in(s[5])):
            wanted = self.fresh("wanted", type_)
            self.lanes(lambda: self.w.say(f"{wanted}[l] = {self.text(s[5])};"))
            expected = f"{wanted}[l]"

        def one():
            self.w.say("{")
            self.w.depth += 1
            self.w.say(f"{SPELLING[type_]} before = {place};")
            self.w.say(f"{SPELLING[type_]} by = {value};")
            self.w.say(f"{place} = " + {
                "atomicAdd": "before + by", "atomicExchange": "by",
                "atomicCAS": f"before == ({SPELLING[type_]})({expected}) ? by : before",
                "atomicMin": "by < before ? by : before",
                "atomicMax": "before < by ? by : before"}[s[1]] + ";")
            if s[4]:
                self.w.say(f"{s[4]}[l] = before;")
            self.w.depth -= 1
            self.w.say("}")
        self.lanes(one)

    def do_if(self, s):
        if id(s) in self.plain:
            self.w.braces(f"if ({self.text(s[1])})", lambda: self.block(s[2][1:]))
            if len(s[3]) > 1:
                self.w.lines.pop()
                self.w.braces("} else", lambda: self.block(s[3][1:]))
            return
        outer = f"{self.masks[-1]}[l] && " if self.masks else ""
        then = self.fresh("taken", "bool")
        other = self.fresh("other", "bool") if len(s[3]) > 1 else None
        all_lanes, self.masks = self.masks, []

        def decide():
            bare = text_of(s[1], self.words, 2 if outer else 0)
            self.w.say(f"{then}[l] = {outer}{bare};")
        self.lanes(decide)
        if other:
            self.lanes(lambda: self.w.say(f"{other}[l] = {outer}!{then}[l];"))
        self.masks = all_lanes
        for mask, branch in ((then, s[2]), (other, s[3])):
            if mask:
                self.masks.append(mask)
                self.block(branch[1:])
                self.masks.pop()

    def do_for(self, s):
        if id(s) in self.plain:
            self.w.braces(f"for ({SPELLING[s[1]]} {s[2]} = {self.text(s[3])}; {self.text(s[4])}; "
                          f"{assignment(*s[5][1:], self.words)})", lambda: self.block_of_plain(s[6]))
            return
        self.do_decl(("decl", s[1], s[2], s[3]))
        self.loop(s[4], s[6], s[5])

    def block_of_plain(self, body):
        self.loops.append(None)
        self.block(body[1:])
        self.loops.pop()

    def do_while(self, s):
        if id(s) in self.plain:
            self.w.braces(f"while ({self.text(s[1])})", lambda: self.block_of_plain(s[2]))
        else:
            self.loop(s[1], s[2], None)

    def loop(self, condition, body, step):
        going = self.fresh("going", "bool")
        active = self.fresh("active", "bool")
        outer = f"{self.masks[-1]}[l]" if self.masks else "true"
        masks, self.masks = self.masks, []
        self.lanes(lambda: self.w.say(f"{going}[l] = {outer};"))

        def inside():
            self.count += 1
            any_ = f"any{self.count}"
            self.w.say(f"bool {any_} = false;")
            self.w.say(f"for ({SPELLING[self.p.index]} l = 0; l < {LANES}; ++l) {{")
            self.w.depth += 1
            self.w.say(f"{going}[l] = {going}[l] && {text_of(condition, self.words, 2)};")
            self.w.say(f"{active}[l] = {going}[l];")
            self.w.say(f"{any_} = {any_} || {going}[l];")
            self.w.depth -= 1
            self.w.say("}")
            self.w.say(f"if (!{any_})")
            self.w.say("  break;")
            self.masks = [active]
            self.loops.append((going, active))
            self.block(body[1:])
            self.loops.pop()
            if step:
                self.masks = [going]
                self.do_set(step)
        self.w.braces("while (true)", inside)
        self.masks = masks

    def leave(self, stays):
        if self.loops[-1] is None:
            return False
        going, active = self.loops[-1]
        inner = self.masks[self.masks.index(active):]

        def clear():
            self.w.say("{")
            self.w.depth += 1
            if not stays:
                self.w.say(f"{going}[l] = false;")
            for mask in inner:
                self.w.say(f"{mask}[l] = false;")
            self.w.depth -= 1
            self.w.say("}")
        self.lanes(clear)
        return True

    def do_break(self, s):
        if not self.leave(False):
            self.w.say("break;")

    def do_continue(self, s):
        if not self.leave(True):
            self.w.say("continue;")

    def write(self):
        p = self.p
        self.block(p.body[1:])
        head = [f"require({'(int)' if p.converted else ''}in.size() <= {LANES});"]
        if p.out:
            head.append("require(out.size() == in.size());")
        head.append(f"{SPELLING[p.index]} n = in.size();")
        for type_, name, size in p.shared:
            extent = {"lanes": f"[{LANES}]", None: ""}.get(size, f"[{size}]")
            head.append(f"{SPELLING[type_]} {name}{extent};")
        for name, container in p.aliases:
            head.append(f"auto {name} = {container};")
        tail = [f"return {self.text(p.value)};"] if p.result else []
        lines = ["  " + line for line in head + self.top] + self.w.lines + ["  " + t for t in tail]
        return "\n".join(["__codelet", signature(p, p.name) + " {", *lines, "}"])


def own_leaves(branch):
    """Statements of it that are not in a loop of their own."""
    for s in branch[1:]:
        yield s
        if s[0] == "if":
            yield from own_leaves(s[2])
            yield from own_leaves(s[3])
        elif s[0] == "block":
            yield from own_leaves(s)


def source(program):
    parts = ["#include <tangram.h>"]
    called = called_in(program.body) | called_in(program.value)
    parts += [helper[2] for helper in program.helpers if helper[0] in called]
    parts += [Meaning(program).write(), cooperative(program)]
    return "\n\n".join(parts) + "\n"
