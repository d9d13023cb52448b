"""The cards of a player: what is in the hand and the pile together, and what lies among the discards."""

from __future__ import annotations

from bisect import insort

from msgspec.structs import replace

from companion.rules import SeatNo, changed

from .moves import Source
from .state import State, in_pile


def shuffled(state: State, seat: SeatNo) -> State:
    """The discards are in the pile."""
    hidden = tuple(sorted((*state.hidden[seat], *state.discards[seat])))
    return replace(
        state,
        hidden=changed(state.hidden, seat, hidden),
        discards=changed(state.discards, seat, ()),
    )


def discarded(state: State, seat: SeatNo, name: str) -> State:
    return replace(state, discards=changed(state.discards, seat, (*state.discards[seat], name)))


def revealed(state: State, seat: SeatNo, name: str, source: Source) -> State:
    """A card has left hand or pile."""
    mine = list(state.hidden[seat])
    mine.remove(name)
    hands = changed(state.hands, seat, state.hands[seat] - 1) if source == "hand" else state.hands
    return replace(state, hidden=changed(state.hidden, seat, tuple(mine)), hands=hands)


def thrown_out(state: State, seat: SeatNo, name: str) -> State:
    """A card has left hand or pile, and nobody sees which: the hand may be as large as before. Whoever draws up knows
    again, and until then it makes no difference, for both hold what is left."""
    mine = list(state.hidden[seat])
    mine.remove(name)
    hands = changed(state.hands, seat, min(state.hands[seat], len(mine)))
    return replace(state, hidden=changed(state.hidden, seat, tuple(mine)), hands=hands)


def concealed(state: State, seat: SeatNo, name: str) -> State:
    """A card has come into hand or pile."""
    mine = list(state.hidden[seat])
    insort(mine, name)
    return replace(state, hidden=changed(state.hidden, seat, tuple(mine)))


def may_be_from(state: State, seat: SeatNo, source: Source) -> tuple[str, ...]:
    """The cards of which one may come out of the hand, or lie on top of the pile; an empty pile is made of the discards
    first. Where it is from nobody knows better."""
    if source == "hand":
        return state.hidden[seat] if state.hands[seat] else ()
    if in_pile(state, seat):
        return state.hidden[seat]
    return state.discards[seat]


def drawn_from_discards(state: State, seat: SeatNo, source: Source) -> bool:
    """Whether the discards have to be shuffled to take a card from the pile."""
    return source == "pile" and not in_pile(state, seat)
