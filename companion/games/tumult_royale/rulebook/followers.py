"""Followers moving between seats and supply, and what happens when either has too few ("Was wäre wenn")."""

from __future__ import annotations

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..state import RuleLog, State, changed


def receive(state: State, seat: SeatNo, number: int, rule: str, log: RuleLog) -> State:
    """A seat takes followers from the supply, by a rule that is told with what really came."""
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
    """A seat gives followers back to the supply, by a rule that is told with what really went."""
    if state.followers[seat] < number:
        state = _help_everybody(state, seat, number, log)
    number = min(number, state.followers[seat])
    log.tell(rule, seat=state.colour(seat), followers=number)
    return replace(
        state,
        supply=state.supply + number,
        followers=changed(state.followers, seat, state.followers[seat] - number),
    )


def _fill_supply(state: State, log: RuleLog) -> State:
    """whatif.supply-empty; ruling: who has fewer than five gives all."""
    given = tuple(min(state.box.followers.relief, have) for have in state.followers)
    log.tell("whatif.supply-empty", each=state.box.followers.relief, supply=state.supply, given=sum(given))
    left = tuple(have - gone for have, gone in zip(state.followers, given, strict=True))
    return replace(state, supply=state.supply + sum(given), followers=left)


def _help_everybody(state: State, seat: SeatNo, number: int, log: RuleLog) -> State:
    """whatif.cannot-give; ruling: a supply too small for five each gives everybody the same."""
    each = min(state.box.followers.relief, state.supply // state.players)
    log.tell("whatif.cannot-give", seat=state.colour(seat), has=state.followers[seat], due=number, each=each)
    return replace(
        state,
        supply=state.supply - each * state.players,
        followers=tuple(have + each for have in state.followers),
    )


def wrongly_given(state: State, rule: str, seat: SeatNo, gave: int, due: int) -> Breach:
    """A seat gave another number of followers than is due; with too few (`short`) it is helped first."""
    short = int(state.followers[seat] < due)
    return broken(rule, seat=state.colour(seat), gave=max(0, gave), due=due, short=short)
