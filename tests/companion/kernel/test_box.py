"""Boxes can be corrected by people; an invalid one is refused with its file and fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.box import FILE, Box
from companion.kernel import files
from companion.kernel.box import Answers, BoxError, doubts
from companion.kernel.box import load as load_box

SHIPPED = FILE.read_text(encoding="utf-8")


def written(tmp_path: Path, old: str = "", new: str = "") -> Path:
    """The shipped box with one place changed."""
    assert old in SHIPPED
    path = tmp_path / "box.toml"
    path.write_text(SHIPPED.replace(old, new, 1), encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(BoxError) as refused:
        load_box(path, Box)
    assert str(path) in str(refused.value)
    return str(refused.value)


def test_the_shipped_box_holds_what_the_rulebook_counts() -> None:
    box = GAME.load_box()
    assert box.followers.total == 105
    assert sum(sum(map(sum, split.values())) for split in (box.goods.plain, box.goods.grey, box.goods.black)) == 39
    assert len(box.boards) == 10


def test_every_fact_nobody_could_confirm_is_marked() -> None:
    unverified = set(GAME.load_box().unverified)
    assert {"goods.plain", "goods.grey", "goods.black"} <= unverified
    assert {"fields.village.cost.bread", "fields.village.cost.tool"} <= unverified
    assert {f"chronicle.ends_above.{number}" for number in (6, 8, 9)} <= unverified
    assert {"disc.areas", "disc.shares"} <= unverified
    assert len([fact for fact in unverified if fact.startswith("boards.")]) == 10


def test_what_the_rulebook_says_is_not_doubted() -> None:
    unverified = GAME.load_box().unverified
    for fact in ("fields.village.cost.marble", "chronicle.ends_above.7", "chronicle.ends_above.10", "followers.tokens"):
        assert fact not in unverified


def test_an_answer_replaces_the_stand_in_and_ends_the_doubt() -> None:
    box = GAME.load_box({"fields.village.cost.bread": 2})
    assert box.fields["village"].cost.bread == 2
    assert "fields.village.cost.bread" not in box.unverified
    assert box.digest != GAME.load_box().digest


def test_an_answer_to_a_question_nobody_asked_is_refused() -> None:
    with pytest.raises(BoxError, match=r"'fields\.meadow\.cost\.bread'"):
        GAME.load_box({"fields.meadow.cost.bread": 2})


def test_an_answer_that_contradicts_is_refused_with_the_fact() -> None:
    with pytest.raises(BoxError, match=r"chronicle\.ends_above must fall"):
        GAME.load_box({"chronicle.ends_above.8": 7})


@pytest.mark.parametrize("order", [("6", "8", "9"), ("9", "8", "6")])
def test_what_somebody_read_is_not_refused_for_what_we_only_assume(order: tuple[str, ...]) -> None:
    read, answers = {"6": 7, "8": 3, "9": 1}, dict[str, Any]()
    for field in order:
        answers[f"chronicle.ends_above.{field}"] = read[field]
        assert GAME.load_box(answers).chronicle.ends_above[field] == read[field]


@pytest.mark.parametrize("first", ["disc.areas", "disc.shares"])
def test_a_disc_of_eight_areas_is_told_in_two_answers(first: str) -> None:
    eight = {"disc.areas": [2, 3, 4, 5, 2, 3, 4, 5], "disc.shares": [0.2, 0.1, 0.1, 0.1, 0.2, 0.1, 0.1, 0.1]}
    half_told = GAME.load_box({first: eight[first]}).disc
    assert set(half_told.chances) == {1 / len(half_told.areas)}
    assert GAME.load_box(eight).disc.chances == tuple(eight["disc.shares"])
    with pytest.raises(BoxError, match=r"disc\.shares"):
        GAME.load_box({**eight, "disc.shares": [0.25, 0.25, 0.25, 0.25]})


def test_broken_toml_is_named_with_its_line(tmp_path: Path) -> None:
    assert "line 7" in refusal(written(tmp_path, "statues_each = 25", "statues_each = = 25"))


def test_a_fact_of_the_wrong_kind_is_named(tmp_path: Path) -> None:
    assert "fact statues_each" in refusal(written(tmp_path, "statues_each = 25", 'statues_each = "many"'))


def test_an_unknown_fact_is_named(tmp_path: Path) -> None:
    assert "dragons" in refusal(written(tmp_path, "statues_each = 25", "statues_each = 25\ndragons = 3"))


def test_a_missing_fact_is_named(tmp_path: Path) -> None:
    assert "raid_seconds" in refusal(written(tmp_path, "raid_seconds = 20\n", ""))


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("bread = [3, 2, 2]", "bread = [3, 2, 3]", "goods.plain counts 22"),
        ('"10" = 4 }', '"10" = 5 }', "worth 115"),
        ('face_up = ["A1", "B2"]', 'face_up = ["A1"]', "frame.2.face_up"),
        ("shares = [0.25, 0.25, 0.25, 0.25]", "shares = [0.5, 0.5]", "disc.shares"),
        ('"meadow forest meadow", "village', '"meadow swamp meadow", "village', "boards.heron"),
        ('"10" = 0', '"10" = 1', "ends_above"),
        ("cost = { bread = 1, marble = 1, tool = 0 }", "cost = { bread = 0, marble = 0, tool = 0 }", "fields.meadow"),
    ],
)
def test_facts_that_cannot_be_true_together_are_named(tmp_path: Path, old: str, new: str, fact: str) -> None:
    said = refusal(written(tmp_path, old, new))
    assert "contradicts itself" in said
    assert fact in said


def test_a_doubt_about_a_fact_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert "goods.pink" in refusal(written(tmp_path, '[unverified."goods.grey"]', '[unverified."goods.pink"]'))


@pytest.mark.parametrize("what", ["missing", "folder", "rubbish"])
def test_a_box_that_cannot_be_read_is_named(tmp_path: Path, what: str) -> None:
    path = tmp_path / "box.toml"
    if what == "folder":
        path.mkdir()
    elif what == "rubbish":
        path.write_bytes(b"\xff\xfe\x00rubbish")
    refusal(path)


def test_questions_come_in_both_languages_with_what_we_assume() -> None:
    asked = {doubt.fact: doubt for doubt in doubts(FILE)}
    village = asked["fields.village.cost.bread"]
    assert village.assumed == 1
    assert village.ask.de.endswith("?")
    assert village.ask.en.endswith("?")


def test_answers_are_kept_apart_from_the_shipped_box(tmp_path: Path) -> None:
    answers = Answers(tmp_path, "tumult_royale")
    answers.keep("fields.village.cost.bread", 2)
    answers.keep("disc.areas", [2, 3, 4, 5])
    assert Answers(tmp_path, "tumult_royale").read() == {"fields.village.cost.bread": 2, "disc.areas": [2, 3, 4, 5]}
    assert FILE.read_text(encoding="utf-8") == SHIPPED


def test_damaged_answers_are_named_and_moved_aside_and_the_next_answer_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answers = Answers(tmp_path, "tumult_royale")
    answers.path.parent.mkdir()
    answers.path.write_text('{"disc.areas": [2,', encoding="utf-8")
    answers.keep("disc.areas", [2, 3])
    assert f"{answers.path} is damaged" in caplog.text
    assert answers.read() == {"disc.areas": [2, 3]}
    (aside,) = files.moved_aside(tmp_path)
    assert aside.read_text(encoding="utf-8") == '{"disc.areas": [2,'


def test_boxes_are_equal_by_their_facts() -> None:
    assert GAME.load_box() == GAME.load_box()
    assert GAME.load_box() != GAME.load_box({"fields.village.cost.bread": 0})
    assert hash(GAME.load_box()) == hash(GAME.load_box())
