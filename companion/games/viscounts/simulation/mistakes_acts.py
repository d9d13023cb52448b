"""Mistakes at the table of Viscounts, kind by kind: on the board, in the castle, with cards and goods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.games.viscounts import GAME, moves
from companion.games.viscounts.box import BUILDINGS, GOODS, RIBBONS, SLOTS
from companion.games.viscounts.components import UNREACHABLE
from companion.games.viscounts.moves import Deviation, Move
from companion.games.viscounts.rulebook.movement import price as price_of_travelling
from companion.games.viscounts.rulebook.recruitment import price as price_of_dismissing
from companion.games.viscounts.rulebook.trade import most_trades as most_trades
from companion.games.viscounts.state import NO_SEAT, NOWHERE, State, acting_seat, segment_with, townsfolk_at

TRIES: Final = 6
"""How many acts of a kind are tried to find one that a camera can see."""
DIFFERENT: Final[tuple[Deviation, ...]] = (
    (0, 0, 0, -1, 0, 0, 0, 0), (0, 0, 0, 2, 0, 0, 0, 0), (0, 0, 0, 0, 1, 0, 0, 0), (0, 0, 0, 0, -1, 0, 0, 0),
    (0, 0, 0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 0, -1, 0, 0), (0, 0, 0, 0, 0, 0, 1, 0), (0, 0, 0, 0, 0, 0, 0, 1),
    (0, 0, 0, 0, 0, 0, -1, 0), (0, 0, 0, 0, 0, 0, 0, -1), (0, 0, 0, 1, 0, 1, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0),
    (0, 2, 0, 0, 0, 0, 0, 0), (0, 0, -1, 0, 0, 0, 0, 0),
)  # fmt: skip
"""Deviations that people may cause; to take a single good is an act of its own."""


class Kind(NamedTuple):
    """Acts of one kind: how to make them, and the rules of which one of them must break at least one."""

    make: Callable[[State, Random], Iterator[Move]]
    breaks: tuple[str, ...]


def legal(state: State, kind: type[Any], rng: Random) -> list[Any]:
    """Return legal moves of a kind, in random order."""
    found = [move for move in GAME.moves(state) if isinstance(move, kind)]
    return rng.sample(found, min(len(found), TRIES))


def _others(state: State, rng: Random) -> list[int]:
    """Return the seats of people who do not have to act."""
    seats = [seat for seat in range(len(state.seats)) if seat != acting_seat(state)]
    return rng.sample(seats, len(seats))


def _in_play(state: State) -> bool:
    return NOWHERE not in state.viscounts


def _with_deviation(*kinds: type[Any]) -> Callable[[State, Random], Iterator[Move]]:
    """Make legal moves of these kinds, with a deviation."""

    def make(state: State, rng: Random) -> Iterator[Move]:
        for kind in rng.sample(kinds, len(kinds)):
            yield from (replace(move, off=rng.choice(DIFFERENT)) for move in legal(state, kind, rng))

    return make


# The draft


def _pair_out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    if state.phase == "draft" and not state.due:
        free = [seat for seat in _others(state, rng) if state.viscounts[seat] == NOWHERE]
        places = [place for place, number in enumerate(state.cards) if number != NOWHERE]
        yield from (moves.TakePair(seat, rng.choice(places)) for seat in free)


# Cards


def _slid_out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    if _in_play(state):
        yield from (moves.Slide(seat) for seat in _others(state, rng) if any(state.rows[seat]))


def _slid_again(state: State, _rng: Random) -> Iterator[Move]:
    if _in_play(state) and state.phase not in ("sliding", "playing") and acting_seat(state) != state.rival:
        yield moves.Slide(acting_seat(state))


def _card_of_the_discards(state: State, rng: Random) -> Iterator[Move]:
    if state.phase == "playing" and not state.due:
        mine = state.discards[state.turn][:-1]  # the last discard may be a card that is about to be played
        yield from (moves.PlayCard(state.turn, name) for name in rng.sample(mine, len(mine)))


def _rearranged(state: State, rng: Random) -> Iterator[Move]:
    for seat in rng.sample(range(len(state.seats)), len(state.seats)) if _in_play(state) else ():
        row = state.rows[seat]
        one, two, three = rng.sample(row, len(row))
        if sum(map(bool, row)) > 1 and (two, three) != row[:2]:  # else it would look like sliding
            yield moves.Rearrange(seat, (one, two, three))


def _discarded(state: State, rng: Random) -> Iterator[Move]:
    seat = acting_seat(state)
    if _in_play(state) and seat != state.rival:
        mine = rng.sample(state.hidden[seat], len(state.hidden[seat]))
        yield from (moves.Discard(seat, "hand", name) for name in mine)


# Journeys


def _too_far(state: State, rng: Random) -> Iterator[Move]:
    if state.phase == "moving" and not state.due:
        # A viscount that goes all the way round does not seem to have moved.
        away = [space for space in range(3 * len(state.order)) if space != state.viscounts[state.turn]]
        yield from (moves.Travel(state.turn, space) for space in rng.sample(away, len(away)))


def _way_not_paid(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Travel, rng):
        price = price_of_travelling(state, move.seat, move.space) if move.seat != state.rival else 0
        if 0 < price < UNREACHABLE:
            yield replace(move, off=(0, 0, 0, rng.randint(1, price), 0, 0, 0, 0))


def _travelled_again(state: State, rng: Random) -> Iterator[Move]:
    # Before the main action it may be a correction of the same move.
    if state.phase in ("hiring", "collision", "drawing"):
        away = [space for space in range(3 * len(state.order)) if space != state.viscounts[state.turn]]
        yield from (moves.Travel(state.turn, space) for space in rng.sample(away, TRIES))


def _travelled_out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    for seat in _others(state, rng) if _in_play(state) else ():
        yield moves.Travel(seat, rng.randrange(3 * len(state.order)))


# Main actions


def _traded_too_often(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Trade, rng):
        yield replace(move, times=most_trades(state, move.seat) + rng.randint(1, 2))


def _traded_for_other_goods(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Trade, rng):
        wrong = replace(move, off=rng.choice(DIFFERENT))
        # As much more as another trade brings looks like one more trade.
        most = most_trades(state, move.seat)
        often = (GAME.play_unchecked(state, replace(move, times=times)) for times in range(1, most + 4))
        seen = GAME.play_unchecked(state, wrong)
        if seen is not None and not any(one is not None and GAME.view(one) == GAME.view(seen) for one in often):
            yield wrong


def _across_the_river(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Build, rng) if acting_seat(state) != state.rival else ():
        plots = range(len(state.plots[move.segment]))
        yield from (replace(move, plot=plot) for plot in rng.sample(plots, len(plots)))


def _built_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Build, rng) if acting_seat(state) != state.rival else ():
        segment = (move.segment + rng.randrange(1, len(state.order))) % len(state.order)
        yield replace(move, segment=segment, plot=rng.randrange(len(state.plots[segment])))


def _not_paid_for(kind: type[Any]) -> Callable[[State, Random], Iterator[Move]]:
    def make(state: State, rng: Random) -> Iterator[Move]:
        for move in legal(state, kind, rng) if acting_seat(state) != state.rival else ():
            yield replace(move, pays=moves.FREE)
            some = tuple(rng.randint(0, number) for number in move.pays)
            yield replace(move, pays=some)

    return make


def _wrong_goods(kind: type[Any]) -> Callable[[State, Random], Iterator[Move]]:
    """Make moves that pay as much as they cost, but with other goods."""

    def make(state: State, rng: Random) -> Iterator[Move]:
        for move in legal(state, kind, rng) if acting_seat(state) != state.rival else ():
            paid = list(move.pays)
            rng.shuffle(paid)
            yield replace(move, pays=tuple(paid))

    return make


def _building_out_of_order(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Build, rng) if acting_seat(state) != state.rival else ():
        yield from (replace(move, slot=slot) for slot in range(move.slot + 1, SLOTS))


def _free_plots(state: State, rng: Random) -> Iterator[tuple[int, int]]:
    free = [(n, plot) for n, plots in enumerate(state.plots) for plot, one in enumerate(plots) if one == NO_SEAT]
    yield from rng.sample(free, min(len(free), TRIES))


def _building_out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    seats = _others(state, rng) if _in_play(state) else []
    for segment, plot in _free_plots(state, rng) if seats else ():
        yield moves.Build(seats[0], rng.randrange(len(BUILDINGS)), rng.randrange(SLOTS), segment, plot)


def _action_again(state: State, rng: Random) -> Iterator[Move]:
    """Yield a second main action, or one of the other path."""
    if state.phase not in ("action", "hiring", "collision", "drawing") or state.due:
        return
    seat, segment = state.turn, segment_with(state, state.turn)
    yield moves.Employ(seat, 1, (state.order.index(segment) + state.castle) % len(state.order))
    if state.scripts[segment]:
        yield moves.Copy(seat, segment)
    for _, plot in _free_plots(state, rng):
        if plot < len(state.plots[segment]):
            yield moves.Build(seat, rng.randrange(len(BUILDINGS)), rng.randrange(SLOTS), segment, plot)


def _workers_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Employ, rng) if acting_seat(state) != state.rival else ():
        yield replace(move, section=(move.section + rng.randrange(1, 5)) % len(state.order))


def _too_many_workers(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Employ, rng) if acting_seat(state) != state.rival else ():
        yield replace(move, number=move.number + rng.randint(1, 2))


def _copied_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Copy, rng) if acting_seat(state) != state.rival else ():
        yield replace(move, segment=(move.segment + rng.randrange(1, 5)) % len(state.order))


# The castle


def _climbed_early(state: State, rng: Random) -> Iterator[Move]:
    for ring in (1, 2) if _in_play(state) else ():
        there = [n for n, workers in enumerate(state.rings[ring - 1]) if 0 < workers[acting_seat(state)] < 3]
        yield from (moves.Climb(acting_seat(state), ring, section) for section in rng.sample(there, len(there)))


def _pushed_off(state: State, rng: Random) -> Iterator[Move]:
    there = [
        (ring, section, owner)
        for ring in (1, 2)
        for section, workers in enumerate(state.rings[ring - 1])
        for owner, number in enumerate(workers)
        if number
    ]
    for ring, section, owner in rng.sample(there, min(len(there), TRIES)):
        yield moves.Push(acting_seat(state), ring, section, owner)


def _worker_moved(state: State, rng: Random) -> Iterator[Move]:
    seats = range(state.players) if _in_play(state) else range(0)
    there = [(seat, n) for seat in seats for n, workers in enumerate(state.rings[0]) if workers[seat]]
    for seat, section in rng.sample(there, min(len(there), TRIES)):
        yield moves.Shift(seat, section, (section + rng.randrange(1, len(state.order))) % len(state.order))


# Townsfolk


def _hired_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    if state.phase == "hiring" and not state.due:
        segments = range(len(state.order))
        yield from (moves.Hire(state.turn, segment) for segment in rng.sample(segments, len(segments)))


def _hired(state: State, _rng: Random) -> Iterator[Move]:
    """Yield hiring without the silver, a second time, or out of turn."""
    if _in_play(state):
        yield from (moves.Hire(seat, segment_with(state, seat)) for seat in range(len(state.seats)))


def _silver_kept(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Hire, rng) if not state.due else ():
        yield replace(move, off=(0, 0, 0, 1, 0, 0, 0, 0))


def _dismissed(state: State, _rng: Random) -> Iterator[Move]:
    """Yield dismissing without use, a second time, without the silver, or out of turn.

    Seats beside the acting one are left out: it could not be told which of them it was.
    """
    if _in_play(state):
        here = segment_with(state, acting_seat(state))
        seats = [
            seat for seat in range(len(state.seats)) if seat == acting_seat(state) or segment_with(state, seat) != here
        ]
        yield from map(moves.Dismiss, seats)


def _dismissed_for_nothing(state: State, rng: Random) -> Iterator[Move]:
    for move in legal(state, moves.Dismiss, rng) if acting_seat(state) != state.rival else ():
        name = townsfolk_at(state, segment_with(state, move.seat))
        yield replace(move, off=(0, 0, 0, price_of_dismissing(state, move.seat, name), 0, 0, 0, 0))


# A player board


def _shuffled(state: State, rng: Random) -> Iterator[Move]:
    """Yield drawing up with wrong markers: the discards are shuffled, and a marker does not move, or another
    one does."""
    for move in legal(state, moves.DrawUp, rng):
        if GAME.view(GAME.play(state, move)).zones != GAME.view(state).zones:
            deviations = [deviation for deviation in DIFFERENT if not any(deviation[: len(GOODS)])]
            yield from (replace(move, off=deviation) for deviation in rng.sample(deviations, TRIES))


def _resource_for_nothing(state: State, rng: Random) -> Iterator[Move]:
    if _in_play(state) and acting_seat(state) != state.rival:
        yield from (moves.TakeGood(acting_seat(state), good) for good in rng.sample(GOODS, len(GOODS)))


def _flipped(state: State, rng: Random) -> Iterator[Move]:
    for paper in rng.sample(("debt", "deed"), 2) if _in_play(state) else ():
        yield moves.Flip(acting_seat(state), paper)  # type: ignore[arg-type]


def _altered(state: State, rng: Random) -> Iterator[Move]:
    for deviation in rng.sample(DIFFERENT, TRIES) if _in_play(state) else ():
        yield moves.Alter(rng.randrange(state.players), deviation)


def _honour_taken(state: State, rng: Random) -> Iterator[Move]:
    honours = range(len(RIBBONS) + 1)
    for honour in rng.sample(honours, len(honours)) if _in_play(state) else ():
        yield moves.TakeHonour(rng.randrange(state.players), honour)


KINDS: Final[dict[str, Kind]] = {
    "pair out of turn": Kind(_pair_out_of_turn, ("turn.order",)),
    "pair with other goods": Kind(_with_deviation(moves.TakePair), ("effect.exact",)),
    "slid out of turn": Kind(_slid_out_of_turn, ("turn.order",)),
    "slid again": Kind(_slid_again, ("turn.phases", "effect.due")),
    "card of the discards": Kind(_card_of_the_discards, ("cards.own",)),
    "card with other effect": Kind(_with_deviation(moves.PlayCard), ("effect.exact",)),
    "rearranged for nothing": Kind(_rearranged, ("effect.nothing", "effect.due", "turn.order", "symbol.gap")),
    "discarded for nothing": Kind(_discarded, ("effect.nothing", "effect.due")),
    "viscount too far": Kind(_too_far, ("move.silver", "move.steps", "move.back")),
    "way not paid": Kind(_way_not_paid, ("effect.exact",)),
    "viscount moved again": Kind(_travelled_again, ("turn.phases", "effect.due")),
    "viscount out of turn": Kind(_travelled_out_of_turn, ("turn.order",)),
    "traded too often": Kind(_traded_too_often, ("trade.cost", "trade.silver")),
    "traded for other goods": Kind(_traded_for_other_goods, ("effect.exact",)),
    "across the river": Kind(_across_the_river, ("build.river", "setup.here")),
    "built elsewhere": Kind(_built_elsewhere, ("build.river", "setup.here")),
    "building not paid for": Kind(_not_paid_for(moves.Build), ("action.pay",)),
    "building for other goods": Kind(_wrong_goods(moves.Build), ("action.pay",)),
    "building out of order": Kind(_building_out_of_order, ("build.order",)),
    "building out of turn": Kind(_building_out_of_turn, ("turn.order",)),
    "building with other reward": Kind(_with_deviation(moves.Build), ("effect.exact",)),
    "main action again": Kind(_action_again, ("turn.phases", "action.path")),
    "workers elsewhere": Kind(_workers_elsewhere, ("workers.beside",)),
    "too many workers": Kind(_too_many_workers, ("workers.nobles", "action.pay", "symbol.workers")),
    "workers not paid for": Kind(_not_paid_for(moves.Employ), ("action.pay",)),
    "climbed too early": Kind(_climbed_early, ("workers.climb", "workers.third", "effect.nothing", "effect.due")),
    "pushed off for nothing": Kind(_pushed_off, ("workers.push", "workers.order", "effect.nothing", "effect.due")),
    "worker moved": Kind(_worker_moved, ("effect.nothing", "effect.due", "symbol.neighbour", "turn.order")),
    "climbed with other reward": Kind(_with_deviation(moves.Climb), ("effect.exact",)),
    "copied elsewhere": Kind(_copied_elsewhere, ("script.beside", "symbol.manuscript")),
    "manuscript not paid for": Kind(_not_paid_for(moves.Copy), ("action.pay",)),
    "manuscript for other goods": Kind(_wrong_goods(moves.Copy), ("action.pay",)),
    "hired elsewhere": Kind(_hired_elsewhere, ("hire.beside",)),
    "hired wrongly": Kind(_hired, ("hire.silver", "turn.phases", "turn.order")),
    "silver kept": Kind(_silver_kept, ("effect.exact",)),
    "dismissed wrongly": Kind(
        _dismissed,
        ("dismiss.symbols", "dismiss.action", "dismiss.once", "dismiss.silver", "turn.phases", "turn.order"),
    ),
    "dismissed for nothing": Kind(_dismissed_for_nothing, ("effect.exact",)),
    "collision with other reward": Kind(_with_deviation(moves.Collide), ("effect.exact",)),
    "shuffled with other marker": Kind(_shuffled, ("effect.exact",)),
    "resource for nothing": Kind(_resource_for_nothing, ("effect.nothing", "effect.due", "symbol.any")),
    "flipped for nothing": Kind(_flipped, ("effect.nothing", "effect.due", "symbol.flip")),
    "board altered": Kind(_altered, ("effect.exact",)),
    "honour taken": Kind(_honour_taken, ("script.bonus", "workers.leader")),
}
