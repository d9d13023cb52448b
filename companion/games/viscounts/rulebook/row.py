"""Phase 1: Kartenmanagement. Cards slide to the right, one drops off, and another is played on the left."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, Story, broken, changed

from ..moves import Move, PlayCard, Rearrange, Slide, Source
from ..state import NONE, Row, State, card, criminals
from .deck import discarded, drawn_from_discards, may_be_from, revealed
from .effects import apply, off_breaches, with_pile
from .markers import corrupt


def slide_moves(state: State) -> Iterator[Move]:
    yield Slide(state.turn)


def check_slide(_state: State, _move: Slide) -> Iterator[Breach]:
    return iter(())


def slide(state: State, move: Slide, story: Story) -> State:
    first, second, dropped = state.rows[move.seat]
    story.tell("cards.slide", seat=state.colour_of(move.seat))
    state = replace(state, rows=changed(state.rows, move.seat, (NONE, first, second)), phase="playing")
    if not dropped:
        return state
    story.tell("cards.drop", seat=state.colour_of(move.seat), card=dropped)
    state = discarded(state, move.seat, dropped)
    return apply(state, move.seat, card(state, dropped).dropped, story)


def source_of_play(state: State, seat: SeatNo) -> Source:
    return "hand" if state.hands[seat] else "pile"


def play_moves(state: State) -> Iterator[Move]:
    seat = state.turn
    for name in dict.fromkeys(may_be_from(state, seat, source_of_play(state, seat))):
        yield PlayCard(seat, name)


def check_play(state: State, move: PlayCard) -> Iterator[Breach]:
    if move.card not in may_be_from(state, move.seat, source_of_play(state, move.seat)):
        yield broken("cards.own", seat=state.colour_of(move.seat), card=move.card)
        return
    yield from off_breaches(state, move.seat, move.off)


def play_card(state: State, move: PlayCard, story: Story) -> State:
    seat, source = move.seat, source_of_play(state, move.seat)
    if source == "pile":
        story.tell("cards.blind", seat=state.colour_of(seat))
        if drawn_from_discards(state, seat, source, move.card):
            story.tell("cards.three", seat=state.colour_of(seat))
    state = with_pile(state, seat, source, move.card, story)
    return card_played(revealed(state, seat, move.card, "own hand" if source == "hand" else "pile"), move, story)


def card_played(state: State, move: PlayCard, story: Story) -> State:
    """The card lies on the leftmost place."""
    seat, played = move.seat, card(state, move.card)
    story.tell("cards.play", seat=state.colour_of(seat), card=move.card)
    _, middle, right = state.rows[seat]
    rows = changed(state.rows, seat, (move.card, middle, right))
    state = replace(state, rows=rows, played=move.card, phase="moving")
    if played.criminal:
        number = criminals(state, seat)
        story.tell("cards.criminal", seat=state.colour_of(seat), criminals=number)
        state = corrupt(state, seat, number, story)
    return apply(state, seat, played.played, story)


# Cards in another order


def orders(state: State, seat: SeatNo) -> list[Row]:
    """Every other order of somebody's cards. Empty places stay where they are, but for a house rule; and where a card
    is to be played next it has to be free."""
    row = state.rows[seat]
    if sum(map(bool, row)) < 2 and (state.options.gaps == "stay" or not any(row)):
        return []
    found: dict[Row, None] = {(row[a], row[b], row[c]): None for a, b, c in permutations(range(len(row)))}
    if state.options.gaps == "stay":
        return [one for one in found if one != row and all(bool(a) == bool(b) for a, b in zip(one, row, strict=True))]
    to_play = state.phase == "playing" and seat == state.turn
    return [one for one in found if one != row and not (to_play and one[0])]


def rearrange_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    for row in orders(state, seat):
        yield Rearrange(seat, row)


def check_rearrange(state: State, move: Rearrange) -> Iterator[Breach]:
    row = state.rows[move.seat]
    if sorted(move.row) != sorted(row):
        yield broken("symbol.rearrange", seat=state.colour_of(move.seat))
    elif move.row == row:
        yield broken("symbol.same", seat=state.colour_of(move.seat))
    elif move.row not in orders(state, move.seat):
        yield broken("symbol.gap", seat=state.colour_of(move.seat))


def rearrange(state: State, move: Rearrange, story: Story) -> State:
    story.tell("symbol.rearrange", seat=state.colour_of(move.seat))
    return replace(state, rows=changed(state.rows, move.seat, move.row))
