"""Invalid input from a camera, a button or a phone: the game is unchanged or continues rightly, and nothing raises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.kernel.messages import Reading, Signal, Tick, ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View
from tests.games.tumult_royale.raid_table import at
from tests.games.tumult_royale.statue_table import sculptor
from tests.games.tumult_royale.table import table
from tests.nine_beds import GAME, Plant

from .evening import Evening, after, beds, changed, kinds, none, one, tumult

BLUE, YELLOW = 0, 1
A1, B1, C1, A2, B2, C2, A3, B3, C3 = range(9)

TABLES: dict[str, Callable[[Path], Evening]] = {
    "nine beds": lambda folder: beds(folder, Plant(BLUE, A1), Plant(YELLOW, C3)),
    "mood": lambda folder: tumult(table(2), folder),
    "placing": lambda folder: tumult(sculptor("bread1 marble1 tool1"), folder),
    "cards": lambda folder: tumult(at("cards"), folder),
    "boards": lambda folder: tumult(at("boards"), folder),
    "raid": lambda folder: tumult(at("raid"), folder),
    "turning_up": lambda folder: tumult(at("turning_up"), folder),
    "tumults": lambda folder: tumult(at("tumults"), folder),
}
every_table = pytest.mark.parametrize("which", TABLES)


@pytest.fixture(autouse=True)
def nobody_stumbles(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Errors that the table caught fail the test too."""
    yield
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def spoilt(contents: Contents, label: str) -> Contents:
    match contents:
        case Cells(at=cells):
            return Cells(dict.fromkeys(cells, label))
        case Pieces():
            return Pieces({label: 3})
        case Marks(field=fields):
            return Marks({label: 99, **dict.fromkeys(fields, -7)})
        case _:
            return Pointing(77)


def survives(evening: Evening, view: View) -> None:
    """Invalid input for half a minute changes nothing, and the true table is understood afterwards."""
    before = evening.state
    for _ in range(3):
        evening.shows(view)
        evening.waits(10, step=2.0)
    assert evening.state == before
    evening.shows(before)
    assert evening.table.snapshot()["trouble"] is None
    assert evening.state == before
    evening.holds()


@every_table
@pytest.mark.parametrize("label", ["dragon", "blue xq", "blue x", "rank", "rankx", "rank99", "x2", "", "blue x2 + red"])
def test_labels_that_nobody_knows_change_nothing(which: str, label: str, tmp_path: Path) -> None:
    evening = TABLES[which](tmp_path)
    view = evening.table.game.view(evening.state)
    for zone, contents in view.zones.items():
        if not isinstance(contents, Pointing):
            survives(evening, View({**view.zones, zone: spoilt(contents, label)}))


@every_table
def test_contents_of_the_wrong_kind_change_nothing(which: str, tmp_path: Path) -> None:
    evening = TABLES[which](tmp_path)
    view = evening.table.game.view(evening.state)
    kinds_of: list[Contents] = [Cells({"A1": "blue"}), Pieces({"blue": 2}), Marks({"blue": 3}), Pointing(4)]
    for zone, contents in view.zones.items():
        for other in kinds_of:
            if type(other) is not type(contents):
                survives(evening, View({**view.zones, zone: other}))


@every_table
def test_zones_and_cells_that_do_not_exist_are_nobodys_business(which: str, tmp_path: Path) -> None:
    evening = TABLES[which](tmp_path)
    view = evening.table.game.view(evening.state)
    odd: dict[str, Contents] = {"cellar": Pieces({"wine": 3}), "": Cells({"": ""}), "castle red": Pieces({"bread1": 9})}
    cells = {
        name: Cells({**contents.at, "Z99": "blue", "": "dragon"})
        for name, contents in view.zones.items()
        if isinstance(contents, Cells)
    }
    none(evening.shows(View({**view.zones, **odd, **cells})), "verdict", "lost", "moved", "undone")
    survives(evening, View({**view.zones, **odd, **cells}))


@every_table
def test_numbers_that_cannot_be_change_nothing(which: str, tmp_path: Path) -> None:
    evening = TABLES[which](tmp_path)
    view = evening.table.game.view(evening.state)
    for zone, contents in view.zones.items():
        if isinstance(contents, Pieces):
            label = next(iter(contents.count), "back")
            for number in (-3, 10**6):
                survives(evening, View({**view.zones, zone: Pieces({**contents.count, label: number})}))


@every_table
def test_an_empty_reading_and_one_that_sees_nothing_change_nothing(which: str, tmp_path: Path) -> None:
    evening = TABLES[which](tmp_path)
    before = evening.state
    view = evening.table.game.view(before)
    evening.clock += 1
    evening.take(Reading({}, evening.clock))
    for _ in range(3):
        none(evening.shows(before, unsure=list(view.zones)), "verdict", "lost", "moved", "undone")
        none(evening.waits(30, step=5.0), "verdict", "lost", "moved", "undone")
    cells = {name: Cells(dict.fromkeys(c.at, UNKNOWN)) for name, c in view.zones.items() if isinstance(c, Cells)}
    none(evening.shows(View({**view.zones, **cells})), "verdict", "lost", "moved", "undone")
    assert evening.state == before


def test_nonsense_does_not_settle_what_is_open(tmp_path: Path) -> None:
    evening = tumult(sculptor("bread1 marble1"), tmp_path)
    view = evening.table.game.view(evening.state)
    strange = changed(view, supply=Pieces({"follower": 1}))
    for _ in range(3):
        evening.shows(strange, seconds=5.0)
    assert evening.table.snapshot()["trouble"]["kind"] == "lost"
    none(evening.shows(changed(strange, cards=Cells({"blue": "dragon"}))), "settled")


@every_table
@pytest.mark.parametrize("label", ["dragon", "blue xq", "rankx", "x2", "", "blue x99"])
def test_a_table_full_of_nonsense_can_be_taken_over_and_undone(which: str, label: str, tmp_path: Path) -> None:
    evening = TABLES[which](tmp_path)
    before = evening.state
    view = evening.table.game.view(before)
    for zone, contents in view.zones.items():
        evening.shows(View({**view.zones, zone: spoilt(contents, label)}))
        evening.asks("take_it")
        evening.waits(5, step=2.5)
        evening.holds()
        evening.asks("undo")
        assert evening.state == before


# Signals


@pytest.mark.parametrize("seat", [-1, 2, 99, None])
def test_a_button_of_a_seat_at_which_nobody_sits_means_nothing(seat: int | None, tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    assert evening.take(Signal("press", "button", evening.clock + 1, seat)) == []
    assert evening.state == before


@every_table
def test_signals_that_mean_nothing_here_change_nothing(which: str, tmp_path: Path) -> None:
    evening = TABLES[which](tmp_path)
    before = evening.state
    signals = [
        Signal("dial", "disc", 0.0, None, 99),
        Signal("dial", "disc", 0.0, None, None),
        Signal("timer", "raid exploded", 0.0),
        Signal("timer", "raid ready", 0.0, None),
        Signal("long_press", "button", 0.0, 0),
        Signal("double_press", "button", 0.0, 0),
        Signal("lost", "serial", 0.0),
        Signal("back", "serial", 0.0),
    ]
    for number, signal in enumerate(signals):
        told = evening.take(Signal(signal.kind, signal.source, evening.clock + number, signal.seat, signal.value))
        none(told, "moved", "verdict", "undone")
    assert evening.state == before
    evening.holds()


# Commands


def test_a_command_out_of_turn_is_refused_with_its_rule(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    refused = one(evening.tells(Plant(YELLOW, A1), seat=YELLOW), "refused")
    assert [breach["rule"] for breach in refused["breaches"]] == ["turn.order"]
    assert refused["says"]["en"] == "This move is not possible: It is not Yellow's turn but Anna's."
    assert evening.state == before


def test_nobody_tells_the_move_of_another_seat_but_the_host(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    assert one(evening.tells(Plant(BLUE, A1), seat=YELLOW), "refused")["reason"] == "not_your_seat"
    assert "moved" in kinds(evening.tells(Plant(BLUE, A1), seat=None))


NO_MOVES: list[Any] = [
    None, "Pass", 3, [], {}, {"type": "Pass"}, {"type": "Fly", "seat": 0}, {"type": "Pass", "seat": "zero"},
    {"type": "Pass", "seat": None}, {"seat": 0}, {"type": 3}, {"type": "Plant", "seat": 0, "bed": 1.5},
    {"type": "Plant", "seat": 0, "bed": 10**30}, {"type": "Plant", "seat": -1, "bed": 0},
    {"type": "Plant", "seat": 0, "bed": -1}, {"type": "Plant", "seat": 0, "bed": 9, "paid": -5},
]  # fmt: skip


@pytest.mark.parametrize("move", NO_MOVES)
@pytest.mark.parametrize("kind", ["move", "correct"])
def test_a_move_that_is_none_is_refused_in_words(kind: str, move: Any, tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    before = evening.state
    refused = one(evening.asks(kind, move=move, event=evening.table.ledger.now.n), "refused")
    assert "{" not in refused["says"]["de"]
    assert evening.state == before
    evening.holds()


@pytest.mark.parametrize(
    "kind",
    ["move", "answer", "undo", "redo", "correct", "take_it", "put_right", "dismiss", "ignore", "watch", "dance", ""],
)
@pytest.mark.parametrize("body", [{}, {"move": None}, {"event": {}}, {"zone": []}, {"question": 1, "option": "x"}])
def test_a_body_that_is_malformed_never_raises(kind: str, body: dict[str, Any], tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    evening.asks(kind, seat=77, **body)
    evening.asks(kind, seat=-1, **body)
    evening.holds()


def test_a_command_nobody_knows_is_refused(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    refused = one(evening.asks("dance"), "refused")
    assert refused["reason"] == "unknown_kind"
    assert "dance" in refused["says"]["en"]


# Clocks


@pytest.mark.parametrize("jump", [1e9, -1e9, 3600.0, -3600.0, float("inf"), float("-inf"), float("nan")])
def test_a_clock_that_jumps_ends_nobodys_patience_and_stops_nothing(jump: float, tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, B1), Plant(YELLOW, C3))
    state = GAME.play_unchecked(evening.state, Plant(BLUE, B2, 0))
    assert state is not None
    unpaid = GAME.view(state)
    evening.shows(unpaid)
    evening.shows(unpaid)
    none(evening.take(Tick(evening.clock + jump)), "verdict", "lost", "hint")
    none(evening.waits(1), "verdict", "lost", "hint")
    assert "verdict" in kinds(evening.waits(15))
    assert "moved" in kinds(evening.shows(after(evening, Plant(BLUE, B2, 1))))
    evening.holds()


@pytest.mark.parametrize("jump", [1e9, -1e9, float("inf"), float("-inf"), float("nan")])
def test_a_camera_whose_clock_jumps_is_understood_again(jump: float, tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    shown = {name: ZoneReading("grid", contents) for name, contents in GAME.view(evening.state).zones.items()}
    evening.take(Reading(shown, evening.clock + jump))
    evening.shows(planted)
    evening.shows(planted)
    assert evening.state == planted


def test_readings_in_any_order_end_where_the_newest_leads(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    first, second = after(evening, Plant(BLUE, A1)), after(evening, Plant(BLUE, A1), Plant(YELLOW, C3))
    evening.shows(second, seconds=3.0)
    assert evening.shows(first, seconds=-1.0) == []
    assert evening.state == second
