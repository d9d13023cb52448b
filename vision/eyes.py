"""From a picture to a Reading: every zone of a layout read by the reader of its kind."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from companion.messages import Pieces, Reading, ZoneReading
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
        zones = {
            name: self.read(sight, name, zone)
            for name, zone in self.layout.zones.items()
            if only is None or name in only
        }
        return Seen(Reading(zones, at), sight.plane)

    def read(self, sight: Sight, name: str, zone: Zone) -> ZoneReading:
        kit = self.kit
        match zone:
            case Grid() | Slots() if kit.flat(zone) and kit.faces_of(zone).taught:
                return cells.read(sight, zone, kit.faces_of(zone))
            case Tray() if kit.flat(zone) and kit.faces_of(zone).taught:
                return tray.read(sight, zone, kit.faces_of(zone), kit.grounds.get(name))
            case Pool() if kit.flat(zone) and kit.faces_of(zone).taught:
                loose = Tray(holds=zone.holds, rect=zone.rect, angle=zone.angle)
                return _counted(
                    tray.read(sight, loose, kit.faces_of(zone), kit.grounds.get(name)), kit.piece(zone).worth
                )
            case Track() if name in kit.colours and name in kit.grounds:
                return track.read(sight, zone, kit.colours[name], kit.grounds[name], kit.piece(zone))
            case Dial():
                return dial.read(sight, zone)
            case Dice():
                return dice.read(sight, zone, kit.piece(zone))
            case _:
                return ZoneReading(zone.kind, None, 0.0)


def _counted(reading: ZoneReading, worth: dict[str, int]) -> ZoneReading:
    """Tokens of different worth counted together: `follower5` counts five of `follower`."""
    if not worth or not isinstance(reading.contents, Pieces):
        return msgspec.structs.replace(reading, kind="pool")
    total: dict[str, int] = {}
    for label, number in reading.contents.count.items():
        name = label.rstrip("0123456789") if label in worth else label
        total[name] = total.get(name, 0) + number * worth.get(label, 1)
    return msgspec.structs.replace(reading, kind="pool", contents=Pieces(total))
