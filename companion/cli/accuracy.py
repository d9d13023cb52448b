"""Writes the page docs/accuracy.md: tables of figures, each with the command that measured it.

`companion bench accuracy --write` writes the figures of reading, `companion loop --write` those of the whole companion.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from companion.kernel import files
from companion.simulation.loop import Outcome

_HEAD: Final = """\
# How right it is

Written by `companion bench real --photos FOLDER --write docs/accuracy.md`, by `companion bench accuracy --game GAME
--write docs/accuracy.md` and by `companion loop GAME --write docs/accuracy.md`; do not edit. Of what
is shown, *exact* is read as it was, *wrong* is read otherwise (the worst there is), *unknown* is left open, to be
asked or looked at again. Places under a hand or under a figure are left out, unless they were read wrongly.

![A rendered table in one-sided light; what a hand covers is unknown](read-hand.jpg)
"""
_BEGINS: Final = "<!-- {} -->"
_ENDS: Final = "<!-- end -->"
_SECTION: Final = re.compile(r"<!-- (?!end )(.+?) -->\n(.*?)<!-- end -->", re.DOTALL)
_ORDER: Final = ("real", "eyes", "loop")
"""The order of the sections, by the first word of their names."""

KINDS: Final = {
    "grid": "cells of a grid, tiles and figures on them",
    "slots": "named places, cards and figures",
    "tray": "loose tiles",
    "pool": "how many tokens or figures of a kind lie loose",
    "track": "markers on a track",
    "dial": "the arrow of a dial",
    "dice": "dice, by place and value",
    "all": "**all together**",
}

Sections = dict[str, str]


def sections(page: str) -> Sections:
    """The sections of a page, by name."""
    return {name: text.strip() for name, text in _SECTION.findall(page)}


def written(page: str, new: Mapping[str, str]) -> str:
    """The page with these sections replaced."""
    kept = {**sections(page), **new}
    parts = (f"{_BEGINS.format(name)}\n{kept[name].strip()}\n\n{_ENDS}\n" for name in sorted(kept, key=_place))
    return "\n".join((_HEAD, *parts))


def _place(name: str) -> tuple[int, str]:
    kind = re.split(r"[ /]", name)[0]
    return (_ORDER.index(kind) if kind in _ORDER else len(_ORDER)), name


def write(page: Path, new: Mapping[str, str]) -> None:
    """Replace some sections in a page's file, locked because a loop may write its row at the same time."""
    with files.changing(page):
        old = page.read_text(encoding="utf-8") if page.is_file() else ""
        files.write(page, written(old, new).encode())


def real(figures: Mapping[str, Any]) -> Sections:
    """The section that `companion bench real` writes, the worst suite first."""
    suites = sorted(figures["suites"].items(), key=lambda named: named[1]["exact"])
    rows: list[str] = []
    for name, suite in suites:
        rows.append(_photographs(f"**{name}**", suite))
        sets = sorted(suite.get("sets", {}).items(), key=lambda named: named[1]["exact"])
        rows += [_photographs(f"{name}: {part}", one) for part, one in sets]
    text = _lines(
        "## Real photographs",
        "",
        "Photographs that other people took, with the four corners of the table given by hand, the suite with the",
        "fewest things exact first; `tables` were rendered by another program, with markers. A few pictures are taught",
        "and the others read: four of the letters (`scrabble`) and of the stones (`go`), three of each kind of tiles,",
        "two of each set of chess men and of each rig of `tables`, with the emptiest board among them. A picture of",
        "figures is read with what the others teach. Dice need no teaching.",
        "",
        "- *exact, wrong, unknown*: a figure or a die that is told where none is counts as wrong, one that was missed",
        "  as unknown.",
        "- *false*: something was told on an empty place.",
        "- *untaught told*: things whose label no teaching picture shows, and yet something was told; and the same of",
        "  labels that were left out of the teaching on purpose.",
        "- *whole*: pictures in which every thing and every place is exact.",
        "",
        "| photographs | pictures read | things | exact | wrong | unknown | empty places | exact | false "
        "| untaught told | whole | CPU ms p50 / p95 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *rows,
        _photographs("**all together**", figures["all"]),
        "",
        *_reported(figures.get("reported", {})),
        "![Dice found in five photographs, drawn where and as large as they were found](dice.svg)",
    )
    return {"real": text}


def _photographs(name: str, suite: Mapping[str, Any]) -> str:
    empty = suite["empty"]
    places = f"{empty['exact']:.2%} | {empty['false']:.2%}" if empty["things"] else "– | –"
    untaught, left_out = suite["untaught"], suite["left_out"]
    return (
        f"| {name} | {suite['pictures']} |{_row(suite)} {empty['things']} | {places} "
        f"| {untaught['told']}/{untaught['things']} + {left_out['told']}/{left_out['things']} "
        f"| {suite['whole']:.1%} | {suite['cpu_ms']['p50']:.0f} / {suite['cpu_ms']['p95']:.0f} |"
    )


def _reported(counted: Mapping[str, Any]) -> Iterable[str]:
    """What is known of photographs without positions."""
    if "aruco" in counted:
        seen = counted["aruco"]
        yield f"Printed markers: of {seen['markers']} {seen['found']} were found, and {seen['false']} where none was."
        yield ""
    if "boards" in counted:
        yield f"{counted['boards']['pictures']} more photographs of boards are there without positions; none is read."
        yield ""


def rendered_tables(game: str, figures: Mapping[str, Any], only: str | None = None) -> Sections:
    """The figures of `companion bench accuracy`, a section for each kind of picture."""
    found = {f"eyes {game}": _rendered(figures)} if only is None else {f"eyes {game} {only}": _alone(figures, only)}
    return found


def _rendered(figures: Mapping[str, Any]) -> str:
    return _lines(
        f"## Rendered tables of {figures['game']} ({figures['scenes']} scenes, seed {figures['seed']})",
        "",
        f"Each rig (camera and table top drawn at random) is taught from {_pictures(figures['taught_from'])} in one",
        "light, every piece among them, and then reads ten others of games that bots played, two in each light. Aim:",
        "at least 99.7 % exact and at most 0.05 % wrong.",
        "",
        *_table(figures["rendered"]),
        "",
        "By light:",
        "",
        "| light | things | exact | wrong | unknown |",
        "|---|--:|--:|--:|--:|",
        *(f"| {light} |{_row(shares['all'])}" for light, shares in figures["by_light"].items() if "all" in shares),
    )


def _alone(figures: Mapping[str, Any], kind: str) -> str:
    return _lines(
        f"## Rendered tables of {figures['game']}: {KINDS[kind]} ({figures['scenes']} scenes, seed {figures['seed']})",
        "",
        f"`companion bench accuracy --only {kind}`: the same on tables with most of it. Aim: at least 99.5 % exact.",
        "",
        "| light | things | exact | wrong | unknown |",
        "|---|--:|--:|--:|--:|",
        *(f"| {light} |{_row(shares[kind])}" for light, shares in figures["by_light"].items() if kind in shares),
        f"| **all** |{_row(figures['rendered'][kind])}",
    )


def _table(shares: Mapping[str, Mapping[str, float]]) -> Iterable[str]:
    rows = [f"| {KINDS[kind]} |{_row(shares[kind])}" for kind in KINDS if kind in shares]
    return ["| what | things | exact | wrong | unknown |", "|---|--:|--:|--:|--:|", *rows]


def _row(share: Mapping[str, float]) -> str:
    return f" {share['things']} | {share['exact']:.2%} | {share['wrong']:.2%} | {share['unknown']:.2%} |"


def _pictures(number: int) -> str:
    return "**one** picture" if number == 1 else f"**{number}** pictures"


def _lines(*lines: str) -> str:
    return "\n".join(lines)


_TITLES: Final = {
    "pixels": "## The closed loop, with pictures",
    "no-pixels": "## The closed loop, without pictures",
}
_WHAT: Final = {
    "pixels": (
        "Whole games: people move rendered pieces with their hands, slowly, two things at once, sometimes wrongly on",
        "purpose, sometimes taking a move back; the watcher reads the pictures (one rig a game, taught beforehand,",
        "another light in each), and the table explains them. Written by `companion loop GAME --players N --games K",
        "--write docs/accuracy.md`.",
    ),
    "no-pixels": (
        "The same evenings, told as what lies there, with doubt of their own: of each thing two pictures must agree,",
        "each shows it wrongly in 0.05 % and not clearly in 0.2 % of cases. Written by `companion loop GAME",
        "--no-pixels --players N --games K --write docs/accuracy.md`.",
    ),
}
_AIM: Final = (
    "Aim: no false accusation, nothing explained wrongly, every final score right, at least 98 % of what is forbidden "
    "caught, and at least 98 % of that by the right rule; referee p95 at most 50 ms."
)
_LOOP_HEAD: Final = (
    "| game | players | games (seed) | moves explained | wrongly | asked | false accusations "
    "| forbidden: caught / tried | right rule | takebacks | lost | final scores right | referee ms p50 / p95 "
    "| reading ms p50 / p95 |"
)
_RULE: Final = "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"


def row_written(page: str, outcome: Outcome, arguments: argparse.Namespace) -> str:
    """The page with this outcome's row, which replaces the row for the same game and number of players."""
    how = "no-pixels" if arguments.no_pixels else "pixels"
    old = sections(page).get(f"loop {how}", "")
    rows = {key: line for line in old.splitlines() if (key := _key(line))[1].isdecimal()}
    row = _loop_row(outcome, arguments.seed, arguments.light or ())
    rows[_key(row)] = row
    table = (_LOOP_HEAD, _RULE, *(rows[key] for key in sorted(rows)))
    section = "\n".join((_TITLES[how], "", *_WHAT[how], "", _AIM, "", *table))
    return written(page, {f"loop {how}": section})


def _key(line: str) -> tuple[str, str]:
    """The game and the number of players of a row."""
    _, game, players, *_ = (*(cell.strip() for cell in line.split("|")), "", "")
    return game, players


def _loop_row(outcome: Outcome, seed: int, lights: Sequence[str]) -> str:
    played = ", ".join((str(seed), *(f"--light {light}" for light in lights)))
    cells = (
        outcome.game,
        outcome.players,
        f"{outcome.games} ({played})",
        f"{outcome.explained_right} of {outcome.moves}",
        outcome.explained_wrong,
        outcome.asked,
        outcome.false_accusations,
        f"{outcome.illegal_caught} / {outcome.illegal_tried}",
        outcome.illegal_reason_right,
        f"{outcome.takebacks_right} / {outcome.takebacks}",
        outcome.lost,
        outcome.final_scores_right,
        f"{outcome.finding_ms.p50} / {outcome.finding_ms.p95}",
        f"{outcome.reading_ms.p50} / {outcome.reading_ms.p95}",
    )
    return "| " + " | ".join(map(str, cells)) + " |"
