"""The rig file is loaded, and its problems are reported in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.rig import DEFAULT, Rig, RigError, SeatPins, load

EXAMPLE = Path(__file__).parents[2] / "hardware" / "rig.example.toml"


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "rig.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RigError) as caught:
        load(path)
    sentence = str(caught.value)
    assert str(path) in sentence
    assert sentence.endswith(".")
    return sentence


def test_the_example_is_the_default_rig() -> None:
    assert load(EXAMPLE) == DEFAULT
    assert list(DEFAULT.remarks()) == []


@pytest.mark.parametrize(
    ("colours", "places"),
    [
        (["grey", "blue"], {"grey": 0, "blue": 1}),
        (["purple"], {"purple": 0}),
        (["red", "yellow", "green", "blue"], {"blue": 0, "yellow": 1, "purple": 2, "grey": 3}),
        (["yellow", "red"], {"blue": 0, "yellow": 1}),
        (["red", "yellow", "green", "blue", "grey"], {"yellow": 1, "blue": 3, "grey": 4}),
        ([], {}),
    ],
)
def test_colours_have_their_places_and_those_of_other_games_take_them_in_order(
    colours: list[str], places: dict[str, int]
) -> None:
    assert DEFAULT.places(colours) == places
    sides = {seat.colour: seat.side for seat in DEFAULT.seats}
    assert DEFAULT.sides(colours) == {number: sides[place] for place, number in places.items()}


def test_a_rig_with_too_few_places_goes_by_colour() -> None:
    rig = Rig(seats=(SeatPins("blue"), SeatPins("purple")))
    assert rig.places(["blue", "yellow", "purple"]) == {"blue": 0, "purple": 2}
    assert Rig().places(["blue", "yellow"]) == {}


@pytest.mark.parametrize("source", ["pi:1", "usb:/dev/video2", "picture:table.png", "readings:/run/seen", "none"])
def test_every_way_of_seeing_is_accepted(tmp_path: Path, source: str) -> None:
    (tmp_path / "rig.toml").write_text(f'[camera]\nsource = "{source}"\n', encoding="utf-8")
    assert load(tmp_path / "rig.toml").camera.source == source


@pytest.mark.parametrize("source", ["None", " none ", "NONE"])
def test_capitals_and_blanks_around_a_camera_do_not_matter(tmp_path: Path, source: str) -> None:
    (tmp_path / "rig.toml").write_text(f'[camera]\nsource = "{source}"\n', encoding="utf-8")
    assert load(tmp_path / "rig.toml").camera.names.kind == "none"


def test_a_refused_camera_does_not_tell_its_password(tmp_path: Path) -> None:
    said = refused(tmp_path, '[camera]\nsource = "cam:rtsp://anna:geheim@10.0.0.7/table?pwd=geheim"\n')
    assert "'cam:rtsp://…@10.0.0.7/table?…' is none of pi" in said


def test_a_rig_may_have_next_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text('[camera]\nsource = "none"\n', encoding="utf-8")
    assert load(tmp_path / "rig.toml").seats == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '[buzzer]\npin = 17\n[[seats]]\ncolour = "red"\nbutton = 17\n',
            "GPIO 17 is used by the button of seat red and by the buzzer",
        ),
        ("[buzer]\npin = 17\n", "unknown key `buzer` (did you mean `buzzer`?)"),
        ('[[seats]]\ncolour = "red"\nbuton = 4\n', "seat 1: unknown key `buton` (did you mean `button`?)"),
        ('[buzzer]\npin = "seventeen"\n', "buzzer.pin: Expected `int | null`, got `str`"),
        ("[buzzer]\npin = 40\n", "GPIO 40 (the buzzer) is no pin of the header; choose from 2 to 27"),
        ('[[seats]]\ncolour = "red"\n[[seats]]\ncolour = "red"\n', "there are 2 seats of the colour red"),
        ('[[seats]]\ncolour = " "\n', "a seat has no colour"),
        ("[raid]\nseconds = 0\n", "a raid of 0 seconds is not between 1 and 600"),
        ("[bar]\npins = [4, 4]\n", "GPIO 4 is used by light 1 of the bar and by light 2 of the bar"),
        ('[pins]\nbackend = "magic"\n', "pins.backend: 'magic' is none of auto, lgpio, rpigpio, mock, none"),
        ('[[seats]]\ncolour = "red"\nside = "north"\n', "seat 1.side: 'north' is none of top, right, bottom, left"),
        ('[camera]\nsource = ""\n', "the camera has no source"),
        ('[camera]\nsource = "webcam:0"\n', "the camera 'webcam:0' is none of pi, usb,"),
        ('[camera]\nsource = "readings"\n', "readings need a path"),
        ('[[seats]]\ncolour = "red"\nboard_button = 1\n', "but [serial] names no port"),
        (
            '[serial]\nport = "auto"\n[[seats]]\ncolour = "red"\nboard_button = 9\n',
            "the board has no button 9 (seat red); it has 1 to 6",
        ),
        (
            '[serial]\nport = "auto"\n[[seats]]\ncolour = "red"\nboard_button = 1\n'
            '[[seats]]\ncolour = "blue"\nboard_button = 1\n',
            "button 1 of the board is used by seat red and by seat blue",
        ),
        ("seats = [", "is not valid TOML"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, says: str) -> None:
    assert says in refused(tmp_path, text)


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    sentence = refused(tmp_path, "[buzzer]\npin = 40\n[raid]\nseconds = 0\n")
    assert "GPIO 40" in sentence
    assert "0 seconds" in sentence


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RigError, match="cannot be read: No such file"):
        load(tmp_path / "nowhere.toml")


def test_pins_that_the_system_uses_are_remarked_upon() -> None:
    rig = Rig(buzzer=DEFAULT.buzzer.__class__(14))
    assert list(rig.problems()) == []
    assert any("the serial console" in remark for remark in rig.remarks())
