"""Documents and the cursor."""

from . import answers, hopper, procedures, refusals, text


def list_documents(context):
    offset, limit = context.params.page(500)
    return answers.Answer(answers.page(context.documents.names(), offset, limit, text.short), confidence="observed")


def current_document(context):
    return answers.Answer(context.document_name(), confidence="observed")


def set_current_document(context):
    name = context.params.text("document", text.LIST_LIMIT)
    context.params.finish()
    selected = context.documents.select(name)
    return answers.Answer(selected, confidence="observed")


def current_address(context):
    return answers.Answer(text.hexadecimal(cursor(context)), confidence="observed")


def current_procedure(context):
    found = context.procedures().containing(cursor(context))
    name = None if found is None else text.short(context.procedures().name(found.getEntryPoint()))
    return answers.Answer(name)


def goto_address(context):
    place = context.params.address("address")
    context.params.finish()
    document = context.document()
    if hopper.segment_at(document, place) is None:
        raise refusals.invalid("outside_segments", "address")
    document.moveCursorAtAddress(place)
    return answers.Answer(text.hexadecimal(cursor(context)), confidence="observed")


def next_address(context):
    place = place_or_cursor(context)
    return answers.Answer(_shown(_after(context.document(), place)), resolved={"address": text.hexadecimal(place)})


def prev_address(context):
    place = place_or_cursor(context)
    return answers.Answer(_shown(_before(context.document(), place)), resolved={"address": text.hexadecimal(place)})


def resolve_containing_procedure(context):
    place = context.params.address("address")
    found = context.procedures().containing(place)
    result = {"found": found is not None, "query_address": text.hexadecimal(place), "procedure": None}
    if found is not None:
        entry = found.getEntryPoint()
        result["procedure"] = {"address": text.hexadecimal(entry), "name": text.short(context.procedures().name(entry))}
    else:
        inside = hopper.segment_at(context.document(), place) is not None
        result["reason"] = "not_in_procedure" if inside else "outside_segments"
    return answers.Answer(result)


def procedure_address(context):
    return answers.Answer(text.hexadecimal(context.procedure().getEntryPoint()))


def procedure_info(context):
    return answers.Answer(info_of(context, context.procedure()))


def info_of(context, procedure):
    entry = procedure.getEntryPoint()
    return {
        "name": text.short(context.procedures().name(entry)),
        "entrypoint": text.hexadecimal(entry),
        "length": procedures.size_of(procedure),
        "basicblock_count": procedure.getBasicBlockCount(),
        "signature": _cut(hopper.told("signatureString", (), procedure)),
        "locals": [_local(each) for each in hopper.told("getLocalVariableList", (), procedure) or []],
        "classification": dict(procedures.classification(procedure), provenance="hopper analysis"),
    }


def cursor(context):
    place = hopper.address(context.document().getCurrentAddress())
    if place is None:
        raise refusals.remote("no_cursor", "the document has no cursor")
    return place


def place_or_cursor(context):
    place = context.params.optional_address("address")
    return cursor(context) if place is None else place


def _after(document, place):
    """Start of the next item that Hopper has analysed, in this segment or the next one."""
    segment = hopper.segment_at(document, place)
    if segment is not None:
        start = _start(document, segment, place)
        length = hopper.told("getObjectLength", (start,), segment, document)
        after = start + (length if isinstance(length, int) and length > 0 else 1)
        if after < hopper.end_of(segment):
            return after
    later = [each.getStartingAddress() for each in hopper.segments(document) if each.getStartingAddress() > place and each.getLength() > 0]
    return min(later) if later else None


def _before(document, place):
    segment = hopper.segment_at(document, place)
    if segment is not None and place > segment.getStartingAddress():
        here = _start(document, segment, place)
        # From inside an item its own start comes before.
        return here if here < place else _start(document, segment, place - 1)
    earlier = [each for each in hopper.segments(document) if hopper.end_of(each) <= place and each.getLength() > 0]
    return _start(document, earlier[-1], hopper.end_of(earlier[-1]) - 1) if earlier else None


def _start(document, segment, place):
    start = hopper.address(hopper.told("getInstructionStart", (place,), segment, document))
    return place if start is None else start


def _shown(place):
    return None if place is None else text.hexadecimal(place)


def _cut(value):
    written = text.whole(value)
    return text.short(written) if written else None


def _local(variable):
    described = "%s at %d" % (text.short(variable.name()), variable.displacement())
    return {"description": described, "provenance": "hopper analysis"}
