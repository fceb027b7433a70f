"""Segments, bytes and file offsets."""

from . import answers, hopper, refusals, text


def list_segments(context):
    offset, limit = context.params.page(500)
    found = hopper.segments(context.document())
    return answers.Answer(answers.page(found, offset, limit, _segment), confidence="observed")


def read_bytes(context):
    place = context.params.address("address")
    length = context.params.integer("length", 1, 4096)
    document = context.document()
    data = b""
    while len(data) < length:
        segment = hopper.segment_at(document, place + len(data))
        if segment is None:
            break
        wanted = min(length - len(data), hopper.end_of(segment) - place - len(data))
        part = hopper.read(segment, place + len(data), wanted)
        data += part
        if len(part) < wanted:
            break
    complete = len(data) == length
    result = {
        "address": text.hexadecimal(place),
        "bytes_hex": data.hex(),
        "requested_bytes": length,
        "returned_bytes": len(data),
        "complete": complete,
    }
    missing = [] if complete else ["Only %d of %d bytes are mapped from this address on." % (len(data), length)]
    return answers.Answer(result, limitations=missing, confidence="observed")


def address_to_file_offset(context):
    place = context.params.address("address")
    document = context.document()
    result = {"address": text.hexadecimal(place), "file_offset": None, "reason": None}
    if hopper.segment_at(document, place) is None:
        result["reason"] = "The address lies outside every segment."
    else:
        result["file_offset"] = hopper.address(document.getFileOffsetFromAddress(place))
        if result["file_offset"] is None:
            result["reason"] = "The file does not store this address."
    return answers.Answer(result, confidence="observed")


def mapped(context, place):
    """The segment of an address that something is to be noted at; refuses one outside all."""
    segment = hopper.segment_at(context.document(), place)
    if segment is None:
        raise refusals.invalid("outside_segments", "address")
    return segment


def _segment(segment):
    start = segment.getStartingAddress()
    item = {
        "name": text.short(segment.getName()),
        "start": text.hexadecimal(start),
        "end": text.hexadecimal(hopper.end_of(segment)),
        "readable": None,
        "writable": None,
        "executable": None,
        "permissions": None,
        "sections": [_section(segment.getSection(index)) for index in range(segment.getSectionCount())],
        "provenance": "hopper segment",
    }
    offset = hopper.address(hopper.told("getFileOffset", (), segment))
    if offset is not None:
        item["file_offset"] = offset
    return item


def _section(section):
    start = section.getStartingAddress()
    return {"name": text.short(section.getName()), "start": text.hexadecimal(start), "end": text.hexadecimal(start + section.getLength())}
