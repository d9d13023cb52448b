"""Writes one page with every sentence of every catalogue as people read it (`make sentences`).

The facts are real: bots play whole games, and on the way small slips of legal moves are tried (one field with a value
from elsewhere in the game, or a move of another moment). Sentences that no game brought up stand at the end, each with
its rule. The same seed gives the same page.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec

from companion import games
from companion.kernel.catalogue import LANGUAGES, Catalogue, Rule, Speaker, Text
from companion.kernel.game import Game
from companion.kernel.rules import Fact, Note
from companion.simulation.selfplay import open_table, playing

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "build" / "sentences.html"
SEED = 24
PLAYERS = (2, 3, 4)
GAMES = 4
SLIPS = 6
"""So many slips are tried at a state that is looked at."""
LOOKS = 200
"""At so many states of a game, at the most."""
MOST = 4
"""So many examples of a sentence are shown."""

How = Literal["broken", "applied", "moves", "expects"]
Key = tuple[How, str]


class Example(NamedTuple):
    """A sentence in both languages, with its facts."""

    de: str
    en: str
    facts: Mapping[str, Fact]


class Collected:
    """The sentences of one game: for each a few examples with different numbers or words."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.found: dict[Key, dict[Any, Example]] = {}
        self._german, self._english = (Speaker(game.catalogue, language) for language in LANGUAGES)

    def add(self, how: How, name: str, facts: Mapping[str, Fact]) -> None:
        text = self.template(how, name)
        if text is None:
            return
        examples = self.found.setdefault((how, name), {})
        kind = tuple((fact, min(value, 2)) for fact, value in sorted(facts.items()) if isinstance(value, int))
        if kind not in examples and len(examples) < MOST:
            examples[kind] = Example(self._german.fill(text, facts), self._english.fill(text, facts), facts)

    def template(self, how: How, name: str) -> Text | None:
        """The text with its gaps; a breach without a sentence of its own says the rule."""
        catalogue = self.game.catalogue
        if how in ("moves", "expects"):
            texts: Mapping[str, Text] = catalogue.moves if how == "moves" else catalogue.expects
            return texts[name]
        rule = catalogue.rule(name)
        return rule.broken or rule.says if how == "broken" else rule.applied

    def tell(self, notes: Sequence[Note]) -> None:
        for note in notes:
            self.add("applied", note.rule, note.facts)

    def unseen(self) -> list[tuple[How, Rule]]:
        """The sentences that came up in no game."""
        ways: tuple[How, ...] = ("broken", "applied")
        return [
            (how, rule)
            for rule in self.game.catalogue.rules
            for how in ways
            if getattr(rule, how) and (how, rule.id) not in self.found
        ]


class Slips:
    """Moves that people might make by mistake, from the moves that they made so far."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._values: dict[tuple[type[Any], str], dict[Any, None]] = {}
        self._moves: dict[type[Any], list[Any]] = {}

    def learn(self, move: Any) -> None:
        self._moves.setdefault(type(move), []).append(move)
        for name in move.__struct_fields__:
            self._values.setdefault((type(move), name), {})[getattr(move, name)] = None

    def near(self, legal: Sequence[Any]) -> Iterator[Any]:
        for _ in range(SLIPS):
            kind = self._rng.choice(list(self._moves))
            yield self._rng.choice(self._moves[kind])
            if legal:
                yield self._slipped(self._rng.choice(legal))

    def _slipped(self, move: Any) -> Any:
        names = move.__struct_fields__
        if not names:
            return move
        name = self._rng.choice(names)
        value = getattr(move, name)
        others = list(self._values.get((type(move), name), {}))
        if type(value) is int:
            others += [value - 1, value + 1, value + 3]
        return msgspec.structs.replace(move, **{name: self._rng.choice(others)}) if others else move


def collected(name: str, number: int = GAMES, looks: int = LOOKS, seed: int = SEED) -> Collected:
    """The sentences of so many games of each number of players."""
    game = games.load(name)
    found = Collected(game)
    for players in PLAYERS:
        slips = Slips(Random(f"{seed}/{name}/{players}"))
        for one in range(number):
            state, world = open_table(game, players, "keen" if one % 2 else "random", f"{seed}/{players}/{one}")
            _play(found, slips, list(playing(game, state, world)), looks)
    return found


def _play(found: Collected, slips: Slips, steps: Sequence[tuple[Any, Any, Any]], looks: int) -> None:
    game = found.game
    every = max(1, len(steps) // looks)
    for number, (before, move, _) in enumerate(steps):
        slips.learn(move)
        found.tell(game.tell(before, move))
        found.add("moves", type(move).__name__, game.facts(before, move))
        expected = game.expects(before)
        found.add("expects", expected.key, expected.facts)
        if number % every == 0:
            for slip in slips.near([move, *list(game.moves(before))[:30]]):
                for breach in game.check(before, slip):
                    found.add("broken", breach.rule, breach.facts)
    sheet = game.score(steps[-1][2])
    found.tell([*sheet.because, *(line.because for seat in sheet.seats for line in seat.lines)])


# The page


STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
td { border-top: 1px solid #ccc; padding: .35rem .6rem; vertical-align: top }
td:first-child { width: 15rem; font: 13px ui-monospace, monospace; color: #666; overflow-wrap: anywhere }
"""
HEADINGS: Mapping[How, str] = {
    "broken": "Not allowed",
    "applied": "What a rule did",
    "moves": "Moves",
    "expects": "What the table waits for",
}


def page(everything: Sequence[Collected]) -> str:
    return "\n".join(_lines(everything))


def _lines(everything: Sequence[Collected]) -> Iterator[str]:
    yield '<!doctype html><meta charset="utf-8"><title>Sentences</title>'
    yield f"<style>{STYLE}</style>"
    for found in everything:
        catalogue = found.game.catalogue
        yield f"<h1>{escape(catalogue.title.en)}</h1>"
        for how, heading in HEADINGS.items():
            yield f"<h2>{escape(catalogue.title.en)}: {heading}</h2><table>"
            for name in _in_order(catalogue, how):
                for example in found.found.get((how, name), {}).values():
                    yield _row(name, example.de, example.en)
            yield "</table>"
    yield "<h1>Not brought up by any game</h1>"
    for found in everything:
        yield f"<h2>{escape(found.game.catalogue.title.en)}</h2><table>"
        for how, rule in found.unseen():
            text = found.template(how, rule.id)
            assert text is not None
            yield _row(f"{rule.id} ({how})", text.de, text.en)
            yield _row("", rule.says.de, rule.says.en)
        yield "</table>"


def _in_order(catalogue: Catalogue, how: How) -> list[str]:
    if how in ("moves", "expects"):
        return list(catalogue.moves if how == "moves" else catalogue.expects)
    return [rule.id for rule in catalogue.rules]


def _row(name: str, de: str, en: str) -> str:
    return f"<tr><td>{escape(name)}<td lang=de>{escape(de)}<td lang=en>{escape(en)}</tr>"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="so many of each number of players")
    parser.add_argument("--only", choices=games.NAMES)
    parser.add_argument("--page", type=Path, default=PAGE)
    arguments = parser.parse_args()
    names = [arguments.only] if arguments.only else games.NAMES
    everything = [collected(name, arguments.games) for name in names]
    arguments.page.parent.mkdir(parents=True, exist_ok=True)
    arguments.page.write_text(page(everything), encoding="utf-8")
    for found in everything:
        print(f"{found.game.catalogue.title.en}: {len(found.found)} sentences, {len(found.unseen())} not brought up")
    print(f"The page: {arguments.page}")


if __name__ == "__main__":
    main()
