"""Who refers to what: cross-references, callers and callees."""

from . import answers, code, hopper, text

_CALL_WORDS = ("call", "bl", "blx", "blr", "blraa", "blrab", "callq", "calll")


def xrefs(context):
    place = context.params.address("address")
    offset, limit = context.params.page(500)
    segment = hopper.segment_at(context.document(), place)
    found = [] if segment is None else hopper.addresses(segment.getReferencesOfAddress(place))
    return answers.Answer(answers.page(found, offset, limit, text.hexadecimal))


def procedure_callers(context):
    return _page(context, callers)


def procedure_callees(context):
    return _page(context, callees)


def callers(procedure, context):
    """Entries of the procedures that call this one directly, sorted, each once."""
    return _neighbours(procedure.getAllCallers(), lambda call: call.fromAddress(), context)


def callees(procedure, context):
    return _neighbours(procedure.getAllCallees(), lambda call: call.toAddress(), context)


def procedure_references(context):
    given = context.params
    direction = given.choice("direction", ("incoming", "outgoing"))
    offset, limit = given.page(500)
    maximum = given.integer("max_instructions", 1, 5000)
    procedure = context.procedure()
    found, cut = code.starts(procedure, context.work, maximum)
    references = outgoing(found, context) if direction == "outgoing" else incoming(procedure, found, context)
    how = "Raise max_instructions, or page read_function_instructions."
    omissions = [answers.omission("instructions", "limit_items", None, maximum, how)] if cut else []
    result = {
        "procedure": text.hexadecimal(procedure.getEntryPoint()),
        "direction": direction,
        "references": answers.page(references, offset, limit, item, omissions),
        "instructions_scanned": len(found),
        "instruction_scan_truncated": cut,
    }
    return answers.Answer(result)


def _page(context, entries_of):
    offset, limit = context.params.page(500)
    entries = entries_of(context.procedure(), context)
    return answers.Answer(answers.page(entries, offset, limit, text.hexadecimal))


def _neighbours(calls, place_of, context):
    procedures = context.procedures()
    entries = set()
    for call in context.work.each(calls or [], "engine_calls"):
        place = hopper.address(place_of(call)) if _is_direct(call) else None
        other = None if place is None else procedures.containing(place)
        if other is not None:
            entries.add(other.getEntryPoint())
    return sorted(entries)


def _is_direct(call):
    return call.type() == getattr(call, "CALL_DIRECT", 2)


def outgoing(found, context):
    references = []
    for place, segment, instruction in context.work.each(found, "engine_references", len(found)):
        for to in hopper.addresses(segment.getReferencesFromAddress(place)):
            references.append((place, to, _kind(instruction)))
    return references


def incoming(procedure, found, context):
    """References to the entry from anywhere, and to the other instructions from outside the procedure."""
    document = context.document()
    entry = procedure.getEntryPoint()
    inside = {place for place, _, _ in found}
    references = []
    for place, segment, _ in context.work.each(found, "engine_references", len(found)):
        for origin in hopper.addresses(segment.getReferencesOfAddress(place)):
            if place == entry or origin not in inside:
                at = hopper.segment_at(document, origin)
                instruction = None if at is None else at.getInstructionAtAddress(origin)
                references.append((origin, place, _kind(instruction)))
    return sorted(references, key=lambda each: each[:2])


def _kind(instruction):
    """call and jump where the instruction says so; whether data is read or written Hopper does not tell."""
    if instruction is None:
        return None
    if instruction.isAnInconditionalJump() or instruction.isAConditionalJump():
        return "jump"
    word = text.whole(instruction.getInstructionString()).strip().lower()
    return "call" if word in _CALL_WORDS else None


def item(reference):
    origin, to, kind = reference
    return {"from": text.hexadecimal(origin), "to": text.hexadecimal(to), "kind": kind, "operand_index": None}
