"""Phase 4, placing statues (Statuen aufstellen): where they may stand, what they cost, how tiles pay, and turns.

The small consolation and the return of unused tiles are here too; the end of the game is in `scoring`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Final

from msgspec.structs import replace

from companion.games.tumult_royale.state import NO_SEAT, State, seats_by_rank, without
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import GOOD_OF, GOODS, KINDS, WORTH, Cost, Tile, neighbours, worth
from ..moves import OWN, GiveBack, Move, Pass, Place, TakeConsolation
from .followers import receive
from .phase5_ranks import begin_ranks
from .scoring import end_on_last_statue

ANYWHERE: Final = ("meadow", "forest")
"""Kinds of fields that need no neighbour of the same seat, for double the cost."""

Goods = tuple[int, int, int]
"""Numbers of bread, marble and tools."""
Payment = tuple[tuple[Tile, ...], int]
"""Tiles that pay a cost, and how many goods they overpay."""


# Where statues may stand


def beside_own(state: State, seat: SeatNo, field: int) -> bool:
    """Whether a field shares an edge with one of the seat's own fields."""
    return any(state.owner[beside] == seat for beside in neighbours(state.columns)[field])


def reachable(state: State, seat: SeatNo) -> set[int]:
    """Return the free face-up fields that share an edge with one of the seat's own."""
    land, owner, beside = state.land, state.owner, neighbours(state.columns)
    return {
        field
        for mine, who in enumerate(owner)
        if who == seat
        for field in beside[mine]
        if owner[field] == NO_SEAT and land[field] in KINDS
    }


def statues_for(state: State, seat: SeatNo, kind: str) -> int:
    """Return how many statues a seat puts on a kind of field; a house rule accepts what it has left."""
    needed = state.box.fields[kind].statues
    left = state.box.statues_each - state.placed[seat]
    return min(needed, left) if state.options.last_statues == "what_is_left" else needed


# How tiles pay


@cache
def _covers(values: tuple[int, ...], need: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of tile values that reach the needed sum, and fail to without any one of them."""
    found = dict.fromkeys(
        chosen
        for size in range(1, min(len(values), need) + 1)
        for chosen in combinations(values, size)
        if sum(chosen) >= need > sum(chosen) - min(chosen)
    )
    return tuple(found)


@cache
def payments(tiles: tuple[Tile, ...], cost: Goods) -> tuple[Payment, ...]:
    """Return every way to pay a cost with some of these tiles: enough of each good, and no unneeded tile."""
    choices = []
    for good, need in zip(GOODS, cost, strict=True):
        if need:
            values = tuple(sorted(WORTH[tile] for tile in tiles if GOOD_OF[tile] == good))
            choices.append([(good, chosen) for chosen in _covers(values, need)])
    due = sum(cost)
    return tuple(
        (
            tuple(f"{good}{value}" for good, chosen in picked for value in chosen),
            sum(sum(c) for _, c in picked) - due,
        )
        for picked in product(*choices)
    )


@cache
def _multiplied(cost: Cost, times: int) -> Goods:
    """Return a cost, once or several times."""
    return (cost.bread * times, cost.marble * times, cost.tool * times)


def cost_of(state: State, kind: str, near: bool) -> Goods:
    """Return what a kind of field costs: twice as much away from the seat's own statues."""
    return _multiplied(state.box.fields[kind].cost, 1 if near else 2)


# Placing


def place_moves(state: State) -> Iterator[Move]:
    """Yield the legal moves of the seat whose turn it is."""
    seat = whose_turn(state)
    yield from _placements(state, seat)
    yield Pass(seat)


def _placements(state: State, seat: SeatNo) -> Iterator[Place]:
    """Yield all ways in which a seat can place statues and pay for them."""
    tiles = state.castles[seat]
    if not tiles:
        return
    near = reachable(state, seat)
    left = state.box.statues_each - state.placed[seat]
    priced: dict[tuple[str, bool], tuple[int, tuple[Payment, ...]]] = {}
    for field, kind in enumerate(state.land):
        if state.owner[field] != NO_SEAT or kind not in KINDS:
            continue
        close = field in near
        if not close and kind not in ANYWHERE:
            continue
        if (kind, close) not in priced:
            statues = statues_for(state, seat, kind)
            affordable = payments(tiles, cost_of(state, kind, close)) if statues <= left else ()
            priced[kind, close] = statues, affordable
        statues, affordable = priced[kind, close]
        for paid, over in affordable:
            yield Place(seat, field, paid, statues, over)


def can_place(state: State, seat: SeatNo) -> bool:
    """Whether a seat can place and pay for statues anywhere."""
    return next(_placements(state, seat), None) is not None


def whose_turn(state: State) -> SeatNo:
    """Return the seat whose turn it is."""
    return seats_by_rank(state.ranks)[state.turn]


def check_place(state: State, move: Place) -> Iterator[Breach]:
    """Check turn, field, number of statues and payment."""
    if move.seat != whose_turn(state):
        yield _out_of_turn(state, move.seat)
    if not 0 <= move.field < len(state.land) or state.land[move.field] not in KINDS:
        yield broken("placing.face-up", seat=state.colour(move.seat), field=state.field_name(move.field))
        return
    kind = state.land[move.field]
    near = beside_own(state, move.seat, move.field)
    yield from _wrong_field(state, move, kind, near)
    yield from _wrong_statues(state, move, kind)
    yield from _wrong_payment(state, move, kind, near)


def _wrong_field(state: State, move: Place, kind: str, near: bool) -> Iterator[Breach]:
    """Yield the breaches of a field that is taken or out of reach."""
    field, seat = state.field_name(move.field), state.colour(move.seat)
    if state.owner[move.field] != NO_SEAT:
        yield broken("placing.free-field", seat=seat, field=field, owner=state.colour(state.owner[move.field]))
    elif not near and kind not in ANYWHERE:
        yield broken("placing.adjacent", field=field, seat=seat)
        yield broken("placing.anywhere-kinds", field=field, kind=f"a {kind}")


def _wrong_statues(state: State, move: Place, kind: str) -> Iterator[Breach]:
    """Yield the breach of a wrong number of statues."""
    needed, seat = statues_for(state, move.seat, kind), state.colour(move.seat)
    left = state.box.statues_each - state.placed[move.seat]
    if needed > left:
        yield broken("placing.too-few-statues", seat=seat, kind=f"a {kind}", needs=needed, left=left)
    elif move.statues != needed:
        yield broken("placing.count", seat=seat, kind=f"a {kind}", needs=needed, put=move.statues)


def _wrong_payment(state: State, move: Place, kind: str, near: bool) -> Iterator[Breach]:
    """Yield the breaches of tiles that do not pay the cost, and of followers that do not match the overpaid goods."""
    seat = state.colour(move.seat)
    missing = tuple(sorted((Counter(move.tiles) - Counter(state.castles[move.seat])).elements()))
    if move.source != OWN or missing:
        yield broken("placing.own-tiles", seat=seat, tiles=missing or move.tiles)
        return
    cost = cost_of(state, kind, near or kind not in ANYWHERE)
    short = False
    for good, need, rest in zip(GOODS, cost, state.overpaid[move.seat], strict=True):
        gave = worth(move.tiles, good)
        if gave < need:
            short = True
            rule = "placing.cost" if near or kind not in ANYWHERE else "placing.anywhere"
            yield broken(rule, seat=seat, kind=f"a {kind}", needs=f"{good}{need}", gave=gave)
            if gave + rest >= need:
                yield broken("placing.no-split", seat=seat, rest=f"{good}{rest}")
        elif extra := _unneeded_tile(move.tiles, good, gave - need):
            yield broken("placing.no-extra-tile", seat=seat, tile=extra)
    over = sum(worth(move.tiles, good) for good in GOODS) - sum(cost)
    if not short and move.followers != over:
        yield broken("placing.overpaid", seat=seat, due=over, took=max(0, move.followers))


def _unneeded_tile(tiles: tuple[Tile, ...], good: str, over: int) -> Tile | None:
    """Return a tile of the good without which the cost would still be covered."""
    return next((tile for tile in sorted(tiles) if GOOD_OF[tile] == good and WORTH[tile] <= over), None)


def _out_of_turn(state: State, seat: SeatNo) -> Breach:
    """Return the breach of acting before one's turn."""
    return broken("placing.order", seat=state.colour(seat), next=state.colour(whose_turn(state)))


def place(state: State, move: Place, log: RuleLog) -> State:
    """Put up statues, pay for them, and give the turn to the next seat."""
    seat, kind = move.seat, state.land[move.field]
    near = beside_own(state, seat, move.field)
    _log_place(state, move, kind, near, log)
    cost = cost_of(state, kind, near)
    bread, marble, tool = (
        before + worth(move.tiles, good) - need
        for good, need, before in zip(GOODS, cost, state.overpaid[seat], strict=True)
    )
    state = replace(
        state,
        owner=changed(state.owner, move.field, seat),
        standing=changed(state.standing, move.field, move.statues),
        placed=changed(state.placed, seat, state.placed[seat] + move.statues),
        castles=changed(state.castles, seat, without(state.castles[seat], move.tiles)),
        middle=tuple(sorted((*state.middle, *move.tiles))),
        overpaid=changed(state.overpaid, seat, (bread, marble, tool)),
        built=changed(state.built, seat, True),
        placed_this_round=True,
        turn=state.turn + 1,
    )
    if move.followers:
        state = receive(state, seat, move.followers, "placing.overpaid", log)
    return end_on_last_statue(state, seat, log) or next_turn(state, log)


def _log_place(state: State, move: Place, kind: str, near: bool, log: RuleLog) -> None:
    """Log the rules that a placement follows."""
    seat, field = state.colour(move.seat), state.field_name(move.field)
    log.tell("placing.order", seat=seat)
    log.tell("placing.free-field", field=field)
    log.tell("placing.adjacent" if near else "placing.anywhere", seat=seat, field=field, kind=kind)
    log.tell("placing.count", seat=seat, statues=move.statues, kind=kind, field=field)
    log.tell("placing.front-statue", seat=seat, number=state.placed[move.seat] + 1)
    log.tell("placing.cost", seat=seat, tiles=move.tiles)
    if any(sum(GOOD_OF[tile] == good for tile in move.tiles) > 1 for good in GOODS):
        log.tell("placing.several-tiles", tiles=move.tiles)


def check_pass(state: State, move: Pass) -> Iterator[Breach]:
    """Check that it is the seat's turn."""
    if move.seat != whose_turn(state):
        yield _out_of_turn(state, move.seat)


def pass_(state: State, move: Pass, log: RuleLog) -> State:
    """Give the turn to the next seat; by a house rule the seat cannot return in this phase."""
    log.tell("placing.pass", seat=state.colour(move.seat))
    if state.options.passing == "out":
        state = replace(state, out=changed(state.out, move.seat, True))
    return next_turn(replace(state, turn=state.turn + 1), log)


# Placing rounds


def begin_placing(state: State, log: RuleLog) -> State:
    """Begin the first placing round with the king."""
    none_yet = (False,) * state.players
    return next_turn(
        replace(
            state,
            phase="placing",
            turn=0,
            able=none_yet,
            built=none_yet,
            out=none_yet,
            overpaid=((0, 0, 0),) * state.players,
            placing_round=1,
            placed_this_round=False,
        ),
        log,
    )


def next_turn(state: State, log: RuleLog) -> State:
    """Find the next seat that can place statues; the others are passed over without a move.

    Ruling: a placing round in which no statue was placed is the last one.
    """
    new_round = False
    while True:
        for turn in range(state.turn, state.players):
            seat = seats_by_rank(state.ranks)[turn]
            if not state.out[seat] and can_place(state, seat):
                if new_round:
                    log.tell("placing.further-rounds", round=state.placing_round)
                return replace(state, turn=turn, able=changed(state.able, seat, True))
            if state.placing_round == 1:
                log.tell("placing.must-pass", seat=state.colour(seat))
        if not state.placed_this_round:
            return _end_placing(state, log)
        new_round = True
        state = replace(state, turn=0, placing_round=state.placing_round + 1, placed_this_round=False)


def _end_placing(state: State, log: RuleLog) -> State:
    """Find the seats that get the consolation: they never could place, and suffered no tumult."""
    console = []
    for seat in seats_by_rank(state.ranks):
        if state.able[seat]:
            continue
        if state.punished[seat]:
            log.tell("placing.no-consolation", seat=state.colour(seat))
        else:
            console.append(seat)
    state = replace(state, phase="consolation", to_console=tuple(console))
    return state if console else begin_ranks(state, log)


# A small consolation, and unused tiles


def consolation_moves(state: State) -> Iterator[Move]:
    """Yield the consolations that are still due."""
    return (TakeConsolation(seat, state.box.followers.consolation) for seat in state.to_console)


def check_consolation(state: State, move: TakeConsolation) -> Iterator[Breach]:
    """Check that the consolation is due to the seat, and its number of followers."""
    if move.seat not in state.to_console:
        rule = "placing.no-consolation" if state.punished[move.seat] else "placing.consolation"
        yield broken(rule, seat=state.colour(move.seat), due=0, took=move.followers)
    elif move.followers != state.box.followers.consolation:
        yield broken(
            "placing.consolation",
            seat=state.colour(move.seat),
            due=state.box.followers.consolation,
            took=move.followers,
        )


def take_consolation(state: State, move: TakeConsolation, log: RuleLog) -> State:
    """Give a seat its consolation; after the last one the ranks are next."""
    state = receive(state, move.seat, move.followers, "placing.consolation", log)
    left = tuple(seat for seat in state.to_console if seat != move.seat)
    state = replace(state, to_console=left)
    return state if left else begin_ranks(state, log)


def give_back_moves(state: State) -> Iterator[Move]:
    """Yield for each seat that it returns its tiles, once they can pay for nothing more."""
    return (GiveBack(seat) for seat in range(state.players) if state.castles[seat] and not _still_useful(state, seat))


def _still_useful(state: State, seat: SeatNo) -> bool:
    """Whether a seat could still place statues with its tiles."""
    return state.phase == "placing" and not state.out[seat] and can_place(state, seat)


def check_give_back(state: State, move: GiveBack) -> Iterator[Breach]:
    """Check that the seat has tiles, and can pay for nothing with them."""
    tiles = len(state.castles[move.seat])
    if not tiles or _still_useful(state, move.seat):
        yield broken("placing.expiry", seat=state.colour(move.seat), tiles=tiles)


def give_back(state: State, move: GiveBack, log: RuleLog) -> State:
    """Move all tiles of a castle to the middle."""
    tiles = state.castles[move.seat]
    log.tell("placing.expiry", seat=state.colour(move.seat), tiles=tiles)
    return replace(
        state,
        castles=changed(state.castles, move.seat, ()),
        middle=tuple(sorted((*state.middle, *tiles))),
    )
