"""The command line prints one JSON object, returns the right exit codes, and explains errors in sentences."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.cli import main
from companion.journal import Journal
from companion.kernel.box import Answers


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON that a successful command prints."""
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The sentence of a command with unusable input."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.fixture
def journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The journal of a whole game for three."""
    ran(
        capsys,
        "selfplay",
        "tumult_royale",
        "--players",
        "3",
        "--games",
        "1",
        "--bot",
        "keen",
        "--journal",
        str(tmp_path),
    )
    return tmp_path / "tumult_royale-0001.journal"


def test_selfplay_says_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    tally = ran(capsys, "selfplay", "tumult_royale", "--players", "2", "--games", "3", "--seed", "5")
    assert (tally["game"], tally["players"], tally["games"], tally["finished"]) == ("tumult_royale", 2, 3, 3)
    assert tally["illegal"] == 0
    assert tally["moves"] > 300
    assert tally["rules_touched"]["crown.statue"] >= 15


def test_what_a_table_chose_holds_in_every_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("council_of_four", "--players", "2", "--games", "2", "--journal", str(tmp_path))
    ran(capsys, "selfplay", *words, "--option", "coast=B", "--option", "used_permits=false")
    for path in tmp_path.glob("*.journal"):
        with Journal.open(path, now=str) as journal:
            options = journal.head.setup.options
        assert (options["coast"], options["used_permits"]) == ("B", False)
    assert "Z" in refused(capsys, "selfplay", "council_of_four", "--option", "coast=Z")
    with pytest.raises(SystemExit):
        main(["selfplay", "council_of_four", "--option", "coast"])


def test_the_same_seed_plays_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    again = [ran(capsys, "selfplay", "tumult_royale", "--games", "2", "--seed", "9") for _ in range(2)]
    assert again[0]["moves"] == again[1]["moves"]
    assert again[0]["rules_touched"] == again[1]["rules_touched"]


def test_an_unknown_game_is_named_with_those_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "selfplay", "chess")
    assert "'chess'" in said
    assert "tumult_royale" in said


def test_too_many_players_are_refused_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert "2 to 4 players, not 5" in refused(capsys, "selfplay", "tumult_royale", "--players", "5")


def test_acknowledging_needs_a_journal(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--journal" in refused(capsys, "selfplay", "tumult_royale", "--acknowledge")


def test_a_journal_is_never_overwritten(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = journal.read_bytes()
    said = refused(capsys, "selfplay", "tumult_royale", "--games", "1", "--journal", str(journal.parent))
    assert str(journal) in said
    assert journal.read_bytes() == before


def test_score_gives_every_point_its_reason(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = ran(capsys, "score", str(journal), "--language", "en")
    assert sheet["over"]
    totals = {seat["seat"]: seat["total"] for seat in sheet["seats"]}
    assert totals[sheet["winner"]] == max(totals.values())
    for seat in sheet["seats"]:
        assert sum(line["points"] for line in seat["lines"]) == seat["total"]
        assert all(line["because"] for line in seat["lines"])
    assert "statues" in sheet["because"][0]
    assert "fields.village.cost.bread" in sheet["unverified"]


def test_score_for_people_ends_with_the_winner(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(journal), "--language", "de"]) == 0
    assert "gewinnt" in capsys.readouterr().out.splitlines()[-1]


def test_replay_tells_each_move_with_its_rules(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = ran(capsys, "replay", str(journal), "--language", "en")["moves"]
    assert [move["n"] for move in told] == list(range(1, len(told) + 1))
    assert told[0]["says"] == "The table is laid out"
    first = next(move for move in told if move["move"]["type"] == "FirstStatue")
    assert first["seat"] in ("blue", "yellow", "purple")
    assert "first.meadow" in [because["rule"] for because in first["because"]]


def test_a_journal_that_does_not_exist_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "gone.journal" in refused(capsys, "score", str(tmp_path / "gone.journal"))


def test_a_cut_journal_is_named_and_its_readable_part_recovered(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = ran(capsys, "replay", str(journal))["moves"]
    journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 3])  # what is kept of its end is large
    cut = journal.read_bytes()
    assert "--recover" in refused(capsys, "score", str(journal))
    rescued = tmp_path / "rescued.journal"
    assert main(["replay", str(journal), "--recover", str(rescued), "--json"]) == 0
    captured = capsys.readouterr()
    moves = json.loads(captured.out)["moves"]
    assert 0 < len(moves) < len(whole)
    assert moves == whole[: len(moves)]
    assert captured.err.strip()
    assert journal.read_bytes() == cut


def test_a_game_behind_a_damaged_log_is_shown_as_far_as_it_goes_and_never_passed_off_as_whole(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crashed = tmp_path / "crashed.journal"
    with Journal.read(journal) as played, Journal.create(tmp_path / "open.journal", played.head, now=str) as writing:
        for event in islice(played.events(), 20):
            writing.append(event.kind, event.body, event.state_crc)
        for suffix in ("", "-wal"):  # what a power cut leaves
            Path(f"{crashed}{suffix}").write_bytes(Path(f"{writing.path}{suffix}").read_bytes())
    for command in ("score", "replay"):
        assert ran(capsys, command, str(crashed))["damage"] is None
    whole = ran(capsys, "replay", str(crashed))["moves"]
    log = Path(f"{crashed}-wal")
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    for command in ("score", "replay"):
        assert main([command, str(crashed), "--json"]) == 1
        captured = capsys.readouterr()
        damage = json.loads(captured.out)["damage"]
        assert 5 < damage["readable"] < 15
        assert damage["unread"] == 20 - damage["readable"]
        for said in (captured.err, damage["says"]):
            assert f"breaks off at event {damage['readable']}, and {damage['unread']} later changes" in said
        assert captured.err.startswith("This is not the whole game.")
        assert captured.err.count("\n") == 1
    assert main(["replay", str(crashed)]) == 1
    assert f"{whole[0]['n']:>5}  " in capsys.readouterr().out
    assert main(["replay", str(crashed), "--page", str(tmp_path / "page.html"), "--language", "de"]) == 1
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"bricht nach Eintrag {damage['readable']} ab: Dies ist nicht das ganze Spiel." in html


def test_box_lists_what_nobody_could_confirm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    before = ran(capsys, "box", "tumult_royale")
    after = ran(capsys, "box", "tumult_royale", "--answer", "fields.village.cost.bread", "2")
    assert after["answers"] == {"fields.village.cost.bread": 2}
    assert len(after["unverified"]) == len(before["unverified"]) - 1
    confirmed = ran(capsys, "box", "tumult_royale", "--confirm", "disc.areas")
    assert confirmed["answers"]["disc.areas"] == [2, 3, 4, 5]


def test_box_lists_what_people_described_and_forgets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    one = {"form": "permit coast", "answers": {"city": ["A", "C"], "gold": 2}}
    Answers(tmp_path, "council_of_four").keep("learned", [one])
    told = ran(capsys, "box", "council_of_four")
    assert told["answers"] == {}
    assert [piece["label"] for piece in told["learned"]] == ["permit AC"]
    assert told["learned"][0]["answers"]["gold"] == 2
    assert main(["box", "council_of_four"]) == 0
    assert "permit AC" in capsys.readouterr().out
    assert "There is no described piece" in refused(capsys, "box", "council_of_four", "--forget", "permit XY")
    assert ran(capsys, "box", "council_of_four", "--forget", "permit AC")["learned"] == []


def test_a_box_goes_from_table_to_table_as_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "ours"))
    shared = tmp_path / "box.json"
    ours = ran(capsys, "box", "tiletum", "--answer", "wheel.start", "3", "--export", str(shared))
    assert [family["number"] for family in ours["families"]] == [54, 26, 45, 9, 6]
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "theirs"))
    assert ran(capsys, "box", "tiletum", "--import", str(shared))["answers"] == {"wheel.start": 3}
    assert "another game" in refused(capsys, "box", "tumult_royale", "--import", str(shared))
    shared.write_text("{")
    assert "was not taken" in refused(capsys, "box", "tiletum", "--import", str(shared))
    assert "cannot be read" in refused(capsys, "box", "tiletum", "--import", str(tmp_path / "nowhere.json"))
    assert "cannot be written" in refused(capsys, "box", "tiletum", "--export", str(tmp_path))


def test_answers_that_do_not_fit_any_more_are_named_and_neither_listed_nor_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    old = {"map.cities": {"Tiletum": {}, "Tours": {}}, "buildings.crest_food": [3, 2, 2, 1, 1, 1], "wheel.start": 3}
    Answers(tmp_path, "tiletum").keep_all(old)
    shared = tmp_path / "box.json"
    assert main(["box", "tiletum", "--json", "--export", str(shared)]) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert told["answers"] == {"wheel.start": 3}
    assert "map.cities" in {doubt["fact"] for doubt in told["unverified"]}
    assert "Not used any more, for more is known of the box: buildings.crest_food, map.cities." in said.err
    assert json.loads(shared.read_text())["answers"] == {"wheel.start": 3}
    assert "does not ask for" in refused(capsys, "box", "tiletum", "--answer", "buildings.crest_food", "[1]")


def test_a_contradicting_answer_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    said = refused(capsys, "box", "tumult_royale", "--answer", "chronicle.ends_above.8", "9")
    assert "must fall" in said
    assert ran(capsys, "box", "tumult_royale")["answers"] == {}


def test_an_answer_that_is_no_json_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    assert "not JSON" in refused(capsys, "box", "tumult_royale", "--answer", "disc.areas", "two")


@pytest.mark.parametrize("game", games.NAMES)
def test_show_draws_the_table_of_every_game_in_every_round(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = ran(capsys, "show", game, "--players", "2", "--language", "en", "--pause", "0")
    assert len(shown["seats"]) == 2
    main(["show", game, "--players", "2", "--language", "en", "--pause", "0"])
    told = capsys.readouterr().out
    first = games.load(game).catalogue.title.en
    assert first in told
    assert told.count("\n\n") >= 4


def test_show_tells_a_whole_game_without_colour_codes_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "tumult_royale", "--players", "2", "--language", "de"]) == 0
    told = capsys.readouterr().out
    assert "Runde 1 beginnt." in told
    assert "gewinnt mit" in told
    assert "\x1b" not in told


def test_bench_prints_ratios_beside_what_they_divide(capsys: pytest.CaptureFixture[str]) -> None:
    figures = ran(capsys, "bench", "rules", "--games", "2", "--repeats", "3")
    rules = figures["rules"]["tumult_royale"]
    for players in (2, 3, 4):
        line = rules[f"{players}_players"]
        assert line["ratio"] == pytest.approx(line["plies_per_second"] / line["chess_plies_per_second"], rel=0.01)
    assert rules["ratio"] >= 0.25, "in CPU time, the rules have become much dearer than half of python-chess"
    assert figures["journal"]["append"]["events_per_second"] > 0
    assert figures["journal"]["reopen"]["events"] == 5000


def test_bench_accuracy_reads_rendered_tables_and_gets_nothing_wrong(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    figures = ran(capsys, "bench", "accuracy", "--scenes", "5", "--seed", "3", "--write", str(tmp_path / "page.md"))
    assert set(figures["by_light"]) == {"even", "dim", "warm", "one_sided", "flicker"}
    for kind, shares in figures["rendered"].items():
        assert shares["wrong"] == 0.0, kind
    assert figures["rendered"]["all"]["exact"] >= 0.99
    assert figures["rendered"]["tray"]["exact"] >= 0.97
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "<!-- eyes tumult_royale -->" in page
    assert f"| **all together** | {figures['rendered']['all']['things']} |" in page


def test_bench_accuracy_reads_one_kind_of_zone_on_tables_that_are_full_of_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    figures = ran(capsys, "bench", "accuracy", "--only", "pool", "--scenes", "2", "--seed", "4", "--write", str(page))
    assert set(figures["rendered"]) == {"pool", "all"}
    assert figures["rendered"]["pool"]["things"] == figures["rendered"]["all"]["things"] > 0
    text = page.read_text(encoding="utf-8")
    assert "<!-- eyes tumult_royale pool -->" in text
    assert f"| **all** | {figures['rendered']['pool']['things']} |" in text
    assert main(["bench", "accuracy", "--only", "track", "--scenes", "2"]) == 2


def test_bench_vision_compares_a_reading_with_its_floor(capsys: pytest.CaptureFixture[str]) -> None:
    figures = ran(capsys, "bench", "vision", "--repeats", "3")
    for name in ("reading", "idle"):
        line = figures[name]
        assert line["ratio"] == pytest.approx(line[f"{name}_ms"] / line["floor_ms"], rel=0.02, abs=0.001)
    assert figures["reading"]["ratio"] <= 12, "in CPU time, thrice what a Reading may cost"
    assert figures["idle"]["ratio"] <= 0.2, "a Pi that only waits for stillness would get warm"
    few, many = (figures["growth"][f"{players}_players"]["ms_a_piece"] for players in (2, 4))
    assert 0 < many <= 4 * few, "a piece costs more on a full table than on an empty one"
    assert figures["idle_memory_mb"] < 250


def test_bench_accuracy_says_at_once_what_it_cannot_use(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["bench", "accuracy", "--photos", str(tmp_path / "photos")]) == 2
    assert "There is no folder" in capsys.readouterr().err
    assert main(["bench", "accuracy", "--write", str(tmp_path / "docs" / "page.md")]) == 2
    assert "to write page.md to" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["box", "viscounts"], ["selfplay", "tumult_royale", "--games", "1", "--json"]])
def test_whoever_stops_reading_hears_no_complaint(arguments: list[str]) -> None:
    """As with `companion box viscounts | head -3`, for long and short output."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "companion.cli", *arguments], stdout=writer, stderr=subprocess.PIPE
        )
    finally:
        os.close(writer)
    assert (ended.returncode, b"Traceback" in ended.stderr, b"BrokenPipe" in ended.stderr) == (0, False, False)


def test_no_command_loads_the_libraries_of_others() -> None:
    """Each takes longer to load than most commands work; and what `main` sets for them must be set before."""
    asked = "import companion.cli, sys; print({'numpy', 'cv2', 'flask'} & sys.modules.keys())"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
