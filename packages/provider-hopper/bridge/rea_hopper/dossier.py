"""What is known of one procedure, but for its text: head, neighbours, references and blocks, each a part of a list."""

from . import answers, code, hopper, procedures, references, text
from .navigation import info_of

COLLECTIONS = (
    "basic_blocks",
    "callees",
    "callers",
    "comments",
    "incoming_references",
    "outgoing_references",
    "referenced_names",
    "referenced_strings",
)
MAXIMUM_OFFSET = (1 << 53) - 1


def function_dossier(context):
    limit = context.params.integer("limit", 1, 500)
    given = context.params.group("offsets")
    offsets = {name: given.integer(name, 0, MAXIMUM_OFFSET) for name in COLLECTIONS}
    given.finish()
    procedure = context.procedure()
    found, cut = code.starts(procedure, context.work)
    made = references.outgoing(found, context)
    targets = sorted({to for _, to, _ in made})
    entries = {place for place, _, _ in found}
    lists = {
        "basic_blocks": (_blocks(procedure, found), lambda block: block),
        "callees": (references.callees(procedure, context), lambda entry: _named(context, entry)),
        "callers": (references.callers(procedure, context), lambda entry: _named(context, entry)),
        "comments": (_comments(found, context), lambda comment: comment),
        "incoming_references": (references.incoming(procedure, found, context), references.item),
        "outgoing_references": (made, references.item),
        "referenced_names": ([to for to in targets if to not in entries and _name(context, to)], lambda to: _named(context, to)),
        "referenced_strings": (_strings(targets, context), lambda each: dict(text.shown(each[1]), address=text.hexadecimal(each[0]))),
    }
    info = info_of(context, procedure)
    head = {"address": info["entrypoint"], "name": info["name"], "signature": info["signature"], "locals": info["locals"], "classification": info["classification"]}
    result = {
        "procedure": head,
        "collections": {name: _part(lists[name][0], offsets[name], limit, lists[name][1]) for name in COLLECTIONS},
        "instruction_scan": {"scanned": len(found), "truncated": cut},
    }
    notes = ["Only the first %d instructions were looked at." % code.MAXIMUM_INSTRUCTIONS] if cut else []
    return answers.Answer(result, limitations=notes)


def _part(items, offset, limit, show):
    shown = [show(item) for item in items[offset : offset + limit]]
    end = offset + len(shown)
    more = end < len(items)
    return {"items": shown, "returned": len(shown), "total": len(items), "truncated": more, "next_offset": end if more else None}


def _blocks(procedure, found):
    """Blocks by address, with where each goes on; what Hopper gives no address for is left out."""
    shown = {}
    for index in range(procedure.getBasicBlockCount()):
        block = procedure.getBasicBlock(index)
        start, end = hopper.address(block.getStartingAddress()), hopper.address(block.getEndingAddress())
        if start is None or end is None or end <= start:
            continue
        following = hopper.addresses(block.getSuccessorAddressAtIndex(at) for at in range(block.getSuccessorCount()))
        shown[start] = {
            "start": text.hexadecimal(start),
            "end": text.hexadecimal(end),
            "instruction_count": 0,
            "successors": [{"address": text.hexadecimal(to), "kind": "fallthrough" if to == end else "jump"} for to in following],
        }
    ranges = procedures.blocks_of(procedure)
    at = 0
    for place, _, _ in found:
        while ranges[at][1] <= place:
            at += 1
        shown[ranges[at][0]]["instruction_count"] += 1
    return [shown[start] for start in sorted(shown)]


def _comments(found, context):
    shown = []
    for place, segment, _ in context.work.each(found, "engine_comments", len(found)):
        for kind, value in (("comment", segment.getCommentAtAddress(place)), ("inline", segment.getInlineCommentAtAddress(place))):
            written = hopper.name(value)
            if written is not None:
                shown.append({"address": text.hexadecimal(place), "kind": kind, "text": written})
    return shown


def _strings(targets, context):
    if not targets:
        return []
    found, _ = context.inventories.strings(context.document(), context.work)
    wanted = set(targets)
    return [(place, value) for place, _, value in found if place in wanted]


def _name(context, place):
    segment = hopper.segment_at(context.document(), place)
    return None if segment is None else hopper.name_at(segment, place)


def _named(context, place):
    name = _name(context, place)
    return {"address": text.hexadecimal(place), "name": None if name is None else text.short(name)}
