"""Bonuses of the nobility track with a choice: tokens of own cities, a free permit, or one of the own permits.

Steps on the track are in `cards`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.games.council_of_four.state import Choice, State, permit_bonus
from companion.kernel.rules import Breach, Fact, Note, RuleLog, SeatNo, broken

from ..box import letters
from ..moves import CopyPermit, CopyToken, Decline, Move, TakeFree
from .cards import (
    Source,
    blame_reward,
    deviation_breaches,
    gain,
    token_source,
    total_amounts,
    with_nobility_fields,
)
from .permits import acquire, free_moves

COPIED_PERMIT: Final = Source("permit_bonuses", Note("end.once-more"))
"""A permit copied on field VII; it is not named, because the table does not show which of two equal ones it was."""


def choice_moves(state: State) -> Iterator[Move]:
    """Yield the options of the first choice that is due."""
    choice, seat = state.choices[0], state.turn
    match choice.kind:
        case "token":
            yield from (CopyToken(seat, city) for city in _cities(state, seat, choice))
        case "own":
            yield from (CopyPermit(seat, permit) for permit in _permits(state, seat, choice))
        case "free":
            yield from free_moves(state)
            yield Decline(seat)


def _cities(state: State, seat: SeatNo, choice: Choice) -> Iterator[int]:
    """Yield the own cities whose token brings no nobility and was not chosen before."""
    for city, token in enumerate(state.tokens):
        chosen = letters(state.box)[city] in choice.without
        if token and state.owns(seat, city) and not chosen and not state.box.tokens[token].bonus.nobility:
            yield city


def _permits(state: State, seat: SeatNo, choice: Choice) -> Iterator[str]:
    """Yield the own permits that are known, except those that cannot be chosen."""
    return (permit for permit in (*state.permits[seat], *state.used[seat]) if permit and permit not in choice.without)


def choice_facts(state: State) -> dict[str, Fact]:
    """Return the field of the nobility track that the next choice comes from."""
    numeral = state.choices[0].numeral
    return {"field": state.box.noble_field(numeral), "numeral": numeral}


def drop_empty_choices(state: State, log: RuleLog) -> State:
    """Drop the choices that have no options."""
    while state.choices and not _can_choose(state):
        log.tell("nobility.nothing", seat=state.colour(state.turn), **choice_facts(state))
        state = replace(state, choices=state.choices[1:])
    return state


def _can_choose(state: State) -> bool:
    """Whether the first choice has any option."""
    choice = state.choices[0]
    match choice.kind:
        case "token":
            return any(True for _ in _cities(state, state.turn, choice))
        case "own":
            return any(True for _ in _permits(state, state.turn, choice))
        case "free":
            return any(state.offers)


def check_copy_token(state: State, move: CopyToken) -> Iterator[Breach]:
    """Check that the city is the seat's own and its token may be chosen, and that the bonus is right."""
    choice = state.choices[0]
    seat, city = state.colour(move.seat), state.city_name(move.city)
    if not 0 <= move.city < len(state.tokens) or not state.owns(move.seat, move.city):
        yield broken("nobility.own-city", seat=seat, city=city)
        return
    token = state.tokens[move.city]
    if not token:
        yield broken("nobility.no-token", seat=seat, city=city)
        return
    bonus = state.box.tokens[token].bonus
    if bonus.nobility:
        yield broken("nobility.no-chain", seat=seat, city=city)
    if letters(state.box)[move.city] in choice.without:
        yield broken("nobility.two-tokens", seat=seat, city=city)
    yield from deviation_breaches(
        state, move.seat, move.off, blame_reward(total_amounts(with_nobility_fields(state, move.seat, (bonus,))))
    )


def copy_token(state: State, move: CopyToken, log: RuleLog) -> State:
    """Give the bonus of a token; a second token of the same field must be another one."""
    choice, *rest = state.choices
    log.tell("nobility.own-city", seat=state.colour(move.seat), city=state.city_name(move.city))
    if rest and rest[0].numeral == choice.numeral and rest[0].kind == "token":
        without = (*choice.without, letters(state.box)[move.city])
        log.tell("nobility.two-tokens", seat=state.colour(move.seat), city=state.city_name(move.city))
        rest[0] = replace(rest[0], without=without)
    token = state.tokens[move.city]
    bonus = state.box.tokens[token].bonus
    return gain(replace(state, choices=tuple(rest)), move.seat, bonus, log, token_source(token))


def check_copy_permit(state: State, move: CopyPermit) -> Iterator[Breach]:
    """Check that the permit is the seat's own and may be chosen, and that the bonus is right."""
    choice, seat = state.choices[0], state.colour(move.seat)
    if not move.permit or move.permit not in (*state.permits[move.seat], *state.used[move.seat]):
        yield broken("nobility.own-permit", seat=seat, permit=move.permit)
        return
    if move.permit in choice.without:
        yield broken("nobility.earlier-permit", seat=seat, permit=move.permit)
    due = total_amounts(with_nobility_fields(state, move.seat, (permit_bonus(state, move.permit),)))
    yield from deviation_breaches(state, move.seat, move.off, blame_reward(due))


def copy_permit(state: State, move: CopyPermit, log: RuleLog) -> State:
    """Give the bonus of a permit."""
    log.tell("nobility.own-permit", seat=state.colour(move.seat), permit=move.permit)
    state = replace(state, choices=state.choices[1:])
    return gain(state, move.seat, permit_bonus(state, move.permit), log, COPIED_PERMIT, move.permit)


def take_free(state: State, move: TakeFree, log: RuleLog) -> State:
    """Take a permit without a price."""
    log.tell("nobility.free-permit", seat=state.colour(move.seat), permit=state.offers[move.place])
    return acquire(replace(state, choices=state.choices[1:]), move.seat, move.place, log)


def check_decline(_state: State, _move: Decline) -> Iterator[Breach]:
    """Allow always; whether a choice is due is checked before."""
    return iter(())


def decline(state: State, move: Decline, log: RuleLog) -> State:
    """Give up the free permit."""
    log.tell("nobility.decline", seat=state.colour(move.seat))
    return replace(state, choices=state.choices[1:])
