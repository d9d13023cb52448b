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
    """One of several words of the catalogue."""

    words: tuple[str, ...]


class SeveralOf(msgspec.Struct, frozen=True, tag="several"):
    """Several of several words, each once."""

    words: tuple[str, ...]
    least: int = 1
    most: int = 99


class Written(msgspec.Struct, frozen=True, tag="text"):
    """A few words that somebody writes: a name."""

    longest: int = 40


Field = Number | OneOf | SeveralOf | Written


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
        case OneOf(words=words):
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
            if not 0 < len(text) <= longest or any(unicodedata.category(letter)[0] == "C" for letter in text):
                raise CannotLearn("text", name, longest=longest)
            return text
