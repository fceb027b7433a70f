"""Names, comments and bookmarks: reading what a document has, and adding to it. Nothing is saved."""

from . import answers, hopper, memory, navigation, refusals, text

MAXIMUM_NAME = 1024
MAXIMUM_COMMENT = 16384


def address_name(context):
    return _read(context, lambda segment, place: segment.getNameAtAddress(place), text.short)


def comment(context):
    return _read(context, lambda segment, place: segment.getCommentAtAddress(place), text.whole)


def inline_comment(context):
    return _read(context, lambda segment, place: segment.getInlineCommentAtAddress(place), text.whole)


def list_bookmarks(context):
    offset, limit = context.params.page(500)
    document = context.document()
    found = hopper.addresses(document.getBookmarks())

    def show(place):
        name = hopper.name(hopper.told("getBookmarkName", (place,), document))
        return {"address": text.hexadecimal(place), "name": None if name is None else text.short(name)}

    return answers.Answer(answers.page(found, offset, limit, show), confidence="observed")


def set_address_name(context):
    place = context.params.address("address")
    name = context.params.text("name", MAXIMUM_NAME)
    context.params.finish()
    memory.mapped(context, place)
    return answers.Answer(_rename(context, place, name), confidence="observed")


def set_addresses_names(context):
    wanted = []
    for each in context.params.objects("names", 500):
        wanted.append((each.address("address"), each.text("name", MAXIMUM_NAME)))
        each.finish()
    context.params.finish()
    document = context.document()

    def done(pair):
        place, name = pair
        context.work.step()
        if hopper.segment_at(document, place) is None:
            ok, reason = False, "The address lies outside every segment."
        else:
            ok = _rename(context, place, name)
            reason = None if ok else "Hopper did not take the name."
        return {"address": text.hexadecimal(place), "ok": ok, "reason": reason}

    return answers.Answer(answers.page(wanted, 0, len(wanted), done), confidence="observed")


def set_comment(context):
    place = context.params.address("address")
    written = context.params.text("comment", MAXIMUM_COMMENT)
    context.params.finish()
    segment = memory.mapped(context, place)
    segment.setCommentAtAddress(place, written)
    return answers.Answer(text.whole(segment.getCommentAtAddress(place)) == written, confidence="observed")


def set_inline_comment(context):
    place = context.params.address("address")
    written = context.params.text("comment", MAXIMUM_COMMENT)
    context.params.finish()
    segment = memory.mapped(context, place)
    segment.setInlineCommentAtAddress(place, written)
    return answers.Answer(text.whole(segment.getInlineCommentAtAddress(place)) == written, confidence="observed")


def set_bookmark(context):
    place = context.params.address("address")
    name = context.params.optional_text("name", MAXIMUM_NAME)
    context.params.finish()
    memory.mapped(context, place)
    document = context.document()
    if name is None:
        document.setBookmarkAtAddress(place)
    else:
        document.setBookmarkAtAddress(place, name)
    return answers.Answer(bool(document.hasBookmarkAtAddress(place)), confidence="observed")


def unset_bookmark(context):
    """False when there was no bookmark."""
    place = context.params.address("address")
    context.params.finish()
    memory.mapped(context, place)
    document = context.document()
    if not document.hasBookmarkAtAddress(place):
        return answers.Answer(False, confidence="observed")
    document.removeBookmarkAtAddress(place)
    return answers.Answer(not document.hasBookmarkAtAddress(place), confidence="observed")


def _read(context, value_at, show):
    place = navigation.place_or_cursor(context)
    segment = hopper.segment_at(context.document(), place)
    found = None if segment is None else hopper.name(value_at(segment, place))
    resolved = {"address": text.hexadecimal(place)}
    return answers.Answer(None if found is None else show(found), resolved=resolved, confidence="observed")


def _rename(context, place, name):
    """Whether the address has the name afterwards; Hopper may refuse one that is taken."""
    segment = hopper.segment_at(context.document(), place)
    if segment is None:
        raise refusals.invalid("outside_segments", "address")
    segment.setNameAtAddress(place, name)
    context.inventories.forget_names()
    return hopper.name_at(segment, place) == name
