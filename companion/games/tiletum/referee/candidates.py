"""The moves that could explain what lies on the table: legal ones and forbidden ones.

Where the order of acts does not matter (what chance lays out, rolled dice, used helpers), only one order is proposed,
so that many acts at once are one short chain and not every way to arrange them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, View

from .. import moves
from ..box import GOLD, GOODS
from ..components import all_guests, city_names
from ..moves import EXACT, Deviation, Move
from ..rulebook.contracts import contracts_after_slide
from ..rulebook.fairs import fair_points, fair_word, takes_part
from ..rulebook.figures import FIGURES, check_take_from_city
from ..rulebook.kings_track import ranking, reveal_due
from ..rulebook.phases import breaches
from ..rulebook.setup import cost_word, possible_tile_places
from ..state import EMPTY, HIDDEN, NOWHERE, State, contract_stack, guest_stack
from .acts import acts
from .moves_in_progress import changeable_zones, zones_with_deviation
from .play_unchecked import play_with_costs
from .seen_table import Seen
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
            yield from _first(filled_offers(seen))
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
            yield from _first(filled_offers(seen))
            yield from _of_the_table(state)


def _first(found: Iterator[Move]) -> Iterator[Move]:
    """Yield only the first move that can be identified, in the order of the book."""
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
        label = EMPTY if fair else seen.numbered("fairs", number)
        yield from (moves.PutFair(number, name) for name in state.box.fairs if fair_word(name) == label)
    for city in state.map.cathedrals if state.phase == "lots" else ():
        label = EMPTY if state.costs[city] else seen.cell("costs", names[city])
        yield from (moves.PutCost(city, name) for name in state.box.costs if cost_word(name) == label)
    yield from _tiles(seen)
    yield from filled_offers(seen)


def _tiles(seen: Seen) -> Iterator[Move]:
    for place in possible_tile_places(seen.state):
        tile = seen.cell(*tile_cell(place))
        if tile in seen.state.box.tiles:
            yield moves.PutTile(place, tile)


def filled_offers(seen: Seen) -> Iterator[Move]:
    """Yield what was added to the offers; contracts slide together before any are turned up."""
    state = seen.state
    for place, contract in enumerate(contracts_after_slide(state) if not state.sliding or _slid(seen) else ()):
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
    """Whether the contracts lie as after sliding, as far as they are visible."""
    places = [(place, contract) for place, contract in enumerate(contracts_after_slide(seen.state)) if contract]
    moved = [(place, contract) for place, contract in places if seen.state.contracts[place] != contract]
    return any(seen.numbered("contracts", place) == contract for place, contract in moved) and all(
        seen.numbered("contracts", place) in (contract, UNKNOWN) for place, contract in places
    )


def _rolled(seen: Seen) -> Iterator[Move]:
    return (moves.PutDie(section, colour, value) for section, colour, value in seen.dice_on_wheel() if colour)


# The king's tile


def _favours(seen: Seen) -> Iterator[Move]:
    state, leader = seen.state, ranking(seen.state)[0]
    yield from _first(filled_offers(seen))
    for place, tile in enumerate(state.favours):
        if not seen.gone("favours", str(place + 1), tile):
            continue
        for seat in (leader, *(seat for seat in range(state.players) if seat != leader)):
            if seen.gained(f"warehouse {state.colour(seat)}")[tile]:
                yield moves.TakeFavour(seat, place)
        yield moves.DropFavour(leader, place)
        yield moves.TakeFavour(leader, place)


# A turn


def _of_a_turn(seen: Seen) -> Iterator[Move]:
    state = seen.state
    lying = next(filled_offers(seen), None)
    if lying is not None and not any(True for _ in breaches(state, lying)):
        if isinstance(lying, moves.OfferGuest):
            yield from _turned_up_and_taken(seen)  # another guest may have lain there before
        yield lying  # no other act depends on when it was turned up
        return
    done, revealed = tuple(acts(seen, state.turn)), tuple(_revealed(seen))
    certain = next(
        (move for move in done if _certain(state, move) and not any(True for _ in breaches(state, move))), None
    )
    if certain is not None and not revealed:  # at the ends of the king's track the order matters
        yield certain
        return
    yield from _turned_up_and_taken(seen)
    yield from revealed
    yield from done
    yield moves.EndTurn(state.turn)


def _certain(state: State, move: Move) -> bool:
    """Whether a move that shows was certainly made and affects no other: it frees the warehouse and costs no action
    points."""
    match move:
        case moves.PlaceCrest():
            return True
        case moves.Fulfil():
            return not state.box.contracts[move.contract].same
        case moves.UseHelper():
            return not state.box.tiles[move.tile].again
        case _:
            return False


def _turned_up_and_taken(seen: Seen) -> Iterator[Move]:
    """Yield guests and contracts that were turned up and taken between two looks."""
    state = seen.state
    mine = seen.gained(f"warehouse {state.colour(state.turn)}")
    if EMPTY in state.guests:
        lodged = (guest for _, _, guest in guests_lodged(seen, state.turn))
        stack = guest_stack(state)
        yield from (moves.OfferGuest(state.guests.index(EMPTY), guest) for guest in (*mine, *lodged) if guest in stack)
    if state.filling:
        stack = contract_stack(state)
        empty = [place for place, contract in enumerate(contracts_after_slide(state)) if not contract]
        yield from (moves.OfferContract(place, contract) for contract in mine if contract in stack for place in empty)


def _revealed(seen: Seen) -> Iterator[Move]:
    state = seen.state
    values = dict.fromkeys(state.box.corruption.markers)
    labels = {corruption_label(value): value for value in values}
    for place, value in reversed(tuple(enumerate(state.corruption))):
        label = seen.numbered("corruption", place)
        if value == HIDDEN and label in labels:
            yield moves.Reveal(place, labels[label])
        elif value == HIDDEN and label == UNKNOWN and reveal_due(state):
            yield from (moves.Reveal(place, one) for one in values)


POINTS: Final = EXACT.index(0, len(GOODS))
"""The index of points in a deviation."""
MOST_CHANGED: Final = 8
"""One act changes no more zones than this."""


def illegal_candidates(state: State, view: View) -> Iterator[Move]:
    """Yield moves out of turn, moves with deviations, and other forbidden moves.

    A forbidden act has to explain everything that differs, so only acts that can change all of it are proposed.
    """
    seen = Seen(state, view)
    if state.phase == "turn" and len(seen.changed) <= MOST_CHANGED:
        yield from dict.fromkeys(_illegal_candidates(seen))
    if state.phase in ("king", "fair") and seen.changed == {"points"}:
        yield from _wrong_points(seen)


def _wrong_points(seen: Seen) -> Iterator[Move]:
    """Yield wrong points of the king's track or of the fair. To add both at once, before the order is set, is not
    wrong."""
    state = seen.state
    after = play_with_costs(state, moves.ScoreCrown() if state.phase == "king" else moves.HoldFair())
    assert after is not None
    deviations = tuple(seen.deviation(after, seat)[POINTS] for seat in range(state.players))
    if state.phase == "fair":
        yield moves.HoldFair(deviations)
        return
    fair = [
        fair_points(after, seat, state.fairs[state.round]) if takes_part(after, seat) else 0
        for seat in range(state.players)
    ]
    if any(by not in (0, more) for by, more in zip(deviations, fair, strict=True)):
        yield moves.ScoreCrown(deviations)


def _illegal_candidates(seen: Seen) -> Iterator[Move]:
    state = seen.state
    yield from filled_offers(seen)
    for seat in range(state.players):
        if seat == state.turn or seen.changed_for(seat):
            for move in (*acts(seen, seat), *_against_the_rules(seen, seat)):
                if seen.changed <= changeable_zones(state, move) and not _gives_what_it_gets(move):
                    yield move
                yield from _with_deviation(seen, move)


def _gives_what_it_gets(move: Move) -> bool:
    """Whether a good is swapped for itself and another: if that is not allowed, the other was simply taken."""
    return isinstance(move, moves.Swap) and move.gives in move.gets


def _against_the_rules(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """Yield acts that no rule allows here."""
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


def _with_deviation(seen: Seen, move: Any) -> Iterator[Move]:
    """Yield the same move with the goods and markers that were seen instead of the right ones."""
    if not hasattr(move, "off") or not seen.changed <= zones_with_deviation(seen.state, move):
        return
    after = play_with_costs(seen.state, move)
    deviation = EXACT if after is None else seen.deviation(after, move.seat)
    if deviation != EXACT and not _nothing_was_paid(seen.state, move, deviation):
        yield replace(move, off=deviation)


def _nothing_was_paid(state: State, move: Move, deviation: Deviation) -> bool:
    """Whether nothing at all was paid for a good: then it was taken, not bought or swapped."""
    match move:
        case moves.BuyGood():
            return deviation[GOLD] >= state.box.prices.gold
        case moves.Swap():
            return _gives_what_it_gets(move) or deviation[GOODS.index(move.gives)] > 0
        case _:
            return False
