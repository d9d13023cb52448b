"""The panels in which a phone shows a table, as each game declares them in its `panels.toml`.

In names of zones `{me}` stands for the colour of the phone's own seat, `{other}` for each other colour and `*` for
anything. The phone replaces them, because only the phone knows its seat.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from companion.kernel.catalogue import Text

Draw = Literal[
    "grid",
    "side",
    "graph",
    "columns",
    "row",
    "chips",
    "cards",
    "strip",
    "wheel",
    "ring",
    "tiles",
    "dice",
    "nodes",
    "piles",
]
As = Literal["", "tiles", "cards", "balcony", "chips", "dial", "strip", "sums", "filled", "number"]
FILE: Final = "panels.toml"


class PanelsError(Exception):
    """An invalid declaration of panels; the message names the file."""


class Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"as_": "as"}, omit_defaults=True):
    """A zone in a part: its name there, and how it is drawn if its kind does not decide that."""

    zone: str
    title: Text | None = None
    as_: As = ""
    cells: tuple[str, ...] = ()
    """Only these cells of it."""
    label: str = ""
    """Only this marker of a track."""
    sign: str = ""
    """The word whose sign is drawn before a number."""


class Fold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells that are shown as one if a whole block of them has the same label."""

    label: str
    block: tuple[int, int]
    title: Text


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    draw: Draw
    zones: tuple[str | Shown, ...] = ()
    title: Text | None = None
    hint: Text | None = None
    """A few words at the right of the title."""
    fold: Fold | tuple[str, ...] = ()
    """A block of cells, or labels that are only counted."""
    turn: Literal["", "auto"] = ""
    nodes: str = ""
    unnamed: str = ""
    """The nodes on roads, shown without a name."""
    beside: tuple[str, ...] = ()
    """Zones with a cell for each node, or several that begin with its name."""
    columns: tuple[tuple[str, ...], ...] = ()
    groups: dict[str, tuple[str, ...]] = {}
    titles: dict[str, Text] = {}
    """The titles of groups."""
    honours: str = ""
    """A zone with a cell for each group, shown beside its title."""
    badges: bool = False
    label: str = ""
    """Only places with a piece of this label."""
    left: str = ""
    """The zone with the pieces of that label that are not placed yet."""
    rows: tuple[Shown, ...] = ()
    path: str = ""
    plots: str = ""
    rings: tuple[str, ...] = ()
    middle: str = ""
    segments: str = ""
    links: tuple[tuple[str, str], ...] = ()

    def patterns(self) -> Iterator[str]:
        """The zones of this part, with their placeholders."""
        for zone in (*self.zones, *self.rows):
            yield zone if isinstance(zone, str) else zone.zone
        yield from (
            self.nodes,
            self.unnamed,
            *self.beside,
            self.honours,
            self.path,
            self.plots,
            *self.rings,
            self.middle,
        )
        yield from (self.segments, self.left)


class Panel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    id: str
    title: Text
    parts: tuple[Part, ...]
    each: Literal["", "{other}"] = ""
    """Once for every other seat."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    panels: tuple[Panel, ...]


def load(folder: Path, zones: Mapping[str, Any], colours: tuple[str, ...]) -> tuple[Panel, ...]:
    """The panels of the game in this folder, none if it declares none; each pattern names a zone of the layout."""
    path = folder / FILE
    if not path.exists():
        return ()
    try:
        panels = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File).panels
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise PanelsError(f"{path} is not usable: {error}.") from error
    for panel in panels:
        for part in panel.parts:
            for pattern in filter(None, part.patterns()):
                if not any(matches(pattern, zone, colours) for zone in zones):
                    raise PanelsError(f"{path}: panel {panel.id!r} shows {pattern!r}, but there is no such zone.")
    return panels


def matches(pattern: str, zone: str, colours: tuple[str, ...]) -> bool:
    """Whether a name with placeholders may mean this zone."""
    if "{" not in pattern:
        return fnmatchcase(zone, pattern)
    return any(fnmatchcase(zone, _filled(pattern, colour)) for colour in colours)


def _filled(pattern: str, colour: str) -> str:
    return pattern.replace("{me}", colour).replace("{other}", colour).replace("{group}", "*")
