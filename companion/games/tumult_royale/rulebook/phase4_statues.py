"""4. Statuen aufstellen: where statues may stand, what they cost, how tiles pay, and the small consolation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..box import GOOD_OF, GOODS, KINDS, WORTH, Cost, Tile, neighbours, worth
from ..moves import OWN, GiveBack, Move, Pass, Place, TakeConsolation
from ..state import NOBODY, RuleLog, State, by_rank, changed, without
from .followers import receive
from .phase5_ranks import begin_ranks
from .scoring import twenty_fifth

ANYWHERE: Final = ("meadow", "forest")
"""Where a statue may stand away from one's own, for the double cost."""

Goods = tuple[int, int, int]
Payment = tuple[tuple[Tile, ...], int]
"""Tiles that pay a cost, and how many goods they overpay."""


# Where


def beside_own(state: State, seat: SeatNo, field: int) -> bool:
    """Whether a field touches one of the seat's own along an edge."""
    return any(state.owner[beside] == seat for beside in neighbours(state.columns)[field])


def reachable(state: State, seat: SeatNo) -> set[int]:
    """Free face-up fields that touch one of the seat's own along an edge."""
    land, owner, beside = state.land, state.owner, neighbours(state.columns)
    return {
        field
        for mine, who in enumerate(owner)
        if who == seat
        for field in beside[mine]
        if owner[field] == NOBODY and land[field] in KINDS
    }


def statues_for(state: State, seat: SeatNo, kind: str) -> int:
    """How many statues go on a field of this kind; the house rule lets a seat end with what it has left."""
    needed = state.box.fields[kind].statues
    left = state.box.statues_each - state.placed[seat]
    return min(needed, left) if state.options.last_statues == "what_is_left" else needed


# How tiles pay


@cache
def _covers(values: tuple[int, ...], need: int) -> tuple[tuple[int, ...], ...]:
    """The sets of tile values that cover a need without a tile too many."""
    found = dict.fromkeys(
        chosen
        for size in range(1, min(len(values), need) + 1)
        for chosen in combinations(values, size)
        if sum(chosen) >= need > sum(chosen) - min(chosen)
    )
    return tuple(found)


@cache
def payments(tiles: tuple[Tile, ...], cost: Goods) -> tuple[Payment, ...]:
    """Every way to pay a cost with some of these tiles: enough of each good, and no tile that is not needed."""
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
def _goods(cost: Cost, times: int) -> Goods:
    return (cost.bread * times, cost.marble * times, cost.tool * times)


def cost_of(state: State, kind: str, near: bool) -> Goods:
    """What a field of this kind costs: twice as much away from one's own statues."""
    return _goods(state.box.fields[kind].cost, 1 if near else 2)


# Placing


def place_moves(state: State) -> Iterator[Move]:
    seat = whose_turn(state)
    yield from _placements(state, seat)
    yield Pass(seat)


def _placements(state: State, seat: SeatNo) -> Iterator[Place]:
    tiles = state.castles[seat]
    if not tiles:
        return
    near = reachable(state, seat)
    left = state.box.statues_each - state.placed[seat]
    priced: dict[tuple[str, bool], tuple[int, tuple[Payment, ...]]] = {}
    for field, kind in enumerate(state.land):
        if state.owner[field] != NOBODY or kind not in KINDS:
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
    return next(_placements(state, seat), None) is not None


def whose_turn(state: State) -> SeatNo:
    return by_rank(state.ranks)[state.turn]


def check_place(state: State, move: Place) -> Iterator[Breach]:
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
    field, seat = state.field_name(move.field), state.colour(move.seat)
    if state.owner[move.field] != NOBODY:
        yield broken("placing.free-field", seat=seat, field=field, owner=state.colour(state.owner[move.field]))
    elif not near and kind not in ANYWHERE:
        yield broken("placing.adjacent", field=field, seat=seat)
        yield broken("placing.anywhere-kinds", field=field, kind=f"a {kind}")


def _wrong_statues(state: State, move: Place, kind: str) -> Iterator[Breach]:
    needed, seat = statues_for(state, move.seat, kind), state.colour(move.seat)
    left = state.box.statues_each - state.placed[move.seat]
    if needed > left:
        yield broken("placing.too-few-statues", seat=seat, kind=f"a {kind}", needs=needed, left=left)
    elif move.statues != needed:
        yield broken("placing.count", seat=seat, kind=f"a {kind}", needs=needed, put=move.statues)


def _wrong_payment(state: State, move: Place, kind: str, near: bool) -> Iterator[Breach]:
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
        elif extra := _not_needed(move.tiles, good, gave - need):
            yield broken("placing.no-extra-tile", seat=seat, tile=extra)
    over = sum(worth(move.tiles, good) for good in GOODS) - sum(cost)
    if not short and move.followers != over:
        yield broken("placing.overpaid", seat=seat, due=over, took=max(0, move.followers))


def _not_needed(tiles: tuple[Tile, ...], good: str, over: int) -> Tile | None:
    """A tile of the good without which the cost would still be covered."""
    return next((tile for tile in sorted(tiles) if GOOD_OF[tile] == good and WORTH[tile] <= over), None)


def _out_of_turn(state: State, seat: SeatNo) -> Breach:
    return broken("placing.order", seat=state.colour(seat), next=state.colour(whose_turn(state)))


def place(state: State, move: Place, log: RuleLog) -> State:
    seat, kind = move.seat, state.land[move.field]
    near = beside_own(state, seat, move.field)
    _tell_place(state, move, kind, near, log)
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
    return twenty_fifth(state, seat, log) or next_turn(state, log)


def _tell_place(state: State, move: Place, kind: str, near: bool, log: RuleLog) -> None:
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
    if move.seat != whose_turn(state):
        yield _out_of_turn(state, move.seat)


def pass_(state: State, move: Pass, log: RuleLog) -> State:
    log.tell("placing.pass", seat=state.colour(move.seat))
    if state.options.passing == "out":
        state = replace(state, out=changed(state.out, move.seat, True))
    return next_turn(replace(state, turn=state.turn + 1), log)


# Placing rounds


def begin_placing(state: State, log: RuleLog) -> State:
    nobody = (False,) * state.players
    return next_turn(
        replace(
            state,
            phase="placing",
            turn=0,
            able=nobody,
            built=nobody,
            out=nobody,
            overpaid=((0, 0, 0),) * state.players,
            placing_round=1,
            placed_this_round=False,
        ),
        log,
    )


def next_turn(state: State, log: RuleLog) -> State:
    """The next seat that can place. A seat that cannot must pass; nobody needs to say so.

    Ruling: a placing round in which nobody placed is the last one.
    """
    new_round = False
    while True:
        for turn in range(state.turn, state.players):
            seat = by_rank(state.ranks)[turn]
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
    console = []
    for seat in by_rank(state.ranks):
        if state.able[seat]:
            continue
        if state.punished[seat]:
            log.tell("placing.no-consolation", seat=state.colour(seat))
        else:
            console.append(seat)
    state = replace(state, phase="consolation", to_console=tuple(console))
    return state if console else begin_ranks(state, log)


# A small consolation, and tiles nobody could use


def consolation_moves(state: State) -> Iterator[Move]:
    return (TakeConsolation(seat, state.box.followers.consolation) for seat in state.to_console)


def check_consolation(state: State, move: TakeConsolation) -> Iterator[Breach]:
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
    state = receive(state, move.seat, move.followers, "placing.consolation", log)
    left = tuple(seat for seat in state.to_console if seat != move.seat)
    state = replace(state, to_console=left)
    return state if left else begin_ranks(state, log)


def give_back_moves(state: State) -> Iterator[Move]:
    """Unused tiles may go back at any moment before the mixing, once they can pay for nothing any more."""
    return (GiveBack(seat) for seat in range(state.players) if state.castles[seat] and not _still_useful(state, seat))


def _still_useful(state: State, seat: SeatNo) -> bool:
    return state.phase == "placing" and not state.out[seat] and can_place(state, seat)


def check_give_back(state: State, move: GiveBack) -> Iterator[Breach]:
    tiles = len(state.castles[move.seat])
    if not tiles or _still_useful(state, move.seat):
        yield broken("placing.expiry", seat=state.colour(move.seat), tiles=tiles)


def give_back(state: State, move: GiveBack, log: RuleLog) -> State:
    tiles = state.castles[move.seat]
    log.tell("placing.expiry", seat=state.colour(move.seat), tiles=tiles)
    return replace(
        state,
        castles=changed(state.castles, move.seat, ()),
        middle=tuple(sorted((*state.middle, *tiles))),
    )
