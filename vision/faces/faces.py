"""Flat pieces by their printed faces: tiles, cards, letters, backs, in any rotation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.faces.examples import (
    AMONG,
    CLEAR_TWIN,
    COLOUR_WEIGHT,
    DARK,
    OTHER_TINT,
    PALE,
    PLAIN,
    SAME_TINT,
    Bank,
    Guess,
    tints_apart,
)
from vision.faces.overlays import Overlay, overlay
from vision.faces.rings import WHOLE, RingSignatures, distinct, likeness_of_parts, looks, ring_points, roughly, together
from vision.faces.wholes import CLEAR_WHOLE, Doubles, Whole, but_for_spots, oblong, whole
from vision.layout import Piece, Point
from vision.picture.table_picture import Capsule, TablePicture, hidden
from vision.plane.plane import Points

PLAIN_TWIN: Final = 0.6
"""With so much of a lead over its twins a face needs no closer look."""
CLEAR_OVERLAY: Final = 0.2
"""The same for twins that were laid over what is seen, one after the other."""
FITS: Final = 0.7
"""So well the better one of them must fit."""
FITS_WELL: Final = 0.9
"""If none fits this well, it may be one that was not considered: glaring light changes rings more than prints."""
_OTHER_COLOUR: Final = 0.15
"""Pieces whose tints are so far apart are of different colours."""
EXAMPLES: Final = 5
"""Of each label so many examples are compared with; more cost time and add little."""
SHOWS: Final = 0.35
"""Minimum visible share of a face that is read."""
_HERE: Final = np.zeros((1, 2))
_CLOSE: Final = np.array([(x, y) for x in (-0.05, 0.0, 0.05) for y in (-0.05, 0.0, 0.05)])
"""Where a doubtful face is looked at again, in shares of its radius."""
_ASIDE: Final = np.array([(x, y) for x in np.linspace(-2.5, 2.5, 9) for y in np.linspace(-2.5, 2.5, 9)])
"""Where a face with a twin is looked at, in millimetres."""
_FINELY: Final = np.array([(x, y) for x in (-0.3, 0.0, 0.3) for y in (-0.3, 0.0, 0.3) if x or y])
"""… and again about the best places."""
_ABOUT: Final = np.array([(x, y) for x in (-1.5, 0.0, 1.5) for y in (-1.5, 0.0, 1.5)])
"""So far beside the middle of its piece, in millimetres, an example may have been taken."""
NOTHING: Final = 0.35
"""With less than this likeness there is nothing to look at more closely."""
MAYBE_DOUBLES: Final = 0.75
"""Labels of oblong faces whose middles are so much alike may differ in a few spots only."""
THERE: Final = 0.88
"""A rough look as good as this is at the right place."""


class Faces:
    """The faces taught for one family of flat pieces."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self._taught: list[tuple[str, float, RingSignatures, RingSignatures, RingSignatures, Overlay]] = []
        self._bank: Bank | None = None
        self._wholes: dict[str, list[Whole]] = {}
        self._doubles: dict[str, Doubles] = {}

    @property
    def radius(self) -> float:
        """Millimetres from a piece's centre to its nearest edge: so far its face is looked at."""
        return min(self.piece.size) / 2

    @property
    def taught(self) -> bool:
        return bool(self._taught)

    def under(self, centre: Point, over: Sequence[Capsule]) -> bool:
        """Whether something hides a part of the face at this place."""
        return bool(over) and bool(hidden(ring_points(np.array([centre]), self.radius), over).any())

    def learn(self, sight: TablePicture, centre: Point, label: str, angle: float = 0.0) -> None:
        where = np.array([centre], np.float64)
        rough, about = self.roughly_at(sight, where), self.roughly_at(sight, where + _ABOUT)
        print_ = overlay(sight, centre, self.radius, self.piece.height)
        self._taught.append((label, angle, self.looks_at(sight, where), rough, about, print_))
        if oblong(self.piece):
            self._wholes.setdefault(label, []).append(whole(sight, centre, angle, self.piece))
        self._bank = None

    def bank(self) -> Bank:
        """The examples to compare with: of each label the few that differ most."""
        if self._bank is None:
            chosen: list[tuple[str, float, RingSignatures, RingSignatures, RingSignatures, Overlay]] = []
            for label in dict.fromkeys(label for label, *_ in self._taught):
                mine = [taught for taught in self._taught if taught[0] == label]
                chosen += [mine[number] for number in distinct(together([look for _, _, look, *_ in mine]), EXAMPLES)]
            labels, angles, kept, rough, about, prints = zip(*chosen, strict=True)
            bank = Bank.of(labels, angles, together(kept), together(rough), together(about), prints)
            self._bank = self._with_doubles(bank) if oblong(self.piece) else bank
        return self._bank

    def _with_doubles(self, bank: Bank) -> Bank:
        """The bank, with one name for labels that differ in a few spots only: the whole of them decides later."""
        groups: dict[str, list[str]] = {}
        for label in dict.fromkeys(bank.labels):
            near = (name for name in groups if bank.alike(name, label) >= MAYBE_DOUBLES)
            same = (name for name in near if but_for_spots(self._wholes[name][0], self._wholes[label][0]))
            groups.setdefault(next(same, label), []).append(label)
        self._doubles = {
            name: Doubles({label: self._wholes[label][:EXAMPLES] for label in labels})
            for name, labels in groups.items()
            if len(labels) > 1
        }
        return bank.renamed({label: name for name, labels in groups.items() for label in labels})

    def looks_at(self, sight: TablePicture, centres: Points) -> RingSignatures:
        return looks(sight, centres, self.radius, self.piece.height)

    def roughly_at(self, sight: TablePicture, centres: Points) -> RingSignatures:
        return roughly(sight, centres, self.radius, self.piece.height)

    def guesses(
        self, sight: TablePicture, centres: Points, steps: Sequence[Points], turning: bool = True
    ) -> list[Guess]:
        """What lies at each of these places, give or take the steps (offsets in millimetres)."""
        bank = self.bank()
        return self.closely(sight, self.climbed(sight, centres, steps, bank, turning), bank, turning)

    def climbed(
        self, sight: TablePicture, starts: Points, steps: Sequence[Points], bank: Bank, turning: bool = True
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

    def roughly(self, sight: TablePicture, points: Points) -> NDArray[np.float32]:
        """How much each of these points looks like the centre of a piece, cheaply."""
        return np.asarray(self.bank().compare_roughly(self.roughly_at(sight, points)).max(1), np.float32)

    def closely(self, sight: TablePicture, centres: Points, bank: Bank, turning: bool = True) -> list[Guess]:
        """What lies at these places exactly; where one look leaves a doubt, looks around it follow."""
        guesses = self._looked(sight, centres, _HERE, bank, turning)
        doubtful = [number for number, guess in enumerate(guesses) if guess.likeness > NOTHING and not guess.plain]
        if doubtful:
            again = self._looked(sight, centres[doubtful], _CLOSE, bank, turning)
            for number, guess in zip(doubtful, again, strict=True):
                guesses[number] = guess
        told = [self._among_twins(sight, guess, bank, turning) for guess in guesses]
        return [self._among_doubles(sight, guess) for guess in told]

    def _among_doubles(self, sight: TablePicture, guess: Guess) -> Guess:
        """A face whose middle is the same as others' have, told by the whole of it."""
        if guess.label not in self._doubles or not guess.sure:
            return guess
        label, lead = self._doubles[guess.label].nearest(whole(sight, (guess.x, guess.y), guess.angle, self.piece))
        return msgspec.structs.replace(guess, label=label, lead=min(guess.lead, lead) if lead >= CLEAR_WHOLE else 0.0)

    def _among_twins(self, sight: TablePicture, guess: Guess, bank: Bank, turning: bool) -> Guess:
        """A face that has nearly the same as a neighbour in its family, or that could be another: each of them where
        it fits best.

        No piece was taught exactly at its middle; if one of two twins fits, the other may be a millimetre off.
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
        return self._laid_over(sight, told, list(dict.fromkeys(likely))[:AMONG], bank, turning)

    def _laid_over(self, sight: TablePicture, told: Guess, likely: list[str], bank: Bank, turning: bool) -> Guess:
        """Of the likeliest labels the one whose print fits best; of all labels, if none of these fits well."""
        seen = overlay(sight, (told.x, told.y), self.radius, self.piece.height)
        fits = {label: bank.fits(seen, label, turning) for label in likely}
        if max(fits.values()) < FITS_WELL:
            others = [label for label in bank.likely(seen, turning) if label not in fits]
            fits |= {label: bank.fits(seen, label, turning) for label in others}
        best, second = sorted(fits, key=lambda label: -fits[label])[:2]
        other = second if best == told.label else best
        apart = bank.tints_apart(other, str(told.label))
        # Prints have no colour: plain discs of two colours fit over each other as well as twins do.
        if apart > _OTHER_COLOUR and told.lead >= CLEAR_TWIN:
            return told
        coloured = self._by_colour(sight, told, other, bank) if apart > OTHER_TINT else None
        if coloured is not None and coloured.label in (told.label, best):
            return coloured
        if apart > _OTHER_COLOUR and best != told.label:
            return msgspec.structs.replace(told, lead=0.0)
        lead = (fits[best] - fits[second]) / max(1 - bank.overlaid(best, second, turning), 0.02)
        clear = lead >= CLEAR_OVERLAY and fits[best] >= FITS
        if not clear and best == told.label and told.lead >= CLEAR_TWIN:
            return told
        return msgspec.structs.replace(told, label=best, lead=min(lead, 1.0) if clear else 0.0)

    def _by_colour(self, sight: TablePicture, told: Guess, other: str, bank: Bank) -> Guess | None:
        """Which of two labels it is, if what is seen has the tint of the one and by far not that of the other."""
        seen = self.looks_at(sight, np.array([(told.x, told.y)])).colours + DARK
        apart = {label: float(tints_apart(seen, bank.colours_of(label)).min()) for label in (str(told.label), other)}
        nearest, farther = sorted(apart, key=lambda label: apart[label])
        plainly = told.likeness >= PLAIN[0] and apart[nearest] < SAME_TINT and 3 * apart[nearest] < apart[farther]
        return msgspec.structs.replace(told, label=nearest, lead=CLEAR_TWIN) if plainly else None

    def shown(self, centres: Points, over: Sequence[Capsule], rough: bool = False) -> NDArray[np.bool_]:
        """Which points of the faces at these places can be seen, if those things lie or stand over them."""
        return ~hidden(ring_points(centres, self.radius, rough), over)

    def partly(
        self, sight: TablePicture, centres: Points, shown: NDArray[np.bool_], bank: Bank, places: int
    ) -> list[Guess]:
        """The likeliest piece at each of some places, given by as many centres each, told by what shows of it.

        What shows is given for each centre, or once for all of a place. If too little shows, it is unknown.
        """
        examples = bank.looks if shown.shape[1:] == WHOLE else bank.rough
        alike, turned, apart = likeness_of_parts(sight, centres, self.radius, self.piece.height, shown, examples)
        enough = np.repeat(shown.mean((1, 2)) >= SHOWS, len(centres) // len(shown))
        scores = np.where(enough[:, None], alike - COLOUR_WEIGHT * apart, -1.0)
        shape = (places, len(centres) // places, -1)
        best = scores.max(1).reshape(shape[:2]).argmax(1)[:, None, None]
        told = bank.judged(
            np.take_along_axis(scores.reshape(shape), best, 1),
            np.take_along_axis(turned.reshape(shape), best, 1),
            np.take_along_axis(centres.reshape(places, -1, 2), best, 1),
        )
        # A partly hidden face cannot be compared as a whole.
        return [msgspec.structs.replace(one, lead=0.0) if one.label in self._doubles else one for one in told]

    def _looked(self, sight: TablePicture, centres: Points, offsets: Points, bank: Bank, turning: bool) -> list[Guess]:
        points = centres[:, None] + offsets * self.radius
        seen = self.looks_at(sight, points.reshape(-1, 2))
        scores, turned = bank.compare(seen, len(centres), turning, finely=4)
        return bank.judged(scores, turned, points)
