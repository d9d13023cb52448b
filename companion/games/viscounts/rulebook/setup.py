"""Spielaufbau: board, castle and piles as chance lays them out, and the draft of player cards and heroes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from companion.kernel.game import at_table, chosen, one_of_them
from companion.kernel.rules import Breach, RuleLog, Seat, SeatNo, broken, changed

from ..box import RIBBONS, Box
from ..components import LEFT, RIGHT, card_word, section_word, sides, space_of, unconfirmed_schemes
from ..moves import (
    LayOut,
    Move,
    OfferCard,
    OfferHero,
    PutSegment,
    TakePair,
    TurnCastle,
)
from ..state import (
    EMPTY,
    NO_SEAT,
    NOT_LAID,
    NOWHERE,
    UNSEEN,
    Options,
    State,
    pile_top_unknown,
)
from . import solo
from .deck import add_hidden, shuffle_discards_into_pile
from .effects import apply_all, deviation_breaches, gain, tasks_of
from .end_of_turn import begin_turn, first_seat
from .recruitment import turn_up_moves


def setup(box: Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
    """Return the table before anything is laid out. Raises `BadSetup` with a sentence."""
    at_table("Viscounts of the West Kingdom", 1, box.colours, seats)
    picked = chosen(Options, options)
    if len(seats) > 1:
        one_of_them("first", picked.first, seats)
    return _empty_table(box, seats, picked)


def _empty_table(box: Box, seats: tuple[Seat, ...], options: Options) -> State:
    people, segments = len(seats), len(box.segments)
    alone = people == 1
    players = people + alone
    rival = box.solo.boards[options.opponent]
    empty_ring = ((0,) * players,) * segments
    starters = tuple(sorted(box.starters))
    return State(
        box=box,
        seats=seats,
        options=options,
        phase="laying_out",
        order=(0, *(NOWHERE,) * (segments - 1)),
        castle=NOWHERE,
        offer=(UNSEEN,) * segments,
        scripts=(UNSEEN,) * segments,
        taken=(0,) * segments,
        copied=(0,) * segments,
        plots=tuple((NO_SEAT,) * len(side.plots) for side in sides(box, people)),
        rings=(empty_ring, empty_ring),
        top=(0,) * players,
        leader=NO_SEAT,
        poverty=NOT_LAID,
        prosperity=NOT_LAID,
        gone=(),
        viscounts=(NOWHERE,) * players,
        goods=((0, 0, 0, 0),) * players,
        rows=((EMPTY, EMPTY, EMPTY),) * players,
        hands=(*(len(starters),) * people, *(0,) * alone),
        hidden=(*(starters,) * people, *((),) * alone),
        discards=((),) * players,
        corruption=(1,) * players,
        virtue=(len(box.track.fields),) * players,
        debts=((0, 0),) * players,
        deeds=((0, 0),) * players,
        built=(0,) * players,
        manuscripts=((),) * players,
        bonus=(NO_SEAT,) * len(RIBBONS),
        cards=(NOWHERE,) * (people + 1),
        heroes=(EMPTY,) * (people + 1),
        turn=0 if alone else (options.first - 1) % people,
        schemes=tuple(sorted(set(box.solo.starting) - set(rival.removed))) if alone else (),
        mixed=options.difficulty if alone else 0,
        futures=tuple(sorted(set(box.solo.future) - set(rival.removed))) if alone else (),
        boxed=unconfirmed_schemes(box, options.opponent) if alone else (),
    )


def check_lay_out(_state: State, _move: LayOut) -> Iterator[Breach]:
    return iter(())


def lay_out(state: State, _move: LayOut, log: RuleLog) -> State:
    log.tell("setup.pieces", workers=state.box.workers, cards=len(state.box.starters))
    return replace(state, phase="lots")


# What chance lays out


def lot_moves(state: State) -> Iterator[Move]:
    """Yield all that may be laid out next, in any order."""
    for place, segment in enumerate(state.order):
        if segment == NOWHERE:
            yield from (PutSegment(place, one) for one in range(len(state.order)) if one not in state.order)
    if state.castle == NOWHERE:
        yield from (TurnCastle(section) for section in range(len(state.order)))
    yield from turn_up_moves(state)
    for place, number in enumerate(state.cards):
        if number == NOWHERE:
            yield from (OfferCard(place, one) for one in cards_left(state))
    for place, hero in enumerate(state.heroes):
        if not hero:
            yield from (OfferHero(place, one) for one in state.box.heroes if one not in state.heroes)


def cards_left(state: State) -> list[int]:
    return [int(number) for number in state.box.player_cards if int(number) not in state.cards]


def check_put_segment(state: State, move: PutSegment) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.order) or state.order[move.place] != NOWHERE:
        yield broken("setup.place", segment=f"spot {state.segment_name(move.segment)}")
    elif not 0 <= move.segment < len(state.order) or move.segment in state.order:
        yield broken("setup.once", card=state.segment_name(move.segment))


def put_segment(state: State, move: PutSegment, log: RuleLog) -> State:
    log.tell("setup.board", place=move.place + 1, segment=state.segment_name(move.segment))
    return replace(state, order=changed(state.order, move.place, move.segment))


def check_turn_castle(state: State, move: TurnCastle) -> Iterator[Breach]:
    if state.castle != NOWHERE or not 0 <= move.section < len(state.order):
        yield broken("setup.place", segment="the castle")


def turn_castle(state: State, move: TurnCastle, log: RuleLog) -> State:
    log.tell("setup.castle", section=section_word(move.section))
    return replace(state, castle=move.section)


def check_offer_card(state: State, move: OfferCard) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.cards) or state.cards[move.place] != NOWHERE:
        yield broken("setup.place", segment="the pairs")
    elif move.number not in cards_left(state):
        yield broken("setup.once", card=card_word(move.number))


def offer_card(state: State, move: OfferCard, log: RuleLog) -> State:
    log.tell("setup.pairs", place=move.place + 1, card=card_word(move.number))
    return replace(state, cards=changed(state.cards, move.place, move.number))


def check_offer_hero(state: State, move: OfferHero) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.heroes) or state.heroes[move.place]:
        yield broken("setup.place", segment="the pairs")
    elif move.hero not in state.box.heroes or move.hero in state.heroes:
        yield broken("setup.once", card=move.hero)


def offer_hero(state: State, move: OfferHero, log: RuleLog) -> State:
    log.tell("setup.pairs", place=move.place + 1, card=move.hero)
    return replace(state, heroes=changed(state.heroes, move.place, move.hero))


def after_lot(state: State) -> State:
    """Begin the draft once everything is laid out."""
    missing = NOWHERE in state.order or state.castle == NOWHERE or NOWHERE in state.cards or EMPTY in state.heroes
    return state if missing or pile_top_unknown(state) else replace(state, phase="draft")


# The draft


def all_chosen(state: State) -> bool:
    return NOWHERE not in state.viscounts


def pair_moves(state: State) -> Iterator[Move]:
    if not all_chosen(state):
        yield from (TakePair(state.turn, place) for place, number in enumerate(state.cards) if number != NOWHERE)


def check_take_pair(state: State, move: TakePair) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.cards) or state.cards[move.place] == NOWHERE:
        yield broken("setup.draft", seat=state.colour(move.seat))
        return
    yield from deviation_breaches(state, move.seat, move.off)


def start_space(number: int) -> int:
    """Return the outer space with a number."""
    segment, right = divmod(number - 1, 2)
    return space_of(segment, RIGHT if right else LEFT)


def take_pair(state: State, move: TakePair, log: RuleLog) -> State:
    seat, number = move.seat, state.cards[move.place]
    log.tell("setup.draft", seat=state.colour(seat), card=card_word(number), hero=state.heroes[move.place])
    log.tell("setup.reference", seat=state.colour(seat))
    state = add_hidden(state, seat, state.heroes[move.place])
    state = replace(
        state,
        cards=changed(state.cards, move.place, NOWHERE),
        heroes=changed(state.heroes, move.place, EMPTY),
        hands=changed(state.hands, seat, state.hands[seat] + 1),
        viscounts=changed(state.viscounts, seat, start_space(number)),
        turn=(seat - 1) % state.players,
    )
    state = _apply_player_card(state, seat, number, log)
    return _place_rival(state, log) if state.rival != NO_SEAT else state


def _apply_player_card(state: State, seat: SeatNo, number: int, log: RuleLog) -> State:
    """Apply all effects of a player card; a building may have to go to the viscount's own space."""
    card = state.box.player_cards[str(number)]
    if not card.here:
        return apply_all(state, ((seat, card.effect),), log)
    log.tell("setup.here", seat=state.colour(seat))
    dues = tasks_of(seat, card.effect, state.viscounts[seat])
    return replace(gain(state, seat, card.effect, log), due=(dues, *state.due))


def _place_rival(state: State, log: RuleLog) -> State:
    """Put the solo game's opponent on the space of the pair that is left; what it gets comes after the player's
    tasks."""
    number = next(number for number in state.cards if number != NOWHERE)
    viscounts = changed(state.viscounts, state.rival, start_space(number))
    mine, state = state.due, replace(state, viscounts=viscounts, due=())
    state = solo.begin_game(state, log)
    return replace(state, due=(*mine, *state.due))


def begin_game(state: State, log: RuleLog) -> State:
    """Begin the game after the draft: lay debts and deeds on their cards, shuffle decks, draw hands."""
    players = str(len(state.seats))
    poverty, prosperity = state.box.debts.poverty[players], state.box.deeds.prosperity[players]
    log.tell("setup.papers", debts=poverty, deeds=prosperity)
    for seat in range(len(state.seats)):
        state = shuffle_discards_into_pile(state, seat)
    log.tell("setup.hands", cards=state.box.hand)
    log.tell("setup.piles")
    log.tell("setup.first", seat=state.colour(first_seat(state)))
    if state.mixed:
        log.tell("solo.mixed", seat=state.colour(state.rival), schemes=state.mixed)
    state = replace(
        state,
        poverty=poverty,
        prosperity=prosperity,
        hands=tuple(min(state.box.hand, len(mine)) for mine in state.hidden),
        cards=(),
        heroes=(),
    )
    return begin_turn(state, first_seat(state), log)
