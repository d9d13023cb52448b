"""The components of Viscounts of the West Kingdom, and the effects that they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from companion.kernel import box as kernel

FILE: Final = Path(__file__).with_name("box.toml")

Good = Literal["ink", "gold", "stone", "silver"]
Symbol = Literal["merchant", "builder", "noble", "cleric", "criminal"]
Building = Literal["trading_post", "guildhall", "workshop"]
Ribbon = Literal["black", "yellow", "grey", "blue"]
Action = Literal["trade", "build", "workers", "manuscript"]
Counted = Literal[
    "", "merchant", "builder", "noble", "cleric", "criminal",
    "manuscript", "approved", "paid", "worker", "good", "building",
]  # fmt: skip
"""What a manuscript counts at the end."""

GOODS: Final[tuple[Good, ...]] = ("ink", "gold", "stone", "silver")
"""Three resources and silver, in the order in which a State counts them."""
INK, GOLD, STONE, SILVER = range(4)
RESOURCES: Final = GOODS[:SILVER]
SYMBOLS: Final[tuple[Symbol, ...]] = ("merchant", "builder", "noble", "cleric", "criminal")
MERCHANT, BUILDER, NOBLE, CLERIC, CRIMINAL = range(5)
BUILDINGS: Final[tuple[Building, ...]] = ("trading_post", "guildhall", "workshop")
TRADING_POST, GUILDHALL, WORKSHOP = range(3)
RIBBONS: Final[tuple[Ribbon, ...]] = ("black", "yellow", "grey", "blue")
Rival = Literal["cleric", "builder", "noble", "cards"]
RIVALS: Final[tuple[Rival, ...]] = ("cleric", "builder", "noble", "cards")
"""The opponents of the solo game."""
SLOTS: Final = 3
"""Buildings of a kind on a player board."""


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, cache_hash=True):
    """What a card, a plot, a link, a ring or a field of the track does, in this order; or one of several effects.

    Adding schemes and dismissing by an effect are only for an opponent of the solo game.
    """

    ink: int = 0
    gold: int = 0
    stone: int = 0
    silver: int = 0
    corruption: int = 0
    virtue: int = 0
    debt: int = 0
    deed: int = 0
    any: int = 0
    flip: int = 0
    flip_debt: int = 0
    flip_deed: int = 0
    shuffle: bool = False
    rearrange: bool = False
    discard: int = 0
    destroy: int = 0
    hire: int = 0
    move: int = 0
    workers: int = 0
    build: Building | Literal[""] = ""
    manuscript: bool = False
    scheme: int = 0
    dismiss: int = 0
    either: tuple[Effect, ...] = ()


NOTHING: Final = Effect()


class Symbols(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    merchant: int = 0
    builder: int = 0
    noble: int = 0
    cleric: int = 0
    criminal: int = 0


class Swap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ability: in one main action, a number of something counts as a number of its symbols; some only once an
    action."""

    during: Action
    gives: tuple[Good | Symbol, ...]
    number: int
    counts: int
    once: bool = False


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A townsfolk card: its symbols, what hiring or dismissing it brings, and its abilities by when they apply."""

    silver: int
    merchant: int = 0
    builder: int = 0
    noble: int = 0
    cleric: int = 0
    criminal: int = 0
    hired: Effect = NOTHING
    played: Effect = NOTHING
    dropped: Effect = NOTHING
    after_trade: Effect = NOTHING
    after_build: Effect = NOTHING
    after_workers: Effect = NOTHING
    after_manuscript: Effect = NOTHING
    collision: Effect = NOTHING
    on_debt: Effect = NOTHING
    on_flip: Effect = NOTHING
    swap: Swap | None = None


class Manuscript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point at the end for every `each` of what it counts; or an effect at once. Printed ones have no ribbon."""

    cost: int
    ribbon: Ribbon | Literal[""] = ""
    effect: Effect = NOTHING
    counts: Counted = ""
    each: int = 1


class Piles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    least: int
    manuscripts: int


class Debts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    unpaid: int
    poverty: dict[str, int]


class Deeds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    acquired: int
    approved: int
    prosperity: dict[str, int]


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    places: tuple[int, ...]
    sets: tuple[int, ...]
    bonus: int
    leader: int


class Ribbons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    black: Symbols
    yellow: Symbols
    grey: Symbols
    blue: Symbols


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    places: tuple[Symbols, Symbols, Symbols]


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cost: int
    points: tuple[int, int, int]


class Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trading_post: Kind
    guildhall: Kind
    workshop: Kind


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a building uncovers on the player board: symbols, or an ability."""

    merchant: int = 0
    builder: int = 0
    noble: int = 0
    cleric: int = 0
    does: Literal["", "step", "dismiss", "discard", "virtue", "hand"] = ""


class Slots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trading_post: tuple[Slot, Slot, Slot]
    guildhall: tuple[Slot, Slot, Slot]
    workshop: tuple[Slot, Slot, Slot]


class Employing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nobles: tuple[int, ...]


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gains: Effect
    others: Effect
    criminals: Literal["some", "none", "any"]


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fields: tuple[Field, ...]


class Castle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: int
    climb: int
    sections: tuple[Effect, ...]
    third: Effect
    pushed: tuple[Effect, Effect]


class Trade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    merchants: int
    gives: Effect


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    left: int
    plots: tuple[Effect, ...]
    links: tuple[Effect, ...]


class Segment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trades: tuple[Trade, Trade]
    townsfolk: Card
    manuscript: Manuscript
    four: Side
    five: Side


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    grey: tuple[str, ...]


class PlayerCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    effect: Effect
    here: bool = False


class Scheme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card of the solo game's opponent: symbols, effects, a walk, main actions to try, and what happens if none is
    possible."""

    does: Effect
    steps: int
    tries: tuple[Literal["build", "workers", "manuscript", "focus"], ...]
    otherwise: Effect
    builder: int = 0
    noble: int = 0
    cleric: int = 0
    criminal: int = 0


class Gathers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    good: Literal["ink", "gold", "stone"]
    most: int


class RivalSlot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a building of the opponent uncovers: a symbol, or something that works from then on."""

    builder: int = 0
    noble: int = 0
    cleric: int = 0
    does: Literal["", "scheme", "collision", "flip", "adding", "virtue", "corruption"] = ""


class RivalBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    focus: Literal["build", "workers", "manuscript", "flip"]
    gathers: tuple[Gathers, ...]
    start: Effect
    printed: tuple[Symbols, Symbols, Symbols]
    removed: tuple[str, ...]
    slots: tuple[RivalSlot, ...]


class RivalTrack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fields: tuple[Effect, ...]


class Solo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pay: int
    workers: tuple[int, ...]
    track: RivalTrack
    starting: dict[str, Scheme]
    future: dict[str, Scheme]
    boards: dict[str, RivalBoard]


class Box(kernel.Box, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    colours: tuple[str, ...]
    workers: int
    hand: int
    fewest_cards: int
    few_players: int
    piles: Piles
    debts: Debts
    deeds: Deeds
    ending: Ending
    ribbons: Ribbons
    printed: Printed
    buildings: Kinds
    slots: Slots
    employing: Employing
    track: Track
    castle: Castle
    segments: dict[str, Segment]
    townsfolk: dict[str, Card]
    starters: dict[str, Card]
    heroes: dict[str, Card]
    manuscripts: dict[str, Manuscript]
    start: Start
    player_cards: dict[str, PlayerCard]
    solo: Solo

    def contradictions(self) -> Iterator[str]:
        sections, segments = len(self.castle.sections), len(self.segments)
        if sections != segments:
            yield f"The castle has {sections} sections, but there are {segments} segments."
        names = [*self.townsfolk, *self.starters, *self.heroes]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            yield f"Two cards are called {twice[0]}."
        if len(self.manuscripts) != segments * self.piles.manuscripts:
            yield f"{len(self.manuscripts)} manuscripts do not make {segments} piles of {self.piles.manuscripts}."
        yield from self._sides()
        yield from self._chains()
        yield from self._rivals()
        if len(self.start.grey) != segments or not set(self.start.grey) <= self.manuscripts.keys():
            yield "As many manuscripts of the box as there are segments have a grey back."
        if set(self.player_cards) != {str(number) for number in range(1, 2 * segments + 1)}:
            yield "There is a player card for every outer space."
        if len(self.ending.sets) != len(RIBBONS):
            yield "A set has as many points as it may have ribbons."

    def _sides(self) -> Iterator[str]:
        for name, segment in self.segments.items():
            for side in (segment.four, segment.five):
                if len(side.plots) != len(side.links) or not 0 < side.left < len(side.plots):
                    yield f"Segment {name} needs a link after every plot, and plots on both sides of the river."

    def _chains(self) -> Iterator[str]:
        """Check that each chain of effects ends."""
        for name, card in self.cards():
            if any(effect.debt for effect in (card.on_debt, *card.on_debt.either)):
                yield f"{name} may not bring a debt for gaining a debt: that would never end."
            if any(effect.flip or effect.flip_debt for effect in (card.on_flip, *card.on_flip.either)):
                yield f"{name} may not flip a debt for flipping a debt: that would never end."

    def _rivals(self) -> Iterator[str]:
        schemes = {*self.solo.starting, *self.solo.future}
        if set(self.solo.boards) != set(RIVALS):
            yield f"The opponents are {', '.join(RIVALS)}."
        for name, board in self.solo.boards.items():
            if len(board.slots) != SLOTS * len(BUILDINGS) or not set(board.removed) <= schemes:
                yield f"The board of the opponent {name} needs nine places, and schemes that there are."
        if len(self.solo.track.fields) != len(self.track.fields):
            yield "The opponent's track is as long as the players' tracks."

    def cards(self) -> Iterator[tuple[str, Card]]:
        """Yield all townsfolk by name, of whichever kind."""
        for kind in (self.townsfolk, self.starters, self.heroes):
            yield from kind.items()


def load(answers: Mapping[str, Any] | None = None) -> Box:
    return kernel.load(FILE, Box, answers)
