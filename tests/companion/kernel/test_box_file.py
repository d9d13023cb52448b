"""Box files: one table takes over the answers of another; invalid files are refused, and no answer is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.kernel.box import LEARNED, Answers, Learned
from companion.kernel.box_file import KIND, NotShared, packed, take, unpacked

GAME = games.load("tiletum")
COSTLY = Learned("cost", {"stone": 7, "points": 9})
CHEAP = Learned("cost", {"stone": 1, "points": 0})


def table(folder: Path, *learned: Learned, **facts: Any) -> Answers:
    answers = Answers(folder, GAME.name)
    answers.keep_all({fact.replace("__", "."): value for fact, value in facts.items()})
    answers.keep(LEARNED, msgspec.to_builtins(list(learned)))
    return answers


def file(**other: Any) -> bytes:
    body = {"file": KIND, "version": 1, "game": "tiletum", "edition": "x", "answers": {}, "learned": []}
    return msgspec.json.encode({**body, **other})


def test_what_one_table_knows_another_knows_too(tmp_path: Path) -> None:
    ours = table(tmp_path / "ours", COSTLY, wheel__start=4, start__gold=[1, 2, 3, 4])
    theirs = Answers(tmp_path / "theirs", GAME.name)
    taken = take(GAME, theirs, unpacked(GAME, packed(GAME, ours.read())))
    assert (taken.facts, taken.pieces) == (2, 1)
    assert GAME.load_box(theirs.read()) == GAME.load_box(ours.read())


def test_both_tables_pieces_come_together_and_the_files_facts_go_first(tmp_path: Path) -> None:
    ours = table(tmp_path / "ours", COSTLY, CHEAP, wheel__start=4)
    theirs = table(tmp_path / "theirs", CHEAP, wheel__start=2, start__gold=[9, 9, 9, 9])
    taken = take(GAME, theirs, unpacked(GAME, packed(GAME, ours.read())))
    assert taken.pieces == 1
    known = theirs.read()
    assert (known["wheel.start"], known["start.gold"]) == (4, [9, 9, 9, 9])
    assert known[LEARNED] == msgspec.to_builtins([CHEAP, COSTLY])


def test_what_was_there_before_is_put_aside(tmp_path: Path) -> None:
    theirs = table(tmp_path, CHEAP, wheel__start=2)
    before = theirs.path.read_bytes()
    take(GAME, theirs, unpacked(GAME, file(answers={"wheel.start": 5})), instead=True)
    assert theirs.read() == {"wheel.start": 5}
    assert theirs.path.with_suffix(".before.json").read_bytes() == before


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "no_box_file"),
        (b"\xff\xfe", "no_box_file"),
        (b"[1, 2]", "no_box_file"),
        (b'{"game": "tiletum"}', "no_box_file"),
        (b"[" * 100_000, "no_box_file"),
        (file(answers=[]), "no_box_file"),
        (file(learned=[{"form": 3}]), "no_box_file"),
        (file(extra=1), "no_box_file"),
        (file(answers={"learned": []}), "no_box_file"),
        (file(version=2), "other_version"),
        (file(game="council_of_four"), "other_game"),
        (file(answers={"dragons": 3}), "not_a_box"),
        (file(answers={"wheel.start": 9}), "not_a_box"),
        (file(answers={"wheel.start": "up"}), "not_a_box"),
        (file(learned=[{"form": "dragon", "answers": {}}]), "not_a_box"),
        (file(learned=msgspec.to_builtins([COSTLY] * 10)), "not_a_box"),
    ],
)
def test_rubbish_is_refused_with_a_reason_and_changes_nothing(tmp_path: Path, raw: bytes, reason: str) -> None:
    theirs = table(tmp_path, CHEAP)
    before = theirs.path.read_bytes()
    with pytest.raises(NotShared) as refusal:
        take(GAME, theirs, unpacked(GAME, raw))
    assert refusal.value.reason == reason
    assert refusal.value.why
    assert theirs.path.read_bytes() == before
    assert not theirs.path.with_suffix(".before.json").exists()
