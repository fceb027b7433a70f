"""What Hopper's script calls: connects to REA and serves it from a thread, so that Hopper goes on."""

import threading

from .connection import Connection
from .operations import Operations
from .service import Service


def start(document_class, session):
    """`session`: transport, socket, token, run_id and target, as REA wrote them. Returns the serving thread at once."""
    thread = threading.Thread(target=_serve, args=(document_class, session), name="rea-bridge", daemon=True)
    thread.start()
    return thread


def _serve(document_class, session):
    connection = Connection(session["transport"], session["socket"])
    connection.greet(session["token"])
    operations = Operations(document_class, session["target"], session["run_id"])
    Service(connection, session["token"], operations.answer).run()
