"""Spielvorbereitung: what lies where before the first turn, and what chance lays out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any

from msgspec.structs import replace

from companion.kernel.game import at_table, chosen, one_of_them
from companion.kernel.rules import Breach, Fact, Seat, broken

from ..box import COUNCILS, OFFERED, REGIONS, Box, permits_of, token_numbers
from ..moves import DrawNeutral, LayOut, Move, PutCouncillor, PutToken
from ..state import (
    NEUTRAL,
    NONE,
    Options,
    RuleLog,
    State,
    changed,
    permit_cities,
    pool,
    stack,
    unused_colours,
)
from .permits import turn_up_moves
from .turns import begin_turn


def setup(box: Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
    """The table before anything is laid out. Raises `BadSetup` with a sentence."""
    at_table("The Council of Four", 2, box.colours, seats)
    picked = chosen(Options, options)
    one_of_them("first", picked.first, seats)
    return _bare(box, seats, picked)


def _bare(box: Box, seats: tuple[Seat, ...], options: Options) -> State:
    players, cities = len(seats), len(box.cities)
    place = [(seat - options.first) % players for seat in range(players)]
    state = State(
        box=box,
        seats=seats,
        options=options,
        phase="laying_out",
        turn=options.first,
        round=0,
        gold=tuple(box.start.gold[number] for number in place),
        points=(0,) * players,
        nobility=(0,) * players,
        assistants=tuple(box.start.assistants[number] for number in place),
        hands=(box.start.cards,) * players,
        permits=((),) * players,
        used=((),) * players,
        tokens=(NONE,) * cities,
        emporiums=(0,) * cities,
        king=0,
        councils=((NONE,) * box.councillors.in_a_council,) * len(COUNCILS),
        offers=(NONE,) * (OFFERED * len(REGIONS)),
        below=((),) * len(REGIONS),
        neutral=(NONE,) * len(REGIONS),
        bonuses=(),
        rewards=(),
        deck=box.politics.cards - players * box.start.cards,
        discards=0,
        bribe=(),
    )
    return replace(state, king=state.map.purple)


def check_lay_out(_state: State, _move: LayOut) -> Iterator[Breach]:
    return iter(())


def lay_out(state: State, _move: LayOut, log: RuleLog) -> State:
    box, options = state.box, state.options
    log.tell("setup.boards", coast=options.coast, hills=options.hills, mountains=options.mountains)
    log.tell("setup.politics", cards=box.politics.cards, jokers=box.politics.jokers)
    log.tell("setup.assistants", supply=state.supply)
    log.tell("setup.king", city=state.city_name(state.king))
    log.tell("setup.rewards", points=tuple(map(str, box.kings_rewards.points)))
    log.tell("setup.bonus-tiles", tiles=len(box.bonus_tiles))
    log.tell("setup.emporiums", emporiums=box.emporiums_each)
    log.tell("setup.markers")
    for seat in range(state.players):
        facts = {"gold": state.gold[seat], "assistants": state.assistants[seat]}
        log.tell("setup.start", seat=state.colour(seat), **facts)
    log.tell("setup.hands", cards=box.start.cards)
    return replace(state, phase="lots")


# What chance lays out


def lot_moves(state: State) -> Iterator[Iterable[Move]]:
    """Everything that may be laid out next, in any order."""
    tokens = tokens_left(state)
    for city in cities_without_token(state):
        yield map(PutToken, repeat(city), tokens)
    free = pool(state.box, state.councils)
    for council, members in enumerate(state.councils):
        for place, member in enumerate(members):
            if not member:
                yield map(PutCouncillor, repeat(council), repeat(place), free)
    yield from turn_up_moves(state)
    for region in range(len(REGIONS)) if neutrals_due(state) else ():
        if not state.neutral[region]:
            for unused in range(len(unused_colours(state.box, state.seats))):
                yield map(DrawNeutral, repeat(region), stack(state, region), repeat(unused))


def tokens_left(state: State) -> Counter[str]:
    return token_numbers(state.box) - Counter(token for token in state.tokens if token)


def cities_without_token(state: State) -> tuple[int, ...]:
    purple = state.map.purple
    return tuple(city for city, token in enumerate(state.tokens) if not token and city != purple)


def neutrals_due(state: State) -> bool:
    """Two play with emporiums of a third colour on the board."""
    return state.players == 2 and NONE in state.neutral


def check_put_token(state: State, move: PutToken) -> Iterator[Breach]:
    if move.city not in cities_without_token(state):
        lies = 0 <= move.city < len(state.tokens) and state.tokens[move.city]
        yield broken("setup.one-token" if lies else "setup.tokens", city=state.city_name(move.city))
    if not tokens_left(state)[move.token]:
        yield broken("setup.token-once", token=move.token)


def put_token(state: State, move: PutToken, log: RuleLog) -> State:
    log.tell("setup.tokens", city=state.city_name(move.city), token=move.token)
    return replace(state, tokens=changed(state.tokens, move.city, move.token))


def check_put_councillor(state: State, move: PutCouncillor) -> Iterator[Breach]:
    if not 0 <= move.council < len(COUNCILS):
        yield broken("elect.council", council=move.council)
        return
    members = state.councils[move.council]
    there = 0 <= move.place < len(members)
    if not there or members[move.place]:
        facts: dict[str, Fact] = {"place": move.place + 1, "council": COUNCILS[move.council], "taken": int(there)}
        yield broken("setup.councils", **facts)
    if not pool(state.box, state.councils)[move.colour]:
        yield broken("setup.councillors", colour=move.colour)


def put_councillor(state: State, move: PutCouncillor, log: RuleLog) -> State:
    log.tell("setup.councils", colour=move.colour, council=COUNCILS[move.council], place=move.place + 1)
    members = changed(state.councils[move.council], move.place, move.colour)
    return replace(state, councils=changed(state.councils, move.council, members))


def check_draw_neutral(state: State, move: DrawNeutral) -> Iterator[Breach]:
    if state.players != 2 or not 0 <= move.region < len(REGIONS) or state.neutral[move.region]:
        yield broken("two.neutral", players=state.players)
    elif not 0 <= move.unused < len(unused_colours(state.box, state.seats)):
        yield broken("two.unused", colours=unused_colours(state.box, state.seats))
    elif move.permit not in permits_of(state.box, move.region):
        yield broken("setup.permits", permit=move.permit, region=_region(move.region))
    elif move.permit not in stack(state, move.region):
        yield broken("permit.top", permit=move.permit, region=_region(move.region))


def _region(region: int) -> str:
    return REGIONS[region] if 0 <= region < len(REGIONS) else "no_region"


def draw_neutral(state: State, move: DrawNeutral, log: RuleLog) -> State:
    cities = permit_cities(state, move.permit)
    colour = unused_colours(state.box, state.seats)[move.unused]
    log.tell("two.neutral", cities=tuple(state.city_name(city) for city in cities), colour=colour)
    log.tell("two.mixed-back", permit=move.permit)
    neutral = NEUTRAL << move.unused
    emporiums = tuple(bits | neutral if city in cities else bits for city, bits in enumerate(state.emporiums))
    return replace(state, emporiums=emporiums, neutral=changed(state.neutral, move.region, move.permit))


def after_lot(state: State, log: RuleLog) -> State:
    """When the last lot is laid out, the first turn begins."""
    missing = (
        cities_without_token(state)
        or NONE in state.offers
        or any(NONE in members for members in state.councils)
        or neutrals_due(state)
    )
    if missing:
        return state
    return begin_turn(replace(state, phase="turn", round=1), state.options.first, log)
