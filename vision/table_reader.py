"""Reads one picture: every zone of a layout with the reader for its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec

from companion.kernel.messages import Found, Reading, ZoneReading
from companion.kernel.views import Pieces
from vision.faces.covered import Laid
from vision.faces.empty_places import Presence
from vision.faces.examples import Guess
from vision.kit.kit import Kit
from vision.layout import (
    Dial,
    Dice,
    Grid,
    Layout,
    Point,
    Pool,
    Slots,
    Track,
    Tray,
    Zone,
    boxes,
)
from vision.picture.table_picture import TablePicture, locate
from vision.plane.plane import Image, Plane
from vision.readers import cells, dial, dice, figures, track, tray


class Seen(msgspec.Struct, frozen=True, eq=False):
    """A Reading and the plane it was read through."""

    reading: Reading
    plane: Plane


class TableReader:
    """Reads pictures of one table with one kit. Without a kit, only zones that need no teaching are read."""

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
        """Locate the table in a picture, and read its zones, all of them or `only` some."""
        sight = locate(image, self.layout, corners, known)
        return Seen(Reading(self.read(sight, only), at), sight.plane)

    def read(self, sight: TablePicture, only: Collection[str] | None = None) -> dict[str, ZoneReading]:
        """Read the zones of a located picture, all of them or `only` some."""
        wanted = {name: zone for name, zone in self.layout.zones.items() if only is None or name in only}
        flat = self._flat_beneath(wanted)
        places = self.kit.empty_places
        there = places.look(sight, flat) if places is not None and flat else {}
        whole = {name: self._whole(sight, name, there.get(name)) for name in flat}
        laid = {name: self.kit.prints[name].look(sight, whole[name]) for name in whole if name in self.kit.prints}
        standing = self._standing(sight, wanted, laid)
        together = standing | self._loose(sight, wanted)
        for name, guesses in whole.items():
            if name in wanted:
                zone = self.layout.zones[name]
                assert isinstance(zone, Grid | Slots)
                together[name] = cells.read(
                    sight, zone, guesses, laid.get(name), there.get(name), self.kit.bare.get(name)
                )
        return {name: together.get(name) or self._alone(sight, name, zone) for name, zone in wanted.items()}

    def _flat_beneath(self, zones: Mapping[str, Zone]) -> list[str]:
        """The zones of flat pieces among these, and those on which figures of the others stand."""
        names = {*zones, *(beneath for name in zones if (beneath := self.kit.beneath(name)) is not None)}
        return [name for name in self.layout.zones if name in names and self.kit.reads_faces(name)]

    def _whole(self, sight: TablePicture, name: str, there: Mapping[str, Presence] | None = None) -> dict[str, Guess]:
        zone = self.layout.zones[name]
        assert isinstance(zone, Grid | Slots)
        return cells.whole(sight, zone, self.kit.faces_of(zone), there)

    def _standing(
        self, sight: TablePicture, zones: Mapping[str, Zone], laid: Mapping[str, Laid]
    ) -> dict[str, ZoneReading]:
        """Read zones of standing pieces, all zones of one family together."""
        families: dict[str, dict[str, Grid | Slots | Pool]] = {}
        beneath: dict[str, Laid] = {}
        for name, zone in zones.items():
            if isinstance(zone, Grid | Slots | Pool) and zone.holds in self.kit.figures:
                families.setdefault(zone.holds, {})[name] = zone
                lower = self.kit.beneath(name)
                if lower is not None and lower in laid:
                    beneath[name] = laid[lower]
        found: dict[str, ZoneReading] = {}
        for family, members in families.items():
            found |= figures.read(sight, members, self.kit.figures[family], self.kit.grounds, beneath, self.kit.spots)
        return found

    def _loose(self, sight: TablePicture, zones: Mapping[str, Zone]) -> dict[str, ZoneReading]:
        """Read trays and pools of flat pieces, all zones of one family together."""
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

    def _alone(self, sight: TablePicture, name: str, zone: Zone) -> ZoneReading:
        kit = self.kit
        match zone:
            case Track() if name in kit.colours and name in kit.grounds:
                return track.read(sight, zone, kit.colours[name], kit.grounds[name], kit.piece(zone))
            case Dial():
                return dial.read(sight, zone)
            case Dice():
                bodies, ground = kit.bodies.get(zone.holds), kit.grounds.get(name)
                elsewhere = [box for other in self.layout.zones.values() if other is not zone for box in boxes(other)]
                return dice.read(sight, zone, kit.piece(zone), bodies, ground, elsewhere)
            case _:
                return ZoneReading(zone.kind, None, 0.0)


def _counted(zone: Tray | Pool, pieces: tuple[Found, ...] | None, worth: Mapping[str, int]) -> ZoneReading:
    """Count loose pieces by label. In a pool, tokens count by their worth: `follower5` is five of `follower`."""
    if pieces is None:
        return ZoneReading(zone.kind, None, 0.0)
    counts: Counter[str] = Counter()
    for piece in pieces:
        worths = isinstance(zone, Pool) and piece.label in worth
        counts[piece.label.rstrip("0123456789") if worths else piece.label] += worth[piece.label] if worths else 1
    confidence = min((piece.confidence for piece in pieces), default=0.99)
    return ZoneReading(zone.kind, Pieces(dict(counts)), confidence, pieces)
