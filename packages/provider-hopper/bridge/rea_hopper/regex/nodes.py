"""What a pattern is made of once it has been read."""


class Node:
    """`kind`: empty, set, start, end, word, not_word, join, either or repeat."""

    def __init__(self, kind, parts=(), members=None, low=0, high=None):
        self.kind = kind
        self.parts = tuple(parts)
        self.members = members
        self.low = low
        self.high = high


EMPTY = Node("empty")


def join(parts):
    return parts[0] if len(parts) == 1 else Node("join", parts)


def either(parts):
    return parts[0] if len(parts) == 1 else Node("either", parts)
