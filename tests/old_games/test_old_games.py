"""Journals of earlier companions open, with the scores and histories that they had then."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.history import tell_sheet
from companion.journal import Journal
from companion.kernel.catalogue import Speaker
from companion.table import Table
from companion.table.ledger import Ledger

from .make_old_games import clock, shown

HERE = Path(__file__).parent
OLD = sorted(HERE.glob("*/*.journal"))
TOLD = [
    path
    for path in OLD
    if path.stem.endswith(("pictures", "corrected", "described", "four-2-finished", "builder-finished"))
]
"""Those that are told move by move, which takes longer."""


TOLD_APART = dict.fromkeys(
    ("end.tokens", "end.permit-bonuses", "end.once-more", "end.nobility-fields", "end.last-emporium"), "end.points"
) | dict.fromkeys(
    (
        *("score.crown", "score.leader", "score.fair", "score.contract", "score.field", "score.cathedral"),
        *("score.guest", "score.tile", "score.place", "score.crest"),
    ),
    "end.points",
)
"""Rules that tell the points of a track one reason after the other, by the rule that told them in one line."""


def expected(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return {**found, "seats": together(found["seats"])}


def together(seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Score sheets in the old form, without a reason for each point: points on a track in one line."""
    return [{**seat, "lines": _in_one_line(seat["lines"])} for seat in seats]


def _in_one_line(lines: list[list[Any]]) -> dict[str, int]:
    points: dict[str, int] = {}
    for rule, number in lines:
        rule = TOLD_APART.get(rule, rule)
        points[rule] = points.get(rule, 0) + number
    return {rule: number for rule, number in points.items() if number or rule not in TOLD_APART.values()}


def test_every_game_and_number_of_players_is_among_them() -> None:
    names = {path.stem for path in OLD if path.parent.name == "first"}
    wanted = {f"{game}-{n}-{end}" for game in games.NAMES for n in (2, 3, 4) for end in ("finished", "half")}
    alone = {
        f"viscounts-1-{rival}-{end}"
        for rival in ("cleric", "builder", "noble", "cards")
        for end in ("finished", "half")
    }
    assert names >= wanted | alone
    assert not list(HERE.glob("*/*-wal"))


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_an_old_game_opens_and_is_scored_as_it_was(path: Path) -> None:
    with Journal.read(path) as journal:
        game = games.load(journal.head.game)
        ledger = Ledger.read(game, journal)
    sheet, was = tell_sheet(game, ledger.state, Speaker(game.catalogue, "de")), expected(path)
    assert (sheet.over, sheet.winners, len(sheet.unverified)) == (was["over"], was["winners"], was["unverified"])
    seats = [
        {"seat": seat.seat, "total": seat.total, "lines": [[line.rule, line.points] for line in seat.lines]}
        for seat in sheet.seats
    ]
    assert together(seats) == was["seats"]
    assert msgspec.to_builtins(game.actor(ledger.state)) == was["acts"]


@pytest.mark.parametrize("path", TOLD, ids=lambda path: path.stem)
def test_an_old_game_is_told_as_it_was(path: Path) -> None:
    now, was = shown(path), expected(path)
    assert now.pop("reasons") >= was.pop("reasons")  # rules that came later are told, too
    assert {**now, "seats": together(now["seats"])} == was


@pytest.mark.parametrize("path", [path for path in OLD if path.stem.endswith("3-half")], ids=lambda path: path.stem)
def test_an_old_game_is_gone_on_with(path: Path, tmp_path: Path) -> None:
    table = Table.reopen(games.load(path.name.split("-")[0]), Path(shutil.copy(path, tmp_path)), clock)
    before = table.journal.last_number
    assert not table.over
    table.ledger.play([next(iter(table.game.moves(table.state)))], None)
    table.close()
    again = Table.reopen(table.game, table.journal.path, clock)
    assert (again.state, again.journal.last_number) == (table.state, before + 1)
    again.close()


@pytest.mark.parametrize("name", games.NAMES)
def test_an_option_that_an_old_journal_does_not_name_is_played_as_it_was_then(name: str) -> None:
    """After adding an option or changing a default, `options_before` has the value of older games."""
    game = games.load(name)
    assert set(game.options_before) >= {field.encode_name for field in msgspec.structs.fields(game.options_type)}
    first = json.loads((HERE / "first" / "options.json").read_text())[name]
    assert {option: game.options_before.get(option) for option in first} == first


@pytest.mark.parametrize("name", games.NAMES)
def test_moves_of_old_journals_are_still_known_by_their_names(name: str) -> None:
    """A class may get another name; the tag of its moves, and the names of their fields, stay."""
    now = moves_of(name)
    for tag, fields in json.loads((HERE / "first" / "moves.json").read_text())[name].items():
        assert set(fields) <= set(now.get(tag, ())), (
            f"{tag}{fields} is in old journals, and today there is {now.get(tag)}"
        )


def moves_of(name: str) -> dict[str, list[str]]:
    info = msgspec.inspect.type_info(games.load(name).move_type)
    kinds = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    return {str(kind.tag): [field.encode_name for field in kind.fields] for kind in kinds}  # type: ignore[union-attr]
