"""A stage shows the changes of a table and moves nothing else, so that a watcher can read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice, pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import load
from companion.kernel.messages import Reading
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View, differences
from companion.simulation.selfplay import open_table, playing
from vision.accuracy.tables import Rig, taught, truth_of
from vision.layout import Layout, Tray
from vision.rendered import Camera, Piece, Scene, hands_mask
from vision.rendered.changes import LOOSE_CHANGE, changed, fewest
from vision.rendered.stage import Stage, act, watch
from vision.table_reader import TableReader
from vision.watcher import TableWatcher

from .tables import SMALL, TUMULT, small_view, tumult_view

CAMERA = Camera(height_mm=960, tilt_degrees=5, tilt_direction=60, hfov=64, roll=0.6)
WORTH = {"follower1": 1, "follower5": 5, "follower10": 10}


@cache
def evening(players: int, moves: int) -> tuple[View, ...]:
    """The positions of a game, each different from the one before; what lies face up is known from the start."""
    game = load("tumult_royale")
    state, world = open_table(game, players, "keen", f"stage/{players}")
    played = [state, *(after for _, _, after in islice(playing(game, state, world), moves))]
    land = game.view(played[-1]).zones["land"]
    assert isinstance(land, Cells)
    views = [_known(game.view(one), land) for one in played]
    return (views[0], *(after for before, after in pairwise(views) if after != before))


def _known(view: View, land: Cells) -> View:
    now = view.zones["land"]
    assert isinstance(now, Cells)
    cells = {cell: land.at[cell] if label == UNKNOWN else label for cell, label in now.at.items()}
    return View({**view.zones, "land": Cells(cells)})


def shown(layout: Layout, scene: Scene, view: View) -> View:
    """What lies on the table, in the words of a View."""
    truth = truth_of(layout, scene, view)
    return View({name: _shown(contents, truth[name]) for name, contents in view.zones.items()})


def _shown(contents: Contents, true: object) -> Contents:
    match contents, true:
        case Cells(), dict():
            return Cells(true)
        case Marks(), dict():
            return Marks(true)
        case Pointing(), int() | None:
            return Pointing(true)
        case Pieces(), list():
            counts: Counter[str] = Counter()
            for piece in true:
                label = piece["label"]
                counts["follower" if label in WORTH else label] += WORTH.get(label, 1)
            return Pieces(dict(counts))
        case _:
            raise AssertionError(f"{contents} and {true} do not belong together")


def stage_with(view: View, layout: Layout = TUMULT, seed: int = 1) -> Stage:
    stage = Stage(layout, CAMERA, "even", Random(seed))
    stage.lay(view)
    return stage


def of_zones(scene: Scene, but: Collection[str] = ()) -> set[Piece]:
    return {piece for piece in scene.pieces if piece.zone not in but}


def labels(pieces: Collection[Piece]) -> Counter[str]:
    return Counter(piece.label for piece in pieces)


def moves_of(before: View, after: View) -> Iterator[str]:
    return (name for name in after.zones if before.zones.get(name) != after.zones[name])


@pytest.mark.parametrize("players", [2, 4])
def test_through_a_whole_evening_the_table_shows_each_position_and_nothing_else_moves(players: int) -> None:
    first, *positions = evening(players, 260)
    stage = stage_with(first)
    before = first
    for view in positions:
        lay = stage.scene
        touched = stage.change(view)
        assert not differences(shown(TUMULT, stage.scene, view), view)
        others = [name for name in TUMULT.zones if name not in set(moves_of(before, view))]
        assert not {*touched} & {*others}
        assert of_zones(lay, touched) == of_zones(stage.scene, touched)
        for name in touched:
            if isinstance(TUMULT.zones[name], Tray):
                was, now = {*lay.of_zone(name)}, {*stage.scene.of_zone(name)}
                assert len(was - now) == (labels(was) - labels(now)).total(), "only what went is not where it lay"
        before = view


def test_the_same_seed_plays_the_same_evening_however_often_the_camera_looks() -> None:
    first, *positions = evening(2, 60)
    watched, alone = stage_with(first), stage_with(first)
    camera = watched.camera()
    for number, view in enumerate(positions):
        if number < 2:
            camera.small()
        assert [*watched.change(view).items()] == [*alone.change(view).items()]
    assert watched.scene == alone.scene


def test_in_a_tray_only_what_came_or_went_changes() -> None:
    stage = stage_with(View({"middle": Pieces({"bread1": 3, "tool2": 2, "back": 5})}))
    before = {*stage.scene.pieces}
    stage.change(View({"middle": Pieces({"bread1": 2, "tool2": 2, "back": 5, "marble1": 1, "marble2": 1})}))
    after = {*stage.scene.pieces}
    assert [piece.label for piece in before - after] == ["bread1"]
    assert sorted(piece.label for piece in after - before) == ["marble1", "marble2"]


def test_a_tile_that_is_turned_over_stays_about_where_it_lay() -> None:
    stage = stage_with(View({"middle": Pieces({"bread1": 3, "back": 9})}))
    before = {*stage.scene.pieces}
    stage.change(View({"middle": Pieces({"bread1": 3, "tool3": 1, "back": 8})}))
    after = {*stage.scene.pieces}
    (was,), (now,) = before - after, after - before
    assert (was.label, now.label) == ("back", "tool3")
    assert 0 < np.hypot(was.x - now.x, was.y - now.y) < 6


def test_a_full_tray_is_pushed_together_to_make_room() -> None:
    stage = stage_with(View({"castle blue": Pieces({"bread1": 6})}))
    stage.change(View({"castle blue": Pieces({"bread1": 6, "back": 48})}))
    tiles = stage.scene.of_zone("castle blue")
    assert Counter(tile.label for tile in tiles) == {"bread1": 6, "back": 48}
    gaps = [np.hypot(a.x - b.x, a.y - b.y) for n, a in enumerate(tiles) for b in tiles[:n]]
    assert min(gaps) > 20


def test_a_heap_that_is_spread_holds_the_same_pieces_in_other_places() -> None:
    stage = stage_with(View({"middle": Pieces({"bread1": 3, "back": 9}), "castle blue": Pieces({"tool1": 2})}))
    before = stage.scene
    stage.spread(["middle"])
    moved = [(was, now) for was, now in zip(before.pieces, stage.scene.pieces, strict=True) if was != now]
    assert {was.zone for was, _ in moved} == {"middle"}
    assert len(moved) == 12
    assert Counter(was.label for was, _ in moved) == Counter(now.label for _, now in moved)


def test_a_board_is_turned_up_where_it_lies_and_statues_stand_on_it() -> None:
    stage = stage_with(View({"land": Cells({"A1": "back", "B1": "meadow"}), "statues": Cells({"B1": "blue"})}))
    (back,) = (piece for piece in stage.scene.pieces if piece.label == "back")
    (blue,) = stage.scene.of_zone("statues")
    cells = Cells({"A1": "grey x2", "B1": "blue"})
    stage.change(View({"land": Cells({"A1": "castle", "B1": UNKNOWN}), "statues": cells}))
    castle, meadow = stage.scene.of_zone("land")
    assert (castle.label, castle.x, castle.y, castle.angle) == ("castle", back.x, back.y, back.angle)
    assert meadow.label == "meadow", "what a View does not know is left alone"
    assert blue in stage.scene.pieces
    assert [(piece.label, piece.lift) for piece in stage.scene.of_zone("statues")] == [("grey", 2.0)] * 2 + [
        ("blue", 2.0)
    ]


def test_an_arrow_stays_unless_its_value_changes_or_somebody_turns_it() -> None:
    stage = stage_with(View({"disc": Pointing(3)}))
    (arrow,) = stage.scene.pieces
    for value in (3, None):
        assert stage.change(View({"disc": Pointing(value)})) == {}
    assert stage.scene.pieces == (arrow,)
    stage.turn("disc", 3)
    (again,) = stage.scene.pieces
    assert again.cell == "3"
    assert abs(again.angle - arrow.angle) > 15
    assert [*stage.change(View({"disc": Pointing(5)}))] == ["disc"]
    assert stage.scene.pieces[0].cell == "5"


def test_a_marker_moves_along_its_track_and_the_others_stand_still() -> None:
    first = small_view()
    marks = first.zones["score"]
    assert isinstance(marks, Marks)
    stage = stage_with(first, SMALL)
    before = {piece.label: piece for piece in stage.scene.of_zone("score")}
    mover, *rest = marks.field
    free = next(int(field) for field in SMALL.zones["score"].at if int(field) not in marks.field.values())  # type: ignore[union-attr]
    stage.change(View({"score": Marks({**marks.field, mover: free})}))
    after = {piece.label: piece for piece in stage.scene.of_zone("score")}
    assert after[mover].cell == str(free)
    alone = [one for one in rest if marks.field[one] != marks.field[mover]]
    assert [after[one] for one in alone] == [before[one] for one in alone]


@given(st.dictionaries(st.sampled_from(sorted(WORTH)), st.integers(0, 8)), st.integers(0, 120))
def test_tokens_are_paid_with_what_is_there(have: dict[str, int], total: int) -> None:
    paid = changed(have, total, WORTH)
    assert sum(WORTH[token] * number for token, number in paid.items()) == total
    assert all(number > 0 for number in paid.values())
    assert paid == +Counter(have) or paid.total() <= fewest(total, WORTH).total() + LOOSE_CHANGE


def test_one_token_more_leaves_the_others_alone() -> None:
    assert changed({"follower10": 1, "follower1": 1}, 12, WORTH) == {"follower10": 1, "follower1": 2}
    assert changed({"follower5": 2}, 9, WORTH) == {"follower5": 1, "follower1": 4}


def test_frames_of_one_moment_differ_by_noise_alone_and_hands_come_and_go() -> None:
    stage = stage_with(tumult_view())
    camera = stage.camera()
    one, other = camera.full(), camera.full()
    off = one.image.astype(int) - other.image
    assert 0.5 < off.std() < 6
    assert abs(off).max() < 40
    small = camera.small()
    assert small is not None
    assert small.size == (320, 180)
    assert abs(small.image.astype(int) - one.shrunk().image).max() <= 4
    stage.wait(0.3)
    stage.reach(["middle", "land", "statues"])
    assert len(stage.hands) == 2, "one hand for what lies over each other"
    covered = camera.full()
    assert covered.at == pytest.approx(0.3)
    under = hands_mask(stage.hands, CAMERA.plane(TUMULT.area)) > 0
    assert abs(covered.image.astype(int) - one.image)[under].mean() > 20
    stage.withdraw()
    assert abs(camera.full().image.astype(int) - one.image).max() < 40


def test_a_picture_of_what_has_changed_is_the_one_that_a_fresh_look_would_take() -> None:
    before, after = evening(2, 2)[:2]
    used, fresh = stage_with(before), stage_with(before)
    used.camera().full()
    used.reach(used.change(after))
    used.camera().full()
    used.withdraw()
    fresh.scene = used.scene
    # Each picture has noise of its own.
    fresh.camera().full()
    fresh.camera().full()
    assert (used.camera().full().image == fresh.camera().full().image).all()


@cache
def reader() -> TableReader:
    return TableReader(TUMULT, taught(TUMULT, Rig(CAMERA, "wood"), "even", Random(2)))


def seen(readings: list[Reading], view: View) -> None:
    """The last Reading knows every zone of the View, and agrees with it."""
    last = readings[-1]
    assert not [name for name in view.zones if last.zones[name].contents is None]
    assert not differences(last.view(), view)


def test_a_table_watcher_follows_a_real_game_move_by_move() -> None:
    first, *positions = evening(4, 120)[-26:]
    stage = stage_with(first)
    watcher = TableWatcher(stage.camera(), reader())
    seen(watch(watcher, stage), first)
    for view in positions:
        before = stage.scene
        told = act(watcher, stage, view)
        touched = {piece.zone for piece in {*before.pieces} ^ {*stage.scene.pieces}}
        assert of_zones(before, touched) == of_zones(stage.scene, touched)
        if touched:
            assert all(any(reading.zones[name].covered for reading in told) for name in touched)
            seen(told, view)


def test_a_hand_covers_its_zone_until_it_is_withdrawn() -> None:
    view = evening(4, 120)[-1]
    stage = stage_with(view)
    watcher = TableWatcher(stage.camera(), reader())
    (first,) = watch(watcher, stage)
    assert not any(zone.covered for zone in first.zones.values())
    stage.reach(["castle grey"])
    told = watch(watcher, stage, 1.2)
    assert told[-1].zones["castle grey"].covered
    assert not told[-1].zones["castle yellow"].covered
    stage.withdraw()
    seen(watch(watcher, stage), view)


def test_a_change_without_a_hand_is_read_after_three_frames() -> None:
    stage = stage_with(View({"disc": Pointing(3)}))
    watcher = TableWatcher(stage.camera(), TableReader(TUMULT))
    watch(watcher, stage)
    before = stage.now, watcher.status.full_frames
    stage.turn("disc", 5)
    told = watch(watcher, stage)
    assert told[-1].zones["disc"].contents == Pointing(5)
    assert stage.now - before[0] == pytest.approx(1.2)
    assert watcher.status.full_frames - before[1] == 2
