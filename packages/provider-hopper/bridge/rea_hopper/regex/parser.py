"""Reads a pattern. Refuses what either of the two languages does not have, so that both read the rest alike."""

from . import escapes
from .classes import CharacterSet
from .nodes import EMPTY, Node, either, join
from .syntax_error import PatternError

MAXIMUM_REPEAT = 1000
MAXIMUM_DEPTH = 100
_SYNTAX = "^$\\.*+?()[]{}|"
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME = _NAME_START | frozenset("0123456789")


class Parser:
    def __init__(self, pattern, folded):
        self._text = pattern
        self._at = 0
        self._folded = folded
        self._names = set()

    def read(self):
        node = self._alternatives(0)
        if self._at < len(self._text):
            raise PatternError("unexpected )")
        return node

    def _alternatives(self, depth):
        if depth > MAXIMUM_DEPTH:
            raise PatternError("nested too deeply")
        found = [self._sequence(depth)]
        while self._takes("|"):
            found.append(self._sequence(depth))
        return either(found)

    def _sequence(self, depth):
        found = []
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            atom, repeats = self._atom(depth)
            bounds = self._quantifier()
            if bounds is not None:
                if not repeats:
                    raise PatternError("nothing to repeat")
                atom = Node("repeat", (atom,), low=bounds[0], high=bounds[1])
            found.append(atom)
        return join(found) if found else EMPTY

    def _atom(self, depth):
        """A node, and whether it may be repeated."""
        character = self._next()
        if character == "(":
            return self._group(depth), True
        if character == "[":
            return self._set(), True
        if character == ".":
            return self._of([("\n", "\n")], negated=True, folded=False), True
        if character == "^":
            return Node("start"), False
        if character == "$":
            return Node("end"), False
        if character == "\\":
            return self._escaped()
        if character in _SYNTAX:
            raise PatternError("unexpected " + character)
        return self._of([(character, character)]), True

    def _group(self, depth):
        if self._takes("?"):
            if self._takes("<"):
                self._name()
            elif not self._takes(":"):
                raise PatternError("groups are (…), (?:…) and (?<name>…)")
        node = self._alternatives(depth + 1)
        if not self._takes(")"):
            raise PatternError("missing )")
        return node

    def _name(self):
        name = ""
        while not self._takes(">"):
            character = self._next()
            if character not in (_NAME if name else _NAME_START):
                raise PatternError("group name")
            name += character
        if name == "" or name in self._names:
            raise PatternError("group name")
        self._names.add(name)

    def _escaped(self):
        character = self._next()
        if character == "b":
            return Node("word"), False
        if character == "B":
            return Node("not_word"), False
        members = escapes.class_escape(character, self._next, self._folded)
        if members is not None:
            return Node("set", members=members), True
        one = escapes.character_escape(character, self._next, self._peek, in_set=False)
        return self._of([(one, one)]), True

    def _set(self):
        negated = self._takes("^")
        parts = []
        if self._peek() == "]":
            # One language reads an empty set here, the other a bracket.
            raise PatternError("empty set")
        while not self._takes("]"):
            if self._text.startswith("[:", self._at):
                raise PatternError("named sets")
            first = self._member()
            if self._peek() == "-" and self._text[self._at + 1 : self._at + 2] not in ("]", ""):
                self._next()
                last = self._member()
                if not isinstance(first, str) or not isinstance(last, str) or first > last:
                    raise PatternError("range out of order")
                parts.append((first, last))
            elif isinstance(first, str):
                parts.append((first, first))
            else:
                parts.append(first)
        return self._of(parts, negated)

    def _member(self):
        """A character, or a set that stands inside the set."""
        character = self._next()
        if character != "\\":
            return character
        character = self._next()
        members = escapes.class_escape(character, self._next, self._folded)
        if members is not None:
            return members
        return escapes.character_escape(character, self._next, self._peek, in_set=True)

    def _quantifier(self):
        bounds = None
        character = self._peek()
        if character == "*":
            bounds = (0, None)
        elif character == "+":
            bounds = (1, None)
        elif character == "?":
            bounds = (0, 1)
        elif character == "{":
            self._next()
            return self._counted()
        if bounds is not None:
            self._next()
            # Which of several matches is taken does not matter to whether there is one.
            self._takes("?")
        return bounds

    def _counted(self):
        low = self._number()
        high = low
        if self._takes(","):
            high = None if self._peek() == "}" else self._number()
        if not self._takes("}"):
            raise PatternError("missing }")
        self._takes("?")
        if max(low, high or 0) > MAXIMUM_REPEAT or (high is not None and high < low):
            raise PatternError("repeat count")
        return low, high

    def _number(self):
        digits = ""
        while (self._peek() or "x") in "0123456789" and len(digits) < 5:
            digits += self._next()
        if digits == "":
            raise PatternError("repeat count")
        return int(digits)

    def _of(self, parts, negated=False, folded=None):
        return Node("set", members=CharacterSet(parts, negated, self._folded if folded is None else folded))

    def _peek(self):
        return self._text[self._at] if self._at < len(self._text) else None

    def _next(self):
        character = self._peek()
        if character is None:
            raise PatternError("unexpected end")
        self._at += 1
        return character

    def _takes(self, character):
        if self._peek() != character:
            return False
        self._at += 1
        return True
