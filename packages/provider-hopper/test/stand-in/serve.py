"""Runs the bridge over a stand-in document, as Hopper's script would: arguments are a session as JSON and settings as JSON."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "bridge")]

import document  # noqa: E402
import elf  # noqa: E402
import parts  # noqa: E402
from rea_hopper.start import start  # noqa: E402

session, settings = json.loads(sys.argv[1]), json.loads(sys.argv[2])
path = session["target"]["path"]
document.Document.opened = [document.Document(path, "target", elf.Elf(path), settings)]


def broken(*_arguments):
    raise ValueError("words that nobody may see")


def odd(*_arguments):
    return None


for name in settings.get("broken", []):
    owner, method = name.split(".")
    setattr(getattr(parts, owner, None) or document.Document, method, broken)
for name in settings.get("silent_about", []):
    owner, method = name.split(".")
    setattr(getattr(parts, owner, None) or document.Document, method, odd)

for name in settings.get("without", []):
    owner, method = name.split(".")
    delattr(getattr(parts, owner, None) or document.Document, method)

start(document.Document, session).join()
