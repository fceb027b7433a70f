"""A client of an X display, by the protocol: shows a cookie, and opens windows that say what they are."""

import os
import socket
import struct

_COOKIE = b"MIT-MAGIC-COOKIE-1"


def _fields(data):
    at = 0
    while at < len(data):
        at += 2
        fields = []
        for _ in range(4):
            size = struct.unpack_from(">H", data, at)[0]
            fields.append(data[at + 2 : at + 2 + size])
            at += 2 + size
        yield fields


def _padded(data):
    return data + bytes(-len(data) % 4)


class Display:
    def __init__(self):
        with open(os.environ["XAUTHORITY"], "rb") as file:
            cookie = next(fields[3] for fields in _fields(file.read()) if fields[2] == _COOKIE)
        number = os.environ["DISPLAY"].lstrip(":").split(".")[0]
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect("/tmp/.X11-unix/X" + number)
        self._socket.sendall(struct.pack("<BxHHHHxx", 0x6C, 11, 0, len(_COOKIE), len(cookie)) + _padded(_COOKIE) + _padded(cookie))
        head = self._read(8)
        self._body = self._read(4 * struct.unpack_from("<H", head, 6)[0])
        if head[0] != 1:
            raise SystemExit("the display did not let us in")
        self._next_id, _ = struct.unpack_from("<II", self._body, 4)
        vendor, = struct.unpack_from("<H", self._body, 16)
        screen = 32 + vendor + (-vendor % 4) + 8 * self._body[21]
        self.root, = struct.unpack_from("<I", self._body, screen)

    def open_window(self, width, height, title, kind=None, pid=None):
        """Shows a window; `kind` is the name of its type."""
        window = self._next_id
        self._next_id += 1
        self._send(1, 24, struct.pack("<IIhhHHHHII", window, self.root, 10, 10, width, height, 0, 1, 0, 0))
        self._property(window, 39, 31, 8, title.encode("utf-8"))
        if kind is not None:
            self._property(window, self._atom("_NET_WM_WINDOW_TYPE"), 4, 32, struct.pack("<I", self._atom(kind)))
        if pid is not None:
            self._property(window, self._atom("_NET_WM_PID"), 6, 32, struct.pack("<I", pid))
        self._send(8, 0, struct.pack("<I", window))
        self._atom("WM_NAME")
        return window

    def _property(self, window, name, kind, form, data):
        units = len(data) // (form // 8)
        self._send(18, 0, struct.pack("<IIIBxxxI", window, name, kind, form, units) + _padded(data))

    def _atom(self, name):
        data = name.encode("ascii")
        self._send(16, 0, struct.pack("<Hxx", len(data)) + _padded(data))
        while True:
            reply = self._read(32)
            if reply[0] == 1:
                return struct.unpack_from("<I", reply, 8)[0]
            if reply[0] == 0:
                raise SystemExit("the display refused a request: %d" % reply[1])

    def _send(self, opcode, detail, body):
        self._socket.sendall(struct.pack("<BBH", opcode, detail, 1 + len(body) // 4) + body)

    def _read(self, size):
        data = b""
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                raise SystemExit("the display is gone")
            data += part
        return data
