"""The page `docs/accuracy.md`, written from the figures of `companion bench accuracy`."""

from __future__ import annotations

from typing import Any

KINDS = {
    "grid": "cells of a grid, tiles and figures on them",
    "slots": "named places, cards and figures",
    "tray": "loose tiles",
    "pool": "how many tokens or figures of a kind lie loose",
    "track": "markers on a track",
    "dial": "the arrow of a dial",
    "dice": "dice, by place and value",
    "all": "**all together**",
}


def page(figures: dict[str, Any]) -> str:
    """The whole page."""
    parts = [
        "# How right the eyes are",
        "",
        "Written by `companion bench accuracy --photos FOLDER --write docs/accuracy.md`; do not edit. *Exact* is read",
        "as it was, *wrong* is read otherwise (the worst there is), *unknown* is left open, to be asked or looked at",
        "again. Places under a hand or under a figure are left out, unless they were read wrongly.",
        "",
        "![A rendered table in one-sided light; what a hand covers is unknown](read-hand.jpg)",
        "",
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
        "",
    ]
    for name, shares in figures.items():
        if name.startswith("tables/"):
            parts += [
                f"## Tables somebody else rendered (`{name}`)",
                "",
                "Photo-realistic pictures of a bench table, two teaching pictures a rig, five lights, hands. Aim: at",
                "least 99 % exact and at most 0.2 % wrong; dice (22 pixels wide) at least 80 % and at most 1 %. The",
                "folder `dev` was looked at while the readers were built, so expect a little less elsewhere.",
                "",
                *_table(shares),
                "",
            ]
    if "dice" in figures:
        dice = figures["dice"]
        parts += [
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
            "",
        ]
    if "markers" in figures:
        seen = figures["markers"]
        parts += [
            "## Printed markers in real photographs",
            "",
            f"Of {seen['markers']} markers {seen['found']} were found, and {seen['false']} where none was.",
            "",
        ]
    return "\n".join(parts)


def _table(shares: dict[str, dict[str, float]]) -> list[str]:
    rows = [f"| {KINDS[kind]} |{_row(shares[kind])}" for kind in KINDS if kind in shares]
    return ["| what | things | exact | wrong | unknown |", "|---|--:|--:|--:|--:|", *rows]


def _row(share: dict[str, float]) -> str:
    return f" {share['things']} | {share['exact']:.2%} | {share['wrong']:.2%} | {share['unknown']:.2%} |"


def _pictures(number: int) -> str:
    return "**one** picture" if number == 1 else f"**{number}** pictures"
