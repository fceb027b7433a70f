"""Text of the target on its way out: whole characters only, cut to a bound."""

LIST_LIMIT = 1024
SEARCH_LIMIT = 4096


def whole(value):
    """A text without halves of surrogate pairs; pairs that came as two halves are joined."""
    if value is None:
        return ""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    text = value if isinstance(value, str) else str(value)
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def shown(value, limit=LIST_LIMIT):
    """As results show it: the text and whether it was cut. Python counts code points, so no pair is split."""
    text = whole(value)
    return {"value": text[:limit], "value_truncated": len(text) > limit}


def short(value, limit=LIST_LIMIT):
    """Where no flag can say that a text was cut, an ellipsis does."""
    text = whole(value)
    return text if len(text) <= limit else text[:limit] + "\u2026"


def hexadecimal(address):
    return "0x%x" % address
