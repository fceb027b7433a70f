"""Procedures: finding them, and what Hopper knows of each."""

import re

from . import hopper, refusals, text

MAXIMUM_ITEMS = 1000000
MAXIMUM_NAME = 4096
MAXIMUM_CANDIDATES = 20
# How Hopper calls what has no name of its own.
_GENERATED = re.compile(r"(?:sub|loc|nullsub|j_sub|proc)_[0-9a-fA-F]+\Z")


class Procedures:
    """All procedures of one document in the order of their entries."""

    def __init__(self, document, work):
        self.document = document
        self._work = work

    def all(self):
        """Pairs of entry and procedure, sorted, and whether all are there."""
        found = {}
        complete = True
        for segment in hopper.segments(self.document):
            for index in range(segment.getProcedureCount()):
                self._work.step()
                self._work.progress("engine_procedures", len(found))
                procedure = segment.getProcedureAtIndex(index)
                entry = None if procedure is None else hopper.address(procedure.getEntryPoint())
                if entry is not None:
                    found[entry] = procedure
                if len(found) >= MAXIMUM_ITEMS:
                    complete = False
                    break
        return sorted(found.items()), complete

    def containing(self, place):
        """The procedure whose code holds an address, or None."""
        segment = hopper.segment_at(self.document, place)
        procedure = None if segment is None else segment.getProcedureAtAddress(place)
        if procedure is None:
            return None
        if procedure.getEntryPoint() == place:
            return procedure
        return procedure if any(start <= place < end for start, end in blocks_of(procedure)) else None

    def starting_at(self, place):
        """The procedure whose entry an address is; a refusal names the one that holds it, if any does."""
        procedure = self.containing(place)
        entry = None if procedure is None else procedure.getEntryPoint()
        if entry != place:
            raise refusals.invalid("unknown_procedure", "" if entry is None else text.hexadecimal(entry))
        return procedure

    def name(self, entry):
        segment = hopper.segment_at(self.document, entry)
        stated = None if segment is None else hopper.name_at(segment, entry)
        return stated or "sub_%x" % entry


def named(inventory, given):
    """The one procedure of an inventory with exactly this name, which may be one that was cut for showing."""
    found = [(entry, procedure) for entry, procedure, name in inventory if given in (name, text.short(name))]
    if len(found) > 1:
        raise refusals.invalid("ambiguous_procedure", " ".join(text.hexadecimal(entry) for entry, _ in found[:MAXIMUM_CANDIDATES]))
    if not found:
        raise refusals.invalid("unknown_procedure", "")
    return found[0][1]


def blocks_of(procedure):
    """Half-open address ranges of the basic blocks, sorted."""
    found = []
    for index in range(procedure.getBasicBlockCount()):
        block = procedure.getBasicBlock(index)
        start = hopper.address(block.getStartingAddress())
        end = hopper.address(block.getEndingAddress())
        if start is not None and end is not None and end > start:
            found.append((start, end))
    return sorted(found)


def size_of(procedure):
    return sum(end - start for start, end in blocks_of(procedure))


def is_generated(name):
    return _GENERATED.match(name) is not None


def thunk_target(procedure):
    """Where a procedure that is one jump goes, or None for any other."""
    ranges = blocks_of(procedure)
    if len(ranges) != 1:
        return None
    start, end = ranges[0]
    segment = procedure.getSegment()
    instruction = segment.getInstructionAtAddress(start)
    if instruction is None or not instruction.isAnInconditionalJump() or start + instruction.getInstructionLength() != end:
        return None
    targets = hopper.addresses(segment.getReferencesFromAddress(start))
    return targets[0] if len(targets) == 1 else None


def classification(procedure):
    target = thunk_target(procedure)
    return {
        # Hopper gives procedures without code to what other files define.
        "external": procedure.getBasicBlockCount() == 0,
        "thunk": target is not None,
        "thunk_target": None if target is None else text.hexadecimal(target),
    }

