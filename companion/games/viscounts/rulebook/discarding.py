"""Kurzübersicht der Symbole: cards that are discarded or destroyed, from the hand or blindly from the pile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, Story, broken

from ..box import SILVER
from ..moves import Destroy, Discard, Move, Source
from ..state import State, card, owned
from .deck import discarded, may_be_from, revealed
from .effects import add_goods, off_breaches, some, with_pile

SOURCES: Final[tuple[Source, ...]] = ("hand", "own hand", "pile")


def can_discard(state: State, seat: SeatNo) -> bool:
    return bool(state.hidden[seat] or state.discards[seat])


def can_destroy(state: State, seat: SeatNo) -> bool:
    return owned(state, seat) > state.box.fewest_cards and can_discard(state, seat)


def told_source(state: State, move: Discard | Destroy) -> str:
    """Where a card came from, as far as it is known: a word of the catalogue."""
    unsure = move.source == "hand" and bool(may_be_from(state, move.seat, "own hand"))
    return "hand_or_pile" if unsure else "pile" if move.source == "pile" else "hand"


def discard_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    for source in SOURCES:
        yield from (Discard(seat, source, name) for name in dict.fromkeys(may_be_from(state, seat, source)))


def destroy_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    if not can_destroy(state, seat):
        return
    for source in SOURCES:
        yield from (Destroy(seat, source, name) for name in dict.fromkeys(may_be_from(state, seat, source)))


def check_discard(state: State, move: Discard) -> Iterator[Breach]:
    if move.source not in SOURCES or move.card not in may_be_from(state, move.seat, move.source):
        yield broken("cards.own", seat=state.colour_of(move.seat), card=move.card)


def check_destroy(state: State, move: Destroy) -> Iterator[Breach]:
    seat = state.colour_of(move.seat)
    if move.source not in SOURCES or move.card not in may_be_from(state, move.seat, move.source):
        yield broken("cards.own", seat=seat, card=move.card)
        return
    if owned(state, move.seat) <= state.box.fewest_cards:
        yield broken("cards.fewest", seat=seat, cards=state.box.fewest_cards)
    yield from off_breaches(state, move.seat, move.off)


def _out(state: State, seat: SeatNo, source: Source, name: str, story: Story) -> State:
    """A card has left hand or pile; an empty pile was made of the discards first."""
    return revealed(with_pile(state, seat, source, name, story), seat, name, source)


def discard(state: State, move: Discard, story: Story) -> State:
    story.tell("symbol.discard", seat=state.colour_of(move.seat), card=move.card, source=told_source(state, move))
    state = _out(state, move.seat, move.source, move.card, story)
    return discarded(state, move.seat, move.card)


def destroy(state: State, move: Destroy, story: Story) -> State:
    silver = card(state, move.card).silver
    story.tell("symbol.destroy", seat=state.colour_of(move.seat), card=move.card, silver=silver)
    state = _out(state, move.seat, move.source, move.card, story)
    return out_of_the_game(add_goods(state, move.seat, some(SILVER, silver)), move.card)


def out_of_the_game(state: State, name: str) -> State:
    """It goes face up on the pile of those that are gone: so everybody can see which one it was."""
    return replace(state, gone=(*state.gone, name))
