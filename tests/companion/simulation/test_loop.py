"""The closed loop counts errors of the companion as well as successes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from companion import games
from companion.kernel.messages import Reading, ZoneReading
from companion.kernel.rules import Breach
from companion.kernel.views import Cells, Pieces, View
from companion.referee import Explained, Finding, Illegal, Settled
from companion.simulation import loop
from companion.simulation.camera import Moment, Noise, NoisyObserver
from companion.simulation.loop import Outcome, TimedReferee, percentiles, play

GAME = games.load("tumult_royale")
CLEAR = Noise(0.0, 0.0)


def evening(players: int, seed: str, noise: Noise | None = None, game: Any = GAME) -> Outcome:
    outcome = Outcome(game.name, players)
    play(game, players, seed, lambda rng: NoisyObserver(rng, noise), outcome, Counter())
    return outcome


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_evening_is_understood_through_the_doubts_of_a_camera(players: int) -> None:
    outcome = evening(players, "an evening")
    assert outcome.odd == []
    assert outcome.moves == outcome.explained_right > 200
    assert outcome.illegal_tried == outcome.illegal_caught == outcome.illegal_reason_right > 3
    assert outcome.takebacks == outcome.takebacks_right
    assert (outcome.explained_wrong, outcome.false_accusations, outcome.lost) == (0, 0, 0)
    assert outcome.final_scores_right == outcome.finished == outcome.games == 1


def test_the_same_seed_is_the_same_evening() -> None:
    one, other = evening(2, "twice"), evening(2, "twice")
    for outcome in (one, other):
        outcome.finding_ms = loop.Percentiles(0.0, 0.0)
    assert one == other


def test_nobody_clears_the_table_before_the_last_move_is_understood() -> None:
    """The last act of this game is a payment that could be half of another one."""
    outcome = evening(1, "2501/0", game=games.load("viscounts"))
    assert outcome.moves == outcome.explained_right
    assert outcome.final_scores_right == outcome.finished == 1


def test_a_table_that_went_back_and_on_by_one_of_several_ways_is_asked_about_and_not_lost() -> None:
    """Believed: two assistants as a reward, and a swap. In truth it was one, of either of two cities, and no swap."""
    outcome = evening(3, "2603/8", game=games.load("council_of_four"))
    assert outcome.moves == outcome.explained_right
    assert (outcome.explained_wrong, outcome.false_accusations, outcome.lost, outcome.final_scores_right) == (
        0,
        0,
        0,
        1,
    )


def test_nobody_errs_by_what_looks_like_something_else_done_before_a_button_was_pressed() -> None:
    """Yellow has rearranged a row, Blue has pressed; a row laid back then looks as if Yellow had left it alone."""
    outcome = evening(3, "3423/7", game=games.load("viscounts"))
    assert outcome.odd == []
    assert outcome.illegal_caught == outcome.illegal_tried > 20


def test_a_permit_turned_up_and_swapped_between_two_looks_accuses_nobody() -> None:
    outcome = evening(2, "2902/3", game=games.load("council_of_four"))
    assert outcome.odd == []
    assert outcome.moves == outcome.explained_right
    assert (outcome.false_accusations, outcome.final_scores_right) == (0, 1)


class Blind(TimedReferee):
    """A referee that never finds anything."""

    def judge(self, state: Any, seen: View, earlier: Any = (), made: Any = ()) -> Finding:
        return Settled()


class Suspicious(TimedReferee):
    """A referee that finds a broken rule in every act."""

    def judge(self, state: Any, seen: View, earlier: Any = (), made: Any = ()) -> Finding:
        found = super().judge(state, seen, earlier, made)
        if not isinstance(found, Explained):
            return found
        move = found.moves[-1]
        return Illegal((), (loop_try(move, Breach("round.phases", {"act": "Spin", "now": "mood"})),), ())


def loop_try(move: Any, breach: Breach) -> Any:
    from companion.referee import Try

    return Try(move, (breach,))


class Careless(TimedReferee):
    """A referee that leaves out the last of several moves."""

    def judge(self, state: Any, seen: View, earlier: Any = (), made: Any = ()) -> Finding:
        found = super().judge(state, seen, earlier, made)
        return Explained(found.moves[:-1]) if isinstance(found, Explained) and len(found.moves) > 3 else found


def test_a_referee_that_sees_nothing_gets_no_score_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "TimedReferee", Blind)
    outcome = evening(2, "blind", CLEAR)
    assert outcome.final_scores_right == 0
    assert outcome.illegal_caught == 0 < outcome.illegal_tried
    assert sum(outcome.missed.values()) == outcome.illegal_tried


def test_a_referee_that_accuses_everybody_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "TimedReferee", Suspicious)
    outcome = Outcome(GAME.name, 2)
    with pytest.raises(EnoughError):
        play(GAME, 2, "suspicious", lambda rng: NoisyObserver(rng, CLEAR), outcome, Counter(), lambda: enough(outcome))


class EnoughError(Exception):
    """Raised to stop a game in which the table understands nothing any more."""


def enough(outcome: Outcome) -> None:
    if outcome.false_accusations > 3:
        raise EnoughError


class Heaped(NoisyObserver):
    """A camera that cannot count the tiles on one castle before people spread them."""

    CASTLE = "castle blue"
    spreads = 0

    def _read(self, name: str) -> ZoneReading:
        read = super()._read(name)
        hidden = name == self.CASTLE and not Heaped.spreads
        return msgspec.structs.replace(read, contents=None, confidence=0.0) if hidden else read

    def spread(self, zones: Collection[str], now: float) -> Iterator[Reading]:
        Heaped.spreads += self.CASTLE in zones
        return super().spread(zones, now)


def test_people_spread_a_heap_when_they_are_asked_to_and_wrong_acts_are_told_as_such(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Heaped, "spreads", 0)
    outcome = Outcome(GAME.name, 2)
    play(GAME, 2, "heaped", lambda rng: Heaped(rng, CLEAR), outcome, Counter())
    assert Heaped.spreads == 1
    assert outcome.illegal_caught == outcome.illegal_tried > 3
    assert outcome.final_scores_right == 1


def test_one_picture_in_a_thousand_that_lies_is_outvoted_by_the_next() -> None:
    onlooker = NoisyObserver(Random(3), Noise(wrong=0.05, unclear=0.0))
    view = View({"grid": Cells({str(n): "a" if n % 2 else None for n in range(100)}), "pool": Pieces({"p": 3, "q": 2})})
    wrong = unknown = 0
    for at in range(40):
        onlooker = NoisyObserver(Random(at), Noise(wrong=0.05, unclear=0.0))
        (reading,) = onlooker.show(Moment(view), 0.0)
        seen = reading.zones["grid"].contents
        assert isinstance(seen, Cells)
        wrong += sum(label not in (view.zones["grid"].at[cell], "unknown") for cell, label in seen.at.items())  # type: ignore[union-attr]
        unknown += sum(label == "unknown" for label in seen.at.values())
    assert unknown > 40
    assert wrong < unknown / 10


def test_a_covered_zone_is_told_as_covered_and_a_second_look_is_a_fresh_one() -> None:
    onlooker = NoisyObserver(Random(1), CLEAR)
    view = View({"a": Pieces({"p": 1}), "b": Pieces({"p": 2})})
    (first,) = onlooker.show(Moment(view, covered=("b",)), 1.0)
    assert first.zones["b"].covered
    assert first.zones["b"].contents is None
    (second,) = onlooker.show(Moment(view), 2.0)
    assert second.view() == view
    assert list(onlooker.show(Moment(view), 3.0)) == []
    (again,) = onlooker.look_again(["a"], 4.0)
    assert isinstance(again, Reading)
    assert again.at > second.at


def test_percentiles_are_those_of_the_ordered_figures() -> None:
    assert percentiles([]) == loop.Percentiles(0.0, 0.0)
    assert percentiles([0.003, 0.001, 0.002]) == loop.Percentiles(2.0, 3.0)
    assert percentiles([n / 1000 for n in range(1, 101)]) == loop.Percentiles(51.0, 96.0)


def test_an_outcome_is_json_with_every_figure() -> None:
    keys = msgspec.to_builtins(evening(2, "keys", CLEAR)).keys()
    assert keys >= {
        *("game", "players", "games", "moves", "explained_right", "explained_wrong", "asked", "false_accusations"),
        *("illegal_tried", "illegal_caught", "illegal_reason_right", "takebacks", "takebacks_right", "lost"),
        *("final_scores_right", "finding_ms", "reading_ms"),
    }
