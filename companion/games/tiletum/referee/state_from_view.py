"""States read off the table: the current state corrected by a View, and the states that match an unwatched table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from companion.games.tiletum.state import (
    EMPTY,
    HIDDEN,
    NO_DEBTS,
    NO_FREE,
    NO_FREE_WALKS,
    NO_POINTS,
    NO_SEAT,
    NO_WAYS,
    NONE_LENT,
    NOWHERE,
    Die,
    State,
    contract_stack,
)
from companion.kernel.rules import RuleLog, SeatNo, changed
from companion.kernel.views import UNKNOWN, View, differences

from ..box import ACTIONS, GOODS, PIPS
from ..components import all_guests, cities, city_names, crests
from ..rulebook.contracts import start_refill
from ..rulebook.fairs import fair_word
from ..rulebook.king_phase import after_turns
from ..rulebook.setup import cost_word
from .seen_table import Seen, die_of
from .view import (
    cathedral_label,
    corruption_label,
    house_label,
    marker_label,
    pillar_label,
    venue_label,
)
from .view import view as should_be

MOST_TRIES: Final = 5000
"""Maximum number of guesses at who took a cathedral's tile."""


def state_from_view(state: State, view: View) -> State:
    """Return the state as the view shows it; what the view does not show stays as it was."""
    seen = Seen(state, view)
    turned = _turns_of_wheel(seen)
    state = replace(
        state,
        **_board(seen),
        **_map(seen),
        **_tracks(seen),
        **_boards(seen),
        turned=turned,
        round=turned,
        owed=0,
        ways=NO_WAYS,
        free=NO_FREE,
        lent=NONE_LENT,
        saved=NO_FREE_WALKS,
    )
    return _with_stage(state) if state.phase == "turn" else state


def _turns_of_wheel(seen: Seen) -> int:
    """Return how often the wheel was turned, if it can be seen."""
    value, box = seen.pointing("dial"), seen.state.box
    turned = seen.state.turned if value is None else (box.wheel.start - value) % PIPS
    return turned if turned < box.rounds else seen.state.turned


def _with_stage(state: State) -> State:
    """Return the state with a stage that fits the dice of the seat whose turn it is."""
    mine = state.dice[state.turn]
    if len(mine) <= state.lap and state.stage != "no_die":
        return replace(state, stage="no_die", recoloured=False, section=NOWHERE, ap=NO_POINTS, borrowed=NO_DEBTS)
    if len(mine) > state.lap and state.stage == "no_die":
        return replace(state, stage="die_taken")
    return state


# The board


def _cell(seen: Seen, zone: str, cell: str, had: str, known: Container[str]) -> str:
    """Return what lies in a cell; what it held before if that cannot be read."""
    label = seen.cell(zone, cell)
    if label is None:
        return EMPTY
    return label if label in known else had


def _row(seen: Seen, zone: str, had: tuple[str, ...], known: Container[str]) -> tuple[str, ...]:
    return tuple(_cell(seen, zone, str(place), label, known) for place, label in enumerate(had, start=1))


def _named(labels: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    return dict(zip(labels, names, strict=True))


def _board(seen: Seen) -> dict[str, Any]:
    state, box = seen.state, seen.state.box
    fairs = _named(map(fair_word, box.fairs), box.fairs) | {EMPTY: EMPTY}
    had = tuple(fair_word(fair) if fair else EMPTY for fair in state.fairs)
    sections = tuple(
        _cell(seen, "sections", action, tile, box.tiles)
        for action, tile in zip(ACTIONS, state.section_tiles, strict=True)
    )
    contracts = _row(seen, "contracts", state.contracts, box.contracts)
    sliding = state.sliding and contracts == state.contracts  # otherwise people have put them in order
    return {
        "venues": _venues(seen),
        "fairs": tuple(fairs[label] for label in _row(seen, "fairs", had, fairs)),
        "section_tiles": sections,
        "favours": _row(seen, "favours", state.favours, box.tiles),
        "contracts": contracts,
        "sliding": sliding,
        "filling": state.filling and (sliding or bool(contract_stack(state))),
        "guests": _row(seen, "guests", state.guests, all_guests(box)),
        "wheel": _wheel(seen),
    }


def _venues(seen: Seen) -> tuple[int, ...]:
    names = city_names(seen.state.box)
    cities_ = {venue_label(name): city for city, name in enumerate(names)}
    return tuple(
        cities_.get(seen.numbered("venues", number) or EMPTY, had) for number, had in enumerate(seen.state.venues)
    )


def _wheel(seen: Seen) -> tuple[tuple[int, str, int], ...]:
    dice = []
    for section, name in enumerate(ACTIONS):
        lying = seen.pieces(f"wheel {name}")
        if lying is None:
            dice += [die for die in seen.state.wheel if die[0] == section]
        else:
            dice += [(section, *die) for die in _dice(seen, lying)]
    return tuple(sorted(dice))


def _dice(seen: Seen, lying: Counter[str]) -> list[Die]:
    dice = [die_of(label) for label in lying.elements()]
    return [(colour, value) for colour, value in dice if colour in seen.state.box.dice.colours and 1 <= value <= PIPS]


# The map


def _map(seen: Seen) -> dict[str, Any]:
    state, box, names = seen.state, seen.state.box, city_names(seen.state.box)
    costs = _named(map(cost_word, box.costs), box.costs) | {EMPTY: EMPTY}
    labels = [cost_word(cost) if cost else EMPTY for cost in state.costs]
    houses = tuple(
        tuple(_owner(seen, city, place, owner) for place, owner in enumerate(owners))
        for city, owners in enumerate(state.houses)
    )
    return {
        "costs": tuple(
            costs[_cell(seen, "costs", name, label, costs)] for name, label in zip(names, labels, strict=True)
        ),
        "city_tiles": tuple(
            _cell(seen, "city_tiles", name, tile, box.tiles) for name, tile in zip(names, state.city_tiles, strict=True)
        ),
        "houses": houses,
        "pillars": tuple(_pillars(seen, city) for city in range(len(names))),
        "joined": _joined(seen),
        "architects": _figures(seen, "architect", state.architects),
        "merchants": _figures(seen, "merchant", state.merchants),
    }


def _owner(seen: Seen, city: int, place: int, had: SeatNo) -> SeatNo:
    label = seen.house(city, place)
    if label == UNKNOWN:
        return had
    owners = [seat for seat in range(seen.state.players) if house_label(seen.state.colour(seat)) == label]
    return owners[0] if owners else NO_SEAT


def _pillars(seen: Seen, city: int) -> int:
    standing = seen.city(city)
    if standing is None:
        return seen.state.pillars[city]
    seats = range(seen.state.players)
    return sum(1 << seat for seat in seats if standing[pillar_label(seen.state.colour(seat))])


def _figures(seen: Seen, figure: str, had: tuple[int, ...]) -> tuple[int, ...]:
    found = (seen.figure(seat, figure) for seat in range(len(had)))
    return tuple(old if city is None else city for city, old in zip(found, had, strict=True))


def _joined(seen: Seen) -> tuple[tuple[SeatNo, ...], ...]:
    """Return the seats that took the missing tiles of a cathedral: those with a pillar there and such a tile."""
    state, names, joined = seen.state, city_names(seen.state.box), list(seen.state.joined)
    tiles = {seat: Counter(seen.gained(f"honours {state.colour(seat)}")) for seat in range(state.players)}
    gone = list[tuple[int, str]]()
    for city in state.map.cathedrals:
        labels = [*map(cathedral_label, cities(state.box)[city].cathedral), None]
        top = seen.cell("cathedrals", names[city])
        if top in labels:
            taken = labels.index(top)
            joined[city] = joined[city][:taken]
            gone += [(city, str(label)) for label in labels[len(joined[city]) : taken]]
    takers = dict[int, tuple[SeatNo, ...]](enumerate(joined))
    found = _takers(seen, gone, tiles, takers, [MOST_TRIES]) or _first_takers(seen, gone, tiles, takers)
    return tuple(found[city] for city in range(len(joined)))


def _takers(
    seen: Seen,
    gone: list[tuple[int, str]],
    tiles: dict[SeatNo, Counter[str]],
    takers: dict[int, tuple[SeatNo, ...]],
    tries: list[int],
) -> dict[int, tuple[SeatNo, ...]] | None:
    """Return a seat for every missing tile. Tiles of several cathedrals look alike, so the first guess may be wrong."""
    if not gone:
        return takers
    (city, label), *rest = gone
    for seat in _possible_takers(seen, city, label, tiles, takers):
        tries[0] -= 1
        if tries[0] < 0:
            return None
        left = {**tiles, seat: tiles[seat] - Counter({label: 1})}
        found = _takers(seen, rest, left, {**takers, city: (*takers[city], seat)}, tries)
        if found is not None:
            return found
    return None


def _first_takers(
    seen: Seen, gone: list[tuple[int, str]], tiles: dict[SeatNo, Counter[str]], takers: dict[int, tuple[SeatNo, ...]]
) -> dict[int, tuple[SeatNo, ...]]:
    """Return seats for as many missing tiles as possible, if some of the tiles are out of sight."""
    unknown = set[int]()
    for city, label in gone:
        able = _possible_takers(seen, city, label, tiles, takers)
        if not able or city in unknown:
            unknown.add(city)  # the tiles of a cathedral are taken in order
            continue
        tiles[able[0]][label] -= 1
        takers[city] = (*takers[city], able[0])
    return takers


def _possible_takers(
    seen: Seen, city: int, label: str, tiles: dict[SeatNo, Counter[str]], takers: dict[int, tuple[SeatNo, ...]]
) -> list[SeatNo]:
    """Return the seats with such a tile and none of this cathedral's, first those with a pillar there."""
    pillars = _pillars(seen, city)
    able = [seat for seat, mine in tiles.items() if mine[label] > 0 and seat not in takers[city]]
    return sorted(able, key=lambda seat: not pillars >> seat & 1)


# Tracks


def _tracks(seen: Seen) -> dict[str, Any]:
    state, seats = seen.state, range(seen.state.players)
    values = {corruption_label(value): value for value in (*state.box.corruption.markers, *state.corruption)}
    corruption = tuple(
        values.get(seen.numbered("corruption", place) or EMPTY, had) for place, had in enumerate(state.corruption)
    )
    crown = tuple(state.crown[seat] + seen.more("steps", seat) for seat in seats)
    return {
        "corruption": corruption,
        "crown": tuple(min(max(field, state.box.crown.lowest), state.box.crown.last) for field in crown),
        "points": tuple(_points(seen, seat) for seat in seats),
        "order": _order(seen),
    }


def _points(seen: Seen, seat: SeatNo) -> int:
    points = seen.state.points[seat] + seen.more("points", seat)
    return points if seen.state.options.below_zero else max(0, points)


def _order(seen: Seen) -> tuple[SeatNo, ...]:
    colours = [seat.colour for seat in seen.state.seats]
    ranks = [seen.numbered("order", rank) for rank in range(len(colours))]
    if sorted(str(colour) for colour in ranks) != sorted(colours):
        return seen.state.order
    return tuple(colours.index(str(colour)) for colour in ranks)


# Player boards


def _boards(seen: Seen) -> dict[str, Any]:
    mine = [_player_board(seen, seat) for seat in range(seen.state.players)]
    return {name: tuple(board[name] for board in mine) for name in mine[0]}


def _player_board(seen: Seen, seat: SeatNo) -> dict[str, Any]:
    state, box, colour = seen.state, seen.state.box, seen.state.colour(seat)
    goods = tuple(max(0, state.has(seat, number) + seen.more(good, seat)) for number, good in enumerate(GOODS))
    fields = [seen.numbered(f"fields {colour}", number) for number in range(len(box.contract_fields.points))]
    contracts = tuple(str(label) for label in fields if label in box.contracts)
    beside = state.fulfilled[seat][len(fields) :]
    return {
        "goods": goods,
        "warehouse": _warehouse(seen, seat),
        "dice": _own_dice(seen, seat),
        "rooms": _rooms(seen, seat),
        "crests": _row(seen, f"crests {colour}", state.crests[seat], crests(box)),
        "markers": _markers(seen, seat),
        "fulfilled": state.fulfilled[seat] if UNKNOWN in fields else (*contracts, *beside),
    }


def _warehouse(seen: Seen, seat: SeatNo) -> tuple[str, ...]:
    box, lying = seen.state.box, seen.pieces(f"warehouse {seen.state.colour(seat)}")
    if lying is None:
        return seen.state.warehouse[seat]
    known = (box.tiles, box.contracts, all_guests(box))
    return tuple(sorted(tile for tile in lying.elements() if any(tile in kind for kind in known)))


def _own_dice(seen: Seen, seat: SeatNo) -> tuple[Die, ...]:
    """Return the dice on a seat's board, those that were there before first."""
    lying, had = seen.pieces(f"dice {seen.state.colour(seat)}"), seen.state.dice[seat]
    if lying is None:
        return had
    dice, kept = _dice(seen, lying), list[Die]()
    for die in had:
        if die in dice:
            dice.remove(die)
            kept.append(die)
    return (*kept, *dice)


def _rooms(seen: Seen, seat: SeatNo) -> tuple[tuple[str, ...], ...]:
    known, rooms = all_guests(seen.state.box), []
    for building, floors in enumerate(seen.state.box.buildings.floors):
        guests = []
        for room, floor in enumerate(floors):
            label, had = seen.room(seat, building, floor), seen.state.rooms[seat][building][room]
            guests.append(EMPTY if label is None else label if label in known else had)
        rooms.append(tuple(guests))
    return tuple(rooms)


def _markers(seen: Seen, seat: SeatNo) -> tuple[int, ...]:
    """Return the sections of a seat's markers: one that left the player board lies where one of its value appeared."""
    state, colour = seen.state, seen.state.colour(seat)
    mine = state.markers[seat]
    for building, points in enumerate(state.box.buildings.markers):
        label = marker_label(colour, points)
        lies = seen.numbered(f"markers {colour}", building)
        if lies == label:
            mine = changed(mine, building, NOWHERE)
        elif lies is None and points and mine[building] == NOWHERE:
            beside = [section for section, name in enumerate(ACTIONS) if seen.gained(f"extras {name}")[label]]
            used = [section for number, section in enumerate(mine) if state.markers[seat][number] == NOWHERE]
            free = [section for section in beside if section not in used]
            mine = changed(mine, building, (free or beside or [NOWHERE])[0])
    return mine


def states_matching(state: State, view: View) -> tuple[State, ...]:
    """Return the states of an unwatched game that match the table.

    Whose turn it is follows from the dice on the boards; which marker of a stack lies below cannot be seen.
    """
    if any(zone not in view.zones for zone in should_be(state).zones):
        return ()
    seen = state_from_view(replace(state, phase="tidying"), view)
    seen = replace(seen, stacked=seen.order)
    laid = NOWHERE not in seen.venues and EMPTY not in seen.fairs
    if not laid or any(not seen.costs[city] for city in seen.map.cathedrals):
        return ()
    return tuple(moment for moment in _possible_states(seen) if not differences(view, should_be(moment)))


def _possible_states(state: State) -> Iterator[State]:
    """Yield the states between two turns and at the end of a round."""
    dice = [len(mine) for mine in state.dice]
    lap = min(dice)
    state = start_refill(state, RuleLog())
    if lap == state.box.turns:
        ended = replace(state, lap=lap)
        yield after_turns(ended)
        yield from (replace(ended, phase=phase) for phase in ("king", "order", "fair", "tidying"))
        return
    if max(dice) > lap + 1 or not state.wheel:
        return
    waiting = [seat for seat in state.order if dice[seat] == lap]
    shown = sum(value != HIDDEN for value in state.corruption)
    if shown in (lap, lap + 1):
        yield replace(state, phase="turn", lap=lap, turn=waiting[0])
    before = [seat for seat in state.order if dice[seat] > lap]
    if before:
        yield replace(state, phase="turn", lap=lap, turn=before[-1], stage="die_taken")
