"""The one connection to REA: lines of JSON over a socket in a directory that only its owner can enter."""

import json
import socket
import threading

MAXIMUM_REQUEST_BYTES = 2 * 1024 * 1024
MAXIMUM_LINE_BYTES = 10 * 1024 * 1024
CHUNK = 64 * 1024


class LineTooLong(Exception):
    pass


class ConnectionLost(Exception):
    pass


class Connection:
    """`transport` is unix, or tcp with a file that names a port of this host."""

    def __init__(self, transport, path):
        if transport == "unix":
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.connect(path)
        else:
            with open(path, encoding="utf-8") as file:
                place = json.load(file)
            self._socket = socket.create_connection((place["host"], place["port"]))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sending = threading.Lock()

    def greet(self, token):
        self.send({"hello": 1, "token": token})

    def send(self, value):
        """Sends one line. Raises LineTooLong before anything is sent, and ConnectionLost."""
        line = json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
        if len(line) > MAXIMUM_LINE_BYTES:
            raise LineTooLong()
        try:
            with self._sending:
                self._socket.sendall(line)
        except OSError:
            raise ConnectionLost()

    def lines(self):
        """Every line that comes, without its line feed, until the other side is gone."""
        held = bytearray()
        while True:
            chunk = self._socket.recv(CHUNK)
            if not chunk:
                return
            searched = len(held)
            held += chunk
            while True:
                at = held.find(b"\n", searched)
                if at < 0:
                    break
                line = bytes(held[:at])
                del held[: at + 1]
                searched = 0
                yield line
            if len(held) > MAXIMUM_REQUEST_BYTES:
                return

    def close(self):
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
