"""The rules change after a game was written: a finished game is shown as it was, an unfinished one continues."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.cli import main
from companion.games.tumult_royale import game as tumult_game
from companion.games.tumult_royale.state import State
from companion.history import LiveHistory, keep_result, kept_result
from companion.journal import DamagedJournal, Journal
from companion.kernel.rules import Seat, broken
from companion.simulation.selfplay import open_table, playing
from companion.table import Table
from tests.companion.daemon.homes import Home

from .make_old_games import clock, output

GAME = games.load("tumult_royale")
SEATS = (Seat("blue", "Ada"), Seat("yellow"))
Patch = pytest.MonkeyPatch
CARRIED = "The companion's rules have changed since this game was played; the table counts as it was last known."


# A game as today's companion writes it


@pytest.fixture(scope="module")
def line() -> list[Any]:
    state, world = open_table(GAME, 2, "keen", "changed rules", {})
    return [move for _, move, _ in playing(GAME, state, world)]


@pytest.fixture(scope="module")
def shown(written: dict[str, Path]) -> tuple[Any, Any]:
    """The output of `score` and `replay` for the finished game, before the rules change."""
    path = str(written["finished"])
    return output("score", path, "--json"), output("replay", path, "--json", "--language", "de")


@pytest.fixture(scope="module")
def written(line: list[Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A finished game, one before its last move, and one in the middle of a round."""
    folder = tmp_path_factory.mktemp("written")
    paths = {}
    for name, number in (("finished", len(line)), ("almost", len(line) - 1), ("half", 40)):
        path = folder / f"{name}.journal"
        table = Table.begin(GAME, path, SEATS, {}, clock)
        for move in line[:number]:
            table.ledger.play([move], None)
        if table.over:
            keep_result(table.journal, GAME)
        table.close()
        paths[name] = path
    return paths


# Ways in which rules change


def a_move_is_refused(patch: Patch) -> None:
    """The first statue is no longer legal."""
    check = tumult_game.TumultRoyale.check

    def stricter(self: Any, state: Any, move: Any) -> Any:
        return (broken("first.meadow"),) if type(move).__name__ == "FirstStatue" else check(self, state, move)

    patch.setattr(tumult_game.TumultRoyale, "check", stricter)


def the_state_has_another_field(patch: Patch) -> None:
    """Only the encoding changes, which people do not notice."""
    encode = msgspec.json.encode

    def with_more(value: Any, **how: Any) -> bytes:
        text = encode(value, **how)
        return text[:-1] + b',"weather":"fair"}' if isinstance(value, State) else text

    patch.setattr("msgspec.json.encode", with_more)


def a_kind_of_move_is_unknown(patch: Patch) -> None:
    kept = [kind for kind in GAME.move_type.__args__ if kind.__name__ != "SetAside"]
    patch.setattr(tumult_game.TumultRoyale, "move_type", msgspec_union(kept))


def msgspec_union(kinds: list[Any]) -> Any:
    union = kinds[0]
    for kind in kinds[1:]:
        union = union | kind
    return union


def moves_lead_elsewhere(patch: Patch) -> None:
    """Every move makes the supply one smaller."""
    carry_out = tumult_game.TumultRoyale.carry_out

    def dearer(self: Any, state: Any, move: Any, log: Any) -> Any:
        then = carry_out(self, state, move, log)
        return msgspec.structs.replace(then, supply=then.supply - 1)

    patch.setattr(tumult_game.TumultRoyale, "carry_out", dearer)


def the_box_is_refused(patch: Patch) -> None:
    """A game with this box can no longer be set up, and the shipped box is another one."""
    other = msgspec.structs.replace(GAME.load_box(), edition="another", digest="another")

    def unfit(_self: Any, _raw: Any) -> Any:
        raise ValueError("no such box")

    patch.setattr(tumult_game.TumultRoyale, "load_box", lambda _self, _answers=None: other)
    patch.setattr(tumult_game.TumultRoyale, "box_from_json", unfit)


def no_state_is_read(patch: Patch) -> None:
    """Moves lead to another State, and the stored State cannot be decoded: only its View is left."""
    moves_lead_elsewhere(patch)

    class OtherState(State, frozen=True, kw_only=True):
        weather: str

    patch.setattr(tumult_game.TumultRoyale, "state_type", OtherState)


CHANGES = [a_move_is_refused, a_kind_of_move_is_unknown, moves_lead_elsewhere, the_box_is_refused, no_state_is_read]
Change = Callable[[Patch], None]


@pytest.mark.parametrize("change", [a_move_is_refused, the_box_is_refused, the_state_has_another_field])
def test_a_finished_game_keeps_its_score_and_its_history(
    change: Change, written: dict[str, Path], shown: tuple[Any, Any], monkeypatch: Patch, tmp_path: Path
) -> None:
    path, page = str(written["finished"]), tmp_path / "page.html"
    assert shown[0]["winners"]
    assert shown[0]["notice"] == ""
    change(monkeypatch)
    assert (output("score", path, "--json"), output("replay", path, "--json", "--language", "de")) == shown
    assert main(["replay", path, "--page", str(page)]) == 0
    assert str(shown[0]["seats"][0]["total"]) in page.read_text()


@pytest.mark.parametrize("change", CHANGES)
def test_a_game_in_progress_goes_on_from_where_it_was_and_says_so_once(
    change: Change, written: dict[str, Path], line: list[Any], monkeypatch: Patch, tmp_path: Path
) -> None:
    path = Path(shutil.copy(written["half"], tmp_path))
    old = Table.reopen(GAME, path, clock)
    old.close()
    change(monkeypatch)
    for command in ("score", "replay"):
        assert output(command, str(path), "--json", "--language", "en")["notice"] == CARRIED
    table = Table.reopen(GAME, path, clock)
    assert GAME.view(table.state) == GAME.view(old.state)
    assert GAME.actor(table.state) == GAME.actor(old.state)
    assert table.trouble is not None
    assert table.trouble["says"]["en"] == CARRIED
    assert table.trouble["says"]["de"] != CARRIED
    move = next(iter(GAME.moves(table.state)))
    table.ledger.play([move], None)
    table.close()
    again = Table.reopen(GAME, path, clock)
    assert again.ledger.change is None, "it was said"
    assert again.state == table.state
    told = LiveHistory(path, GAME).history(None, 999)
    assert len(told["moves"]) == 41
    assert not any(one["undone"] for one in told["moves"])
    carried = [one for one in told["moves"][0]["findings"] if one["kind"] == "carried"]
    assert [one["says"]["en"] for one in carried] == [CARRIED]
    again.close()


def test_a_state_that_is_only_written_otherwise_is_no_matter(
    written: dict[str, Path], monkeypatch: Patch, tmp_path: Path
) -> None:
    path = Path(shutil.copy(written["half"], tmp_path))
    the_state_has_another_field(monkeypatch)
    assert output("score", str(path), "--json")["notice"] == ""
    table = Table.reopen(GAME, path, clock)
    assert table.ledger.change is None
    assert table.trouble is None
    table.close()


def test_nothing_before_the_change_is_undone(written: dict[str, Path], monkeypatch: Patch, tmp_path: Path) -> None:
    path = Path(shutil.copy(written["half"], tmp_path))
    a_move_is_refused(monkeypatch)
    table = Table.reopen(GAME, path, clock)
    state = table.state
    assert not table.snapshot()["can_undo"]
    assert table.ledger.undo(None) is None
    assert table.state is state
    table.close()


# The daemon starts again after an update


def moved_in(folder: Path, journal: Path) -> Home:
    """A companion whose newest game is this one."""
    (folder / "games").mkdir()
    shutil.copy(journal, folder / "games" / f"0001-{GAME.name}.journal")
    return Home(folder, wanted=None)


def test_the_daemon_goes_on_with_a_game_in_progress(
    written: dict[str, Path], monkeypatch: Patch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    a_move_is_refused(monkeypatch)
    home = moved_in(tmp_path, written["half"])
    assert home.game_thread.reopen()
    home.live()
    assert home.backend.snapshot().table["trouble"]["says"]["en"] == CARRIED
    assert CARRIED in caplog.text
    assert home.backend.history(None, 5)["after"][-1]["says"]["en"] == CARRIED
    home.tell(next(iter(GAME.moves(home.state))))
    assert not home.backend.scores()["over"]
    home.close()


@pytest.mark.parametrize("change", [a_kind_of_move_is_unknown, moves_lead_elsewhere])
def test_the_daemon_shows_a_finished_game_as_it_was(
    change: Change, written: dict[str, Path], shown: tuple[Any, Any], monkeypatch: Patch, tmp_path: Path
) -> None:
    before, _ = shown
    change(monkeypatch)
    home = moved_in(tmp_path, written["finished"])
    assert not home.game_thread.reopen(), "there is nothing to go on with"
    scores, history = home.backend.scores(), home.backend.history(None, 3)
    assert [seat["total"] for seat in scores["seats"]] == [seat["total"] for seat in before["seats"]]
    assert scores["chart"][-1]["totals"] == [seat["total"] for seat in before["seats"]]
    assert all(move["because"] for move in history["moves"])
    assert home.backend.export("page", "de")[0]
    home.close()


def test_the_daemon_keeps_the_result_when_a_game_is_over(
    written: dict[str, Path], line: list[Any], tmp_path: Path
) -> None:
    home = moved_in(tmp_path, written["almost"])
    assert home.game_thread.reopen()
    home.live().tell(line[-1])
    assert home.game_thread.opened is not None
    path = home.game_thread.opened.table.journal.path
    home.close()
    with Journal.read(path) as journal:
        kept = kept_result(journal)
    assert kept is not None
    assert kept.histories["de"].sheet.winners
    assert len(kept.histories["en"].moves) == len(line)


# A journal of the first companions, which keeps nothing beside its events


@pytest.mark.parametrize("change", [a_move_is_refused, a_kind_of_move_is_unknown])
def test_an_old_game_is_followed_as_far_as_it_can_be(change: Change, monkeypatch: Patch) -> None:
    path = Path(__file__).parent / "first" / "tumult_royale-2-finished.journal"
    before = output("replay", str(path), "--json")
    change(monkeypatch)
    told, score = output("replay", str(path), "--json"), output("score", str(path), "--json")
    assert len(told["moves"]) == len(before["moves"])
    assert told["notice"].startswith("The companion's rules have changed since this game was played; it is told")
    assert score["notice"] == told["notice"] == told["after"][-1]["says"]
    assert len(score["seats"]) == 2


def test_an_old_game_whose_moves_all_fit_is_scored_as_it_was(monkeypatch: Patch) -> None:
    """Its State is encoded in another way today: it cannot be known whether that is all, and one sentence says so."""
    path = str(Path(__file__).parent / "first" / "tumult_royale-2-half.journal")
    before = output("score", path, "--json")
    the_state_has_another_field(monkeypatch)
    after = output("score", path, "--json")
    assert after.pop("notice").endswith("it is told and scored by today's.")
    assert after == {name: value for name, value in before.items() if name != "notice"}


def test_a_box_of_another_time_is_read_with_what_it_held(monkeypatch: Patch) -> None:
    """A later fact is taken from the shipped box, a removed one is left out, and what today would be a
    contradiction was none then."""
    box = msgspec.to_builtins(GAME.load_box())
    fact = next(field.encode_name for field in msgspec.structs.fields(type(GAME.load_box())) if field.required)
    older = {name: value for name, value in box.items() if name != fact} | {"weather": "fair", "edition": "older"}
    monkeypatch.setattr(type(GAME.load_box()), "contradictions", lambda _box: ["Everything is wrong."])
    read = GAME.box_from_json(older)
    assert read.edition == "older"
    assert msgspec.to_builtins(getattr(read, fact)) == box[fact]


# Damage is another matter


def test_a_damaged_journal_is_not_taken_for_changed_rules(written: dict[str, Path], tmp_path: Path) -> None:
    path = Path(shutil.copy(written["half"], tmp_path))
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"type":"FirstStatue"', b'"type":"FirstStatuf"'))
    with pytest.raises(DamagedJournal):
        Table.reopen(GAME, path, clock)


def test_what_was_kept_and_is_damaged_is_not_trusted(written: dict[str, Path], tmp_path: Path) -> None:
    path = Path(shutil.copy(written["half"], tmp_path))
    with Journal.read(path) as journal:
        assert journal.standing() is not None
    data = path.read_bytes()
    at = data.rindex(b'"totals":[')
    path.write_bytes(data[: at + 10] + b"7" + data[at + 11 :])
    with Journal.read(path) as journal:
        assert journal.standing() is None


# What is kept


def test_a_result_counts_until_the_game_goes_on(written: dict[str, Path], tmp_path: Path) -> None:
    path = Path(shutil.copy(written["finished"], tmp_path))
    table = Table.reopen(GAME, path, clock)
    assert kept_result(table.journal) is not None
    table.ledger.undo(None)
    assert kept_result(table.journal) is None
    assert not output("score", str(path), "--json")["over"]
    table.ledger.redo(None)
    keep_result(table.journal, GAME)
    number = table.journal.last_number
    keep_result(table.journal, GAME)
    assert table.journal.last_number == number
    assert kept_result(table.journal) is not None
    table.close()


def test_how_a_game_stands_is_kept_with_every_move(tmp_path: Path, line: list[Any]) -> None:
    table = Table.begin(GAME, tmp_path / "a.journal", SEATS, {"gamblers": True}, clock)
    assert table.journal.head.setup.options["passing"] == "may_return", "all options are named, also those not chosen"
    for move in GAME.moves(table.state):
        table.ledger.play([move], None)
        break
    kept = table.journal.standing()
    assert kept is not None
    assert (kept.n, kept.view) == (1, GAME.view(table.state))
    assert msgspec.json.decode(zlib.decompress(kept.state), type=State) == table.state
    table.ledger.undo(None)
    kept = table.journal.standing()
    assert kept is not None
    assert (kept.n, kept.view) == (2, GAME.view(table.state))
    table.close()
