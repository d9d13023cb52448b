"""Writes the page docs/accuracy.md: tables of figures, each with the command that measured it.

`companion bench accuracy --write` writes the figures of reading, `companion loop --write` those of the whole companion.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from companion.simulation.loop import Outcome

_HEAD: Final = """\
# How right it is

Written by `companion bench real --photos FOLDER --write docs/accuracy.md`, by `companion bench accuracy --game GAME
--photos FOLDER --write docs/accuracy.md` and by `companion loop GAME --write docs/accuracy.md`; do not edit. Of what
is shown, *exact* is read as it was, *wrong* is read otherwise (the worst there is), *unknown* is left open, to be
asked or looked at again. Places under a hand or under a figure are left out, unless they were read wrongly.

![A rendered table in one-sided light; what a hand covers is unknown](read-hand.jpg)
"""
_BEGINS: Final = "<!-- {} -->"
_ENDS: Final = "<!-- end -->"
_SECTION: Final = re.compile(r"<!-- (?!end )(.+?) -->\n(.*?)<!-- end -->", re.DOTALL)
_ORDER: Final = ("real", "eyes", "tables", "dice", "markers", "loop")
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


def real(figures: Mapping[str, Any]) -> Sections:
    """The figures of `companion bench real`."""
    boards = [("**all boards**", figures["all"])]
    rows = [*((name, suite) for name, suite in figures["suites"].items() if "empty" in suite), *boards]
    dice = {name: suite for name, suite in figures["suites"].items() if "empty" not in suite}
    text = _lines(
        "## Real photographs",
        "",
        "Photographs of boards that other people took, with the board's four corners given by hand and no markers. Of",
        "each set three photographs are taught and the others read. *False* is an empty square on which something was",
        "told. Dice need no teaching; a wrong one has another value, or lies more than half its size from where it was",
        "said to be (then another one is missed).",
        "",
        "| photographs | pictures read | pieces | exact | wrong | unknown | empty squares | exact | false |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(f"| {name} | {one['pictures']} |{_row(one)}{_squares(one['empty'])}" for name, one in rows),
        "",
        "| photographs | pictures read | dice | exact | wrong | missed |",
        "|---|--:|--:|--:|--:|--:|",
        *(f"| {name} | {one['pictures']} |{_row(one)}" for name, one in dice.items()),
    )
    return {"real": text}


def _squares(empty: Mapping[str, float]) -> str:
    return f" {empty['things']} | {empty['exact']:.2%} | {empty['false']:.2%} |"


def rendered_tables(game: str, figures: Mapping[str, Any], only: str | None = None) -> Sections:
    """The figures of `companion bench accuracy`, a section for each kind of picture."""
    found = {f"eyes {game}": _rendered(figures)} if only is None else {f"eyes {game} {only}": _alone(figures, only)}
    found |= {name: _tables(name, shares) for name, shares in figures.items() if name.startswith("tables/")}
    if "dice" in figures:
        found["dice"] = _dice(figures["dice"])
    if "markers" in figures:
        found["markers"] = _markers(figures["markers"])
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


def _tables(name: str, shares: Mapping[str, Any]) -> str:
    return _lines(
        f"## Tables somebody else rendered (`{name}`)",
        "",
        "Photo-realistic pictures of a bench table, two teaching pictures a rig, five lights, hands. Aim: at",
        "least 99 % exact and at most 0.2 % wrong; dice (22 pixels wide) at least 80 % and at most 1 %. The",
        "folder `dev` was looked at while the readers were built, so expect a little less elsewhere.",
        "",
        *_table(shares),
    )


def _dice(dice: Mapping[str, Any]) -> str:
    return _lines(
        "## Dice in real photographs",
        "",
        "Any background, no markers, no layout. Aim: at least 95 % right and at most 2 % wrong (a wrong value, or",
        "a die that is not there). The usual way, blobs and clusters, gets 69 % right there, with 62 % false ones.",
        "",
        f"Of {dice['dice']} dice {dice['right']} were read right ({dice['right_share']:.1%}), "
        f"{dice['wrong_value']} with another value, {dice['missed']} missed, {dice['false']} invented; "
        f"{dice['colour_share']:.1%} of the colours.",
        "",
        "![Dice found in five photographs, drawn where and as large as they were found](dice.svg)",
    )


def _markers(seen: Mapping[str, Any]) -> str:
    return _lines(
        "## Printed markers in real photographs",
        "",
        f"Of {seen['markers']} markers {seen['found']} were found, and {seen['false']} where none was.",
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
