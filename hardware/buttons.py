"""Buttons on pins. Edges are taken down with their time where they happen; one thread turns them into signals."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from companion.kernel.messages import Signal
from hardware.debounce import Debounce
from hardware.pins import Factory
from hardware.presses import Presses

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
        """What is certain by now."""
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
        at = self._clock()  # before anything else: this is the time that counts
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
                # What was due before this edge came is settled first.
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
    """Buttons that are down before anybody touched them: stuck, or wired the wrong way round."""
    return [button.source for button in buttons if button.down]
