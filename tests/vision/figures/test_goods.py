"""Small goods in a heap: black pawns, yellow cubes and grey ones, touching, in each other's shadows."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.kernel.views import Pieces, View
from vision.accuracy import tables
from vision.rendered import Light
from vision.table_reader import TableReader

from .pools import RIG, pools

LOOKS = {"ink": "black pawn", "gold": "yellow cube", "stone": "grey cube"}
HEAPS = pools(LOOKS, 12, 12, (150, 90), [(120 + 195 * (n % 4), 110 + 130 * (n // 4)) for n in range(12)])
LIGHTS: tuple[Light, ...] = ("one_sided", "flicker", "one_sided", "dim", "one_sided")


def test_heaps_of_goods_are_counted_in_any_light() -> None:
    rng = Random(3)
    eyes = TableReader(HEAPS, tables.taught(HEAPS, RIG, "even", rng))
    read: Counter[str] = Counter()
    for light in LIGHTS:
        heaps = {name: Pieces({good: rng.randint(1, 5) for good in LOOKS}) for name in HEAPS.zones}
        _, image = tables.shot(HEAPS, View(dict(heaps)), RIG, light, rng)
        for name, seen in eyes.look(image).reading.zones.items():
            read["unknown" if seen.contents is None else "exact" if seen.contents == heaps[name] else "wrong"] += 1
    assert read["wrong"] == 0
    assert read["exact"] >= 58, read
