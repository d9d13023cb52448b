"""Faces that are nearly the same: told by what differs, and never mistaken."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np

from companion.kernel.views import Cells, Pieces, View
from vision.accuracy import tables
from vision.faces.examples import Bank, Guess
from vision.faces.overlays import Overlay, fit, overlay
from vision.layout import Layout, from_data
from vision.picture.table_picture import locate
from vision.rendered import LIGHTS, Camera, picture, scene_of
from vision.rendered.hands import Hand
from vision.table_reader import TableReader

TOKENS = ["gold1", "gold2", "gold3", "points1", "points2", "points3"]
CARDS = ["card white", "card black", "card purple", "card orange", "card joker"]
RIG = tables.Rig(Camera(height_mm=1050, tilt_degrees=8, tilt_direction=60, hfov=65, k1=-0.02, roll=1.0), "wood")
"""So high above its table that a token's digit is a dozen pixels tall."""


def table(pieces: dict[str, object], zones: dict[str, object]) -> Layout:
    corners = {"0": [36, 36], "1": [964, 36], "2": [964, 564], "3": [36, 564]}
    area = {"width": 1000, "height": 600}
    markers = {"side": 50, "at": corners}
    raw = {"name": "twins", "area": area, "markers": markers, "pieces": pieces, "zones": zones}
    return from_data(raw, "twins")


def read(layout: Layout, views: list[View], taught: str) -> Counter[str]:
    """How a table was read in every light, after one picture and a bare one."""
    rng = Random(taught)
    eyes = TableReader(layout, tables.taught(layout, RIG, "even", rng))
    verdicts: Counter[str] = Counter()
    for number, view in enumerate(views):
        scene, image = tables.shot(layout, view, RIG, LIGHTS[number % len(LIGHTS)], rng)
        seen = eyes.look(image).reading.zones
        for (_, verdict), times in tables.compared(layout, tables.truth_of(layout, scene, view), seen).items():
            verdicts[verdict] += times
    return verdicts


def test_tokens_that_differ_in_a_digit_are_told_and_never_taken_for_each_other() -> None:
    at = {str(n): [150 + 80 * (n % 10), 150 + 60 * (n // 10)] for n in range(30)}
    layout = table(
        {"token": {"size": [20, 20], "height": 2, "round": True, "labels": TOKENS}},
        {"tokens": {"kind": "slots", "at": at, "size": [26, 26], "holds": "token"}},
    )
    rng = Random(4)
    views = [View({"tokens": Cells({place: rng.choice(TOKENS) for place in at})}) for _ in range(5)]
    verdicts = read(layout, views, "tokens")
    assert verdicts["wrong"] == 0
    assert verdicts["exact"] > 0.98 * verdicts.total()


def test_a_token_that_was_found_two_millimetres_beside_its_middle_is_told_by_its_digit() -> None:
    """A turned triangle fits its twin's best a little aside; there the digits must not be compared."""
    labels = ["points2", "points3"]
    at = {str(n): [150 + 80 * n, 300] for n in range(10)}
    layout = table(
        {"token": {"size": [20, 20], "height": 2, "round": True, "labels": labels}},
        {"tokens": {"kind": "slots", "at": at, "size": [26, 26], "holds": "token"}},
    )
    rng = Random(6)
    taught, seen = ({place: labels[(int(place) + turn) % 2] for place in at} for turn in (0, 1))
    prints: dict[str, list[Overlay]] = {label: [] for label in labels}
    scene, image = tables.shot(layout, View({"tokens": Cells(taught)}), RIG, "even", rng)
    for piece in scene.pieces:
        prints[piece.label].append(overlay(locate(image, layout), (piece.x, piece.y), 10.0, 2.0))
    scene, image = tables.shot(layout, View({"tokens": Cells(seen)}), RIG, "one_sided", rng)
    for piece in scene.pieces:
        aside = overlay(locate(image, layout), (piece.x + 2.4, piece.y - 2.4), 10.0, 2.0)
        fits = {label: max(fit(aside, one) for one in prints[label][:2]) for label in labels}
        other = next(label for label in labels if label != piece.label)
        assert fits[piece.label] > fits[other] + 0.02


def test_a_permit_that_glares_is_found_among_all_of_its_family_when_no_likely_one_fits() -> None:
    """Rings took it for another in such light, and never named it among the likely ones; its print tells."""
    labels = ["permit DE", "permit OK", "permit NO", "permit ABC"]
    at = {str(n): [200 + 200 * n, 300] for n in range(4)}
    looks = {"permit DE": "DE points3 assistants1", "permit OK": "OK cards2 nobility1"}
    looks |= {"permit NO": "NO points2 cards2", "permit ABC": "ABC assistants2"}
    layout = table(
        {"permit": {"size": [28, 28], "height": 2, "labels": labels, "looks": looks}},
        {"permits": {"kind": "slots", "at": at, "size": [32, 32], "holds": "permit"}},
    )
    rng = Random(7)
    view = View({"permits": Cells(dict(zip(at, labels, strict=True)))})
    faces = tables.taught(layout, RIG, "even", rng).faces["permit"]
    scene, image = tables.shot(layout, view, RIG, "one_sided", rng)
    sight, piece = locate(image, layout), scene.pieces[0]
    mistaken = Guess("permit OK", 0.83, 0.19, 0.0, piece.x, piece.y)
    told = faces._laid_over(sight, mistaken, ["permit OK", "permit NO"], faces.bank(), turning=True)
    assert (told.label, told.sure) == ("permit DE", True)


def test_no_card_is_made_up_beside_or_between_others() -> None:
    rect = [300, 200, 552, 304]
    layout = table(
        {"card": {"size": [44, 67], "height": 0.4, "labels": CARDS}},
        {"row": {"kind": "tray", "rect": rect, "holds": "card", "turns": False}},
    )
    rng = Random(5)
    views = [View({"row": Pieces(dict(Counter(rng.choices(CARDS, k=rng.randint(2, 4)))))}) for _ in range(20)]
    verdicts = read(layout, views, "cards")
    assert verdicts["wrong"] == 0
    assert verdicts["exact"] > 0.9 * verdicts.total()


def test_a_face_that_could_be_another_is_compared_with_that_one_and_not_with_its_twins_alone() -> None:
    """One permit's letters are like a second's at a rough look, and its signs like a third's in this light."""
    labels = ("permit KLO", "permit KNO", "permit KLM", "permit XYZ")
    apart = np.full((4, 4), 0.5, np.float32)
    bank = Bank(labels, (0.0,) * 4, None, None, apart, np.eye(4, dtype=np.float32), ())  # type: ignore[arg-type]
    scores = np.array([[[0.86, 0.40, 0.85, 0.10]], [[0.86, 0.40, 0.60, 0.10]]], np.float32)
    doubtful, plain = bank.judged(scores, np.zeros_like(scores), np.zeros((2, 1, 2)))
    assert (doubtful.label, doubtful.rivals) == ("permit KLO", ("permit KLM",))
    assert not doubtful.sure
    assert (plain.label, plain.rivals) == ("permit KLO", ())


def test_a_place_under_a_palm_is_not_read_as_empty_and_an_empty_one_in_dim_light_is() -> None:
    at = {"1": [480, 300], "2": [520, 300], "3": [200, 150], "4": [240, 150]}
    layout = table(
        {"token": {"size": [20, 20], "height": 2, "round": True, "labels": TOKENS[:2]}},
        {"tokens": {"kind": "slots", "at": at, "size": [26, 26], "holds": "token"}},
    )
    rng = Random(9)
    taught = (View({"tokens": Cells(dict.fromkeys(at))}),)
    eyes = TableReader(layout, tables.taught(layout, RIG, "even", rng, taught))
    scene = scene_of(layout, View({"tokens": Cells({"1": "gold1", "2": "gold2", "3": None, "4": None})}), rng)
    for light in LIGHTS:
        for x in range(470, 540, 10):
            image = picture(layout, scene, RIG.camera, light, rng, hands=[Hand("bottom", (float(x), 290.0))])
            seen = eyes.look(image).reading.zones["tokens"].contents
            assert isinstance(seen, Cells)
            assert None not in (seen.at["1"], seen.at["2"])
            assert (seen.at["3"], seen.at["4"]) == (None, None)


def test_plain_discs_of_different_colours_are_told_by_their_colours() -> None:
    """Without a print they all fit over each other."""
    colours = ["red", "green", "orange", "purple"]
    at = {str(place + 1): [300 + 40 * place, 300] for place in range(4)}
    layout = table(
        {"disc": {"size": [14, 14], "height": 5, "round": True, "labels": colours}},
        {"order": {"kind": "slots", "at": at, "size": [20, 20], "holds": "disc"}},
    )
    rng = Random(4)
    views = []
    for _ in range(20):
        rng.shuffle(colours)
        views.append(View({"order": Cells(dict(zip(at, colours, strict=True)))}))
    verdicts = read(layout, views, "discs")
    assert verdicts["wrong"] == 0
    assert verdicts["exact"] >= 78
