"""A stand-in for Hopper's scripting interface over one file: what the bridge calls, with the answers a document gives."""

import re
import threading
import time

import listing
from parts import Procedure, Section, Segment

_PRINTABLE = re.compile(rb"[\x20-\x7e\t]{4,}\0")


class Document:
    """The interface's class; the documents that are open are set by the launcher."""

    opened = []

    def __init__(self, path, name, elf, settings):
        self._path = path
        self._name = name
        self._elf = elf
        self._settings = settings
        self._lock = threading.Lock()
        self._busy_until = time.monotonic() + settings.get("analysis_ms", 0) / 1000
        self._bookmarks = {}
        self._cursor = elf.entry
        self.codes, self._functions = listing.disassemble(elf.path)
        self._segments = [Segment(self, "LOAD%d" % index, *each) for index, each in enumerate(elf.loads())]
        self._fill()

    @staticmethod
    def getCurrentDocument():
        return Document.opened[0] if Document.opened else None

    @staticmethod
    def getAllDocuments():
        return list(Document.opened)

    def getDocumentName(self):
        return self._name

    def getExecutableFilePath(self):
        return self._path

    def getDatabaseFilePath(self):
        return self._settings.get("database", "")

    def backgroundProcessActive(self):
        return time.monotonic() < self._busy_until

    def getEntryPoint(self):
        return self._elf.entry

    def getSegmentCount(self):
        return len(self._segments)

    def getSegment(self, index):
        return self._segments[index]

    def getSegmentAtAddress(self, address):
        return next((each for each in self._segments if each.containsAddress(address)), None)

    def getCurrentAddress(self):
        return self._cursor

    def moveCursorAtAddress(self, address):
        self._cursor = address
        return True

    def getFileOffsetFromAddress(self, address):
        segment = self.getSegmentAtAddress(address)
        return -1 if segment is None else segment.file_offset_of(address)

    def hasBookmarkAtAddress(self, address):
        return address in self._bookmarks

    def setBookmarkAtAddress(self, address, name=None):
        self._bookmarks[address] = name
        return True

    def removeBookmarkAtAddress(self, address):
        return self._bookmarks.pop(address, None) is not None

    def getBookmarks(self):
        return list(self._bookmarks)

    def getBookmarkName(self, address):
        return self._bookmarks.get(address)

    def function_at(self, address):
        return next((each for each in self.procedures if each.holds(address)), None)

    def _fill(self):
        self.procedures = [Procedure(self, entry, instructions) for entry, _, instructions in self._functions]
        for name, address, size in [each[:3] for each in self._elf.sections() if self.getSegmentAtAddress(each[1]) is not None]:
            self.getSegmentAtAddress(address).sections.append(Section(name, address, size))
        for name, address, _, _ in self._elf.symbols():
            segment = self.getSegmentAtAddress(address)
            if segment is not None:
                segment.names.setdefault(address, name)
        for entry, name, _ in self._functions:
            segment = self.getSegmentAtAddress(entry)
            if not name.startswith("."):
                segment.names.setdefault(entry, name.split("@")[0])
        for text, name in self._settings.get("names", {}).items():
            self.getSegmentAtAddress(int(text, 16)).names[int(text, 16)] = name
        for segment in self._segments:
            segment.strings = [(found.start() + segment.start, found.group()[:-1].decode("ascii")) for found in _PRINTABLE.finditer(segment.data)]
        for index, value in enumerate(self._settings.get("strings", [])):
            self._segments[-1].strings.append((self._segments[-1].start + index, value))
        for index, value in enumerate(self._settings.get("wide_strings", [])):
            self._segments[-1].strings.append((self._segments[-1].start + 64 + index, value))
            self._segments[-1].wide.add(self._segments[-1].start + 64 + index)
        for code in self.codes.values():
            for to in code.references():
                target = self.getSegmentAtAddress(to)
                if target is not None:
                    target.incoming.setdefault(to, []).append(code.address)
