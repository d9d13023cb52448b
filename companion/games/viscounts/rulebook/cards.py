"""Cards: the row, discarding, destroying, and cards of honour."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import RIBBONS, SILVER
from ..moves import Destroy, Discard, Move, PlayCard, Rearrange, Slide, Source, TakeHonour
from ..state import EMPTY, NO_SEAT, Row, State, card, criminals, number_of_cards
from .deck import add_to_discards, drawn_from_discards, possible_cards, remove_hidden
from .effects import add_goods, apply, corrupt, deviation_breaches, goods_of, reshuffle_if_needed


def slide_moves(state: State) -> Iterator[Move]:
    yield Slide(state.turn)


def check_slide(_state: State, _move: Slide) -> Iterator[Breach]:
    return iter(())


def slide(state: State, move: Slide, log: RuleLog) -> State:
    first, second, dropped = state.rows[move.seat]
    log.tell("cards.slide", seat=state.colour(move.seat))
    state = replace(state, rows=changed(state.rows, move.seat, (EMPTY, first, second)), phase="playing")
    if not dropped:
        return state
    log.tell("cards.drop", seat=state.colour(move.seat), card=dropped)
    state = add_to_discards(state, move.seat, dropped)
    return apply(state, move.seat, card(state, dropped).dropped, log)


def source_of_play(state: State, seat: SeatNo) -> Source:
    return "hand" if state.hands[seat] else "pile"


def play_moves(state: State) -> Iterator[Move]:
    seat = state.turn
    for name in dict.fromkeys(possible_cards(state, seat, source_of_play(state, seat))):
        yield PlayCard(seat, name)


def check_play(state: State, move: PlayCard) -> Iterator[Breach]:
    if move.card not in possible_cards(state, move.seat, source_of_play(state, move.seat)):
        yield broken("cards.own", seat=state.colour(move.seat), card=move.card)
        return
    yield from deviation_breaches(state, move.seat, move.off)


def play_card(state: State, move: PlayCard, log: RuleLog) -> State:
    seat, source = move.seat, source_of_play(state, move.seat)
    if source == "pile":
        log.tell("cards.blind", seat=state.colour(seat))
        if drawn_from_discards(state, seat, source, move.card):
            log.tell("cards.three", seat=state.colour(seat))
    state = reshuffle_if_needed(state, seat, source, move.card, log)
    return lay_card(remove_hidden(state, seat, move.card, "own hand" if source == "hand" else "pile"), move, log)


def lay_card(state: State, move: PlayCard, log: RuleLog) -> State:
    """Lay a card on the leftmost place, with its effects."""
    seat, played = move.seat, card(state, move.card)
    log.tell("cards.play", seat=state.colour(seat), card=move.card)
    _, middle, right = state.rows[seat]
    rows = changed(state.rows, seat, (move.card, middle, right))
    state = replace(state, rows=rows, played=move.card, phase="moving")
    if played.criminal:
        number = criminals(state, seat)
        log.tell("cards.criminal", seat=state.colour(seat), criminals=number)
        state = corrupt(state, seat, number, log)
    return apply(state, seat, played.played, log)


# Cards in another order


def possible_rows(state: State, seat: SeatNo) -> list[Row]:
    """Return every other order of a seat's cards.

    Empty places stay where they are unless a house rule says otherwise; a place where a card is to be played next has
    to be free.
    """
    row = state.rows[seat]
    if sum(map(bool, row)) < 2 and (state.options.gaps == "stay" or not any(row)):
        return []
    found: dict[Row, None] = {(row[a], row[b], row[c]): None for a, b, c in permutations(range(len(row)))}
    if state.options.gaps == "stay":
        return [one for one in found if one != row and all(bool(a) == bool(b) for a, b in zip(one, row, strict=True))]
    to_play = state.phase == "playing" and seat == state.turn
    return [one for one in found if one != row and not (to_play and one[0])]


def rearrange_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    for row in possible_rows(state, seat):
        yield Rearrange(seat, row)


def check_rearrange(state: State, move: Rearrange) -> Iterator[Breach]:
    row = state.rows[move.seat]
    if sorted(move.row) != sorted(row):
        yield broken("symbol.rearrange", seat=state.colour(move.seat))
    elif move.row == row:
        yield broken("symbol.same", seat=state.colour(move.seat))
    elif move.row not in possible_rows(state, move.seat):
        yield broken("symbol.gap", seat=state.colour(move.seat))


def rearrange(state: State, move: Rearrange, log: RuleLog) -> State:
    log.tell("symbol.rearrange", seat=state.colour(move.seat))
    return replace(state, rows=changed(state.rows, move.seat, move.row))


SOURCES: Final[tuple[Source, ...]] = ("hand", "own hand", "pile")


def can_discard(state: State, seat: SeatNo) -> bool:
    return bool(state.hidden[seat] or state.discards[seat])


def can_destroy(state: State, seat: SeatNo) -> bool:
    return number_of_cards(state, seat) > state.box.fewest_cards and can_discard(state, seat)


def source_word(state: State, move: Discard | Destroy) -> str:
    """Return where a card came from, as far as it is known: a word of the catalogue."""
    unsure = move.source == "hand" and bool(possible_cards(state, move.seat, "own hand"))
    return "hand_or_pile" if unsure else "pile" if move.source == "pile" else "hand"


def discard_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    for source in SOURCES:
        yield from (Discard(seat, source, name) for name in dict.fromkeys(possible_cards(state, seat, source)))


def destroy_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    if not can_destroy(state, seat):
        return
    for source in SOURCES:
        yield from (Destroy(seat, source, name) for name in dict.fromkeys(possible_cards(state, seat, source)))


def check_discard(state: State, move: Discard) -> Iterator[Breach]:
    if move.source not in SOURCES or move.card not in possible_cards(state, move.seat, move.source):
        yield broken("cards.own", seat=state.colour(move.seat), card=move.card)


def check_destroy(state: State, move: Destroy) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if move.source not in SOURCES or move.card not in possible_cards(state, move.seat, move.source):
        yield broken("cards.own", seat=seat, card=move.card)
        return
    if number_of_cards(state, move.seat) <= state.box.fewest_cards:
        yield broken("cards.fewest", seat=seat, cards=state.box.fewest_cards)
    yield from deviation_breaches(state, move.seat, move.off)


def _take_card(state: State, seat: SeatNo, source: Source, name: str, log: RuleLog) -> State:
    """Take a card from hand or pile; if the pile was empty, it is first made of the discards."""
    return remove_hidden(reshuffle_if_needed(state, seat, source, name, log), seat, name, source)


def discard(state: State, move: Discard, log: RuleLog) -> State:
    log.tell("symbol.discard", seat=state.colour(move.seat), card=move.card, source=source_word(state, move))
    state = _take_card(state, move.seat, move.source, move.card, log)
    return add_to_discards(state, move.seat, move.card)


def destroy(state: State, move: Destroy, log: RuleLog) -> State:
    silver = card(state, move.card).silver
    log.tell("symbol.destroy", seat=state.colour(move.seat), card=move.card, silver=silver)
    state = _take_card(state, move.seat, move.source, move.card, log)
    return remove_from_game(add_goods(state, move.seat, goods_of(SILVER, silver)), move.card)


def remove_from_game(state: State, name: str) -> State:
    """Put a card face up on the pile of removed cards."""
    return replace(state, gone=(*state.gone, name))


LEADER: Final = len(RIBBONS)
"""The number of the leader's card, after those of the clerics."""


def check_take(state: State, move: TakeHonour) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if 0 <= move.honour < LEADER:
        yield broken("script.bonus", seat=seat, ribbon=f"ribbon {RIBBONS[move.honour]}")
    else:
        needs = 1 if state.leader == NO_SEAT else state.top[state.leader] + 1
        yield broken("workers.leader", seat=seat, workers=state.top[move.seat], needs=needs)


def take_honour(state: State, move: TakeHonour) -> State | None:
    """Give a card of honour to a seat; None if there is no such card to take."""
    if move.honour == LEADER:
        return replace(state, leader=move.seat) if state.leader != move.seat else None
    if not 0 <= move.honour < LEADER or state.bonus[move.honour] != NO_SEAT:
        return None
    return replace(state, bonus=changed(state.bonus, move.honour, move.seat))
