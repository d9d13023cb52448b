"""Many figures close together: each is named by its own look, not by its neighbours'."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.kernel.views import Pieces, View
from vision.accuracy import tables
from vision.rendered import Light
from vision.table_reader import TableReader

from .pools import RIG, pools

SHAPES = {"pillar": "statue", "architect": "pawn", "merchant": "meeple"}
LOOKS = {f"{paint} {who}": f"{paint} {SHAPES[who]}" for paint in ("red", "green", "orange", "purple") for who in SHAPES}
CITIES = pools(LOOKS, 16, 18, (78, 56), [(150 + 150 * (n % 5), 120 + 200 * (n // 5)) for n in range(10)])
LIGHTS: tuple[Light, ...] = ("even", "dim", "warm", "flicker")


def test_architects_and_merchants_of_four_players_in_one_small_city_are_told_apart() -> None:
    rng = Random(5)
    eyes = TableReader(CITIES, tables.taught(CITIES, RIG, "even", rng))
    everybody = {label: 1 for label in LOOKS if not label.endswith("pillar")}
    read: Counter[str] = Counter()
    for light in LIGHTS:
        _, image = tables.shot(CITIES, View({city: Pieces(everybody) for city in CITIES.zones}), RIG, light, rng)
        for seen in eyes.look(image).reading.zones.values():
            read[
                "unknown" if seen.contents is None else "exact" if seen.contents == Pieces(everybody) else "wrong"
            ] += 1
    assert read["wrong"] == 0
    assert read["exact"] >= 32
