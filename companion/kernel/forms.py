"""What people are asked about a piece that a box does not hold: a form, its fields, and which answers they take.

A game gives forms as data; their words are in its catalogue. Nothing here knows a piece.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

import msgspec


class Number(msgspec.Struct, frozen=True, tag="number"):
    """A whole number; one that nobody gives is the least."""

    most: int
    least: int = 0


class OneOf(msgspec.Struct, frozen=True, tag="one"):
    """One of several words of the catalogue. Where one is `usual`, it need not be said."""

    words: tuple[str, ...]
    usual: str = ""


class SeveralOf(msgspec.Struct, frozen=True, tag="several"):
    """Several of several words, each once."""

    words: tuple[str, ...]
    least: int = 1
    most: int = 99


class Written(msgspec.Struct, frozen=True, tag="text"):
    """A few words that somebody writes: a name. Where it is not `needed`, it may be left empty."""

    longest: int = 40
    needed: bool = True


class YesNo(msgspec.Struct, frozen=True, tag="yes_no"):
    """Whether something is there; what nobody says is not."""


class Amounts(msgspec.Struct, frozen=True, tag="amounts"):
    """How many of which: several of several words, each with a number, as `{"gold": 2}`."""

    words: tuple[str, ...]
    most: int = 9
    kinds: int = 99
    """So many different ones at the most."""
    seldom: bool = False
    """Mostly there are none: a phone asks only whoever wants to say something."""


class Rows(msgspec.Struct, frozen=True, tag="rows"):
    """The same small question for one thing after the other, as many as there are."""

    each: Number | Amounts
    most: int


Field = Number | OneOf | SeveralOf | Written | YesNo | Amounts | Rows


class Form(msgspec.Struct, frozen=True):
    """What is asked about one kind of piece, field by field."""

    name: str
    fields: dict[str, Field]


class CannotLearn(Exception):
    """A description that no piece can have. `reason` is a sentence of the kernel or of the form in the catalogue."""

    def __init__(self, reason: str, field: str = "", **facts: Any) -> None:
        super().__init__(f"{reason} {field} {facts}")
        self.reason, self.field, self.facts = reason, field, facts


def checked(form: Form, answers: Any) -> dict[str, Any]:
    """The answers as they are kept: every field, in the form's order. Raises `CannotLearn`."""
    if not isinstance(answers, Mapping) or any(name not in form.fields for name in answers):
        raise CannotLearn("not_the_form")
    return {name: _answer(name, field, answers.get(name)) for name, field in form.fields.items()}


def _answer(name: str, field: Field, answer: Any) -> Any:
    match field:
        case Number(least=least, most=most):
            number = least if answer is None else answer
            if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
                raise CannotLearn("number", name, least=least, most=most)
            return number
        case OneOf(words=words, usual=usual):
            answer = usual if answer is None else answer
            if not isinstance(answer, str) or answer not in words:
                raise CannotLearn("one", name)
            return answer
        case SeveralOf(words=words, least=least, most=most):
            chosen = answer if isinstance(answer, list) else []
            named = [word for word in words if word in chosen]
            if len(named) != len(chosen) or not least <= len(named) <= most:
                raise CannotLearn("several", name, least=least, most=min(most, len(words)))
            return named
        case Written(longest=longest):
            text = " ".join(answer.split()) if isinstance(answer, str) else ""
            if answer is None and not field.needed:
                return text
            if not field.needed <= len(text) <= longest or any(unicodedata.category(one)[0] == "C" for one in text):
                raise CannotLearn("text", name, longest=longest)
            return text
        case YesNo():
            if answer is not None and not isinstance(answer, bool):
                raise CannotLearn("yes_no", name)
            return bool(answer)
        case Amounts(words=words, most=most, kinds=kinds):
            return _amounts(name, {} if answer is None else answer, words, most, kinds)
        case Rows(each=each, most=most):
            rows = [] if answer is None else answer
            if not isinstance(rows, list) or len(rows) > most:
                raise CannotLearn("rows", name, most=most)
            return [_answer(name, each, row) for row in rows]


def _amounts(name: str, answer: Any, words: tuple[str, ...], most: int, kinds: int) -> dict[str, int]:
    """In the order of the words; what there is none of is left out."""
    if not isinstance(answer, Mapping) or any(word not in words for word in answer):
        raise CannotLearn("amounts", name)
    if any(not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= most for n in answer.values()):
        raise CannotLearn("number", name, least=0, most=most)
    found = {word: answer[word] for word in words if answer.get(word)}
    if len(found) > kinds:
        raise CannotLearn("kinds", name, most=kinds)
    return found
