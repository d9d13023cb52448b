"""The photograph of a rendered table shows the scene's pieces at the plane's places."""

from __future__ import annotations

from random import Random

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.work import cpu_seconds
from vision import layout as layouts
from vision.layout import Box
from vision.plane.plane import from_markers
from vision.rendered import (
    LIGHTS,
    NEEDLE,
    TABLE_TOPS,
    Camera,
    Hand,
    Light,
    Piece,
    Scene,
    any_camera,
    hands_mask,
    picture,
    scene_of,
)
from vision.rendered.artwork import face
from vision.rendered.paint import WOOD, Image
from vision.rendered.solids import thing

from .tables import COLOURS, SMALL, TUMULT, small_view, tumult_view

ABOVE = Camera(height_mm=620, tilt_degrees=6, tilt_direction=120, hfov=62, k1=-0.03, roll=1)
SMALL_SIZE = (960, 540)


def shot(scene: Scene, light: Light = "even", seed: int = 1, hands: tuple[Hand, ...] = ()) -> Image:
    return picture(SMALL, scene, ABOVE, light, Random(seed), hands, SMALL_SIZE)


def changed(one: Image, other: Image) -> Image:
    """White where two pictures differ by more than noise and JPEG do."""
    apart = cv2.GaussianBlur(cv2.absdiff(one, other), (5, 5), 0).max(axis=2)
    return np.asarray(np.where(apart > 14, 255, 0), np.uint8)


def test_the_same_seed_gives_the_same_picture() -> None:
    scene = scene_of(SMALL, small_view(), Random(5), table_top="white")
    assert np.array_equal(shot(scene, seed=7), shot(scene, seed=7))
    assert not np.array_equal(shot(scene, seed=7), shot(scene, seed=8))


def test_a_large_table_is_photographed_as_finely_as_its_layout_asks() -> None:
    large = msgspec.structs.replace(SMALL, picture=(2880, 1620))
    scene = scene_of(large, small_view(), Random(5), table_top="white")
    image = picture(large, scene, ABOVE, "even", Random(1))
    assert image.shape == (1620, 2880, 3)
    plane, true = from_markers(image, large), ABOVE.plane(large.area, large.picture)
    assert np.abs(plane.to_pixels([(20, 20)]) - true.to_pixels([(20, 20)])).max() < 1.5


@pytest.mark.parametrize("light", LIGHTS)
def test_the_plane_is_found_under_every_light(light: Light) -> None:
    rng = Random(f"plane under {light}")
    camera = any_camera(rng, TUMULT)
    scene = scene_of(TUMULT, tumult_view(), rng, table_top="wood")
    plane = from_markers(picture(TUMULT, scene, camera, light, rng), TUMULT)
    assert plane.markers == 4
    assert plane.error_mm < 1
    true = camera.plane(TUMULT.area)
    lying = np.array([(piece.x, piece.y) for piece in scene.pieces])
    assert np.linalg.norm(plane.to_table(true.to_pixels(lying)) - lying, axis=1).max() < 1


def test_lights_differ_as_lights_do() -> None:
    scene = scene_of(SMALL, small_view(), Random(5), table_top="white")
    lit = {light: shot(scene, light).astype(np.float32) for light in LIGHTS}
    assert lit["dim"].mean() < 0.6 * lit["even"].mean()
    blue, _, red = lit["warm"].mean(axis=(0, 1))
    assert blue < 0.8 * red
    grey = lit["one_sided"].mean(axis=2)
    halves = [half.mean() for half in (grey[:, :480], grey[:, 480:], grey[:270], grey[270:])]
    assert max(halves) > 1.2 * min(halves)
    rows = (lit["flicker"] / np.maximum(lit["even"], 1)).mean(axis=(1, 2))
    assert rows.std() > 0.05


@pytest.mark.parametrize("top", TABLE_TOPS)
def test_markers_are_found_on_every_table_top(top: str) -> None:
    scene = msgspec.convert({"pieces": (), "table_top": top, "mats": False}, Scene)
    assert from_markers(shot(scene), SMALL).markers == 4


@pytest.mark.parametrize(
    ("piece", "height"),
    [
        (Piece("Q", 130, 80, 10, "words", "C3"), 4),
        (Piece("blue_pawn", 300, 60, 0, "men", "b"), 11),
        (Piece("black 5", 460, 90, 30, "dice"), 10),
        (Piece("red", 230, 300, 0, "score", "5"), 4),
        (Piece("plague", 150, 220, 45, "odds"), 2),
    ],
    ids=lambda value: value.zone if isinstance(value, Piece) else "",
)
def test_a_piece_is_drawn_where_the_plane_sees_it(piece: Piece, height: float) -> None:
    bare = Scene((), "white")
    difference = changed(shot(Scene((piece,), "white")), shot(bare))
    plane = ABOVE.plane(SMALL.area, SMALL_SIZE)
    x, y = plane.to_pixels([(piece.x, piece.y)], height)[0]
    assert cv2.dilate(difference, np.ones((7, 7)))[round(y), round(x)]
    down, across = np.nonzero(difference)
    # A shadow pulls the middle of what changed a little to one side.
    reach = 12 * plane.scale((piece.x, piece.y))
    assert abs(across.mean() - x) < reach
    assert abs(down.mean() - y) < reach
    assert np.hypot(across - x, down - y).max() < 3.5 * reach


def looks_like(patch: Image, print_: Image) -> float:
    """How alike two pictures are, from -1 to 1, whatever the light; a slight shift is forgiven."""
    inner = cv2.GaussianBlur(print_, (0, 0), 1.5)[4:-4, 4:-4]
    return float(cv2.matchTemplate(cv2.GaussianBlur(patch, (0, 0), 1.0), inner, cv2.TM_CCOEFF_NORMED).max())


def test_every_label_of_tumult_royale_is_drawn() -> None:
    """The view holds every label the game can show: printed ones show their face, statues their colour."""
    scene = scene_of(TUMULT, tumult_view(), Random(9), table_top="white")
    camera = Camera(height_mm=1150, tilt_degrees=5, hfov=62)
    image = picture(TUMULT, scene, camera, "even", Random(1))
    plane = camera.plane(TUMULT.area)
    statues = {(piece.x, piece.y) for piece in scene.of_zone("statues")}
    for piece in scene.pieces:
        what = thing(piece.label, TUMULT.zones[piece.zone], TUMULT)
        if piece.label == NEEDLE:
            continue
        if what.shape:
            x, y = plane.to_pixels([(piece.x, piece.y)], piece.lift + what.height * 0.6)[0]
            seen = image[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].reshape(-1, 3).mean(axis=0)
            assert colour_of(seen) == piece.label
        elif not any(Box((piece.x, piece.y), (34, 34)).holds(statue) for statue in statues):
            print_ = face(what.label, what.family, what.size, 2.0, piece.variant)
            patch = plane.patch(image, Box((piece.x, piece.y), what.size, piece.angle), 2.0, piece.lift + what.height)
            assert looks_like(patch, print_) > 0.75, f"{piece.label} in {piece.zone}"


def colour_of(seen: NDArray[np.float64]) -> str:
    """The statue colour whose hue this is; grey has none."""
    apart = {colour: cosine(seen, np.array(WOOD[colour], np.float64)) for colour in COLOURS}
    return max(apart, key=lambda colour: apart[colour])


def cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_the_arrow_is_dark_along_the_way_it_points() -> None:
    scene = scene_of(SMALL, small_view(), Random(5), table_top="white")
    (arrow,) = scene.of_zone("mood")
    turn = np.radians(arrow.angle)
    along = np.array([[arrow.x + np.sin(turn) * reach, arrow.y - np.cos(turn) * reach] for reach in (12, 18, 24, 30)])
    pixels = ABOVE.plane(SMALL.area, SMALL_SIZE).to_pixels(along, 4)
    grey = cv2.cvtColor(shot(scene), cv2.COLOR_BGR2GRAY)
    assert all(grey[round(y), round(x)] < 100 for x, y in pixels)


def test_any_rig_has_the_whole_area_in_the_picture() -> None:
    for seed in range(40):
        camera = any_camera(Random(seed), TUMULT)
        area = TUMULT.area
        corners = camera.plane(area).to_pixels([(0, 0), (area.width, 0), (area.width, area.height), (0, area.height)])
        assert (corners > 0).all()
        assert (corners < (1920, 1080)).all()
        assert 0 <= camera.tilt_degrees <= 15
        assert np.ptp(corners[:, 1]) > 0.6 * 1080, "the area should fill the picture"


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_hand_covers_what_it_reaches_for_and_comes_from_its_side(side: str) -> None:
    hand = msgspec.convert({"side": side, "over": (300, 170)}, Hand)
    plane = ABOVE.plane(SMALL.area, SMALL_SIZE)
    covered = hands_mask([hand], plane)
    x, y = plane.to_pixels([hand.over], 55)[0]
    assert covered[round(y), round(x)] == 255
    edges = {"left": covered[:, 0], "right": covered[:, -1], "top": covered[0], "bottom": covered[-1]}
    opposite = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}[side]
    assert edges[side].any()
    assert not edges[opposite].any()
    bare = shot(Scene((), "white", mats=False))
    with_hand = changed(shot(Scene((), "white", mats=False), hands=(hand,)), bare)
    inside = cv2.erode(covered, np.ones((9, 9))) > 0
    assert (with_hand[inside] > 0).mean() > 0.97


def test_a_picture_costs_little_more_than_looking_at_it() -> None:
    """As a ratio to one full-frame warp, in CPU time."""
    scene = scene_of(TUMULT, tumult_view(), Random(2), table_top="white")
    camera = Camera(height_mm=1150, hfov=62)
    picture(TUMULT, scene, camera, "even", Random(1))
    frame = np.zeros((1080, 1920, 3), np.uint8)
    slanted = np.array([[1, 0.02, 0], [0.01, 1, 0], [0, 0, 1.0]])
    drawn = cpu_seconds(lambda: picture(TUMULT, scene, camera, "even", Random(1)))
    warped = cpu_seconds(lambda: cv2.warpPerspective(frame, slanted, (1920, 1080)))
    assert drawn < 60 * warped


def test_a_road_is_seen_between_the_zones_it_joins() -> None:
    zones = {name: {"kind": "pool", "rect": [x, 80, x + 40, 120]} for name, x in (("west", 40), ("east", 320))}
    raw = {"name": "a road", "area": {"width": 400, "height": 200}, "zones": zones}
    road = {"lines": [["west", "east"]], "paint": "red", "size": 8}
    bare, drawn = (layouts.from_data({**raw, "drawing": drawing}, "a road") for drawing in ([], [road]))
    camera = Camera(height_mm=500, hfov=60)
    without, with_road = (picture(table, Scene((), "white"), camera, "even", Random(1)) for table in (bare, drawn))
    x, y = camera.plane(bare.area).to_pixels([(200, 100)])[0].round().astype(int)
    assert np.abs(with_road[y, x].astype(int) - without[y, x]).sum() > 100
    assert np.abs(with_road[y - 60, x].astype(int) - without[y - 60, x]).sum() < 40
