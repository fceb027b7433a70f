"""Instructions of procedures, as Hopper writes them."""

from . import answers, hopper, refusals, text
from .procedures import blocks_of

MAXIMUM_INSTRUCTIONS = 100000
MAXIMUM_LISTING_BYTES = 1024 * 1024


class Line:
    """One instruction: where it is, how long, and its text."""

    def __init__(self, address, length, data, written):
        self.address = address
        self.length = length
        self.data = data
        self.written = written


def starts(procedure, work, maximum=MAXIMUM_INSTRUCTIONS):
    """Addresses of at most `maximum` instructions in order, each with its segment and instruction, and whether there are more."""
    segment = procedure.getSegment()
    found = []
    for start, end in blocks_of(procedure):
        place = start
        while place < end:
            work.step()
            if len(found) >= maximum:
                return found, True
            instruction = segment.getInstructionAtAddress(place)
            length = 0 if instruction is None else instruction.getInstructionLength()
            found.append((place, segment, instruction))
            # What is no instruction after all is passed over byte by byte.
            place += length if isinstance(length, int) and length > 0 else 1
    return found, False


def line(place, segment, instruction):
    if instruction is None:
        return Line(place, 0, b"", "(undecodable)")
    length = max(0, instruction.getInstructionLength())
    return Line(place, length, hopper.read(segment, place, length), written(instruction))


def written(instruction):
    """Mnemonic and operands in one line."""
    mnemonic = text.whole(instruction.getInstructionString()).strip()
    operands = [text.whole(instruction.getFormattedArgument(index)).strip() for index in range(instruction.getArgumentCount())]
    operands = [operand for operand in operands if operand]
    return text.short(mnemonic + (" " + ", ".join(operands) if operands else ""))


def read_function_instructions(context):
    given = context.params
    offset, limit = given.page(500)
    procedure = context.procedure()
    found, cut = starts(procedure, context.work)
    omissions = [answers.omission("instructions", "limit_items", None, MAXIMUM_INSTRUCTIONS)] if cut else []
    page = answers.page(found, offset, limit, lambda each: _item(line(*each)), omissions)
    result = {
        "procedure": text.hexadecimal(procedure.getEntryPoint()),
        "instructions": page,
        "instructions_scanned": len(page["items"]),
        "instruction_scan_truncated": cut or page["has_more"],
        "limitations": [],
    }
    return answers.Answer(result)


def procedure_assembly(context):
    procedure = context.procedure()
    found, cut = starts(procedure, context.work)
    if cut:
        raise refusals.remote("listing_too_long", str(MAXIMUM_INSTRUCTIONS))
    lines = []
    size = 0
    for place in context.work.each(found, "engine_listing", len(found)):
        lines.append(_listed(place))
        size += len(lines[-1].encode("utf-8")) + 1
        if size > MAXIMUM_LISTING_BYTES:
            raise refusals.remote("listing_too_long", str(len(found)))
    return answers.Answer("\n".join(lines))


def function_listing(context):
    """Some lines of a listing: `first` and how many; and how many lines and characters there are in all."""
    first = context.params.integer("first", 0, (1 << 53) - 1)
    count = context.params.integer("count", 1, 5000)
    found, cut = starts(context.procedure(), context.work)
    lines = []
    characters = 0
    for index, place in enumerate(context.work.each(found, "engine_listing", len(found))):
        listed = _listed(place)
        characters += len(listed) + (1 if index > 0 else 0)
        if first <= index < first + count:
            lines.append(listed)
    return answers.Answer({"lines": lines, "total": len(found), "characters": characters, "complete": not cut})


def _listed(place):
    """`address  instruction`, and an inline comment behind it."""
    shown = line(*place)
    inline = hopper.name(place[1].getInlineCommentAtAddress(place[0]))
    note = "" if inline is None else "  ; " + " ".join(text.short(inline, 60).split())
    return "%s  %s%s" % (text.hexadecimal(shown.address), shown.written, note)


def procedure_pseudo_code(context):
    procedure = context.procedure()
    if procedure.getBasicBlockCount() == 0:
        return answers.Answer(None)
    written_code = procedure.decompile()
    return answers.Answer(text.whole(written_code) or None, confidence="inferred")


def _item(shown):
    return {"address": text.hexadecimal(shown.address), "bytes_hex": shown.data.hex(), "text": shown.written, "length": shown.length}
