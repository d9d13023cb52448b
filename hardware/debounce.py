"""Debouncing: from the edges of a contact that bounces to a button that is down or up.

A press counts when the contact is closed a millisecond after its first edge, or, if it happened to be open then, as
soon as it stays closed for as long; so a spike on the wire is none. It bears the time of that first edge, so nobody is
later for it. Then the contact may bounce until it has been quiet for a while.

Nothing here knows pins or threads: edges come in, and whoever drives this asks again when something is due.
"""

from __future__ import annotations

from typing import Final

import msgspec

CONFIRM: Final = 0.001
"""Seconds after its first edge at which a change must still be there."""
QUIET: Final = 0.015
"""Seconds without an edge after which a contact has done bouncing."""


class Change(msgspec.Struct, frozen=True):
    """A button went down or up, at the time of the first edge."""

    down: bool
    at: float


class Debounce:
    """One contact."""

    def __init__(self, down: bool = False, confirm: float = CONFIRM, quiet: float = QUIET) -> None:
        self.down = down
        self._confirm, self._quiet = confirm, quiet
        self._contact = down
        self._last_edge = float("-inf")
        self._began: float | None = None  # when the contact first left the state that is known
        self._busy = False  # it has just changed and may bounce
        self._looked = False  # a millisecond after it began

    def edge(self, down: bool, at: float) -> None:
        """The contact closed or opened."""
        if self._busy and at - self._last_edge >= self._quiet:
            self._busy = False
        self._contact, self._last_edge = down, at
        if down != self.down and self._began is None:
            self._began, self._looked = at, False

    @property
    def due(self) -> float | None:
        """When to ask `change` again, if no edge comes before; None: no sooner than after an edge."""
        if self._began is None:
            return None
        if not self._busy and not self._looked:
            return self._began + self._confirm
        away = self._contact != self.down and not self._busy
        return self._last_edge + (self._confirm if away else self._quiet)

    def change(self, now: float) -> Change | None:
        """The change that is certain by now, if there is one."""
        due = self.due
        if due is None or self._began is None or now < due:
            return None
        if self._contact == self.down:
            # A spike, or bouncing about the state that is known: over if it has been quiet, else watched on.
            if now >= self._last_edge + self._quiet:
                self._began, self._busy = None, False
            self._looked = True
            return None
        change = Change(self._contact, self._began)
        self.down, self._began, self._busy = self._contact, None, True
        return change
