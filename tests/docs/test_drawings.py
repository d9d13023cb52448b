"""The drawings show the default rig, in words that can be read on a phone."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hardware import rig as rigs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
EXAMPLE = ROOT / "hardware" / "rig.example.toml"
SVG = "{http://www.w3.org/2000/svg}"
DRAWINGS = {"wiring.svg": "make_wiring.py", "wiring-parts.svg": "make_close_ups.py", "rig.svg": "make_rig.py"}


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DOCS / "tools" / script), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def pins(drawing: Path) -> dict[int, str]:
    """The words in the drawing at each pin of the header, and the title of the row."""
    groups = [group for group in ET.parse(drawing).iter(f"{SVG}g") if group.get("id", "").startswith("pin-")]
    return {int(group.get("id", "")[4:]): " | ".join(group.itertext()).replace("\n", " ") for group in groups}


@pytest.mark.parametrize(("drawing", "script"), DRAWINGS.items())
def test_every_drawing_is_what_its_script_draws(drawing: str, script: str, tmp_path: Path) -> None:
    done = run(script, "--out", tmp_path / drawing)
    assert done.stderr == ""
    assert (tmp_path / drawing).read_text() == (DOCS / drawing).read_text(), f"run python docs/{script} and commit"


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_every_word_is_large_enough_for_a_phone(drawing: str) -> None:
    root = ET.parse(DOCS / drawing).getroot()
    shrunk = 360 / int(root.get("width", ""))
    assert min(int(word.get("font-size", "")) for word in root.iter(f"{SVG}text")) * shrunk >= 9.5


def test_the_example_is_the_rig_that_is_drawn() -> None:
    assert rigs.load(EXAMPLE) == rigs.DEFAULT


def test_every_pin_of_the_rig_is_drawn_beside_its_part() -> None:
    expected = {rigs.DEFAULT.buzzer.pin: "piezo buzzer"}
    for seat in rigs.DEFAULT.seats:
        expected |= {seat.button: f"{seat.colour} button", seat.light: f"{seat.colour} light"}
    expected |= {pin: f"time bar {number}" for number, pin in enumerate(rigs.DEFAULT.bar.pins, 1)}
    assert expected.keys() == {pin for pin, _ in rigs.DEFAULT.uses()}
    rows = pins(DOCS / "wiring.svg").values()
    for pin, part in expected.items():
        [row] = [row for row in rows if f"| GPIO {pin} |" in row]
        assert f"| {part} " in row


def test_a_pin_without_a_part_is_drawn_without_a_wire() -> None:
    used = {f"GPIO {pin}" for pin, _ in rigs.DEFAULT.uses()}
    for group in ET.parse(DOCS / "wiring.svg").iter(f"{SVG}g"):
        words = {word.text for word in group.iter(f"{SVG}text")}
        wired = group.find(f"{SVG}polyline") is not None
        assert wired == bool(words & used), group.get("id")


def test_the_header_is_that_of_a_pi() -> None:
    rows = pins(DOCS / "wiring.svg")
    assert sorted(rows) == list(range(1, 41))
    names = {place: row.split(": ")[1].split(" |")[0].split(",")[0] for place, row in rows.items()}
    assert {place for place, name in names.items() if name == "ground"} == {6, 9, 14, 20, 25, 30, 34, 39}
    assert {place for place, name in names.items() if name == "5 V"} == {2, 4}
    assert {place for place, name in names.items() if name == "3.3 V"} == {1, 17}
    assert {name for name in names.values() if "GPIO" in name} == {f"GPIO {number}" for number in range(28)}
    known = {3: 2, 7: 4, 8: 14, 11: 17, 12: 18, 13: 27, 16: 23, 22: 25, 26: 7, 29: 5, 32: 12, 35: 19, 37: 26, 40: 21}
    assert {place: names[place] for place in known} == {place: f"GPIO {number}" for place, number in known.items()}


def test_a_rig_of_your_own_is_drawn_too(tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text(EXAMPLE.read_text().replace("pin = 18", "pin = 12"))
    assert run("make_wiring.py", "--rig", tmp_path / "rig.toml", "--out", tmp_path / "mine.svg").returncode == 0
    rows = pins(tmp_path / "mine.svg")
    assert "piezo buzzer" in rows[32]
    assert "piezo buzzer" not in rows[12]


def test_a_rig_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path) -> None:
    done = run("make_wiring.py", "--rig", tmp_path / "none.toml", "--out", tmp_path / "mine.svg")
    assert done.returncode == 1
    assert done.stderr == f"The rig file {tmp_path / 'none.toml'} cannot be read: No such file or directory.\n"
    assert not (tmp_path / "mine.svg").exists()
