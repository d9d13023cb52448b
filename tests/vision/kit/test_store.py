"""What a kit's folder keeps: what follows from its pictures is kept until they, the layout or the eyes change."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.cli import main
from vision import layout as layouts
from vision.kit import store
from vision.kit.kit import Kit, KitError
from vision.picture.table_picture import open_picture
from vision.table_reader import TableReader

SAMPLES = Path(__file__).resolve().parents[3] / "docs" / "samples"
TABLE = layouts.load(SAMPLES / "table.toml")
LESSON: dict[str, Any] = json.loads((SAMPLES / "lesson.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLES / "kit" / "teachings", tmp_path / "kit" / "teachings")
    return tmp_path / "kit"


def refuse(*_: object) -> Kit:
    raise AssertionError("The kit was derived anew.")


def test_a_kit_is_derived_once_and_reads_the_same_from_then_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = open_picture(SAMPLES / "table.jpg")
    derived = TableReader(TABLE, store.load(folder, TABLE)).look(image).reading
    monkeypatch.setattr(store, "opened", refuse)
    kept = store.load(folder, TABLE)
    assert [teaching.name for teaching in kept.teachings] == ["lesson.jpg"]
    assert TableReader(TABLE, kept).look(image).reading == derived


def _another_layout(folder: Path) -> layouts.Layout:
    return msgspec.structs.replace(TABLE, name="another")


def _another_picture(folder: Path) -> layouts.Layout:
    os.utime(folder / "teachings" / "001.picture", ns=(1, 1))
    return TABLE


def _cut(folder: Path) -> layouts.Layout:
    path = folder / store.DERIVED
    path.write_bytes(path.read_bytes()[:-40])
    return TABLE


def _harmful(folder: Path) -> layouts.Layout:
    """A file that would run a command if it were read like any other."""

    class Harm:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(folder / "harm"),)

    path = folder / store.DERIVED
    key, _, _ = path.read_bytes().partition(b"\n")
    path.write_bytes(key + b"\n" + pickle.dumps({"faces": Harm()}))
    return TABLE


@pytest.mark.parametrize("change", [_another_layout, _another_picture, _cut, _harmful])
def test_it_is_derived_anew_when_something_changed(folder: Path, change: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    store.load(folder, TABLE)
    layout = change(folder)
    monkeypatch.setattr(store, "opened", refuse)
    with pytest.raises(AssertionError, match="derived anew"):
        store.load(folder, layout)
    assert not (folder / "harm").exists()


def test_newer_eyes_derive_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.load(folder, TABLE)
    monkeypatch.setattr(store, "_eyes", lambda: b"newer")
    monkeypatch.setattr(store, "opened", refuse)
    with pytest.raises(AssertionError, match="derived anew"):
        store.load(folder, TABLE)


@pytest.mark.parametrize(
    ("zone", "place"), [("board", "'B1' of zone 'board'"), ("camp", "'A' of zone 'camp'")], ids=["flat", "standing"]
)
def test_a_label_that_the_layout_does_not_have_is_refused_with_its_place(tmp_path: Path, zone: str, place: str) -> None:
    name = place.split("'")[1]
    named = {family: msgspec.structs.replace(piece, labels=("bread1",)) for family, piece in TABLE.pieces.items()}
    truth = {zone: {name: "bred1"}}
    with pytest.raises(KitError, match=f"puts 'bred1' on {place}, and the layout has no such piece"):
        store.teach(tmp_path / "kit", msgspec.structs.replace(TABLE, pieces=named), SAMPLES / "lesson.jpg", truth)
    assert not (tmp_path / "kit").exists()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda image: (image * 0.25).astype(np.uint8), "too dark to teach from"),
        (lambda image: _blurred_inside(image), "too blurred to teach from"),
    ],
    ids=["dark", "blurred"],
)
def test_a_poor_picture_is_refused_with_what_to_do(tmp_path: Path, spoil: Any, said: str) -> None:
    picture = tmp_path / "poor.png"
    image = open_picture(SAMPLES / "lesson.jpg")
    corners = [tuple(point) for point in _corners(image)]
    cv2.imwrite(str(picture), spoil(image))
    with pytest.raises(KitError, match=rf"{said}.*take the picture again"):
        store.teach(tmp_path / "kit", TABLE, picture, LESSON, corners)


def _blurred_inside(image: np.ndarray) -> np.ndarray:
    return cv2.GaussianBlur(image, (0, 0), 12)


def _corners(image: np.ndarray) -> np.ndarray:
    from vision.plane.plane import from_markers

    area = TABLE.area
    plane = from_markers(image, TABLE)
    return plane.to_pixels([(0, 0), (area.width, 0), (area.width, area.height), (0, area.height)])


def test_teaching_tells_what_the_kit_saw_only_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["teach", str(SAMPLES / "lesson.jpg"), "--layout", str(SAMPLES / "table.toml"), "--json", "--truth"]
    kit = ["--kit", str(tmp_path / "kit")]
    assert main([*command, str(SAMPLES / "lesson.json"), *kit]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["readable"]
    assert told["zones"]["board"]["bread1"]["examples"] == 2
    assert any("tool2" in sentence for sentence in told["says"])

    assert main(["kit", str(tmp_path / "kit"), "--json"]) == 0, "the kit knows its layout"
    checked = json.loads(capsys.readouterr().out)
    assert checked["readable"]
    assert checked["labels"]["tool2"] == {
        "examples": 1,
        "told_apart": 1.0,
        "confused_with": {},
        "expected_error": None,
    }


def test_two_pictures_that_contradict_each_other_are_both_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same table again in a second picture, in whose truth two tiles changed places."""
    again = tmp_path / "again.png"
    cv2.imwrite(str(again), open_picture(SAMPLES / "lesson.jpg"))
    swapped = json.loads(json.dumps(LESSON))
    labels = {"bread1": "marble1", "marble1": "bread1"}
    swapped["board"] = {cell: labels.get(label, label) for cell, label in LESSON["board"].items()}
    (tmp_path / "swapped.json").write_text(json.dumps(swapped), encoding="utf-8")
    layout, kit = ["--layout", str(SAMPLES / "table.toml")], ["--kit", str(tmp_path / "kit")]
    assert main(["teach", str(SAMPLES / "lesson.jpg"), *layout, *kit, "--truth", str(SAMPLES / "lesson.json")]) == 0
    assert main(["teach", str(again), *layout, *kit, "--truth", str(tmp_path / "swapped.json")]) == 2
    said = capsys.readouterr().err
    assert "again.png" in said
    assert "lesson.jpg" in said
    assert len(list((tmp_path / "kit" / "teachings").glob("*.json"))) == 1
