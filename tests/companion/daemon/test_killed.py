"""SIGKILL at random moments of a game: no acknowledged move is lost, none counts twice, and the final
score is the true one. `make proof` kills 50 times."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from .killing import GAME, Companion, Deaths, Evening
from .test_reading_socket import Client


@pytest.mark.parametrize(
    ("seed", "kills", "between_kills"),
    [
        ("first", 9, 12),
        pytest.param("first", 25, 6, marks=pytest.mark.proof),
        pytest.param("second", 15, 6, marks=pytest.mark.proof),  # people ask for little: few moments to die at
        pytest.param("third", 10, 6, marks=pytest.mark.proof),
    ],
)
def test_a_companion_that_is_killed_again_and_again_finds_the_table_and_ends_with_the_true_score(
    tmp_path: Path, seed: str, kills: int, between_kills: int
) -> None:
    companion = Companion(tmp_path)
    deaths = Deaths(Random(f"deaths/{seed}"), kills, between_kills)
    try:
        evening = Evening(companion, seed, deaths, mistake_rate=0.05)
        truth = evening.play()
        last = Client(companion.socket)
        snapshot = last.hear()["standing"]["table"]
        last.close()
        companion.stop()
    finally:
        companion.close()
    assert deaths.left == 0
    assert all(deaths.died[when] for when in ("after a reading", "after a signal", "after a command", "in a raid"))
    evening.check_acknowledged()
    assert GAME.actor(evening.belief()) is None
    assert GAME.score(evening.belief()) == GAME.score(truth)
    assert snapshot["totals"] == [seat.total for seat in GAME.score(truth).seats]
    assert snapshot["over"]
    assert not snapshot["comparing"], "the table was found again"
