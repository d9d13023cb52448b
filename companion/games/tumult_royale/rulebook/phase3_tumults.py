"""Phase 3, tumults (Eventuell Tumulte ausführen): which goods bring one, who is the greediest, and what it costs.

How statues are placed afterwards is in `phase4_statues`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tumult_royale.state import State, without
from companion.kernel.capabilities import GoodLeft, Haul
from companion.kernel.rules import Breach, Fact, RuleLog, SeatNo, broken, changed

from ..box import GOOD_OF, GOODS, WORTH, Tile, worth
from ..moves import Atone, Move
from .followers import give, wrong_amount_given
from .phase4_statues import begin_placing


def begin_tumults(state: State, log: RuleLog) -> State:
    """Compare the goods in the middle with the demand, and begin the tumults or the placing of statues."""
    rising = []
    for good, demand in zip(GOODS, state.demand, strict=True):
        left = worth(state.middle, good)
        if left < demand:
            rising.append(good)
            log.tell("tumult.breaks-out", good=good, left=left, demand=demand)
        else:
            log.tell("tumult.content", good=good, left=left, demand=demand)
    log.tell("tumult.up-to-three", tumults=len(rising))
    state = replace(state, phase="tumults", tumults=tuple(rising), punished=(False,) * state.players)
    return state if rising else begin_placing(state, log)


def recheck_tumults(state: State, log: RuleLog) -> State:
    """Drop the tumults that no longer break out after the goods in the middle were counted again."""
    rising = tuple(
        good
        for good, demand in zip(GOODS, state.demand, strict=True)
        if good in state.tumults and worth(state.middle, good) < demand
    )
    state = replace(state, tumults=rising)
    return state if rising else begin_placing(state, log)


def goods_counted(state: State, seat: SeatNo, good: str) -> int:
    """Count the goods that a seat is blamed for: one less than it has if the people have mercy with it."""
    return max(0, worth(state.castles[seat], good) - state.mercy[seat])


def greediest(state: State, good: str) -> SeatNo:
    """Return the seat that suffers the tumult: most goods, then the higher rank; the king if no seat has any.

    The king has rank 1, so the higher rank is the smaller number.
    """
    return max(range(state.players), key=lambda seat: (goods_counted(state, seat, good), -state.ranks[seat]))


def haul(state: State) -> Haul | None:
    """What was taken in the raid, until its last tumult is over."""
    if state.phase not in ("stopped", "turning_up", "gambling", "tumults"):
        return None
    open_ = [not hidden for hidden in state.hidden_castles]
    sums = [sum(WORTH[tile] for tile in castle) for castle in state.castles]
    return Haul(
        "middle",
        tuple(f"castle {seat.colour}" for seat in state.seats),
        tuple(total if seen else None for total, seen in zip(sums, open_, strict=True)),
        tuple(_left(state, good, demand) for good, demand in zip(GOODS, state.demand, strict=True))
        if state.phase == "tumults"
        else (),
    )


def _left(state: State, good: str, demand: int) -> GoodLeft:
    left = worth(state.middle, good)
    if good not in state.tumults:
        return GoodLeft(good, left, demand)
    seat = greediest(state, good)
    return GoodLeft(good, left, demand, seat, goods_counted(state, seat, good))


def tiles_due_back(state: State, seat: SeatNo, good: str) -> tuple[Tile, ...]:
    """Return all tiles of the good except the one that shows the fewest."""
    tiles = sorted((tile for tile in state.castles[seat] if GOOD_OF[tile] == good), key=WORTH.__getitem__)
    return tuple(tiles[1:])


def tumult_moves(state: State) -> Iterator[Move]:
    """Yield a move for each tumult; ruling: several tumults may be suffered in any order."""
    for good in state.tumults:
        seat = greediest(state, good)
        yield Atone(seat, good, tiles_due_back(state, seat, good), state.box.followers.greediest_loses)


def check_atone(state: State, move: Atone) -> Iterator[Breach]:
    """Check that the greediest seat atones, with the right tiles and followers."""
    if move.good not in state.tumults:
        yield broken("tumult.content", seat=state.colour(move.seat), good=move.good)
        return
    blamed = greediest(state, move.good)
    if move.seat != blamed:
        yield _not_the_greediest(state, move, blamed)
        return
    if move.followers != state.box.followers.greediest_loses:
        yield wrong_amount_given(
            state, "tumult.followers", move.seat, move.followers, state.box.followers.greediest_loses
        )
    due = tiles_due_back(state, move.seat, move.good)
    if move.tiles != due:
        yield broken(
            "tumult.keeps-smallest",
            seat=state.colour(move.seat),
            good=move.good,
            gave=move.tiles,
            due=due,
        )


def _not_the_greediest(state: State, move: Atone, blamed: SeatNo) -> Breach:
    """Return the breach of atoning for another seat, with the numbers that decide."""
    facts: dict[str, Fact] = {
        "good": move.good,
        "seat": state.colour(move.seat),
        "took": goods_counted(state, move.seat, move.good),
        "blamed": state.colour(blamed),
        "most": goods_counted(state, blamed, move.good),
    }
    if not goods_counted(state, blamed, move.good):
        return Breach("whatif.nobody-greedy", facts)
    facts["counts"] = f"{move.good}{facts['most']}"
    tie = goods_counted(state, blamed, move.good) == goods_counted(state, move.seat, move.good)
    return Breach("tumult.rank-tie" if tie else "tumult.greediest", facts)


def atone(state: State, move: Atone, log: RuleLog) -> State:
    """Take tiles and followers from the greediest seat; after the last tumult the placing of statues begins."""
    seat = state.colour(move.seat)
    _log_reasons(state, move, log)
    state = give(state, move.seat, move.followers, "tumult.followers", log)
    kept = without(tuple(tile for tile in state.castles[move.seat] if GOOD_OF[tile] == move.good), move.tiles)
    if move.tiles:
        log.tell("tumult.keeps-smallest", seat=seat, good=move.good, gave=move.tiles, kept=kept)
    elif kept:
        log.tell("tumult.keeps-only-tile", seat=seat, good=move.good, kept=kept)
    state = replace(
        state,
        castles=changed(state.castles, move.seat, without(state.castles[move.seat], move.tiles)),
        middle=tuple(sorted((*state.middle, *move.tiles))),
        tumults=tuple(good for good in state.tumults if good != move.good),
        punished=changed(state.punished, move.seat, True),
    )
    return state if state.tumults else begin_placing(state, log)


def _log_reasons(state: State, move: Atone, log: RuleLog) -> None:
    """Log the rules that made this seat the greediest."""
    took = tuple(goods_counted(state, seat, move.good) for seat in range(state.players))
    for seat in range(state.players):
        if state.mercy[seat] and worth(state.castles[seat], move.good):
            log.tell("tumult.mercy", seat=state.colour(seat), good=move.good, took=took[seat])
    most = max(took)
    if not most:
        log.tell("whatif.nobody-greedy", king=state.colour(move.seat), good=move.good)
        return
    log.tell("tumult.greediest", seat=state.colour(move.seat), good=move.good, took=most)
    if took.count(most) > 1:
        rivals = tuple(state.colour(s) for s in range(state.players) if took[s] == most and s != move.seat)
        log.tell("tumult.rank-tie", seat=state.colour(move.seat), rivals=rivals)
