"""The lists of procedures, names and strings."""

from . import answers, hopper, procedures, text
from .inventories import omissions

SEARCHED = "Strings are those that Hopper's analysis found; it marks single-byte and UTF-16 text."


def list_procedures(context):
    offset, limit = context.params.page(500)
    document = context.document()
    found, complete = context.inventories.procedures(document, context.work)
    entry_point = hopper.address(document.getEntryPoint())

    def show(each):
        entry, procedure, name = each
        context.work.step()
        described = {
            "size": procedures.size_of(procedure),
            # Hopper does not tell how it came to a procedure; the entry point of the file is a fact of the file.
            "sources": ["entry"] if entry == entry_point else [],
            "name_source": "generated" if procedures.is_generated(name) else "symbol",
        }
        described.update(procedures.classification(procedure))
        return dict(text.shown(name), address=text.hexadecimal(entry), procedure=described)

    return answers.Answer(answers.page(found, offset, limit, show, omissions("procedures", complete)))


def list_names(context):
    offset, limit = context.params.page(500)
    document = context.document()
    found, complete = context.inventories.names(document, context.work)
    found = _at(context, found)

    def show(each):
        place, segment, name = each
        procedure = segment.getProcedureAtAddress(place)
        is_entry = procedure is not None and procedure.getEntryPoint() == place
        symbol = {"kind": "function" if is_entry else None, "binding": None, "source": "hopper", "library": None}
        return dict(text.shown(name), address=text.hexadecimal(place), symbol=symbol)

    return answers.Answer(answers.page(found, offset, limit, show, omissions("names", complete)))


def list_strings(context):
    offset, limit = context.params.page(500)
    found, complete = context.inventories.strings(context.document(), context.work)
    found = _at(context, found)
    page = answers.page(found, offset, limit, _string, omissions("strings", complete))
    return answers.Answer(page, limitations=[SEARCHED])


def _at(context, found):
    place = context.params.optional_address("address")
    return found if place is None else [each for each in found if each[0] == place]


def _string(each):
    place, segment, value = each
    written = text.whole(value)
    encoding = _encoding(segment, place, written)
    width = 2 if encoding == "utf-16le" else 1
    length = len(written.encode("utf-16-le" if width == 2 else "utf-8", "replace"))
    end = hopper.read(segment, place + length, min(width, max(0, hopper.end_of(segment) - place - length)))
    described = {"encoding": encoding, "byte_length": length, "terminated": len(end) == width and not any(end)}
    return dict(text.shown(value), address=text.hexadecimal(place), string=described)


def _encoding(segment, place, written):
    """By the type Hopper gave the bytes; without one, by the bytes themselves."""
    wide = getattr(segment, "TYPE_UNICODE", None)
    if wide is not None:
        is_wide = segment.getTypeAtAddress(place) == wide
    else:
        data = written[:8].encode("utf-16-le", "replace")
        is_wide = len(written) > 1 and hopper.read(segment, place, len(data)) == data
    if is_wide:
        return "utf-16le"
    return "ascii" if written.isascii() else "utf-8"
