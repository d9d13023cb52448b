"""Whether something lies on each place of the zones that hold flat pieces.

What shows on a place is compared with how this place looked when it was empty, with how other places did, and with
pieces. How far is far was measured while teaching: places were read again as if their pictures had not been taught,
and disturbed as other evenings disturb them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.calibration import ERROR, Line, Principal, squares, whitening
from vision.faces.patches import AS_IT_IS, Disturbance, Patches, disturbed, patches
from vision.faces.taught_light import TaughtLight
from vision.layout import Grid, Slots
from vision.picture.table_picture import TablePicture

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_COPIES: Final = 6
"""So often each taught picture is disturbed."""
_COMPARED: Final = 4
"""So many of these copies are compared with."""
_MOST_GROUNDS: Final = 700
"""With so many empty places, wherever they are, a place is compared."""
_FAR: Final = 1e3
_PLAIN: Final = float(np.log((1 - ERROR) / ERROR))
_FOLDS: Final = 3
_STRANGEST: Final = 0.3
"""Maximum share of pieces that may be of an untaught kind."""
_UNSEEN, _EMPTY = -2, -1

Taught = tuple[TablePicture, Mapping[str, Mapping[str, str | None]]]
"""A picture, and what lay on each place of each zone, as far as nothing stood over it."""


class Presence(msgspec.Struct, frozen=True):
    """Whether a place is empty: the logarithm of the odds, and whether they suffice to tell either."""

    odds: float
    empty: bool
    filled: bool

    @property
    def chance(self) -> float:
        """The probability that the place is empty."""
        return float(1 / (1 + np.exp(-np.clip(self.odds, -30, 30))))

    @property
    def plainly_empty(self) -> bool:
        """Whether the place need not be looked at closely: being wrong is less likely than the error asked for."""
        return self.empty and self.odds >= _PLAIN


class _Samples(msgspec.Struct, frozen=True, eq=False):
    rows: Floats
    label: Ints
    place: Ints
    picture: Ints
    copy: Ints
    weight: Floats


class EmptyPlaces:
    """What was taught about the places of a layout."""

    def __init__(self, zones: Mapping[str, Grid | Slots]) -> None:
        self._names = [(zone, place) for zone in zones for place in zones[zone].places()]
        self._boxes = [box for zone in zones.values() for box in zone.places().values()]
        self._sizes: dict[tuple[float, float], list[int]] = {}
        for number, box in enumerate(self._boxes):
            self._sizes.setdefault(box.size, []).append(number)

    @classmethod
    def learnt(cls, zones: Mapping[str, Grid | Slots], taught: Sequence[Taught]) -> EmptyPlaces | None:
        """What these pictures teach; None if none shows an empty place and none a piece."""
        places = cls(zones)
        known = [places._labels(contents) for _, contents in taught]
        numbers = {label: number for number, label in enumerate(sorted({one for row in known for one in row if one}))}
        told = [np.array([_UNSEEN if one == "" else _EMPTY if one is None else numbers[one] for one in row])
                for row in known]  # fmt: skip
        if not numbers or not any((one == _EMPTY).any() for one in told):
            return None
        places._learn([sight for sight, _ in taught], told)
        return places

    def look(self, sight: TablePicture, zones: Collection[str]) -> dict[str, dict[str, Presence]]:
        """Whether the places of these zones are empty."""
        chosen = np.array([zone in zones for zone, _ in self._names])
        rows = self._rows(sight, chosen)
        apart = self._apart(self._principal.of(rows[chosen]), np.flatnonzero(chosen))
        own = ~np.isnan(apart[:, 0])
        both = zip(self._with_own.tell(apart), self._without_own.tell(apart), strict=True)
        odds, empty, filled = (np.where(own, one, other) for one, other in both)
        found: dict[str, dict[str, Presence]] = {}
        for number, one, *told in zip(np.flatnonzero(chosen), odds.tolist(), empty, filled, strict=True):
            zone, place = self._names[number]
            found.setdefault(zone, {})[place] = Presence(one, *map(bool, told))
        return found

    def _labels(self, contents: Mapping[str, Mapping[str, str | None]]) -> list[str | None]:
        """What is known to lie on each place; an empty string where nothing is known."""
        return [contents.get(zone, {}).get(place, "") for zone, place in self._names]

    def _learn(self, sights: Sequence[TablePicture], told: Sequence[Ints]) -> None:
        rng = np.random.default_rng(1)
        changes = [AS_IT_IS, *(disturbed(rng) for _ in range(_COPIES))]
        seen = [[self._patches(sight, change) for change in changes] for sight in sights]
        self._scales = float(seen[0][0].edges.std()), float(seen[0][0].colours.std())
        means = [copies[0].colours.mean((1, 2)).astype(np.float64) for copies in seen]
        centres = np.array([box.centre for box in self._boxes])
        self._light = TaughtLight(centres, means, [one == _EMPTY for one in told])
        lights = [self._light.taught(mean, one == _EMPTY) for mean, one in zip(means, told, strict=True)]
        colours = [(mean - light)[one >= 0] for mean, light, one in zip(means, lights, told, strict=True)]
        self._light.learn_pieces(np.concatenate(colours))
        columns: list[list[NDArray[np.generic]]] = []
        for picture, one in enumerate(told):
            kept = np.flatnonzero(one > _UNSEEN)
            for copy, patch in enumerate(seen[picture]):
                light = lights[picture] if copy == 0 else self._seen_light(sights[picture], patch, one > _UNSEEN)
                rows = self._row(patch, light)
                same = (np.full(len(kept), number) for number in (picture, copy))
                columns.append([rows[kept], one[kept], kept, *same])
        rows, label, place, where, copies = (np.concatenate(column) for column in zip(*columns, strict=True))
        filled = label >= 0
        weight = np.where(filled, 1 / max(1, filled.sum()), 1 / max(1, (~filled).sum())) * len(filled) / 2
        self._principal = Principal(rows, weight.astype(np.float32))
        samples = _Samples(self._principal.of(rows), label, place, where, copies, weight.astype(np.float32))
        self._calibrate(samples)
        self._fit(samples, np.ones(len(label), bool))

    # What shows

    def _patches(self, sight: TablePicture, change: Disturbance = AS_IT_IS, chosen: Flags | None = None) -> Patches:
        found: dict[int, tuple[Floats, Floats]] = {}
        for numbers in self._sizes.values():
            wanted = [number for number in numbers if chosen is None or chosen[number]]
            if wanted:
                some = patches(sight, [self._boxes[number] for number in wanted], change)
                white = np.log(sight.light.whites(np.array([self._boxes[number].centre for number in wanted])))
                found |= zip(wanted, zip(some.edges, some.colours - white[:, None, None], strict=True), strict=True)
        some_edges, some_colours = next(iter(found.values()))
        nothing = np.zeros_like(some_edges), np.zeros_like(some_colours)
        edges, colours = zip(*(found.get(number, nothing) for number in range(len(self._boxes))), strict=True)
        return Patches(np.stack(edges), np.stack(colours))

    def _rows(self, sight: TablePicture, chosen: Flags) -> Floats:
        seen = self._patches(sight, chosen=chosen)
        return self._row(seen, self._seen_light(sight, seen, chosen))

    def _seen_light(self, sight: TablePicture, seen: Patches, chosen: Flags) -> Doubles:
        return self._light.seen(seen.colours.mean((1, 2)).astype(np.float64), chosen, sight.light.measured)

    def _row(self, seen: Patches, light: Doubles) -> Floats:
        """What shows on each place as one row of numbers, edges and colours of equal weight."""
        relative = seen.colours - light[:, None, None].astype(np.float32)
        both = zip((seen.edges, relative), self._scales, strict=True)
        parts = [part.reshape(len(part), -1) / np.float32(scale * np.sqrt(part[0].size)) for part, scale in both]
        return np.concatenate(parts, 1)

    # How far it is from what was taught

    def _fit(self, samples: _Samples, used: Flags, shown: Flags | None = None) -> None:
        """Keep examples, in a space in which places and labels stray equally far in each direction."""
        group = np.where(samples.label >= 0, -1 - samples.label, samples.place)[used]
        self._white = whitening(samples.rows[used], group, samples.weight[used])
        rows = samples.rows @ self._white
        near = (used if shown is None else shown) & (samples.copy <= _COMPARED)
        filled = near & (samples.label >= 0)
        self._pieces, self._piece_labels = rows[filled], samples.label[filled]
        ground = np.flatnonzero(near & (samples.label == _EMPTY))
        ground = ground[np.argsort(samples.place[ground], kind="stable")]
        self._grounds, self._ground_places = rows[ground], samples.place[ground]
        self._pool = np.random.default_rng(3).permutation(len(ground))[:_MOST_GROUNDS]

    def _apart(self, rows: Floats, places: Ints, without: Ints | None = None) -> Doubles:
        """How far (in the logarithm) each place is from its own ground, from that of other places, and from pieces.

        What is not known is not a number. `without` leaves a label out, as if it had not been taught."""
        rows = rows @ self._white
        apart = squares(rows, self._pieces)
        if without is not None:
            apart[without[:, None] == self._piece_labels[None]] = _FAR
        piece = apart.min(1, initial=_FAR)
        pool = squares(rows, self._grounds[self._pool])
        pool[places[:, None] == self._ground_places[self._pool][None]] = _FAR
        own = np.full(len(rows), np.nan)
        first, last = (np.searchsorted(self._ground_places, places, side) for side in ("left", "right"))
        for number in np.flatnonzero(first < last):
            grounds = self._grounds[first[number] : last[number]]
            own[number] = np.square(grounds - rows[number]).sum(1).min() / rows.shape[1]
        return np.log(np.column_stack([own, pool.min(1, initial=_FAR), piece]).astype(np.float64) + 1e-2)

    # How far is far

    def _calibrate(self, samples: _Samples) -> None:
        """Read each picture with what the others taught; each piece, too, as if its label had not been taught."""
        empty = samples.label == _EMPTY
        near = samples.copy <= _COMPARED
        several = len(np.unique(samples.picture[empty])) > 1
        folds = samples.picture if several else samples.place % _FOLDS
        first = samples.label[(samples.copy == 0) & ~empty]
        # By Good and Turing: so likely the next piece is of a kind that was not taught.
        once = np.unique(first, return_counts=True)[1] == 1
        strange = min(max(float(once.sum() / max(1, len(first))), ERROR), _STRANGEST)
        apart, weights = np.full((len(empty), 3), np.nan), np.zeros(len(empty))
        others = apart.copy()
        for fold in np.unique(folds):
            if not empty[folds != fold].any():
                continue
            self._fit(samples, folds != fold)
            asked = np.flatnonzero((folds == fold) & near)
            apart[asked] = self._apart(samples.rows[asked], samples.place[asked])
            weights[asked] = 1.0
            asked = asked[~empty[asked]]
            others[asked] = self._apart(samples.rows[asked], samples.place[asked], samples.label[asked])
        # A place that was seen empty once is compared with itself, as it was and disturbed.
        alone = np.flatnonzero(empty & near & (samples.copy > 0) & np.isnan(apart[:, 0]))
        self._fit(samples, np.ones(len(empty), bool), samples.copy == 0)
        again = self._apart(samples.rows[alone], samples.place[alone])
        # If no other place was seen empty, the ground of this one, disturbed, stands for that of the others.
        again[:, 1] = np.where(again[:, 1] < np.log(_FAR), again[:, 1], again[:, 0])
        pieces = (weights > 0) & ~empty
        known = weights > 0
        rows = np.concatenate([apart[known], again, others[pieces]])
        right = np.concatenate([empty[known], np.ones(len(again), bool), np.zeros(int(pieces.sum()), bool)])
        weight = np.concatenate([weights[known], np.ones(len(again)), np.full(int(pieces.sum()), strange)])
        self._with_own = _Judge(rows, right, weight, own=True)
        self._without_own = _Judge(rows, right, weight, own=False)


class _Judge:
    """Tells from how far a place is from its own ground (if it is known), others' ground and pieces."""

    def __init__(self, apart: Doubles, right: Flags, weights: Doubles, own: bool) -> None:
        self._own = own
        # Of a piece on a place whose ground was not taught, the ground next to it is taken for its own.
        used = ~np.isnan(apart[:, 0]) | ~right if own else ~np.isnan(apart[:, 1])
        witnesses, right, weights = self._witnesses(apart[used]), right[used], weights[used]
        each = weights[right].sum(), weights[~right].sum()
        weights = weights * np.where(right, 1 / max(each[0], 1e-9), 1 / max(each[1], 1e-9)) * len(right) / 2
        self.reach = float(np.quantile(witnesses[right, -1], 1 - ERROR)) if right.any() else -np.inf
        self.empty = Line(witnesses, right, weights, [-1] * witnesses.shape[1])
        self.filled = Line(witnesses, ~right, weights, [1] * witnesses.shape[1])

    def tell(self, apart: Doubles) -> tuple[Doubles, Flags, Flags]:
        witnesses = self._witnesses(apart)
        odds = self.empty.score(witnesses)
        empty = (odds >= max(self.empty.from_on(), 0.0)) & (witnesses[:, -1] <= self.reach)
        return odds, empty, self.filled.score(witnesses) >= max(self.filled.from_on(), 0.0)

    def _witnesses(self, apart: Doubles) -> Doubles:
        own, pool, piece = apart.T
        own = np.where(np.isnan(own), pool, own)
        if self._own:
            return np.column_stack([own - piece, np.minimum(own, pool) - piece, own])
        return np.column_stack([pool - piece, pool])
