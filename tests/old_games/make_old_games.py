"""Writes small journals with the current companion, and beside each what it shows of that game.

    .venv/bin/python -m tests.old_games.make_old_games tests/old_games/NAME

The folder `first` was written by the tree of commit f7c95eb (companion 0.1.0, journal format 1), before a journal kept
anything beside set-up and events. Journals of a folder are never written again: they stand for the evenings of people
who had that version. When journals hold something new, or rules change, add a folder of another name.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from companion import games
from companion.cli import main
from companion.games.viscounts.box import RIVALS
from companion.kernel import simulation
from companion.kernel.game import Game
from companion.kernel.messages import Command
from companion.kernel.rules import Seat
from companion.referee import Explained, Referee
from companion.simulation.selfplay import open_table, playing
from companion.table import Table
from companion.table.ledger import Ledger
from tests.companion.table.evening import Evening, changed

NAMES = ("Ada", "Björn", "", "Zoë <b>")


def clock() -> str:
    return "2025-05-01T20:00:00+02:00"


def seats_of(game: Game[Any, Any], players: int) -> tuple[Seat, ...]:
    colours = game.load_box().colours
    return tuple(Seat(colours[place], NAMES[place]) for place in range(players))


def played(game: Game[Any, Any], players: int, options: dict[str, Any], seed: str) -> list[tuple[Any, Any]]:
    """Every move of a bots' game, with the state after it."""
    state, world = open_table(game, players, "keen", seed, options)
    seats = seats_of(game, players)
    return [(move, msgspec.structs.replace(after, seats=seats)) for _, move, after in playing(game, state, world)]


def half(game: Game[Any, Any], line: list[tuple[Any, Any]]) -> int:
    """A number of moves near the middle, within a turn; of Tumult Royale within a raid."""
    rushed = [
        n
        for n, (_, state) in enumerate(line, 1)
        if (countdown := game.countdown(state)) is not None and countdown.running
    ]
    within = [
        n
        for n in range(2, len(line))
        if isinstance(game.actor(line[n - 1][1]), int)
        and game.actor(line[n - 1][1]) == game.actor(line[n - 2][1]) == game.actor(line[n][1])
    ]
    return min(rushed or within, key=lambda n: abs(n - len(line) // 2))


def write(folder: Path, name: str, game: Game[Any, Any], players: int, options: dict[str, Any], whole: bool) -> None:
    line = played(game, players, options, f"old games/{name}")
    moves = line if whole else line[: half(game, line)]
    ledger = Ledger.begin(game, folder / f"{name}.journal", game.load_box(), seats_of(game, players), options, clock)
    for move, after in moves:
        ledger.play([move], None)
        assert ledger.state == after
    ledger.close()


# What people do besides


def picture(shade: int) -> bytes:
    """A small JPEG."""
    import cv2
    import numpy

    return bytes(cv2.imencode(".jpg", numpy.full((12, 16, 3), shade, numpy.uint8))[1])


def tumult_with_pictures(folder: Path) -> None:
    """Seen by a camera, with a breach, an undo, a correction, an ignored zone and an adopted table."""
    game = games.load("tumult_royale")
    path = folder / "tumult_royale-pictures.journal"
    evening = Evening(Table.begin(game, path, seats_of(game, 3), {"second_look": False}, clock), path)
    shades = iter(range(10, 250))
    take = evening.take
    evening.take = lambda message: take(  # type: ignore[method-assign]
        msgspec.structs.replace(message, picture=picture(next(shades))) if hasattr(message, "picture") else message
    )
    line = played(game, 3, {"second_look": False}, "old games/pictures")
    done = 0
    for number, (move, after) in enumerate(line[:60]):
        if Referee(game).judge(evening.state, game.view(after)) != Explained((move,)):
            evening.tells(move)  # what the camera cannot know, or not alone
        evening.shows(after, seconds=2.0)
        if evening.state != after:
            break
        done = number
        if number == 8:
            evening.asks("undo", 0)
            evening.asks("redo", 1)
        if number == 12:
            evening.asks(
                "ignore", zone="crowd" if "crowd" in game.view(after).zones else next(iter(game.view(after).zones))
            )
    assert done > 14, done
    evening.asks("dismiss", 1)
    pieces = next(
        zone for zone, lies in game.view(evening.state).zones.items() if hasattr(lies, "count") and lies.count
    )
    fewer = changed(game.view(evening.state), **{pieces.replace(" ", "_"): lambda lies: type(lies)({})})
    for _ in range(4):
        evening.shows(fewer, seconds=15.0)
    evening.asks("take_it")
    evening.table.close()


def corrected(folder: Path, name: str) -> None:
    """Told by hand, with undo, redo, a correction and a table that was counted by people."""
    game = games.load(name)
    path = folder / f"{name}-corrected.journal"
    evening = Evening(Table.begin(game, path, seats_of(game, 2), {}, clock), path)
    kept, corrections, rng = [], 0, Random(name)
    for move, after in played(game, 2, {}, f"old games/{name}/corrected"):
        evening.tells(move)
        assert evening.state == after
        kept.append((evening.table.ledger.now.n, move))
        if len(kept) % 25 == 0:
            evening.asks("undo")
            evening.asks("redo")
        if len(kept) == 90:
            break
    for event, move in reversed(kept):
        before = evening.table.ledger.point(event).parent.state  # type: ignore[union-attr]
        others = [one for one in game.moves(before) if one != move and type(one) is type(move)]
        if others and "corrected" in {
            update.kind for update in evening.asks("correct", event=event, move=msgspec.to_builtins(rng.choice(others)))
        }:
            corrections += 1
            if corrections == 2:
                break
    assert corrections
    evening.asks("undo", 1)
    evening.table.close()


def described(folder: Path, name: str, answers: dict[str, Any]) -> None:
    """With answers about the box, and described pieces."""
    game = games.load(name)
    path = folder / f"{name}-described.journal"
    table = Table.begin(game, path, seats_of(game, 2), {}, clock, answers)
    number = learned = 0
    rng = Random(name)
    state = table.state
    world = simulation.of(name).world(state, "keen", rng)
    while number < 80 and game.actor(state) is not None:
        moves = tuple(game.moves(state))
        move = world.next_move(state, moves)
        command = Command(f"{number}", "move", None, {"move": msgspec.to_builtins(move)})
        if learned < 2 and (form := form_for(game, state, move)) is not None:
            field, filled = form
            body = {"move": msgspec.to_builtins(move), "field": field, "answers": filled}
            if "learned" in {update.kind for update in table.take(Command(f"learn {number}", "learn", 0, body))}:
                learned += 1
                break
        table.take(command)
        world.follow(state, move)
        assert table.state != state
        state, number = table.state, number + 1
    assert learned, name
    assert any(event.kind == "learn" for event in table.journal.events())
    table.close()


FILLED: dict[str, dict[str, Any]] = {
    "council_of_four": {"permit": {"city": ["A", "C"], "gold": 2}},
    "tiletum": {"contract": {"needs": {"stone": 2}, "brings": {"points": 4}}},
}


def form_for(game: Game[Any, Any], state: Any, move: Any) -> tuple[str, dict[str, Any]] | None:
    assert game.learning is not None
    for field, filled in FILLED[game.name].items():
        if hasattr(move, field) and game.learning.form(state, move, field) is not None:
            return field, filled
    return None


# What is expected of them


def output(*arguments: str) -> Any:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        main(arguments)
    return json.loads(text.getvalue())


def acting(path: Path) -> Any:
    """The seat that acts after reopening a copy."""
    with TemporaryDirectory() as folder:
        game = games.load(path.name.split("-")[0])
        table = Table.reopen(game, Path(shutil.copy(path, folder)), clock)
        actor = msgspec.to_builtins(game.actor(table.state))
        table.close()
    return actor


def shown(path: Path) -> dict[str, Any]:
    """The output of `score` and `replay` for a game, without the words, which may change."""
    score, history = output("score", str(path), "--json"), output("replay", str(path), "--json")
    moves = history["moves"]
    acts = acting(path)
    happened = [one for move in moves for one in move["findings"]] + history["after"]
    return {
        "game": score["game"],
        "over": score["over"],
        "acts": acts,
        "winners": score["winners"],
        "seats": [
            {
                "seat": seat["seat"],
                "total": seat["total"],
                "lines": [[one["rule"], one["points"]] for one in seat["lines"]],
            }
            for seat in score["seats"]
        ],
        "unverified": len(score["unverified"]),
        "moves": len(moves),
        "undone": sum(move["undone"] for move in moves),
        "by": dict(sorted(Counter(str(move["seat"]) for move in moves).items())),
        "reasons": sum(len(move["because"]) for move in moves),
        "proofs": dict(sorted(Counter(str(move["proof"]) for move in moves).items())),
        "pictures": sum(bool(move["pictures"]) for move in moves),
        "happened": dict(sorted(Counter(one["kind"] for one in happened).items())),
    }


def make(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in games.NAMES:
        game = games.load(name)
        for players in (2, 3, 4):
            write(folder, f"{name}-{players}-finished", game, players, {}, True)
            chosen = dict(simulation.of(name).options(Random(f"{name}/{players}")))
            write(folder, f"{name}-{players}-half", game, players, chosen, False)
    for rival in RIVALS:
        game = games.load("viscounts")
        write(folder, f"viscounts-1-{rival}-finished", game, 1, {"opponent": rival}, True)
        write(folder, f"viscounts-1-{rival}-half", game, 1, {"opponent": rival, "difficulty": 2}, False)
    tumult_with_pictures(folder)
    for name in ("council_of_four", "viscounts"):
        corrected(folder, name)
    described(folder, "council_of_four", {})
    described(folder, "tiletum", {"start.gold": [2, 4, 5, 6]})
    for lock in folder.glob("*.journal-lock"):
        lock.unlink()
    for path in sorted(folder.glob("*.journal")):
        text = json.dumps(shown(path), ensure_ascii=False, indent=1)
        path.with_suffix(".json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
