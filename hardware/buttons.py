"""Buttons: debounces contacts and recognizes short, long and double presses.

An edge is a contact that closes or opens. A press is checked a millisecond after its first edge: if the contact is
closed then, it counts; if it bounces open just then, it counts once the contact has stayed closed that long. So a spike
on the wire is no press. A press has the time of its first edge, so the delay makes no player late. After it the contact
is ignored until it has stopped bouncing.

`Debounce` and `Presses` use neither pins nor threads: the caller passes edges and the time, and calls again when due.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from companion.kernel.messages import Signal
from hardware.pins import Factory

CONFIRM: Final = 0.001
"""Seconds after its first edge at which a change must persist."""
QUIET: Final = 0.015
"""Seconds without an edge after which a contact has stopped bouncing."""


class Change(msgspec.Struct, frozen=True):
    """A button went down or up. `at` is the time of the first edge."""

    down: bool
    at: float


class Debounce:
    """Debounces one contact."""

    def __init__(self, down: bool = False, confirm: float = CONFIRM, quiet: float = QUIET) -> None:
        self.down = down
        self._confirm, self._quiet = confirm, quiet
        self._contact = down
        self._last_edge = float("-inf")
        self._began: float | None = None  # when the contact first left its known state
        self._busy = False  # it has just changed and may still bounce
        self._looked = False  # whether it was checked after `confirm`

    def edge(self, down: bool, at: float) -> None:
        """The contact closed or opened."""
        if self._busy and at - self._last_edge >= self._quiet:
            self._busy = False
        self._contact, self._last_edge = down, at
        if down != self.down and self._began is None:
            self._began, self._looked = at, False

    @property
    def due(self) -> float | None:
        """When to call `change` again; None: not before the next edge."""
        if self._began is None:
            return None
        if not self._busy and not self._looked:
            return self._began + self._confirm
        away = self._contact != self.down and not self._busy
        return self._last_edge + (self._confirm if away else self._quiet)

    def change(self, now: float) -> Change | None:
        """The change that is certain now, if any."""
        due = self.due
        if due is None or self._began is None or now < due:
            return None
        if self._contact == self.down:
            # A spike, or bouncing back to the known state: done once it was quiet, otherwise keep watching.
            if now >= self._last_edge + self._quiet:
                self._began, self._busy = None, False
            self._looked = True
            return None
        change = Change(self._contact, self._began)
        self.down, self._began, self._busy = self._contact, None, True
        return change


LONG: Final = 0.8
"""Seconds of holding after which a press is long."""
DOUBLE: Final = 0.35
"""Maximum seconds between the presses of a double press."""


class Presses:
    """Recognizes the presses of one button. Each Signal has the time at which the button went down."""

    def __init__(self, source: str, long: float = LONG, double: float = DOUBLE) -> None:
        self._source = source
        self._long, self._double = long, double
        self._held: float | None = None
        self._before: float | None = None

    def changed(self, change: Change) -> Iterator[Signal]:
        if not change.down:
            self._held = None
            return
        self._held = change.at
        yield Signal("press", self._source, change.at)
        if self._before is not None and change.at - self._before <= self._double:
            yield Signal("double_press", self._source, change.at)
            self._before = None
        else:
            self._before = change.at

    @property
    def due(self) -> float | None:
        return None if self._held is None else self._held + self._long

    def waited(self, now: float) -> Iterator[Signal]:
        if self._held is not None and now >= self._held + self._long:
            yield Signal("long_press", self._source, self._held)
            self._held = None


Put = Callable[[Signal], None]


class Button:
    """A button between a pin and ground."""

    def __init__(self, factory: Factory, pin: int, source: str) -> None:
        from gpiozero import DigitalInputDevice

        self.source = source
        self._device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
        self._debounce = Debounce(down=bool(self._device.value))
        self._presses = Presses(source)

    @property
    def down(self) -> bool:
        return self._debounce.down

    def listen(self, edge: Callable[[Button, bool], None]) -> None:
        self._device.when_activated = lambda: edge(self, True)
        self._device.when_deactivated = lambda: edge(self, False)

    def edge(self, down: bool, at: float) -> None:
        self._debounce.edge(down, at)

    def signals(self, now: float) -> list[Signal]:
        """The Signals that are certain now."""
        signals: list[Signal] = []
        if (change := self._debounce.change(now)) is not None:
            signals += self._presses.changed(change)
        signals += self._presses.waited(now)
        return signals

    @property
    def due(self) -> float | None:
        dues = [due for due in (self._debounce.due, self._presses.due) if due is not None]
        return min(dues, default=None)

    def close(self) -> None:
        self._device.close()


class Buttons:
    """All buttons of a table, watched by one thread."""

    def __init__(self, buttons: Sequence[Button], put: Put, clock: Callable[[], float] = time.monotonic) -> None:
        self._buttons = list(buttons)
        self._put, self._clock = put, clock
        self._something = threading.Condition()
        self._edges: list[tuple[Button, bool, float]] = []
        self._open = True
        for button in self._buttons:
            button.listen(self._edge)
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)
        self._thread.start()

    def _edge(self, button: Button, down: bool) -> None:
        at = self._clock()  # first of all, because this time decides
        with self._something:
            self._edges.append((button, down, at))
            self._something.notify()

    def _run(self) -> None:
        while self._open:
            with self._something:
                if not self._edges and self._open:
                    self._something.wait(self._patience())
                edges, self._edges = self._edges, []
            for button, down, at in edges:
                # Handle what was due before this edge.
                self._tell(button, at)
                button.edge(down, at)
            now = self._clock()
            for button in self._buttons:
                self._tell(button, now)

    def _patience(self) -> float | None:
        dues = [due for button in self._buttons if (due := button.due) is not None]
        return max(0.0, min(dues) - self._clock()) if dues else None

    def _tell(self, button: Button, now: float) -> None:
        for signal in button.signals(now):
            self._put(signal)

    def close(self) -> None:
        self._open = False
        with self._something:
            self._something.notify()
        self._thread.join(1.0)
        for button in self._buttons:
            button.close()


def pressed_at_start(buttons: Sequence[Button]) -> list[str]:
    """Buttons that are down at the start: stuck, or wired the wrong way round."""
    return [button.source for button in buttons if button.down]
