"""An untaught piece is unknown, or read as a similar one; after its description one picture teaches it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec
import pytest

from companion import games
from companion.kernel.messages import NewPiece
from companion.kernel.views import UNKNOWN, Cells, View
from vision import layout as layouts
from vision.accuracy.tables import Rig, shot, taught
from vision.kit.kit import Kit
from vision.picture.table_picture import locate
from vision.plane.plane import Image
from vision.rendered import any_camera
from vision.table_reader import TableReader

WHOLE = layouts.load(games.load("council_of_four").box_file.with_name("layout.toml"))
FEW = tuple(f"permit {letters}" for letters in ("A", "B", "D", "AB", "AE", "BC", "ABC", "CDE"))
TABLE = msgspec.structs.replace(
    WHOLE,
    zones={"permits": WHOLE.zones["permits"]},
    pieces={"permit": msgspec.structs.replace(WHOLE.pieces["permit"], labels=FEW)},
    drawing=(),
)
CE = NewPiece("CE", "permit", "permit CE", "CE points3")
RIG = Rig(any_camera(Random(5), TABLE), "wood")
LIES: Mapping[str, str | None] = {
    "coast 1": CE.label,
    "coast 2": "permit AE",
    "hills 1": "permit D",
    "hills 2": None,
    "mountains 1": None,
    "mountains 2": None,
}


def seen(seed: int) -> Image:
    image: Image = shot(TABLE.grown([CE]), View({"permits": Cells(dict(LIES))}), RIG, "even", Random(seed))[1]
    return image


def read(kit: Kit, seed: int) -> dict[str, str | None]:
    contents = TableReader(TABLE, kit).look(seen(seed)).reading.zones["permits"].contents
    assert isinstance(contents, Cells)
    return contents.at


@pytest.fixture(scope="module")
def kit() -> Kit:
    return taught(TABLE, RIG, "even", Random(7))


def test_it_is_read_after_one_lesson_and_so_is_the_one_that_it_was_taken_for(kit: Kit) -> None:
    for seed in range(3):
        before = read(kit, seed)
        assert before["coast 1"] in (UNKNOWN, "permit AE")
        assert before == {**LIES, "coast 1": before["coast 1"]}
    kit.show(locate(seen(3), TABLE), {"permits": {"coast 1": CE.label}})
    kit.derive()
    for seed in range(4, 7):
        assert read(kit, seed) == LIES
