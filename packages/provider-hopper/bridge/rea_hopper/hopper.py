"""What Hopper's interface answers, in one form: no address is None, and text is text."""

from . import text

# What Hopper answers where there is no address.
_NOWHERE = frozenset([-1, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF])


def address(value):
    if not isinstance(value, int) or isinstance(value, bool) or value < 0 or value in _NOWHERE:
        return None
    return value


def addresses(values):
    """Sorted, each once."""
    found = {address(value) for value in values or []}
    found.discard(None)
    return sorted(found)


def name(value):
    """A name, or None where there is none."""
    return text.whole(value) or None


def read(segment, start, length):
    """Bytes of a segment, at most `length`; what Hopper cannot give ends them."""
    if length <= 0:
        return b""
    data = segment.readBytes(start, length)
    if data is None or data is False:
        return b""
    return data.encode("latin-1", "replace")[:length] if isinstance(data, str) else bytes(data)[:length]


def told(name, arguments, *owners):
    """What the first of the owners that has the method answers; None when no version of Hopper at hand has it."""
    for owner in owners:
        method = getattr(owner, name, None)
        if method is not None:
            return method(*arguments)
    return None


def end_of(segment):
    return segment.getStartingAddress() + segment.getLength()


def segments(document):
    """The segments in the order of their addresses."""
    found = [document.getSegment(index) for index in range(document.getSegmentCount())]
    return sorted((each for each in found if each is not None), key=lambda each: each.getStartingAddress())


def segment_at(document, place):
    """The segment that holds an address, or None."""
    segment = document.getSegmentAtAddress(place)
    if segment is None or not segment.getStartingAddress() <= place < end_of(segment):
        return None
    return segment


def name_at(segment, place):
    return name(segment.getNameAtAddress(place))
