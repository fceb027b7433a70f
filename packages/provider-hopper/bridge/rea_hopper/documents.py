"""Which document a request is about."""

from . import refusals, text


class Documents:
    """The documents of the target; others that a user has open are not there for REA."""

    def __init__(self, target):
        self._target = target
        self._selected = None

    def all(self):
        found = self._target.documents()
        if not found:
            raise refusals.remote("document_closed", "the document of the target is not open any more")
        return found

    def names(self):
        return [name_of(each) for each in self.all()]

    def current(self):
        found = self.all()
        return next((each for each in found if name_of(each) == self._selected), found[0])

    def named(self, name):
        """The document a request names, or the current one."""
        if name is None:
            return self.current()
        for each in self.all():
            if name_of(each) == name:
                return each
        raise refusals.invalid("unknown_document", "no document of the target has that name")

    def selected(self):
        """The document that was chosen; None when nothing but the target's own document counts."""
        return self._selected

    def select(self, name):
        self._selected = name_of(self.named(name))
        return self._selected


def name_of(document):
    return text.whole(document.getDocumentName())
