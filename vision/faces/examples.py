"""The taught examples of faces, and what a face most likely is beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.faces.overlays import Overlay, fit, fit_roughly
from vision.faces.rings import RingSignatures, colour_distance, likeness, likeness_roughly

COLOUR_WEIGHT: Final = 0.6
"""How much a difference in mean colour (as a share of white) counts against a likeness."""
SURE: Final = 0.66
"""Below this likeness nothing was recognised."""
CLEAR: Final = 0.12
"""So far from the next label towards the best one a face must look: 0 is in the middle, 1 exactly as taught."""
CLEAR_TWIN: Final = 0.18
"""… and so far, where another face is nearly the same: there a speck or a gleam counts as much as a digit."""
PALE: Final = (0.58, 0.4)
"""Less like its examples (taught or seen in poor light), but so far from all others that it can be nothing else."""
SAME_TINT, OTHER_TINT = 0.03, 0.06
"""Light changes how bright a face is, and hardly its tint."""
AMONG: Final = 3
"""So many labels are laid over what is seen."""
DARK: Final = 0.02
"""Added to colours, so that black has no tint."""
TWINS: Final = 0.7
"""Labels whose faces are so much alike at a rough look are twins."""
PLAIN: Final = (0.8, 0.35)
"""With this likeness and lead the first look is enough."""


class Guess(msgspec.Struct, frozen=True):
    """The likeliest label of a face. `label` is None for an empty place; `sure` is False if it is not certain.

    `rivals` are the labels that it could nearly as well be."""

    label: str | None
    likeness: float
    lead: float
    angle: float
    x: float
    y: float
    rivals: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        return (self.likeness >= SURE and self.lead >= CLEAR) or (self.likeness >= PALE[0] and self.lead >= PALE[1])

    @property
    def plain(self) -> bool:
        return self.likeness >= PLAIN[0] and self.lead >= PLAIN[1]

    @property
    def confidence(self) -> float:
        """Between 0 and 1: how far above the lines drawn above."""
        above = max(min((self.likeness - SURE) / 0.3, (self.lead - CLEAR) / 0.5), 0.0 if self.sure else -1.0)
        return min(max(above * 0.5 + 0.5, 0.0), 0.999)


def tints_apart(some: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far the tint of each of some colours is from that of each of others, however bright they are."""
    ratio = some[:, None] / others[None]
    level = ratio.mean(2, keepdims=True)
    return np.asarray((np.abs(ratio - level) / level).max(2))


class Bank(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Examples with their labels and the angle each was taught at."""

    labels: tuple[str, ...]
    angles: tuple[float, ...]
    looks: RingSignatures
    rough: RingSignatures
    apart: NDArray[np.float32]
    roughly: NDArray[np.float32]
    """How much each is like each other at a rough look, where they fit best."""
    prints: tuple[Overlay, ...]

    @classmethod
    def of(
        cls,
        labels: Sequence[str],
        angles: Sequence[float],
        examples: RingSignatures,
        rough: RingSignatures,
        about: RingSignatures,
        prints: Sequence[Overlay],
    ) -> Bank:
        alike, _ = likeness(examples, examples, finely=4)
        apart = alike - COLOUR_WEIGHT * colour_distance(examples, examples)
        shifted = likeness_roughly(about, rough) - COLOUR_WEIGHT * colour_distance(about, rough)
        best = shifted.reshape(len(labels), -1, len(labels)).max(1)
        return cls(tuple(labels), tuple(angles), examples, rough, apart, np.maximum(best, best.T), tuple(prints))

    def alike(self, one: str, other: str) -> float:
        """How much two labels are alike, in the examples that come closest."""
        rows, columns = ([at for at, name in enumerate(self.labels) if name == label] for label in (one, other))
        return float(self.apart[np.ix_(rows, columns)].max())

    def renamed(self, names: Mapping[str, str]) -> Bank:
        return msgspec.structs.replace(self, labels=tuple(names[label] for label in self.labels))

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

    def fits(self, seen: Overlay, label: str, turning: bool) -> float:
        """How well the best example of a label fits over what is seen."""
        return max(fit(seen, print_, turning) for print_ in self._prints_of(label))

    def likely(self, seen: Overlay, turning: bool) -> list[str]:
        """The labels whose examples fit best over what is seen at a first look."""
        fits: dict[str, float] = {}
        for label, print_ in zip(self.labels, self.prints, strict=True):
            fits[label] = max(fits.get(label, -1.0), fit_roughly(seen, print_, turning))
        return sorted(fits, key=lambda label: -fits[label])[:AMONG]

    def overlaid(self, one: str, other: str, turning: bool) -> float:
        """How well the examples of two labels fit over each other."""
        pair = (one, other, turning)
        if pair not in self._found_overlaid:
            self._found_overlaid[pair] = max(self.fits(print_, other, turning) for print_ in self._prints_of(one))
        return self._found_overlaid[pair]

    def tints_apart(self, one: str, other: str) -> float:
        """How far the tints of two labels are from each other, in the examples that come closest."""
        return float(tints_apart(self.colours_of(one), self.colours_of(other)).min())

    def colours_of(self, label: str) -> NDArray[np.float32]:
        """The mean colours of a label's examples, with some light added, so that black has no tint."""
        numbers = [number for number, name in enumerate(self.labels) if name == label]
        return np.asarray(self.looks.colours[numbers] + DARK, np.float32)

    def _prints_of(self, label: str) -> list[Overlay]:
        return [print_ for name, print_ in zip(self.labels, self.prints, strict=True) if name == label]

    @cached_property
    def _found_overlaid(self) -> dict[tuple[str, str, bool], float]:
        return {}

    def compare(
        self, seen: RingSignatures, places: int, turning: bool = True, finely: int = 1
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores and turns by place, look and example."""
        alike, turned = likeness(seen, self.looks, turning, finely)
        scores = alike - COLOUR_WEIGHT * colour_distance(seen, self.looks)
        shape = (places, len(seen) // places, len(self.labels))
        return scores.reshape(shape), turned.reshape(shape)

    def compare_roughly(self, seen: RingSignatures, turning: bool = True) -> NDArray[np.float32]:
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
        return tuple(sorted({self.labels[number] for number in np.flatnonzero(behind < CLEAR_TWIN)}))
