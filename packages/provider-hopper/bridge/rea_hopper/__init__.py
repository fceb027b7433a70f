"""Answers REA's questions about one target from inside Hopper.

Hopper runs a small script that names this package and calls start.start(). Everything here is plain
Python 3.8 with the standard library and Hopper's public scripting interface (Document, Segment, Procedure, ...).
"""

VERSION = 1
