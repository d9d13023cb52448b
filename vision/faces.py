"""Flat pieces by their printed faces: tiles, cards, letters, backs, in any rotation, and the empty place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Piece, Point
from vision.looks import Looks, colour_distance, distinct, likeness, looks, together
from vision.sight import Sight

RADIUS: Final = 30
"""Pixels from a piece's centre to its edge when its face is looked at."""
COLOUR_WEIGHT: Final = 0.6
"""How much a difference in mean colour (as a share of white) counts against a likeness."""
SURE: Final = 0.66
"""Below this likeness nothing was recognised."""
CLEAR: Final = 0.12
"""So far from the next label towards the best one a face must look: 0 is in the middle, 1 exactly as taught."""


EXAMPLES: Final = 5
"""Of each label so many examples are compared with; more cost time and add little."""
HERE: Final[Sequence[Point]] = ((0.0, 0.0),)
CLOSE: Final[Sequence[Point]] = tuple((x, y) for x in (-0.7, 0.0, 0.7) for y in (-0.7, 0.0, 0.7))


class Guess(msgspec.Struct, frozen=True):
    """What a face most likely is. `label` is None for an empty place; `sure` is False when nobody could tell."""

    label: str | None
    likeness: float
    lead: float
    angle: float
    x: float
    y: float

    @property
    def sure(self) -> bool:
        return self.likeness >= SURE and self.lead >= CLEAR

    @property
    def confidence(self) -> float:
        """Between 0 and 1: how far above the lines drawn above."""
        return float(np.clip(min((self.likeness - SURE) / 0.3, (self.lead - CLEAR) / 0.5) * 0.5 + 0.5, 0.0, 0.999))


class Faces:
    """The faces taught for one family of flat pieces, and the empty place as one more."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self._taught: list[tuple[str | None, float, Looks]] = []
        self._bank: Bank | None = None

    @property
    def scale(self) -> float:
        """Pixels to a millimetre when faces are looked at."""
        return RADIUS / (min(self.piece.size) / 2)

    @property
    def taught(self) -> bool:
        return any(label is not None for label, _, _ in self._taught)

    def learn(self, sight: Sight, centre: Point, label: str | None, angle: float = 0.0) -> None:
        self._taught.append((label, angle, self.looks_at(sight, [centre], HERE)))
        self._bank = None

    def bank(self) -> Bank:
        """The examples to compare with: of each label the few that differ most."""
        if self._bank is None:
            labels: list[str | None] = []
            angles: list[float] = []
            kept: list[Looks] = []
            for label in dict.fromkeys(label for label, _, _ in self._taught):
                mine = [(angle, look) for known, angle, look in self._taught if known == label]
                for number in distinct(together([look for _, look in mine]), EXAMPLES):
                    labels.append(label)
                    angles.append(mine[number][0])
                    kept.append(mine[number][1])
            self._bank = Bank.of(labels, angles, together(kept))
        return self._bank

    def looks_at(self, sight: Sight, centres: Sequence[Point], offsets: Sequence[Point]) -> Looks:
        """The looks at each place and each offset from it (millimetres), place by place."""
        reach = max(max(abs(x), abs(y)) for x, y in offsets)
        side = min(self.piece.size) + 2 * reach + 2
        several = []
        for centre in centres:
            patch = sight.patch(Box(centre, (side, side)), self.scale, self.piece.height)
            middle = patch.shape[0] / 2 - 0.5
            several.append(looks(patch, np.asarray(offsets) * self.scale + middle, RADIUS))
        return together(several)

    def guesses(
        self, sight: Sight, centres: Sequence[Point], offsets: Sequence[Point], turning: bool = True
    ) -> list[Guess]:
        """What lies at each of these places, give or take the offsets: a wide look, then a close one."""
        bank = self.bank()
        scores, _ = bank.compare(self.looks_at(sight, centres, offsets), len(centres), turning)
        best = scores.max(2).argmax(1)
        nearer = [(x + offsets[n][0], y + offsets[n][1]) for (x, y), n in zip(centres, best, strict=True)]
        scores, turned = bank.compare(self.looks_at(sight, nearer, CLOSE), len(centres), turning, finely=4)
        points = np.asarray(nearer)[:, None] + np.asarray(CLOSE)
        return [bank.judge(*one) for one in zip(scores, turned, points, strict=True)]


class Bank(msgspec.Struct, frozen=True, eq=False):
    """Examples with their labels and the angle each was taught at."""

    labels: tuple[str | None, ...]
    angles: tuple[float, ...]
    looks: Looks
    apart: NDArray[np.float32]

    @classmethod
    def of(cls, labels: Sequence[str | None], angles: Sequence[float], examples: Looks) -> Bank:
        alike, _ = likeness(examples, examples, finely=4)
        return cls(tuple(labels), tuple(angles), examples, alike - COLOUR_WEIGHT * colour_distance(examples, examples))

    def only_pieces(self) -> Bank:
        """Without the empty place, where emptiness is decided otherwise."""
        numbers = [number for number, label in enumerate(self.labels) if label is not None]
        return Bank(
            tuple(self.labels[number] for number in numbers),
            tuple(self.angles[number] for number in numbers),
            self.looks.chosen(numbers),
            self.apart[np.ix_(numbers, numbers)],
        )

    def compare(
        self, seen: Looks, places: int, turning: bool = True, finely: int = 1
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores and turns by place, look and example."""
        alike, turned = likeness(seen, self.looks, turning, finely)
        scores = alike - COLOUR_WEIGHT * colour_distance(seen, self.looks)
        shape = (places, len(seen) // places, len(self.labels))
        return scores.reshape(shape), turned.reshape(shape)

    def judge(self, scores: NDArray[np.float32], turned: NDArray[np.float32], points: NDArray[np.float64]) -> Guess:
        """The likeliest label from scores by point and example."""
        best = scores.max(0)
        number = int(best.argmax())
        label = self.labels[number]
        others = np.array([other != label for other in self.labels])
        # Two faces that are nearly the same can lead each other by little: what counts is the lead as a share
        # of how far apart they are.
        far = np.maximum(1 - self.apart[number][others], 0.02)
        lead = float(((best[number] - best[others]) / far).min()) if others.any() else 1.0
        where = int(scores[:, number].argmax())
        angle = (self.angles[number] + float(turned[where, number])) % 360
        x, y = points[where]
        return Guess(label, float(best[number]), lead, angle, float(x), float(y))
