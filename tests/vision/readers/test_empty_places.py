"""Empty places are recognised by their ground: plain paper has no print, and neighbours cast shadows."""

from __future__ import annotations

from random import Random

from companion.kernel.views import UNKNOWN, Cells, Pieces, View
from vision.accuracy import tables
from vision.layout import from_data
from vision.rendered import LIGHTS, Camera
from vision.table_reader import TableReader

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
RIG = tables.Rig(Camera(height_mm=1050, tilt_degrees=8, tilt_direction=60, hfov=65, k1=-0.02, roll=1.0), "wood")


def test_an_empty_place_is_told_in_every_light_and_a_strange_card_is_not_nothing() -> None:
    rng = Random(3)
    eyes = TableReader(LAYOUT, tables.taught(LAYOUT, RIG, "dim", rng))
    lying = {"0": "bishop", "1": "somebody else", "2": None, "3": "mason", "4": None, "5": None, "6": "nobody known"}
    for light in LIGHTS:
        _, image = tables.shot(LAYOUT, View({"row": Cells(lying)}), RIG, light, rng)
        contents = eyes.look(image).reading.zones["row"].contents
        assert isinstance(contents, Cells)
        assert {place: contents.at[place] for place in "02345"} == {place: lying[place] for place in "02345"}, light
        assert None not in (contents.at["1"], contents.at["6"]), light
        assert UNKNOWN in (contents.at["1"], contents.at["6"]), light


ROOMS = {str(number): [150 + 75 * number, 300] for number in range(10)}
BESIDE = [(0, -27), (0, 27), (-27, 0)]
HOUSES = {
    number: [room[0] + BESIDE[int(number) % 3][0], room[1] + BESIDE[int(number) % 3][1]]
    for number, room in ROOMS.items()
}
SHADED = from_data(
    {
        "name": "rooms",
        "area": {"width": 1000, "height": 600},
        "markers": {"side": 50, "at": {"0": [36, 36], "1": [964, 36], "2": [964, 564], "3": [36, 564]}},
        "pieces": {
            "tile": {"size": [26, 26], "height": 2, "labels": [f"{who} wool{n}" for who in CARDS[:4] for n in (2, 3)]},
            "house": {"size": [16, 16], "height": 18, "labels": ["red house", "green house"]},
        },
        "zones": {
            "rooms": {"kind": "slots", "at": ROOMS, "size": [28, 28], "holds": "tile"},
            "houses": {"kind": "slots", "at": HOUSES, "size": [20, 20], "holds": "house"},
            "ridge": {
                "kind": "slots",
                "at": {str(n): [240 + 30 * n, 470] for n in range(8)},
                "size": [20, 20],
                "holds": "house",
            },
            "store": {"kind": "tray", "rect": [220, 482, 480, 530], "holds": "tile"},
        },
    },
    "rooms",
)


def test_an_empty_place_with_a_houses_shadow_across_it_is_told() -> None:
    rng = Random(8)
    eyes = TableReader(SHADED, tables.taught(SHADED, RIG, "even", rng))
    lying = {place: "bishop wool2" if place in "36" else None for place in ROOMS}
    standing = dict.fromkeys(HOUSES, "red house")
    view = View(
        {
            "rooms": Cells(lying),
            "houses": Cells(standing),
            "ridge": Cells({str(n): "green house" for n in range(8)}),
            "store": Pieces({"abbot wool3": 1}),
        }
    )
    for _ in range(6):
        _, image = tables.shot(SHADED, view, RIG, "one_sided", rng)
        seen = eyes.look(image).reading.zones
        assert seen["rooms"].contents == Cells(lying)
        assert seen["store"].contents == Pieces({"abbot wool3": 1})
