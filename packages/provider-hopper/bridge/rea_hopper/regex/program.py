"""A pattern as steps of a machine that is in several states at once."""

from .syntax_error import PatternError

MAXIMUM_STEPS = 10000

# What a step does: take a character of its set, go on under a condition, go on at several places, or be done.
TAKE = "take"
WHEN = "when"
FORK = "fork"
DONE = "done"


class Program:
    """Steps of (what, argument, next places); it begins at `start`."""

    def __init__(self, node):
        self.steps = []
        self.start = self._compile(node, self._add(DONE, None, ()))

    def _add(self, what, argument, following):
        if len(self.steps) >= MAXIMUM_STEPS:
            raise PatternError("too large")
        self.steps.append((what, argument, following))
        return len(self.steps) - 1

    def _compile(self, node, following):
        """The place at which the node begins when it goes on at `following`."""
        if node.kind == "empty":
            return following
        if node.kind == "set":
            return self._add(TAKE, node.members, (following,))
        if node.kind == "join":
            for part in reversed(node.parts):
                following = self._compile(part, following)
            return following
        if node.kind == "either":
            return self._add(FORK, None, tuple(self._compile(part, following) for part in node.parts))
        if node.kind == "repeat":
            return self._repeat(node, following)
        return self._add(WHEN, node.kind, (following,))

    def _repeat(self, node, following):
        part = node.parts[0]
        if node.high is None:
            loop = self._add(FORK, None, (following,))
            body = self._compile(part, loop)
            self.steps[loop] = (FORK, None, (body, following))
            place = loop
        else:
            place = following
            for _ in range(node.high - node.low):
                place = self._add(FORK, None, (self._compile(part, place), following))
        for _ in range(node.low):
            place = self._compile(part, place)
        return place
