"""The interface of the dashboard to the companion. The daemon implements it.

Texts for people are in both languages (`Both`). A returned `dict` is sent to the phones as JSON.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

from companion.kernel.catalogue import Both
from companion.kernel.events import EventBus, Snapshot
from companion.kernel.messages import Command

"""A text in German and English: {"de": …, "en": …}."""

Export = Literal["csv", "json", "page"]


class Refused(Exception):
    """The backend refuses a request. `reason` is a word for programs, `says` a sentence for a person.

    `detail` is for programmers, as the ids of broken rules; no page shows it.
    """

    def __init__(self, reason: str, says: Both, detail: str = "") -> None:
        super().__init__(says.get("en", reason))
        self.reason, self.says, self.detail = reason, says, detail


class Demo(Protocol):
    """What phones may do to the simulated table of a demo."""

    def state(self) -> dict[str, Any]: ...

    def act(self, name: str) -> None:
        """Raises `Refused`."""


class Backend(Protocol):
    """The companion's interface for phones. Any thread may call it; only `ask` waits for the table."""

    demo: Demo | None
    """None for a real table."""

    @property
    def bus(self) -> EventBus:
        """The bus of all Updates. Events of a raid have the kind `raid` and the result of `raid` as their body."""

    def snapshot(self) -> Snapshot: ...

    def now(self) -> float:
        """Monotonic seconds: the raid timer's clock."""

    def ask(self, command: Command, timeout: float) -> int:
        """Wait until the table handled the command, and return the number of the last Update. Raises `Refused` with the
        table's own reason, or with the reason `late` after `timeout` seconds."""

    def choices(self, seat: int | None, chosen: list[str]) -> dict[str, Any]:
        """The next choice in the menu of moves, after these options. Without a seat: the moves of all seats."""

    def acts(self) -> dict[str, Any]:
        """The places where the seat in turn can act: {"number", "places": [[zone, cell]]}."""

    def rules(self, seat: int | None) -> dict[str, Any]:
        """All rules of the game with their sections, and the kinds of moves that this seat can make now."""

    def alternatives(self, event: int, chosen: list[str]) -> dict[str, Any]:
        """Like `choices`, for the position before the move in this event of the journal."""

    def history(self, before: int | None, count: int) -> dict[str, Any]: ...

    def picture(self, journal: str, event: int) -> bytes | None:
        """The small JPEG stored with an event of this journal. It must never change, because phones cache it."""

    def scores(self) -> dict[str, Any]: ...

    def export(self, what: Export, language: str) -> tuple[bytes, str, str]:
        """The scores or the game as a file: its bytes, its type, its name."""

    def about(self, seat: int | None, zone: str, spot: str) -> list[dict[str, Any]]:
        """Remarks about a place: a cell of a zone, or a loose piece in it. Each remark `says` a sentence; its `step`
        numbers a sequence of effects, and is 0 otherwise."""

    def layout(self) -> dict[str, Any] | None:
        """The layout for drawing the table; None while no game is open."""

    def setup(self) -> dict[str, Any]:
        """The games that can be begun."""

    def keep_fact(self, game: str, fact: str, value: Any) -> None:
        """Store a fact that people compared with their box. Raises `Refused`."""

    def sketch(self, game: str, sketch: str, value: Any, keep: bool, anyway: bool) -> dict[str, Any]:
        """Check a map or a track that people drew from their box, and store it if `keep` is set: what is missing, and
        whether it was stored. `anyway`: store it even if something is missing. Raises `Refused`."""

    def export_box(self, game: str) -> tuple[bytes, str]:
        """A file to share with all answers about a game's box, and its name. Raises `Refused`."""

    def import_box(self, game: str, file: Any, instead: bool) -> dict[str, Any]:
        """Take over a decoded file of another table, besides our answers or `instead` of them. Raises `Refused`."""

    def health(self) -> list[dict[str, Any]]: ...

    def camera_trouble(self) -> dict[str, Any] | None:
        """Why the camera cannot see the table (`kind`, `since`, `says`); None if it can. Called four times a second."""

    def camera(self) -> dict[str, Any]: ...

    def camera_picture(self, overlay: bool, zone: str | None, cell: str | None) -> bytes | None:
        """A JPEG of the whole table, or of a zone or a cell."""

    def corners(self, points: list[tuple[float, float]]) -> None:
        """Use four tapped corners (fractions of the picture: top left, top right, bottom right, bottom left), or the
        markers again for an empty list. Raises `Refused`."""

    def teach(self, zone: str, cell: str | None, x: float | None, y: float | None, label: str) -> dict[str, Any]:
        """Name a piece that lies on the table. Raises `Refused`."""

    def raid(self) -> dict[str, Any] | None: ...

    def raid_act(self, act: str, seat: int | None) -> None:
        """ready, start, pause, resume, call_off or practice. Raises `Refused`."""
