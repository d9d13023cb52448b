"""The kit: how pieces look to this camera, taught by pictures with their truth. Its folder is read and written by
`store`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import dist
from typing import Any, Final

import msgspec

from vision.dice.colours import Bodies
from vision.faces.covered import Prints
from vision.faces.empty_places import EmptyPlaces, Presence
from vision.faces.faces import Faces
from vision.faces.middles import middle
from vision.figures import Figures, Spots
from vision.figures.spots import lean_at
from vision.layout import (
    Box,
    Dice,
    Grid,
    Layout,
    Piece,
    Point,
    Pool,
    Slots,
    Track,
    Tray,
    Zone,
    boxes,
)
from vision.picture.background import Ground
from vision.picture.table_picture import Capsule, TablePicture, hiding, locate
from vision.plane.plane import Image
from vision.readers.cells import whole
from vision.readers.track import Colours
from vision.sheets import MatPiece, mat_layout, mat_truth

_ONE: Final = re.compile(r"(?!.* x\d)[^+]+")
"""A label of one piece; `blue x2` and `blue + red` do not say which of them stands where."""
_NUMBER: Final = re.compile(r" x\d+$")
PAPER: Final = 0.85
"""White paper is at least so bright, as a share of the white of the markers."""
BLANK: Final = 0.025
"""Paper on which nothing lies is at least so even."""
STANDING_ROOM_MM: Final = 12.0
"""So far about a zone of standing pieces its ground is learnt: their heads are seen there."""
STANDING_MM: Final = 6.0
"""Pieces at least this high are seen from the side too, and are read by shape and colour, not by their face."""


class KitError(Exception):
    """A kit or a truth that cannot be used; the message says which."""


class Lying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A loose piece in a truth file."""

    label: str
    x: float
    y: float
    angle: float = 0.0


Truth = dict[str, Any]


class Teaching(msgspec.Struct, frozen=True):
    """One picture and what lies where in it."""

    name: str
    digest: str
    truth: Truth
    corners: tuple[Point, ...] = ()
    mat: int = 0  # the page of a teaching mat, or 0 for a picture of the table
    paper: str = "A4"


class Kit:
    """What was taught for a layout. Grounds are learnt from all pictures before pieces are told from them."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.teachings: list[Teaching] = []
        self.faces: dict[str, Faces] = {}
        self.grounds: dict[str, Ground] = {}
        self.bare: dict[str, dict[str, Ground]] = {}
        self.empty_places: EmptyPlaces | None = None
        self.colours: dict[str, Colours] = {}
        self.figures: dict[str, Figures] = {}
        self.bodies: dict[str, Bodies] = {}
        self.prints: dict[str, Prints] = {}
        self.spots: dict[str, Spots] = {}
        self._shown: list[tuple[TablePicture, Truth]] = []
        self._beneath: dict[str, str | None] = {}

    def faces_of(self, zone: Zone) -> Faces:
        """The faces of the pieces a zone holds; zones that hold the same family share them."""
        if zone.holds not in self.faces:
            self.faces[zone.holds] = Faces(self.piece(zone))
        return self.faces[zone.holds]

    def figures_of(self, zone: Zone) -> Figures:
        """The standing pieces a zone holds; zones that hold the same family share them."""
        if zone.holds not in self.figures:
            self.figures[zone.holds] = Figures(self.piece(zone))
        return self.figures[zone.holds]

    def bodies_of(self, zone: Zone) -> Bodies:
        """The dice a zone holds; zones that hold the same family share them."""
        if zone.holds not in self.bodies:
            self.bodies[zone.holds] = Bodies(self.piece(zone))
        return self.bodies[zone.holds]

    def piece(self, zone: Zone) -> Piece:
        return self.layout.pieces.get(zone.holds, Piece((20.0, 20.0)))

    def flat(self, zone: Zone) -> bool:
        return self.piece(zone).height < STANDING_MM

    def reads_faces(self, name: str) -> bool:
        """Whether a zone has places on which flat pieces lie whose faces were taught."""
        zone = self.layout.zones[name]
        return isinstance(zone, Grid | Slots) and self.flat(zone) and self.faces_of(zone).taught

    def beneath(self, name: str) -> str | None:
        """The zone of flat pieces, place for place, on which the pieces of a zone stand."""
        if name not in self._beneath:
            self._beneath[name] = self._found_beneath(name)
        return self._beneath[name]

    def _found_beneath(self, name: str) -> str | None:
        zone = self.layout.zones[name]
        if not isinstance(zone, Grid | Slots) or self.flat(zone):
            return None
        places = {place: box.centre for place, box in zone.places().items()}
        for other, lower in self.layout.zones.items():
            if isinstance(lower, Grid | Slots) and self.flat(lower):
                centres = {place: box.centre for place, box in lower.places().items()}
                if places.keys() <= centres.keys() and all(dist(places[p], centres[p]) < 3 for p in places):
                    return other
        return None

    def check(self, truth: Truth) -> None:
        """Refuse a truth about zones and places that the layout does not have. Raises `KitError`."""
        for name, contents in truth.items():
            if name not in self.layout.zones:
                raise KitError(f"The truth speaks of zone {name!r}, which the layout does not have.")
            _refuse_nonsense(name, self.layout.zones[name], contents)

    def show(self, sight: TablePicture, truth: Truth) -> Counter[str]:
        """Take over what a located picture shows; returns how many examples of each label it gave."""
        self.check(truth)
        self._shown.append((sight, truth))
        for name, contents in truth.items():
            self._learn_ground(sight, name, self.layout.zones[name], contents)
        over = [thing for name, contents in truth.items() for thing in self._standing(sight, name, contents)]
        for name, contents in truth.items():
            self._learn_bare(sight, name, contents, over)
        for name in self.layout.zones:
            if (lower := self.beneath(name)) is not None and lower in truth:
                self._learn_prints(sight, lower, truth[lower], over)
        return Counter(
            label for name in truth for label in self._learn_pieces(sight, self.layout.zones[name], truth[name], over)
        )

    def show_mat(self, image: Image, page: int, paper: str = "A4") -> Counter[str]:
        """Take over a filled teaching mat: what lies where is printed on it."""
        pieces = mat_pieces(self.layout)
        mat = mat_layout(pieces, page, paper)
        sight = locate(image, mat)
        gained: Counter[str] = Counter()
        self._refuse_empty_fields(sight, mat_truth(pieces, page, paper), page)
        for family, fields in mat_truth(pieces, page, paper).items():
            zone = mat.zones[family]
            if isinstance(zone, Slots):
                gained.update(self._learn_pieces(sight, zone, fields, ()))
        return gained

    def _refuse_empty_fields(self, sight: TablePicture, truth: Mapping[str, Mapping[str, str]], page: int) -> None:
        """A mat says that a piece lies on each field; the paper of an empty one would be learnt as that piece."""
        for family, fields in truth.items():
            zone = sight.layout.zones[family]
            assert isinstance(zone, Slots)
            for field, label in fields.items():
                size = self.piece(zone).size
                seen = sight.patch(Box(zone.places()[field].centre, size, zone.angle).grown(-0.15 * min(size)), 2.0)
                if float(seen.std(axis=(0, 1)).max()) < BLANK and float(seen.mean()) > PAPER:
                    raise KitError(
                        f"On page {page} of the teaching mat the field of {label!r} is empty: lay the piece there and "
                        "take the picture again, or print the mat of this game if it is that of another."
                    )

    def derive(self) -> None:
        """Learn what can be told only once all grounds are known."""
        self.colours = {name: Colours() for name, zone in self.layout.zones.items() if isinstance(zone, Track)}
        for way in (Colours.learn, Colours.learn_among_others):
            for sight, truth in self._shown:
                for name, contents in truth.items():
                    zone = self.layout.zones[name]
                    if isinstance(zone, Track):
                        for marker, field in contents.items():
                            place = zone.at[str(field)]
                            way(self.colours[name], sight, self.grounds[name], marker, place, self.piece(zone))

        self._derive_empty_places()
        for name in self.layout.zones:
            self._derive_spots(name)

    def _derive_empty_places(self) -> None:
        zones = {
            name: zone
            for name, zone in self.layout.zones.items()
            if isinstance(zone, Grid | Slots) and self.reads_faces(name)
        }
        self.empty_places = EmptyPlaces.learnt(
            zones, [(sight, self._uncovered(sight, truth, zones)) for sight, truth in self._shown]
        )

    def _uncovered(
        self, sight: TablePicture, truth: Truth, zones: Mapping[str, Grid | Slots]
    ) -> dict[str, dict[str, str | None]]:
        """What lies on the places of these zones that the picture shows, and over which nothing stands."""
        over = [thing for name, contents in truth.items() for thing in self._standing(sight, name, contents)]
        known: dict[str, dict[str, str | None]] = {}
        for name in truth.keys() & zones.keys():
            zone = zones[name]
            visible = dict(zip(zone.places(), sight.plane.sees_each(list(zone.places().values())), strict=True))
            known[name] = {
                cell: label
                for cell, label in truth[name].items()
                if visible[cell] and not self.faces_of(zone).under(zone.places()[cell].centre, over)
            }
        return known

    def _derive_spots(self, name: str) -> None:
        """How much colour single figures show on the faces they stand on."""
        zone, lower = self.layout.zones[name], self.beneath(name)
        if lower not in self.prints or zone.holds not in self.figures or not self.reads_faces(lower):
            return
        below = self.layout.zones[lower]
        colours = self.figures[zone.holds].colours
        if colours is None or not isinstance(below, Grid | Slots):
            return
        spots = Spots(dict(zip(colours.labels, colours.known, strict=True)))
        for sight, truth in self._shown:
            single = {cell: label for cell, label in truth.get(name, {}).items() if label and _ONE.fullmatch(label)}
            if single:
                laid = self.prints[lower].look(
                    sight, whole(sight, below, self.faces_of(below), self._there(sight, lower))
                )
                for cell, label in single.items():
                    if cell not in laid.unlike:
                        continue
                    lean = lean_at(sight.plane.eye(), below.places()[cell])
                    spots.learn(label, laid.seen[cell], laid.unlike[cell], laid.prints[cell].hidden, lean)
        if spots.taught:
            self.spots[name] = spots

    def _there(self, sight: TablePicture, name: str) -> Mapping[str, Presence] | None:
        return None if self.empty_places is None else self.empty_places.look(sight, [name]).get(name)

    def shown(self) -> Sequence[tuple[TablePicture, Truth]]:
        """The pictures that were taken over, until they are let go; teaching mats are not among them."""
        return self._shown

    def let_go(self) -> None:
        """Forget the teaching pictures, which are large; what was derived from them stays."""
        self._shown.clear()
        for ground in (*self.grounds.values(), *(one for places in self.bare.values() for one in places.values())):
            ground.let_go()

    def _learn_ground(self, sight: TablePicture, name: str, zone: Zone, contents: Any) -> None:
        match zone:
            case Tray() | Pool() | Dice():
                occupied = [(piece.x, piece.y) for piece in _lying(name, contents)]
            case Track():
                occupied = [zone.at[str(field)] for field in contents.values()]
            case Grid() | Slots() if not self.flat(zone) and not self._lies_over_another(name):
                places = zone.places()
                # Places that the truth does not name may be empty or not.
                occupied = [box.centre for cell, box in places.items() if contents.get(cell, "") is not None]
            case _:
                return
        piece = self.piece(zone)
        reach = max(piece.size) * 0.8 + 3
        x, y, height = sight.plane.eye()
        covered = []
        for place in occupied:
            # What stands hides the ground behind it, away from the camera.
            lean = piece.height / max(height, 1.0)
            covered.append((place, reach))
            covered.append(((place[0] + (place[0] - x) * lean, place[1] + (place[1] - y) * lean), reach))
        area = zone.area()
        margin = 0.0 if self.flat(zone) else STANDING_ROOM_MM
        self.grounds.setdefault(name, Ground(area.grown(margin))).learn(sight, covered)

    def _learn_bare(self, sight: TablePicture, name: str, contents: Any, over: Sequence[Capsule]) -> None:
        """How the middle of a place looks on which no flat piece lies: a piece would hide all of it."""
        zone = self.layout.zones[name]
        if not isinstance(zone, Grid | Slots) or not self.flat(zone):
            return
        faces, side = self.faces_of(zone), 2 * self.faces_of(zone).radius
        for cell, label in contents.items():
            centre = zone.places()[cell].centre
            if label is None and not faces.under(centre, over):
                bare = self.bare.setdefault(name, {})
                bare.setdefault(cell, Ground(Box(centre, (side, side), zone.angle))).learn(sight, ())

    def _lies_over_another(self, name: str) -> bool:
        """Whether a zone's pieces stand on those of another zone, so that its ground keeps changing."""
        own = boxes(self.layout.zones[name])
        others = [box for other, zone in self.layout.zones.items() if other != name for box in boxes(zone)]
        return any(one.holds(other.centre) or other.holds(one.centre) for one in own for other in others)

    def _standing(self, sight: TablePicture, name: str, contents: Any) -> Iterator[Capsule]:
        """What the standing pieces of a truth hide. The position of several on one place is unknown."""
        zone = self.layout.zones[name]
        if self.flat(zone) or not isinstance(zone, Grid | Slots | Pool):
            return
        piece = self.piece(zone)
        if isinstance(zone, Pool):
            for lying in _lying(name, contents):
                yield hiding(sight, (lying.x, lying.y), piece, max(piece.size))
            return
        for cell, label in contents.items():
            if label is not None:
                box = zone.places()[cell]
                alone = _ONE.fullmatch(label) is not None
                yield hiding(sight, box.centre, piece, max(piece.size) if alone else max(box.size))

    def _learn_prints(self, sight: TablePicture, name: str, contents: Any, over: Sequence[Capsule]) -> None:
        """How the faces look on which figures stand."""
        zone = self.layout.zones[name]
        assert isinstance(zone, Grid | Slots)
        prints = self.prints.setdefault(name, Prints(zone, self.piece(zone).height))
        for cell, label in contents.items():
            box = zone.places()[cell]
            if not self.faces_of(zone).under(box.centre, over):
                prints.learn(sight, box, label)

    def _learn_pieces(self, sight: TablePicture, zone: Zone, contents: Any, over: Sequence[Capsule]) -> Iterator[str]:
        places = zone.places() if isinstance(zone, Grid | Slots) else {}
        match zone:
            case Grid() | Slots() if not self.flat(zone):
                for cell, label in contents.items():
                    if label is None:
                        self.figures_of(zone).learn_ground(sight, places[cell])
                    elif _ONE.fullmatch(label):
                        self.figures_of(zone).learn(sight, places[cell], label)
                        yield label
            case Pool() if not self.flat(zone):
                for lying in _lying("", contents):
                    self.figures_of(zone).learn(sight, Box((lying.x, lying.y), self.piece(zone).size), lying.label)
                    yield lying.label
            case Grid() | Slots():
                for cell, label in contents.items():
                    if label is None:
                        continue
                    yield label
                    centre = middle(sight, places[cell], self.piece(zone))
                    if not self.faces_of(zone).under(centre, over):
                        self.faces_of(zone).learn(sight, centre, label)
            case Tray() | Pool() if self.flat(zone):
                for lying in _lying("", contents):
                    self.faces_of(zone).learn(sight, (lying.x, lying.y), lying.label, lying.angle)
                    yield lying.label
            case Dice() if zone.holds:
                for lying in _lying("", contents):
                    self.bodies_of(zone).learn(sight, (lying.x, lying.y), lying.label)
                    yield lying.label
            case Track():
                yield from contents
            case _:
                return


def _refuse_nonsense(name: str, zone: Zone, contents: Any) -> None:
    match zone:
        case Grid() | Slots():
            places = zone.places()
            for cell in _cells(name, contents):
                if cell not in places:
                    raise KitError(f"The truth speaks of {cell!r} in zone {name!r}, which has no such place.")
        case Track():
            for marker, field in _fields(name, contents).items():
                if str(field) not in zone.at:
                    raise KitError(f"The truth puts {marker!r} on field {field} of {name!r}, which has no such field.")
        case Tray() | Pool() | Dice():
            for piece in _lying(name, contents):
                if not zone.area().grown(5).holds((piece.x, piece.y)):
                    raise KitError(f"The truth puts {piece.label!r} at {piece.x}, {piece.y}, outside zone {name!r}.")
        case _:
            pass


def labelled(name: str, zone: Zone, contents: Any) -> Iterator[tuple[str, str]]:
    """The labels of a zone's truth, each with the words that name its place. A place may hold several pieces."""
    match zone:
        case Grid() | Slots():
            for cell, label in _cells(name, contents).items():
                for one in (label or "").split(" + "):
                    if one:
                        yield _NUMBER.sub("", one), f"on {cell!r} of zone {name!r}"
        case Track():
            for marker, field in _fields(name, contents).items():
                yield marker, f"on field {field} of zone {name!r}"
        case Tray() | Pool() | Dice():
            for piece in _lying(name, contents):
                yield piece.label, f"at {piece.x:g}, {piece.y:g} in zone {name!r}"
        case _:
            pass


def _fields(name: str, contents: Any) -> dict[str, int]:
    try:
        return msgspec.convert(contents, dict[str, int])
    except msgspec.ValidationError as error:
        raise KitError(f"The truth of zone {name!r} should name a field for each marker: {error}.") from error


def _cells(name: str, contents: Any) -> dict[str, str | None]:
    try:
        return msgspec.convert(contents, dict[str, str | None])
    except msgspec.ValidationError as error:
        raise KitError(f"The truth of zone {name!r} should name a label for each place: {error}.") from error


def _lying(name: str, contents: Any) -> list[Lying]:
    try:
        return msgspec.convert(contents, list[Lying])
    except msgspec.ValidationError as error:
        raise KitError(f"The truth of zone {name!r} should list label, x and y of each piece: {error}.") from error


def mat_pieces(layout: Layout) -> list[MatPiece]:
    """The pieces of a layout that a mat can teach: every label of every family."""
    return [
        MatPiece(label, piece.size, family, piece.height, piece.round)
        for family, piece in layout.pieces.items()
        for label in piece.labels
    ]
