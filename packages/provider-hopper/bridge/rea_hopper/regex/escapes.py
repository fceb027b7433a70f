"""What a backslash begins."""

from .classes import DIGITS, SPACES, WORDS, Category, CharacterSet
from .syntax_error import PatternError

_NAMED = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_LITERAL = frozenset("^$\\.*+?()[]{}|/")
_HEX = frozenset("0123456789abcdefABCDEF")


def class_escape(character, following, folded):
    """The set that the escape stands for, or None when it stands for one character."""
    ranges = {"d": DIGITS, "w": WORDS, "s": SPACES}.get(character.lower())
    if ranges is not None:
        # \w holds no further letters, even where case does not count.
        return CharacterSet(ranges, negated=character.isupper())
    if character not in "pP":
        return None
    if following() != "{":
        raise PatternError("category")
    name = ""
    while True:
        letter = following()
        if letter == "}":
            break
        name += letter
        if len(name) > 2:
            raise PatternError("category")
    category = Category(name, negated=False)
    return CharacterSet([category], negated=character == "P", folded=folded)


def character_escape(character, following, peek, in_set):
    """The one character that an escape stands for."""
    if character in _NAMED:
        return _NAMED[character]
    if character in _LITERAL or (in_set and character == "-"):
        return character
    if character == "x":
        digits = following() + following()
        if not all(digit in _HEX for digit in digits):
            raise PatternError("two hexadecimal digits")
        return chr(int(digits, 16))
    if character == "0" and (peek() or "x") not in "0123456789":
        return "\0"
    raise PatternError("escape")
