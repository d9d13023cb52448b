"""Reading after teaching from a few pictures: our rendered tables, and independent bench pictures."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import cv2
import pytest

from companion import games
from companion.cli import main
from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Pieces, Pointing, View
from companion.simulation.selfplay import open_table, playing
from vision import layout as layouts
from vision.accuracy import tables
from vision.kit import store
from vision.kit.kit import KitError, Teaching
from vision.kit.store import load, teach
from vision.kit.teaching_tables import everything
from vision.layout import Layout, from_data
from vision.picture.table_picture import open_picture
from vision.rendered import Camera, Scene, any_camera, picture, scene_of
from vision.table_reader import TableReader

from .bench_table import LAYOUT, TABLES, with_photos

SAMPLES = Path(__file__).resolve().parents[2] / "docs" / "samples"
LETTERS = layouts.from_data(
    {
        "name": "letters",
        "area": {"width": 500, "height": 500},
        "pieces": {"letter": {"size": [28, 28], "height": 4}},
        "zones": {
            "board": {
                "kind": "grid",
                "rect": [25, 25, 475, 475],
                "columns": 15,
                "rows": 15,
                "holds": "letter",
                "turns": False,
            }
        },
    },
    "letters",
)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def cells_of(layout: Layout, scene: Scene, zone: str) -> dict[str, str | None]:
    lying = {piece.cell: piece.label for piece in scene.of_zone(zone)}
    return {cell: lying.get(cell) for cell in layout.zones[zone].places()}  # type: ignore[union-attr]


def letters_scene(rng: Random, letters: str, filled: float) -> Scene:
    cells = list(LETTERS.zones["board"].places())  # type: ignore[union-attr]
    chosen = rng.sample(cells, round(len(cells) * filled))
    at: dict[str, str | None] = {cell: rng.choice(ALPHABET) for cell in chosen}
    at |= dict(zip(chosen, letters, strict=False))
    return scene_of(LETTERS, View({"board": Cells(at)}), rng)


def as_read(zone: dict[str, Any]) -> ZoneReading:
    """A zone as the command line prints it."""
    kind, told = zone["kind"], zone["contents"]
    if told is None:
        return ZoneReading(kind, None)
    if isinstance(told, list):
        found = tuple(Found(one["label"], one["x"], one["y"]) for one in told)
        return ZoneReading(kind, Pieces(dict(Counter(one.label for one in found))), 1.0, found)
    return ZoneReading(kind, Pointing(told["value"]) if kind == "dial" else Cells(told))


def test_one_taught_scene_is_enough_to_read_others_in_any_light(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = games.load("tumult_royale").box_file.with_name("layout.toml")
    layout, rng = layouts.load(file), Random(21)
    rig = tables.Rig(any_camera(rng, layout), "cloth")
    (lesson,) = everything(layout)
    scene, image = tables.shot(layout, lesson, rig, "warm", rng)
    cv2.imwrite(str(tmp_path / "lesson.png"), image)
    truth = {n: t for n, t in tables.truth_of(layout, scene, lesson).items() if layout.zones[n].kind != "dial"}
    (tmp_path / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    common = ["--layout", str(file), "--kit", str(tmp_path / "kit"), "--json"]
    assert main(["teach", str(tmp_path / "lesson.png"), "--truth", str(tmp_path / "truth.json"), *common]) == 0
    capsys.readouterr()
    game = games.load("tumult_royale")
    state, world = open_table(game, 3, "keen", "one scene", {})
    views = [game.view(after) for _, _, after in playing(game, state, world) if after.phase == "placing"]
    total: Counter[str] = Counter()
    for light in ("dim", "one_sided", "flicker"):
        view = rng.choice(views)
        scene, image = tables.shot(layout, view, rig, light, rng)
        cv2.imwrite(str(tmp_path / "table.png"), image)
        assert main(["read", str(tmp_path / "table.png"), *common]) == 0
        read = json.loads(capsys.readouterr().out)["zones"]
        seen = {name: as_read(zone) for name, zone in read.items()}
        shares = tables.compared(layout, tables.truth_of(layout, scene, view), seen, tables.stood_on(layout, scene))
        for (_, verdict), number in shares.items():
            total[verdict] += number
    assert total["wrong"] == 0
    assert total["exact"] >= 0.95 * total.total()


@pytest.mark.parametrize("light", ["dim", pytest.param("warm", marks=pytest.mark.proof)])
def test_fifteen_by_fifteen_letters_are_read_through_the_command_line_alone(
    light: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = Random(7)
    camera = Camera(height_mm=800, tilt_degrees=4, tilt_direction=60, hfov=62, k1=0.0, roll=0.5)
    plane = camera.plane(LETTERS.area, (1920, 1080))
    corners = [f"{x:.1f},{y:.1f}" for x, y in plane.to_pixels([(0, 0), (500, 0), (500, 500), (0, 500)])]
    (tmp_path / "letters.toml").write_text(
        'name = "letters"\n[area]\nwidth = 500\nheight = 500\n[pieces.letter]\nsize = [28, 28]\nheight = 4\n'
        '[zones.board]\nkind = "grid"\nrect = [25, 25, 475, 475]\ncolumns = 15\nrows = 15\nholds = "letter"\n'
        "turns = false\n",
        encoding="utf-8",
    )
    layout, kit = ["--layout", str(tmp_path / "letters.toml")], ["--kit", str(tmp_path / "kit")]
    scene = letters_scene(rng, ALPHABET * 2, 0.6)
    cv2.imwrite(str(tmp_path / "teach.png"), picture(LETTERS, scene, camera, light, rng))
    (tmp_path / "truth.json").write_text(json.dumps({"board": cells_of(LETTERS, scene, "board")}))
    taught = ["teach", str(tmp_path / "teach.png"), "--truth", str(tmp_path / "truth.json"), *layout, *kit]
    assert main([*taught, "--corners", *corners, "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["learned"]) == set(ALPHABET)

    scene = letters_scene(rng, "", 0.5)
    cv2.imwrite(str(tmp_path / "read.png"), picture(LETTERS, scene, camera, light, rng))
    reading = ["read", str(tmp_path / "read.png"), *layout, *kit, "--corners", *corners]
    assert main([*reading, "--overlay", str(tmp_path / "overlay.png"), "--json"]) == 0
    board = json.loads(capsys.readouterr().out)["zones"]["board"]
    truth = cells_of(LETTERS, scene, "board")
    told = Counter(
        "unknown" if board["contents"][cell] == UNKNOWN else board["contents"][cell] == label
        for cell, label in truth.items()
    )
    assert told[False] == 0
    assert told[True] >= 0.97 * len(truth), told
    assert open_picture(tmp_path / "overlay.png").shape == (1080, 1920, 3)


@with_photos
@pytest.mark.parametrize("rig", [1, 3, *(pytest.param(rig, marks=pytest.mark.proof) for rig in (2, 4, 5))])
def test_bench_tables_are_read_right_after_two_teaching_pictures(rig: int, tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_bytes((TABLES / "layout.json").read_bytes())
    (tmp_path / f"rig{rig}").symlink_to(TABLES / f"rig{rig}")
    told = tables.tables(tmp_path)
    assert not any(number for (_, verdict), number in told.items() if verdict == "wrong"), told
    assert told["slots", "exact"] >= 0.9 * sum(number for (kind, _), number in told.items() if kind == "slots")
    assert told["grid", "exact"] >= 0.97 * (told["grid", "exact"] + told["grid", "unknown"])
    assert told["tray", "exact"] > 15
    assert told["tray", "unknown"] == 0
    assert told["track", "exact"] >= 0.9 * (told["track", "exact"] + told["track", "unknown"])
    assert told["dial", "exact"] == 4


def test_what_was_never_taught_stays_unknown() -> None:
    rng = Random(3)
    camera = any_camera(rng, LAYOUT)
    scene = scene_of(LAYOUT, View({"grid": Cells({"r1c1": "bread1"})}), rng)
    seen = TableReader(LAYOUT).look(picture(LAYOUT, scene, camera, "even", rng)).reading
    assert seen.zones["grid"].contents is None
    assert seen.zones["tray"].contents is None


class TestTeaching:
    @pytest.fixture
    def shown(self, tmp_path: Path) -> Path:
        """A picture of one tile on the bench table."""
        rng = Random(5)
        scene = scene_of(LAYOUT, View({"grid": Cells({"r1c1": "bread1"})}), rng)
        path = tmp_path / "shown.png"
        cv2.imwrite(str(path), picture(LAYOUT, scene, any_camera(rng, LAYOUT), "even", rng))
        return path

    def test_a_kit_is_opened_again_with_what_it_was_taught(self, shown: Path, tmp_path: Path) -> None:
        teach(tmp_path / "kit", LAYOUT, shown, {"grid": {"r1c1": "bread1", "r1c2": None}})
        again = load(tmp_path / "kit", LAYOUT)
        assert [teaching.name for teaching in again.teachings] == ["shown.png"]
        assert again.faces["tile"].taught

    @pytest.mark.parametrize("damaged", ["001.json", "001.picture"])
    def test_a_damaged_lesson_is_moved_aside_and_the_kit_opens_without_it(
        self, shown: Path, tmp_path: Path, damaged: str
    ) -> None:
        truth = {"grid": {"r1c1": "bread1", "r1c2": None}}
        teach(tmp_path / "kit", LAYOUT, shown, truth)
        path = tmp_path / "kit" / "teachings" / damaged
        path.write_bytes(path.read_bytes()[:-40])
        assert load(tmp_path / "kit", LAYOUT).teachings == []
        assert path.with_name(f"{damaged}.damaged-1").exists()

    def test_two_who_teach_at_once_overwrite_nothing(self, shown: Path, tmp_path: Path) -> None:
        """Both opened the kit before the other's lesson was written."""
        folder, other = tmp_path / "kit" / "teachings", tmp_path / "other.png"
        other.write_bytes(shown.read_bytes() + b" ")
        together = threading.Barrier(2)

        def lesson(picture: Path) -> None:
            together.wait(60)
            store._keep(folder, picture, Teaching(picture.name, store._digest(picture), {"grid": {"r1c1": "bread1"}}))

        people = [threading.Thread(target=lesson, args=(picture,)) for picture in (shown, other)]
        for one in people:
            one.start()
        for one in people:
            one.join(60)
        names = {teaching.name for teaching in load(tmp_path / "kit", LAYOUT).teachings}
        assert names == {"shown.png", "other.png"}

    def test_the_same_picture_twice_teaches_nothing_new(self, shown: Path, tmp_path: Path) -> None:
        teach(tmp_path / "kit", LAYOUT, shown, {"grid": {"r1c1": "bread1"}})
        _, gained = teach(tmp_path / "kit", LAYOUT, shown, {"grid": {"r1c1": "bread1"}})
        assert not gained

    def test_the_same_picture_with_another_truth_is_refused_naming_both(self, shown: Path, tmp_path: Path) -> None:
        teach(tmp_path / "kit", LAYOUT, shown, {"grid": {"r1c1": "bread1"}})
        other = shown.with_name("other.png")
        other.write_bytes(shown.read_bytes())
        with pytest.raises(KitError, match=r"shown\.png.*other\.png"):
            teach(tmp_path / "kit", LAYOUT, other, {"grid": {"r1c1": "tool3"}})

    @pytest.mark.parametrize(
        ("truth", "said"),
        [
            ({"cellar": {}}, "zone 'cellar'"),
            ({"grid": {"z9": "bread1"}}, "'z9' in zone 'grid'"),
            ({"grid": ["bread1"]}, "zone 'grid' should name"),
            ({"tray": [{"label": "bread1"}]}, "zone 'tray' should list"),
            ({"tray": [{"label": "bread1", "x": 5, "y": 5}]}, "outside zone 'tray'"),
            ({"track": {"red": 99}}, "field 99 of 'track'"),
        ],
    )
    def test_a_truth_that_cannot_be_is_refused_and_nothing_is_written(
        self, shown: Path, tmp_path: Path, truth: dict[str, Any], said: str
    ) -> None:
        with pytest.raises(KitError, match=said):
            teach(tmp_path / "kit", LAYOUT, shown, truth)
        assert not (tmp_path / "kit").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read"), (b"", "is not a picture"), (b"\xff\xd8\xff\xe0 cut", "is not a picture")],
)
def test_a_picture_that_is_none_is_refused_with_one_sentence(
    content: bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "picture.jpg"
    if content is not None:
        path.write_bytes(content)
    layout = Path(layouts.__file__).parent.parent / "companion" / "games" / "tumult_royale" / "layout.toml"
    assert main(["read", str(path), "--layout", str(layout), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(("language", "said"), [("en_GB", "The kit is missing"), ("de_DE", "Das Kit fehlt")])
@pytest.mark.parametrize("kit", ["none", "empty"])
def test_without_a_kit_one_sentence_says_how_to_teach_one(
    kit: str, language: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setenv("LC_ALL", language)
    table = [str(SAMPLES / "table.jpg"), "--layout", str(SAMPLES / "table.toml")]
    assert main(["read", *table, *(["--kit", str(tmp_path)] if kit == "empty" else []), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(said)
    assert f"companion teach IMAGE --layout {SAMPLES / 'table.toml'} --kit FOLDER" in captured.err


def test_dice_alone_are_read_without_a_kit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = (SAMPLES / "table.toml").read_text(encoding="utf-8")
    before, dice = whole[: whole.index("[zones.board]")], whole[whole.index("[zones.dice]") :]
    (tmp_path / "dice.toml").write_text(before + dice, encoding="utf-8")
    assert main(["read", str(SAMPLES / "table.jpg"), "--layout", str(tmp_path / "dice.toml"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["zones"]["dice"]["contents"]
    assert sorted(die["value"] for die in found) == [1, 3, 5, 6]


def test_the_number_an_arrow_points_at_is_no_place_that_it_covers() -> None:
    table = from_data(
        {
            "name": "A dial and places with numbers",
            "area": {"width": 300, "height": 200},
            "pieces": {"tile": {"size": [26, 26], "height": 2, "labels": ["A"]}},
            "zones": {
                "dial": {
                    "kind": "dial",
                    "centre": [220, 100],
                    "radius": 40,
                    "sectors": [{"value": 1, "start": 0, "end": 360}],
                },
                "places": {"kind": "slots", "at": {"1": [60, 100]}, "size": [28, 28], "holds": "tile"},
            },
        },
        "a test",
    )
    view = View({"dial": Pointing(1), "places": Cells({"1": "A"})})
    scene = scene_of(table, view, Random(1))
    assert tables.stood_on(table, scene) == frozenset()
    unread = {"places": ZoneReading("slots", None, 0.0)}
    assert tables.compared(table, {"places": {"1": "A"}}, unread) == {("slots", "unknown"): 1}
