"""The complete rules of Nine Beds: state, moves, checks, Views, and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from companion.kernel import box as kernel_box
from companion.kernel import catalogue as catalogues
from companion.kernel.capabilities import Countdown
from companion.kernel.catalogue import Catalogue, Speaker
from companion.kernel.game import NO_BLOCKS, BadSetup, Paint
from companion.kernel.messages import Signal
from companion.kernel.rules import (
    CHANCE,
    Actor,
    Breach,
    Expected,
    Fact,
    IllegalMove,
    Line,
    NoOptions,
    Note,
    Scoresheet,
    Seat,
    broken,
    tally,
)
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, View

HERE: Final = Path(__file__).parent
BEDS: Final = tuple(f"{letter}{row}" for row in (1, 2, 3) for letter in "ABC")
MIDDLE: Final = BEDS.index("B2")
NOBODY: Final = -1
DIE: Final = range(1, 7)


class BedsBox(kernel_box.Box, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    colours: tuple[str, ...]
    seedlings: int
    middle_costs: int
    goal_beyond_the_die: int
    last_point: int


class State(msgspec.Struct, frozen=True):
    box: BedsBox
    seats: tuple[Seat, ...]
    phase: Literal["rolling", "planting", "over"]
    beds: tuple[int, ...]  # by bed: whose seedling grows there, or NOBODY
    sheds: tuple[int, ...]  # by seat
    compost: tuple[int, ...]
    points: tuple[int, ...]
    die: int = 0
    turn: int = 0
    passes: int = 0

    def colour(self, seat: int) -> str:
        return self.seats[seat].colour if 0 <= seat < len(self.seats) else "nobody"

    @property
    def goal(self) -> int:
        return self.die + self.box.goal_beyond_the_die


class Roll(msgspec.Struct, frozen=True, tag=True):
    """The result of the die."""

    value: int


class Plant(msgspec.Struct, frozen=True, tag=True):
    """A seat plants a bed and puts `paid` seedlings on the compost."""

    seat: int
    bed: int
    paid: int = 0


class Pass(msgspec.Struct, frozen=True, tag=True):
    seat: int


Move = Roll | Plant | Pass


def beside(bed: int) -> list[int]:
    row, column = divmod(bed, 3)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [3 * r + c for r, c in around if 0 <= r < 3 and 0 <= c < 3]


def price(state: State, bed: int) -> int:
    return state.box.middle_costs if bed == MIDDLE else 0


class NineBeds:
    """The game object."""

    name = "nine_beds"
    learning = None
    sketching = None
    blocks = NO_BLOCKS
    guide = None
    state_type = State
    move_type = Move
    options_type = NoOptions
    options_before: Mapping[str, Any] = {}
    state_since: tuple[str, ...] = ()
    box_file = HERE / "box.toml"

    def __init__(self) -> None:
        self.catalogue: Catalogue = catalogues.load(HERE / "rules.toml")

    def fitting(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        return dict(answers)

    def load_box(self, answers: Mapping[str, Any] | None = None) -> BedsBox:
        return kernel_box.load(self.box_file, BedsBox, answers)

    def box_from_json(self, raw: Any) -> BedsBox:
        return kernel_box.from_facts(raw, BedsBox, "The journal's box")

    def setup(self, box: BedsBox, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
        if len(seats) not in (2, 3):
            raise BadSetup(f"Nine Beds is for two or three people, not {len(seats)}.")
        none = (0,) * len(seats)
        return State(box, seats, "rolling", (NOBODY,) * 9, (box.seedlings,) * len(seats), none, none)

    # Rules

    def actor(self, state: State) -> Actor:
        return {"rolling": CHANCE, "planting": state.turn, "over": None}[state.phase]  # type: ignore[return-value]

    def moves(self, state: State) -> Iterator[Move]:
        yield from (move for move in self._thinkable(state) if not self.check(state, move))

    def _thinkable(self, state: State) -> Iterator[Move]:
        yield from map(Roll, DIE)
        yield from (Plant(state.turn, bed, price(state, bed)) for bed in range(9))
        yield Pass(state.turn)

    def check(self, state: State, move: Move) -> tuple[Breach, ...]:
        if isinstance(move, Roll):
            wrong = (broken("die.goal", value=move.value),) if move.value not in DIE else ()
            return wrong if state.phase == "rolling" else (broken("turn.after-the-die"), *wrong)
        if not 0 <= move.seat < len(state.seats):
            return (broken("setup.players"),)
        return (*self._turn(state, move), *(self._plant(state, move) if isinstance(move, Plant) else ()))

    def _turn(self, state: State, move: Plant | Pass) -> Iterator[Breach]:
        if state.phase != "planting":
            yield broken("turn.after-the-die")
        elif move.seat != state.turn:
            yield broken("turn.order", seat=state.colour(move.seat), turn=state.colour(state.turn))

    def _plant(self, state: State, move: Plant) -> Iterator[Breach]:
        if not 0 <= move.bed < 9:
            yield broken("bed.exists")
            return
        seat, bed = state.colour(move.seat), BEDS[move.bed]
        if state.beds[move.bed] != NOBODY:
            yield broken("bed.free", bed=bed)
        if move.seat in state.beds and not any(state.beds[near] == move.seat for near in beside(move.bed)):
            yield broken("bed.beside", seat=seat, bed=bed)
        if move.paid != price(state, move.bed):
            yield broken("bed.price", bed=bed, price=price(state, move.bed), paid=move.paid)
        if 1 + move.paid > state.sheds[move.seat]:
            yield broken("shed.enough")

    def play(self, state: State, move: Move) -> State:
        if breaches := self.check(state, move):
            raise IllegalMove(move, breaches)
        if isinstance(move, Roll):
            return replace(state, die=move.value, phase="planting")
        passes = state.passes + 1 if isinstance(move, Pass) else 0
        if isinstance(move, Plant):
            state = self._planted(state, move)
        return _ended(replace(state, passes=passes, turn=(state.turn + 1) % len(state.seats)))

    def _planted(self, state: State, move: Plant) -> State:
        points = 1 + sum(state.beds[near] == move.seat for near in beside(move.bed))
        return replace(
            state,
            beds=_changed(state.beds, move.bed, move.seat),
            sheds=_added(state.sheds, move.seat, -1 - move.paid),
            compost=_added(state.compost, move.seat, move.paid),
            points=_changed(state.points, move.seat, min(state.points[move.seat] + points, state.box.last_point)),
        )

    # Words

    def tell(self, state: State, move: Move) -> tuple[Note, ...]:
        after = self.play(state, move)
        notes: list[Note] = []
        match move:
            case Roll():
                notes.append(Note("die.goal", {"goal": after.goal}))
            case Pass():
                notes.append(Note("pass.anytime"))
            case Plant(seat=seat):
                points, colour = after.points[seat] - state.points[seat], state.colour(seat)
                notes.append(Note("points.each", {"seat": colour, "points": points}))
                if move.paid:
                    notes.append(Note("bed.price", {"seat": colour, "paid": move.paid}))
        if after.phase == "over":
            notes.append(Note("end.of-the-game"))
        return tuple(notes)

    def facts(self, state: State, move: Move) -> dict[str, Fact]:
        match move:
            case Roll(value=value):
                return {"value": value}
            case Pass(seat=seat):
                return {"seat": state.colour(seat)}
            case Plant(seat=seat, bed=bed):
                return {"seat": state.colour(seat), "bed": BEDS[bed] if 0 <= bed < 9 else "?"}

    def expects(self, state: State) -> Expected:
        if state.phase == "rolling":
            return Expected("roll", {}, CHANCE)
        seat = state.turn if state.phase == "planting" else _leader(state)
        facts: dict[str, Fact] = {"seat": state.colour(seat), "points": state.points[seat]}
        return Expected(
            "plant" if state.phase == "planting" else "over", facts, seat if state.phase == "planting" else None
        )

    def picture(self, state: State, speaker: Speaker, paint: Paint = lambda text, _colour: text) -> str:
        marks = [state.colour(owner)[0] if owner != NOBODY else "." for owner in state.beds]
        return "\n".join("".join(marks[row : row + 3]) for row in (0, 3, 6))

    def score(self, state: State) -> Scoresheet:
        seats = tuple(
            tally(seat, [Line("points", points, Note("points.each", {"seat": state.colour(seat), "points": points}))])
            for seat, points in enumerate(state.points)
        )
        return Scoresheet(seats, (_leader(state),) if state.phase == "over" else ())

    # What is seen

    def view(self, state: State) -> View:
        zones: dict[str, Contents] = {
            "beds": Cells(
                {
                    bed: state.colour(owner) if owner != NOBODY else None
                    for bed, owner in zip(BEDS, state.beds, strict=True)
                }
            ),
            "compost": Pieces({state.colour(seat): number for seat, number in enumerate(state.compost)}),
            "points": Marks({state.colour(seat): points for seat, points in enumerate(state.points)}),
            "die": Pieces({f"red {state.die}": 1} if state.die else {}),
        }
        for seat, number in enumerate(state.sheds):
            zones[f"shed {state.colour(seat)}"] = Pieces({state.colour(seat): number})
        return View(zones)

    def candidates(self, state: State, view: View) -> Iterator[Move]:
        die, beds, compost = view.zones.get("die"), view.zones.get("beds"), view.zones.get("compost")
        if isinstance(die, Pieces):
            yield from (Roll(value) for value in DIE if die.count.get(f"red {value}") and value != state.die)
        elif not state.die:
            yield from map(Roll, DIE)
        shown = beds.at if isinstance(beds, Cells) else {}
        paid = compost.count if isinstance(compost, Pieces) else None
        for bed, name in enumerate(BEDS):
            label = shown.get(name, UNKNOWN)
            for seat, owner in enumerate(state.seats):
                if state.beds[bed] == NOBODY and label in (owner.colour, UNKNOWN):
                    more = None if paid is None else max(0, paid.get(owner.colour, 0) - state.compost[seat])
                    yield Plant(seat, bed, price(state, bed) if more is None else min(more, 1))
        if state.phase == "planting":
            yield Pass(state.turn)

    def illegal_candidates(self, _state: State, _view: View) -> Iterator[Move]:
        return iter(())

    def moves_in_progress(self, state: State, _view: View) -> Iterator[Move]:
        return self.moves(state)

    def setting_up(self, state: State) -> bool:
        return state.beds == (NOBODY,) * len(BEDS)

    def states_matching(self, state: State, view: View) -> tuple[State, ...]:
        """It cannot be seen whose turn it is."""
        met = self.state_from_view(state, view)
        return tuple(replace(met, turn=turn) for turn in range(len(state.seats)))

    def may_be_partial(self, _state: State, _move: Move) -> bool:
        return False

    def state_from_view(self, state: State, view: View) -> State:
        seat_of = {seat.colour: number for number, seat in enumerate(state.seats)}
        beds, points = view.zones.get("beds"), view.zones.get("points")
        if isinstance(beds, Cells):
            grown = {bed: seat_of.get(label or "", NOBODY) for bed, label in beds.at.items() if label != UNKNOWN}
            state = replace(
                state, beds=tuple(grown.get(bed, owner) for bed, owner in zip(BEDS, state.beds, strict=True))
            )
        if isinstance(points, Marks):
            state = replace(
                state,
                points=tuple(points.field.get(state.colour(seat), old) for seat, old in enumerate(state.points)),
            )
        sheds = tuple(_counted(view, f"shed {state.colour(s)}", state.colour(s), n) for s, n in enumerate(state.sheds))
        compost = tuple(_counted(view, "compost", state.colour(s), n) for s, n in enumerate(state.compost))
        die = view.zones.get("die")
        value = next((v for v in DIE if isinstance(die, Pieces) and die.count.get(f"red {v}")), state.die)
        phase = "planting" if state.phase == "rolling" and value else state.phase
        return _ended(replace(state, sheds=sheds, compost=compost, die=value, phase=phase))

    def play_unchecked(self, state: State, move: Move) -> State | None:
        match move:
            case Roll(value=value):
                return replace(state, die=value) if value in DIE else None
            case Plant(seat=seat, bed=bed, paid=paid) if 0 <= seat < len(state.seats) and 0 <= bed < 9:
                possible = state.beds[bed] == NOBODY and 0 <= paid < state.sheds[seat]
                return self._planted(state, move) if possible else None
            case _:
                return None

    def signalled(self, state: State, signal: Signal) -> tuple[Move, ...]:
        if signal.kind == "press" and state.phase == "planting" and signal.seat == state.turn:
            return (Pass(state.turn),)
        return ()

    trivia: frozenset[str] = frozenset()

    def progress(self, _state: State) -> None:
        """It has no rounds."""

    def haul(self, _state: State) -> None:
        """There is no rush, so nothing is taken in one."""

    def countdown(self, state: State) -> Countdown | None:
        return None


def _ended(state: State) -> State:
    full = NOBODY not in state.beds
    over = state.die and (max(state.points) >= state.goal or state.passes >= len(state.seats) or full)
    return replace(state, phase="over") if over else state


def _leader(state: State) -> int:
    return max(range(len(state.seats)), key=lambda seat: state.points[seat])


def _changed(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _added(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    return _changed(values, index, values[index] + more)


def _counted(view: View, zone: str, label: str, known: int) -> int:
    contents = view.zones.get(zone)
    return contents.count.get(label, 0) if isinstance(contents, Pieces) else known


GAME = NineBeds()
