"""Takes requests one after the other and answers each; a thread of its own hears when one is given up."""

import hmac
import json
import queue
import threading

from . import refusals
from .connection import ConnectionLost, LineTooLong
from .work import Work

_KEYS = {"id", "token", "method", "params"}
_MAXIMUM_WAITING = 64
_END = object()


class Service:
    """`answer(method, params, work)` returns what goes back as the result."""

    def __init__(self, connection, token, answer):
        self._connection = connection
        self._token = token
        self._answer = answer
        self._waiting = queue.Queue()
        self._lock = threading.Lock()
        self._taken = set()
        self._given_up = set()
        self._ended = threading.Event()

    def run(self):
        """Serves until the connection ends or the other side asks to end."""
        listener = threading.Thread(target=self._listen, name="rea-listen", daemon=True)
        listener.start()
        try:
            while True:
                request = self._waiting.get()
                if request is _END:
                    return
                self._serve(request)
        except ConnectionLost:
            # Nobody is left to tell.
            return
        finally:
            self._ended.set()
            self._connection.close()

    def _listen(self):
        try:
            for line in self._connection.lines():
                if not self._take(line):
                    break
        except (OSError, ConnectionLost):
            pass
        finally:
            self._ended.set()
            self._waiting.put(_END)

    def _take(self, line):
        """False when nothing more is to be heard."""
        request = _read(line)
        if request is None or self._waiting.qsize() >= _MAXIMUM_WAITING:
            return False
        is_known = isinstance(request["token"], str) and hmac.compare_digest(request["token"].encode("utf-8", "replace"), self._token.encode("ascii"))
        if not is_known:
            self._refuse(request["id"], refusals.Refusal("authorization", "wrong_token", "the token is not the one of this session"))
            return False
        if request["method"] == "shutdown":
            return False
        if request["method"] == "cancel":
            with self._lock:
                # One that has been answered meanwhile needs no word.
                self._given_up |= self._taken & {request["id"]}
            return True
        with self._lock:
            self._taken.add(request["id"])
        self._waiting.put(request)
        return True

    def _serve(self, request):
        number = request["id"]
        work = Work(lambda: self._is_over(number), lambda event: self._connection.send({"id": number, "event": event}))
        try:
            work.check()
            result = self._answer(request["method"], request["params"], work)
            self._connection.send({"id": number, "result": result})
        except refusals.Refusal as refusal:
            self._refuse(number, refusal)
        except LineTooLong:
            self._refuse(number, refusals.remote("answer_too_long", "the answer is longer than a line may be"))
        except ConnectionLost:
            raise
        except Exception as error:  # noqa: BLE001 - whatever Hopper raises is one answer, not the end of the bridge
            self._refuse(number, refusals.from_exception(error))
        finally:
            with self._lock:
                self._taken.discard(number)
                self._given_up.discard(number)

    def _refuse(self, number, refusal):
        self._connection.send({"id": number, "error": refusal.on_wire()})

    def _is_over(self, number):
        with self._lock:
            return number in self._given_up or self._ended.is_set()


def _read(line):
    """A request with exactly its keys, or None: the other side speaks another language and is not listened to."""
    try:
        request = json.loads(line.decode("utf-8"))
    except ValueError:
        return None
    if not isinstance(request, dict) or set(request) != _KEYS:
        return None
    number = request["id"]
    if not isinstance(number, int) or isinstance(number, bool) or number < 0 or not isinstance(request["method"], str):
        return None
    return request
