"""Deciding when the table may be read: hands, lamps and pieces on a table drawn with numpy."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.work import cpu_seconds
from vision.cameras.camera import Frame, Image
from vision.layout import Layout, from_data
from vision.picture.motion import Lookout, Stillness
from vision.plane.plane import Plane, from_corners

SKIN = (120, 150, 205)
RATE = 10.0

LAYOUT: Layout = from_data(
    {
        "name": "four castles",
        "area": {"width": 900, "height": 600},
        "zones": {
            "north": {"kind": "tray", "rect": [350, 40, 550, 180]},
            "east": {"kind": "tray", "rect": [700, 220, 860, 380]},
            "south": {"kind": "tray", "rect": [350, 420, 550, 560]},
            "west": {"kind": "tray", "rect": [40, 220, 200, 380]},
            "middle": {"kind": "dice", "rect": [350, 220, 550, 380]},
        },
    },
    "test",
)
CORNERS = [(240.0, 60.0), (1680.0, 60.0), (1680.0, 1020.0), (240.0, 1020.0)]
PLANE: Plane = from_corners(CORNERS, LAYOUT, (1920, 1080))

TO_SMALL = 320 / 1920


def mm(x: float, y: float) -> tuple[int, int]:
    """A table point in the small picture."""
    seen = PLANE.to_pixels([(x, y)])[0] * TO_SMALL
    return round(float(seen[0])), round(float(seen[1]))


def bare_table() -> Image:
    down, right = np.mgrid[0:180, 0:320]
    grain = 12 * np.sin(down / 3.0 + np.sin(right / 40.0)) + 6 * np.sin(right / 9.0)
    image = np.stack([80 + grain, 110 + grain, 150 + grain], axis=-1)
    rng = np.random.default_rng(7)
    table = np.asarray(np.clip(image, 0, 255), np.uint8)
    for _ in range(40):
        x, y = int(rng.integers(60, 260)), int(rng.integers(20, 160))
        colour = [int(value) for value in rng.integers(30, 230, 3)]
        cv2.rectangle(table, (x, y), (x + 8, y + 8), colour, -1)
    return table


TABLE = bare_table()


def arm(
    image: Image, start: tuple[float, float], end: tuple[float, float], colour: tuple[int, int, int] = SKIN
) -> Image:
    """An arm from one table point to another, with a fist at its end."""
    drawn = image.copy()
    cv2.line(drawn, mm(*start), mm(*end), (60, 40, 35), 16)
    cv2.circle(drawn, mm(*end), 13, colour, -1)
    return drawn


def piece(image: Image, x: float, y: float, colour: tuple[int, int, int] = (30, 30, 200)) -> Image:
    drawn = image.copy()
    left, top = mm(x - 15, y - 15)
    right, bottom = mm(x + 15, y + 15)
    cv2.rectangle(drawn, (left, top), (right, bottom), colour, -1)
    return drawn


@cache
def sensor_noise(shape: tuple[int, ...], seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(0, 1, shape).astype(np.float32)


class Evening:
    """A lookout, fed ten noisy frames a second."""

    def __init__(self, noise: float = 2.0, plane: Plane | None = PLANE) -> None:
        self.lookout = Lookout(LAYOUT, plane)
        self.noise = noise
        self.at = 0.0
        self.number = 0
        self.rng = np.random.default_rng(1)

    def shows(self, image: Image, gain: float | Image = 1.0) -> Stillness:
        grain = sensor_noise(image.shape, int(self.rng.integers(16))) * np.float32(self.noise)
        lit = (image if isinstance(gain, float) and gain == 1.0 else image * gain) + grain
        self.number += 1
        self.at = self.number / RATE
        return self.lookout.look(Frame(np.asarray(np.clip(lit, 0, 255), np.uint8), self.at, self.number))

    def stays(self, image: Image, seconds: float, gain: float | Image = 1.0) -> list[Stillness]:
        return [self.shows(image, gain) for _ in range(round(seconds * RATE))]


def test_a_quiet_table_becomes_readable_after_its_time_and_stays_so() -> None:
    seen = Evening().stays(TABLE, 3.0)
    assert seen[3].readable() == ()
    assert all(set(now.readable()) == set(LAYOUT.zones) for now in seen[4:])
    assert not any(now.hands for now in seen)


@pytest.mark.parametrize(
    ("side", "start", "end", "zone"),
    [
        ("top", (450, -60), (450, 110), "north"),
        ("right", (960, 300), (780, 300), "east"),
        ("bottom", (450, 660), (450, 490), "south"),
        ("left", (-60, 300), (120, 300), "west"),
    ],
)
def test_an_arm_covers_a_castle_and_comes_from_its_players_side(
    side: str, start: tuple[float, float], end: tuple[float, float], zone: str
) -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    reaching = [
        evening.shows(arm(TABLE, start, (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)))
        for part in (0.3, 0.6, 0.9, 1.0)
    ]
    held = evening.stays(arm(TABLE, start, end), 2.0)
    assert not any(zone in now.readable() for now in reaching[2:] + held)
    for now in held:
        assert now.zones[zone].state == "covered"
        assert now.zones[zone].side == side
        assert [hand.side for hand in now.hands] == [side]
        assert "middle" in now.readable(), "a hand over one castle does not stop the reading of the middle"
    gone = evening.stays(TABLE, 1.0)
    assert zone not in gone[1].readable()
    assert zone in gone[-1].readable()


def test_two_arms_from_two_sides_are_two_hands() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    both = arm(arm(TABLE, (450, -60), (450, 110)), (450, 660), (450, 490))
    hands = evening.stays(both, 0.5)[-1].hands
    assert {(hand.side, hand.zones) for hand in hands} == {("top", ("north",)), ("bottom", ("south",))}


def test_a_piece_put_down_is_readable_soon_after_the_hand_has_left() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    placed = piece(TABLE, 420, 300)
    evening.stays(arm(placed, (450, 660), (430, 320)), 0.6)
    after = evening.stays(placed, 3.0)
    assert next(index for index, now in enumerate(after) if "middle" in now.readable()) <= 7
    assert not any(now.hands for now in after)
    assert "middle" in evening.stays(placed, 1.0)[-1].readable()


def test_a_die_still_rolling_is_not_read() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    for step in range(8):
        now = evening.shows(piece(TABLE, 380 + 18 * step, 300))
        assert now.zones["middle"].state == "moving"
        assert "west" in now.readable()
    assert "middle" in evening.stays(piece(TABLE, 380 + 18 * 7, 300), 1.0)[-1].readable()


def test_a_hand_that_sinks_slowly_is_noticed_as_moving_or_covering() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    for step in range(30):
        now = evening.shows(arm(TABLE, (450, 660), (450, 600 - 4 * step)))
        if 600 - 4 * step < 530:
            assert "south" not in now.readable()


@pytest.mark.parametrize("gain", [0.45, 0.7, 0.85, 1.2, 1.5])
def test_a_lamp_switched_is_no_hand(gain: float) -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    seen = evening.stays(TABLE, 1.0, gain)
    assert not any(now.hands for now in seen)
    assert seen[0].light
    assert all(zone.state == "still" for zone in seen[-1].zones.values())
    assert len(seen[-1].readable()) == len(LAYOUT.zones)


def one_sided(left: float, right: float) -> Image:
    """A lamp at one side: its gain falls over the table."""
    across = np.linspace(left, right, 320)[None, :, None]
    down = np.linspace(1.0, 0.93, 180)[:, None, None]
    return np.asarray(across * down)


def test_a_lamp_at_one_side_is_no_hand_and_a_hand_in_its_light_is_one() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    lit = one_sided(1.5, 0.8)
    seen = evening.stays(TABLE, 1.0, lit)
    assert not any(now.hands for now in seen)
    assert len(seen[-1].readable()) == len(LAYOUT.zones)
    hands = evening.stays(arm(TABLE, (960, 300), (780, 300)), 0.5, lit)[-1].hands
    assert [hand.side for hand in hands] == ["right"]


def test_a_passing_cloud_and_flicker_leave_the_table_readable() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    for step in range(60):
        cloud = 1 - 0.35 * np.sin(step / 60 * np.pi)
        flicker = 1 + 0.03 * (-1) ** step
        now = evening.shows(TABLE, cloud * flicker)
        assert not now.hands
        assert len(now.readable()) == len(LAYOUT.zones)


def test_an_arm_that_comes_while_the_lamp_is_switched_is_still_an_arm() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    now = evening.stays(arm(TABLE, (450, 660), (450, 490)), 0.6, 0.7)[-1]
    assert [hand.side for hand in now.hands] == ["bottom"]
    assert "south" not in now.readable()


def test_an_arm_resting_on_the_table_stays_an_arm_and_leaves_no_ghost() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    resting = arm(TABLE, (960, 300), (780, 300))
    assert all(now.zones["east"].state == "covered" for now in evening.stays(resting, 8.0)[1:])
    evening.stays(resting, 5.0)
    gone = evening.stays(TABLE, 1.2)
    assert "east" in gone[-1].readable()


def test_a_bare_hand_in_a_sleeve_like_the_table_is_not_taken_for_a_piece() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    fist = TABLE.copy()
    cv2.circle(fist, mm(450, 300), 16, SKIN, -1)
    seen = evening.stays(fist, 1.5)
    assert not any("middle" in now.readable() for now in seen)


def test_a_bumped_rig_is_no_hand_and_the_table_is_learnt_anew() -> None:
    evening = Evening()
    textured = np.random.default_rng(3).integers(0, 255, (180, 320, 3)).astype(np.uint8)
    textured = np.asarray(cv2.blur(textured, (5, 5)), np.uint8)
    stretched = np.clip((textured.astype(float) - 128) * 3 + 128, 0, 255).astype(np.uint8)
    evening.stays(stretched, 1.0)
    shifted = np.roll(stretched, (9, 14), (0, 1))
    seen = evening.stays(shifted, 2.5)
    assert not any(now.hands for now in seen)
    assert len(seen[-1].readable()) == len(LAYOUT.zones)


def test_a_zone_out_of_the_picture_is_never_readable() -> None:
    far = from_corners([(x + 1300, y) for x, y in CORNERS], LAYOUT, (1920, 1080))
    now = Evening(plane=far).stays(TABLE, 1.0)[-1]
    assert now.zones["east"].state == "covered"
    assert "east" not in now.readable()


def test_without_a_plane_arms_are_still_seen() -> None:
    evening = Evening(plane=None)
    evening.stays(TABLE, 1.0)
    now = evening.stays(arm(TABLE, (450, 700), (450, 400)), 0.5)[-1]
    assert [hand.side for hand in now.hands] == ["bottom"]
    assert now.zones == {}


def test_a_new_plane_or_another_picture_size_starts_afresh() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    evening.lookout.use(PLANE)
    assert evening.shows(TABLE).readable() == ()
    bigger = cv2.resize(TABLE, (640, 360))
    assert evening.shows(np.asarray(bigger, np.uint8)).readable() == ()
    assert len(evening.stays(np.asarray(bigger, np.uint8), 1.0)[-1].readable()) == 5


@settings(max_examples=15, deadline=None)
@given(
    gain=st.floats(0.5, 1.6),
    slope=st.floats(-0.25, 0.25),
    noise=st.floats(0, 4),
)
def test_no_smooth_change_of_light_ever_makes_a_hand(gain: float, slope: float, noise: float) -> None:
    evening = Evening(noise=noise)
    evening.stays(TABLE, 0.5)
    assert not any(now.hands for now in evening.stays(TABLE, 0.5, one_sided(gain * (1 + slope), gain * (1 - slope))))


def test_looking_at_an_idle_table_costs_next_to_nothing() -> None:
    evening = Evening()
    evening.stays(TABLE, 1.0)
    frames = [np.asarray(np.clip(TABLE + evening.rng.normal(0, 2, TABLE.shape), 0, 255), np.uint8) for _ in range(40)]
    queue = iter([Frame(image, 1.1 + 0.1 * index, index) for index, image in enumerate(frames)])
    idle = cpu_seconds(lambda: evening.lookout.look(next(queue)), 40)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    large = cv2.resize(TABLE, (1920, 1080), interpolation=cv2.INTER_CUBIC)
    full = np.asarray(np.clip(large + evening.rng.normal(0, 3, large.shape), 0, 255), np.uint8)
    floor = cpu_seconds(lambda: detector.detectMarkers(full))
    assert idle / floor <= 0.1, f"{idle * 1000:.2f} ms against {floor * 1000:.1f} ms"
