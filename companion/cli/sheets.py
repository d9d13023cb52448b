"""Score sheets for people and for programs: every point with its reason, then who won and why."""

from __future__ import annotations

from typing import Any

from companion.catalogue import Speaker
from companion.cli.terminal import Terminal
from companion.rules import Game, Scoresheet


def sheet_lines(sheet: Scoresheet, state: Any, speaker: Speaker, terminal: Terminal) -> list[str]:
    lines = []
    for score in sorted(sheet.seats, key=lambda score: -score.total):
        colour = state.seats[score.seat].colour
        lines.append(
            terminal.paint(f"  {speaker.word(colour):<10}", colour) + terminal.paint(f"{score.total:>3}", "bold")
        )
        for line in score.lines:
            lines.append(f"      {line.points:>3}  {speaker.applied(line.because) or speaker.word(line.label)}")
    lines += [terminal.paint(f"\n  ★ {speaker.applied(note)}", "bold") for note in sheet.because]
    return lines


def sheet_json(game: Game[Any, Any], state: Any, speaker: Speaker) -> dict[str, Any]:
    sheet = game.score(state)
    colours = [seat.colour for seat in state.seats]
    seats = []
    for score in sheet.seats:
        lines = [
            {
                "label": speaker.word(line.label),
                "points": line.points,
                "because": speaker.applied(line.because),
                "rule": line.because.rule,
            }
            for line in score.lines
        ]
        seats.append({"seat": colours[score.seat], "total": score.total, "lines": lines})
    return {
        "game": game.name,
        "over": game.actor(state) is None,
        "seats": seats,
        "winner": None if sheet.winner is None else colours[sheet.winner],
        "winners": [colours[seat] for seat in sheet.winners],
        "because": [speaker.applied(note) for note in sheet.because],
        "unverified": list(state.box.unverified),
    }
