"""Set-up (Spielvorbereitung): the table before the first turn, and what chance lays out.

The turning up of permits is in `permits`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any

from msgspec.structs import replace

from companion.games.council_of_four.state import (
    EMPTY,
    NEUTRAL,
    Options,
    State,
    permit_cities,
    pool,
    stack,
    unused_colours,
)
from companion.kernel.game import at_table, chosen, one_of_them
from companion.kernel.rules import Breach, Fact, RuleLog, Seat, broken, changed

from ..box import COUNCILS, OPEN_PERMITS, REGIONS, Box, permits_of, region_name, token_numbers
from ..moves import DrawNeutral, LayOut, Move, PutCouncillor, PutToken
from .permits import turn_up_moves
from .turns import begin_turn


def setup(box: Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
    """Return the table before anything is laid out; raises `BadSetup`."""
    at_table("The Council of Four", 2, box.colours, seats)
    picked = chosen(Options, options)
    one_of_them("first", picked.first, seats)
    return _empty_table(box, seats, picked)


def _empty_table(box: Box, seats: tuple[Seat, ...], options: Options) -> State:
    """Return the State before chance has laid out anything."""
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
        tokens=(EMPTY,) * cities,
        emporiums=(0,) * cities,
        king=0,
        councils=((EMPTY,) * box.councillors.in_a_council,) * len(COUNCILS),
        offers=(EMPTY,) * (OPEN_PERMITS * len(REGIONS)),
        below=((),) * len(REGIONS),
        neutral=(EMPTY,) * len(REGIONS),
        bonuses=(),
        rewards=(),
        deck=box.politics.cards - players * box.start.cards,
        discards=0,
        bribe=(),
    )
    return replace(state, king=state.map.purple)


def check_lay_out(_state: State, _move: LayOut) -> Iterator[Breach]:
    """Allow always; the phase is checked before."""
    return iter(())


def lay_out(state: State, _move: LayOut, log: RuleLog) -> State:
    """Log the set-up, and let chance begin."""
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
    """Yield everything that chance may lay out next, in any order."""
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
    """Count the reward tokens that are not laid out yet."""
    return token_numbers(state.box) - Counter(token for token in state.tokens if token)


def cities_without_token(state: State) -> tuple[int, ...]:
    """Return the cities that still need a reward token."""
    purple = state.map.purple
    return tuple(city for city, token in enumerate(state.tokens) if not token and city != purple)


def neutrals_due(state: State) -> bool:
    """Whether neutral emporiums are still missing in a game for two."""
    return state.players == 2 and EMPTY in state.neutral


def check_put_token(state: State, move: PutToken) -> Iterator[Breach]:
    """Check that the city needs a token, and that such a token is left."""
    if move.city not in cities_without_token(state):
        lies = 0 <= move.city < len(state.tokens) and state.tokens[move.city]
        yield broken("setup.one-token" if lies else "setup.tokens", city=state.city_name(move.city))
    if not tokens_left(state)[move.token]:
        yield broken("setup.token-once", token=move.token)


def put_token(state: State, move: PutToken, log: RuleLog) -> State:
    """Lay a reward token in a city."""
    log.tell("setup.tokens", city=state.city_name(move.city), token=move.token)
    return replace(state, tokens=changed(state.tokens, move.city, move.token))


def check_put_councillor(state: State, move: PutCouncillor) -> Iterator[Breach]:
    """Check that the place on the balcony is free, and that such a councillor is left."""
    if not 0 <= move.council < len(COUNCILS):
        yield broken("elect.council", council=move.council)
        return
    members = state.councils[move.council]
    exists = 0 <= move.place < len(members)
    if not exists or members[move.place]:
        facts: dict[str, Fact] = {"place": move.place + 1, "council": COUNCILS[move.council], "taken": int(exists)}
        yield broken("setup.councils", **facts)
    if not pool(state.box, state.councils)[move.colour]:
        yield broken("setup.councillors", colour=move.colour)


def put_councillor(state: State, move: PutCouncillor, log: RuleLog) -> State:
    """Put a councillor on a balcony."""
    log.tell("setup.councils", colour=move.colour, council=COUNCILS[move.council], place=move.place + 1)
    members = changed(state.councils[move.council], move.place, move.colour)
    return replace(state, councils=changed(state.councils, move.council, members))


def check_draw_neutral(state: State, move: DrawNeutral) -> Iterator[Breach]:
    """Check that a neutral permit is due, that its colour is unused, and that it can come from the stack."""
    if state.players != 2 or not 0 <= move.region < len(REGIONS) or state.neutral[move.region]:
        yield broken("two.neutral", players=state.players)
    elif not 0 <= move.unused < len(unused_colours(state.box, state.seats)):
        yield broken("two.unused", colours=unused_colours(state.box, state.seats))
    elif move.permit not in permits_of(state.box, move.region):
        yield broken("setup.permits", permit=move.permit, region=region_name(move.region))
    elif move.permit not in stack(state, move.region):
        yield broken("permit.top", permit=move.permit, region=region_name(move.region))


def draw_neutral(state: State, move: DrawNeutral, log: RuleLog) -> State:
    """Put neutral emporiums in the cities of a permit, which goes back into its stack."""
    cities = permit_cities(state, move.permit)
    colour = unused_colours(state.box, state.seats)[move.unused]
    log.tell("two.neutral", cities=tuple(state.city_name(city) for city in cities), colour=colour)
    log.tell("two.mixed-back", permit=move.permit)
    neutral = NEUTRAL << move.unused
    emporiums = tuple(bits | neutral if city in cities else bits for city, bits in enumerate(state.emporiums))
    return replace(state, emporiums=emporiums, neutral=changed(state.neutral, move.region, move.permit))


def after_lot(state: State, log: RuleLog) -> State:
    """Begin the first turn once everything is laid out."""
    missing = (
        cities_without_token(state)
        or EMPTY in state.offers
        or any(EMPTY in members for members in state.councils)
        or neutrals_due(state)
    )
    if missing:
        return state
    return begin_turn(replace(state, phase="turn", round=1), state.options.first, log)
