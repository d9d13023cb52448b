"""Answers to a form: which are accepted, how they are stored, and which are refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.kernel.forms import (
    Amounts,
    CannotLearn,
    Form,
    Number,
    OneOf,
    Rows,
    SeveralOf,
    Written,
    YesNo,
    checked,
)

FORM = Form(
    "card",
    {
        "name": Written(longest=8),
        "colour": OneOf(("red", "blue")),
        "signs": SeveralOf(("sun", "moon", "star"), least=1, most=2),
        "price": Number(most=5, least=1),
        "nickname": Written(longest=5, needed=False),
        "rare": YesNo(),
        "size": OneOf(("small", "large"), usual="small"),
        "brings": Amounts(("gold", "wood", "stone"), most=4, kinds=2),
        "steps": Rows(Number(most=3), most=2),
    },
)
RIGHT = {
    "name": "Baker",
    "colour": "red",
    "signs": ["moon", "sun"],
    "price": 3,
    "nickname": "Bo",
    "rare": True,
    "size": "large",
    "brings": {"stone": 2, "gold": 1, "wood": 0},
    "steps": [3, 0],
}


def test_answers_are_kept_in_the_order_of_the_form() -> None:
    kept = checked(FORM, dict(reversed(RIGHT.items())))
    assert list(kept) == list(FORM.fields)
    assert kept["brings"] == {"gold": 1, "stone": 2}, "what there is none of is left out"
    assert kept["signs"] == ["sun", "moon"]
    assert checked(FORM, kept) == kept


def test_a_name_is_one_line_without_spare_spaces() -> None:
    assert checked(FORM, {**RIGHT, "name": "  Old \n Ox "})["name"] == "Old Ox"


def test_what_need_not_be_said_is_left_empty() -> None:
    kept = checked(FORM, {name: RIGHT[name] for name in ("name", "colour", "signs")})
    assert kept == {**kept, "price": 1, "nickname": "", "rare": False, "size": "small", "brings": {}, "steps": []}


def test_a_number_that_nobody_gives_is_the_least() -> None:
    assert checked(FORM, {**RIGHT, "price": None})["price"] == 1


@pytest.mark.parametrize(
    ("field", "answers", "reason"),
    [
        ("name", ["", " ", "x" * 9, 3, None, "a\x00b", "a\u202eb"], "text"),
        ("colour", ["green", "", None, 1, ["red"]], "one"),
        ("signs", [[], ["sun", "moon", "star"], ["sun", "sun"], ["sea"], "sun", None, [1], [["sun"]]], "several"),
        ("price", [0, 6, -1, 1.0, "2", True, 10**30, [1]], "number"),
        ("nickname", ["x" * 6, "a\u202eb"], "text"),
        ("rare", [1, "yes", []], "yes_no"),
        ("size", ["huge", "", 1], "one"),
        ("brings", [[], "gold", {"iron": 1}], "amounts"),
        ("brings", [{"gold": 5}, {"gold": -1}, {"gold": True}, {"gold": "1"}, {"gold": None}], "number"),
        ("brings", [{"gold": 1, "wood": 1, "stone": 1}], "kinds"),
        ("steps", [[1, 2, 3], 3, {"0": 1}], "rows"),
        ("steps", [[4], [1.5], ["1"]], "number"),
    ],
)
def test_what_no_field_takes_is_refused_by_its_field(field: str, answers: list[Any], reason: str) -> None:
    for answer in answers:
        with pytest.raises(CannotLearn) as refusal:
            checked(FORM, {**RIGHT, field: answer})
        assert (refusal.value.field, refusal.value.reason) == (field, reason), answer


@pytest.mark.parametrize("answers", [None, [], "name", 3, {**RIGHT, "wings": 2}])
def test_what_is_no_answer_to_this_form_is_refused(answers: Any) -> None:
    with pytest.raises(CannotLearn, match="not_the_form"):
        checked(FORM, answers)
