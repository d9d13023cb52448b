"""Forms that describe a piece that a box lacks: their fields, and which answers are valid.

A game provides forms as data, and their words in its catalogue. Nothing here knows a particular piece.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

import msgspec


class Number(msgspec.Struct, frozen=True, tag="number"):
    """A whole number; the default is the least one."""

    most: int
    least: int = 0


class OneOf(msgspec.Struct, frozen=True, tag="one"):
    """One of several words of the catalogue; `usual` is the default, if there is one."""

    words: tuple[str, ...]
    usual: str = ""


class SeveralOf(msgspec.Struct, frozen=True, tag="several"):
    """Some of several words, each once."""

    words: tuple[str, ...]
    least: int = 1
    most: int = 99


class Written(msgspec.Struct, frozen=True, tag="text"):
    """A short text, such as a name. It may be empty unless it is `needed`."""

    longest: int = 40
    needed: bool = True


class YesNo(msgspec.Struct, frozen=True, tag="yes_no"):
    """Yes or no; the default is no."""


class Amounts(msgspec.Struct, frozen=True, tag="amounts"):
    """Some of several words, each with a number, as `{"gold": 2}`."""

    words: tuple[str, ...]
    most: int = 9
    kinds: int = 99
    """Maximum number of different words."""
    seldom: bool = False
    """Usually there are none, so a phone shows the question only on demand."""


class Rows(msgspec.Struct, frozen=True, tag="rows"):
    """The same small question, repeated for any number of things."""

    each: Number | Amounts
    most: int


Field = Number | OneOf | SeveralOf | Written | YesNo | Amounts | Rows


class Form(msgspec.Struct, frozen=True):
    """The questions about one kind of piece, field by field."""

    name: str
    fields: dict[str, Field]


class CannotLearn(Exception):
    """An impossible description. `reason` is the key of a sentence of the kernel, or of the form in the catalogue."""

    def __init__(self, reason: str, field: str = "", **facts: Any) -> None:
        super().__init__(f"{reason} {field} {facts}")
        self.reason, self.field, self.facts = reason, field, facts


def checked(form: Form, answers: Any) -> dict[str, Any]:
    """The checked answers as they are kept: every field, in the form's order. Raises `CannotLearn`."""
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
    """Amounts in the order of the words; those of 0 are left out."""
    if not isinstance(answer, Mapping) or any(word not in words for word in answer):
        raise CannotLearn("amounts", name)
    if any(not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= most for n in answer.values()):
        raise CannotLearn("number", name, least=0, most=most)
    found = {word: answer[word] for word in words if answer.get(word)}
    if len(found) > kinds:
        raise CannotLearn("kinds", name, most=kinds)
    return found
