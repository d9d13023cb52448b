"""Taking the table's word for it: a State that looks like the View, whatever led to it."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.kernel.messages import View
from companion.kernel.rules import SeatNo

from ..box import KINDS, TILES, Tile, field_names
from ..rulebook.phases import settle
from ..state import BY_FIELD, HIDDEN, NOBODY, UNNAMED, State
from .view import BACK, Seen, read_statues, seat_of


def adopt(state: State, view: View) -> State:
    """The state as the view shows it. What the view does not show stays as it was."""
    return settle(recount(laid_out_as(state, view)))


def laid_out_as(state: State, view: View) -> State:
    """The pieces as the view shows them, in a phase that may not fit them yet."""
    seen = Seen(state, view)
    state = _adopt_landscape(state, seen)
    state = _adopt_seats(state, seen)
    return _adopt_goods(state, seen)


def _adopt_landscape(state: State, seen: Seen) -> State:
    names = field_names(state.columns)
    land, owner, standing = list(state.land), list(state.owner), list(state.standing)
    for field, name in enumerate(names):
        face = seen.cells("land").get(name, "")
        if face in KINDS:
            land[field] = face or ""
        elif face == BACK:
            land[field] = HIDDEN
    for field, name in enumerate(names):
        statues = seen.cells("statues")
        if name in statues:
            label = statues[name]
            colour, number = read_statues(label) if label else ("", 0)
            seat = seat_of(state, colour)
            owner[field], standing[field] = (NOBODY, 0) if seat is None else (seat, number)
    boards = list(state.boards)
    for place, board in enumerate(state.boards):
        fields = state.place_fields(place)
        faces = {seen.cells("land").get(names[field]) for field in fields}
        if BACK in faces and faces.isdisjoint(KINDS):  # a board is turned as a whole
            for field in fields:
                land[field] = HIDDEN
        kinds = tuple(land[field] for field in fields)
        if all(kind in KINDS for kind in kinds):
            if kinds != tuple(state.land[field] for field in fields):
                boards[place] = BY_FIELD
        elif all(kind == HIDDEN for kind in kinds):
            boards[place] = HIDDEN
        elif board not in (HIDDEN, UNNAMED) or any(kind != HIDDEN for kind in kinds):
            boards[place] = UNNAMED
            for field in fields:
                land[field] = land[field] or UNNAMED
    return replace(state, land=tuple(land), owner=tuple(owner), standing=tuple(standing), boards=tuple(boards))


def _adopt_seats(state: State, seen: Seen) -> State:
    ranks, mercy, followers = list(state.ranks), list(state.mercy), list(state.followers)
    for seat in range(state.players):
        colour = state.colour(seat)
        ranks[seat] = seen.rank(seat) or ranks[seat]
        card = seen.cells("mercy").get(colour)
        if card in ("mercy", "no_mercy"):
            mercy[seat] = card == "mercy"
        followers[seat] += seen.followers_gained(seat)
    whole = sorted(ranks) == list(range(1, state.players + 1))
    chronicle = seen.cells("chronicle")
    kings: list[SeatNo] = []
    statues: list[int] = []
    known = dict(enumerate(zip(state.chronicle, state.chronicle_statues, strict=True), start=1))
    for field in range(1, state.box.chronicle.fields + 1):
        label = chronicle.get(str(field), "")
        if label:
            colour, number = read_statues(label)
            king = seat_of(state, colour)
        else:
            king, number = known.get(field, (None, 0)) if label == "" else (None, 0)
        if king is None:
            break
        kings.append(king)
        statues.append(number)
    return replace(
        state,
        ranks=tuple(ranks) if whole else state.ranks,
        mercy=tuple(mercy),
        followers=tuple(followers),
        chronicle=tuple(kings),
        chronicle_statues=tuple(statues),
    )


def _adopt_goods(state: State, seen: Seen) -> State:
    middle, hidden_middle = state.middle, state.hidden_middle
    castles, hidden_castles = list(state.castles), list(state.hidden_castles)
    pieces = seen.pieces("middle")
    if pieces is not None:
        middle, hidden_middle = _face_up(pieces), pieces[BACK]
    for seat in range(state.players):
        pieces = seen.pieces(f"castle {state.colour(seat)}")
        if pieces is not None:
            castles[seat], hidden_castles[seat] = _face_up(pieces), pieces[BACK]
    return replace(
        state,
        middle=middle,
        hidden_middle=hidden_middle,
        castles=tuple(castles),
        hidden_castles=tuple(hidden_castles),
    )


def _face_up(pieces: Counter[str]) -> tuple[Tile, ...]:
    return tuple(sorted(tile for tile in pieces.elements() if tile in TILES))


def recount(state: State) -> State:
    """Numbers that follow from what stands and lies: statues placed, supply, round."""
    placed = [0] * state.players
    for owner, number in zip(state.owner, state.standing, strict=True):
        if owner != NOBODY:
            placed[owner] += number
    for king, number in zip(state.chronicle, state.chronicle_statues, strict=True):
        placed[king] += number
    crowned = len(state.chronicle)
    after_crown = state.phase in ("uncovering", "mercy", "mixing", "over") or (state.phase == "boards" and state.round)
    this_round = crowned if after_crown else crowned + 1 if state.round else 0
    return replace(
        state,
        placed=tuple(min(count, state.box.statues_each) for count in placed),
        supply=max(0, state.box.followers.total - sum(state.followers)),
        round=this_round,
    )
