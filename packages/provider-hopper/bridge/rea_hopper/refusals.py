"""Errors that a request can end with, in the words of the wire."""

MESSAGE_LIMIT = 512


class Refusal(Exception):
    """An answer that says no. `kind` is remote, authorization, invalid_request, capability_unavailable or bridge_exception."""

    def __init__(self, kind, code, message):
        super().__init__(code)
        self.kind = kind
        self.code = code
        self.message = message

    def on_wire(self):
        return {"code": self.code, "message": self.message[:MESSAGE_LIMIT], "type": self.kind}


def invalid(code, message):
    return Refusal("invalid_request", code, message)


def bad_parameter(name, expected):
    return invalid("invalid_parameter", "%s: expected %s" % (name, expected))


def remote(code, message):
    return Refusal("remote", code, message)


def cancelled():
    return remote("cancelled", "the request was given up")


def from_exception(error):
    """What Hopper or this bridge raised: its class only, as its text may hold anything."""
    return Refusal("bridge_exception", "exception", type(error).__name__)
