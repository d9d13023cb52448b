"""Cards: the row, discarding, and what lies face down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import RIBBONS, SILVER
from ..moves import Destroy, Discard, Move, PlayCard, Rearrange, Slide, Source, TakeHonour
from ..state import NOBODY, NONE, Row, State, card, criminals, owned
from .deck import discarded, drawn_from_discards, may_be_from, revealed
from .effects import add_goods, apply, corrupt, off_breaches, some, with_pile


def slide_moves(state: State) -> Iterator[Move]:
    yield Slide(state.turn)


def check_slide(_state: State, _move: Slide) -> Iterator[Breach]:
    return iter(())


def slide(state: State, move: Slide, log: RuleLog) -> State:
    first, second, dropped = state.rows[move.seat]
    log.tell("cards.slide", seat=state.colour_of(move.seat))
    state = replace(state, rows=changed(state.rows, move.seat, (NONE, first, second)), phase="playing")
    if not dropped:
        return state
    log.tell("cards.drop", seat=state.colour_of(move.seat), card=dropped)
    state = discarded(state, move.seat, dropped)
    return apply(state, move.seat, card(state, dropped).dropped, log)


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


def play_card(state: State, move: PlayCard, log: RuleLog) -> State:
    seat, source = move.seat, source_of_play(state, move.seat)
    if source == "pile":
        log.tell("cards.blind", seat=state.colour_of(seat))
        if drawn_from_discards(state, seat, source, move.card):
            log.tell("cards.three", seat=state.colour_of(seat))
    state = with_pile(state, seat, source, move.card, log)
    return card_played(revealed(state, seat, move.card, "own hand" if source == "hand" else "pile"), move, log)


def card_played(state: State, move: PlayCard, log: RuleLog) -> State:
    """The card lies on the leftmost place."""
    seat, played = move.seat, card(state, move.card)
    log.tell("cards.play", seat=state.colour_of(seat), card=move.card)
    _, middle, right = state.rows[seat]
    rows = changed(state.rows, seat, (move.card, middle, right))
    state = replace(state, rows=rows, played=move.card, phase="moving")
    if played.criminal:
        number = criminals(state, seat)
        log.tell("cards.criminal", seat=state.colour_of(seat), criminals=number)
        state = corrupt(state, seat, number, log)
    return apply(state, seat, played.played, log)


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


def rearrange(state: State, move: Rearrange, log: RuleLog) -> State:
    log.tell("symbol.rearrange", seat=state.colour_of(move.seat))
    return replace(state, rows=changed(state.rows, move.seat, move.row))


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


def _out(state: State, seat: SeatNo, source: Source, name: str, log: RuleLog) -> State:
    """A card has left hand or pile; an empty pile was made of the discards first."""
    return revealed(with_pile(state, seat, source, name, log), seat, name, source)


def discard(state: State, move: Discard, log: RuleLog) -> State:
    log.tell("symbol.discard", seat=state.colour_of(move.seat), card=move.card, source=told_source(state, move))
    state = _out(state, move.seat, move.source, move.card, log)
    return discarded(state, move.seat, move.card)


def destroy(state: State, move: Destroy, log: RuleLog) -> State:
    silver = card(state, move.card).silver
    log.tell("symbol.destroy", seat=state.colour_of(move.seat), card=move.card, silver=silver)
    state = _out(state, move.seat, move.source, move.card, log)
    return out_of_the_game(add_goods(state, move.seat, some(SILVER, silver)), move.card)


def out_of_the_game(state: State, name: str) -> State:
    """It goes face up on the pile of those that are gone: so everybody can see which one it was."""
    return replace(state, gone=(*state.gone, name))


LEADER: Final = len(RIBBONS)
"""The leader's card, after those of the clerics."""


def check_take(state: State, move: TakeHonour) -> Iterator[Breach]:
    seat = state.colour_of(move.seat)
    if 0 <= move.honour < LEADER:
        yield broken("script.bonus", seat=seat, ribbon=f"ribbon {RIBBONS[move.honour]}")
    else:
        needs = 1 if state.leader == NOBODY else state.top[state.leader] + 1
        yield broken("workers.leader", seat=seat, workers=state.top[move.seat], needs=needs)


def taken(state: State, move: TakeHonour) -> State | None:
    """The card lies with somebody; None where no such card can be taken from anywhere."""
    if move.honour == LEADER:
        return replace(state, leader=move.seat) if state.leader != move.seat else None
    if not 0 <= move.honour < LEADER or state.bonus[move.honour] != NOBODY:
        return None
    return replace(state, bonus=changed(state.bonus, move.honour, move.seat))
