"""What could have happened: the moves, legal or not, that would explain what lies on the table.

Where the order of several acts does not matter (what chance lays out, dice that were rolled, helpers that were used),
only one order is proposed: many things done at once are then one short chain, and not every way to arrange them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel.messages import UNKNOWN, View
from companion.kernel.rules import SeatNo

from .. import moves
from ..box import GOLD, GOODS
from ..components import all_guests, city_names
from ..moves import EXACT, Move, Off
from ..rulebook.contracts import slid
from ..rulebook.fairs import fair_points, fair_word, takes_part
from ..rulebook.figures import FIGURES, check_take_from_city
from ..rulebook.kings_track import due, ranking
from ..rulebook.phases import breaches
from ..rulebook.setup import cost_word, tiles_open
from ..state import HIDDEN, NONE, NOWHERE, State, contract_stack, guest_stack
from .acts import acts
from .moves_in_progress import zones, zones_if_off
from .play_unchecked import intended
from .seeing import Seen
from .trades import guests_lodged
from .view import corruption_label, tile_cell, venue_label


def candidates(state: State, view: View) -> Iterator[Move]:
    """Likeliest first; each move once."""
    seen = Seen(state, view)
    match state.phase:
        case "laying_out":
            yield moves.LayOut()
        case "lots" | "refilling":
            yield from _first(_lots(seen))
        case "rolling":
            yield from _first(offered(seen))
            yield from _first(_tiles(seen))
            yield from _first(_rolled(seen))
        case "turn":
            yield from dict.fromkeys(_of_a_turn(seen))
        case "favour":
            yield from dict.fromkeys(_favours(seen))
        case "over":
            return
        case "tidying":
            yield from _first(_lots(seen))
            yield moves.TidyUp()
        case _:
            yield from _first(offered(seen))
            yield from _of_the_table(state)


def _first(found: Iterator[Move]) -> Iterator[Move]:
    """The first thing that can be told, in the order of the book."""
    yield from next(([move] for move in found), [])


def _of_the_table(state: State) -> Iterator[Move]:
    match state.phase:
        case "king":
            yield moves.ScoreCrown()
        case "order":
            yield moves.SetOrder()
        case "fair":
            yield moves.HoldFair()
        case _:
            return


# What chance lays out


def _lots(seen: Seen) -> Iterator[Move]:
    state, names = seen.state, city_names(seen.state.box)
    for number, venue in enumerate(state.venues):
        label = seen.numbered("venues", number) if venue == NOWHERE else None
        yield from (moves.PutVenue(number, city) for city, name in enumerate(names) if venue_label(name) == label)
    for number, fair in enumerate(state.fairs):
        label = NONE if fair else seen.numbered("fairs", number)
        yield from (moves.PutFair(number, name) for name in state.box.fairs if fair_word(name) == label)
    for city in state.map.cathedrals if state.phase == "lots" else ():
        label = NONE if state.costs[city] else seen.cell("costs", names[city])
        yield from (moves.PutCost(city, name) for name in state.box.costs if cost_word(name) == label)
    yield from _tiles(seen)
    yield from offered(seen)


def _tiles(seen: Seen) -> Iterator[Move]:
    for place in tiles_open(seen.state):
        tile = seen.cell(*tile_cell(place))
        if tile in seen.state.box.tiles:
            yield moves.PutTile(place, tile)


def offered(seen: Seen) -> Iterator[Move]:
    """What lies anew in the offers; contracts slide together before any are turned up."""
    state = seen.state
    for place, contract in enumerate(slid(state) if not state.sliding or _slid(seen) else ()):
        label = seen.numbered("contracts", place)
        if not contract and label in state.box.contracts:
            yield moves.OfferContract(place, label)
    if state.sliding and _slid(seen):
        yield moves.Slide()
    for place, guest in enumerate(state.guests):
        label = seen.numbered("guests", place)
        if not guest and label is not None and label in all_guests(state.box):
            yield moves.OfferGuest(place, label)


def _slid(seen: Seen) -> bool:
    """Whether the contracts lie as they do after they have slid, for all one can see."""
    places = [(place, contract) for place, contract in enumerate(slid(seen.state)) if contract]
    moved = [(place, contract) for place, contract in places if seen.state.contracts[place] != contract]
    return any(seen.numbered("contracts", place) == contract for place, contract in moved) and all(
        seen.numbered("contracts", place) in (contract, UNKNOWN) for place, contract in places
    )


def _rolled(seen: Seen) -> Iterator[Move]:
    return (moves.PutDie(section, colour, value) for section, colour, value in seen.dice_on_wheel() if colour)


# The king's tile


def _favours(seen: Seen) -> Iterator[Move]:
    state, leader = seen.state, ranking(seen.state)[0]
    yield from _first(offered(seen))
    for place, tile in enumerate(state.favours):
        if not seen.gone("favours", str(place + 1), tile):
            continue
        for seat in (leader, *(seat for seat in range(state.players) if seat != leader)):
            if seen.gained(f"warehouse {state.colour_of(seat)}")[tile]:
                yield moves.TakeFavour(seat, place)
        yield moves.DropFavour(leader, place)
        yield moves.TakeFavour(leader, place)


# A turn


def _of_a_turn(seen: Seen) -> Iterator[Move]:
    state = seen.state
    lying = next(offered(seen), None)
    if lying is not None and not any(True for _ in breaches(state, lying)):
        if isinstance(lying, moves.OfferGuest):
            yield from _passed_through(seen)  # another may have lain there before it
        yield lying  # nothing else that is done depends on when it was turned up
        return
    done, revealed = tuple(acts(seen, state.turn)), tuple(_revealed(seen))
    certain = next(
        (move for move in done if _certain(state, move) and not any(True for _ in breaches(state, move))), None
    )
    if certain is not None and not revealed:  # at the ends of the king's track it matters what was first
        yield certain
        return
    yield from _passed_through(seen)
    yield from revealed
    yield from done
    yield moves.EndTurn(state.turn)


def _certain(state: State, move: Move) -> bool:
    """Whether a move that shows was surely made, and takes nothing from any other: it makes room in the warehouse, and
    costs no action points."""
    match move:
        case moves.PlaceCrest():
            return True
        case moves.Fulfil():
            return not state.box.contracts[move.contract].same
        case moves.UseHelper():
            return not state.box.tiles[move.tile].again
        case _:
            return False


def _passed_through(seen: Seen) -> Iterator[Move]:
    """Guests and contracts that were turned up and taken between two looks."""
    state = seen.state
    mine = seen.gained(f"warehouse {state.colour_of(state.turn)}")
    if NONE in state.guests:
        lodged = (guest for _, _, guest in guests_lodged(seen, state.turn))
        stack = guest_stack(state)
        yield from (moves.OfferGuest(state.guests.index(NONE), guest) for guest in (*mine, *lodged) if guest in stack)
    if state.filling:
        stack = contract_stack(state)
        empty = [place for place, contract in enumerate(slid(state)) if not contract]
        yield from (moves.OfferContract(place, contract) for contract in mine if contract in stack for place in empty)


def _revealed(seen: Seen) -> Iterator[Move]:
    state = seen.state
    values = dict.fromkeys(state.box.corruption.markers)
    labels = {corruption_label(value): value for value in values}
    for place, value in reversed(tuple(enumerate(state.corruption))):
        label = seen.numbered("corruption", place)
        if value == HIDDEN and label in labels:
            yield moves.Reveal(place, labels[label])
        elif value == HIDDEN and label == UNKNOWN and due(state):
            yield from (moves.Reveal(place, one) for one in values)


POINTS: Final = EXACT.index(0, len(GOODS))
"""Where `off` counts points."""
MOST_CHANGED: Final = 8
"""No act changes more zones than this."""


def illegal_candidates(state: State, view: View) -> Iterator[Move]:
    seen = Seen(state, view)
    if state.phase == "turn" and len(seen.changed) <= MOST_CHANGED:
        yield from dict.fromkeys(_illegal_candidates(seen))
    if state.phase in ("king", "fair") and seen.changed == {"points"}:
        yield from _miscounted(seen)


def _miscounted(seen: Seen) -> Iterator[Move]:
    """Points of the king's track or of the fair that are not as they should be. Whoever counts both at once, before the
    order is set, has counted nothing wrong."""
    state = seen.state
    after = intended(state, moves.ScoreCrown() if state.phase == "king" else moves.HoldFair())
    assert after is not None
    astray = tuple(seen.off(after, seat)[POINTS] for seat in range(state.players))
    if state.phase == "fair":
        yield moves.HoldFair(astray)
        return
    fair = [
        fair_points(after, seat, state.fairs[state.round]) if takes_part(after, seat) else 0
        for seat in range(state.players)
    ]
    if any(by not in (0, more) for by, more in zip(astray, fair, strict=True)):
        yield moves.ScoreCrown(astray)


def _illegal_candidates(seen: Seen) -> Iterator[Move]:
    state = seen.state
    yield from offered(seen)
    for seat in range(state.players):
        if seat == state.turn or seen.anything_of(seat):
            for move in (*acts(seen, seat), *_otherwise(seen, seat)):
                if seen.changed <= zones(state, move) and not _for_itself(move):
                    yield move
                yield from _off(seen, move)


def _for_itself(move: Move) -> bool:
    """A good that somebody gave to get it back, and another with it: where that is not allowed, it was just taken."""
    return isinstance(move, moves.Swap) and move.gives in move.gets


def _otherwise(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """Acts that only somebody would do who does not know the rules."""
    state, names = seen.state, city_names(seen.state.box)
    for city in state.map.tiles if "city_tiles" in seen.changed else ():
        if seen.gone("city_tiles", names[city], state.city_tiles[city]):
            both = [moves.TakeFromCity(seat, city, figure) for figure in FIGURES]
            yield min(both, key=lambda move: len(tuple(check_take_from_city(state, move))))
    more = [good for good in GOODS if seen.more(good, seat) > 0]
    yield from (moves.BuyGood(seat, good) for good in more if good != GOODS[GOLD])
    yield from (moves.TakeGood(seat, good) for good in more)
    steps = seen.more("steps", seat)
    if steps:
        yield moves.Advance(seat, steps)


def _off(seen: Seen, move: Any) -> Iterator[Move]:
    """The same move with goods and markers that are not as they should be."""
    if not hasattr(move, "off") or not seen.changed <= zones_if_off(seen.state, move):
        return
    after = intended(seen.state, move)
    off = EXACT if after is None else seen.off(after, move.seat)
    if off != EXACT and not _for_nothing(seen.state, move, off):
        yield replace(move, off=off)


def _for_nothing(state: State, move: Move, off: Off) -> bool:
    """Whether nothing at all was paid for a good: then it was not bought or swapped but taken."""
    match move:
        case moves.BuyGood():
            return off[GOLD] >= state.box.prices.gold
        case moves.Swap():
            return _for_itself(move) or off[GOODS.index(move.gives)] > 0
        case _:
            return False
