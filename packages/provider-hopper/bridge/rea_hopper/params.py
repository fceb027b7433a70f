"""Reads the parameters of a request strictly: what is not asked for is an error."""

from . import refusals

MAXIMUM_ADDRESS = (1 << 64) - 1
_HEX = frozenset("0123456789abcdefABCDEF")


def parse_address(text):
    """The address that a text such as 0x401000 stands for, or None."""
    if not isinstance(text, str) or text[:2] not in ("0x", "0X") or not 2 < len(text) <= 34:
        return None
    if not all(character in _HEX for character in text[2:]):
        return None
    value = int(text[2:], 16)
    return value if value <= MAXIMUM_ADDRESS else None


class Params:
    def __init__(self, given):
        if not isinstance(given, dict):
            raise refusals.bad_parameter("params", "an object")
        self._left = dict(given)

    def finish(self):
        if self._left:
            raise refusals.bad_parameter("params", "no further parameters")

    def address(self, name):
        value = self.optional_address(name)
        if value is None:
            raise refusals.bad_parameter(name, "an address such as 0x401000")
        return value

    def optional_address(self, name):
        text = self._left.pop(name, None)
        if text is None:
            return None
        value = parse_address(text)
        if value is None:
            raise refusals.bad_parameter(name, "an address such as 0x401000")
        return value

    def text(self, name, maximum):
        value = self.optional_text(name, maximum)
        if value is None:
            raise refusals.bad_parameter(name, "a text")
        return value

    def optional_text(self, name, maximum):
        value = self._left.pop(name, None)
        if value is not None and not (isinstance(value, str) and len(value) <= maximum):
            raise refusals.bad_parameter(name, "a text of at most %d characters" % maximum)
        return value

    def integer(self, name, lowest, highest):
        value = self._left.pop(name, None)
        if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
            raise refusals.bad_parameter(name, "an integer from %d to %d" % (lowest, highest))
        return value

    def flag(self, name):
        value = self._left.pop(name, None)
        if not isinstance(value, bool):
            raise refusals.bad_parameter(name, "true or false")
        return value

    def choice(self, name, choices):
        value = self._left.pop(name, None)
        if value not in choices:
            raise refusals.bad_parameter(name, "one of " + ", ".join(choices))
        return value

    def objects(self, name, maximum):
        """A list of objects, each as parameters of its own."""
        value = self._left.pop(name, None)
        if not isinstance(value, list) or not 1 <= len(value) <= maximum:
            raise refusals.bad_parameter(name, "a list of 1 to %d objects" % maximum)
        return [Params(item) for item in value]

    def group(self, name):
        """An object, as parameters of its own."""
        return Params(self._left.pop(name, None))

    def page(self, maximum):
        return self.integer("offset", 0, (1 << 53) - 1), self.integer("limit", 1, maximum)
