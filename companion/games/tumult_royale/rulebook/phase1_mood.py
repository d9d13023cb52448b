"""Phase 1, the people's mood (Volkes Stimmung erkunden): the king spins the disc's arrow.

The spins of the gamblers' variant, which come after the raid, are here too; what the number leads to is in
`phase3_tumults`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tumult_royale.state import State
from companion.kernel.rules import Breach, RuleLog, broken

from ..box import GOODS
from ..moves import ForgetSpin, Move, Spin
from .phase3_tumults import begin_tumults


def resting_places(areas: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield where the arrow can stop: in an area, or on the line between two neighbouring areas."""
    for area in dict.fromkeys(areas):
        yield (area,)
    lines = (tuple(sorted(pair)) for pair in zip(areas, (*areas[1:], areas[0]), strict=True))
    yield from dict.fromkeys(line for line in lines if line[0] != line[1])


def spin_due(state: State) -> str | None:
    """Return the good that the next spin is for: "" for all goods at once, None when no spin is due."""
    if state.phase == "mood":
        return "" if not state.options.gamblers and not any(state.demand) else None
    if state.phase == "gambling":
        return GOODS[state.demand.index(0)]
    return None


def spin_moves(state: State) -> Iterator[Move]:
    """Yield all results of the spin that is due."""
    good = spin_due(state)
    if good is not None:
        for areas in resting_places(state.box.disc.areas):
            yield Spin(state.king, areas, good)


def check_spin(state: State, move: Spin) -> Iterator[Breach]:
    """Check that the king spins, at the right time, and to a place that the disc has."""
    due = spin_due(state)
    if move.seat != state.king:
        yield broken("mood.king-spins", seat=state.colour(move.seat), king=state.colour(state.king))
    if state.options.gamblers and state.phase == "mood":
        yield broken("gamble.after-raid", seat=state.colour(move.seat))
    elif due is None:
        yield broken("mood.one-spin", seat=state.colour(move.seat), number=max(state.demand))
    elif move.good != due:
        rule = "gamble.each-good" if state.options.gamblers else "mood.each-good"
        yield broken(rule, seat=state.colour(move.seat), good=due or "all_goods")
    if move.areas not in set(resting_places(state.box.disc.areas)):
        yield broken("mood.disc", areas=tuple(map(str, move.areas)), disc=tuple(map(str, state.box.disc.areas)))


def spin(state: State, move: Spin, log: RuleLog) -> State:
    """Set the demanded number of all goods, or of one good for gamblers; on a line the lower number counts."""
    number = min(move.areas)
    log.tell("mood.king-spins", seat=state.colour(move.seat), number=number)
    if len(move.areas) > 1:
        log.tell("mood.on-the-line", number=number, other=max(move.areas))
    if not move.good:
        log.tell("mood.each-good", number=number)
        return replace(state, demand=(number, number, number), arrow=number)
    log.tell("gamble.each-good", good=move.good, number=number)
    return _set_gambled_demand(replace(state, arrow=number), move.good, number, log)


def gambling_moves(state: State) -> Iterator[Move]:
    """Yield all results of the gamblers' next spin, and that it was forgotten."""
    yield from spin_moves(state)
    good = spin_due(state)
    if good:
        yield ForgetSpin(good)


def check_forget_spin(state: State, move: ForgetSpin) -> Iterator[Breach]:
    """Check that the forgotten spin is the one that was due."""
    due = spin_due(state)
    if move.good != due:
        yield broken("gamble.each-good", good=due or "all_goods")


def forget_spin(state: State, move: ForgetSpin, log: RuleLog) -> State:
    """Use the number of the round before for a forgotten gamblers' spin; ruling: that of the same good."""
    number = demand_without_spin(state, GOODS.index(move.good), log)
    return _set_gambled_demand(state, move.good, number, log)


def demand_without_spin(state: State, good: int, log: RuleLog) -> int:
    """Return the number that counts without a spin: that of the round before, or 3 in the first round."""
    number = state.last_demand[good]
    if number:
        log.tell("whatif.forgotten-spin", number=number)
        return number
    number = state.box.disc.forgotten_in_round_1
    log.tell("whatif.forgotten-first-spin", number=number)
    return number


def _set_gambled_demand(state: State, good: str, number: int, log: RuleLog) -> State:
    """Set the demanded number of one good; after the last good the tumults begin."""
    bread, marble, tool = (number if name == good else old for name, old in zip(GOODS, state.demand, strict=True))
    state = replace(state, demand=(bread, marble, tool))
    return state if 0 in state.demand else begin_tumults(state, log)
