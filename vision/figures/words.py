"""Labels and their words: what is learnt for "blue" from everything blue, and for "pawn" from every pawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures import network

Floats = NDArray[np.float32]

SHAPE_SPREAD: Final = 0.15
"""How far (squared) the shapes of one word usually stray from their mean, before the examples say so themselves."""
_TRUSTED: Final = 8
"""So many examples count as much as what is usual."""
_DIMENSIONS: Final = 8
"""In so many directions shapes usually stray."""
_OTHERWISE: Final = 0.2
"""By this share figures of wood stray in other directions than those that were rendered."""
COLOUR_SPREAD: Final = 7.0
"""How far (Lab) the colour of one piece strays with light, place and side."""
OWN_SPREAD: Final = 5.0
"""How far (Lab) the colour of the very same piece strays."""
STRANGE_SHAPE: Final = 0.7
"""A shape less like every example (a cosine) was never taught."""
STRANGE_COLOUR: Final = 24.0
"""A colour (Lab) farther from every taught one was never taught."""
_APART: Final = re.compile(r"[_\s]+")


class Features(msgspec.Struct, frozen=True, eq=False):
    """What was measured on figures, one row each: colour (Lab) and shape (unit vectors)."""

    colours: Floats
    shapes: Floats

    def __len__(self) -> int:
        return len(self.colours)

    def rows(self, which: slice) -> Features:
        return Features(self.colours[which], self.shapes[which])

    def without(self, number: int) -> Features:
        return Features(np.delete(self.colours, number, 0), np.delete(self.shapes, number, 0))

    def some(self, numbers: Sequence[int], shapes: Floats) -> Features:
        """Some of the figures, with shapes that were measured anew."""
        return Features(self.colours[list(numbers)], shapes)

    def only(self, number: int) -> Features:
        return Features(self.colours[number : number + 1], self.shapes[number : number + 1])


class Position(msgspec.Struct, frozen=True, eq=False):
    """One word of the labels: the words that stand there, and what tells them apart."""

    words: tuple[str, ...]
    by_colour: bool
    by_shape: bool


def split(label: str) -> tuple[str, ...]:
    return tuple(word for word in _APART.split(label) if word)


def log_chances(
    seen: Features, known: Features, groups: Sequence[Sequence[int]], by_colour: bool, by_shape: bool
) -> Floats:
    """The logarithm of each group's chance (seen, groups), the groups being rows of what is known."""
    total = np.zeros((len(seen), len(groups)), np.float32)
    if by_shape:
        total += _logs(_shape_scores(seen.shapes, known.shapes, groups))
    if by_colour:
        apart = np.linalg.norm(seen.colours[:, None] - known.colours[None], axis=2) / COLOUR_SPREAD
        nearest = np.stack([apart[:, list(group)].min(1) for group in groups], axis=1)
        total += _logs(-(np.minimum(nearest, 6.0) ** 2) / 2)
    return _logs(total)


def _shape_scores(seen: Floats, known: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    """How well shapes fit each group, in directions weighed by how much they stray within the groups.

    A figure turned about itself, or lit from another side, strays in directions that say nothing about its word.
    So few examples say little about how far is far, so what fits no group well fits none much better than the others.
    """
    means = np.stack([known[list(group)].mean(0) for group in groups])
    counts = np.array([len(group) for group in groups])
    free = int((counts - 1).sum())
    weights = np.linalg.inv(_spread(known, means, groups, free))
    apart = seen[:, None] - means[None]
    squared = np.einsum("agi,ij,agj->ag", apart, weights, apart, optimize=True) / (1 + 1 / counts)
    trust = free + _TRUSTED
    return np.asarray(-0.5 * (trust + _DIMENSIONS) * np.log1p(squared / trust), np.float32)


def _spread(known: Floats, means: Floats, groups: Sequence[Sequence[int]], free: int) -> NDArray[np.float64]:
    """The covariance of shapes within groups: half as these examples stray, half as shapes usually do."""
    strays = np.concatenate(
        [
            (known[list(group)] - mean) * np.sqrt(len(group) / max(len(group) - 1, 1))
            for group, mean in zip(groups, means, strict=True)
        ]
    )
    within = strays.T @ strays / len(strays)
    own = float(np.trace(within))
    spread = (free * own + _TRUSTED * SHAPE_SPREAD) / (free + _TRUSTED)
    rendered = network.strays() / np.trace(network.strays())
    usual = (1 - _OTHERWISE) * rendered + _OTHERWISE * np.eye(len(rendered)) / _DIMENSIONS
    return np.asarray(spread * (0.5 * within / own + 0.5 * usual if own > 1e-6 else usual), np.float64)


def _logs(scores: Floats) -> Floats:
    high = scores.max(1, keepdims=True)
    return np.asarray(scores - high - np.log(np.exp(scores - high).sum(1, keepdims=True)), np.float32)


class Words:
    """The taught labels, word by word where they allow it."""

    def __init__(self, labels: Sequence[str], known: Features, others: Iterable[str] = ()) -> None:
        self.known, self.given = known, list(labels)
        parts = [split(label) for label in labels]
        alike = len({len(part) for part in parts}) == 1 and len(parts[0]) > 1
        self.columns: list[list[str]] = (
            [list(column) for column in zip(*parts, strict=True)] if alike else [list(labels)]
        )
        self.positions = [self._position(column) for column in self.columns]
        if alike and not all(
            self._tells(column, where) for column, where in zip(self.columns, self.positions, strict=True)
        ):
            # Words that say nothing about the looks: then only the whole labels do.
            self.columns = [list(labels)]
            self.positions = [self._position(self.columns[0])]
        self.labels = self._candidates(labels, others)

    def _candidates(self, labels: Sequence[str], others: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """Each label that can be named, as the numbers of its words."""
        found: dict[str, tuple[int, ...]] = {}
        for label in dict.fromkeys([*labels, *others]):
            words = split(label) if len(self.columns) > 1 else (label,)
            if len(words) == len(self.positions) and all(
                word in where.words for word, where in zip(words, self.positions, strict=True)
            ):
                found[label] = tuple(where.words.index(word) for word, where in zip(words, self.positions, strict=True))
        return found

    def _position(self, column: Sequence[str]) -> Position:
        words = tuple(dict.fromkeys(column))
        ways = [(True, False), (False, True), (True, True)]
        losses = [self._left_out(column, *way)[0] for way in ways]
        best = ways[int(np.argmin(losses))] if np.isfinite(losses).all() else (True, True)
        return Position(words, *best)

    def _tells(self, column: Sequence[str], position: Position) -> bool:
        loss, right = self._left_out(column, position.by_colour, position.by_shape)
        return not np.isfinite(loss) or right >= 0.6

    def _left_out(self, column: Sequence[str], by_colour: bool, by_shape: bool) -> tuple[float, float]:
        """Leave out one example at a time and tell its word from the others: mean loss, and how many right."""
        losses, right = [], 0
        for number, word in enumerate(column):
            rest = [other for at, other in enumerate(column) if at != number]
            words = list(dict.fromkeys(rest))
            if word not in words or len(words) < 2:
                continue
            groups = [[at for at, other in enumerate(rest) if other == one] for one in words]
            chances = log_chances(self.known.only(number), self.known.without(number), groups, by_colour, by_shape)[0]
            losses.append(-float(chances[words.index(word)]))
            right += int(chances.argmax()) == words.index(word)
        if len(losses) < max(2, len(set(column))):
            return float("inf"), 0.0
        return float(np.mean(losses)), right / len(losses)

    def chances(self, seen: Features) -> list[Floats]:
        """For each position the log chance of each of its words (seen, words)."""
        found = []
        for column, where in zip(self.columns, self.positions, strict=True):
            groups = [[at for at, word in enumerate(column) if word == one] for one in where.words]
            found.append(log_chances(seen, self.known, groups, where.by_colour, where.by_shape))
        return found

    def scores(self, seen: Features) -> Floats:
        """The log chance of each label (seen, labels): of its words, one by one, and of its own examples' colour.

        A roof is darker than a flat top of the same paint, so the very piece that was shown says more than its words.
        """
        chances = self.chances(seen)
        each = [[chances[at][:, number] for at, number in enumerate(words)] for words in self.labels.values()]
        total = np.sum(each, axis=1).T
        if len(self.columns) > 1:
            apart = np.linalg.norm(seen.colours[:, None] - self.known.colours[None], axis=2) / OWN_SPREAD
            for column, label in enumerate(self.labels):
                own = [at for at, other in enumerate(self.given) if other == label]
                nearest = apart[:, own].min(1) if own else np.ones(len(seen))
                total[:, column] -= np.minimum(nearest, 4.0) ** 2 / 2
        return _logs(np.asarray(total, np.float32))

    def named(self, seen: Features) -> list[tuple[str, float]]:
        """The likeliest label of each figure and its chance; no chance for what resembles nothing taught."""
        names = list(self.labels)
        scores = self.scores(seen)
        apart = np.linalg.norm(seen.colours[:, None] - self.known.colours[None], axis=2).min(1)
        alike = (seen.shapes @ self.known.shapes.T).max(1)
        chances = np.exp(scores.max(1)) * ((apart <= STRANGE_COLOUR) & (alike >= STRANGE_SHAPE))
        return [(names[best], float(chance)) for best, chance in zip(scores.argmax(1), chances, strict=True)]
