"""Score sheets for people and for programs: every point with its reason, then who won and why."""

from __future__ import annotations

from typing import Any

from companion.cli.terminal import Terminal
from companion.history import SheetTold


def sheet_lines(sheet: SheetTold, terminal: Terminal) -> list[str]:
    lines = []
    for score in sorted(sheet.seats, key=lambda score: -score.total):
        lines.append(terminal.paint(f"  {score.word:<10}", score.seat) + terminal.paint(f"{score.total:>3}", "bold"))
        lines += [f"      {line.points:>3}  {line.because or line.label}" for line in score.lines]
    lines += [terminal.paint(f"\n  ★ {reason}", "bold") for reason in sheet.because]
    return lines


def sheet_json(game: str, sheet: SheetTold) -> dict[str, Any]:
    seats = []
    for score in sheet.seats:
        lines = [
            {"label": line.label, "points": line.points, "because": line.because, "rule": line.rule}
            for line in score.lines
        ]
        seats.append({"seat": score.seat, "total": score.total, "lines": lines})
    return {
        "game": game,
        "over": sheet.over,
        "seats": seats,
        "winner": sheet.winners[0] if len(sheet.winners) == 1 else None,
        "winners": sheet.winners,
        "because": sheet.because,
        "unverified": sheet.unverified,
    }
