"""Followers moving between seats and supply, and the relief when either has too few (Was wäre wenn).

When followers are due is in the modules of the phases.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.tumult_royale.state import State
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed


def receive(state: State, seat: SeatNo, number: int, rule: str, log: RuleLog) -> State:
    """Give a seat followers from the supply, and log the rule with the number that it really gets."""
    while state.supply < number and any(state.followers):
        state = _fill_supply(state, log)
    number = min(number, state.supply)
    log.tell(rule, seat=state.colour(seat), followers=number)
    return replace(
        state,
        supply=state.supply - number,
        followers=changed(state.followers, seat, state.followers[seat] + number),
    )


def give(state: State, seat: SeatNo, number: int, rule: str, log: RuleLog) -> State:
    """Return followers of a seat to the supply, and log the rule with the number that it really gives."""
    if state.followers[seat] < number:
        state = _give_relief(state, seat, number, log)
    number = min(number, state.followers[seat])
    log.tell(rule, seat=state.colour(seat), followers=number)
    return replace(
        state,
        supply=state.supply + number,
        followers=changed(state.followers, seat, state.followers[seat] - number),
    )


def _fill_supply(state: State, log: RuleLog) -> State:
    """Rule whatif.supply-empty: all give five to the supply; ruling: a seat with fewer gives all it has."""
    given = tuple(min(state.box.followers.relief, have) for have in state.followers)
    log.tell("whatif.supply-empty", each=state.box.followers.relief, supply=state.supply, given=sum(given))
    left = tuple(have - gift for have, gift in zip(state.followers, given, strict=True))
    return replace(state, supply=state.supply + sum(given), followers=left)


def _give_relief(state: State, seat: SeatNo, number: int, log: RuleLog) -> State:
    """Rule whatif.cannot-give: all take five; ruling: if the supply is too small, all take the same number."""
    each = min(state.box.followers.relief, state.supply // state.players)
    log.tell("whatif.cannot-give", seat=state.colour(seat), has=state.followers[seat], due=number, each=each)
    return replace(
        state,
        supply=state.supply - each * state.players,
        followers=tuple(have + each for have in state.followers),
    )


def wrong_amount_given(state: State, rule: str, seat: SeatNo, gave: int, due: int) -> Breach:
    """Return the breach of giving another number of followers than due; `short` marks a seat with too few."""
    short = int(state.followers[seat] < due)
    return broken(rule, seat=state.colour(seat), gave=max(0, gave), due=due, short=short)
