"""The part of `docs/accuracy.md` that `companion loop --write` writes: a row for each game and number of players."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from companion.cli import accuracy_page
from companion.simulation.loop import Outcome

_TITLES: Final = {
    "pixels": "## The closed loop, with pictures",
    "no-pixels": "## The closed loop, without pictures",
}
_WHAT: Final = {
    "pixels": (
        "Whole games: people move rendered pieces with their hands, slowly, two things at once, sometimes wrongly on",
        "purpose, sometimes taking a move back; the gaze reads the pictures (one rig a game, taught before it begins,",
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
_HEAD: Final = (
    "| game | players | games (seed) | moves explained | wrongly | asked | false accusations "
    "| forbidden: caught / tried | right rule | takebacks | lost | final scores right | referee ms p50 / p95 "
    "| reading ms p50 / p95 |"
)
_RULE: Final = "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"


def row_written(page: str, outcome: Outcome, arguments: argparse.Namespace) -> str:
    """The page with this outcome's row in it, in the place of the one for the same game and as many players."""
    how = "no-pixels" if arguments.no_pixels else "pixels"
    old = accuracy_page.sections(page).get(f"loop {how}", "")
    rows = {key: line for line in old.splitlines() if (key := _key(line))[1].isdecimal()}
    row = _row(outcome, arguments.seed, arguments.light or ())
    rows[_key(row)] = row
    table = (_HEAD, _RULE, *(rows[key] for key in sorted(rows)))
    section = "\n".join((_TITLES[how], "", *_WHAT[how], "", _AIM, "", *table))
    return accuracy_page.written(page, {f"loop {how}": section})


def _key(line: str) -> tuple[str, str]:
    """The game and the number of players of a row."""
    _, game, players, *_ = (*(cell.strip() for cell in line.split("|")), "", "")
    return game, players


def _row(outcome: Outcome, seed: int, lights: Sequence[str]) -> str:
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
