"""Sheets are printed in actual size, and the pieces on a mat are known without typing."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cameras.camera import Image
from vision.layout import Layout, from_data
from vision.plane.lens import DICTIONARY, SQUARE_MM, SQUARES, board
from vision.plane.plane import from_markers
from vision.sheets import (
    MatPiece,
    SheetError,
    charuco_sheet,
    marker_sheet,
    mat_layout,
    mat_page_of,
    mat_pages,
    mat_truth,
    teaching_mat,
)
from vision.sheets.pdf import Page, fitting, pdf, text_width
from vision.sheets.teaching_mats import BAND, GAP, PAGE_PAIRS

needs_pdftoppm = pytest.mark.skipif(
    shutil.which("pdftoppm") is None,
    reason="pdftoppm (Debian: poppler-utils) is not installed, so no page can be looked at",
)

DPI = 150
PER_MM = DPI / 25.4


def table(side: float = 50.0, name: str = "Königstisch") -> Layout:
    return from_data(
        {
            "name": name,
            "area": {"width": 900, "height": 600},
            "zones": {"map": {"kind": "tray", "rect": [200, 150, 700, 450], "angle": 5}},
            "markers": {"side": side, "at": {"0": [45, 45], "1": [855, 45], "2": [855, 555], "3": [-60, 555]}},
        },
        "test",
    )


PIECES = [
    *(
        MatPiece(f"goods_{name}", (34, 34), "goods", 2.0, says=name.capitalize())
        for name in ("brot", "käse", "wein", "tuch")
    ),
    *(MatPiece(f"{colour}_knight", (16, 16), "knight", 25.0, round=True) for colour in ("red", "blue", "green")),
    *(MatPiece(f"card_{number}", (59, 91), "card") for number in range(4)),
]


def squares(path: Path, side: float) -> list[tuple[float, float]]:
    """The top left corners of all squares of this side that a file draws."""
    found = re.findall(rb"([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re", path.read_bytes())
    rects = [tuple(float(value) for value in rect) for rect in found]
    return [(x, y) for x, y, wide, tall in rects if abs(wide - side) < 1e-3 and abs(tall - side) < 1e-3]


def looked_at(path: Path, page: int = 1) -> Image:
    """A page as a picture."""
    made = subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-f", str(page), "-l", str(page), "-png", str(path)],
        capture_output=True,
        check=True,
    )
    assert not made.stderr, made.stderr
    image = cv2.imdecode(np.frombuffer(made.stdout, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def detected(image: Image, dictionary: str = "4X4_50") -> dict[int, np.ndarray]:
    markers = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{dictionary}"))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(markers, parameters).detectMarkers(image)
    return {int(number): corner.reshape(4, 2) for number, corner in zip(ids.ravel(), corners, strict=True)}


def test_a_pdf_is_well_formed_and_asks_not_to_be_scaled() -> None:
    page = Page(210, 297)
    page.text(10, 10, "Größe (100 %) \\ „äöüß“", 12)
    page.rect(10, 20, 30, 40)
    data = pdf([page, Page(100, 100)], "Maß")
    assert b"/PrintScaling /None" in data
    start = int(data[data.rindex(b"startxref") + 9 :].split()[0])
    assert data[start : start + 4] == b"xref"
    places = re.findall(rb"(\d{10}) 00000 n", data)
    for number, place in enumerate(places, 1):
        assert data[int(place) :].startswith(b"%d 0 obj" % number)
    assert b"595.2756 841.8898" in data, "A4 in points"
    assert "Größe \\(100 %\\) \\\\ „äöüß“".encode("cp1252") in data


def test_letters_are_measured_so_that_lines_fit() -> None:
    assert text_width("Companion", 10) == pytest.approx(
        (722 + 556 * 2 + 833 + 556 * 2 + 222 + 556 * 2) / 100 * 25.4 / 72
    )
    assert fitting("Ritter", 100, 9) == ("Ritter", 9)
    text, size = fitting("ein sehr langer Name für ein kleines Feld", 20, 9)
    assert size == 5.0
    assert text.endswith("…")
    assert text_width(text, size) <= 20


def test_four_markers_of_five_centimetres_fit_on_one_page_in_true_size(tmp_path: Path) -> None:
    path = tmp_path / "markers.pdf"
    assert marker_sheet(table(), path) == 1
    assert len(squares(path, 50.0)) == 4
    text = path.read_bytes().decode("cp1252", "replace")
    for says in (
        "oben links",
        "unten rechts",
        "45 mm von links, 45 mm von oben",
        "60 mm links daneben",
        "Marker für Königstisch",
    ):
        assert says in text
    lines = re.findall(r"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", text)
    assert any(abs(float(x2) - float(x1) - 100) < 1e-3 and y1 == y2 for x1, y1, x2, y2 in lines), "the ruler"


def test_the_sheet_speaks_english_too(tmp_path: Path) -> None:
    path = tmp_path / "markers.pdf"
    marker_sheet(table(), path, "Letter", "en")
    assert b"45 mm from the left, 45 mm from the top" in path.read_bytes()


@needs_pdftoppm
def test_printed_markers_are_found_and_measure_what_the_layout_says(tmp_path: Path) -> None:
    path = tmp_path / "markers.pdf"
    marker_sheet(table(), path)
    page = looked_at(path)
    assert page.shape[1] / PER_MM == pytest.approx(210, abs=0.3)
    found = detected(page)
    assert set(found) == {0, 1, 2, 3}
    for corners in found.values():
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) / PER_MM
        assert sides == pytest.approx([50] * 4, abs=0.25)
        assert corners[0][1] < corners[3][1], "printed upright"


@needs_pdftoppm
def test_the_ruler_is_a_hundred_millimetres_long(tmp_path: Path) -> None:
    path = tmp_path / "markers.pdf"
    marker_sheet(table(), path)
    page = looked_at(path)
    line = page[round((297 - 14) * PER_MM), :, 0] < 128
    dark = np.flatnonzero(line)
    assert (dark[-1] - dark[0]) / PER_MM == pytest.approx(100, abs=0.5)


@settings(max_examples=25, deadline=None)
@given(side=st.floats(15, 110), count=st.integers(1, 12), paper=st.sampled_from(["A4", "A3", "Letter"]))
def test_markers_never_overlap_and_never_leave_the_paper(
    side: float, count: int, paper: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    side = round(side, 1)
    path = tmp_path_factory.mktemp("sheets") / "markers.pdf"
    at = {str(number): [60 + number * 60, 50] for number in range(count)}
    layout = from_data(
        {"name": "t", "area": {"width": 1000, "height": 600}, "zones": {}, "markers": {"side": side, "at": at}}, "test"
    )
    pages = marker_sheet(layout, path, paper)
    width, height = {"A4": (210, 297), "A3": (297, 420), "Letter": (215.9, 279.4)}[paper]
    contents = path.read_bytes().split(b"endstream")[:pages]
    total = 0
    for content in contents:
        (tmp := path.with_suffix(".part")).write_bytes(content)
        corners = squares(tmp, side)
        total += len(corners)
        quiet = side / 6
        for index, (x, y) in enumerate(corners):
            assert quiet <= x <= width - side - quiet
            assert 20 <= y <= height - side - 20
            for other_x, other_y in corners[:index]:
                assert abs(x - other_x) >= side + 2 * quiet or abs(y - other_y) >= side + 2 * quiet
    assert total == count


def test_what_cannot_be_printed_is_answered_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    bare = from_data({"name": "bare", "area": {"width": 100, "height": 100}, "zones": {}}, "test")
    attempts: list[tuple[str, Callable[[], object]]] = [
        ("names no markers", lambda: marker_sheet(bare, path)),
        ("do not fit on A4. Choose A3", lambda: marker_sheet(table(190), path)),
        ("no paper called 'A9'", lambda: marker_sheet(table(), path, "A9")),
        ("does not fit on a mat", lambda: teaching_mat({"board": (300, 300)}, path, "x")),
        ("no piece to teach", lambda: teaching_mat({}, path, "x")),
        ("has no size", lambda: teaching_mat({"ghost": (0, 10)}, path, "x")),
        ("differ in size", lambda: teaching_mat([MatPiece("a", (9, 9), "f"), MatPiece("b", (8, 9), "f")], path, "x")),
        ("There is no page 3", lambda: mat_layout(PIECES, 3)),
        ("only 30 can be told apart", lambda: teaching_mat({str(n): (170, 200) for n in range(31)}, path, "x")),
    ]
    for says, attempt in attempts:
        with pytest.raises(SheetError, match=says):
            attempt()
    assert not path.exists()
    with pytest.raises(SheetError, match="cannot be written"):
        charuco_sheet(tmp_path / "nowhere" / "sheet.pdf")


@needs_pdftoppm
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_lens_sheet_is_the_board_that_the_lens_looks_for(tmp_path: Path, paper: str) -> None:
    path = tmp_path / "lens.pdf"
    charuco_sheet(path, paper)
    page = looked_at(path)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(page)
    assert len(ids) == (SQUARES[0] - 1) * (SQUARES[1] - 1)
    by_number = {int(number): corner.ravel() for number, corner in zip(ids.ravel(), corners, strict=True)}
    first, last_of_row = by_number[0], by_number[SQUARES[0] - 2]
    assert np.linalg.norm(last_of_row - first) / PER_MM == pytest.approx(SQUARE_MM * (SQUARES[0] - 2), abs=0.4)
    assert len(detected(page, DICTIONARY)) == SQUARES[0] * SQUARES[1] // 2


def test_every_piece_has_one_field_and_the_mat_is_a_sound_layout(tmp_path: Path) -> None:
    path = tmp_path / "mat.pdf"
    pages = teaching_mat(PIECES, path, "Lehrmatte")
    assert pages == len(mat_pages(PIECES)) == 2
    taught = []
    for page in range(1, pages + 1):
        layout = mat_layout(PIECES, page)
        assert list(layout.problems()) == []
        truth = mat_truth(PIECES, page)
        assert set(truth) == set(layout.zones)
        for zone, cells in truth.items():
            assert set(cells) == set(layout.zones[zone].places())  # type: ignore[union-attr]
            assert set(cells.values()) == set(layout.pieces[zone].labels)
            taught += list(cells.values())
    assert sorted(taught) == sorted(piece.label for piece in PIECES)
    assert "Käse".encode("cp1252") in path.read_bytes()
    assert mat_truth({"die": (16, 16)}, 1) == {"pieces 16 × 16": {"1": "die"}}


def test_thirty_pages_wear_thirty_different_pairs() -> None:
    assert len(set(PAGE_PAIRS)) == 30
    assert all(upper != lower for upper, lower in PAGE_PAIRS)
    assert {number for pair in PAGE_PAIRS for number in pair} == set(range(44, 50))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(8, 90), st.integers(8, 120)), min_size=1, max_size=40),
    st.sampled_from(["A4", "A3", "Letter"]),
)
def test_fields_never_overlap_and_stay_clear_of_the_markers(sizes: list[tuple[int, int]], paper: str) -> None:
    pieces = [MatPiece(f"piece {number}", (float(wide), float(tall))) for number, (wide, tall) in enumerate(sizes)]
    width, height = {"A4": (210, 297), "A3": (297, 420), "Letter": (215.9, 279.4)}[paper]
    pages = mat_pages(pieces, paper)
    assert [field.piece for page in pages for field in page] == pieces
    for page in pages:
        boxes: list[tuple[float, float, float, float]] = []
        for field in page:
            (x, y), (wide, tall) = field.centre, field.piece.size
            left, right = x - wide / 2 - GAP, x + wide / 2 + GAP
            top, bottom = y - tall / 2 - GAP, y + tall / 2 + GAP
            assert left >= 9.9
            assert right <= width - 9.9
            assert top >= BAND - GAP - 1e-6
            assert bottom <= height - BAND
            for other in boxes:
                assert right <= other[0] or left >= other[1] or bottom <= other[2] or top >= other[3]
            boxes.append((left, right, top, bottom))


COLOURS = [(30, 30, 200), (200, 60, 30), (40, 160, 40), (30, 200, 220), (160, 40, 160), (20, 20, 20), (200, 200, 60)]


def photographed(page: Image) -> Image:
    """The mat on a wooden table, seen by a camera that hangs a little askew, in warm light."""
    lens = np.array([[1500.0, 0, 960], [0, 1500.0, 540], [0, 0, 1]])
    tilt, _ = cv2.Rodrigues(np.array([0.12, 0.05, 1.45]))
    middle = np.array([105.0, 148.5, 0])
    view = lens @ np.column_stack([tilt[:, 0], tilt[:, 1], np.array([0, 0, 480.0]) - tilt @ middle])
    table = np.full((1080, 1920, 3), (70, 100, 140), np.uint8)
    seen = view @ np.diag([1 / PER_MM, 1 / PER_MM, 1])
    cv2.warpPerspective(page, seen, (1920, 1080), table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    warm = table.astype(np.float64) * (0.75, 0.9, 0.95) + np.random.default_rng(1).normal(0, 2, table.shape)
    return np.asarray(np.clip(warm, 0, 255), np.uint8)


@needs_pdftoppm
@pytest.mark.parametrize("page", [1, 2])
def test_one_photograph_of_a_filled_mat_teaches_every_label(tmp_path: Path, page: int) -> None:
    path = tmp_path / "mat.pdf"
    teaching_mat(PIECES, path, "Tumult Royale")
    sheet = looked_at(path, page)
    laid = {}
    for number, field in enumerate(mat_pages(PIECES)[page - 1]):
        (x, y), (wide, tall) = field.centre, field.piece.size
        corners = [
            (round((x - wide / 2) * PER_MM), round((y - tall / 2) * PER_MM)),
            (round((x + wide / 2) * PER_MM), round((y + tall / 2) * PER_MM)),
        ]
        cv2.rectangle(sheet, corners[0], corners[1], COLOURS[number % 7], -1)
        laid[field.piece.label] = COLOURS[number % 7]
    photograph = photographed(sheet)

    assert mat_page_of(photograph) == page
    layout = mat_layout(PIECES, page)
    plane = from_markers(photograph, layout)
    assert plane.markers == 6
    assert plane.error_mm < 0.5
    truth = mat_truth(PIECES, page)
    seen = {
        truth[name][cell]: plane.patch(photograph, box, 2.0)
        for name, zone in layout.zones.items()
        for cell, box in zone.places().items()  # type: ignore[union-attr]
    }
    assert seen.keys() == laid.keys()
    for label, patch in seen.items():
        size = np.array(layout.pieces[next(name for name in truth if label in truth[name].values())].size) * 2
        middle = patch[
            patch.shape[0] // 2 - 4 : patch.shape[0] // 2 + 4, patch.shape[1] // 2 - 4 : patch.shape[1] // 2 + 4
        ]
        assert np.abs(middle.mean(axis=(0, 1)) - np.array(laid[label]) * (0.75, 0.9, 0.95)).max() < 8
        piece_pixels = np.count_nonzero(np.abs(patch - middle.mean(axis=(0, 1))).max(axis=2) < 40)
        assert piece_pixels == pytest.approx(size[0] * size[1], rel=0.12), "the field lies where the layout has it"


@needs_pdftoppm
def test_a_picture_without_a_whole_mat_says_so() -> None:
    with pytest.raises(SheetError, match="all its six markers"):
        mat_page_of(np.full((540, 960, 3), 200, np.uint8))
