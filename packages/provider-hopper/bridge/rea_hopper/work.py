"""One request's work: it can be given up at any step, tells how far it is, and leaves time to others."""

import time

from . import refusals

STEPS_BETWEEN_PAUSES = 256
SECONDS_BETWEEN_REPORTS = 0.1


class Work:
    """`is_over()` tells whether nobody waits any more; `report(event)` sends a progress event."""

    def __init__(self, is_over, report):
        self._is_over = is_over
        self._report = report
        self._steps = 0
        self._reported_at = time.monotonic()

    def step(self):
        """To be called from every loop: raises when the work was given up, and lets Hopper's own threads run."""
        self._steps += 1
        if self._steps % STEPS_BETWEEN_PAUSES == 0:
            self.check()
            time.sleep(0)

    def check(self):
        if self._is_over():
            raise refusals.cancelled()

    def pause(self, seconds):
        """Waits, but no longer than anybody waits for the answer."""
        until = time.monotonic() + seconds
        while True:
            self.check()
            left = until - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, 0.02))

    def progress(self, phase, completed, total=None):
        now = time.monotonic()
        if now - self._reported_at < SECONDS_BETWEEN_REPORTS:
            return
        self._reported_at = now
        message = "%s: %d" % (phase, completed)
        self._report({"type": "progress", "phase": phase, "completed": completed, "total": total, "message": message})

    def each(self, items, phase, total=None):
        """The items, one step each."""
        for index, item in enumerate(items):
            self.step()
            if index % STEPS_BETWEEN_PAUSES == 0:
                self.progress(phase, index, total)
            yield item
