"""`companion loop`: bots play simulated games, and the companion's belief is compared with the truth."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final

import msgspec

from companion import games
from companion.cli.accuracy import row_written
from companion.cli.terminal import (
    Terminal,
    Unusable,
    add_game,
    add_json,
    add_options,
    number,
    print_json,
)
from companion.kernel import files
from companion.simulation.camera import NoisyObserver
from companion.simulation.loop import Outcome, percentiles, play

LIGHTS: Final = ("even", "dim", "warm", "one_sided", "flicker")
"""The names in `vision.rendered`. Not imported, because a loop without pixels needs nothing of it."""
CAUGHT: Final = 0.98


class Job(msgspec.Struct, frozen=True):
    """One game to play."""

    game: str
    players: int
    seed: str
    light: str
    pixels: bool
    options: dict[str, Any] = {}
    """Fixed options; the others are random for each game."""
    acts: int | None = None
    """Number of acts after which the game is stopped."""


class Played(msgspec.Struct):
    outcome: Outcome
    finding: list[float]
    reading: list[float]


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("loop", help="the closed loop: truth against belief")
    add_game(parser)
    parser.add_argument("--players", type=number, default=4)
    parser.add_argument("--games", type=number, default=3)
    parser.add_argument("--acts", type=number, help="break each game off after so many; default: none is broken off")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--light",
        choices=LIGHTS,
        action="append",
        help="said several times, the games take turns; default: another one in each game",
    )
    parser.add_argument("--no-pixels", action="store_true", help="no pictures: what lies there, with seeded noise")
    parser.add_argument("--jobs", type=number, default=os.cpu_count() or 1, help="games played at the same time")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the figures into a page (docs/accuracy.md)")
    add_options(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    games.load(arguments.game)
    if arguments.write and not arguments.write.is_file():
        raise Unusable(f"There is no page {arguments.write} to write the figures into.")
    terminal = Terminal(sys.stderr)
    started = perf_counter()
    played: list[Played] = []
    for done in _all_played(_jobs(arguments), min(arguments.jobs, arguments.games), terminal):
        played.append(done)
        terminal.progress(len(played) / arguments.games, f"{len(played)}/{arguments.games} games")
    terminal.done()
    outcome = _together(arguments, played)
    outcome.seconds = round(perf_counter() - started, 1)
    if arguments.write:
        with files.changing(arguments.write):  # several loops may end at once
            page = arguments.write.read_text(encoding="utf-8")
            files.write(arguments.write, row_written(page, outcome, arguments).encode())
    if arguments.json:
        print_json(outcome)
    else:
        _say(outcome)
    return 0 if holds(outcome) else 1


def _jobs(arguments: argparse.Namespace) -> list[Job]:
    lights = arguments.light or LIGHTS
    return [
        Job(
            arguments.game,
            arguments.players,
            f"{arguments.seed}/{nth}",
            lights[nth % len(lights)],
            not arguments.no_pixels,
            dict(arguments.options or ()),
            arguments.acts,
        )
        for nth in range(arguments.games)
    ]


def _all_played(jobs: list[Job], workers: int, terminal: Terminal) -> Iterator[Played]:
    if workers < 2:
        terminal.progress(0.0, "playing")
        yield from map(play_one, jobs)
        return
    # New processes, because OpenCV's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context) as pool:
        terminal.progress(0.0, f"playing {workers} at a time")
        for done in as_completed([pool.submit(play_one, job) for job in jobs]):
            yield done.result()


def play_one(job: Job) -> Played:
    """Play one game. The same seed gives the same game."""
    game = games.load(job.game)
    outcome = Outcome(job.game, job.players)
    reading: list[float] = []
    how: dict[str, Any] = {"fixed": job.options, "acts": job.acts}
    if job.pixels:
        from companion.cli.loop_pictures import PixelObserver
        from vision import layout

        table = layout.load(game.box_file.with_name("layout.toml"))
        looker = PixelObserver(table, Random(f"eyes/{job.seed}"), job.light)  # type: ignore[arg-type]
        finding = play(game, job.players, job.seed, lambda _rng: looker, outcome, Counter(), **how)
        reading = looker.seconds
    else:
        finding = play(game, job.players, job.seed, NoisyObserver, outcome, Counter(), **how)
    return Played(outcome, finding, reading)


def _together(arguments: argparse.Namespace, played: list[Played]) -> Outcome:
    total = Outcome(arguments.game, arguments.players)
    for one in played:
        for field in msgspec.structs.fields(Outcome):
            value = getattr(one.outcome, field.name)
            if field.type is int and field.name != "players":
                setattr(total, field.name, getattr(total, field.name) + value)
        for name in ("tried", "missed", "misnamed"):
            setattr(total, name, dict(Counter(getattr(total, name)) + Counter(getattr(one.outcome, name))))
        total.odd = [*total.odd, *one.outcome.odd]
    total.finding_ms = percentiles([second for one in played for second in one.finding])
    total.reading_ms = percentiles([second for one in played for second in one.reading])
    return total


def holds(outcome: Outcome) -> bool:
    """Whether the figures are good enough for real tables."""
    return (
        not outcome.false_accusations
        and not outcome.explained_wrong
        and outcome.final_scores_right == outcome.games
        and outcome.illegal_caught >= CAUGHT * outcome.illegal_tried
        and outcome.illegal_reason_right >= CAUGHT * outcome.illegal_caught
    )


def _say(outcome: Outcome) -> None:
    print(
        f"{outcome.games} games, {outcome.moves} moves: {outcome.explained_right} explained rightly, "
        f"{outcome.explained_wrong} wrongly, {outcome.asked} asked about; "
        f"{outcome.false_accusations} false accusations, {outcome.lost} times lost; "
        f"forbidden {outcome.illegal_tried}, caught {outcome.illegal_caught}, "
        f"by the right rule {outcome.illegal_reason_right}; "
        f"taken back {outcome.takebacks}, noticed {outcome.takebacks_right}; "
        f"final scores right in {outcome.final_scores_right} games; "
        f"referee {outcome.finding_ms.p50} ms (95 %: {outcome.finding_ms.p95}), "
        f"reading {outcome.reading_ms.p50} ms (95 %: {outcome.reading_ms.p95}); {outcome.seconds} s."
    )
    for line in outcome.odd:
        print(f"  {line}")
