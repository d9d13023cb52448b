"""How people change a table: what need not move stays exactly where it lies, and the rest comes, goes or is turned.

Nothing here knows a game: a View says what the table should show, and the pieces on it tell what it shows now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Final

import msgspec

from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View
from vision import layout as layouts

from .artwork import VARIANTS
from .scene import FIGURE, Lying, Piece, Placing, apart, coins_of, how_many, loose_piece, turned_over
from .solids import thing

LOOSE_CHANGE: Final = 3
"""So many more tokens than the fewest people keep before they change them for larger ones."""

_SEARCH: Final = 600
"""Places that are tried for a piece that comes to others, before all of them are laid out afresh."""


class Changing:
    """The hands that change one table. Pieces that are given to it lie in the order in which it gives them back."""

    def __init__(self, layout: layouts.Layout, rng: Random) -> None:
        self._layout, self._rng = layout, rng
        self._placing = Placing(layout, rng, 0.0)

    def to(self, view: View, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """The pieces of a table that shows this View, made from one on which `pieces` lie.

        Zones and places that the View does not name, and `UNKNOWN` ones, are left as they are.
        """
        self._placing.begin()
        lying: dict[str, list[Piece]] = {}
        for piece in pieces:
            lying.setdefault(piece.zone, []).append(piece)
        return tuple(
            piece
            for name, zone in self._layout.zones.items()
            for piece in self._zone(name, zone, lying.get(name, []), view.zones.get(name))
        )

    def turn(self, name: str, value: int | None, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """The same table with a dial's arrow turned to a value: always clearly elsewhere than it was."""
        zone = self._layout.zones[name]
        before = next((piece.angle for piece in pieces if piece.zone == name), None)
        spins = [arrow for _ in range(12) for arrow in self._placing.put(name, zone, Pointing(value))]
        if before is not None:
            spins.sort(key=lambda arrow: abs((arrow.angle - before + 180) % 360 - 180))
        return (*(piece for piece in pieces if piece.zone != name), *spins[-1:])

    def spread(self, names: Collection[str], pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """The same table with the loose pieces of these zones laid out afresh."""
        heaps = {name: Counter(piece.label for piece in pieces if piece.zone == name) for name in names}
        return tuple(
            piece
            for name, zone in self._layout.zones.items()
            for piece in (
                self._placing.put(name, zone, Pieces(dict(heaps[name])))
                if heaps.get(name)
                else [piece for piece in pieces if piece.zone == name]
            )
        )

    def _zone(self, name: str, zone: layouts.Zone, lying: list[Piece], contents: Contents | None) -> Iterator[Piece]:
        match zone, contents:
            case ((layouts.Grid() | layouts.Slots()), (Cells() | None)):
                yield from self._cells(name, zone, lying, contents.at if contents else {})
            case ((layouts.Tray() | layouts.Pool() | layouts.Dice()), Pieces()):
                yield from self._loose(name, zone, lying, contents)
            case layouts.Track(), Marks():
                yield from self._track(name, zone, lying, contents)
            case layouts.Dial(), Pointing(value=value) if not lying or value not in (None, int(lying[0].cell)):
                yield from self._placing.put(name, zone, contents)
            case _:
                yield from lying

    def _cells(
        self, name: str, zone: layouts.Grid | layouts.Slots, lying: list[Piece], wanted: Mapping[str, str | None]
    ) -> Iterator[Piece]:
        for cell, place in zone.places().items():
            here = [piece for piece in lying if piece.cell == cell]
            label = wanted.get(cell, UNKNOWN)
            if label in (UNKNOWN, _shown(here)):
                yield from self._placing.rest(zone, place, here)
            elif label is not None and self._is_flat(zone, here) and self._is_flat(zone, [_named(here[0], label)]):
                turned = _named(here[0], label, self._rng.randrange(VARIANTS))
                yield from self._placing.rest(zone, place, [turned])
            else:
                yield from self._placing.put(name, zone, Cells({cell: label}))

    def _is_flat(self, zone: layouts.Zone, here: Sequence[Piece]) -> bool:
        """Whether there is one card or board, whose place another face may take."""
        if len(here) != 1 or how_many(here[0].label)[1] != 1:
            return False
        what = thing(here[0].label, zone, self._layout)
        return not what.shape and what.height < FIGURE

    def _loose(
        self, name: str, zone: layouts.Tray | layouts.Pool | layouts.Dice, lying: list[Piece], contents: Pieces
    ) -> Iterator[Piece]:
        if not lying:
            yield from self._placing.put(name, zone, contents)
            return
        have = Counter(piece.label for piece in lying)
        wanted = self._wanted(zone, have, contents)
        stays, goes = _parted(lying, have - wanted)
        comes = list((wanted - have).elements())
        self._rng.shuffle(comes)
        laid = self._laid(zone, stays, goes, comes)
        if laid is None:
            # So full that people push everything together to make room.
            yield from self._placing.put(name, zone, Pieces(dict(wanted)))
            return
        yield from stays
        yield from (loose_piece(name, one, self._rng) for one in laid)

    def _laid(
        self, zone: layouts.Zone, stays: Sequence[Piece], goes: Sequence[Piece], comes: Sequence[str]
    ) -> list[Lying] | None:
        """Where the pieces that come lie: in the places of those that go, as if turned over, then where room is."""
        area = zone.area().grown(-2.0)
        there = [self._lying(zone, piece) for piece in stays]
        turned = [self._lying(zone, piece) for piece in goes[: len(comes)]]
        laid: list[Lying] = []
        for nth, label in enumerate(comes):
            what = thing(label, zone, self._layout)
            others = [*there, *laid, *turned[nth + 1 :]]
            if nth < len(turned):
                laid.append(turned_over(what, turned[nth], others, area, zone.turns, self._rng))
                continue
            free = apart(what, others, area, zone.turns, self._rng, _SEARCH)
            if free is None:
                return None
            laid.append(free)
        return laid

    def _lying(self, zone: layouts.Zone, piece: Piece) -> Lying:
        return Lying(thing(piece.label, zone, self._layout), piece.x, piece.y, piece.angle, piece.lift)

    def _wanted(self, zone: layouts.Zone, have: Counter[str], contents: Pieces) -> Counter[str]:
        family = self._layout.piece(zone)
        worth = family.worth if family is not None else {}
        if not worth or any(label in worth for label in contents.count):
            return +Counter(contents.count)
        wanted: Counter[str] = Counter()
        for name in dict.fromkeys([*contents.count, *(token.rstrip("0123456789") for token in have)]):
            own = coins_of(name, worth)
            there = {token: number for token, number in have.items() if token in own}
            wanted += changed(there, contents.count.get(name, 0), own)
        return wanted

    def _track(self, name: str, zone: layouts.Track, lying: list[Piece], contents: Marks) -> Iterator[Piece]:
        """Markers that share a field with one that comes or goes may be moved together or apart."""
        for field in zone.places():
            here = [piece for piece in lying if piece.cell == field]
            wanted = {marker: number for marker, number in contents.field.items() if str(number) == field}
            if {piece.label for piece in here} == wanted.keys():
                yield from here
            else:
                yield from self._placing.put(name, zone, Marks(wanted))


def changed(have: Mapping[str, int], total: int, worth: Mapping[str, int]) -> Counter[str]:
    """Tokens worth a total: those in `have` stay, as far as what is missing or too much can be paid in tokens."""
    tokens = Counter(have)
    rest = total - sum(worth[token] * number for token, number in have.items())
    if rest == 0:
        return +tokens
    for token in sorted(worth, key=lambda token: -worth[token]):
        if rest < 0:
            number = min(tokens[token], -rest // worth[token])
            tokens[token] -= number
            rest += number * worth[token]
    if rest < 0:
        broken = min((token for token in +tokens if worth[token] > -rest), key=lambda token: worth[token])
        tokens[broken] -= 1
        rest += worth[broken]
    tokens += fewest(rest, worth)
    return tokens if tokens.total() <= fewest(total, worth).total() + LOOSE_CHANGE else fewest(total, worth)


def fewest(total: int, worth: Mapping[str, int]) -> Counter[str]:
    tokens: Counter[str] = Counter()
    for token in sorted(worth, key=lambda token: -worth[token]):
        tokens[token], total = divmod(total, worth[token])
    return +tokens


def _parted(lying: Sequence[Piece], going: Mapping[str, int]) -> tuple[list[Piece], list[Piece]]:
    """The pieces that stay, and so many of each label that go."""
    left = Counter(going)
    stays: list[Piece] = []
    goes: list[Piece] = []
    for piece in lying:
        leaves = left[piece.label] > 0
        left[piece.label] -= leaves
        (goes if leaves else stays).append(piece)
    return stays, goes


def _shown(here: Sequence[Piece]) -> str | None:
    """The label of a place with these pieces on it."""
    if not here:
        return None
    return here[0].label if len(here) == 1 else f"{here[0].label} x{len(here)}"


def _named(piece: Piece, label: str, variant: int = 0) -> Piece:
    return msgspec.structs.replace(piece, label=label, variant=variant)
