"""A dial's sensor: the layout turns the arrow's sector into the label there."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.daemon.hardware_link import DialLabels
from companion.daemon.journal_folder import Opened
from companion.kernel.messages import Signal
from vision.layout import Dial, load

from .tiny import GAME, TWO, TinyTable, now, press

DISC = Signal("dial", "disc", 1.0, value=1)


@pytest.fixture
def heard() -> list[Signal]:
    return []


@pytest.fixture
def dials(tmp_path: Path, heard: list[Signal]) -> DialLabels:
    dials = DialLabels(heard.append)
    dials.opened(Opened(GAME, TinyTable.begin(GAME, tmp_path / "a.journal", TWO.seats, {}, now)))
    return dials


def test_every_sector_is_what_the_camera_would_read_in_its_middle(dials: DialLabels, heard: list[Signal]) -> None:
    zone = load(GAME.box_file.with_name("layout.toml")).zones["disc"]
    assert isinstance(zone, Dial)
    for sector in range(1, len(zone.sectors) + 1):
        dials.put(msgspec.structs.replace(DISC, value=sector))
    middles = [(sector.start + sector.end) / 2 for sector in zone.sectors]
    assert [signal.value for signal in heard] == [zone.value(middle) for middle in middles]
    assert heard[0].value == 2
    assert {(signal.kind, signal.source, signal.at) for signal in heard} == {("dial", "disc", 1.0)}


@pytest.mark.parametrize(
    "strange", [{"value": 0}, {"value": 5}, {"value": None}, {"source": "wheel"}], ids=["none", "many", "lost", "other"]
)
def test_a_sector_that_the_layout_does_not_have_means_nothing_and_is_told(
    dials: DialLabels, heard: list[Signal], strange: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    dials.put(msgspec.structs.replace(DISC, **strange))
    assert heard[0].value is None
    assert "The layout has no sector" in caplog.text


def test_other_signals_pass_as_they_are(dials: DialLabels, heard: list[Signal]) -> None:
    timer = Signal("timer", "raid stopped", 1.0, value=3)
    dials.put(press())
    dials.put(timer)
    assert heard == [press(), timer]
