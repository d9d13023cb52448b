"""How far a game is: told in both languages from the first round to the last, and by no game outside of them."""

from __future__ import annotations

import pytest

from companion import games
from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.simulation.selfplay import open_table, playing


@pytest.mark.parametrize("name", games.NAMES)
def test_every_game_tells_its_rounds_in_order_and_who_sits_in_them(name: str) -> None:
    game = games.load(name)
    players = 3
    rounds, said = [], set()
    state, world = open_table(game, players, "random", f"progress/{name}")
    assert game.progress(state) is None
    for _, _, after in playing(game, state, world):
        progress = game.progress(after)
        if game.setting_up(after) or game.actor(after) is None:
            assert progress is None
            continue
        assert progress is not None
        assert sorted(progress.order) == list(range(players))
        rounds.append(progress.round)
        said |= {(lang, Speaker(game.catalogue, lang).progress(progress)) for lang in LANGUAGES}
    assert rounds == sorted(rounds)
    assert rounds[0] == 1
    assert set(rounds) == set(range(1, rounds[-1] + 1))
    assert not any("{" in words for _, words in said)
    assert len(said) >= 2 * len(set(rounds))
    kinds = {kind.__name__ for kind in game.move_type.__args__}
    assert game.trivia <= kinds
