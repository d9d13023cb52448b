"""A form in words, for people who describe a piece that the box does not hold, and why a description cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.kernel.catalogue import Speaker, Text
from companion.kernel.forms import Amounts, CannotLearn, Field, Form, OneOf, Rows, SeveralOf
from companion.text.sentences import in_each, say

Body = dict[str, Any]
Both = dict[str, str]


def in_words(speakers: Mapping[str, Speaker], form: Form) -> Body:
    """A form as a phone shows it: what it asks, and its fields with the words that can be chosen."""
    words = next(iter(speakers.values())).catalogue.form(form.name)
    return {
        "name": form.name,
        "asks": _both(words.asks),
        "hint": None if words.hint is None else _both(words.hint),
        "fields": [_field(speakers, words.fields[name], name, field) for name, field in form.fields.items()],
    }


def _field(speakers: Mapping[str, Speaker], says: Text, name: str, field: Field) -> Body:
    body: Body = {**msgspec.to_builtins(field), "name": name, "says": _both(says)}
    kind = body.pop("type")
    if isinstance(field, OneOf | SeveralOf | Amounts):
        body["words"] = [
            {"value": word, "says": in_each(speakers, lambda speaker, one=word: _capital(speaker.named(name, one)))}  # type: ignore[misc]
            for word in field.words
        ]
    if isinstance(field, Rows):
        body["each"] = _field(speakers, says, name, field.each)
    return {"kind": kind, **body}


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def why_not(speakers: Mapping[str, Speaker], form: Form, error: CannotLearn) -> Both:
    """Why a description cannot be: in the words of the form, or in those that serve every form."""
    return in_each(speakers, lambda speaker: _why_not(speaker, form, error))


def _why_not(speaker: Speaker, form: Form, error: CannotLearn) -> str:
    words = speaker.catalogue.form(form.name)
    own = words.refuses.get(error.reason)
    if own is not None:
        return speaker.fill(own, error.facts)
    field = words.fields.get(error.field)
    named = error.field if field is None else field.in_(speaker.language)
    return say(speaker, f"form.{error.reason}", field=named, **error.facts)


def _both(text: Text) -> Both:
    said: Both = msgspec.structs.asdict(text)
    return said
