"""1. Volkes Stimmung erkunden: the king turns the disc's arrow. The gamblers' variant spins after the raid."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, broken

from ..box import GOODS
from ..moves import ForgetSpin, Move, Spin
from ..state import RuleLog, State
from .phase3_tumults import begin_tumults


def resting_places(areas: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Where the arrow can come to rest: within an area, or on the line between two neighbours."""
    for area in dict.fromkeys(areas):
        yield (area,)
    lines = (tuple(sorted(pair)) for pair in zip(areas, (*areas[1:], areas[0]), strict=True))
    yield from dict.fromkeys(line for line in lines if line[0] != line[1])


def spin_due(state: State) -> str | None:
    """Which good the next spin is for: "" for all at once, None when no spin is due."""
    if state.phase == "mood":
        return "" if not state.options.gamblers and not any(state.demand) else None
    if state.phase == "gambling":
        return GOODS[state.demand.index(0)]
    return None


def spin_moves(state: State) -> Iterator[Move]:
    good = spin_due(state)
    if good is not None:
        for areas in resting_places(state.box.disc.areas):
            yield Spin(state.king, areas, good)


def check_spin(state: State, move: Spin) -> Iterator[Breach]:
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
    number = min(move.areas)
    log.tell("mood.king-spins", seat=state.colour(move.seat), number=number)
    if len(move.areas) > 1:
        log.tell("mood.on-the-line", number=number, other=max(move.areas))
    if not move.good:
        log.tell("mood.each-good", number=number)
        return replace(state, demand=(number, number, number), arrow=number)
    log.tell("gamble.each-good", good=move.good, number=number)
    return _gambled(replace(state, arrow=number), move.good, number, log)


def gambling_moves(state: State) -> Iterator[Move]:
    yield from spin_moves(state)
    good = spin_due(state)
    if good:
        yield ForgetSpin(good)


def check_forget_spin(state: State, move: ForgetSpin) -> Iterator[Breach]:
    due = spin_due(state)
    if move.good != due:
        yield broken("gamble.each-good", good=due or "all_goods")


def forget_spin(state: State, move: ForgetSpin, log: RuleLog) -> State:
    """Ruling: a forgotten spin of the variant falls back on the same good's number of the round before."""
    number = remembered_demand(state, GOODS.index(move.good), log)
    return _gambled(state, move.good, number, log)


def remembered_demand(state: State, good: int, log: RuleLog) -> int:
    """What counts when the disc was forgotten: the good's number of the round before, or 3 in the first."""
    number = state.last_demand[good]
    if number:
        log.tell("whatif.forgotten-spin", number=number)
        return number
    number = state.box.disc.forgotten_in_round_1
    log.tell("whatif.forgotten-first-spin", number=number)
    return number


def _gambled(state: State, good: str, number: int, log: RuleLog) -> State:
    bread, marble, tool = (number if name == good else old for name, old in zip(GOODS, state.demand, strict=True))
    state = replace(state, demand=(bread, marble, tool))
    return state if 0 in state.demand else begin_tumults(state, log)
