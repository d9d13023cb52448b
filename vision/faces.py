"""Flat pieces by their printed faces: tiles, cards, letters, backs, in any rotation, and the empty place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Piece, Point
from vision.looks import (
    WHOLE,
    Looks,
    colour_distance,
    distinct,
    likeness,
    likeness_of_parts,
    likeness_roughly,
    looks,
    ring_points,
    roughly,
    together,
)
from vision.overlays import Overlay, fit, fit_roughly, overlay
from vision.plane import Points
from vision.sight import Sight

COLOUR_WEIGHT: Final = 0.6
"""How much a difference in mean colour (as a share of white) counts against a likeness."""
SURE: Final = 0.66
"""Below this likeness nothing was recognised."""
CLEAR: Final = 0.12
"""So far from the next label towards the best one a face must look: 0 is in the middle, 1 exactly as taught."""


CLEAR_TWIN: Final = 0.18
"""… and so far, where another face is nearly the same: there a speck or a gleam counts as much as a digit."""
PLAIN_TWIN: Final = 0.6
"""… and with so much of a lead over its twins it needs no closer look."""
CLEAR_OVERLAY: Final = 0.2
"""The same for twins that were laid over what is seen, one after the other."""
FITS: Final = 0.7
"""So well the better one of them must fit."""
FITS_WELL: Final = 0.9
"""Where none fits so well, it may be one that nobody thought of: glaring light changes rings more than prints."""
_AMONG: Final = 3
"""So many labels are laid over it."""
PALE: Final = (0.58, 0.4)
"""Less like its examples (taught or seen in poor light), but so far from all others that it can be nothing else."""
EMPTY: Final = (0.58, 0.45)
"""In poor light noise covers an empty place: less like the taught one, if its tint is the same."""
_SAME_TINT, _OTHER_TINT = 0.03, 0.06
"""Light changes how bright an empty place is, and hardly its tint; a hand over it has another, and is as plain."""
_OTHER_COLOUR: Final = 0.15
"""Pieces whose tints are so far apart are of different colours."""
CLEARLY_EMPTY: Final = 0.3
"""An empty place must be clearer still: its ground may well look like some tile, and nothing is a strong word."""
EXAMPLES: Final = 5
"""Of each label so many examples are compared with; more cost time and add little."""
_BROAD: Final = 0.7
"""A figure hides so many of its widths on either side: half of it, its corners, and its shadow."""
SHOWS: Final = 0.35
"""When less than this share of a face shows, nobody should say what it is."""
_DARK: Final = 0.02
"""Added to colours, so that black has no tint."""
_HERE: Final = np.zeros((1, 2))
_CLOSE: Final = np.array([(x, y) for x in (-0.05, 0.0, 0.05) for y in (-0.05, 0.0, 0.05)])
"""Where a doubtful face is looked at again, in shares of its radius."""
_ASIDE: Final = np.array([(x, y) for x in np.linspace(-2.5, 2.5, 9) for y in np.linspace(-2.5, 2.5, 9)])
"""Where a face with a twin is looked at, in millimetres."""
_FINELY: Final = np.array([(x, y) for x in (-0.3, 0.0, 0.3) for y in (-0.3, 0.0, 0.3) if x or y])
"""… and again about the best places."""
_ABOUT: Final = np.array([(x, y) for x in (-1.5, 0.0, 1.5) for y in (-1.5, 0.0, 1.5)])
"""So far beside the middle of its piece, in millimetres, an example may have been taken."""
TWINS: Final = 0.7
"""Labels whose faces are so much alike at a rough look are twins."""
PLAIN: Final = (0.8, 0.35)
"""With this likeness and lead the first look is enough."""
NOTHING: Final = 0.35
"""With less than this likeness there is nothing to look at more closely."""
THERE: Final = 0.88
"""A rough look as good as this is at the right place."""


class Guess(msgspec.Struct, frozen=True):
    """What a face most likely is. `label` is None for an empty place; `sure` is False when nobody could tell.

    `rivals` are the labels that it could nearly as well be; `tint`, how far the tint of an empty place is from that
    of the taught one."""

    label: str | None
    likeness: float
    lead: float
    angle: float
    x: float
    y: float
    rivals: tuple[str, ...] = ()
    tint: float = _SAME_TINT

    @property
    def sure(self) -> bool:
        if self.label is None:
            pale = self.tint < _SAME_TINT and self.likeness >= EMPTY[0] and self.lead >= EMPTY[1]
            return pale or (self.likeness >= SURE and self.lead >= CLEARLY_EMPTY and self.tint <= _OTHER_TINT)
        return (self.likeness >= SURE and self.lead >= CLEAR) or (self.likeness >= PALE[0] and self.lead >= PALE[1])

    @property
    def plain(self) -> bool:
        return self.likeness >= PLAIN[0] and self.lead >= PLAIN[1]

    @property
    def confidence(self) -> float:
        """Between 0 and 1: how far above the lines drawn above."""
        above = max(min((self.likeness - SURE) / 0.3, (self.lead - CLEAR) / 0.5), 0.0 if self.sure else -1.0)
        return min(max(above * 0.5 + 0.5, 0.0), 0.999)


class Faces:
    """The faces taught for one family of flat pieces, and the empty place as one more."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self._taught: list[tuple[str | None, float, Looks, Looks, Looks, Overlay]] = []
        self._bank: Bank | None = None
        self._pieces: Bank | None = None

    @property
    def radius(self) -> float:
        """Millimetres from a piece's centre to its nearest edge: so far its face is looked at."""
        return min(self.piece.size) / 2

    @property
    def taught(self) -> bool:
        return any(label is not None for label, *_ in self._taught)

    def under(self, centre: Point, over: Sequence[Capsule]) -> bool:
        """Whether something hides a part of the face at this place."""
        return bool(over) and bool(hidden(ring_points(np.array([centre]), self.radius), over).any())

    def learn(self, sight: Sight, centre: Point, label: str | None, angle: float = 0.0) -> None:
        where = np.array([centre], np.float64)
        rough, about = self.roughly_at(sight, where), self.roughly_at(sight, where + _ABOUT)
        print_ = overlay(sight, centre, self.radius, self.piece.height)
        self._taught.append((label, angle, self.looks_at(sight, where), rough, about, print_))
        self._bank = self._pieces = None

    def pieces(self) -> Bank:
        """The examples without the empty place, for where emptiness is decided otherwise."""
        if self._pieces is None:
            self._pieces = self.bank().only_pieces()
        return self._pieces

    def bank(self) -> Bank:
        """The examples to compare with: of each label the few that differ most."""
        if self._bank is None:
            chosen: list[tuple[str | None, float, Looks, Looks, Looks, Overlay]] = []
            for label in dict.fromkeys(label for label, *_ in self._taught):
                mine = [taught for taught in self._taught if taught[0] == label]
                chosen += [mine[number] for number in distinct(together([look for _, _, look, *_ in mine]), EXAMPLES)]
            labels, angles, kept, rough, about, prints = zip(*chosen, strict=True)
            self._bank = Bank.of(labels, angles, together(kept), together(rough), together(about), prints)
        return self._bank

    def looks_at(self, sight: Sight, centres: Points) -> Looks:
        return looks(sight, centres, self.radius, self.piece.height)

    def roughly_at(self, sight: Sight, centres: Points) -> Looks:
        return roughly(sight, centres, self.radius, self.piece.height)

    def guesses(self, sight: Sight, centres: Points, steps: Sequence[Points], turning: bool = True) -> list[Guess]:
        """What lies at each of these places, give or take the steps (offsets in millimetres)."""
        bank = self.bank()
        return self.closely(sight, self.climbed(sight, centres, steps, bank, turning), bank, turning)

    def climbed(
        self, sight: Sight, starts: Points, steps: Sequence[Points], bank: Bank, turning: bool = True
    ) -> Points:
        """From each start to where a piece lies most likely, by rough looks at offsets (millimetres) ever smaller."""
        at = starts.copy()
        scores = bank.compare_roughly(self.roughly_at(sight, at), turning).max(1)
        for offsets in steps:
            off = np.flatnonzero(scores < THERE)
            if not len(off):
                break
            points = at[off, None] + offsets
            seen = self.roughly_at(sight, points.reshape(-1, 2))
            around = bank.compare_roughly(seen, turning).max(1).reshape(len(off), -1)
            best = around.argmax(1)
            better = around.max(1) > scores[off]
            at[off[better]] = points[better, best[better]]
            scores[off] = np.maximum(scores[off], around.max(1))
        return at

    def roughly(self, sight: Sight, points: Points) -> NDArray[np.float32]:
        """How much each of these points looks like the centre of a piece, cheaply."""
        return np.asarray(self.pieces().compare_roughly(self.roughly_at(sight, points)).max(1), np.float32)

    def closely(self, sight: Sight, centres: Points, bank: Bank, turning: bool = True) -> list[Guess]:
        """What lies at these places exactly; where one look leaves a doubt, looks around it follow."""
        guesses = self._looked(sight, centres, _HERE, bank, turning)
        doubtful = [number for number, guess in enumerate(guesses) if guess.likeness > NOTHING and not guess.plain]
        if doubtful:
            again = self._looked(sight, centres[doubtful], _CLOSE, bank, turning)
            for number, guess in zip(doubtful, again, strict=True):
                guesses[number] = guess
        guesses = self._with_tints(sight, guesses, bank)
        return [self._among_twins(sight, guess, bank, turning) for guess in guesses]

    def _with_tints(self, sight: Sight, guesses: list[Guess], bank: Bank) -> list[Guess]:
        """The guesses, and for each empty place how far its tint is from the nearest that was taught."""
        empty = [number for number, guess in enumerate(guesses) if guess.label is None and guess.likeness > NOTHING]
        if not empty:
            return guesses
        seen = self.looks_at(sight, np.array([(guesses[number].x, guesses[number].y) for number in empty])).colours
        tints = _tints_apart(seen + _DARK, bank.looks.colours[bank.empty] + _DARK).min(1)
        told = list(guesses)
        for number, tint in zip(empty, tints.tolist(), strict=True):
            told[number] = msgspec.structs.replace(guesses[number], tint=tint)
        return told

    def _among_twins(self, sight: Sight, guess: Guess, bank: Bank, turning: bool) -> Guess:
        """A face that has nearly the same as a neighbour in its family, or that could be another: each of them where
        it fits best.

        Nobody taught a piece exactly at its middle; where one of two twins fits, the other may be a millimetre off.
        """
        if guess.label is None or guess.likeness < PALE[0] or (twins := bank.twins(guess.label, guess.rivals)) is None:
            return guess
        points = np.array([(guess.x, guess.y)]) + _ASIDE
        scores, turned = twins.compare(self.looks_at(sight, points), 1, turning, finely=4)
        nearer = (points[twins.best_points(scores[0])][:, None] + _FINELY).reshape(-1, 2)
        finer = twins.compare(self.looks_at(sight, nearer), 1, turning, finely=4)
        scores, turned = (np.concatenate(both, 1) for both in zip((scores, turned), finer, strict=True))
        (told,) = twins.judged(scores, turned, np.concatenate([points, nearer])[None])
        if told.lead >= PLAIN_TWIN:
            return told
        likely = [twins.labels[number] for number in np.argsort(-scores[0].max(0))]
        return self._laid_over(sight, told, list(dict.fromkeys(likely))[:_AMONG], bank, turning)

    def _laid_over(self, sight: Sight, told: Guess, likely: list[str | None], bank: Bank, turning: bool) -> Guess:
        """Of the likeliest labels the one whose print fits best; of all labels, if none of these fits well."""
        seen = overlay(sight, (told.x, told.y), self.radius, self.piece.height)
        fits = {label: bank.fits(seen, label, turning) for label in likely}
        if max(fits.values()) < FITS_WELL:
            others = [label for label in bank.likely(seen, turning) if label not in fits]
            fits |= {label: bank.fits(seen, label, turning) for label in others}
        best, second = sorted(fits, key=lambda label: -fits[label])[:2]
        if best != told.label and bank.tints_apart(best, told.label) > _OTHER_COLOUR:
            # Prints have no colour: plain discs of two colours fit over each other as well as twins do.
            return told if told.lead >= CLEAR_TWIN else msgspec.structs.replace(told, lead=0.0)
        lead = (fits[best] - fits[second]) / max(1 - bank.overlaid(best, second, turning), 0.02)
        clear = lead >= CLEAR_OVERLAY and fits[best] >= FITS
        if not clear and best == told.label and told.lead >= CLEAR_TWIN:
            return told
        return msgspec.structs.replace(told, label=best, lead=min(lead, 1.0) if clear else 0.0)

    def shown(self, centres: Points, over: Sequence[Capsule], rough: bool = False) -> NDArray[np.bool_]:
        """Which points of the faces at these places can be seen, if those things lie or stand over them."""
        return ~hidden(ring_points(centres, self.radius, rough), over)

    def partly(self, sight: Sight, centres: Points, shown: NDArray[np.bool_], bank: Bank, places: int) -> list[Guess]:
        """The likeliest piece at each of some places, given by as many centres each, told by what shows of it.

        What shows is given for each centre, or once for all of a place. Where too little shows, nobody could tell.
        """
        examples = bank.looks if shown.shape[1:] == WHOLE else bank.rough
        alike, turned, apart = likeness_of_parts(sight, centres, self.radius, self.piece.height, shown, examples)
        enough = np.repeat(shown.mean((1, 2)) >= SHOWS, len(centres) // len(shown))
        scores = np.where(enough[:, None], alike - COLOUR_WEIGHT * apart, -1.0)
        shape = (places, len(centres) // places, -1)
        best = scores.max(1).reshape(shape[:2]).argmax(1)[:, None, None]
        return bank.judged(
            np.take_along_axis(scores.reshape(shape), best, 1),
            np.take_along_axis(turned.reshape(shape), best, 1),
            np.take_along_axis(centres.reshape(places, -1, 2), best, 1),
        )

    def _looked(self, sight: Sight, centres: Points, offsets: Points, bank: Bank, turning: bool) -> list[Guess]:
        points = centres[:, None] + offsets * self.radius
        seen = self.looks_at(sight, points.reshape(-1, 2))
        scores, turned = bank.compare(seen, len(centres), turning, finely=4)
        return bank.judged(scores, turned, points)


def _tints_apart(some: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far the tint of each of some colours is from that of each of others, however bright they are."""
    ratio = some[:, None] / others[None]
    level = ratio.mean(2, keepdims=True)
    return np.asarray((np.abs(ratio - level) / level).max(2))


class Capsule(msgspec.Struct, frozen=True):
    """What hides a part of the table: everything within a radius of a line, in millimetres."""

    start: Point
    end: Point
    radius: float


def hiding(sight: Sight, foot: Point, piece: Piece, breadth: float) -> Capsule:
    """What a standing piece of a breadth hides: the table from its foot to where its head is seen."""
    x, y, height = sight.plane.eye()
    lean = piece.height / max(height - piece.height, 1.0)
    head = foot[0] + (foot[0] - x) * lean, foot[1] + (foot[1] - y) * lean
    return Capsule(foot, head, breadth * _BROAD)


def hidden(points: Points, things: Sequence[Capsule]) -> NDArray[np.bool_]:
    """Which of these table points lie under one of the things."""
    start, end = (np.array([getattr(thing, name) for thing in things]).reshape(-1, 2) for name in ("start", "end"))
    across, down = (end - start).T[:, :, None]
    x, y = points.reshape(-1, 2).T[:, None] - start.T[:, :, None]
    share = np.clip((x * across + y * down) / np.maximum(across**2 + down**2, 1e-9), 0, 1)
    off = (x - share * across) ** 2 + (y - share * down) ** 2
    radius = np.array([thing.radius for thing in things])
    return np.asarray((off < radius[:, None] ** 2).any(0).reshape(points.shape[:-1]))


class Bank(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Examples with their labels and the angle each was taught at."""

    labels: tuple[str | None, ...]
    angles: tuple[float, ...]
    looks: Looks
    rough: Looks
    apart: NDArray[np.float32]
    roughly: NDArray[np.float32]
    """How much each is like each other at a rough look, where they fit best."""
    prints: tuple[Overlay, ...]

    @classmethod
    def of(
        cls,
        labels: Sequence[str | None],
        angles: Sequence[float],
        examples: Looks,
        rough: Looks,
        about: Looks,
        prints: Sequence[Overlay],
    ) -> Bank:
        alike, _ = likeness(examples, examples, finely=4)
        apart = alike - COLOUR_WEIGHT * colour_distance(examples, examples)
        shifted = likeness_roughly(about, rough) - COLOUR_WEIGHT * colour_distance(about, rough)
        best = shifted.reshape(len(labels), -1, len(labels)).max(1)
        return cls(tuple(labels), tuple(angles), examples, rough, apart, np.maximum(best, best.T), tuple(prints))

    @cached_property
    def empty(self) -> list[int]:
        """The numbers of the examples of an empty place."""
        return [number for number, label in enumerate(self.labels) if label is None]

    def only_pieces(self) -> Bank:
        return self._only([number for number, label in enumerate(self.labels) if label is not None])

    def twins(self, label: str, rivals: tuple[str, ...] = ()) -> Bank | None:
        """The examples of a label, of those that are much like it, and of its rivals; None if there is no other."""
        asked = (label, *rivals)
        if asked not in self._found_twins:
            own = [number for number, other in enumerate(self.labels) if other == label]
            alike = {self.labels[number] for number in np.flatnonzero((self.roughly[own] >= TWINS).any(0))} | {*asked}
            numbers = [number for number, other in enumerate(self.labels) if other in alike]
            self._found_twins[asked] = self._only(numbers) if len(alike) > 1 else None
        return self._found_twins[asked]

    def best_points(self, scores: NDArray[np.float32]) -> list[int]:
        """Where the two likeliest labels fit best, from scores by point and example."""
        best = scores.max(0)
        first = int(best.argmax())
        second = int(np.where(self._rivals[first], best, -9.0).argmax())
        return [int(scores[:, one].argmax()) for one in (first, second)]

    @cached_property
    def _found_twins(self) -> dict[tuple[str, ...], Bank | None]:
        return {}

    def _only(self, numbers: Sequence[int]) -> Bank:
        return Bank(
            tuple(self.labels[number] for number in numbers),
            tuple(self.angles[number] for number in numbers),
            self.looks.chosen(numbers),
            self.rough.chosen(numbers),
            self.apart[np.ix_(numbers, numbers)],
            self.roughly[np.ix_(numbers, numbers)],
            tuple(self.prints[number] for number in numbers),
        )

    def fits(self, seen: Overlay, label: str | None, turning: bool) -> float:
        """How well the best example of a label fits over what is seen."""
        return max(fit(seen, print_, turning) for print_ in self._prints_of(label))

    def likely(self, seen: Overlay, turning: bool) -> list[str | None]:
        """The labels whose examples fit best over what is seen at a first look."""
        fits: dict[str | None, float] = {}
        for label, print_ in zip(self.labels, self.prints, strict=True):
            fits[label] = max(fits.get(label, -1.0), fit_roughly(seen, print_, turning))
        return sorted(fits, key=lambda label: -fits[label])[:_AMONG]

    def overlaid(self, one: str | None, other: str | None, turning: bool) -> float:
        """How well the examples of two labels fit over each other."""
        pair = (one, other, turning)
        if pair not in self._found_overlaid:
            self._found_overlaid[pair] = max(self.fits(print_, other, turning) for print_ in self._prints_of(one))
        return self._found_overlaid[pair]

    def tints_apart(self, one: str | None, other: str | None) -> float:
        """How far the tints of two labels are from each other, in the examples that come closest."""
        first, second = (
            self.looks.colours[[number for number, name in enumerate(self.labels) if name == label]] + _DARK
            for label in (one, other)
        )
        return float(_tints_apart(first, second).min())

    def _prints_of(self, label: str | None) -> list[Overlay]:
        return [print_ for name, print_ in zip(self.labels, self.prints, strict=True) if name == label]

    @cached_property
    def _found_overlaid(self) -> dict[tuple[str | None, str | None, bool], float]:
        return {}

    def compare(
        self, seen: Looks, places: int, turning: bool = True, finely: int = 1
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores and turns by place, look and example."""
        alike, turned = likeness(seen, self.looks, turning, finely)
        scores = alike - COLOUR_WEIGHT * colour_distance(seen, self.looks)
        shape = (places, len(seen) // places, len(self.labels))
        return scores.reshape(shape), turned.reshape(shape)

    def compare_roughly(self, seen: Looks, turning: bool = True) -> NDArray[np.float32]:
        """Scores of rough looks, by look and example."""
        return likeness_roughly(seen, self.rough, turning) - COLOUR_WEIGHT * colour_distance(seen, self.rough)

    @cached_property
    def _rivals(self) -> NDArray[np.bool_]:
        """Which examples are of different labels."""
        return np.array([[one != other for other in self.labels] for one in self.labels])

    def judged(
        self, scores: NDArray[np.float32], turned: NDArray[np.float32], points: NDArray[np.float64]
    ) -> list[Guess]:
        """The likeliest label at each place, from scores and turns by place, point and example."""
        places = np.arange(len(scores))
        best = scores.max(1)
        chosen = best.argmax(1)
        likeliest = best[places, chosen]
        where = scores[places, :, chosen].argmax(1)
        # Two faces that are nearly the same can lead each other by little: what counts is the lead as a share
        # of how far apart they are.
        far = np.maximum(1 - self.apart[chosen], 0.02)
        behind = np.where(self._rivals[chosen], (likeliest[:, None] - best) / far, 1.0)
        leads = behind.min(1, initial=1.0)
        angles = (np.array(self.angles)[chosen] + turned[places, where, chosen]) % 360
        columns = (likeliest, leads, angles, *points[places, where].T)
        rivals = [self._close(row) if lead < CLEAR_TWIN else () for row, lead in zip(behind, leads, strict=True)]
        rows = zip(*(column.tolist() for column in columns), rivals, strict=True)
        return [Guess(self.labels[number], *row) for number, row in zip(chosen.tolist(), rows, strict=True)]

    def _close(self, behind: NDArray[np.float32]) -> tuple[str, ...]:
        """The labels of which some example is hardly behind."""
        return tuple(
            sorted({label for number in np.flatnonzero(behind < CLEAR_TWIN) if (label := self.labels[number])})
        )
