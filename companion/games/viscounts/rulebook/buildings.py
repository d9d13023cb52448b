"""Ein Gebäude errichten: a plot on this side of the river, its reward, and links that pay both ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import BUILDINGS, SLOTS, Box, Effect
from ..components import links, reach, rival_slot
from ..moves import FREE, Build, Move
from ..state import (
    NOBODY,
    NOWHERE,
    Due,
    State,
    board,
    building_on,
    clockwise,
    owner_of,
    segment_with,
)
from .effects import (
    apply,
    apply_all,
    goods_word,
    off_breaches,
    pay_goods,
    put_first,
)
from .payment import check_pays, payments, strength

RULES = ("build.post", "build.guildhall", "build.workshop")
"""Each kind has a rule of its own."""
ABILITIES = {
    "step": "build.first-post",
    "dismiss": "build.second-post",
    "discard": "build.first-workshop",
    "virtue": "build.second-workshop",
    "hand": "build.third-workshop",
}


def cost_of(box: Box, building: int) -> int:
    cost: int = getattr(box.buildings, BUILDINGS[building]).cost
    return cost


def free_slots(state: State, seat: SeatNo, building: int) -> list[int]:
    """The places of a kind that still hold a building which may leave it."""
    bits = state.built[seat] >> building * SLOTS
    left = [slot for slot in range(SLOTS) if not bits >> slot & 1]
    return left[:1] if state.options.building_order == "left_to_right" else left


def free_plots(state: State, segment: int, plots: Iterable[int]) -> list[int]:
    return [plot for plot in plots if state.plots[segment][plot] == NOBODY]


def plots_here(state: State, seat: SeatNo) -> list[int]:
    """The free plots on the viscount's side of the river."""
    space = state.viscounts[seat]
    return free_plots(state, segment_with(state, seat), reach(state.box, len(state.seats), space))


def build_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    """All buildings that somebody can pay for here."""
    plots, segment = plots_here(state, seat), segment_with(state, seat)
    if not plots:
        return
    for building in range(len(BUILDINGS)):
        slots = free_slots(state, seat, building)
        if slots:
            for pays in payments(state, seat, "build", cost_of(state.box, building)):
                yield from (Build(seat, building, slot, segment, plot, pays) for slot in slots for plot in plots)


def places_for_free(state: State, where: int) -> list[tuple[int, int]]:
    """Where something may be built for nothing: on any plot, or only by the river bank of a space."""
    if where != NOWHERE:
        segment = where // 3
        return [(segment, plot) for plot in free_plots(state, segment, reach(state.box, len(state.seats), where))]
    return [
        (segment, plot)
        for segment, side in enumerate(board(state))
        for plot in free_plots(state, segment, range(len(side.plots)))
    ]


def free_build_moves(state: State, seat: SeatNo, building: int, where: int) -> Iterator[Move]:
    slots = free_slots(state, seat, building)
    for segment, plot in places_for_free(state, where) if slots else ():
        yield from (Build(seat, building, slot, segment, plot) for slot in slots)


def _check_piece(state: State, move: Build) -> Iterator[Breach]:
    """Whether there is such a building, and such a plot, and both are free."""
    seat = state.colour_of(move.seat)
    if not 0 <= move.building < len(BUILDINGS) or not 0 <= move.slot < SLOTS:
        yield broken("build.left", seat=seat, building="any building")
        return
    kind = BUILDINGS[move.building]
    if state.built[move.seat] >> move.building * SLOTS + move.slot & 1:
        yield broken("build.left", seat=seat, building=kind)
    elif move.slot not in free_slots(state, move.seat, move.building):
        yield broken("build.order", seat=seat, building=kind)
    if not _is_free(state, move.segment, move.plot):
        yield broken("build.plot", plot=move.plot + 1, segment=state.segment_name(move.segment))


def _is_free(state: State, segment: int, plot: int) -> bool:
    there = 0 <= segment < len(state.plots) and 0 <= plot < len(state.plots[segment])
    return there and state.plots[segment][plot] == NOBODY


def check_build(state: State, move: Build) -> Iterator[Breach]:
    found = list(_check_piece(state, move))
    yield from found
    if not 0 <= move.building < len(BUILDINGS):
        return
    here = reach(state.box, len(state.seats), state.viscounts[move.seat])
    if move.segment != segment_with(state, move.seat) or move.plot not in here:
        segment = state.segment_name(segment_with(state, move.seat))
        yield broken("build.river", seat=state.colour_of(move.seat), segment=segment)
    need = cost_of(state.box, move.building)
    yield from check_pays(state, move.seat, RULES[move.building], move.pays, need, "build")
    yield from off_breaches(state, move.seat, move.off)


def check_free_build(state: State, move: Build, building: str, where: int) -> Iterator[Breach]:
    found = list(_check_piece(state, move))
    yield from found
    if found:
        return
    seat = state.colour_of(move.seat)
    if BUILDINGS[move.building] != building:
        yield broken("symbol.build", seat=seat, building=building)
    if (move.segment, move.plot) not in places_for_free(state, where):
        yield broken("setup.here", seat=seat)
    if move.pays != FREE:
        yield broken("action.free", seat=seat, pays=goods_word(move.pays))
    yield from off_breaches(state, move.seat, move.off)


def build(state: State, move: Build, log: RuleLog) -> State:
    seat, need = move.seat, cost_of(state.box, move.building)
    facts = {"needs": need, "has": strength(state, seat, "build")}
    log.tell(RULES[move.building], seat=state.colour_of(seat), pays=goods_word(move.pays), **facts)
    return stands(pay_goods(state, seat, move.pays), move, log)


def free_build(state: State, move: Build, log: RuleLog) -> State:
    log.tell("symbol.build", seat=state.colour_of(move.seat), building=BUILDINGS[move.building])
    return stands(state, move, log)


def stands(state: State, move: Build, log: RuleLog) -> State:
    """The building is on its plot: its reward comes first, then links, for the builder before all others."""
    seat, colour = move.seat, state.colour_of(move.seat)
    plots = changed(state.plots[move.segment], move.plot, building_on(seat, move.building))
    bit = 1 << move.building * SLOTS + move.slot
    state = replace(
        state,
        plots=changed(state.plots, move.segment, plots),
        built=changed(state.built, seat, state.built[seat] | bit),
    )
    if seat != state.rival:
        _uncovered(state, move, log)
    elif _rivals_slot(state, move) == "scheme":
        state = put_first(state, Due(seat, "scheme"))
    state = put_first(state, Due(seat, "links", move.plot, where=move.segment))
    log.tell("build.reward", seat=colour, plot=move.plot + 1, segment=state.segment_name(move.segment))
    return apply(state, seat, board(state)[move.segment].plots[move.plot], log)


def linked(state: State, due: Due, log: RuleLog) -> State:
    """Both ends of each new link get its reward, the builder first; one who owns both gets it once."""
    found: list[tuple[SeatNo, Effect]] = []
    for segment, plot, reward in links(state.box, len(state.seats), state.order, due.where, due.number):
        standing = state.plots[segment][plot]
        if standing != NOBODY:
            other = owner_of(standing)
            facts = {"seat": state.colour_of(due.seat), "other": state.colour_of(other)}
            log.tell("build.link" if other != due.seat else "build.own-link", **facts)
            found += [(end, reward) for end in dict.fromkeys((due.seat, other))]
    order = clockwise(state, due.seat)
    return apply_all(state, sorted(found, key=lambda one: order.index(one[0])), log)


def _rivals_slot(state: State, move: Build) -> str:
    """What the building uncovers on the board of the solo game's opponent."""
    board_ = state.box.solo.boards[state.options.opponent]
    return board_.slots[rival_slot(move.building * SLOTS + move.slot)].does


def _uncovered(state: State, move: Build, log: RuleLog) -> None:
    """What the building's place on the player board has to say from now on."""
    slot = getattr(state.box.slots, BUILDINGS[move.building])[move.slot]
    seat = state.colour_of(move.seat)
    if slot.does:
        log.tell(ABILITIES[slot.does], seat=seat)
    else:
        log.tell("build.symbols", seat=seat, building=BUILDINGS[move.building])
