"""The layout in use, and the map of it that phones draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.daemon import panels
from companion.daemon.journal_folder import Opened
from companion.kernel.game import Game
from companion.kernel.messages import Body
from companion.kernel.views import Cells, Contents
from companion.text.sentences import Bilingual
from vision import layout
from vision.layout import Box, Dial, Drawing, Grid, Layout, Slots, Track, Zone


def layout_of(game: Game[Any, Any], box: Any) -> Layout:
    path = game.box_file.with_name("layout.toml")
    raw = layout.read(path)
    fitted = raw if game.sketching is None else game.sketching.layout(raw, box)
    shipped = layout.from_data(fitted, str(path))
    return shipped if game.learning is None else shipped.grown(game.learning.pieces(box))


def drawn(opened: Opened) -> Body:
    """The zones that this game uses, without those of colours that are not played."""
    table = layout_of(opened.game, opened.table.state.box)
    catalogue = opened.game.catalogue
    speakers = Bilingual(catalogue, opened.seats)
    used = opened.game.view(opened.table.state).zones
    seats = {seat.colour: number for number, seat in enumerate(opened.seats)}
    return {
        "name": table.name,
        "area": {"width": table.area.width, "height": table.area.height},
        "zones": {
            name: _zone(table, name, zone, used[name], seats, speakers)
            for name, zone in table.zones.items()
            if name in used
        },
        "pieces": {
            name: {
                "size": list(piece.size),
                "round": piece.round,
                "labels": list(piece.labels),
                "looks": dict(piece.looks),
            }
            for name, piece in table.pieces.items()
        },
        "drawing": [_drawing(table, one) for one in table.chosen(_options(opened)).drawing],
        "panels": msgspec.to_builtins(
            panels.load(opened.game.box_file.parent, table.zones, opened.table.state.box.colours)
        ),
        "printed": {} if opened.game.guide is None else dict(opened.game.guide.printed(opened.table.state)),
        "labels": {label: speakers.piece(label) for label in _labels(table)},
        "colours": {
            colour: {language: catalogue.word(colour, speaker.language) for language, speaker in speakers.items()}
            for colour in seats
        },
    }


def _drawing(table: Layout, one: Drawing) -> Body:
    """Boards, roads and names outside zones. Rectangles are left, top, width and height."""
    return {
        "paint": one.paint,
        "size": one.size,
        "rects": [[left, top, right - left, bottom - top] for left, top, right, bottom in one.rects],
        "lines": [[list(table.zones[name].area().centre) for name in line] for line in one.lines],
        "roads": [list(line) for line in one.lines],
        "words": [[word, *where] for word, where in one.words.items()],
    }


def _options(opened: Opened) -> Body:
    """The options of this game, chosen or default."""
    chosen = msgspec.convert(opened.table.journal.head.setup.options, opened.game.options_type)
    options: Body = msgspec.to_builtins(chosen)
    return options


def _zone(
    table: Layout,
    name: str,
    zone: Zone,
    contents: Contents,
    seats: Mapping[str, int],
    speakers: Bilingual,
) -> Body:
    cells = zone.places() if isinstance(zone, Grid | Slots | Track) else {}
    if isinstance(contents, Cells):
        cells = {cell: box for cell, box in cells.items() if cell in contents.at}
    piece = table.piece(zone)
    body: Body = {
        "kind": zone.kind,
        "says": speakers.place(name),
        "rect": _around(list(cells.values()) or [zone.area()]),
        "area": _rect(zone.area()),
        "angle": zone.area().angle,
        "cells": {cell: [*_rect(box), box.angle] for cell, box in cells.items()},
        "spots": {cell: speakers.word(cell) for cell in cells if cell in speakers.catalogue.words},
        "seat": seats.get(name.rpartition(" ")[2]),
        "holds": zone.holds,
        "round": piece.round if piece is not None else False,
        "labels": list(_labels_in(table, zone)),
    }
    if isinstance(zone, Dial):
        body |= {
            "centre": list(zone.centre),
            "radius": zone.radius,
            "sectors": [msgspec.to_builtins(sector) for sector in zone.sectors],
        }
    return body


def _rect(box: Box) -> list[float]:
    """Left, top, width and height, before the rotation about its centre."""
    (x, y), (width, height) = box.centre, box.size
    return [round(x - width / 2, 2), round(y - height / 2, 2), round(width, 2), round(height, 2)]


def _around(boxes: list[Box]) -> list[float]:
    """The smallest rectangle around these boxes; a single box is returned as it is."""
    if len(boxes) == 1:
        return _rect(boxes[0])
    points = [corner for box in boxes for corner in box.corners()]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    right, bottom = max(x for x, _ in points), max(y for _, y in points)
    return [round(left, 2), round(top, 2), round(right - left, 2), round(bottom - top, 2)]


def _labels_in(table: Layout, zone: Zone) -> tuple[str, ...]:
    """The labels of pieces that may lie in a zone."""
    piece = table.piece(zone)
    return zone.labels or (piece.labels if piece is not None else ())


def _labels(table: Layout) -> list[str]:
    return list(dict.fromkeys(label for piece in table.pieces.values() for label in piece.labels))
