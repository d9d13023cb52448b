"""The scene of a View: every piece is there, in its place, as people would put it."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise
from random import Random

import pytest

from companion.games import load
from companion.kernel.views import Cells, Pieces, Pointing, View
from companion.simulation.selfplay import open_table, playing
from vision.layout import Box, Dial, Grid, from_data
from vision.rendered import Piece, scene_of
from vision.rendered.changes import Changing
from vision.rendered.paint import WOOD
from vision.rendered.solids import thing

from .tables import SMALL, TUMULT, small_view, tumult_view


def footprint(piece: Piece, side: float) -> Box:
    return Box((piece.x, piece.y), (side, side), piece.angle)


def test_the_same_seed_lays_the_same_table() -> None:
    assert scene_of(TUMULT, tumult_view(), Random(3)) == scene_of(TUMULT, tumult_view(), Random(3))
    assert scene_of(TUMULT, tumult_view(), Random(3)) != scene_of(TUMULT, tumult_view(), Random(4))


def test_every_field_lies_on_its_own_cell() -> None:
    scene = scene_of(TUMULT, tumult_view(), Random(1))
    land = TUMULT.zones["land"]
    assert isinstance(land, Grid)
    places = land.places()
    assert len(scene.of_zone("land")) == 72
    for piece in scene.of_zone("land"):
        assert places[piece.cell].grown(-10).holds((piece.x, piece.y))


def test_two_statues_on_a_village_are_two_figures_that_do_not_stand_in_each_other() -> None:
    scene = scene_of(TUMULT, tumult_view(), Random(1))
    one, other = (piece for piece in scene.of_zone("statues") if piece.cell == "E3")
    assert one.label == other.label == "yellow"
    assert ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5 > 9
    assert one.lift == 2, "a statue stands on its field, which is 2 mm thick"


def test_thirteen_followers_are_paid_in_tokens() -> None:
    worth = {"follower1": 1, "follower5": 5, "follower10": 10}
    for seed in range(20):
        scene = scene_of(TUMULT, tumult_view(), Random(seed))
        assert sum(worth[piece.label] for piece in scene.of_zone("followers blue")) == 13
        assert sum(worth[piece.label] for piece in scene.of_zone("supply")) == 38


@pytest.mark.parametrize("seed", range(5))
def test_without_mess_loose_tiles_lie_apart_and_inside(seed: int) -> None:
    scene = scene_of(TUMULT, tumult_view(), Random(seed))
    area = TUMULT.zones["middle"].area()
    tiles = scene.of_zone("middle")
    assert Counter(tile.label for tile in tiles) == tumult_view().zones["middle"].count  # type: ignore[union-attr]
    for number, tile in enumerate(tiles):
        corners = footprint(tile, 25).corners()
        assert all(area.holds(corner) for corner in corners)
        for other in tiles[:number]:
            assert not any(footprint(other, 25).holds(corner) for corner in corners)


def test_with_mess_some_tiles_lie_on_others() -> None:
    scene = scene_of(TUMULT, tumult_view(), Random(2), mess=0.6)
    assert any(tile.lift > 0 for tile in scene.of_zone("middle"))


def test_a_zone_too_full_to_keep_tiles_apart_still_holds_them_all() -> None:
    view = View({"odds": Pieces({"sheep": 90})})
    scene = scene_of(SMALL, view, Random(1))
    area = SMALL.zones["odds"].area()
    assert len(scene.pieces) == 90
    assert all(area.holds((piece.x, piece.y)) for piece in scene.pieces)


def test_the_arrow_points_into_the_sector_even_across_the_top() -> None:
    dial = SMALL.zones["mood"]
    assert isinstance(dial, Dial)
    for seed in range(30):
        (arrow,) = scene_of(SMALL, small_view(), Random(seed)).of_zone("mood")
        assert dial.value(arrow.angle) == 1


def test_markers_share_a_field_side_by_side() -> None:
    scene = scene_of(SMALL, small_view(), Random(1))
    assert {piece.label: piece.cell for piece in scene.of_zone("score")} == {"blue": "3", "yellow": "3", "red": "11"}
    blue, yellow = scene.of_zone("score")[:2]
    assert ((blue.x - yellow.x) ** 2 + (blue.y - yellow.y) ** 2) ** 0.5 > 8


def test_zones_that_only_one_side_knows_are_left_out() -> None:
    view = View({"moon": Cells({"A1": "bread1"}), "mood": Pointing(2), "words": Cells({"Z99": "A", "A1": "unknown"})})
    assert [piece.zone for piece in scene_of(SMALL, view, Random(1)).pieces] == ["mood"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_layout_serves_two_to_four_players(players: int) -> None:
    game = load("tumult_royale")
    state, world = open_table(game, players, "random", f"rendered/{players}")
    for number, (_, _, after) in enumerate(islice(playing(game, state, world), 150)):
        view = game.view(after)
        assert view.zones.keys() <= TUMULT.zones.keys()
        if number % 25 == 0:
            lying = scene_of(TUMULT, view, Random(number)).of_zone("land")
            known = [label for label in view.zones["land"].at.values() if label != "unknown"]  # type: ignore[union-attr]
            assert [piece.label for piece in lying] == known


def test_cards_that_lie_upright_lie_side_by_side_where_they_fit() -> None:
    layout = from_data(
        {
            "name": "a row of cards",
            "area": {"width": 400, "height": 200},
            "pieces": {"card": {"size": [44, 67], "height": 0.4}},
            "zones": {"row": {"kind": "tray", "rect": [20, 20, 220, 110], "holds": "card", "turns": False}},
        },
        "a row of cards",
    )
    view = View({"row": Pieces({"card red": 2, "card blue": 2})})
    for seed in range(8):
        cards = scene_of(layout, view, Random(seed)).pieces
        left = sorted(card.x for card in cards)
        assert all(right - one > 40 for one, right in pairwise(left))
        assert all(card.lift == 0 for card in cards)


def test_a_piece_looks_as_the_layout_says_in_words() -> None:
    layout = from_data(
        {
            "name": "a king",
            "area": {"width": 200, "height": 200},
            "pieces": {"figure": {"size": [12, 12], "height": 14, "looks": {"king": "black pawn"}}},
            "zones": {"court": {"kind": "pool", "rect": [20, 20, 120, 120], "holds": "figure"}},
        },
        "a king",
    )
    king = thing("king", layout.zones["court"], layout)
    assert (king.label, king.shape, king.colour) == ("king", "pawn", WOOD["black"])


def test_each_kind_of_goods_is_paid_in_its_own_tokens() -> None:
    worth = {"wool1": 1, "wool5": 5, "iron1": 1, "iron5": 5}
    table = from_data(
        {
            "name": "Goods",
            "area": {"width": 300, "height": 200},
            "pieces": {"good": {"size": [14, 14], "height": 2, "labels": list(worth), "worth": worth}},
            "zones": {"goods": {"kind": "pool", "rect": [20, 20, 280, 180], "holds": "good"}},
        },
        "a test",
    )
    for seed in range(10):
        rng = Random(seed)
        pieces: tuple[Piece, ...] = ()
        for counts in ({"wool": 7, "iron": 6}, {"wool": 2, "iron": 11}, {"iron": 1}):
            pieces = Changing(table, rng).to(View({"goods": Pieces(counts)}), pieces)
            for good in ("wool", "iron"):
                paid = sum(worth[piece.label] for piece in pieces if piece.label.startswith(good))
                assert paid == counts.get(good, 0)
