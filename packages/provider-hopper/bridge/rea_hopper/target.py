"""Finds the document of the target, refuses any other, and waits until Hopper has analysed it."""

import hashlib
import os

from . import refusals, text

PAUSE = 0.1
# Hopper starts its analysis a moment after it has opened a file: it is over when it has been quiet for so many looks.
QUIET_LOOKS = 5
# Another document may be in front for a while before the one of the target is.
PATIENT_LOOKS = 50
_CHUNK = 1024 * 1024


class Target:
    """`kind` is executable or database, `sha256` what the bytes of `path` must have."""

    def __init__(self, document_class, expected):
        self._documents = document_class
        self._kind = expected["kind"]
        self._path = os.path.realpath(expected["path"])
        self._sha256 = expected["sha256"]

    def documents(self):
        """The open documents of the target, by the order Hopper has them in, the current one first."""
        current = self._documents.getCurrentDocument()
        found = []
        for each in [current] + list(self._documents.getAllDocuments() or []):
            # Hopper may hand out another object for the same document; those of one name cannot be told apart anyway.
            if each is not None and self._is_target(each) and all(each.getDocumentName() != known.getDocumentName() for known in found):
                found.append(each)
        return found

    def wait_for_document(self, work):
        looks = 0
        while True:
            found = self.documents()
            if found:
                return found[0]
            looks += 1
            work.progress("engine_document", looks)
            if looks > PATIENT_LOOKS and self._documents.getCurrentDocument() is not None and self._has_other_file():
                raise refusals.remote("other_document", "the open document is not of the target")
            work.pause(PAUSE)

    def wait_for_analysis(self, document, work):
        looks = quiet = 0
        while quiet < QUIET_LOOKS:
            looks += 1
            work.progress("engine_analysis", looks)
            quiet = 0 if document.backgroundProcessActive() else quiet + 1
            work.pause(PAUSE)

    def check_bytes(self, work):
        """The file Hopper read is the one REA admitted."""
        digest = hashlib.sha256()
        try:
            with open(self._path, "rb") as file:
                while True:
                    work.step()
                    chunk = file.read(_CHUNK)
                    if not chunk:
                        break
                    digest.update(chunk)
        except OSError:
            raise refusals.remote("target_unreadable", "the target cannot be read any more")
        if digest.hexdigest() != self._sha256:
            raise refusals.remote("target_changed", "the bytes of the target are others than before")

    def _is_target(self, document):
        return _real(self._file_of(document)) == self._path

    def _has_other_file(self):
        path = _real(self._file_of(self._documents.getCurrentDocument()))
        return path is not None and path != self._path

    def _file_of(self, document):
        if self._kind == "database":
            return document.getDatabaseFilePath()
        return document.getExecutableFilePath()


def _real(path):
    return os.path.realpath(text.whole(path)) if path else None

