"""Everything of one kind in a document: names, strings and procedures, in the order of addresses."""

import time

from . import answers, hopper
from .procedures import MAXIMUM_ITEMS, Procedures

# A person may rename things meanwhile, which no count shows.
_FRESH_SECONDS = 30


class Inventories:
    """What was collected once serves the next pages too, for a while and as long as Hopper counts the same."""

    def __init__(self):
        self._held = {}

    def forget_names(self):
        for key in [key for key in self._held if key[0] != "strings"]:
            del self._held[key]

    def procedures(self, document, work):
        """Triples of entry, procedure and name."""
        def collect():
            procedures = Procedures(document, work)
            found, complete = procedures.all()
            return [(entry, each, procedures.name(entry)) for entry, each in work.each(found, "engine_procedures", len(found))], complete

        return self._kept("procedures", document, lambda segment: segment.getProcedureCount(), collect)

    def names(self, document, work):
        """Triples of address, segment and name."""
        def collect():
            found = {}
            for segment in hopper.segments(document):
                for place in work.each(hopper.addresses(segment.getNamedAddresses()), "engine_names"):
                    name = hopper.name_at(segment, place)
                    if name is not None:
                        found[place] = (segment, name)
                    if len(found) >= MAXIMUM_ITEMS:
                        return _listed(found), False
            return _listed(found), True

        return self._kept("names", document, lambda segment: len(segment.getNamedAddresses() or []), collect)

    def strings(self, document, work):
        """Triples of address, segment and text."""
        def collect():
            found = {}
            for segment in hopper.segments(document):
                for index in work.each(range(segment.getStringCount()), "engine_strings"):
                    place = hopper.address(segment.getStringAddressAtIndex(index))
                    if place is not None:
                        found[place] = (segment, segment.getStringAtIndex(index))
                    if len(found) >= MAXIMUM_ITEMS:
                        return _listed(found), False
            return _listed(found), True

        return self._kept("strings", document, lambda segment: segment.getStringCount(), collect)

    def _kept(self, what, document, count, collect):
        key = (what, document.getDocumentName())
        counted = [count(segment) for segment in hopper.segments(document)]
        held = self._held.get(key)
        if held is None or held[0] != counted or time.monotonic() - held[1] > _FRESH_SECONDS:
            collected = collect()
            held = (counted, time.monotonic(), collected)
            self._held[key] = held
        return held[2]


def _listed(found):
    return [(place,) + found[place] for place in sorted(found)]


def omissions(what, complete):
    return [] if complete else [answers.omission(what, "limit_items", None, MAXIMUM_ITEMS)]
