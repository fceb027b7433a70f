"""Behaves as Hopper's command line does: opens a file, analyses it, runs a script, and stays. Settings say how it fails."""

import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

FLAGS = ("--intel-32", "--intel-64", "--armv7", "--aarch64")


def read_arguments(arguments):
    options = {"loaders": [], "analysis": False}
    left = list(arguments)
    while left:
        option = left.pop(0)
        if option == "-l":
            options["loaders"].append(left.pop(0))
        elif option in FLAGS:
            options["loaders"].append(option)
        elif option == "--analysis":
            options["analysis"] = True
        elif option in ("--python", "--executable", "--database"):
            options[option[2:]] = left.pop(0)
        else:
            sys.stderr.write("Unknown option %s\nusage: hopper [options]\n" % option)
            raise SystemExit(1)
    return options


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    options = read_arguments(sys.argv[2:])
    if "log" in settings:
        with open(settings["log"], "a", encoding="utf-8") as file:
            file.write(json.dumps({"arguments": sys.argv[2:], "environment": dict(os.environ), "pid": os.getpid()}) + "\n")
    if "stderr" in settings:
        sys.stderr.write(settings["stderr"])
        sys.stderr.flush()
    if "exit" in settings:
        raise SystemExit(settings["exit"])
    display = open_display(settings)
    if settings.get("silent"):
        idle(display)
    import document
    import elf
    path = options.get("executable") or settings["executable"]
    shown = document.Document(settings.get("document_path", path), settings.get("document_name", os.path.basename(path)), elf.Elf(path), settings)
    document.Document.opened = [shown]
    with open(options["python"], encoding="utf-8") as file:
        script = file.read()
    exec(compile(script, options["python"], "exec"), {"Document": document.Document, "__name__": "__main__"})
    idle(display, settings.get("beat"))


def open_display(settings):
    if sys.platform == "darwin" or "DISPLAY" not in os.environ:
        return None
    import x_client
    display = x_client.Display()
    display.open_window(640, 480, "Hopper stand-in", pid=os.getpid())
    for window in settings.get("windows", []):
        pid = window.get("pid", os.getpid())
        display.open_window(window["width"], window["height"], window["title"], window.get("kind"), pid)
    return display


def idle(display, beat=None):
    """The loop of the user interface; it writes down how often it came round. The display is held open."""
    turns = 0
    while display is not False:
        time.sleep(0.005)
        turns += 1
        if beat is not None and turns % 10 == 0:
            with open(beat, "w", encoding="ascii") as file:
                file.write(str(turns))


main()
