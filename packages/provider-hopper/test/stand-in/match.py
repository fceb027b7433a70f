"""Says for each line of [pattern, folded, text] whether the bridge's expressions find the pattern; null when they refuse it."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bridge"))

from rea_hopper.regex.matcher import Matcher  # noqa: E402
from rea_hopper.regex.syntax_error import PatternError  # noqa: E402

for line in sys.stdin:
    pattern, folded, value = json.loads(line)
    try:
        moves = [0]

        def step():
            moves[0] += 1

        found = Matcher(pattern, folded).found_in(value, step)
    except PatternError:
        found = None
    print(json.dumps([found, moves[0]]))
