"""Reads 64-bit little-endian ELF files as far as the stand-in needs: what is mapped, sections and symbols."""

import struct


class Elf:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("the stand-in opens 64-bit little-endian ELF files only")
        (self.entry, program_at, section_at) = struct.unpack_from("<QQQ", self.data, 24)
        (program_size, program_count, section_size, section_count, names_index) = struct.unpack_from("<HHHHH", self.data, 54)
        self.programs = [self._program(program_at + index * program_size) for index in range(program_count)]
        self._headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, section_at + index * section_size) for index in range(section_count)]
        self._names = self._bytes_of(self._headers[names_index]) if section_count else b""

    def loads(self):
        """(address, file offset, file size, memory size) of every loaded range."""
        return [(each[3], each[2], each[5], each[6]) for each in self.programs if each[0] == 1]

    def sections(self):
        """(name, address, size, file offset or None) of every section that is mapped."""
        found = []
        for header in self._headers:
            name, kind, flags, address, offset, size = header[:6]
            if flags & 2 and size:
                found.append((_text(self._names, name), address, size, None if kind == 8 else offset))
        return found

    def symbols(self):
        """(name, address, size, kind) of every defined symbol, each address and name once."""
        found = {}
        for header in self._headers:
            if header[1] not in (2, 11):
                continue
            names = self._bytes_of(self._headers[header[6]])
            table = self._bytes_of(header)
            for at in range(0, len(table) - 23, 24):
                name, info, _, section, address, size = struct.unpack_from("<IBBHQQ", table, at)
                text = _text(names, name)
                if text and section not in (0, 0xFFF1) and info & 15 in (0, 1, 2):
                    found.setdefault((address, text), (text, address, size, info & 15))
        return sorted(found.values(), key=lambda each: (each[1], each[0]))

    def _program(self, at):
        return struct.unpack_from("<IIQQQQQQ", self.data, at)

    def _bytes_of(self, header):
        return self.data[header[4] : header[4] + header[5]]


def _text(table, at):
    return table[at : table.index(b"\0", at)].decode("utf-8", "replace")
