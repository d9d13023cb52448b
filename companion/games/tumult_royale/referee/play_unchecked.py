"""What hands can do, allowed or not: pieces move, and no rule is checked."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.tumult_royale.state import NO_SEAT, UNNAMED, State, without
from companion.kernel.rules import RuleLog, changed

from .. import moves
from ..box import TILES, Tile
from ..moves import MIDDLE, OWN, Move
from ..rulebook.phase7_mercy import mix


def play_unchecked(state: State, move: Move) -> State | None:
    """Return the state after a move that may be forbidden; None if no hand could do it, or if it leaves no trace."""
    seat = getattr(move, "seat", 0)
    if not isinstance(move, moves.SetAside) and not 0 <= seat < state.players:
        return None
    match move:
        case moves.SetAside():
            return _middle(state, -move.tiles)
        case moves.DealCard():
            return replace(state, ranks=changed(state.ranks, seat, move.rank))
        case moves.FirstStatue():
            return _statues(state, seat, move.field, 1)
        case moves.Spin():
            return replace(state, arrow=min(move.areas, default=0))
        case moves.Rob():
            return _robbed(state, seat, move.source, move.tiles)
        case moves.LayDown() if move.keep:
            return _robbed(state, seat, MIDDLE, 1)
        case moves.PutBack():
            back = _robbed(state, seat, MIDDLE, -1)
            return back if state.hidden_castles[seat] else None
        case moves.TurnUp():
            return _turned_up(state, move.place, move.tile)
        case moves.Atone():
            back = _back_to_middle(state, seat, move.tiles)
            return back and _followers(back, seat, -move.followers)
        case moves.Place():
            paid = _back_to_middle(state, seat, move.tiles, move.source)
            built = paid and _statues(paid, seat, move.field, move.statues)
            return built and _followers(built, seat, move.followers)
        case moves.TakeConsolation():
            return _followers(state, seat, move.followers)
        case moves.GiveBack():
            return _back_to_middle(state, seat, state.castles[seat])
        case moves.Exchange():
            return _swapped(state, seat, move.rank)
        case moves.Crown():
            return _crowned(state, seat, move)
        case moves.Uncover():
            return _uncovered(state, move.place)
        case moves.TurnMercy():
            return replace(state, mercy=changed(state.mercy, seat, not state.mercy[seat]))
        case moves.Mix():
            return mix(state, move, RuleLog())
        case _:
            return None


def _middle(state: State, more: int) -> State | None:
    hidden = state.hidden_middle + more
    return replace(state, hidden_middle=hidden) if hidden >= 0 else None


def _robbed(state: State, seat: int, source: int, tiles: int) -> State | None:
    if source == seat or not (source == MIDDLE or 0 <= source < state.players):
        return None
    castles = list(state.hidden_castles)
    castles[seat] += tiles
    if source == MIDDLE:
        left = _middle(state, -tiles)
    else:
        castles[source] -= tiles
        left = state
    return left and (replace(left, hidden_castles=tuple(castles)) if min(castles) >= 0 else None)


def _turned_up(state: State, place: int, tile: Tile) -> State | None:
    if tile not in TILES:
        return None
    if place == MIDDLE:
        down = _middle(state, -1)
        return down and replace(down, middle=tuple(sorted((*state.middle, tile))))
    if not 0 <= place < state.players or not state.hidden_castles[place]:
        return None
    return replace(
        state,
        hidden_castles=changed(state.hidden_castles, place, state.hidden_castles[place] - 1),
        castles=changed(state.castles, place, tuple(sorted((*state.castles[place], tile)))),
    )


def _back_to_middle(state: State, seat: int, tiles: tuple[Tile, ...], source: int = OWN) -> State | None:
    """Own tiles are taken first; what is missing comes from another castle."""
    castles = list(state.castles)
    for tile in tiles:
        owners = (seat,) if source == OWN else (seat, source)
        owner = next((owner for owner in owners if 0 <= owner < len(castles) and tile in castles[owner]), None)
        if owner is None:
            return None
        castles[owner] = without(castles[owner], (tile,))
    return replace(state, castles=tuple(castles), middle=tuple(sorted((*state.middle, *tiles))))


def _followers(state: State, seat: int, more: int) -> State | None:
    have, supply = state.followers[seat] + more, state.supply - more
    if min(have, supply) < 0:
        return None
    return replace(state, followers=changed(state.followers, seat, have), supply=supply)


def _statues(state: State, seat: int, field: int, number: int) -> State | None:
    if not 0 <= field < len(state.land) or state.owner[field] not in (NO_SEAT, seat):
        return None
    standing, placed = state.standing[field] + number, state.placed[seat] + number
    if number < 1 or placed > state.box.statues_each:
        return None
    return replace(
        state,
        owner=changed(state.owner, field, seat),
        standing=changed(state.standing, field, standing),
        placed=changed(state.placed, seat, placed),
    )


def _swapped(state: State, seat: int, rank: int) -> State | None:
    if rank not in state.ranks:
        return None
    ranks = changed(state.ranks, state.ranks.index(rank), state.ranks[seat])
    return replace(state, ranks=changed(ranks, seat, rank))


def _crowned(state: State, seat: int, move: moves.Crown) -> State | None:
    placed = state.placed[seat] + move.statues
    if move.statues < 1 or placed > state.box.statues_each or len(state.chronicle) >= state.box.chronicle.fields:
        return None
    paid = _followers(state, seat, -move.followers)
    return paid and replace(
        paid,
        chronicle=(*state.chronicle, seat),
        chronicle_statues=(*state.chronicle_statues, move.statues),
        placed=changed(state.placed, seat, placed),
    )


def _uncovered(state: State, place: int) -> State | None:
    if not 0 <= place < len(state.boards):
        return None
    land = list(state.land)
    for field in state.place_fields(place):
        land[field] = UNNAMED
    return replace(state, boards=changed(state.boards, place, UNNAMED), land=tuple(land))
