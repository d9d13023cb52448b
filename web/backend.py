"""What the dashboard needs of the companion behind it: the backend. The daemon implements it; nothing is done here.

Texts for people are in both languages (`Both`). What is called `dict` here goes to the phones as it is, as JSON.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

from companion.kernel.events import EventBus, Snapshot
from companion.kernel.messages import Command

Both = dict[str, str]
"""A text in German and English: {"de": …, "en": …}."""

Export = Literal["csv", "json", "page"]


class Refused(Exception):
    """Something that is not done. `reason` is a word for programs, `says` a sentence for a person."""

    def __init__(self, reason: str, says: Both) -> None:
        super().__init__(says.get("en", reason))
        self.reason, self.says = reason, says


class Demo(Protocol):
    """What a person may do to a table that is only pretended."""

    def state(self) -> dict[str, Any]: ...

    def act(self, name: str) -> None:
        """Raises `Refused`."""


class Backend(Protocol):
    """The companion, as its phones see it. Every call may come from any thread; only `ask` waits for the table."""

    demo: Demo | None
    """None at a real table."""

    @property
    def bus(self) -> EventBus:
        """What happens. Of kind `raid` is what happened to a raid; `body` is what `raid` gives then."""

    def snapshot(self) -> Snapshot: ...

    def now(self) -> float:
        """Monotonic seconds: the raid timer's clock."""

    def ask(self, command: Command, timeout: float) -> int:
        """The number of the last Update after the table took it. Raises `Refused`: with what the table itself says,
        or for the reason `late` when that took more than `timeout` seconds."""

    def choices(self, seat: int | None, chosen: list[str]) -> dict[str, Any]:
        """A move by hand: what is chosen next, after these options. No seat: anybody's moves."""

    def acts(self) -> dict[str, Any]:
        """The places of the table where the seat in turn can act: {"number", "places": [[zone, cell]]}."""

    def alternatives(self, event: int, chosen: list[str]) -> dict[str, Any]:
        """Like `choices`, for the position before the move that was written as this event."""

    def history(self, before: int | None, count: int) -> dict[str, Any]: ...

    def picture(self, journal: str, event: int) -> bytes | None:
        """The small JPEG that proved an event of this journal. Phones keep it: it may never become another one."""

    def scores(self) -> dict[str, Any]: ...

    def export(self, what: Export, language: str) -> tuple[bytes, str, str]:
        """The scores or the game as a file: its bytes, its type, its name."""

    def about(self, seat: int | None, zone: str, spot: str) -> list[dict[str, Any]]:
        """What somebody may want to know about a place: a cell of a zone, or a loose piece in it. Each remark `says` a
        sentence; a `step` counts what happens one after the other, and is 0 elsewhere."""

    def layout(self) -> dict[str, Any] | None:
        """Where everything lies, for drawing; None while no game is open."""

    def setup(self) -> dict[str, Any]:
        """The games that can be begun."""

    def keep_fact(self, game: str, fact: str, value: Any) -> None:
        """Somebody compared a fact with the real box. Raises `Refused`."""

    def sketch(self, game: str, sketch: str, value: Any, keep: bool, anyway: bool) -> dict[str, Any]:
        """A map or a track of the real box, drawn: what it lacks, and whether it was kept. `anyway`: also if it is not
        all that there should be. Raises `Refused`."""

    def export_box(self, game: str) -> tuple[bytes, str]:
        """All that people entered about a game's box, as a file to share, and its name. Raises `Refused`."""

    def import_box(self, game: str, file: Any, instead: bool) -> dict[str, Any]:
        """Such a file of somebody else, decoded: besides what is known here, or instead of it. Raises `Refused`."""

    def health(self) -> list[dict[str, Any]]: ...

    def camera_trouble(self) -> dict[str, Any] | None:
        """Why the camera cannot see the table: its `kind`, `since` when, and what it `says`; None while it can. Asked
        four times a second."""

    def camera(self) -> dict[str, Any]: ...

    def camera_picture(self, overlay: bool, zone: str | None, cell: str | None) -> bytes | None:
        """A JPEG of the whole table, or of a zone or a cell."""

    def corners(self, points: list[tuple[float, float]]) -> None:
        """Four taps, as fractions of the picture: top left, top right, bottom right, bottom left. None of them: back to
        the markers. Raises `Refused`."""

    def teach(self, zone: str, cell: str | None, x: float | None, y: float | None, label: str) -> dict[str, Any]:
        """Name a piece that lies on the table. Raises `Refused`."""

    def raid(self) -> dict[str, Any] | None: ...

    def raid_act(self, act: str, seat: int | None) -> None:
        """ready, start, pause, resume, call_off or practice. Raises `Refused`."""
