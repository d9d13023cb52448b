"""Reads zones of standing pieces: named places (`grid`, `slots`), one piece on each or several, and `pool`s."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Contents, Pieces
from vision.faces.covered import Laid
from vision.figures import FigureGuess, Figures, Finds, Spots
from vision.figures.places import SURE
from vision.figures.spots import Shown, lean_at
from vision.layout import Box, Grid, Piece, Pool, Slots
from vision.picture.background import Ground
from vision.picture.table_picture import TablePicture

BARE: Final = 0.12
"""On a face of which no spot larger than so many feet of a figure is hidden, nothing stands for sure."""
MOSTLY: Final = 1.2
"""With no larger spot hidden nothing stands there either, if no figure is seen."""
STANDING: Final = 1.5
"""Where so much is hidden something stands for sure, whether it is seen or not."""
_WHOLE: Final = ""
"""The name of a zone that is looked at as a whole."""
_ASIDE_MM: Final = 4.0
"""So far beside its place a figure may stand, or seem to."""
_NEAREST: Final = 4
"""So many places are near a foot, even where four of them meet."""
_FEW: Final = 3
"""So many cells of a grid are looked at one by one; for more it is cheaper to look at all."""


def read(
    sight: TablePicture,
    zones: Mapping[str, Grid | Slots | Pool],
    figures: Figures,
    grounds: Mapping[str, Ground],
    beneath: Mapping[str, Laid],
    spots: Mapping[str, Spots],
) -> dict[str, ZoneReading]:
    """The standing pieces of these zones, which hold one family; all of them are looked for together.

    For zones whose pieces stand on flat ones, `beneath` says what lies there, how it looks, and how much is hidden,
    and `spots` how much of which colour single figures show on it.
    """
    upon = {name: _upon(sight, zones[name], laid, figures.piece, spots.get(name)) for name, laid in beneath.items()}
    grounds = {**grounds, **{name: laid.ground for name, laid in beneath.items()}}
    areas = {name: _areas(zone, upon.get(name)) for name, zone in zones.items()}
    asked = [(name, part, area) for name, parts in areas.items() for part, area in parts.items()]
    standing = [
        zones[name].places()[place]  # type: ignore[union-attr]
        for name, witness in upon.items()
        for place, feet in witness.hidden.items()
        if feet >= STANDING
    ]
    finds = figures.find(sight, [area for _, _, area in asked], [grounds.get(name) for name, _, _ in asked], standing)
    found: dict[str, dict[str, Finds]] = {name: {} for name in zones}
    for (name, part, _), one in zip(asked, finds, strict=True):
        found[name][part] = one
    return {
        name: _loose(sight, zone, found[name][_WHOLE])
        if isinstance(zone, Pool)
        else _placed(sight, zone, found[name], upon.get(name))
        for name, zone in zones.items()
    }


def named(labels: Counter[str]) -> str | None:
    """What stands on a place, in a label: nothing, `blue`, `blue x2`, `blue x2 + red`."""
    return (
        " + ".join(label if number == 1 else f"{label} x{number}" for label, number in sorted(labels.items())) or None
    )


class _Upon(msgspec.Struct, frozen=True):
    """What the faces of a zone say about what stands on them: how much of each is hidden in one spot, in feet of a
    figure, and what is seen of figures there. `weak` names labels whose colour prints have too."""

    hidden: dict[str, float]
    shown: dict[str, Shown]
    weak: frozenset[str]

    def bare(self, place: str) -> bool:
        return self.hidden[place] < BARE


def _upon(sight: TablePicture, zone: Grid | Slots | Pool, laid: Laid, piece: Piece, spots: Spots | None) -> _Upon:
    assert isinstance(zone, Grid | Slots)
    hidden = {name: one.hidden / (piece.size[0] * piece.size[1]) for name, one in laid.prints.items()}
    shown = {}
    if spots is not None:
        eye = sight.plane.eye()
        for name, box in zone.places().items():
            if name in laid.unlike:
                lean = lean_at(eye, box)
                shown[name] = spots.look(laid.seen[name], laid.unlike[name], laid.prints[name].hidden, lean)
    return _Upon(hidden, shown, spots.weak if spots is not None else frozenset())


def _areas(zone: Grid | Slots | Pool, upon: _Upon | None) -> dict[str, Box]:
    """Where to look: slots may lie far apart, the cells of a grid lie together unless most are known to be empty."""
    if isinstance(zone, Pool):
        return {_WHOLE: zone.area()}
    left = {name: box for name, box in zone.places().items() if upon is None or not upon.bare(name)}
    if isinstance(zone, Grid) and len(left) > _FEW:
        return {_WHOLE: zone.area()}
    return left


def _placed(sight: TablePicture, zone: Grid | Slots, finds: Mapping[str, Finds], upon: _Upon | None) -> ZoneReading:
    at: dict[str, str | None] = {}
    sure: list[FigureGuess] = []
    places = zone.places()
    visible = sight.plane.sees_each(list(places.values()))
    standing = {name: box for name, box in places.items() if upon is None or not upon.bare(name)}
    owners = {id(one): _owner(one, standing) for one in finds[_WHOLE].figures} if _WHOLE in finds else {}
    for (name, box), inside in zip(places.items(), visible, strict=True):
        if name not in standing:
            at[name] = None
            continue
        here = finds.get(name) or finds[_WHOLE]
        mine = [one for one in _belonging(zone, here) if name in finds or owners[id(one)] == name]
        agreed = _agreed(mine, name, box, upon, zone.most)
        # A palm may have the very colour of an empty place, but not its print.
        covered = upon is None and not agreed and here.seen.vanished(box)
        if agreed is None or not inside or covered or here.hidden(box, agreed):
            at[name] = UNKNOWN
            continue
        at[name] = named(Counter(str(figure.label) for figure in agreed))
        sure += agreed
    seen = any(label != UNKNOWN for label in at.values())
    return _reading(zone, Cells(at), sure) if seen else ZoneReading(zone.kind, None, 0.0)


def _agreed(mine: list[FigureGuess], place: str, box: Box, upon: _Upon | None, most: int) -> list[FigureGuess] | None:
    """What stands on a place, if all who saw it agree: the feet found, and what the face beneath says."""
    clear = all(figure.sure for figure in mine)
    if upon is None or (place not in upon.shown and mine):
        return mine if clear else None
    colours = upon.shown[place].labels() if place in upon.shown else []
    if not mine:
        # Of what hides so little, only a figure of the face's own colour could be overlooked.
        nothing = upon.hidden[place] < MOSTLY and not upon.weak & set(colours)
        return [] if nothing else None
    shown = upon.shown[place]
    if clear:
        told = Counter(str(figure.label) for figure in mine)
        unseen = set(colours) - told.keys() - upon.weak
        return mine if not unseen and all(shown.fits(one, n, one in upon.weak) for one, n in told.items()) else None
    number = shown.told(colours[0], most, colours[0] in upon.weak) if len(colours) == 1 else 0
    feet = [(figure.x, figure.y) for figure in mine if figure.label in colours] or [box.centre]
    return [FigureGuess(colours[0], True, SURE, *feet[one % len(feet)]) for one in range(number)] or None


def _owner(figure: FigureGuess, places: Mapping[str, Box]) -> str | None:
    """The place a figure stands on: the nearest of those that may have one, if it stands there or just beside."""
    foot = figure.x, figure.y
    for name in sorted(places, key=lambda name: math.dist(places[name].centre, foot))[:_NEAREST]:
        if places[name].grown(_ASIDE_MM).holds(foot):
            return name
    return None


def _loose(sight: TablePicture, zone: Pool, finds: Finds) -> ZoneReading:
    area = zone.area()
    figures = _belonging(zone, finds)
    if not sight.plane.sees(area) or finds.hidden(area) or not all(figure.sure for figure in figures):
        return ZoneReading(zone.kind, None, 0.0)
    return _reading(zone, Pieces(dict(Counter(str(figure.label) for figure in figures))), figures)


def _belonging(zone: Grid | Slots | Pool, finds: Finds) -> list[FigureGuess]:
    """The figures of a zone; what is hardly one of a kind that does not belong there is a shadow or a print."""
    return [
        figure
        for figure in finds.figures
        if not zone.labels or figure.label in zone.labels or (figure.sure and figure.confidence > SURE)
    ]


def _reading(zone: Grid | Slots | Pool, contents: Contents, figures: Sequence[FigureGuess]) -> ZoneReading:
    found = tuple(
        Found(str(figure.label), round(figure.x, 2), round(figure.y, 2), 0.0, round(figure.confidence, 3))
        for figure in figures
    )
    return ZoneReading(zone.kind, contents, min((piece.confidence for piece in found), default=0.95), found)
