"""The form for what lies there, as phones show it: zones, cells and pieces in words, and what is known already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.kernel.capabilities import Asked, Entry
from companion.kernel.catalogue import Both, Speaker
from companion.kernel.messages import Body
from companion.kernel.views import UNKNOWN, Cells, Contents, Pieces
from companion.text.sentences import Bilingual, capitalised

_QUOTES: Final = "«»“”\"',"


def entry_form(speakers: Bilingual, entry: Entry, now: Mapping[str, Contents], entered: Mapping[str, Contents]) -> Body:
    """A form with the zones as they look now, and as far as people have entered them."""
    zones: dict[str, list[Asked]] = {}
    for asked in entry.zones:
        zones.setdefault(asked.zone, []).append(asked)
    return {
        "together": entry.together,
        "zones": [
            {
                "zone": zone,
                "says": {language: capitalised(text) for language, text in speakers.place(zone).items()},
                "seat": groups[0].seat,
                "by": groups[0].by,
                "groups": [_group(speakers, group) for group in groups],
                "lies": _lies(now[zone]),
                "entered": _lies(entered[zone]) if zone in entered else None,
            }
            for zone, groups in zones.items()
        ],
    }


def _group(speakers: Bilingual, asked: Asked) -> Body:
    cells = _said(speakers, asked.cells, lambda speaker, cell: speaker.place(asked.zone, cell))
    labels = _said(speakers, asked.labels, lambda speaker, label: speaker.piece(label))
    return {
        "cells": [{"cell": cell, "says": says} for cell, says in zip(asked.cells, cells, strict=True)],
        "labels": [{"label": label, "says": says} for label, says in zip(asked.labels, labels, strict=True)],
    }


def _said(speakers: Bilingual, names: Sequence[str], words: Callable[[Speaker, str], str]) -> list[Both]:
    shown = {language: shortened([words(speaker, name) for name in names]) for language, speaker in speakers.items()}
    return [{language: texts[number] for language, texts in shown.items()} for number in range(len(names))]


def _lies(contents: Contents) -> dict[str, Any]:
    """Labels by cell, or numbers by label; what is not known is left out."""
    if isinstance(contents, Cells):
        return {cell: label for cell, label in contents.at.items() if label not in (None, UNKNOWN)}
    return dict(contents.count) if isinstance(contents, Pieces) else {}


def shortened(texts: Sequence[str]) -> list[str]:
    """Texts for buttons side by side: without the words that all of them begin or end with, and without quotes."""
    words = [text.split() for text in texts]
    first = last = 0
    if len(words) > 1:
        most = min(map(len, words)) - 1
        while first < most and len({one[first] for one in words}) == 1:
            first += 1
        while last < most - first and len({one[-1 - last] for one in words}) == 1:
            last += 1
    short = [" ".join(one[first : len(one) - last]) for one in words]
    if all(text.endswith("'s") for text in short):
        short = [text.removesuffix("'s") for text in short]
    return [capitalised(text.strip(_QUOTES)) for text in short]
