"""Searching names and strings by text or by regular expression."""

from . import answers, refusals, text
from .inventories import omissions
from .regex.folding import fold_text
from .regex.matcher import Matcher
from .regex.syntax_error import PatternError

PATTERN_LIMIT = 256


def search_procedures(context):
    document, work = context.document(), context.work
    found, complete = context.inventories.procedures(document, work)
    return _search(context, [(entry, name) for entry, _, name in found], "procedures", complete)


def search_strings(context):
    document, work = context.document(), context.work
    found, complete = context.inventories.strings(document, work)
    return _search(context, [(place, value) for place, _, value in found], "strings", complete)


def _search(context, values, what, complete):
    given = context.params
    matches = _matcher(given, context.work)
    offset, limit = given.page(100)
    hits = []
    cut = 0
    for place, value in context.work.each(values, "engine_search", len(values)):
        whole = text.whole(value)
        if len(whole) > text.SEARCH_LIMIT:
            cut += 1
        if matches(whole[: text.SEARCH_LIMIT]):
            hits.append((place, whole))
    left = omissions(what, complete)
    if cut > 0:
        left.append(answers.omission(what, "limit_entry_bytes", cut, text.SEARCH_LIMIT))

    def show(hit):
        return dict(text.shown(hit[1], text.SEARCH_LIMIT), address=text.hexadecimal(hit[0]))

    notes = [] if cut == 0 else ["Longer values were searched in their first %d characters only." % text.SEARCH_LIMIT]
    return answers.Answer(answers.page(hits, offset, limit, show, left), limitations=notes)


def _matcher(given, work):
    pattern = given.text("pattern", PATTERN_LIMIT)
    mode = given.choice("mode", ("literal", "regex"))
    exact = given.flag("case_sensitive")
    if pattern == "":
        raise refusals.bad_parameter("pattern", "a text that is not empty")
    if mode == "regex":
        try:
            matcher = Matcher(pattern, folded=not exact)
        except PatternError:
            raise refusals.invalid("invalid_pattern", "the pattern is not of the dialect")
        return lambda value: matcher.found_in(value, work.step)
    if exact:
        return lambda value: pattern in value
    folded = fold_text(pattern)
    return lambda value: folded in fold_text(value)
