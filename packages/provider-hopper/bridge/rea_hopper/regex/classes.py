"""Sets of characters: ranges, categories, and their complements."""

import unicodedata

from .folding import kin
from .syntax_error import PatternError

_MAJOR = ("C", "L", "M", "N", "P", "S", "Z")
_MINOR = (
    "Cc", "Cf", "Co", "Cs", "Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Nd", "Nl", "No",
    "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs",
)

DIGITS = (("0", "9"),)
WORDS = (("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z"))
SPACES = (("\t", "\n"), ("\f", "\r"), (" ", " "))


def is_word(character):
    """A word character is an ASCII one, as in RE2."""
    return any(first <= character <= last for first, last in WORDS)


class CharacterSet:
    """`parts`: pairs of first and last character, or other sets. Folded, it also holds the case variants of what it holds."""

    def __init__(self, parts, negated=False, folded=False):
        self._parts = tuple(parts)
        self._negated = negated
        self._folded = folded

    def holds(self, character):
        if self._folded:
            found = any(self._lists(variant) for variant in kin(character))
        else:
            found = self._lists(character)
        return found != self._negated

    def _lists(self, character):
        for part in self._parts:
            if isinstance(part, tuple):
                if part[0] <= character <= part[1]:
                    return True
            elif part.holds(character):
                return True
        return False


class Category:
    """Characters of a general category, by its short name."""

    def __init__(self, name, negated):
        if name not in _MAJOR and name not in _MINOR:
            raise PatternError("unknown category")
        self._name = name
        self._negated = negated

    def holds(self, character):
        return unicodedata.category(character).startswith(self._name) != self._negated
