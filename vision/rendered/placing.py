"""How people put loose pieces down: apart, touching, or on one another; always inside the zone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from vision.layout import Box

from .paint import Point
from .pieces import Thing

_TRIES: Final = 80
_FEW_TRIES: Final = 12
_GAP: Final = 1.5
"""Millimetres left between pieces that are meant to lie apart."""


class Lying(msgspec.Struct, frozen=True):
    """Where a loose piece came to lie, and how many millimetres above the table."""

    thing: Thing
    x: float
    y: float
    angle: float
    lift: float = 0.0

    def footprint(self, margin: float = 0.0) -> Box:
        width, height = self.thing.size
        return Box((self.x, self.y), (width + margin, height + margin), self.angle)


def scatter(things: Sequence[Thing], area: Box, turns: bool, mess: float, rng: Random) -> list[Lying]:
    """Loose pieces in an area. `mess` is the share of them that touch or overlap another."""
    down: list[Lying] = []
    for thing in things:
        leaning = bool(down) and rng.random() < mess
        lying = _beside(thing, down, area, rng) if leaning else None
        lying = lying or apart(thing, down, area, turns, rng)
        if lying is None:
            return _in_rows(things, area, turns, rng)
        down.append(lying)
    return down


def apart(
    thing: Thing, down: Sequence[Lying], area: Box, turns: bool, rng: Random, tries: int = _TRIES
) -> Lying | None:
    """Somewhere free, if such a place is found."""
    for _ in range(tries):
        angle = rng.uniform(0, 360) if turns else area.angle + rng.uniform(-5, 5)
        x, y = _somewhere(area, thing.reach, rng)
        lying = Lying(thing, x, y, angle)
        if not any(_overlap(lying, other, _GAP) for other in down):
            return lying
    return None


def turned_over(thing: Thing, was: Lying, down: Sequence[Lying], area: Box, turns: bool, rng: Random) -> Lying:
    """About where another side of it lay: a hand that turns a piece over moves it a little, if there is room."""
    spin = 25.0 if turns else 4.0
    for _ in range(_FEW_TRIES):
        x, y = was.x + rng.uniform(-4, 4), was.y + rng.uniform(-4, 4)
        lying = Lying(thing, x, y, (was.angle + rng.uniform(-spin, spin)) % 360, was.lift)
        fits = all(area.holds(corner) for corner in lying.footprint().corners())
        if fits and not any(_overlap(lying, other, _GAP) for other in down):
            return lying
    return Lying(thing, was.x, was.y, was.angle, was.lift)


def _beside(thing: Thing, down: Sequence[Lying], area: Box, rng: Random) -> Lying | None:
    """Edge to edge with a piece that lies there, or partly on top of it."""
    for _ in range(_TRIES):
        other = rng.choice(down)
        on_top = rng.random() < 0.4 and thing.shape == "" and other.lift == 0
        angle = other.angle + rng.choice((0, 90, 180, 270)) + (rng.uniform(-25, 25) if on_top else 0)
        side = math.radians(other.angle + rng.choice((0, 90, 180, 270)))
        reach = (other.thing.size[0] + thing.size[0]) / 2 + 0.15
        if on_top:
            reach *= rng.uniform(0.6, 0.85)
        along = rng.uniform(-0.4, 0.4) * thing.size[0]
        x = other.x + math.cos(side) * reach - math.sin(side) * along
        y = other.y + math.sin(side) * reach + math.cos(side) * along
        lying = Lying(thing, x, y, angle % 360, other.lift + other.thing.height if on_top else 0.0)
        fits = all(area.holds(corner) for corner in lying.footprint().corners())
        if fits and not any(_overlap(lying, third, 0.0) for third in down if third is not other):
            return lying
    return None


def _in_rows(things: Sequence[Thing], area: Box, turns: bool, rng: Random) -> list[Lying]:
    """So many pieces that only rows fit; where even these do not, pieces lie on their neighbours."""
    size = max(max(thing.size) for thing in things)
    needed = (size, size) if turns else _largest(things)
    columns = max(1, round(math.sqrt(len(things) * area.size[0] / area.size[1]))) if turns else _columns(things, area)
    rows = math.ceil(len(things) / columns)
    wide, tall = area.size[0] / columns, area.size[1] / rows
    places = rng.sample([(column, row) for row in range(rows) for column in range(columns)], len(things))
    room = min(wide - needed[0], tall - needed[1])
    down: list[Lying] = []
    for number, (thing, (column, row)) in enumerate(zip(things, places, strict=True)):
        free = max(0.0, room)
        jitter = free / 4
        tilt = min(45.0, 90 * free / size)
        quarter = rng.choice((0, 90, 180, 270)) if turns else 0
        across, along = rng.uniform(-jitter, jitter), rng.uniform(-jitter, jitter)
        x, y = area.at((column + 0.5) * wide + across, (row + 0.5) * tall + along)
        lift = 0.0 if room >= 0 else 0.3 * number
        down.append(Lying(thing, x, y, (area.angle + quarter + rng.uniform(-tilt / 3, tilt / 3)) % 360, lift))
    return down


def _columns(things: Sequence[Thing], area: Box) -> int:
    """In how many columns pieces that lie upright have most room."""
    wide, tall = _largest(things)

    def room(columns: int) -> float:
        return min(area.size[0] / columns - wide, area.size[1] / math.ceil(len(things) / columns) - tall)

    return max(range(1, len(things) + 1), key=room)


def _largest(things: Sequence[Thing]) -> Point:
    return max(thing.size[0] for thing in things), max(thing.size[1] for thing in things)


def _somewhere(area: Box, reach: float, rng: Random) -> Point:
    """A point at least `reach` from the edge, where the area is large enough."""
    width, height = area.size
    across, along = min(reach, width / 2), min(reach, height / 2)
    return area.at(rng.uniform(across, width - across), rng.uniform(along, height - along))


def _overlap(one: Lying, other: Lying, gap: float) -> bool:
    apart = math.hypot(one.x - other.x, one.y - other.y)
    if apart >= one.thing.reach + other.thing.reach + gap:
        return False
    if one.thing.is_round and other.thing.is_round:
        return True
    return not (_split(one, other, gap) or _split(other, one, gap))


def _split(one: Lying, other: Lying, gap: float) -> bool:
    """Whether a line along one of the first piece's edges keeps the two apart."""
    mine, theirs = one.footprint(gap).corners(), other.footprint(gap).corners()
    turn = math.radians(one.angle)
    for axis in ((math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))):
        here = [x * axis[0] + y * axis[1] for x, y in mine]
        there = [x * axis[0] + y * axis[1] for x, y in theirs]
        if max(here) <= min(there) or max(there) <= min(here):
            return True
    return False
