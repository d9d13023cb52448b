"""`companion bench …`: measures speed and accuracy, compared with another program or a minimum in the same run."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from operator import truediv
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, thread_time
from typing import Any, get_args

import msgspec

from companion import games
from companion.cli.bench import timer, vision, web
from companion.cli.terminal import Terminal, Unusable, add_json, number, print_json
from companion.journal import Entry, Head, Journal, Setup, crc, replay
from companion.kernel.game import Game
from companion.kernel.messages import ZoneKind
from companion.kernel.simulation import BOTS
from companion.simulation.selfplay import open_table, playing

REOPENED_EVENTS = 5000


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench", help="how fast and how right it is, beside a peer or a floor"
    )
    parser.add_argument("what", choices=("rules", "vision", "accuracy", "real", "timer", "web"))
    parser.add_argument("--game", choices=games.NAMES, default=games.NAMES[0], help="whose table is read")
    parser.add_argument("--games", type=number, default=20, help="games a figure is measured on")
    parser.add_argument("--repeats", type=number, default=5, help="the median of so many runs counts")
    parser.add_argument("--scenes", type=number, default=300, help="rendered tables to read for accuracy")
    parser.add_argument("--timers", type=number, default=200, help="short raid timers to measure")
    parser.add_argument("--updates", type=number, default=200, help="events of which every phone's delay is measured")
    parser.add_argument("--counted", type=number, default=10_000, help="events of which none may be lost")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", choices=get_args(ZoneKind), help="zones of one kind, on tables that are full of it, for accuracy"
    )
    parser.add_argument(
        "--photos", type=Path, metavar="FOLDER", help="photographs with their truth, for accuracy and real"
    )
    parser.add_argument(
        "--suite", action="append", metavar="NAME", help="one suite of the photographs, for real; as often as needed"
    )
    parser.add_argument("--share", type=_share, default=1.0, help="of the photographs so many, as 0.2, for real")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the accuracy as a page (docs/accuracy.md)")
    add_json(parser)
    parser.set_defaults(run=run)


def _share(text: str) -> float:
    """A share above 0 and at most 1, for argparse."""
    value = float(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no share; choose one above 0 and at most 1")
    return value


def run(arguments: argparse.Namespace) -> int:
    if arguments.what == "timer":
        return timer.run(arguments)
    if arguments.what == "web":
        return web.run(arguments)
    if arguments.what != "rules":
        return vision.run(arguments)
    terminal = Terminal(sys.stderr)
    figures: dict[str, Any] = {"rules": {}}
    for name in games.NAMES:
        terminal.progress(0.1, f"{name} and chess")
        figures["rules"][name] = _rules(games.load(name), arguments.games, arguments.repeats)
    terminal.progress(0.7, "journal")
    figures["journal"] = _journal(games.load(games.NAMES[0]))
    terminal.done()
    if arguments.json:
        print_json(figures)
    else:
        _say(figures)
    return 0


def _rules(game: Game[Any, Any], games_each: int, repeats: int) -> dict[str, Any]:
    """Moves per second of CPU time along recorded games: list the legal moves, play one. Each run is measured right
    after the same one with chess."""
    records = {players: _record(game, players, games_each) for players in (2, 3, 4)}
    chess = _chess_runner(games_each)
    pairs: dict[int, list[tuple[float, float]]] = {players: [] for players in records}
    for _ in range(repeats):
        for players, recorded in records.items():
            theirs = chess()
            pairs[players].append((_plies_per_second(game, recorded), theirs))
    figures: dict[str, Any] = {}
    for players, both in pairs.items():
        ours, theirs = sorted(both, key=lambda pair: truediv(*pair))[len(both) // 2]
        figures[f"{players}_players"] = _compared("plies_per_second", ours, "chess_plies_per_second", theirs)
    rates = {players: median(ours for ours, _ in both) for players, both in pairs.items()}
    figures["growth"] = _compared("plies_per_second_4", rates[4], "plies_per_second_2", rates[2])
    figures["ratio"] = min(figures[f"{players}_players"]["ratio"] for players in records)
    return figures


def _record(game: Game[Any, Any], players: int, number: int) -> list[tuple[Any, list[Any]]]:
    """Games of both kinds of bots: the first state and the moves."""
    recorded = []
    for index in range(number):
        state, world = open_table(game, players, BOTS[index % len(BOTS)], f"bench/{index}")
        recorded.append((state, [move for _, move, _ in playing(game, state, world)]))
    return recorded


def _plies_per_second(game: Game[Any, Any], recorded: list[tuple[Any, list[Any]]]) -> float:
    plies = 0
    started = thread_time()
    for state, moves in recorded:
        for move in moves:
            list(game.moves(state))
            state = game.play(state, move)
        plies += len(moves)
    return plies / (thread_time() - started)


def _chess_runner(number: int) -> Callable[[], float]:
    try:
        import chess
    except ImportError as error:
        raise Unusable(
            "The peer of this benchmark is missing: install the dev extra (pip install -e '.[dev]')."
        ) from error
    recorded = []
    for index in range(number):
        rng, board = Random(f"bench/{index}"), chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 200:
            board.push(rng.choice(list(board.legal_moves)))
        recorded.append(list(board.move_stack))

    def plies_per_second() -> float:
        started = thread_time()
        for moves in recorded:
            board = chess.Board()
            for move in moves:
                list(board.legal_moves)
                board.push(move)
        return sum(map(len, recorded)) / (thread_time() - started)

    return plies_per_second


def _journal(game: Game[Any, Any]) -> dict[str, Any]:
    """Synced appends compared with plain synced writes of the same bytes, which only wait for the disk; and the CPU
    time of reopening a long game."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as name:
        folder = Path(name)
        state, events = _long_game(game)
        head = Head(
            game.name,
            "2000-01-01T00:00:00Z",
            Setup.of(state.box, state.seats, msgspec.to_builtins(state.options)),
        )
        appended = _appends_per_second(folder / "short.journal", head, events[:300])
        floor = _synced_writes_per_second(folder / "floor", events[:300])
        path = folder / "long.journal"
        with Journal.create(path, head, now=str, entries=events):
            pass
        started = thread_time()
        with Journal.open(path, now=str) as journal:
            replay(journal, game)
        seconds = thread_time() - started
    return {
        "append": _compared("events_per_second", appended, "synced_writes_per_second", floor),
        "reopen": {"events": len(events), "seconds": round(seconds, 3)},
    }


def _long_game(game: Game[Any, Any]) -> tuple[Any, list[Entry]]:
    """A game of REOPENED_EVENTS events: played, undone to the start, and played again until it has enough events."""
    state, world = open_table(game, 4, "keen", "bench/long", {})
    one = [Entry("move", msgspec.json.encode(move), crc(after)) for _, move, after in playing(game, state, world)]
    back = Entry("undo", b'{"to":0}', crc(state))
    events = [*one]
    while len(events) < REOPENED_EVENTS:
        events += [back, *one]
    return state, events[:REOPENED_EVENTS]


def _appends_per_second(path: Path, head: Head, events: list[Entry]) -> float:
    with Journal.create(path, head, now=lambda: "2000-01-01T00:00:00Z") as journal:
        started = perf_counter()
        for event in events:
            journal.append(event.kind, event.body, event.state_crc)
        return len(events) / (perf_counter() - started)


def _synced_writes_per_second(path: Path, events: list[Entry]) -> float:
    with path.open("wb", buffering=0) as file:
        started = perf_counter()
        for event in events:
            file.write(event.body)
            os.fsync(file.fileno())
        return len(events) / (perf_counter() - started)


def _compared(name: str, ours: float, other: str, theirs: float) -> dict[str, float]:
    return {name: round(ours, 1), other: round(theirs, 1), "ratio": round(ours / theirs, 3)}


def _say(figures: dict[str, Any]) -> None:
    for name, game in figures["rules"].items():
        for players in (2, 3, 4):
            line = game[f"{players}_players"]
            print(
                f"{name}, {players} players: {line['plies_per_second']:.0f} plies a second, "
                f"python-chess {line['chess_plies_per_second']:.0f}: ratio {line['ratio']}"
            )
        print(f"{name}, 4 against 2 players: ratio {game['growth']['ratio']}")
    append, reopen = figures["journal"]["append"], figures["journal"]["reopen"]
    print(
        f"journal: {append['events_per_second']:.0f} events a second with full sync, bare synced writes "
        f"{append['synced_writes_per_second']:.0f}: ratio {append['ratio']}"
    )
    print(f"journal: {reopen['events']} events reopened in {reopen['seconds']} s")
