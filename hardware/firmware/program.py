"""The board's program: shows what the Pi sends, and reports its buttons and its disc.

The Pi measures the time; the board only counts milliseconds. If the Pi is silent, the board switches everything off, so
that a frozen Pi never shows a wrong time. The board, real or mock, is an argument.
"""

from .protocol import RING, TO_BOARD, VERSION, Listener, Speaker, elapsed

TYPE_CHECKING = False  # MicroPython has no typing; a type checker takes this name for true
if TYPE_CHECKING:
    from typing import Any, Protocol

    from .protocol import Value

    Notes = tuple[tuple[int, int], ...]

    class Disc(Protocol):
        """A disc of `disc.py`."""

        @property
        def sectors(self) -> int: ...
        @property
        def lost(self) -> bool: ...
        def place(self) -> int: ...
        def sector(self) -> int: ...

    class Board(Protocol):
        """The board on which the program runs."""

        @property
        def disc(self) -> Disc | None: ...
        @property
        def lights(self) -> int: ...
        def milliseconds(self) -> int: ...
        def read(self) -> bytes: ...
        def write(self, data: bytes) -> None: ...
        def buttons(self) -> list[bool]: ...
        def show(self, pixels: list[tuple[int, ...]]) -> None: ...
        def light(self, number: int, level: int) -> None: ...
        def tone(self, hertz: int) -> None: ...


FIRMWARE = "1.0"
SILENCE_MS = 2000
QUIET_MS = 30  # contacts bounce for a shorter time
REST_MS = 400  # an arrow that has not moved for this long has stopped
BRIGHTEST = 64  # of 255: 24 white LEDs then draw about 360 mA, which a USB port can give

# Hertz and milliseconds, one after the other; 0 Hz is a pause.
TUNES = {
    "ready": ((880, 80),),
    "start": ((523, 120), (659, 120), (784, 240)),
    "last_five": ((1047, 60),),
    "stop": ((392, 700),),
    "breach": ((220, 180), (0, 80), (220, 180)),
    "your_turn": ((659, 90), (0, 40), (880, 140)),
}


class Button:
    """One button: its first edge counts at once, then it is ignored for `QUIET_MS`."""

    def __init__(self) -> None:
        self._down = False
        self._since = 0
        self._settling = False

    def see(self, down: bool, now: int) -> "str | None":
        """ "press" or "release" if that happened now, else None."""
        if self._settling and elapsed(now, self._since) < QUIET_MS:
            return None
        self._settling = False
        if down == self._down:
            return None
        self._down = down
        self._since = now
        self._settling = True
        return "press" if down else "release"


class Arrow:
    """The arrow of the disc. Each stop is reported, also one at the former place."""

    def __init__(self, disc: "Disc") -> None:
        self._disc = disc
        self._place = disc.place()
        self._since = 0
        self._turning = False

    def see(self, now: int) -> bool:
        """Whether it has stopped now."""
        place = self._disc.place()
        if place != self._place:
            self._place = place
            self._since = now
            self._turning = True
        elif self._turning and elapsed(now, self._since) >= REST_MS:
            self._turning = False
            return True
        return False


class Tune:
    """The sound that is playing."""

    def __init__(self, board: "Board") -> None:
        self._board = board
        self._left: Notes = ()
        self._since = 0

    def play(self, notes: "Notes", now: int) -> None:
        self._left = notes
        self._since = now
        self._board.tone(notes[0][0] if notes else 0)

    def step(self, now: int) -> None:
        if self._left and elapsed(now, self._since) >= self._left[0][1]:
            self.play(self._left[1:], now)


class Program:
    """The whole program; `step` is one short iteration of its loop and never waits."""

    def __init__(self, board: "Board") -> None:
        self._board = board
        self._listener = Listener(TO_BOARD)
        self._speaker = Speaker()
        self._buttons = [Button() for _ in board.buttons()]
        self._arrow = Arrow(board.disc) if board.disc else None
        self._tune = Tune(board)
        self._quiet = False
        self._heard = 0
        self._in_touch = False
        self.go_dark()

    def go_dark(self) -> None:
        """Switch off all lights and sounds."""
        self._board.show([(0, 0, 0)] * RING)
        for number in range(self._board.lights):
            self._board.light(number + 1, 0)
        self._tune.play((), 0)

    def step(self) -> None:
        now = self._board.milliseconds()
        self._listen(now)
        if self._in_touch and elapsed(now, self._heard) >= SILENCE_MS:
            self._in_touch = False
            self.go_dark()
        self._watch_buttons(now)
        self._watch_arrow(now)
        self._tune.step(now)

    def _listen(self, now: int) -> None:
        strangers = self._listener.strangers
        for message in self._listener.feed(self._board.read()):
            # The Pi may not know that this board restarted or was off: after a hello it sends everything again.
            if message.word == "hello" or not self._in_touch:
                self._speaker.sequence = 0
                self._in_touch = True
                self._greet()
            self._heard = now
            self._obey(message.word, message.values, now)
        if self._listener.strangers > strangers:
            sentence = f"this board speaks version {VERSION}, not {self._listener.stranger}"
            self._board.write(self._speaker.line("error", *sentence.split(" ")))

    def _greet(self) -> None:
        sectors = self._board.disc.sectors if self._board.disc else 0
        self._tell("hello", FIRMWARE, RING, len(self._buttons), self._board.lights, sectors)

    def _tell(self, word: str, *values: "Value") -> None:
        # If the Pi does not read, writing into a full USB buffer would block the program for half a second.
        if self._in_touch:
            self._board.write(self._speaker.line(word, *values))

    def _complain(self, sentence: str) -> None:
        self._tell("error", *sentence.split(" "))

    def _obey(self, word: str, values: "tuple[Any, ...]", now: int) -> None:
        if word == "ring":
            lit, colour, level = values
            self._show(colour * lit, level)
        elif word == "pixels":
            self._show(values[1], values[0])
        elif word == "light":
            self._light(values[0], values[1])
        elif word == "sound":
            if not self._quiet:
                self._tune.play(TUNES[values[0]], now)
        elif word == "quiet":
            self._quiet = values[0] == 1
            if self._quiet:
                self._tune.play((), now)
        elif word == "ping":
            self._tell("pong", values[0], now)

    def _show(self, colours: str, level: int) -> None:
        pixels = []
        for place in range(RING):
            colour = colours[6 * place : 6 * place + 6] or "000000"
            pixels.append(tuple([_dimmed(int(colour[i : i + 2], 16), level) for i in (0, 2, 4)]))
        self._board.show(pixels)

    def _light(self, number: int, level: int) -> None:
        if number <= self._board.lights:
            self._board.light(number, level)
        else:
            self._complain(f"this board has {self._board.lights} lights and no light {number}")

    def _watch_buttons(self, now: int) -> None:
        for place, down in enumerate(self._board.buttons()):
            happened = self._buttons[place].see(down, now)
            if happened:
                self._tell(happened, place + 1, now)

    def _watch_arrow(self, now: int) -> None:
        disc = self._board.disc
        if disc is None or self._arrow is None or not self._arrow.see(now):
            return
        if disc.lost:
            self._complain("the disc turned too fast to be counted, set it to its mark and plug the board in again")
        else:
            self._tell("dial", disc.sector(), now)


def _dimmed(value: int, level: int) -> int:
    return value * level * BRIGHTEST // (255 * 255)
