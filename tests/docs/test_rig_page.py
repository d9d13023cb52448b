"""The page about the rig explains every key of the rig file and quotes the real error messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import rig as rigs

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "hardware" / "rig.example.toml"
PAGE = ROOT / "docs" / "rig.md"

MISTAKES = {
    "button = 5 ": "buton = 5 ",
    "pin = 18": "pin = 5",
    "pin = 18 ": "pin = 40 ",
    "light = 16": 'light = "16"',
    'side = "top" ': 'side = "north" ',
    'colour = "blue"\n': "",
    'colour = "yellow"': 'colour = "blue"',
    "seconds = 20": "seconds = 0",
    'source = "pi"': 'source = ""',
    'source = "pi" ': 'source = "webcam" ',
    'source = "pi"  ': 'source = "readings:"  ',
}


@pytest.mark.parametrize(("right", "wrong"), MISTAKES.items())
def test_the_page_quotes_what_the_rig_file_is_told(right: str, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "rig.toml"
    file.write_text(EXAMPLE.read_text().replace(right, wrong))
    with pytest.raises(rigs.RigError) as caught:
        rigs.load(file)
    said = str(caught.value).removeprefix(f"The rig file {file} is not usable: ").rstrip(".")
    assert said.replace("|", "\\|") in PAGE.read_text(encoding="utf-8")


def test_every_key_of_the_rig_file_is_explained() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = page[page.index("| key |") : page.index("A file that cannot be used")]
    parts = (rigs.SeatPins, rigs.BuzzerPin, rigs.BarPins, rigs.Raid, rigs.SourceAndKit, rigs.Serial, rigs.Pins)
    keys = {key for part in parts for key in part.__struct_fields__} | set(rigs.Rig.__struct_fields__)
    assert {key for key in keys if not any(f"{before}{key}" in table for before in ("`", "[", "] "))} == set()
