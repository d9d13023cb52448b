"""A laid-out table for the tests: short ways to a state in the middle of a game."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.viscounts import GAME
from companion.games.viscounts.box import BUILDINGS, GOODS, GUILDHALL, TRADING_POST, WORKSHOP
from companion.games.viscounts.components import INNER, LEFT, RIGHT, space_of
from companion.games.viscounts.moves import (
    LayOut,
    Move,
    OfferCard,
    OfferHero,
    PutSegment,
    TakePair,
    TurnCastle,
    TurnUp,
    TurnUpManuscript,
)
from companion.games.viscounts.state import EMPTY, Due, Row, State, encode_building, pile_top_unknown
from companion.kernel.rules import Breach, Note, Seat, changed

__all__ = ["BUILDINGS", "GUILDHALL", "INNER", "LEFT", "RIGHT", "TRADING_POST", "WORKSHOP", "changed", "replace"]

RED, BLUE, YELLOW, GREEN = range(4)
BOX = GAME.load_box()
TOWNSFOLK = ("woodcutter 1", "mason", "friar", "princess", "illusionist")
"""On top of the piles of `table`, by segment."""
SCRIPTS = ("black 3 flip", "yellow 3 any", "grey 3 virtue", "blue 3 hire", "yellow 3 flip")
CARDS = (1, 2, 7, 9, 10)
HEROES = ("ada", "bertha", "clovis", "emma", "guntram")


def space(number: int) -> int:
    """The outer space with a number."""
    return space_of((number - 1) // 2, LEFT if number % 2 else RIGHT)


def inner(segment: int) -> int:
    return space_of(segment, INNER)


def opened(players: int = 3, **options: Any) -> State:
    """The state before anything was done."""
    return GAME.setup(BOX, tuple(Seat(colour) for colour in BOX.colours[:players]), options)


def laid_out(players: int = 3, **options: Any) -> State:
    """Chance has laid nothing out yet."""
    return GAME.play(opened(players, **options), LayOut())


def lots(players: int = 3) -> list[Move]:
    """Everything that chance lays out for `table`."""
    return [
        *(PutSegment(place, place) for place in range(1, 5)),
        TurnCastle(0),
        *(TurnUp(segment, card) for segment, card in enumerate(TOWNSFOLK)),
        *(TurnUpManuscript(segment, script) for segment, script in enumerate(SCRIPTS)),
        *(OfferCard(place, number) for place, number in enumerate(CARDS[: players + 1])),
        *(OfferHero(place, hero) for place, hero in enumerate(HEROES[: players + 1])),
    ]


def ready(players: int = 3, **options: Any) -> State:
    """All is laid out, and the last seat is to choose a pair."""
    return played(laid_out(players, **options), *lots(players))


def after_draft(players: int = 3, **options: Any) -> State:
    """All seats have chosen the first pair that lay there, the last seat first; red is to play the first card."""
    state = ready(players, **options)
    while state.phase == "draft":
        listed = list(GAME.moves(state))
        pairs = [move for move in listed if isinstance(move, TakePair)]
        state = GAME.play(state, pairs[0] if pairs else listed[0])
    return state


def table(players: int = 3, **facts: Any) -> State:
    """Red's turn, about to act; `facts` change what the state holds. No seat has goods, debts or deeds."""
    options = {name: facts.pop(name) for name in list(facts) if name in type(opened().options).__struct_fields__}
    state = after_draft(players, **options)
    state = replace(
        state,
        phase="action",
        goods=((0, 0, 0, 0),) * players,
        debts=((0, 0),) * players,
        deeds=((0, 0),) * players,
        corruption=(1,) * players,
        virtue=(7,) * players,
        viscounts=tuple(space(number) for number in (3, 8, 10, 6)[:players]),
        played="trader",
    )
    return replace(state, **facts)


def with_viscount(state: State, where: int, seat: int = RED) -> State:
    """A seat's viscount stands on a space."""
    return replace(state, viscounts=changed(state.viscounts, seat, where))


def with_row(state: State, *cards: str, seat: int = RED) -> State:
    """These cards lie on a player board, from the left; they are gone from hand and pile."""
    row: Row = (cards[0], cards[1], cards[2]) if len(cards) == 3 else (EMPTY, EMPTY, EMPTY)
    left = list(state.hidden[seat])
    for card in cards:
        if card in left:
            left.remove(card)
    hand = min(state.hands[seat], len(left))
    return replace(
        state,
        rows=changed(state.rows, seat, row),
        hidden=changed(state.hidden, seat, tuple(left)),
        hands=changed(state.hands, seat, hand),
        offer=tuple("" if card in cards else card for card in state.offer),
    )


def has(state: State, seat: int = RED, **goods: int) -> State:
    """A seat has so many of these goods, and as many of all others as before."""
    mine = list(state.goods[seat])
    for good, number in goods.items():
        mine[GOODS.index(good)] = number  # type: ignore[arg-type]
    return replace(state, goods=changed(state.goods, seat, tuple(mine)))


def owns(state: State, seat: int = RED) -> dict[str, int]:
    """The goods of a seat by name, but for those it has none of."""
    return {good: number for good, number in zip(GOODS, state.goods[seat], strict=True) if number}


def with_building(state: State, seat: int, segment: int, plot: int, building: int, slot: int = 0) -> State:
    """A building stands on a plot and has left its place on the player board."""
    plots = changed(state.plots, segment, changed(state.plots[segment], plot, encode_building(seat, building)))
    built = changed(state.built, seat, state.built[seat] | 1 << building * 3 + slot)
    return replace(state, plots=plots, built=built)


def with_slots(state: State, seat: int, *slots: tuple[int, int]) -> State:
    """Buildings have left these places of a player board."""
    bits = state.built[seat]
    for building, slot in slots:
        bits |= 1 << building * 3 + slot
    return replace(state, built=changed(state.built, seat, bits))


def with_workers(state: State, ring: int, section: int, *numbers: int) -> State:
    """So many workers of each seat stand in a section."""
    workers = (*numbers, *(0,) * (state.players - len(numbers)))
    rings = changed(state.rings, ring - 1, changed(state.rings[ring - 1], section, workers))
    return replace(state, rings=rings)


def workers(state: State, ring: int, seat: int = RED) -> list[int]:
    """The workers of a seat in a ring, by section."""
    return [section[seat] for section in state.rings[ring - 1]]


def markers(state: State, corruption: int, virtue: int, seat: int = RED) -> State:
    return replace(
        state,
        corruption=changed(state.corruption, seat, corruption),
        virtue=changed(state.virtue, seat, virtue),
    )


def marker_fields(state: State, seat: int = RED) -> tuple[int, int]:
    """Return the fields of corruption and virtue of a seat."""
    return state.corruption[seat], state.virtue[seat]


def papers(state: State, seat: int = RED, *, debts: tuple[int, int] = (0, 0), deeds: tuple[int, int] = (0, 0)) -> State:
    return replace(state, debts=changed(state.debts, seat, debts), deeds=changed(state.deeds, seat, deeds))


def with_due(state: State, what: Any, number: int = 1, seat: int = RED, **facts: Any) -> State:
    """A seat has this to do."""
    return replace(state, due=((Due(seat, what, number, **facts),),))


def played(state: State, *moves: Move) -> State:
    for move in moves:
        state = GAME.play(state, move)
    return state


def with_tops_told(state: State) -> State:
    """All tops of piles are turned up: the first that may lie there."""
    while pile_top_unknown(state):
        state = GAME.play(state, next(iter(GAME.moves(state))))
    return state


def kinds(state: State) -> set[str]:
    """Return the kinds of moves that are legal."""
    return {type(move).__name__ for move in GAME.moves(state)}


def listed(state: State, kind: type[Any]) -> list[Any]:
    return [move for move in GAME.moves(state) if isinstance(move, kind)]


def rules(state: State, move: Move) -> list[str]:
    """The rules that a move breaks."""
    return [breach.rule for breach in GAME.check(state, move)]


def breach(state: State, move: Move, rule: str) -> Breach:
    """The breach of a rule by a move."""
    return next(one for one in GAME.check(state, move) if one.rule == rule)


def told(state: State, move: Move) -> list[str]:
    """The rules that a legal move sets to work."""
    return [note.rule for note in GAME.tell(state, move)]


def note(state: State, move: Move, rule: str) -> Note:
    return next(one for one in GAME.tell(state, move) if one.rule == rule)
