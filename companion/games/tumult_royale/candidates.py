"""What could have happened: the moves, legal or not, that would explain what lies on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.messages import View

from .box import GOOD_OF, KINDS, TILES, board_fields
from .moves import (
    MIDDLE,
    Atone,
    Crown,
    Exchange,
    FirstStatue,
    GiveBack,
    LayDown,
    Move,
    Pass,
    Place,
    PutBack,
    Rob,
    SetAside,
    ShowBoard,
    ShowField,
    Spin,
    Stop,
    TakeConsolation,
    TurnMercy,
    TurnUp,
    Uncover,
)
from .phase1_mood import spin_due
from .phase4_statues import place_moves, whose_turn
from .phases import AFTER_PLACING, LEGAL
from .state import HIDDEN, UNNAMED, State
from .view import BACK, Seen, read_statues


def candidates(state: State, view: View) -> Iterator[Move]:
    """Likeliest first; each move once."""
    seen = Seen(state, view)
    guesses: Iterator[Move]
    match state.phase:
        case "boards":
            guesses = _boards_shown(seen)
        case "first_statues":
            guesses = (FirstStatue(seat, field) for seat, field, _ in seen.new_statues())
        case "mood":
            guesses = _before_the_raid(seen)
        case "raid" | "stopped" | "turning_up":
            guesses = _raided(seen)
        case "gambling":
            guesses = _spun(seen)
        case "tumults":
            guesses = _atoned(seen)
        case "placing":
            guesses = _placed(seen)
        case _:
            guesses = _rounded_off(seen)
    yield from dict.fromkeys((*guesses, *_always(state)))


def _always(state: State) -> Iterator[Move]:
    """Legal moves of phases with only a few, and moves that leave no trace on the table."""
    if state.phase == "placing":
        yield Pass(whose_turn(state))
    elif state.phase not in ("boards", "turning_up"):
        yield from LEGAL[state.phase](state)
    if state.phase in AFTER_PLACING:
        yield from (GiveBack(seat) for seat in range(state.players) if state.castles[seat])


def _boards_shown(seen: Seen) -> Iterator[Move]:
    state, land = seen.state, seen.cells("land")
    place = state.boards.index(UNNAMED)
    fields = state.place_fields(place)
    shown = [land.get(state.field_name(field)) for field in fields]
    untouched = all(state.land[field] == UNNAMED for field in fields)
    for name in state.box.boards if untouched else ():
        for turn in range(4):
            faces = board_fields(state.box, name, turn)
            if name not in state.boards and all(s in (None, face) for s, face in zip(shown, faces, strict=True)):
                yield ShowBoard(place, name, turn)
    due = next(field for field in fields if state.land[field] == UNNAMED)
    kind = land.get(state.field_name(due))
    yield from (ShowField(due, guess) for guess in KINDS if kind in (None, guess))


def _spun(seen: Seen) -> Iterator[Move]:
    good, number = spin_due(seen.state), seen.pointing("disc")
    if good is not None and number is not None:
        yield Spin(seen.state.king, (number,), good)


def _before_the_raid(seen: Seen) -> Iterator[Move]:
    state = seen.state
    yield from _spun(seen)
    middle = seen.pieces("middle")
    if middle is not None and middle[BACK] < state.hidden_middle:
        gone = state.hidden_middle - middle[BACK]
        yield from (SetAside(seat, gone) for seat in range(state.players) if not state.aside[seat])


def _raided(seen: Seen) -> Iterator[Move]:
    state = seen.state
    places = [(MIDDLE, "middle", state.middle)]
    places += [(seat, f"castle {state.colour(seat)}", state.castles[seat]) for seat in range(state.players)]
    turned = False
    for place, zone, known in places:
        pieces = seen.pieces(zone)
        if pieces is None:
            if state.phase == "turning_up":
                yield from (TurnUp(place, tile) for tile in TILES)
            continue
        for tile in sorted(Counter({t: n for t, n in pieces.items() if t in TILES}) - Counter(known)):
            turned = True
            yield TurnUp(place, tile)
        if place != MIDDLE:
            total = sum(pieces.values()) - len(known)
            if total > state.hidden_castles[place]:
                yield LayDown(place, True)
                yield Rob(place, tiles=total - state.hidden_castles[place])
                yield Rob(place)
            elif total < state.hidden_castles[place]:
                yield PutBack(place)
    if turned and state.phase == "raid":
        yield Stop()


def _atoned(seen: Seen) -> Iterator[Move]:
    state = seen.state
    for seat in range(state.players):
        gone = seen.tiles_gone(seat) or ()
        lost = -seen.followers_gained(seat)
        for good in state.tumults:
            tiles = tuple(tile for tile in gone if GOOD_OF[tile] == good)
            if tiles or lost > 0:
                yield Atone(seat, good, tiles, lost)


def _placed(seen: Seen) -> Iterator[Move]:
    state = seen.state
    legal = [move for move in place_moves(state) if isinstance(move, Place)]
    for seat, field, number in seen.new_statues():
        gone = seen.tiles_gone(seat)
        if gone is not None:
            yield Place(seat, field, gone, number, seen.followers_gained(seat))
        if seat == whose_turn(state):
            for move in legal:
                if move.field == field and (gone is None or not Counter(move.tiles) - Counter(gone)):
                    yield move


def _rounded_off(seen: Seen) -> Iterator[Move]:
    """Consolation, ranks, coronation, uncovering, mercy: one guess for each thing that changed."""
    state = seen.state
    cards, mercy, land = seen.cells("cards"), seen.cells("mercy"), seen.cells("land")
    chronicle = seen.cells("chronicle").get(str(len(state.chronicle) + 1))
    for seat in range(state.players):
        colour, gained = state.colour(seat), seen.followers_gained(seat)
        if state.phase == "consolation" and gained > 0:
            yield TakeConsolation(seat, gained)
        card = cards.get(colour)
        if state.phase == "ranks" and card and card != f"rank{state.ranks[seat]}":
            yield Exchange(seat, int(card.removeprefix("rank")))
        if state.phase == "coronation" and chronicle and read_statues(chronicle)[0] == colour:
            yield Crown(seat, -gained, read_statues(chronicle)[1])
        if state.phase == "mercy" and mercy.get(colour, "") not in (
            "",
            "mercy" if state.mercy[seat] else "no_mercy",
        ):
            yield TurnMercy(seat)
        if state.castles[seat] and seen.tiles_gone(seat) == state.castles[seat]:
            yield GiveBack(seat)
    if state.phase == "uncovering":
        for place, board in enumerate(state.boards):
            faces = [land.get(state.field_name(field), BACK) for field in state.place_fields(place)]
            if board == HIDDEN and any(face != BACK for face in faces):
                yield Uncover(state.king, place)
