"""Shapes of answers: a result, what it leaves out, and what stood in for parameters that were not given."""


class Answer:
    """What an operation found. `omissions` say what a list leaves out; `resolved` which defaults were taken."""

    def __init__(self, result, omissions=(), limitations=(), resolved=None, confidence="derived"):
        self.result = result
        self.omissions = list(omissions)
        self.limitations = list(limitations)
        self.resolved = dict(resolved or {})
        self.confidence = confidence

    def on_wire(self):
        return {
            "result": self.result,
            "omissions": self.omissions,
            "limitations": self.limitations,
            "resolved": self.resolved,
            "confidence": self.confidence,
        }


def omission(scope, reason, count=None, limit=None, how=None):
    return {"scope": scope, "reason": reason, "count": count, "limit": limit, "how_to_continue": how}


def page(items, offset, limit, show, omissions=()):
    """One page of a whole list; pages put together are the list. `show` makes an item of what the list holds."""
    end = min(len(items), offset + limit)
    shown = [show(item) for item in items[offset:end]]
    more = end < len(items)
    return {
        "items": shown,
        "coverage": {"state": "partial" if omissions else "complete", "omissions": list(omissions)},
        "offset": offset,
        "limit": limit,
        "total": len(items),
        "next_offset": offset + len(shown) if more else None,
        "has_more": more,
    }
