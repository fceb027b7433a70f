"""What objdump recovers of a file, as the analysis of the stand-in: instructions, procedures, blocks and references."""

import re
import subprocess

_FUNCTION = re.compile(r"^([0-9a-f]+) <(.+)>:$")
_LINE = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f ]+)(?:\t(.*))?$")
_NEAR = re.compile(r"^([0-9a-f]+) <")
_NOTED = re.compile(r"# ([0-9a-f]+)(?: <|$)")
_CONDITIONAL = re.compile(r"^j(?!mp)|^b\.|^cbn?z$|^tbn?z$")
_CALLS = ("call", "callq", "bl")
_ENDS = ("jmp", "jmpq", "ret", "retq", "hlt", "ud2", "b")


class Code:
    """One instruction as objdump shows it."""

    def __init__(self, address, data, text):
        self.address = address
        self.data = data
        parts = text.split("#")[0].strip().split(None, 1)
        self.mnemonic = parts[0] if parts else ""
        self.operands = [each.strip() for each in _split(parts[1])] if len(parts) > 1 else []
        near = _NEAR.match(parts[1]) if len(parts) > 1 else None
        noted = _NOTED.search(text)
        self.near = int(near.group(1), 16) if near else None
        self.noted = int(noted.group(1), 16) if noted else None

    @property
    def end(self):
        return self.address + len(self.data)

    def is_call(self):
        return self.mnemonic in _CALLS

    def is_conditional_jump(self):
        return _CONDITIONAL.match(self.mnemonic) is not None

    def is_jump(self):
        return self.mnemonic in ("jmp", "jmpq", "b")

    def ends_block(self):
        return self.mnemonic in _ENDS or self.is_conditional_jump()

    def references(self):
        return [each for each in (self.near, self.noted) if each is not None]


def disassemble(path):
    """Instructions by address, and (entry, name, instructions) of every function."""
    raw = subprocess.run(["objdump", "-d", "-w", path], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8", "replace")
    functions = []
    codes = {}
    for line in raw.splitlines():
        head = _FUNCTION.match(line)
        if head:
            functions.append((int(head.group(1), 16), head.group(2), []))
            continue
        found = _LINE.match(line)
        if found and functions:
            code = Code(int(found.group(1), 16), bytes.fromhex(found.group(2)), found.group(3) or "")
            codes[code.address] = code
            functions[-1][2].append(code)
    return codes, [each for each in functions if each[2]]


def blocks(instructions):
    """(start, end, successors) of the basic blocks of one function."""
    inside = {each.address for each in instructions}
    leaders = {instructions[0].address}
    for code in instructions:
        if code.ends_block():
            leaders.add(code.end)
            if code.near in inside:
                leaders.add(code.near)
    found = []
    start = None
    for index, code in enumerate(instructions):
        start = code.address if start is None else start
        last = index + 1 == len(instructions)
        if not last and instructions[index + 1].address not in leaders:
            continue
        following = []
        if code.ends_block() and code.near in inside:
            following.append(code.near)
        if not code.ends_block() or code.is_conditional_jump():
            following.extend([code.end] if code.end in inside else [])
        found.append((start, code.end, following))
        start = None
    return found


def _split(text):
    """Operands at the commas that stand outside brackets."""
    depth = 0
    parts = [""]
    for character in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
