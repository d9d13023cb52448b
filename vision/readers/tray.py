"""Reads `tray` zones: loose flat pieces in any position and rotation, face up or down.

What stands out from the bare ground is looked at: first what has just the outline of one piece, then whatever is
left, searched closely for pieces that touch, lie on each other, or hardly differ from the ground.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.kernel.messages import Found
from vision.faces.examples import CLEAR, Guess
from vision.faces.faces import NOTHING, Faces
from vision.faces.wholes import oblong
from vision.layout import Box, Piece, Point
from vision.picture.background import SCALE, Ground, Mask
from vision.picture.table_picture import Capsule, TablePicture
from vision.plane.plane import Points

STEP: Final = 0.1
"""How closely the tray is searched, in piece widths; a rough look tolerates being half of that off."""
_MOST: Final = (5, 5)
_SOME: Final = (3, 3)
"""Most and some of a piece's width, in steps."""
BARE: Final = 6.5
"""A mean difference from the ground (CIE Lab) that no piece stays below; from there on something lies here."""
WORTH_A_LOOK: Final = 0.42
"""On taught tables rough looks at pieces were above 0.5."""
_NUDGES: Final = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y], np.float64)
_AROUND: Final = np.array([(x, y) for x in np.arange(-5, 6) for y in np.arange(-5, 6) if x * x + y * y < 30]) * 0.11
"""Where the centre of a piece may be that shows at a place, in piece widths."""
_FAINT_PLACES: Final = 4
_BORDER: Final = 5.0
"""Millimetres from the edge of a tray within which its mat may be printed otherwise."""
_STEPS: Final = (0.055, 0.025)
"""From a start to a piece's centre in steps of so many piece widths."""
FAINT: Final = 8.0
"""A mean difference beside the pieces found that is worth another look: a shadow, or a piece like its ground."""
A_HINT: Final = 0.5
A_PIECE: Final = 0.64
"""On pictures of taught tiles, what was a tile was above 0.72 and what was none below 0.55."""
WEAK: Final = 0.75
"""Below this a piece is looked for about what was found, too."""
PARTLY: Final = 0.7
"""So much the part that shows of a piece under others must be like it: the less shows, the more is alike."""
HILLTOP: Final = 0.4
"""Within so many piece widths of a likely centre no other one is looked for."""
APART: Final = 0.5
"""Two pieces' centres are at least so many piece widths apart; closer, one lies on the other."""
UNEXPLAINED: Final = 0.06
"""If something larger than this share of a piece lies there and is none, the tray cannot be counted."""
_SLIVER: Final = np.ones((3, 3), np.uint8)
"""What is nowhere wider (in pixels) is the rim of a piece that lies a millimetre beside where it was found."""
SHADED: Final = 0.9
"""Where so much of what shows is the ground in shadow, nothing lies, …"""
ENOUGH: Final = 0.06
"""… if so much shows of what a piece would hide there."""
INNER: Final = 0.42
"""So many of its widths about its middle a piece hides everything, even if it lies a little beside it."""
OUTLINE: Final = 0.2
"""What has the outline of one piece differs from its size by no more than this share."""


def read(
    sight: TablePicture, trays: Mapping[str, tuple[Box, Ground | None]], faces: Faces
) -> dict[str, tuple[Found, ...] | None]:
    """The pieces in each tray (its area and its bare ground, if known); None where they cannot be counted.

    Trays that hold the same family are read together: a few hundred looks cost little more than ten.
    """
    searched = {
        name: _Search(sight, ground, area, faces.piece)
        for name, (area, ground) in trays.items()
        if sight.plane.sees(area)
    }
    _search(sight, list(searched.values()), faces)
    for one in searched.values():
        _look_underneath(sight, one, faces)
    return {name: searched[name].result() if name in searched else None for name in trays}


def _confidence(guess: Guess) -> float:
    return round(min(max((guess.likeness - 0.5) / 0.3, 0.0), 0.999), 3)


class _Search:
    """A tray being searched: how far each place is from its bare ground, what was found, and what may be a piece.

    If the bare ground is unknown, all of it might be covered.
    """

    def __init__(self, sight: TablePicture, ground: Ground | None, area: Box, piece: Piece) -> None:
        self._size = min(piece.size)
        self.around = area.grown(self._size / 4)
        self.pieces: list[Guess] = []
        self.hints: list[Guess] = []
        self.unexplained: list[Point] = []
        self._piece = piece
        # A square's corners reach further than its sides, and a piece casts an edge of shadow.
        self._reach = 0.6 if piece.round else 0.78
        # A long piece is taken out as it lies, others as if they were round.
        self._oblong = oblong(piece)
        self._over = ground.look(sight) if ground is not None and ground.known else None
        self._ground = Ground(self.around) if self._over is None else self._over.ground
        width, height = (round(side * SCALE) for side in self._ground.box.size)
        self._apart = np.full((height, width), 2 * BARE, np.float32) if self._over is None else self._over.apart_today
        self._step = max(1, round(STEP * self._size * SCALE))
        self._mean = self._meant(self._apart)

    def take(self, guesses: list[Guess]) -> bool:
        """Keep what is new among these guesses; whether there was a piece."""
        here = _kept([guess for guess in guesses if self.around.holds((guess.x, guess.y))], self.pieces, self._size)
        kept = [guess for guess in here if not self._part_of_another(guess, here)]
        new = [guess for guess in kept if guess.likeness >= A_PIECE]
        self.pieces += new
        self.hints = [hint for hint in self.hints if _apart(hint, self.pieces, APART * self._size)]
        self.hints += [guess for guess in kept if A_HINT <= guess.likeness < A_PIECE and self._lies_at(guess)]
        return bool(new)

    def sticks_out(self, guess: Guess) -> bool:
        """Whether a piece would reach well beyond the tray's edge."""
        corners = Box((guess.x, guess.y), self._piece.size, guess.angle).corners()
        return not self._piece.round and not all(self.around.holds(corner) for corner in corners)

    def _part_of_another(self, guess: Guess, others: list[Guess]) -> bool:
        """Whether what is hardly a piece has its middle on one that was found, or on a clearer one.

        Of two pieces that lie so, the lower one cannot be the clearer: its middle is hidden.
        """
        found = [*self.pieces, *(other for other in others if other.likeness >= WEAK)]
        return any(
            Box((piece.x, piece.y), self._piece.size, piece.angle).holds((guess.x, guess.y))
            for piece in found
            if guess.likeness < max(WEAK, piece.likeness)
        )

    def result(self) -> tuple[Found, ...] | None:
        pieces, weak = self._told_from_shadows()
        # Something may lie apart from the pieces found that is nearly one of them.
        nearly = [hint for hint in weak if _apart(hint, pieces, 0.85 * self._size)]
        if self.unexplained or nearly or any(guess.lead < CLEAR for guess in pieces):
            return None
        return tuple(
            Found(str(guess.label), round(guess.x, 2), round(guess.y, 2), round(guess.angle, 1), _confidence(guess))
            for guess in pieces
        )

    def _told_from_shadows(self) -> tuple[list[Guess], list[Guess]]:
        """The pieces and the hints, without those that are the ground in shadows which others cast."""
        clear = [guess for guess in self.pieces if guess.likeness >= WEAK]
        doubtful = [guess for guess in self.pieces if guess not in clear]
        if self._over is None or not (doubtful or self.hints):
            return self.pieces, self.hints
        free = self._without(1 - self._ground.holes(), self._reach, clear)
        ground = self._over.in_shadow(free)
        there = [guess for guess in doubtful if not self._shows_only(guess, ground, free)]
        return [*clear, *there], [hint for hint in self.hints if not self._shows_only(hint, ground, free)]

    def _shows_only(self, guess: Guess, ground: NDArray[np.bool_], free: Mask) -> bool:
        """Whether what shows of the place of a piece is only ground."""
        own = np.zeros_like(free)
        x, y = self._ground.to_pixels((guess.x, guess.y))
        cv2.circle(own, (round(x), round(y)), round(INNER * self._size * SCALE), 1, -1)
        shows = (own & free) > 0
        return bool(shows.sum() >= ENOUGH * own.sum() and ground[shows].mean() >= SHADED)

    def single(self) -> list[Point]:
        """The middles of what has the outline of one piece, standing out clearly or (pale on pale) less so."""
        if self._over is None:
            return []
        places: list[Point] = []
        for mask in (self._over.standing_out, (self._apart > BARE).view(np.uint8)):
            for place in self._outlined(mask):
                if all(math.dist(place, other) >= HILLTOP * self._size for other in places):
                    places.append(place)
        return places

    def _outlined(self, mask: Mask) -> Iterator[Point]:
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        sides = sorted(self._piece.size)
        for outline in cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            middle, rect, _ = cv2.minAreaRect(outline)
            # The outline runs through the centres of the outermost pixels.
            seen = sorted((side + 1) / SCALE for side in rect)
            if all(abs(one - other) <= OUTLINE * other for one, other in zip(seen, sides, strict=True)):
                yield self._ground.to_table(*middle)

    def elsewhere(self) -> Points:
        """Where the centre of another piece could be: all over the tray, but for found pieces and bare ground."""
        rows, columns = np.nonzero(self._meant(self._without(self._apart, 0.5)) > BARE)
        pixels = np.asarray((np.column_stack([columns, rows]) + 0.5) * self._step - 0.5, np.float64)
        points = self._ground.all_to_table(pixels)
        off = np.abs((points - self.around.centre) @ self._ground.axes.T)
        points = points[(off < np.array(self.around.size) / 2 - 0.45 * self._size).all(1)]
        for guess in self.pieces:
            points = points[np.hypot(*(points - (guess.x, guess.y)).T) >= APART * self._size]
        return points

    def _lies_at(self, guess: Guess) -> bool:
        x, y = self._ground.to_pixels((guess.x, guess.y))
        rows, columns = self._mean.shape
        row, column = (min(max(int(value / self._step), 0), end - 1) for value, end in ((y, rows), (x, columns)))
        return bool(self._mean[row, column] > BARE)

    def left(self) -> list[Point]:
        """Where something lies that is none of the pieces found: one of them underneath, a hand, or a foreign thing."""
        if self._over is None:
            return []
        mask = self._without(self._known(self._over.standing_out), self._reach)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SLIVER), np.uint8)
        smallest = UNEXPLAINED * self._piece.size[0] * self._piece.size[1] * SCALE**2
        if cv2.countNonZero(mask) <= smallest:
            return []
        _, _, stats, centres = cv2.connectedComponentsWithStats(mask)
        inner = self.around.grown(-self._size / 4 - _BORDER)
        places = []
        for number in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > smallest) + 1:
            place = self._ground.to_table(*centres[number])
            # A printed border is never quite where it was; only what is large matters there.
            if inner.holds(place) or stats[number, cv2.CC_STAT_AREA] > 5 * smallest:
                places.append(place)
        return places

    def faint(self) -> list[Point]:
        """Where the tray, beside the pieces found, differs from its ground over some width, if only faintly."""
        if self._over is None:
            return []
        mean = self._meant(self._without(self._known(self._apart), self._reach), _SOME)
        places: list[Point] = []
        while len(places) < _FAINT_PLACES:
            _, most, _, (x, y) = cv2.minMaxLoc(mean)
            if most < FAINT:
                break
            cv2.circle(mean, (x, y), round(0.5 / STEP), 0, -1)
            places.append(self._ground.to_table((x + 0.5) * self._step - 0.5, (y + 0.5) * self._step - 0.5))
        return places

    def _known(self, picture: NDArray[Any]) -> NDArray[Any]:
        """A picture of the tray where its ground was seen; elsewhere it was painted in, and may well look different."""
        return np.asarray(cv2.copyTo(picture, 1 - self._ground.holes()))

    def _without(self, picture: NDArray[Any], share: float, pieces: list[Guess] | None = None) -> NDArray[Any]:
        """A picture of the tray with the pieces found (or only these) taken out, to a share of their longer side."""
        left, pieces = picture.copy(), self.pieces if pieces is None else pieces
        if self._oblong:
            # A circle that holds a card's corners reaches far over its neighbours, one that does not leaves them.
            beyond = (share - 0.5) * self._size
            for guess in pieces:
                own = Box((guess.x, guess.y), self._piece.size, guess.angle).grown(beyond)
                corners = self._ground.all_to_pixels(np.array(own.corners()))
                cv2.fillConvexPoly(left, np.round(corners).astype(np.int32), 0)
            return left
        radius = round(max(self._piece.size) * share * SCALE)
        centres = np.array([(guess.x, guess.y) for guess in pieces]).reshape(-1, 2)
        for x, y in self._ground.all_to_pixels(centres).round().astype(int).tolist():
            cv2.circle(left, (x, y), radius, 0, -1)
        return left

    def _meant(self, apart: NDArray[np.float32], width: tuple[int, int] = _MOST) -> NDArray[np.float32]:
        """The difference over some of a piece's width, a pixel a step."""
        rows, columns = (max(1, side // self._step) for side in apart.shape)
        whole = apart[: rows * self._step, : columns * self._step]
        small = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.blur(small, width), np.float32)


def _search(sight: TablePicture, trays: list[_Search], faces: Faces) -> None:
    """What has a piece's outline first; then whatever is left of the trays, until nothing new is found.

    Beside a piece nothing else looks like a centre until that piece is taken out.
    """
    outlined = [place for tray in trays for place in tray.single()]
    plain = _looked_at(sight, np.array(outlined).reshape(-1, 2), faces)
    for tray in trays:
        tray.take(plain)
    while trays:
        points = np.concatenate([tray.elsewhere() for tray in trays])
        guesses = _looked_at(sight, _hilltops(sight, points, faces), faces)
        weak = [guess for guess in guesses if A_PIECE <= guess.likeness < WEAK]
        guesses += _looked_at(sight, _around(sight, weak, faces), faces)
        trays = [tray for tray in trays if tray.take(guesses)]


def _look_underneath(sight: TablePicture, tray: _Search, faces: Faces) -> None:
    """What is left, faint or doubtful may be pieces that lie partly under others, or hardly differ from the ground."""
    while True:
        tray.unexplained = tray.left()
        places = [*tray.unexplained, *tray.faint(), *((hint.x, hint.y) for hint in tray.hints)]
        # What shows little of itself, and that not even in the tray, is a shadow along its edge.
        below = [guess for guess in _underneath(sight, places, tray.pieces, faces) if not tray.sticks_out(guess)]
        if not below:
            return
        tray.pieces += below


def _hilltops(sight: TablePicture, points: Points, faces: Faces, apart: float | None = None) -> Points:
    """The likeliest of these points, none close to another."""
    if not len(points):
        return points
    rough = faces.roughly(sight, points)
    left = rough >= WORTH_A_LOOK
    near = HILLTOP * min(faces.piece.size) if apart is None else apart
    chosen: list[int] = []
    while left.any():
        chosen.append(int(np.where(left, rough, -9.0).argmax()))
        left &= np.hypot(*(points - points[chosen[-1]]).T) >= near
    return points[chosen]


def _around(sight: TablePicture, weak: list[Guess], faces: Faces) -> Points:
    """The likeliest centres about pieces that are hardly any: a corner of one may look like another's middle."""
    size = min(faces.piece.size)
    starts = [_hilltops(sight, np.array([(one.x, one.y)]) + _AROUND * size, faces, 0.2 * size) for one in weak]
    return np.concatenate([np.zeros((0, 2)), *(start[:_FAINT_PLACES] for start in starts)])


def _looked_at(sight: TablePicture, starts: Points, faces: Faces) -> list[Guess]:
    """Climb from each start to the best centre, all of them together, and look there closely."""
    if not len(starts):
        return []
    bank = faces.bank()
    steps = [_NUDGES * step * min(faces.piece.size) for step in _STEPS]
    return faces.closely(sight, faces.climbed(sight, starts, steps, bank), bank)


def _underneath(sight: TablePicture, places: list[Point], above: list[Guess], faces: Faces) -> list[Guess]:
    """Pieces that lie partly under others, about these places: told by what shows of them."""
    size = min(faces.piece.size)
    reach = size * (0.52 if faces.piece.round else 0.68)
    found: list[Guess] = []
    for place in places:
        near = [guess for guess in [*above, *found] if math.dist((guess.x, guess.y), place) < 2.5 * size]
        over = [_lying_over(guess, faces.piece, reach) for guess in near]
        points = np.asarray(place) + _AROUND * size
        for step in (*_STEPS, 0.0):
            for other in near:
                points = points[np.hypot(*(points - (other.x, other.y)).T) >= APART * size]
            if not len(points):
                break
            (best,) = faces.partly(sight, points, faces.shown(points, over, rough=step > 0), faces.bank(), 1)
            if best.likeness < NOTHING:
                break
            points = np.array([(best.x, best.y)]) + np.concatenate([_NUDGES, [(0, 0)]]) * step * size
        else:
            if best.likeness >= PARTLY and best.lead >= CLEAR:
                found.append(best)
    return found


def _lying_over(guess: Guess, piece: Piece, reach: float) -> Capsule:
    """What a piece hides: so far about its middle, or about the line along the middle of a long one."""
    longer = (max(piece.size) - min(piece.size)) / 2
    box = Box((guess.x, guess.y), piece.size, guess.angle)
    along = (0.0, longer) if piece.size[1] > piece.size[0] else (longer, 0.0)
    ends = [box.at(piece.size[0] / 2 + way * along[0], piece.size[1] / 2 + way * along[1]) for way in (-1, 1)]
    return Capsule(ends[0], ends[1], reach)


def _kept(guesses: list[Guess], found: list[Guess], size: float) -> list[Guess]:
    """The best of those that would lie on top of each other, or of what was found before."""
    kept: list[Guess] = []
    for guess in sorted(guesses, key=lambda one: -one.likeness):
        if _apart(guess, [*found, *kept], APART * size):
            kept.append(guess)
    return kept


def _apart(guess: Guess, others: list[Guess], distance: float) -> bool:
    return all(math.hypot(guess.x - other.x, guess.y - other.y) >= distance for other in others)
