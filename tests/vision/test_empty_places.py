"""Places of plain paper on which no card lies: told by their ground, for they have no print of their own."""

from __future__ import annotations

from random import Random

from companion.messages import UNKNOWN, Cells, View
from vision import accuracy
from vision.eyes import Eyes
from vision.layout import from_data
from vision.rendered import LIGHTS, Camera

PLACES = {str(number): [180 + 100 * number, 300] for number in range(7)}
CARDS = ["abbot", "bishop", "courier", "deacon", "friar", "jeweller", "mason", "priest", "vicar"]
LAYOUT = from_data(
    {
        "name": "cards",
        "area": {"width": 1000, "height": 600},
        "markers": {"side": 50, "at": {"0": [36, 36], "1": [964, 36], "2": [964, 564], "3": [36, 564]}},
        "pieces": {"card": {"size": [44, 68], "height": 1, "labels": CARDS}},
        "zones": {"row": {"kind": "slots", "at": PLACES, "size": [50, 74], "holds": "card"}},
    },
    "cards",
)
RIG = accuracy.Rig(Camera(height_mm=1050, tilt_degrees=8, tilt_direction=60, hfov=65, k1=-0.02, roll=1.0), "wood")


def test_an_empty_place_is_told_in_every_light_and_a_strange_card_is_not_nothing() -> None:
    rng = Random(3)
    eyes = Eyes(LAYOUT, accuracy.taught(LAYOUT, RIG, "dim", rng))
    lying = {"0": "bishop", "1": "somebody else", "2": None, "3": "mason", "4": None, "5": None, "6": "nobody known"}
    for light in LIGHTS:
        _, image = accuracy.shot(LAYOUT, View({"row": Cells(lying)}), RIG, light, rng)
        contents = eyes.look(image).reading.zones["row"].contents
        assert isinstance(contents, Cells)
        assert {place: contents.at[place] for place in "02345"} == {place: lying[place] for place in "02345"}, light
        assert None not in (contents.at["1"], contents.at["6"]), light
        assert UNKNOWN in (contents.at["1"], contents.at["6"]), light
