"""The sensors of the tumult disc's arrow: a disc of four sectors, or a rotary encoder.

Both have a `place` that changes when the arrow moves, a `sector` from 1 on, clockwise, and `lost`, which is true once
the place is unreliable.
"""

TYPE_CHECKING = False  # MicroPython has no typing; a type checker takes this name for true
if TYPE_CHECKING:
    from collections.abc import Callable

GRAY = (0, 1, 3, 2)  # neighbouring sectors differ in one sensor, so that a border never reads as a third sector

# Steps from the former two bits to the present two; SKIP means that an edge was missed.
SKIP = 2
STEPS = (0, 1, -1, SKIP, -1, 0, SKIP, 1, 1, SKIP, 0, -1, SKIP, -1, 1, 0)


class SectorDisc:
    """Two sensors under a disc of four printed sectors. It can read its place even after a restart."""

    sectors = 4
    lost = False

    def __init__(self, bits: "Callable[[], int]") -> None:
        self._bits = bits

    def place(self) -> int:
        return GRAY.index(self._bits())

    def sector(self) -> int:
        return self.place() + 1


class EncoderDisc:
    """A rotary encoder on the arrow's axle. It counts from the arrow's position when the board is switched on, which
    has to be the line where sector 1 begins."""

    def __init__(self, bits: "Callable[[], int]", steps_a_turn: int, sectors: int = 4) -> None:
        self.sectors = sectors
        self.lost = False
        self._bits = bits
        self._steps_a_turn = steps_a_turn
        self._steps = 0
        self._seen = bits()

    def edge(self, _pin: object = None) -> None:
        """Called at every edge of either sensor, from an interrupt: it may not allocate memory."""
        now = self._bits()
        step = STEPS[self._seen << 2 | now]
        self._seen = now
        if step == SKIP:
            self.lost = True
        else:
            self._steps = self._steps + step

    def place(self) -> int:
        return self._steps

    def sector(self) -> int:
        return (self._steps % self._steps_a_turn) * self.sectors // self._steps_a_turn + 1
