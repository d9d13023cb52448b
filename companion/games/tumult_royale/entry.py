"""What people without a camera enter in one form: nobility cards, landscape boards, and what each took in a raid.

Where the players have no choice, the next move is here too: a tap says that it was done.
"""

from __future__ import annotations

from collections import Counter

from companion.kernel.capabilities import Asked, Entry
from companion.kernel.views import Pieces, View

from .box import KINDS, TILES, Tile
from .moves import MIDDLE, LayDown, LayOut, Mix, Move, Rob, SetAside, Stop, TurnUp
from .rulebook import phase3_tumults, phase4_statues, phase5_ranks, phase6_coronation, phase7_mercy
from .rulebook.phase1_mood import spin_due
from .rulebook.phases import RAID_PHASES
from .rulebook.setup import card_moves
from .state import HIDDEN, UNNAMED, State, unseen_tiles


def entry(state: State) -> Entry | None:
    """Return the zones to enter in this phase."""
    match state.phase:
        case "cards":
            ranks = tuple(f"rank{rank}" for rank in range(1, state.players + 1) if rank not in state.ranks)
            undealt = tuple(seat.colour for seat, rank in zip(state.seats, state.ranks, strict=True) if not rank)
            return Entry((Asked("cards", ranks, undealt),))
        case "boards":
            place = state.boards.index(UNNAMED)
            fields = [field for field in state.place_fields(place) if state.land[field] == UNNAMED]
            return Entry((Asked("land", KINDS, tuple(map(state.field_name, fields))),))
        case phase if phase in RAID_PHASES:
            return _raid(state)
        case _:
            return None


def _raid(state: State) -> Entry:
    """Return every castle and the middle, with the tiles of this round."""
    tiles = tuple(tile for tile in TILES if tile in {*unseen_tiles(state), *state.middle, *sum(state.castles, ())})
    castles = (Asked(f"castle {seat.colour}", tiles, seat=number) for number, seat in enumerate(state.seats))
    return Entry((*castles, Asked("middle", tiles, by=state.king)), together=True)


def entered_moves(state: State, view: View) -> tuple[Move, ...] | None:
    """Return the moves of a raid whose tiles were entered: what each seat took, the stop, and every tile turned up."""
    if state.phase not in RAID_PHASES:
        return None
    moves: list[Move] = []
    places = (*range(state.players), MIDDLE)
    new = {place: _new_tiles(state, view, place) for place in places}
    for seat in range(state.players):
        taken = len(new[seat]) - state.hidden_castles[seat]
        if state.holding[seat]:
            moves.append(LayDown(seat, taken > 0))
        elif taken > 0:
            moves += [Rob(seat)] * taken
    if state.phase == "raid":
        moves.append(Stop())
    return (*moves, *(TurnUp(place, tile) for place in places for tile in new[place]))


def _new_tiles(state: State, view: View, place: int) -> tuple[Tile, ...]:
    """Return the tiles of a castle, or of the middle, that were not known to lie there face up."""
    zone, known = (
        ("middle", state.middle) if place == MIDDLE else (f"castle {state.colour(place)}", state.castles[place])
    )
    lying = view.zones.get(zone)
    count = Counter(lying.count if isinstance(lying, Pieces) else {})
    return tuple(sorted((count - Counter(known)).elements()))


def only_move(state: State) -> Move | None:
    """Return the next move if the players have no choice; tumults and consolations come in the order of the rules."""
    match state.phase:
        case "laying_out":
            return LayOut()
        case "cards":
            cards = tuple(card_moves(state))
            return cards[0] if len(cards) == 1 else None
        case "mood":
            return _set_aside(state)
        case "tumults":
            return next(phase3_tumults.tumult_moves(state))
        case "consolation":
            return next(phase4_statues.consolation_moves(state))
        case "ranks":
            return phase5_ranks.exchange_due(state)
        case "coronation":
            return next(phase6_coronation.crown_moves(state))
        case "uncovering":
            hidden = tuple(phase6_coronation.uncover_moves(state))
            return hidden[0] if state.boards.count(HIDDEN) == state.to_uncover else None
        case "mercy":
            return next(phase7_mercy.mercy_moves(state))
        case "mixing":
            return Mix()
        case _:
            return None


def _set_aside(state: State) -> Move | None:
    """Return the next seat's tiles to set aside, once the spin is done: all seats do it at the same time."""
    if spin_due(state) is not None or state.aside_unseen:
        return None
    due = (seat for seat, done in enumerate(state.aside) if not done)
    return next((SetAside(seat, state.box.set_aside.each) for seat in due), None)
