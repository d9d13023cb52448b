"""Finds the figures of one family in whole areas, and reads single places, after a few examples of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures import areas as views
from vision.figures import finder
from vision.figures.areas import View
from vision.figures.colours import ALIKE, POSSIBLE, Colours
from vision.figures.finder import CLEAR, Found, Seen
from vision.figures.paint import Paints
from vision.figures.places import FigureGuess, Places
from vision.figures.witnesses import SHADOW, by_colour
from vision.layout import Box, Piece, Point
from vision.picture.background import Ground
from vision.picture.table_picture import TablePicture
from vision.plane.plane import Plane

MOST_EXAMPLES: Final = 12
"""So many examples of a label say all; of more, those are taken that stand farthest from others."""
_MEASURED: Final = 6
"""On so many of them, the freest, the paint is measured."""
_ONE_MM: Final = 45.0
"""A place no larger than this is for one figure, where figures are told by shape."""
_EXAMPLE_MM: Final = 14.0
"""An example is looked for in a square of this side."""
_ASIDE_MM: Final = 8.0
"""So far from where it was said to stand an example is still itself."""
_PARTLY_SHADOW: Final = 0.5
"""What may be a shadow by this share is no second figure."""
_BEYOND_MM: Final = 2.0
"""A foot so little outside an area belongs to it."""


class Finds(msgspec.Struct, frozen=True, eq=False):
    """Every figure or possible figure of an area, and the view it was found in."""

    figures: tuple[FigureGuess, ...]
    seen: Seen

    def hidden(self, box: Box, figures: Sequence[FigureGuess] = ()) -> bool:
        """Whether something that is neither ground nor shadow nor one of these or another sure figure lies over it."""
        feet = [(figure.x, figure.y) for figure in (*self.figures, *figures) if figure.sure]
        return self.seen.hidden(box, feet)


class _Example(msgspec.Struct, frozen=True, eq=False):
    """A figure that was shown: how it looked, where it was said to stand, and in which picture."""

    view: View
    foot: Point
    label: str
    plane: Plane


class Figures:
    """The figures taught for one family of pieces."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self._scale = views.SCALE / views.size_of(piece)
        self._places = Places(piece)
        self._examples: list[_Example] = []
        self._colours: Colours | None = None
        self._paints: Paints | None = None

    @property
    def colours(self) -> Colours | None:
        """The taught colours, if figures are told by them alone."""
        if self._colours is None:
            self.finish()
        return self._colours if self._colours is not None and self._colours.enough else None

    def learn_ground(self, sight: TablePicture, box: Box) -> None:
        """A place that is known to be empty."""
        self._places.learn_ground(sight, box)

    def learn(self, sight: TablePicture, box: Box, label: str) -> None:
        """A place on which that figure stands, perhaps among others."""
        self._places.learn(sight, box, label)
        square = Box(box.centre, (_EXAMPLE_MM, _EXAMPLE_MM))
        (frame, _), *_ = views.frames(sight.plane, [square], self.piece)
        view = views.look(sight, frame, [], self._scale)
        self._examples.append(_Example(view, box.centre, label, sight.plane))
        self._colours = None

    def finish(self) -> None:
        """Derive what the examples say; reading does so by itself when there is something new."""
        if not self._examples:
            return
        chosen = self._chosen()
        shown = self._shown(chosen)
        self._colours = Colours([example.label for example in chosen], shown)
        self._paints = Paints(self._colours.known)
        for number, label in enumerate(self._colours.labels):
            own = [(e.view, found.foot) for e, found in zip(chosen, shown, strict=True) if found and e.label == label]
            self._paints.learn(number, own[:_MEASURED], self._height(), math.prod(self.piece.size))
        if not self._colours.enough:
            self._places.finish()

    def read(self, sight: TablePicture, boxes: Mapping[str, Box]) -> dict[str, FigureGuess]:
        """What stands on each of these places, one figure at most on each."""
        return self._places.read(sight, boxes)

    def find(
        self,
        sight: TablePicture,
        areas: Sequence[Box],
        grounds: Sequence[Ground | None],
        standing: Sequence[Box] = (),
    ) -> list[Finds]:
        """The figures that stand in each area; its ground is None if it was never seen empty.

        Something is known to stand in each box of `standing`; the question there is only what.
        """
        if self._colours is None:
            self.finish()
        found: dict[int, Finds] = {}
        frames = views.frames(sight.plane, areas, self.piece)
        looked = [
            views.look(sight, frame, _different([grounds[number] for number in members]), self._scale)
            for frame, members in frames
        ]
        for (_, members), seen in zip(frames, finder.find(looked, self.piece), strict=True):
            boxes = [areas[number] for number in members]
            guesses = self._guesses(sight, seen, boxes, standing)
            owners = [_owner((guess.x, guess.y), boxes) for guess in guesses]
            for at, number in enumerate(members):
                own = tuple(guess for guess, owner in zip(guesses, owners, strict=True) if owner == at)
                found[number] = Finds(own, seen)
        return [found[number] for number in range(len(areas))]

    def _chosen(self) -> list[_Example]:
        """The examples that stand freest, so many of each label."""

        def room(example: _Example) -> float:
            return min(
                (
                    math.dist(other.foot, example.foot)
                    for other in self._examples
                    if other is not example and other.plane is example.plane
                ),
                default=math.inf,
            )

        chosen = []
        for label in dict.fromkeys(example.label for example in self._examples):
            own = [example for example in self._examples if example.label == label]
            chosen += sorted(own, key=room, reverse=True)[:MOST_EXAMPLES]
        return chosen

    def _shown(self, examples: Sequence[_Example]) -> list[Found | None]:
        """For each example the figure that was found nearest to where it was said to stand."""
        found: list[Found | None] = []
        seen = finder.find([example.view for example in examples], self.piece)
        for one, example in zip(seen, examples, strict=True):
            near = min(one.figures, key=lambda figure: math.dist(figure.foot, example.foot), default=None)
            found.append(near if near and math.dist(near.foot, example.foot) <= _ASIDE_MM else None)
        return found

    def _guesses(
        self, sight: TablePicture, seen: Seen, boxes: Sequence[Box], standing: Sequence[Box]
    ) -> list[FigureGuess]:
        """What stands in a view, beyond the areas too."""
        colours = self._colours
        if colours is None or not colours.labels:
            return [FigureGuess(None, False, 0.0, *figure.foot) for figure in seen.figures]
        if colours.enough and self._paints is not None:
            return by_colour(seen, colours, self._paints, self._height(), standing)
        return self._by_shape(sight, seen, boxes, colours)

    def _by_shape(self, sight: TablePicture, seen: Seen, boxes: Sequence[Box], colours: Colours) -> list[FigureGuess]:
        """Figures whose colour alone does not name them: each is looked at closely, and each place for a single one."""
        owners = [_owner(figure.foot, boxes) for figure in seen.figures]
        each = [
            [figure for figure, owner in zip(seen.figures, owners, strict=True) if owner == number]
            for number in range(len(boxes))
        ]
        single = {str(at): box for at, box in enumerate(boxes) if max(box.size) <= _ONE_MM * self._places.scale}
        read = self._places.read(sight, single)
        guesses = []
        for number, (box, figures) in enumerate(zip(boxes, each, strict=True)):
            if str(number) in read:
                guesses += _agreed(read[str(number)], figures)
            elif figures:
                guesses += self._closely(sight, box, figures, seen.figures, colours)
        return guesses

    def _closely(
        self, sight: TablePicture, box: Box, figures: Sequence[Found], every: Sequence[Found], colours: Colours
    ) -> list[FigureGuess]:
        """The figures of an area, each through its own window, in which its neighbours are left out."""
        apart = colours.apart(np.stack([figure.colour for figure in figures]))
        likely = [(figure, row) for figure, row in zip(figures, apart, strict=True) if colours.likely(figure, row)]
        looked = [(figure.foot, box, figure.colour) for figure, _ in likely]
        named = self._places.name(sight, looked, [(other.foot, other.colour) for other in every])
        guesses = []
        for (figure, row), guess in zip(likely, named, strict=True):
            doubtful = figure.doubtful and not _painted(figure, row)
            sure = guess.sure and guess.label is not None and not doubtful and colours.fits(figure.area)
            # In a huddle the window may show more of a neighbour than of its own figure.
            sure &= guess.label is not None and colours.has(guess.label, row)
            guesses.append(FigureGuess(guess.label, sure, guess.confidence if sure else 0.5, *figure.foot))
        return guesses

    def _height(self) -> float:
        return self.piece.height or max(self.piece.size)


def _painted(figure: Found, apart: NDArray[np.float32]) -> bool:
    """Whether a foot that is not quite clear has a taught colour all about it, which no shadow has."""
    faint = POSSIBLE <= figure.clear < CLEAR
    return faint and figure.on_known and figure.shadow < _PARTLY_SHADOW and float(apart.min()) <= ALIKE


def _agreed(guess: FigureGuess, figures: Sequence[Found]) -> list[FigureGuess]:
    """What stands on a place for a single figure, if a close look and what was found there agree."""
    clear = [figure for figure in figures if not figure.doubtful and figure.shadow <= SHADOW]
    if len(clear) > 1 and guess.sure:
        # On a place for one figure, what is mostly like a shadow beside one that is not at all is its shadow.
        clear = [figure for figure in clear if figure.shadow <= _PARTLY_SHADOW] or clear
    if len(clear) > 1:
        return [FigureGuess(None, False, 0.0, *figure.foot) for figure in clear]
    if guess.label is None and guess.sure and not clear:
        return []
    foot = clear[0].foot if clear else (guess.x, guess.y)
    sure = guess.sure and guess.label is not None
    return [FigureGuess(guess.label, sure, guess.confidence if sure else 0.5, *foot)]


def _different(grounds: Sequence[Ground | None]) -> list[Ground]:
    """Each known ground once: the places of a row share theirs."""
    return list({id(ground): ground for ground in grounds if ground is not None}.values())


def _owner(foot: Point, areas: Sequence[Box]) -> int:
    """The area a foot is in, or the one whose edge it is on, or -1."""
    inside = [number for number, area in enumerate(areas) if area.holds(foot)]
    beside = [number for number, area in enumerate(areas) if area.grown(_BEYOND_MM).holds(foot)]
    return next(iter([*inside, *beside]), -1)
