"""Measures how well figures are read in pictures of tables whose truth is known.

A folder contains `layout.json` and rigs (`rig1`, `rig2`, …), each with pictures and a `truth.json`. The pictures named
`teach_…` are used for teaching, those named `test_…` are read.

    python -m vision.accuracy.figures FOLDER
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from vision.figures import FigureGuess, Figures, Finds
from vision.layout import Area, Box, Layout, Markers, Piece, Slots
from vision.picture.background import Ground
from vision.picture.table_picture import TablePicture, locate, open_picture

_REACH_MM: Final = 14.0
"""Millimetres around a figure within which the background is not visible."""


class Tally(msgspec.Struct):
    """The number of places that were read right, wrong, or not at all."""

    exact: int = 0
    wrong: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        return self.exact + self.wrong + self.unknown

    def count(self, guess: FigureGuess, truth: str | None) -> str:
        return self.add("unknown" if not guess.sure else "exact" if guess.label == truth else "wrong")

    def add(self, outcome: str) -> str:
        setattr(self, outcome, getattr(self, outcome) + 1)
        return outcome


class Miss(msgspec.Struct, frozen=True):
    """A place that was not read right."""

    rig: str
    picture: str
    place: str
    truth: str | None
    guess: FigureGuess


class Accuracy(msgspec.Struct):
    """The results of a folder, with separate counts for places that a hand covers."""

    uncovered: Tally
    covered: Tally
    misses: list[Miss]
    found: Tally
    found_covered: Tally


def evaluate(folder: Path) -> Accuracy:
    """Teach and read every rig of a folder, and count."""
    found = Accuracy(Tally(), Tally(), [], Tally(), Tally())
    layout = bench_layout(folder)
    for rig in sorted(path for path in folder.iterdir() if (path / "truth.json").is_file()):
        pictures = msgspec.json.decode((rig / "truth.json").read_bytes())["pictures"]
        figures, ground = taught(rig, layout, pictures)
        places = _places(layout)
        for name, sight, truth in _sights(rig, layout, pictures, "test_"):
            hidden = {entry["id"] for entry in truth["covered"] if entry["zone"] == "slots"}
            for place, guess in figures.read(sight, places).items():
                tally = found.covered if place in hidden else found.uncovered
                if tally.count(guess, truth["slots"][place]) != "exact":
                    found.misses.append(Miss(rig.name, name, place, truth["slots"][place], guess))
            finds = figures.find(sight, list(places.values()), [ground] * len(places))
            for (place, box), one in zip(places.items(), finds, strict=True):
                tally = found.found_covered if place in hidden else found.found
                if tally.count(_single(one, box), truth["slots"][place]) != "exact":
                    found.misses.append(
                        Miss(rig.name, f"{name} found", place, truth["slots"][place], _single(one, box))
                    )
    return found


def _single(finds: Finds, box: Box) -> FigureGuess:
    """The result for a place with at most one figure."""
    if len(finds.figures) == 1 and not finds.hidden(box):
        return finds.figures[0]
    nothing = not finds.figures and not finds.hidden(box)
    return FigureGuess(None, nothing, float(nothing), *box.centre)


def taught(rig: Path, layout: Layout, pictures: dict[str, Any]) -> tuple[Figures, Ground]:
    figures, ground = Figures(layout.pieces["figure"]), Ground(layout.zones["slots"].area())
    places = _places(layout)
    for _, sight, truth in _sights(rig, layout, pictures, "teach_"):
        ground.learn(sight, [(places[place].centre, _REACH_MM) for place, label in truth["slots"].items() if label])
        for place, label in truth["slots"].items():
            if label is None:
                figures.learn_ground(sight, places[place])
            else:
                figures.learn(sight, places[place], label)
    return figures, ground


def bench_layout(folder: Path) -> Layout:
    """The layout of a bench table, with what is needed for figures."""
    raw = msgspec.json.decode((folder / "layout.json").read_bytes())
    kinds = raw["pieces"]["figure"]["kinds"].values()
    piece = Piece(
        (float(max(size[0] for size in kinds)), float(max(size[1] for size in kinds))),
        float(max(size[2] for size in kinds)),
    )
    return Layout(
        name=raw["name"],
        area=Area(raw["play_area"]["width"], raw["play_area"]["height"]),
        markers=Markers(
            raw["markers"]["side"],
            {name: (float(x), float(y)) for name, (x, y) in raw["markers"]["centres"].items()},
            raw["markers"]["dictionary"].removeprefix("DICT_"),
        ),
        pieces={"figure": piece},
        zones={
            "slots": Slots(
                at={name: (float(x), float(y)) for name, (x, y) in raw["zones"]["slots"]["slots"].items()},
                size=(40.0, 40.0),
                holds="figure",
            )
        },
    )


def _places(layout: Layout) -> Mapping[str, Box]:
    zone = layout.zones["slots"]
    assert isinstance(zone, Slots)
    return zone.places()


def _sights(
    rig: Path, layout: Layout, pictures: dict[str, Any], kind: str
) -> Iterator[tuple[str, TablePicture, dict[str, Any]]]:
    for name, truth in pictures.items():
        if name.startswith(kind):
            yield name, locate(open_picture(rig / f"{name}.jpg"), layout), truth


def main() -> None:
    parser = argparse.ArgumentParser(description="How well figures are read on bench tables.")
    parser.add_argument("folder", type=Path)
    _print_bench(parser.parse_args().folder)


def _print_bench(folder: Path) -> None:
    found = evaluate(folder)
    for miss in found.misses:
        said = miss.guess.label if miss.guess.sure else f"unknown ({miss.guess.label} {miss.guess.confidence:.2f})"
        print(miss.rig, miss.picture, miss.place, "is", miss.truth, "read as", said)
    titles = ("uncovered", "covered", "uncovered, found", "covered, found")
    for title, tally in zip(titles, (found.uncovered, found.covered, found.found, found.found_covered), strict=True):
        print(f"{title}: {tally.exact} exact, {tally.wrong} wrong, {tally.unknown} unknown of {tally.total}")


if __name__ == "__main__":
    main()
