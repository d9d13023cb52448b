"""What a game gives to be tested as every game is: states, acts, and words that say themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Generic, NamedTuple

from hypothesis import strategies as st

from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.kernel.game import Game, M, S
from companion.kernel.rules import Breach, Note

ValueOf = Callable[[type[Any], str], st.SearchStrategy[Any]]


class Sample(NamedTuple):
    """One game."""

    game: Game[Any, Any]
    whole_game: Callable[[int], Sequence[Any]]
    """All states of one game by chance."""
    states: st.SearchStrategy[Any]
    value_of: ValueOf
    """Values for a field of a kind of act, sensible or not."""
    nowhere: frozenset[str]
    """What people may name though there is no such thing."""
    say_themselves: frozenset[str]
    """Names that are the same in all languages."""
    possible: Callable[[Iterable[Any]], set[Any]] = set
    """The acts that are allowed if these are listed."""
    turned: tuple[type[Any], ...] = ()
    """Moves that a dial makes: the table follows it by itself, and nobody proposes them."""
    dealt: tuple[type[Any], ...] = ()
    """Moves of chance that name a seat."""

    @property
    def kinds(self) -> tuple[type[Any], ...]:
        kinds: tuple[type[Any], ...] = self.game.move_type.__args__
        return kinds

    @property
    def acts(self) -> st.SearchStrategy[Any]:
        """Anything that a person could do."""
        return st.one_of(*map(self._of_kind, self.kinds))

    def _of_kind(self, kind: type[Any]) -> st.SearchStrategy[Any]:
        return st.builds(kind, **{name: self.value_of(kind, name) for name in kind.__struct_fields__})

    @property
    def speakers(self) -> list[Speaker]:
        return [Speaker(self.game.catalogue, language) for language in LANGUAGES]

    def foreign(self, facts: Mapping[str, Any]) -> set[str]:
        """Words of facts that no catalogue knows."""
        several = [fact if isinstance(fact, tuple) else (fact,) for fact in facts.values()]
        words = {word for fact in several for word in fact if isinstance(word, str)}
        strange = words - set(self.game.catalogue.words) - self.say_themselves
        return {
            word
            for word in strange
            if word and not word.lstrip("-").isdecimal() and self.game.catalogue.word(word, "en") == word
        }


def values(of: Mapping[str, st.SearchStrategy[Any]]) -> ValueOf:
    """The same values for a field in all kinds of acts."""
    return lambda _kind, name: of[name]


# Whole games by chance


def games_by_chance(number: int) -> st.SearchStrategy[int]:
    """The seeds of so many games: the same in every run of `make test`, others in every round of `make fuzz`."""
    first = number * int(os.environ.get("FUZZ_ROUND", "0"))
    return st.integers(first, first + number - 1)


def by_liking(game: Game[Any, Any], dice: Random, state: Any, liked: Mapping[type[Any], int], others: int) -> Any:
    """A legal move: its kind first, so that many ways to do one thing do not crowd out the rest."""
    kinds: dict[type[Any], list[Any]] = {}
    for move in game.moves(state):
        kinds.setdefault(type(move), []).append(move)
    kind = dice.choices(list(kinds), [liked.get(one, others) for one in kinds])[0]
    return dice.choice(kinds[kind])


def all_states(steps: Iterable[tuple[Any, Any, Any]]) -> tuple[Any, ...]:
    """The states of a whole game."""
    before, _, after = next(game := iter(steps))
    return (before, after, *(later for _, _, later in game))


def rules_touched(game: Game[Any, Any], steps: Iterator[tuple[Any, Any, Any]]) -> set[str]:
    """The rules that a whole game sets to work, its score with them."""
    touched: set[str] = set()
    for before, move, after in steps:
        touched.update(note.rule for note in game.tell(before, move))
        last = after
    sheet = game.score(last)
    touched.update(line.because.rule for seat in sheet.seats for line in seat.lines)
    return touched | {why.rule for why in sheet.because}


def never_touched(game: Game[Any, Any], games: Iterable[Iterator[tuple[Any, Any, Any]]]) -> set[str]:
    """The duties and options that no game sets to work, in as many of these games as that takes; nor may any touch what
    is only told when it is broken."""
    bans = {rule.id for rule in game.catalogue.rules if rule.kind == "ban"}
    missing = {rule.id for rule in game.catalogue.rules if rule.kind in ("duty", "option")}
    for steps in games:
        touched = rules_touched(game, steps)
        assert not touched & bans
        missing -= touched
        if not missing:
            break
    return missing


# What a test asks a game


class Asked(Generic[S, M]):
    """A game, as tests ask it."""

    def __init__(self, game: Game[S, M]) -> None:
        self._game = game

    def played(self, state: S, *moves: M) -> S:
        for move in moves:
            state = self._game.play(state, move)
        return state

    def broken_rules(self, state: S, move: M) -> set[str]:
        """The rules this move would break; none means that it is legal."""
        return {breach.rule for breach in self._game.check(state, move)}

    def breach(self, state: S, move: M, rule: str) -> Breach:
        """The breach of this one rule, for a look at its facts."""
        return next(found for found in self._game.check(state, move) if found.rule == rule)

    def told_rules(self, state: S, move: M) -> set[str]:
        """The rules that a legal move sets to work."""
        return {note.rule for note in self._game.tell(state, move)}

    def note(self, state: S, move: M, rule: str) -> Note:
        return next(found for found in self._game.tell(state, move) if found.rule == rule)

    def notes(self, state: S, move: M, rule: str) -> list[dict[str, Any]]:
        """The facts of a rule that a move tells several times."""
        return [found.facts for found in self._game.tell(state, move) if found.rule == rule]
