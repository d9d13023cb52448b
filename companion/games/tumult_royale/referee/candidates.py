"""The moves, legal or not, that could explain what lies on the table.

Where the order of acts does not matter (tiles turned up, tiles robbed, who set tiles aside first), only one order is
proposed, so that many acts at once are one short chain and not every way to arrange them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.kernel.views import View

from ..box import GOOD_OF, GOODS, KINDS, TILES, board_fields, tiles_in_play
from ..moves import (
    MIDDLE,
    Atone,
    Crown,
    DealCard,
    Exchange,
    FirstStatue,
    GiveBack,
    LayDown,
    LayOut,
    Mix,
    Move,
    Pass,
    Place,
    PutBack,
    Ready,
    Rob,
    SetAside,
    ShowBoard,
    ShowField,
    Spin,
    StartRaid,
    Stop,
    TakeConsolation,
    TurnMercy,
    TurnUp,
    Uncover,
)
from ..rulebook.phase1_mood import spin_due
from ..rulebook.phase3_tumults import greediest
from ..rulebook.phase4_statues import place_moves, whose_turn
from ..rulebook.phases import LEGAL_MOVES
from ..state import HIDDEN, UNNAMED, State
from .view import BACK, Seen, read_statues


def candidates(state: State, view: View) -> Iterator[Move]:
    """Likeliest first; each move once."""
    seen = Seen(state, view)
    yield from dict.fromkeys((*_of_this_phase(seen), *_of_any_phase(seen)))


def _of_this_phase(seen: Seen) -> Iterator[Move]:
    state = seen.state
    match state.phase:
        case "laying_out":
            yield LayOut()
        case "cards":
            yield from _dealt(seen)
        case "boards":
            yield from _boards_shown(seen)
        case "first_statues":
            yield from (FirstStatue(seat, field) for seat, field, _ in seen.new_statues())
        case "mood":
            yield from _before_the_raid(seen)
        case "raid":
            yield from _raided(seen)
        case "stopped" | "turning_up":
            yield from _turned_up(seen)
            yield from _after_the_stop(seen)
        case "gambling":
            pass  # a forgotten spin leaves no trace on the table, so people have to report it
        case "tumults":
            yield from LEGAL_MOVES["tumults"](state)
            yield from _atoned(seen)
        case "placing":
            yield from _placed(seen)
            yield Pass(whose_turn(state))
        case "mixing":
            yield Mix()
        case _:
            yield from LEGAL_MOVES[state.phase](state)


def _of_any_phase(seen: Seen) -> Iterator[Move]:
    """One guess for each thing that changed, even in the wrong phase."""
    state = seen.state
    if state.phase in ("laying_out", "cards"):
        return
    yield from _end_of_round(seen)
    if state.phase != "tumults":
        yield from _atoned(seen)
    if state.phase not in ("raid", "stopped", "turning_up"):
        yield from _turned_up(seen)
    if state.phase != "mixing" and _all_face_down(seen):
        yield Mix()
    if state.phase not in ("placing", "first_statues"):
        for seat, field, number in seen.new_statues():
            yield Place(seat, field, seen.missing_tiles(seat) or (), number, seen.followers_gained(seat))
    pointing = seen.pointing("disc")
    if pointing is not None and state.arrow not in (0, pointing) and spin_due(state) is None:
        yield Spin(state.king, (pointing,))


# Set-up


def _dealt(seen: Seen) -> Iterator[Move]:
    for seat, rank in enumerate(seen.state.ranks):
        card = seen.rank(seat)
        if not rank and card:
            yield DealCard(seat, card)


def _boards_shown(seen: Seen) -> Iterator[Move]:
    state, land = seen.state, seen.cells("land")
    place = state.boards.index(UNNAMED)
    fields = state.place_fields(place)
    shown = [land.get(state.field_name(field)) for field in fields]
    if not any(kind in KINDS for kind in shown):
        return
    untouched = all(state.land[field] == UNNAMED for field in fields)
    for name in state.box.boards if untouched else ():
        for turn in range(4):
            faces = board_fields(state.box, name, turn)
            if name not in state.boards and all(s in (None, face) for s, face in zip(shown, faces, strict=True)):
                yield ShowBoard(place, name, turn)
    due = next(field for field in fields if state.land[field] == UNNAMED)
    kind = land.get(state.field_name(due))
    yield from (ShowField(due, guess) for guess in KINDS if kind in (None, guess))


# Mood and raid


def _before_the_raid(seen: Seen) -> Iterator[Move]:
    state = seen.state
    missing, each = _missing_from_middle(seen), state.box.set_aside.each
    if missing:
        yield SetAside(tiles=each if missing > each and not all(state.aside) else missing)
    robbers = [seat for seat in range(state.players) if _on_castle(seen, seat)]
    yield from (Rob(seat, tiles=_on_castle(seen, seat)) for seat in robbers)
    if len(robbers) > 1 or sum(_on_castle(seen, seat) for seat in robbers) > 2:
        # So many tiles are no mistake: the raid was held without the timer.
        yield from (Ready(seat) for seat in range(state.players) if not state.ready[seat])
        yield StartRaid(state.king)


def _missing_from_middle(seen: Seen) -> int:
    """Face-down tiles that left the middle and lie on no castle."""
    middle = seen.pieces("middle")
    if middle is None:
        return 0
    state = seen.state
    on_castles = sum(_on_castle(seen, seat) - state.hidden_castles[seat] for seat in _castles_seen(seen))
    return max(0, state.hidden_middle + len(state.middle) - sum(middle.values()) - on_castles)


def _on_castle(seen: Seen, seat: int) -> int:
    """Tiles, of either side, that lie on a castle beyond those known to lie there face up."""
    pieces = seen.pieces(f"castle {seen.state.colour(seat)}")
    return 0 if pieces is None else sum(pieces.values()) - len(seen.state.castles[seat])


def _raided(seen: Seen) -> Iterator[Move]:
    """Castles fill one after another; then the stop, if tiles have been turned up."""
    state = seen.state
    for seat in range(state.players):
        if _castle_seen(seen, seat) and _on_castle(seen, seat) > state.hidden_castles[seat]:
            yield Rob(seat)
            return
    unseen = [seat for seat in range(state.players) if not _castle_seen(seen, seat)]
    if len(unseen) == 1 and _missing_from_middle(seen) > 0:
        yield Rob(unseen[0])  # the missing tiles must lie on the only castle that was not seen
    if next(_turned_up(seen), None) is not None:
        yield Stop()
    yield from _robbed_or_put_back(seen)


def _after_the_stop(seen: Seen) -> Iterator[Move]:
    state = seen.state
    for seat in range(state.players):
        if state.holding[seat]:
            yield LayDown(seat, True)
            yield LayDown(seat, False)
    yield from _robbed_or_put_back(seen)


def _robbed_or_put_back(seen: Seen) -> Iterator[Move]:
    """Tiles that moved when they may not: onto a castle, between castles, or back to the middle."""
    state = seen.state
    more = {seat: _on_castle(seen, seat) - state.hidden_castles[seat] for seat in _castles_seen(seen)}
    for seat in more:
        if more[seat] > 0:
            yield Rob(seat, tiles=more[seat])
            yield from (Rob(seat, other, more[seat]) for other in more if more[other] < 0)
        if more[seat] < 0:
            yield PutBack(seat)


def _castles_seen(seen: Seen) -> list[int]:
    return [seat for seat in range(seen.state.players) if _castle_seen(seen, seat)]


def _castle_seen(seen: Seen, seat: int) -> bool:
    return seen.pieces(f"castle {seen.state.colour(seat)}") is not None


def _turned_up(seen: Seen) -> Iterator[Move]:
    """The first tile that has been turned up; the others follow in turn. Tiles paid meanwhile came from castles."""
    state = seen.state
    places = [(seat, f"castle {state.colour(seat)}", state.castles[seat]) for seat in range(state.players)]
    paid = tuple(tile for seat in range(state.players) for tile in seen.missing_tiles(seat) or ())
    for place, zone, known in (*places, (MIDDLE, "middle", (*state.middle, *paid))):
        pieces = seen.pieces(zone)
        if pieces is not None:
            up = Counter({tile: number for tile, number in pieces.items() if tile in TILES}) - Counter(known)
            if up:
                yield TurnUp(place, min(up))
                return


# Tumults and statues


def _atoned(seen: Seen) -> Iterator[Move]:
    """Tiles or followers given back: first for a tumult of this seat, then for the good of the tiles."""
    state = seen.state
    for seat in range(state.players):
        missing, lost = seen.missing_tiles(seat) or (), max(0, -seen.followers_gained(seat))
        if not missing and not lost:
            continue
        of_good = {good: tuple(tile for tile in missing if GOOD_OF[tile] == good) for good in GOODS}
        blamed = [good for good in state.tumults if greediest(state, good) == seat]
        others = [good for good in GOODS if lost and (of_good[good] or not state.tumults)]
        for good in dict.fromkeys((*blamed, *others, *(state.tumults if lost else ()))):
            yield Atone(seat, good, of_good[good], lost)
            yield Atone(seat, good, missing, lost)


def _all_face_down(seen: Seen) -> bool:
    middle = seen.pieces("middle")
    return middle is not None and middle == Counter(
        {BACK: sum(tiles_in_play(seen.state.box, seen.state.players).values())}
    )


def _placed(seen: Seen) -> Iterator[Move]:
    state = seen.state
    new = list(seen.new_statues())
    if not new:
        return
    turn = whose_turn(state)
    fields = {field for seat, field, _ in new if seat == turn}
    if fields:
        missing = seen.missing_tiles(turn)
        for move in place_moves(state):
            if not isinstance(move, Place) or move.field not in fields:
                continue
            if missing is None or not Counter(move.tiles) - Counter(missing):
                yield move
    for seat, field, number in new:
        own = seen.missing_tiles(seat)
        if own is not None:
            gained = seen.followers_gained(seat)
            yield Place(seat, field, own, number, gained)
            for other in range(state.players):
                if other != seat and (strange := seen.missing_tiles(other)):
                    yield Place(seat, field, (*own, *strange), number, gained, other)


# After the statues


def _end_of_round(seen: Seen) -> Iterator[Move]:
    """Consolation, ranks, coronation, uncovering, mercy, tiles given back."""
    state = seen.state
    mercy, land = seen.cells("mercy"), seen.cells("land")
    crowned = seen.cells("chronicle").get(str(len(state.chronicle) + 1))
    for seat in range(state.players):
        colour, gained = state.colour(seat), seen.followers_gained(seat)
        card = seen.rank(seat)
        # The seat that gets the better card is the one that takes it.
        if card and card < state.ranks[seat]:
            yield Exchange(seat, card)
        if crowned and read_statues(crowned)[0] == colour:
            yield Crown(seat, -gained, read_statues(crowned)[1])
        elif gained > 0:
            yield TakeConsolation(seat, gained)
        if mercy.get(colour, "") not in ("", "mercy" if state.mercy[seat] else "no_mercy"):
            yield TurnMercy(seat)
        if state.castles[seat] and seen.missing_tiles(seat) == state.castles[seat]:
            yield GiveBack(seat)
    for place, board in enumerate(state.boards):
        faces = [land.get(state.field_name(field), BACK) for field in state.place_fields(place)]
        if board == HIDDEN and any(face != BACK for face in faces):
            yield Uncover(state.king, place)
