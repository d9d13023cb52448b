"""The cards of a player: those in hand and pile together, and the discards."""

from __future__ import annotations

from bisect import insort

import msgspec
from msgspec.structs import replace

from companion.kernel.rules import SeatNo, changed

from ..moves import Source
from ..state import State, hand_at_least, in_pile_at_least, in_pile_at_most


def shuffle_discards_into_pile(state: State, seat: SeatNo) -> State:
    """Move the discards into the pile."""
    hidden = tuple(sorted((*state.hidden[seat], *state.discards[seat])))
    return replace(
        state,
        hidden=changed(state.hidden, seat, hidden),
        discards=changed(state.discards, seat, ()),
    )


def add_to_discards(state: State, seat: SeatNo, name: str) -> State:
    return replace(state, discards=changed(state.discards, seat, (*state.discards[seat], name)))


def with_hand(state: State, seat: SeatNo, least: int, most: int) -> State:
    """Return the state with at least and at most so many cards in the hand; the other hidden cards are in the pile."""
    most = min(most, len(state.hidden[seat]))
    least = min(max(least, 0), most)
    before = (0,) * state.players if state.thrown is msgspec.UNSET else state.thrown
    thrown = changed(before, seat, most - least)
    return replace(state, hands=changed(state.hands, seat, most), thrown=thrown if any(thrown) else msgspec.UNSET)


def remove_hidden(state: State, seat: SeatNo, name: str, source: Source) -> State:
    """Take a card from hand or pile. If it is unknown from which, the hand may be as large as before."""
    least, most = hand_at_least(state, seat), state.hands[seat]
    mine = list(state.hidden[seat])
    mine.remove(name)
    state = replace(state, hidden=changed(state.hidden, seat, tuple(mine)))
    match source:
        case "own hand":
            return with_hand(state, seat, least - 1, most - 1)
        case "pile":
            return with_hand(state, seat, least, most)
        case _:
            return with_hand(state, seat, least - 1, most)


def add_hidden(state: State, seat: SeatNo, name: str) -> State:
    """Add a card to hand or pile."""
    mine = list(state.hidden[seat])
    insort(mine, name)
    return replace(state, hidden=changed(state.hidden, seat, tuple(mine)))


def possible_cards(state: State, seat: SeatNo, source: Source) -> tuple[str, ...]:
    """Return the cards that may come from the hand, or lie on top of the pile.

    A pile that may be empty may be made of the discards first.
    """
    hidden, in_hand, in_the_pile = state.hidden[seat], state.hands[seat] > 0, in_pile_at_most(state, seat) > 0
    match source:
        case "hand":
            return hidden if in_hand else ()
        case "own hand":
            return hidden if in_hand and in_the_pile else ()
        case _:
            reshuffled = () if in_pile_at_least(state, seat) else state.discards[seat]
            return (*(hidden if in_the_pile else ()), *reshuffled)


def drawn_from_discards(state: State, seat: SeatNo, source: Source, name: str) -> bool:
    """Whether the discards have to be shuffled to take a card from the pile."""
    return source == "pile" and name not in state.hidden[seat]
