"""Ein Gebäude errichten: a plot on this side of the river, its reward, and links that pay both ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import BUILDINGS, SLOTS, Box, Effect
from ..components import links, plots_in_reach, rival_slot
from ..moves import FREE, Build, Move
from ..state import (
    NO_SEAT,
    NOWHERE,
    Due,
    State,
    board,
    clockwise,
    encode_building,
    owner_of,
    segment_with,
)
from .effects import (
    apply,
    apply_all,
    deviation_breaches,
    goods_word,
    pay_goods,
    put_first,
)
from .payment import check_pays, payments, strength

RULES = ("build.post", "build.guildhall", "build.workshop")
"""The rule for each kind of building."""
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
    """Return the places of a kind whose building may be built next."""
    bits = state.built[seat] >> building * SLOTS
    left = [slot for slot in range(SLOTS) if not bits >> slot & 1]
    return left[:1] if state.options.building_order == "left_to_right" else left


def free_plots(state: State, segment: int, plots: Iterable[int]) -> list[int]:
    return [plot for plot in plots if state.plots[segment][plot] == NO_SEAT]


def plots_here(state: State, seat: SeatNo) -> list[int]:
    """Return the free plots on the viscount's side of the river."""
    space = state.viscounts[seat]
    return free_plots(state, segment_with(state, seat), plots_in_reach(state.box, len(state.seats), space))


def build_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    """Yield all buildings that a seat can pay for here."""
    plots, segment = plots_here(state, seat), segment_with(state, seat)
    if not plots:
        return
    for building in range(len(BUILDINGS)):
        slots = free_slots(state, seat, building)
        if slots:
            for pays in payments(state, seat, "build", cost_of(state.box, building)):
                yield from (Build(seat, building, slot, segment, plot, pays) for slot in slots for plot in plots)


def free_building_sites(state: State, where: int) -> list[tuple[int, int]]:
    """Return where a building may be built without paying: on any plot, or only at the river bank of a space."""
    if where != NOWHERE:
        segment = where // 3
        return [
            (segment, plot) for plot in free_plots(state, segment, plots_in_reach(state.box, len(state.seats), where))
        ]
    return [
        (segment, plot)
        for segment, side in enumerate(board(state))
        for plot in free_plots(state, segment, range(len(side.plots)))
    ]


def free_build_moves(state: State, seat: SeatNo, building: int, where: int) -> Iterator[Move]:
    slots = free_slots(state, seat, building)
    for segment, plot in free_building_sites(state, where) if slots else ():
        yield from (Build(seat, building, slot, segment, plot) for slot in slots)


def _check_piece(state: State, move: Build) -> Iterator[Breach]:
    """Check that there is such a building and such a plot, and that both are free."""
    seat = state.colour(move.seat)
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
    return there and state.plots[segment][plot] == NO_SEAT


def check_build(state: State, move: Build) -> Iterator[Breach]:
    found = list(_check_piece(state, move))
    yield from found
    if not 0 <= move.building < len(BUILDINGS):
        return
    here = plots_in_reach(state.box, len(state.seats), state.viscounts[move.seat])
    if move.segment != segment_with(state, move.seat) or move.plot not in here:
        segment = state.segment_name(segment_with(state, move.seat))
        yield broken("build.river", seat=state.colour(move.seat), segment=segment)
    need = cost_of(state.box, move.building)
    yield from check_pays(state, move.seat, RULES[move.building], move.pays, need, "build")
    yield from deviation_breaches(state, move.seat, move.off)


def check_free_build(state: State, move: Build, building: str, where: int) -> Iterator[Breach]:
    found = list(_check_piece(state, move))
    yield from found
    if found:
        return
    seat = state.colour(move.seat)
    if BUILDINGS[move.building] != building:
        yield broken("symbol.build", seat=seat, building=building)
    if (move.segment, move.plot) not in free_building_sites(state, where):
        yield broken("setup.here", seat=seat)
    if move.pays != FREE:
        yield broken("action.free", seat=seat, pays=goods_word(move.pays))
    yield from deviation_breaches(state, move.seat, move.off)


def build(state: State, move: Build, log: RuleLog) -> State:
    seat, need = move.seat, cost_of(state.box, move.building)
    facts = {"needs": need, "has": strength(state, seat, "build")}
    log.tell(RULES[move.building], seat=state.colour(seat), pays=goods_word(move.pays), **facts)
    return place_building(pay_goods(state, seat, move.pays), move, log)


def free_build(state: State, move: Build, log: RuleLog) -> State:
    log.tell("symbol.build", seat=state.colour(move.seat), building=BUILDINGS[move.building])
    return place_building(state, move, log)


def place_building(state: State, move: Build, log: RuleLog) -> State:
    """Put a building on its plot: first its reward, then the links."""
    seat, colour = move.seat, state.colour(move.seat)
    plots = changed(state.plots[move.segment], move.plot, encode_building(seat, move.building))
    bit = 1 << move.building * SLOTS + move.slot
    state = replace(
        state,
        plots=changed(state.plots, move.segment, plots),
        built=changed(state.built, seat, state.built[seat] | bit),
    )
    if seat != state.rival:
        _tell_uncovered(state, move, log)
    elif _rival_ability(state, move) == "scheme":
        state = put_first(state, Due(seat, "scheme"))
    state = put_first(state, Due(seat, "links", move.plot, where=move.segment))
    log.tell("build.reward", seat=colour, plot=move.plot + 1, segment=state.segment_name(move.segment))
    return apply(state, seat, board(state)[move.segment].plots[move.plot], log)


def gain_link_rewards(state: State, due: Due, log: RuleLog) -> State:
    """Give the reward of each new link to both ends, the builder first; an owner of both ends gets it once."""
    found: list[tuple[SeatNo, Effect]] = []
    for segment, plot, reward in links(state.box, len(state.seats), state.order, due.where, due.number):
        standing = state.plots[segment][plot]
        if standing != NO_SEAT:
            other = owner_of(standing)
            facts = {"seat": state.colour(due.seat), "other": state.colour(other)}
            log.tell("build.link" if other != due.seat else "build.own-link", **facts)
            found += [(end, reward) for end in dict.fromkeys((due.seat, other))]
    order = clockwise(state, due.seat)
    return apply_all(state, sorted(found, key=lambda one: order.index(one[0])), log)


def _rival_ability(state: State, move: Build) -> str:
    """Return what the building uncovers on the board of the solo game's opponent."""
    board_ = state.box.solo.boards[state.options.opponent]
    return board_.slots[rival_slot(move.building * SLOTS + move.slot)].does


def _tell_uncovered(state: State, move: Build, log: RuleLog) -> None:
    """Log what the building's empty place on the player board gives from now on."""
    slot = getattr(state.box.slots, BUILDINGS[move.building])[move.slot]
    seat = state.colour(move.seat)
    if slot.does:
        log.tell(ABILITIES[slot.does], seat=seat)
    else:
        log.tell("build.symbols", seat=seat, building=BUILDINGS[move.building])
