"""Tables for teaching show every piece, on one table if there is space, otherwise on several and a bare one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.games import tumult_royale
from companion.kernel.views import Cells, Marks, Pieces, View
from vision.kit.teaching_tables import everything
from vision.layout import Layout, from_data, load

MANY = [f"card {number}" for number in range(9)]


def table(cards: list[str], **zones: Any) -> Layout:
    pieces = {
        "card": {"size": [30, 40], "height": 0.4, "labels": cards},
        "disc": {"size": [12, 12], "height": 4, "round": True, "labels": ["red", "blue"]},
    }
    base = {
        "hand": {"kind": "tray", "rect": [10, 10, 150, 100], "holds": "card", "turns": False},
        "score": {"kind": "track", "path": [[0, 200, 200], [9, 380, 200]], "size": [18, 18], "holds": "disc"},
    }
    raw = {"name": "t", "area": {"width": 500, "height": 300}, "pieces": pieces, "zones": {**base, **zones}}
    return from_data(raw, "t")


def shown(views: tuple[View, ...], zone: str) -> list[list[str | None]]:
    kinds = []
    for view in views:
        match view.zones[zone]:
            case Pieces(count=count):
                kinds.append([*count])
            case Cells(at=at):
                kinds.append([*at.values()])
            case Marks(field=field):
                kinds.append([*field])
            case _:
                raise AssertionError(zone)
    return kinds


def test_where_there_is_room_one_table_shows_every_kind_in_every_zone() -> None:
    (view,) = everything(load(Path(tumult_royale.__file__).with_name("layout.toml")))
    castle, cards = view.zones["castle blue"], view.zones["cards"]
    assert isinstance(castle, Pieces)
    assert isinstance(cards, Cells)
    assert len(castle.count) == 10
    assert set(cards.at.values()) == {"rank1", "rank2", "rank3", "rank4"}


def test_too_many_kinds_for_a_tray_are_shown_one_after_the_other() -> None:
    views = everything(table(MANY))
    *hands, last = shown(views, "hand")
    assert [kind for hand in hands for kind in hand][: len(MANY)] == MANY
    assert all(len(hand) <= 6 for hand in hands)
    assert last == []
    assert shown(views, "score")[-1] == []


def test_zones_of_one_family_share_its_kinds_between_them() -> None:
    beside = {"kind": "tray", "rect": [200, 10, 340, 100], "holds": "card", "turns": False}
    alone, shared = everything(table(MANY)), everything(table(MANY, other=beside))
    assert len(shared) < len(alone)
    assert not set(shown(shared, "hand")[0]) & set(shown(shared, "other")[0])


def test_places_that_are_fewer_than_their_kinds_are_seen_empty_at_last() -> None:
    places = {"kind": "slots", "at": {"a": [200, 40], "b": [260, 40]}, "size": [36, 46], "holds": "card"}
    views = everything(table(MANY[:4], desk=places))
    assert shown(views, "desk")[-1] == [None, None]


def test_markers_are_laid_apart() -> None:
    (view,) = everything(table(MANY[:2]))
    assert view.zones["score"] == Marks({"red": 0, "blue": 5})
