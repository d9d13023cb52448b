"""Bots play whole games by the rules, and the rules that applied are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from companion.kernel.game import Game
from companion.kernel.rules import IllegalMove, Note, Seat
from companion.kernel.simulation import BotName, World, of

OnMove = Callable[[Any, Any, Any], None]
"""Called after each move with the state before, the move and the state after."""


class Tally(msgspec.Struct):
    """The result of a series of games."""

    game: str
    players: int
    bot: str
    seed: int
    games: int = 0
    finished: int = 0
    moves: int = 0
    illegal: int = 0
    seconds: float = 0.0
    moves_per_second: float = 0.0
    rules_touched: dict[str, int] = {}
    rules_untouched: list[str] = []


def open_table(
    game: Game[Any, Any],
    players: int,
    bot: BotName,
    seed: str,
    options: Mapping[str, Any] | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> tuple[Any, World]:
    """A new game and its world; the same seed gives the same game.

    Without `options`, each game draws its own, except for those that are `fixed`.
    """
    rng = Random(seed)
    simulation = of(game.name)
    box = game.load_box()
    seats = tuple(Seat(box.colours[place % len(box.colours)]) for place in range(players))
    chosen = {**simulation.options(rng), **(fixed or {})} if options is None else options
    state = game.setup(box, seats, chosen)
    return state, simulation.world(state, bot, rng)


def playing(game: Game[Any, Any], state: Any, world: World) -> Iterator[tuple[Any, Any, Any]]:
    """Play a game; yields state before, move and state after."""
    while game.actor(state) is not None:
        move = world.next_move(state, tuple(game.moves(state)))
        before, state = state, game.play(state, move)
        world.follow(before, move)
        yield before, move, state


def selfplay(
    game: Game[Any, Any],
    players: int,
    games: int,
    seed: int,
    bot: BotName,
    on_game: Callable[[int], None] = lambda _done: None,
    on_open: Callable[[int, Any], OnMove | None] = lambda _number, _state: None,
    fixed: Mapping[str, Any] | None = None,
) -> Tally:
    """Play a number of games, with some options `fixed`. `on_open` may return a listener for the moves of one game."""
    touched: Counter[str] = Counter({rule.id: 0 for rule in game.catalogue.rules})
    tally = Tally(game.name, players, bot, seed)
    started = perf_counter()
    for number in range(games):
        state, world = open_table(game, players, bot, f"{seed}/{number}", fixed=fixed)
        listen = on_open(number, state)
        tally.games += 1
        try:
            for before, move, after in playing(game, state, world):
                tally.moves += 1
                touched.update(note.rule for note in game.tell(before, move))
                state = after
                if listen:
                    listen(before, move, after)
        except IllegalMove:
            tally.illegal += 1
        tally.finished += game.actor(state) is None
        touched.update(note.rule for note in _score_notes(game, state))
        on_game(number + 1)
    tally.seconds = round(perf_counter() - started, 3)
    tally.moves_per_second = round(tally.moves / tally.seconds, 1) if tally.seconds else 0.0
    tally.rules_touched = dict(touched)
    tally.rules_untouched = [
        rule.id for rule in game.catalogue.rules if rule.kind in ("duty", "option") and not touched[rule.id]
    ]
    return tally


def _score_notes(game: Game[Any, Any], state: Any) -> Iterator[Note]:
    sheet = game.score(state)
    yield from sheet.because
    for seat in sheet.seats:
        for line in seat.lines:
            yield line.because
