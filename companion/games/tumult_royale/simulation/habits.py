"""How hands carry out the moves of Tumult Royale piece by piece, and the habits of people: pace, signals, takebacks.

Who decides on a move is in `world`; forbidden moves are in `mistakes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from companion.games.tumult_royale import moves
from companion.games.tumult_royale.box import TILES, board_fields, tiles_in_play
from companion.games.tumult_royale.moves import MIDDLE, Move
from companion.games.tumult_royale.referee.view import BACK, FOLLOWER, read_statues, statues_label, view
from companion.games.tumult_royale.state import NO_SEAT, UNNAMED, State
from companion.kernel.messages import Signal
from companion.kernel.simulation import Habit, Hands, Impossible
from companion.kernel.views import View

Faces = Callable[[State, int], tuple[str, ...]]
"""The nine fields on the face of the board that lies at a place."""

MOST_ON_A_FIELD = 3
"""Maximum number of statues on one field; no label counts further."""


def done(lying: View, state: State, move: Move, faces: Faces) -> View:
    """Return the table after a move made in `state` on the table as it lies; raises `Impossible`."""
    hands = Hands(lying)
    seat: int = getattr(move, "seat", 0)
    if not 0 <= seat < state.players:
        raise Impossible(f"There is no player at seat {seat + 1}.")
    _carry_out(hands, state, move, state.colour(seat), faces)
    return hands.view


def _carry_out(hands: Hands, state: State, move: Move, colour: str, faces: Faces) -> None:
    """Carry out a move of the set-up, the first phases or the uncovering of a board."""
    match move:
        case moves.DealCard():
            hands.bring(f"rank{move.rank}")
            hands.put_cell("cards", colour, f"rank{move.rank}")
        case moves.ShowBoard():
            _turn_up_board(hands, state, move.place, board_fields(state.box, move.board, move.turn))
        case moves.ShowField():
            hands.flip_cell("land", state.field_name(move.field), move.kind)
        case moves.Uncover():
            if BACK not in {hands.cell("land", state.field_name(f)) for f in state.place_fields(move.place)}:
                raise Impossible(f"The board at {state.place_name(move.place)} lies face up.")
            _turn_up_board(hands, state, move.place, faces(state, move.place))
        case moves.FirstStatue():
            _statues(hands, state, colour, move.field, 1)
        case moves.Spin():
            hands.point("disc", min(move.areas))
        case moves.SetAside():
            hands.take("middle", BACK, move.tiles)
            hands.put_away(BACK, move.tiles)
        case moves.Rob():
            hands.carry(_zone_of(state, move.source), f"castle {colour}", BACK, move.tiles)
        case moves.LayDown(keep=True):
            hands.carry("middle", f"castle {colour}", BACK)
        case moves.PutBack():
            hands.carry(f"castle {colour}", "middle", BACK)
        case moves.TurnUp():
            hands.flip(_zone_of(state, move.place), BACK, move.tile)
        case _:
            _carry_out_after_raid(hands, state, move, colour)


def _carry_out_after_raid(hands: Hands, state: State, move: Move, colour: str) -> None:
    """Carry out a move that comes after the raid."""
    match move:
        case moves.Atone():
            _give(hands, state, colour, move.followers)
            _pay(hands, state, colour, move.tiles)
        case moves.Place():
            _statues(hands, state, colour, move.field, move.statues)
            _pay(hands, state, colour, move.tiles)
            _receive(hands, state, colour, move.followers)
        case moves.TakeConsolation():
            _receive(hands, state, colour, move.followers)
        case moves.GiveBack():
            _empty_castle(hands, colour)
        case moves.Exchange():
            holder = next(c for c in _colours(state) if hands.cell("cards", c) == f"rank{move.rank}")
            if holder == colour:
                raise Impossible(f"{colour} has rank {move.rank} already.")
            hands.swap_cells("cards", colour, holder)
        case moves.Crown():
            _give(hands, state, colour, move.followers)
            _crown(hands, state, colour, move.statues)
        case moves.TurnMercy():
            turned = "no_mercy" if hands.cell("mercy", colour) == "mercy" else "mercy"
            hands.flip_cell("mercy", colour, turned)
        case moves.Mix():
            _mix(hands, state)
        case _:
            pass  # the others, such as Look, Pass and Ready, move no piece


def _colours(state: State) -> tuple[str, ...]:
    """Return the colours of all seats."""
    return tuple(seat.colour for seat in state.seats)


def _zone_of(state: State, place: int) -> str:
    """Return the zone of the middle or of a castle."""
    return "middle" if place == MIDDLE else f"castle {state.colour(place)}"


def _turn_up_board(hands: Hands, state: State, place: int, fields: tuple[str, ...]) -> None:
    """Turn up the nine fields of a board."""
    for field, kind in zip(state.place_fields(place), fields, strict=True):
        hands.flip_cell("land", state.field_name(field), kind)


def _statues(hands: Hands, state: State, colour: str, field: int, number: int) -> None:
    """Put statues from the rack on a field, beside those of the same colour."""
    cell = state.field_name(field)
    if number < 1:
        raise Impossible("No statue was put up.")
    standing = 0
    if state.owner[field] != NO_SEAT:
        owner, standing = read_statues(hands.cell("statues", cell) or colour)
        if owner != colour:
            raise Impossible(f"{owner} and {colour} on one field: a cell shows one colour.")
        hands.take_cell("statues", cell, colour, standing)
    if standing + number > MOST_ON_A_FIELD:
        raise Impossible(f"{cell} has no room for {standing + number} statues.")
    hands.take(f"rack {colour}", colour, number)
    hands.put_cell("statues", cell, statues_label(colour, standing + number), colour, standing + number)


def _pay(hands: Hands, state: State, colour: str, tiles: tuple[str, ...]) -> None:
    """Move face-up tiles to the middle: from the own castle, and what it lacks from another one."""
    for tile in tiles:
        castles = [colour, *(other for other in _colours(state) if other != colour)]
        owner = next((one for one in castles if hands.count(f"castle {one}", tile)), colour)
        hands.carry(f"castle {owner}", "middle", tile)


def _empty_castle(hands: Hands, colour: str) -> None:
    """Move all tiles of a castle to the middle."""
    for label, number in hands.labels(f"castle {colour}").items():
        if label == BACK:
            raise Impossible("What lies face down is not given back.")
        hands.carry(f"castle {colour}", "middle", label, number)


def _receive(hands: Hands, state: State, colour: str, number: int) -> None:
    """Take followers from the supply; while it holds too few, all fill it up with five."""
    relief = state.box.followers.relief
    while hands.count("supply", FOLLOWER) < number:
        had = {c: hands.count(f"followers {c}", FOLLOWER) for c in _colours(state)}
        if not any(had.values()):
            break
        for one, have in had.items():
            hands.carry(f"followers {one}", "supply", FOLLOWER, min(relief, have))
    hands.carry("supply", f"followers {colour}", FOLLOWER, min(number, hands.count("supply", FOLLOWER)))


def _give(hands: Hands, state: State, colour: str, number: int) -> None:
    """Give followers to the supply; with too few, all take five first, or the same share of what is there."""
    own = f"followers {colour}"
    if hands.count(own, FOLLOWER) < number:
        each = min(state.box.followers.relief, hands.count("supply", FOLLOWER) // state.players)
        for one in _colours(state):
            hands.carry("supply", f"followers {one}", FOLLOWER, each)
    hands.carry(own, "supply", FOLLOWER, min(number, hands.count(own, FOLLOWER)))


def _crown(hands: Hands, state: State, colour: str, statues: int) -> None:
    """Put statues on the next free field of the chronicle."""
    cells = [str(field) for field in range(1, state.box.chronicle.fields + 1)]
    free = next((cell for cell in cells if hands.cell("chronicle", cell) is None), None)
    if free is None or not 1 <= statues <= MOST_ON_A_FIELD:
        raise Impossible(f"{statues} statues cannot go on the chronicle.")
    hands.take(f"rack {colour}", colour, statues)
    hands.put_cell("chronicle", free, statues_label(colour, statues), colour, statues)


def _mix(hands: Hands, state: State) -> None:
    """Put every tile face down in the middle, including those that were set aside."""
    for zone in ("middle", *(f"castle {colour}" for colour in _colours(state))):
        for label, number in hands.labels(zone).items():
            hands.take(zone, label, number)
            hands.turn_in_hand(label, BACK, number)
    in_play = sum(tiles_in_play(state.box, state.players)[tile] for tile in TILES)
    hands.bring(BACK, in_play - hands.held[BACK])
    hands.put("middle", BACK, in_play)


def laid(state: State, faces: Faces, rng: Random) -> View:
    """Return the whole table after the set-up: boards show their faces, and the arrow points anywhere."""
    hands = Hands(view(state))
    hands.point("disc", rng.choice(state.box.disc.areas))
    for place, board in enumerate(state.boards):
        if board == UNNAMED:
            _turn_up_board(hands, state, place, faces(state, place))
    return hands.view


MADE_ALONE: Final = 0.8
"""How often a plain move is made alone."""
ALL_SET_ASIDE: Final = 0.6
"""How often all set tiles aside before the next look."""

HABITS: Final[Mapping[type[Any], Habit]] = {
    moves.LayOut: Habit("silent"),
    moves.DealCard: Habit("many"),
    moves.ShowBoard: Habit("shown"),
    moves.ShowField: Habit("shown"),
    moves.FirstStatue: Habit(back=True),
    moves.Spin: Habit("alone", turns=("disc",)),
    moves.ForgetSpin: Habit("alone", told=True),
    moves.SetAside: Habit("many"),
    moves.Ready: Habit("rush"),
    moves.StartRaid: Habit("rush"),
    moves.Look: Habit("rush"),
    moves.Rob: Habit("rush"),
    moves.PutBack: Habit("rush"),
    moves.Stop: Habit("rush"),
    moves.LayDown: Habit("rush"),
    moves.TurnUp: Habit("many"),
    moves.Atone: Habit(back=True),
    moves.Place: Habit(back=True),
    moves.Pass: Habit("silent"),
    moves.TakeConsolation: Habit(back=True),
    moves.GiveBack: Habit(),
    moves.Exchange: Habit(back=True),
    moves.Crown: Habit(back=True),
    moves.Uncover: Habit(),
    moves.TurnMercy: Habit(back=True),
    moves.Mix: Habit("alone"),
}

PIECES_OF_ZONE: Final[Mapping[str, str]] = {
    "rack": "statues",
    "statues": "statues",
    "chronicle": "statues",
    "castle": "tiles",
    "middle": "tiles",
    "supply": "followers",
    "followers": "followers",
}


def habit(move: Move) -> Habit:
    """Return the habit for a kind of move."""
    return HABITS[type(move)]


def in_one_go(state: State, move: Move, rng: Random) -> int:
    """Draw how many moves people make from here before the table lies still."""
    match move:
        case moves.TurnUp():
            lying = state.hidden_middle + sum(state.hidden_castles) + len(state.middle) + sum(map(len, state.castles))
            return -(-lying // rng.randint(2, 5))
        case moves.SetAside():
            return state.aside.count(False) if rng.random() < ALL_SET_ASIDE else 1
        case moves.DealCard():
            return rng.choice((1, state.players, state.players))
        case _ if habit(move).way in ("plain", "silent") and rng.random() >= MADE_ALONE:
            return rng.choice((2, 2, 3))
        case _:
            return 1


def signal(state: State, move: Move) -> Signal | None:
    """Return the press or the timer's signal that goes with a move."""
    match move:
        case moves.Ready():
            return Signal("timer", "raid ready", 0.0, seat=move.seat)
        case moves.StartRaid():
            return Signal("timer", "raid started", 0.0)
        case moves.Stop():
            return Signal("timer", "raid stopped", 0.0)
        case moves.Pass():
            return Signal("press", f"seat {state.colour(move.seat)}", 0.0, seat=move.seat)
        case _:
            return None


def sort_of(zone: str) -> str:
    """Return the sort of piece that a zone holds."""
    return PIECES_OF_ZONE.get(zone.split()[0], zone)
