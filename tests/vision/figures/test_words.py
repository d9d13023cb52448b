"""Labels are learnt word by word, without knowing which word is a colour."""

from __future__ import annotations

import numpy as np

from vision.figures.words import Features, Words, log_chances, split

COLOURS = {"red": (45, 60, 40), "blue": (35, 10, -50), "pine": (75, 5, 30)}
SHAPES = {"pawn": 0, "house": 1, "cube": 2}


def looks_of(labels: list[tuple[str, str]], seed: int = 3) -> Features:
    """Figures as a camera might see them: a colour and a shape, both a little off."""
    rng = np.random.default_rng(seed)
    colours = np.array([COLOURS[colour] for colour, _ in labels], np.float32) + rng.normal(0, 3, (len(labels), 3))
    shapes = np.eye(64)[[SHAPES[shape] for _, shape in labels]] + rng.normal(0, 0.05, (len(labels), 64))
    shapes /= np.linalg.norm(shapes, axis=1, keepdims=True)
    return Features(colours.astype(np.float32), shapes.astype(np.float32))


EVERYTHING = [(colour, shape) for colour in COLOURS for shape in SHAPES]


def most_likely(words: Words, seen: Features) -> list[str]:
    chances = words.chances(seen)
    return [
        max(words.labels, key=lambda label: sum(chances[at][row, n] for at, n in enumerate(words.labels[label])))
        for row in range(len(seen))
    ]


def test_a_label_is_cut_into_its_words() -> None:
    assert split("blue_pawn") == ("blue", "pawn") == split("blue pawn")
    assert split("meeple") == ("meeple",)


def test_the_reader_finds_out_by_itself_which_word_names_the_colour() -> None:
    colour_first = Words([f"{colour}_{shape}" for colour, shape in EVERYTHING], looks_of(EVERYTHING))
    shape_first = Words([f"{shape} {colour}" for colour, shape in EVERYTHING], looks_of(EVERYTHING))
    assert [where.by_colour for where in colour_first.positions] == [True, False]
    assert [where.by_shape for where in colour_first.positions] == [False, True]
    assert [where.by_shape for where in shape_first.positions] == [True, False]


def test_every_figure_is_told_from_one_example_of_its_label() -> None:
    words = Words([f"{colour}_{shape}" for colour, shape in EVERYTHING], looks_of(EVERYTHING))
    told = most_likely(words, looks_of(EVERYTHING, seed=4))
    assert told == [f"{colour}_{shape}" for colour, shape in EVERYTHING]


def test_a_figure_nobody_showed_is_named_when_its_words_are_known_and_the_box_lists_it() -> None:
    shown = [pair for pair in EVERYTHING if pair != ("blue", "house")]
    words = Words([f"{colour}_{shape}" for colour, shape in shown], looks_of(shown), others=["blue_house"])
    assert most_likely(words, looks_of([("blue", "house")], seed=5)) == ["blue_house"]


def test_labels_of_different_length_are_learnt_whole() -> None:
    words = Words(["king", "red_pawn", "blue_cube"], looks_of([("pine", "house"), ("red", "pawn"), ("blue", "cube")]))
    assert len(words.positions) == 1
    assert words.positions[0].by_colour
    assert words.positions[0].by_shape
    assert most_likely(words, looks_of([("pine", "house")], seed=6)) == ["king"]


def test_words_that_say_nothing_about_the_looks_are_not_believed() -> None:
    """Names of people: figures with the same first name need not look alike."""
    pairs = [("red", "pawn"), ("blue", "house"), ("pine", "cube"), ("red", "house"), ("blue", "cube"), ("pine", "pawn")]
    names = ["anna_berg", "anna_wald", "anna_feld", "otto_berg", "otto_wald", "otto_feld"]
    words = Words(names, looks_of(pairs))
    assert len(words.positions) == 1
    assert most_likely(words, looks_of(pairs, seed=7)) == names


def test_what_is_unlike_every_example_is_told_with_less_certainty() -> None:
    """As much more like a house than like a cube as before, but now above all like neither."""
    known = looks_of(EVERYTHING)
    groups = [[at for at, (_, shape) in enumerate(EVERYTHING) if shape == one] for one in ("house", "cube")]
    house, cube, strange = np.eye(64, dtype=np.float32)[[SHAPES["house"], SHAPES["cube"], 9]]
    between = 0.55 * house + 0.45 * cube
    seen = Features(np.zeros((2, 3), np.float32), np.stack([between, between + 0.9 * strange]))
    leads = np.diff(log_chances(seen, known, groups, by_colour=False, by_shape=True)[:, ::-1])
    assert 0 < leads[1] < 0.7 * leads[0]
