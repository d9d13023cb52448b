"""From a picture to a Reading: every zone of a layout read by the reader of its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec

from companion.messages import Found, Pieces, Reading, ZoneReading
from vision.kit import Kit
from vision.layout import Dial, Dice, Grid, Layout, Point, Pool, Slots, Track, Tray, Zone
from vision.plane import Image, Plane
from vision.readers import cells, dial, dice, track, tray
from vision.sight import Sight, locate


class Seen(msgspec.Struct, frozen=True, eq=False):
    """A Reading and the plane it was read through."""

    reading: Reading
    plane: Plane


class Eyes:
    """Reads pictures of one table with one kit. Without a kit only what needs no teaching is read."""

    def __init__(self, layout: Layout, kit: Kit | None = None) -> None:
        self.layout = layout
        self.kit = kit or Kit(layout)

    def look(
        self,
        image: Image,
        corners: Sequence[Point] | None = None,
        known: Plane | None = None,
        at: float = 0.0,
        only: Collection[str] | None = None,
    ) -> Seen:
        """Find the table in a picture and read its zones, all of them or `only` some."""
        sight = locate(image, self.layout, corners, known)
        return Seen(Reading(self.read(sight, only), at), sight.plane)

    def read(self, sight: Sight, only: Collection[str] | None = None) -> dict[str, ZoneReading]:
        """The zones of a picture that was located, all of them or `only` some."""
        wanted = {name: zone for name, zone in self.layout.zones.items() if only is None or name in only}
        loose = self._loose(sight, wanted)
        return {name: loose.get(name) or self._alone(sight, name, zone) for name, zone in wanted.items()}

    def _loose(self, sight: Sight, zones: Mapping[str, Zone]) -> dict[str, ZoneReading]:
        """Trays and pools of flat pieces, those of one family together."""
        families: dict[str, dict[str, Tray | Pool]] = {}
        for name, zone in zones.items():
            if isinstance(zone, Tray | Pool) and self.kit.flat(zone) and self.kit.faces_of(zone).taught:
                families.setdefault(zone.holds, {})[name] = zone
        found: dict[str, ZoneReading] = {}
        for family in families.values():
            trays = {name: (zone.area(), self.kit.grounds.get(name)) for name, zone in family.items()}
            faces = self.kit.faces_of(next(iter(family.values())))
            for name, pieces in tray.read(sight, trays, faces).items():
                found[name] = _counted(family[name], pieces, self.kit.piece(family[name]).worth)
        return found

    def _alone(self, sight: Sight, name: str, zone: Zone) -> ZoneReading:
        kit = self.kit
        match zone:
            case Grid() | Slots() if kit.flat(zone) and kit.faces_of(zone).taught:
                return cells.read(sight, zone, kit.faces_of(zone))
            case Track() if name in kit.colours and name in kit.grounds:
                return track.read(sight, zone, kit.colours[name], kit.grounds[name], kit.piece(zone))
            case Dial():
                return dial.read(sight, zone)
            case Dice():
                return dice.read(sight, zone, kit.piece(zone))
            case _:
                return ZoneReading(zone.kind, None, 0.0)


def _counted(zone: Tray | Pool, pieces: tuple[Found, ...] | None, worth: Mapping[str, int]) -> ZoneReading:
    """Loose pieces by their labels; tokens of different worth together: `follower5` counts five of `follower`."""
    if pieces is None:
        return ZoneReading(zone.kind, None, 0.0)
    counts: Counter[str] = Counter()
    for piece in pieces:
        worths = isinstance(zone, Pool) and piece.label in worth
        counts[piece.label.rstrip("0123456789") if worths else piece.label] += worth[piece.label] if worths else 1
    confidence = min((piece.confidence for piece in pieces), default=0.99)
    return ZoneReading(zone.kind, Pieces(dict(counts)), confidence, pieces)
