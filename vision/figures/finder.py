"""Finds figures in a view: where they stand, which cells are theirs, of what colour they are, and what lies over them.

The network says for each cell whether a foot is in it, whether it shows a figure or something above the table, and
where the foot of that figure is. A foot that its figure's cells do not point at is doubtful, and so are cells that
point where no foot was found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures import network
from vision.figures.areas import CELL, FINE, View, planes
from vision.layout import Box, Piece, Point
from vision.picture.background import lab

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

FAINT: Final = 0.2
"""A foot less likely than this is none."""
CLEAR: Final = 0.42
"""A foot at least this likely is one."""
STANDS_OUT: Final = 14.0
"""A difference in colour (CIE Lab) that is more than noise and unevenness."""
_TINT: Final = 0.12
"""A shadow darkens; what changes the colour by more than this share is a thing."""
_NOISE: Final = 0.03
"""In a dark shadow noise changes colours as well."""
_BRIGHTER: Final = 1.15
"""What is so much brighter than the ground anywhere around is no ground."""
_DARKEST: Final = 0.35
"""Few shadows are darker than this share of their ground; black wood is."""
_AROUND: Final = 15
"""So many cells across is around."""
_COVER: Final = 0.5
_HIDDEN_MM2: Final = 50.0
"""An unexplained share of a box above this may hide a figure."""
_DETAIL: Final = 0.025
"""How strong (as a share of the light around) the print of a place must be for its absence to be noticed …"""
_GONE: Final = 0.5
"""… and how much of it is seen at least where nothing lies over it."""
_FREE: Final = 0.3
"""So much of it must be neither unknown nor behind figures for its print to say anything."""
_FINE_MM: Final = 5.0
"""What changes within so many millimetres is print; shadows change more slowly."""
_FARTHEST: Final = 2
"""So many pixels the picture of the empty place may lie aside …"""
_ASIDE: Final = sorted(product(range(-_FARTHEST, _FARTHEST + 1), repeat=2), key=lambda aside: math.hypot(*aside))
"""… down and across."""
_INNER: Final = 2
"""With so many cells that no others touch, a figure's colour is taken from those alone."""
_NEAR: Final = 1.5
"""Feet closer than so many cells are one figure's, found twice."""


class Found(msgspec.Struct, frozen=True, eq=False):
    """A figure or what may be one: its foot on the table, how clear it is, its cells' area (mm²), its colour (Lab).

    `on_known` says that the ground is known there, so that there is something for sure; `shadow`, which share of it
    might be no more than a shadow on that ground; `dark`, which share is darker than a shadow mostly is.
    """

    foot: Point
    clear: float
    area: float
    colour: Floats
    doubtful: bool
    on_known: bool
    shadow: float = 0.0
    dark: float = 0.0


class Changes(msgspec.Struct, frozen=True, eq=False):
    """How the cells of a view differ from its ground: clearly, as a shadow would, and more darkly than one would."""

    unlike: NDArray[np.bool_]
    shadow: NDArray[np.bool_]
    dark: NDArray[np.bool_]


class Seen(msgspec.Struct, frozen=True, eq=False, dict=True):
    """What a view shows: figures, and things that nothing explains (numbered from 1)."""

    view: View
    figures: tuple[Found, ...]
    things: NDArray[np.int32]
    piece: Piece

    @cached_property
    def anything(self) -> bool:
        return bool(self.things.any())

    def hidden(self, box: Box, feet: Sequence[Point] = ()) -> bool:
        """Whether something that is neither ground nor shadow nor a figure (on one of these feet) lies over a box."""
        if not self.anything:
            return False
        marks = np.zeros(self.things.shape, np.uint8)
        # A polygon is filled up to and including its edge; what lies beside the box is none of its business.
        corners = self.view.to_cells(np.asarray(box.grown(-0.5 * CELL / self.view.scale).corners()))
        cv2.fillConvexPoly(marks, np.round((corners - 0.5) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        if feet:
            marks[_bodies(self.view, self.view.to_cells(np.asarray(feet)), self.piece) > 0] = 0
        over = np.bincount(self.things[marks > 0])[1:] * (CELL / self.view.scale) ** 2
        return bool((over > min(_HIDDEN_MM2, 0.12 * box.size[0] * box.size[1])).any())

    def vanished(self, box: Box) -> bool:
        """Whether the print of a box without figures is gone from one of its quarters: then something lies over it, of
        whatever colour."""
        return any(self._gone(quarter) for quarter in _quarters(box))

    def _gone(self, box: Box) -> bool:
        corners = self.view.to_cells(np.asarray(box.corners())) * CELL - 0.5
        low = np.maximum(np.floor(corners.min(0)).astype(int) - _FARTHEST, 0)
        right, down = np.ceil(corners.max(0)).astype(int) + _FARTHEST + 1
        around = (slice(low[1], down), slice(low[0], right))
        seen, print_ = (fine[around] for fine in self._fine)
        marks = np.zeros(seen.shape, np.uint8)
        cv2.fillConvexPoly(marks, np.round((corners - low) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        own = (marks > 0) & self._free[around]
        if own.sum() < _FREE * marks.sum() or print_[own].std() < _DETAIL:
            return False
        enough = _GONE * float(print_[own] @ print_[own])
        # No two pictures lie quite exactly upon each other.
        return all(float(np.roll(seen, aside, (0, 1))[own] @ print_[own]) < enough for aside in _ASIDE)

    @cached_property
    def _free(self) -> NDArray[np.bool_]:
        """Where it is known how it looks empty, and no figure stands before it."""
        feet = np.asarray([one.foot for one in self.figures if not one.doubtful]).reshape(-1, 2)
        others = cv2.dilate(_bodies(self.view, self.view.to_cells(feet), self.piece), np.ones((3, 3), np.uint8))
        free: NDArray[np.bool_] = self.view.known & ~self.view.guessed & (others == 0)
        return free.repeat(CELL, 0).repeat(CELL, 1)

    @cached_property
    def _fine(self) -> tuple[Floats, Floats]:
        """What is seen and how it looks empty, each without what changes only slowly."""
        across = 2 * round(_FINE_MM * self.view.scale / 2) + 1
        fine = []
        for picture in (self.view.seen, self.view.ground):
            grey = cv2.GaussianBlur(np.log(np.asarray(picture, np.float32).mean(2) + 0.02), (3, 3), 0)
            fine.append(grey - cv2.blur(grey, (across, across)))
        return fine[0], fine[1]


def find(views: Sequence[View], piece: Piece) -> list[Seen]:
    """All views, those of one size together."""
    found: dict[int, Seen] = {}
    sizes: dict[tuple[int, ...], list[int]] = {}
    for number, view in enumerate(views):
        sizes.setdefault(view.seen.shape, []).append(number)
    for numbers in sizes.values():
        own = [views[number] for number in numbers]
        made = np.stack([planes(view.seen, view.ground if view.known.any() else None) for view in own])
        cells = network.cells(made, np.stack([view.leans for view in own]))
        for number, view, one in zip(numbers, own, cells, strict=True):
            found[number] = _seen(view, one, piece)
    return [found[number] for number in range(len(views))]


def _seen(view: View, cells: Floats, piece: Piece) -> Seen:
    breadth = min(piece.size) * view.scale / CELL
    feet, heights = _feet(cells, max(_NEAR, 0.55 * breadth))
    rows, columns = np.nonzero(cells[2] > 0.5)
    votes = np.column_stack([columns + 0.5 + cells[4, rows, columns], rows + 0.5 + cells[5, rows, columns]])
    owner = _owners(votes, feet, max(2.0, 0.8 * breadth))
    feet, heights, owner, made_up = _orphans(votes, feet, heights, owner, breadth)
    groups = [np.flatnonzero(owner == number) for number in range(len(feet))]
    colours = _colours(view, feet, rows, columns, groups, cells[2])
    each = (CELL / view.scale) ** 2
    changes = _changes(view) if view.known.any() else None
    figures = []
    for number, ((x, y), mine) in enumerate(zip(feet.tolist(), groups, strict=True)):
        stray = float(np.hypot(votes[mine, 0] - x, votes[mine, 1] - y).sum()) / max(len(mine), 1)
        doubtful = bool(heights[number] < CLEAR) or number >= made_up or stray > max(1.0, 0.4 * breadth)
        area = len(mine) * each
        row, column = _cell(view, x, y)
        foot, known = view.to_table(x, y), bool(view.known[row, column])
        shadow = dark = 0.0
        if changes is not None and known:
            own = (rows[mine], columns[mine]) if len(mine) else (row, column)
            shadow, dark = float(changes.shadow[own].mean()), float(changes.dark[own].mean())
        figures.append(Found(foot, float(heights[number]), area, colours[number], doubtful, known, shadow, dark))
    bodies = _bodies(view, feet, piece)
    bodies[rows[owner >= 0], columns[owner >= 0]] = 1
    return Seen(view, tuple(figures), _things(view, cells, bodies, changes), piece)


def _quarters(box: Box) -> list[Box]:
    wide, tall = box.size
    half = wide / 2, tall / 2
    return [Box(box.at(x * wide, y * tall), half, box.angle) for x in (0.25, 0.75) for y in (0.25, 0.75)]


def _cell(view: View, x: float, y: float) -> tuple[int, int]:
    """The row and column of a place, or of the nearest one in the view."""
    rows, columns = view.known.shape
    return min(max(int(y), 0), rows - 1), min(max(int(x), 0), columns - 1)


def _bodies(view: View, feet: NDArray[np.floating[Any]], piece: Piece) -> NDArray[np.uint8]:
    """About what the figures on these feet cover, from foot to head."""
    covered = np.zeros(view.known.shape, np.uint8)
    wide, per_mm = max(1, round(max(piece.size) * view.scale / CELL)), view.scale / CELL
    high = (piece.height or max(piece.size)) * per_mm / 2
    for x, y in feet.tolist():
        right, down = view.leans[:2, *_cell(view, x, y)] * high
        cv2.line(covered, (round(x - 0.5), round(y - 0.5)), (round(x - 0.5 + right), round(y - 0.5 + down)), 1, wide)
    return covered


def _feet(cells: Floats, near: float) -> tuple[Floats, Floats]:
    """Where in the view (in cells) feet are, the likeliest first, and how likely."""
    heat = cells[0]
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > FAINT))
    heights = heat[rows, columns]
    own = (cells[2, rows, columns] > 0.3).astype(np.float32)
    feet = np.column_stack(
        [
            columns + 0.5 + np.clip(cells[4, rows, columns], -1, 1) * own,
            rows + 0.5 + np.clip(cells[5, rows, columns], -1, 1) * own,
        ]
    ).astype(np.float32)
    kept: list[int] = []
    for number in np.argsort(-heights):
        if not kept or np.hypot(*(feet[kept] - feet[number]).T).min() >= near:
            kept.append(int(number))
    return feet[kept].reshape(-1, 2), heights[kept]


def _owners(votes: NDArray[np.float64], feet: Floats, reach: float) -> Ints:
    """For each figure cell the foot it points at, or -1."""
    if not len(feet) or not len(votes):
        return np.full(len(votes), -1)
    apart = np.hypot(votes[:, None, 0] - feet[None, :, 0], votes[:, None, 1] - feet[None, :, 1])
    nearest = apart.argmin(1)
    return np.where(apart[np.arange(len(votes)), nearest] <= reach, nearest, -1)


def _orphans(
    votes: NDArray[np.float64], feet: Floats, heights: Floats, owner: Ints, breadth: float
) -> tuple[Floats, Floats, Ints, int]:
    """Cells that point at no foot: enough of them together may be a figure all the same."""
    known = len(feet)
    enough = max(3, round(0.35 * breadth**2))
    owner = owner.copy()
    while (owner < 0).sum() >= enough:
        lost = np.flatnonzero(owner < 0)
        apart = np.hypot(*(votes[lost, None] - votes[None, lost]).transpose(2, 0, 1))
        together = apart < max(1.5, 0.5 * breadth)
        crowd = int(together.sum(1).argmax())
        members = lost[together[crowd]]
        if len(members) < enough:
            break
        owner[members] = len(feet)
        feet = np.vstack([feet, votes[members].mean(0)]).astype(np.float32)
        heights = np.append(heights, FAINT).astype(np.float32)
    return feet, heights, owner, known


def _colours(view: View, feet: Floats, rows: Ints, columns: Ints, groups: Sequence[Ints], chance: Floats) -> Floats:
    """Each figure's colour: the middle of the brighter half of the squares that are surely its own, or at its foot.

    The darker half is the side turned from the light, which says more about the lamp than about the paint.
    """
    colours = np.zeros((len(groups), 3), np.float32)
    whose = np.full((chance.shape[0] + 2, chance.shape[1] + 2), -1)
    for number, mine in enumerate(groups):
        whose[rows[mine] + 1, columns[mine] + 1] = number
    middle = whose[1:-1, 1:-1]
    inner = (whose[:-2, 1:-1] == middle) & (whose[2:, 1:-1] == middle)
    inner &= (whose[1:-1, :-2] == middle) & (whose[1:-1, 2:] == middle)
    squares = view.colours.reshape(chance.shape[0], CELL // FINE, chance.shape[1], CELL // FINE, 3)
    for number, (mine, (x, y)) in enumerate(zip(groups, feet.tolist(), strict=True)):
        if len(mine):
            inside = mine[inner[rows[mine], columns[mine]]]
            if len(inside) < _INNER:
                inside = mine[np.argsort(-chance[rows[mine], columns[mine]])][: _INNER + 1]
            own = squares[rows[inside], :, columns[inside]]
        else:
            row, column = _cell(view, x, y)
            own = squares[row, :, column]
        pixels = own.reshape(-1, 3)
        brighter = pixels[np.argsort(pixels[:, 0])[len(pixels) // 2 :]]
        colours[number] = np.sort(brighter, axis=0)[len(brighter) // 2]
    return colours


def _things(view: View, cells: Floats, bodies: NDArray[np.uint8], changes: Changes | None) -> NDArray[np.int32]:
    """Something above the table, or (the ground being known) anything that was not there before, but for figures."""
    strange = cells[3] > _COVER
    if changes is not None:
        free = cv2.dilate(bodies, np.ones((3, 3), np.uint8)) == 0
        # Where something seems to be above the table, any difference will do.
        changed = free & changes.unlike & (strange | ~changes.shadow)
        strange = np.where(view.known & ~view.guessed, changed, strange)
    return np.asarray(cv2.connectedComponents(opened(strange), connectivity=4)[1], np.int32)


def opened(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """A mask without specks and lines that are thinner than two squares."""
    square = np.ones((2, 2), np.uint8)
    # An even square has no middle: what one step moves, the other must move back.
    thin = cv2.erode(mask.astype(np.uint8), square, anchor=(0, 0))
    return np.asarray(cv2.dilate(thin, square, anchor=(1, 1)), np.uint8)


def _changes(view: View) -> Changes:
    """What differs from the ground, and where that may be a shadow that is there now, or was there then."""
    size = view.known.shape[1::-1]
    seen, empty = (
        np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)
        for picture in (view.seen, view.ground)
    )
    apart = np.linalg.norm((lab(seen) - lab(empty)) * np.array([0.7, 1, 1], np.float32), axis=2)
    ratio = (seen + 0.02) / (empty + 0.02)
    level = ratio.mean(2)
    tint = np.abs(ratio - level[..., None]).max(2)
    # Where a shadow lay when the ground was learnt, it is brighter now, but not brighter than the ground around.
    around = cv2.dilate(empty.mean(2), np.ones((_AROUND, _AROUND), np.uint8))
    shadow = (seen.mean(2) < _BRIGHTER * around) & (tint < _TINT * level + _NOISE)
    return Changes(apart > STANDS_OUT, shadow, level < _DARKEST)
