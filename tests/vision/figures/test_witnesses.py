"""Two witnesses: the feet that were found and the paint that is seen must agree on how many figures there are."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from vision.figures.areas import CELL, SCALE, View, colours_of, leans
from vision.figures.colours import Colours
from vision.figures.finder import Found, Seen
from vision.figures.paint import Paints
from vision.figures.witnesses import by_colour
from vision.layout import Box, Piece, Point
from vision.picture.background import lab

BLUE, YELLOW, GREY, GREEN = (0.75, 0.3, 0.1), (0.1, 0.7, 0.85), (0.45, 0.45, 0.45), (0.3, 0.7, 0.4)
WHITE, BLACK = (0.88, 0.91, 0.92), (0.12, 0.11, 0.12)
SIDE = 96
PIECE = Piece((9.0, 9.0), 10.0)
WIDE = 12
"""Pixels of a figure's side: 9 mm."""


def view(*squares: tuple[int, int, tuple[float, float, float]]) -> View:
    """A green area right below the camera with painted squares at these pixels."""
    seen = np.full((SIDE, SIDE, 3), GREEN, np.float32)
    for x, y, paint in squares:
        seen[y : y + WIDE, x : x + WIDE] = paint
    box = Box((0.0, 0.0), (SIDE / SCALE, SIDE / SCALE))
    known = np.zeros((SIDE // CELL, SIDE // CELL), bool)
    lean = leans((0.0, 0.0, 1000.0), known, box.at(0, 0), 0.0, SCALE)
    return View(box, SCALE, seen, seen, known, lean, colours_of(seen), known)


def foot(x: int, y: int) -> Point:
    return Box((0.0, 0.0), (SIDE / SCALE, SIDE / SCALE)).at((x + WIDE / 2) / SCALE, (y + WIDE / 2) / SCALE)


def figure(x: int, y: int, paint: tuple[float, float, float], clear: float = 0.8) -> Found:
    colour = lab(np.asarray([[paint]], np.float32))[0, 0]
    return Found(foot(x, y), clear, 81.0, colour, clear < 0.4, False)


@pytest.fixture(scope="module")
def colours() -> Colours:
    return Colours(["blue", "yellow", "grey"], [figure(40, 40, paint) for paint in (BLUE, YELLOW, GREY)])


@pytest.fixture(scope="module")
def paints(colours: Colours) -> Paints:
    made = Paints(colours.known)
    for number, paint in enumerate((BLUE, YELLOW, GREY)):
        made.learn(number, [(view((40, 40, paint)), foot(40, 40))], 10.0)
    return made


def test_grey_is_no_witness(paints: Paints) -> None:
    assert set(paints.strong) == {0, 1}


def test_feet_with_their_paint_are_figures(colours: Colours, paints: Paints) -> None:
    shown = view((10, 10, BLUE), (60, 60, YELLOW))
    seen = Seen(shown, (figure(10, 10, BLUE), figure(60, 60, YELLOW)), np.zeros((24, 24), np.int32), PIECE)
    assert {(guess.label, guess.sure) for guess in by_colour(seen, colours, paints, 10.0)} == {
        ("blue", True),
        ("yellow", True),
    }


def test_one_foot_under_the_paint_of_two_is_doubtful(colours: Colours, paints: Paints) -> None:
    shown = view((30, 30, BLUE), (42, 30, BLUE))
    one = Seen(shown, (figure(30, 30, BLUE),), np.zeros((24, 24), np.int32), PIECE)
    assert not any(guess.sure for guess in by_colour(one, colours, paints, 10.0))
    both = Seen(shown, (figure(30, 30, BLUE), figure(42, 30, BLUE)), np.zeros((24, 24), np.int32), PIECE)
    assert [guess.sure for guess in by_colour(both, colours, paints, 10.0)] == [True, True]


def test_paint_without_a_foot_is_doubtful(colours: Colours, paints: Paints) -> None:
    (guess,) = by_colour(Seen(view((30, 30, BLUE)), (), np.zeros((24, 24), np.int32), PIECE), colours, paints, 10.0)
    assert (guess.label, guess.sure) == ("blue", False)
    assert np.hypot(guess.x - foot(30, 30)[0], guess.y - foot(30, 30)[1]) < 3


def test_a_faint_foot_on_green_print_is_nothing(colours: Colours, paints: Paints) -> None:
    seen = Seen(view(), (figure(30, 30, GREEN, clear=0.2),), np.zeros((24, 24), np.int32), PIECE)
    assert by_colour(seen, colours, paints, 10.0) == []


def test_a_grey_figure_is_told_by_its_foot_alone(colours: Colours, paints: Paints) -> None:
    clear = Seen(view((30, 30, GREY)), (figure(30, 30, GREY),), np.zeros((24, 24), np.int32), PIECE)
    assert [(guess.label, guess.sure) for guess in by_colour(clear, colours, paints, 10.0)] == [("grey", True)]
    faint = Seen(view((30, 30, GREY)), (figure(30, 30, GREY, clear=0.3),), np.zeros((24, 24), np.int32), PIECE)
    assert [(guess.label, guess.sure) for guess in by_colour(faint, colours, paints, 10.0)] == [("grey", False)]


def on_known_ground(shown: View) -> View:
    """The same, where it is known how the area looks empty."""
    known = np.ones_like(shown.known)
    return structs.replace(shown, known=known, ground=np.full((SIDE, SIDE, 3), GREEN, np.float32))


@pytest.fixture(scope="module")
def with_white_and_black() -> tuple[Colours, Paints]:
    every = (BLUE, WHITE, BLACK)
    colours = Colours(["blue", "white", "black"], [figure(40, 40, paint) for paint in every])
    made = Paints(colours.known)
    for number, paint in enumerate(every):
        made.learn(number, [(view((40, 40, paint)), foot(40, 40))], 10.0)
    return colours, made


@pytest.mark.parametrize(("paint", "label"), [(WHITE, "white"), (BLACK, "black")])
def test_a_faint_white_or_black_figure_on_a_cloth_is_told_by_its_paint(
    with_white_and_black: tuple[Colours, Paints], paint: tuple[float, float, float], label: str
) -> None:
    cloth = on_known_ground(view((30, 30, paint)))
    faint = structs.replace(figure(30, 30, paint, clear=0.3), on_known=True)
    seen = Seen(cloth, (faint,), np.zeros((24, 24), np.int32), PIECE)
    assert [(guess.label, guess.sure) for guess in by_colour(seen, *with_white_and_black, 10.0)] == [(label, True)]
    nobody = Seen(cloth, (), np.zeros((24, 24), np.int32), PIECE)
    assert [(guess.label, guess.sure) for guess in by_colour(nobody, *with_white_and_black, 10.0)] == [(label, False)]


def test_a_grey_figure_whose_foot_seems_to_stand_beneath_its_black_neighbour_is_not_overlooked() -> None:
    every = (YELLOW, GREY, BLACK)
    colours = Colours(["gold", "stone", "ink"], [figure(40, 40, paint) for paint in every])
    paints = Paints(colours.known)
    for number, paint in enumerate(every):
        paints.learn(number, [(view((40, 40, paint)), foot(40, 40))], 10.0)
    ink = structs.replace(figure(42, 30, BLACK, clear=0.75), on_known=True)
    stone = structs.replace(figure(38, 30, GREY, clear=0.38), on_known=True)
    cloth = on_known_ground(view((30, 30, GREY), (42, 30, BLACK)))
    seen = Seen(cloth, (ink, stone), np.zeros((24, 24), np.int32), PIECE)
    told = by_colour(seen, colours, paints, 10.0)
    assert len(told) == 2
    assert not all(guess.sure for guess in told)


def test_much_black_over_one_foot_is_not_two_figures(with_white_and_black: tuple[Colours, Paints]) -> None:
    cloth = on_known_ground(view((30, 30, BLACK), (42, 30, BLACK)))
    one = structs.replace(figure(30, 30, BLACK), on_known=True)
    seen = Seen(cloth, (one,), np.zeros((24, 24), np.int32), PIECE)
    assert not any(guess.sure for guess in by_colour(seen, *with_white_and_black, 10.0))
    other = structs.replace(figure(42, 30, BLACK), on_known=True)
    both = Seen(cloth, (one, other), np.zeros((24, 24), np.int32), PIECE)
    assert [guess.sure for guess in by_colour(both, *with_white_and_black, 10.0)] == [True, True]


def test_what_a_gleam_leaves_of_black_is_no_measure_of_it() -> None:
    colours = Colours(["blue", "black"], [figure(40, 40, paint) for paint in (BLUE, BLACK)])
    gleaming = view((40, 40, BLACK))
    gleaming.seen[40:46, 40:52] = WHITE
    gleaming = structs.replace(gleaming, colours=colours_of(gleaming.seen))
    shares = []
    for foot_mm2 in (0.0, 2 * 81.0):
        paints = Paints(colours.known)
        paints.learn(0, [(view((40, 40, BLUE)), foot(40, 40))], 10.0, foot_mm2)
        paints.learn(1, [(gleaming, foot(40, 42))], 10.0, foot_mm2)
        (blob,) = paints.look(on_known_ground(view((40, 40, BLACK)))).blobs
        shares.append(round(paints.share(blob), 1))
    assert shares == [2.0, 1.0]


def test_two_white_figures_that_were_found_as_one_are_doubtful(with_white_and_black: tuple[Colours, Paints]) -> None:
    cloth = on_known_ground(view((30, 30, WHITE), (42, 30, WHITE)))
    one = structs.replace(figure(30, 30, WHITE), on_known=True)
    seen = Seen(cloth, (one,), np.zeros((24, 24), np.int32), PIECE)
    assert not any(guess.sure for guess in by_colour(seen, *with_white_and_black, 10.0))


def test_a_shadow_is_no_black_paint_and_a_brighter_patch_of_cloth_no_white(
    with_white_and_black: tuple[Colours, Paints],
) -> None:
    _, paints = with_white_and_black
    shade, gleam = (tuple(level * part for part in GREEN) for level in (0.45, 1.3))
    assert paints.look(on_known_ground(view((10, 10, shade), (60, 60, gleam)))).blobs == ()


def test_labels_of_one_colour_are_not_told_by_colour() -> None:
    assert not Colours(["blue_pawn", "blue_cube"], [figure(0, 0, BLUE), figure(0, 0, BLUE)]).enough
    assert Colours(["blue", "yellow"], [figure(0, 0, BLUE), figure(0, 0, YELLOW)]).enough


def test_an_example_that_shows_a_neighbour_does_not_spoil_its_label() -> None:
    shown = [figure(0, 0, BLUE), figure(0, 0, BLUE), figure(0, 0, GREEN), figure(0, 0, YELLOW)]
    colours = Colours(["blue", "blue", "blue", "yellow"], shown)
    assert colours.name(colours.apart(shown[0].colour[None])[0])[0] == "blue"
    assert colours.name(colours.apart(shown[2].colour[None])[0])[0] is None


def test_labels_nobody_could_find_are_not_named() -> None:
    colours = Colours(["blue", "yellow"], [figure(0, 0, BLUE), None])
    assert not colours.enough
