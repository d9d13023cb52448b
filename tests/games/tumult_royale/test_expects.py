"""What the table waits for: always one whole sentence, about a seat that can really act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import (
    MIDDLE,
    DealCard,
    Exchange,
    LayDown,
    LayOut,
    Ready,
    SetAside,
    ShowField,
    Spin,
    Stop,
    TurnUp,
    Uncover,
)
from companion.games.tumult_royale.rulebook.phase4_statues import next_turn
from companion.games.tumult_royale.rulebook.phase5_ranks import begin_ranks
from companion.games.tumult_royale.rulebook.phase7_mercy import begin_mercy
from companion.games.tumult_royale.state import State
from companion.kernel.catalogue import LANGUAGES, Language, Speaker
from companion.kernel.rules import ANYONE, CHANCE, RuleLog
from companion.simulation.selfplay import open_table, playing

from .raid_table import all_aside, all_ready, at, raiding
from .statue_table import coronation
from .table import (
    BLUE,
    GREY,
    PURPLE,
    YELLOW,
    after_raid,
    dealt,
    landscaped,
    opened,
    placing,
    played,
    table,
)

BY_THE_BOOK: Mapping[str, Any] = {}
THE_OTHER_WAY: Mapping[str, Any] = {
    "oldest": 1,
    "gamblers": True,
    "second_look": False,
    "rank_ties": "card_held",
    "last_statues": "what_is_left",
    "passing": "out",
}


def says(state: State, language: Language = "en", names: Mapping[str, str] | None = None) -> str:
    return Speaker(GAME.catalogue, language, names).expects(GAME.expects(state))


@pytest.mark.parametrize("options", [BY_THE_BOOK, THE_OTHER_WAY], ids=["by the book", "the other way"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bot", ["keen", "random"])
def test_every_state_of_a_game_expects_something_a_player_can_do(
    players: int, options: Mapping[str, Any], bot: Any
) -> None:
    state, world = open_table(GAME, players, bot, f"expects/{players}", options)
    speakers = [Speaker(GAME.catalogue, language) for language in LANGUAGES]
    for found in (state, *(after for _, _, after in playing(GAME, state, world))):
        expected = GAME.expects(found)
        for speaker in speakers:
            sentence = speaker.expects(expected)
            assert "{" not in sentence, sentence
            assert sentence[-1] in ".?!", sentence
        moves = list(GAME.moves(found))
        if isinstance(expected.actor, int):
            assert any(getattr(move, "seat", None) == expected.actor for move in moves), expected
        else:
            assert bool(moves) == (expected.actor in (ANYONE, CHANCE)), expected


def test_the_set_up_is_asked_for_step_by_step() -> None:
    assert says(opened(3)).startswith("Lay out the table: 30 goods tiles face down in the middle, 20 followers")
    cards = GAME.play(opened(3, oldest=1), LayOut())
    assert says(cards) == "Yellow: draw a nobility card."
    assert says(GAME.play(cards, DealCard(YELLOW, 2)), "de") == "Violett: Zieh eine Adelskarte."
    boards = dealt(3)
    assert says(boards) == "Which landscape board lies face up on B1?"
    assert says(GAME.play(boards, ShowField(boards.place_fields(1)[0], "forest"))) == "What does field E1 show?"
    assert says(landscaped(3), "de") == "Violett: Stell deine erste Statue auf eine freie Wiese."


def test_a_first_statue_goes_anywhere_when_no_meadow_is_left() -> None:
    state = landscaped(2)
    forests = replace(state, land=tuple("forest" if kind == "meadow" else kind for kind in state.land))
    assert says(forests) == "Yellow: put your first statue on a free field."


def test_a_round_begins_with_the_spin_then_tiles_aside_then_the_buttons_then_the_raid() -> None:
    state = table(3, ranks=[2, 1, 3])
    assert says(state, "de") == "König Gelb: Dreh die Scheibe."
    state = played(state, Spin(YELLOW, (3,)), SetAside(YELLOW))
    assert says(state, "de") == "Jede Person legt 3 Plättchen beiseite. Noch nicht fertig: Blau, Violett."
    assert says(state, names={"blue": "Anna"}) == ("Each player sets aside 3 tiles. Not done yet: Anna, Purple.")
    state = played(state, SetAside(BLUE), SetAside(PURPLE), Ready(BLUE))
    assert says(state, "de") == "Alle bereit? Es fehlen noch: Gelb, Violett."
    state = played(state, Ready(YELLOW), Ready(PURPLE))
    assert says(state, "de") == "König Gelb: Starte den Raub."


def test_if_it_is_unknown_who_set_tiles_aside_only_the_number_left_is_told() -> None:
    state = played(table(3), Spin(BLUE, (3,)), SetAside())
    assert says(state, "de") == "Jede Person legt 3 Plättchen beiseite. Es fehlen noch 2 Personen."
    state = GAME.play(state, SetAside())
    assert says(state) == "Each player sets aside 3 tiles. 1 player has yet to do it."
    assert says(GAME.play(state, SetAside())) == "Ready? Still missing: Blue, Yellow, Purple."


def test_a_forgotten_spin_is_still_asked_for_when_everybody_is_ready() -> None:
    assert says(all_ready(table(2))) == "King Blue: spin the disc."
    assert says(all_aside(table(2, gamblers=True))) == "Ready? Still missing: Blue, Yellow."


def test_the_raid_and_its_stop() -> None:
    state = raiding(2)
    assert says(state, "de") == "Raub! Eine Hand, immer nur ein Plättchen. Ihr habt 20 Sekunden."
    held = GAME.play(state, Stop((BLUE,)))
    assert says(held) == "Stop! Still holding a tile: Blue. Put it on your castle board or back in the middle."
    assert GAME.expects(held).actor == BLUE
    down = GAME.play(held, LayDown(BLUE, True))
    stop, asked = says(down).split(" The people ")
    assert stop == "Stop! Lay down the tile in your hand and turn up all tiles: 15 still face down."
    assert asked == "ask for 3 of each good."
    turning = GAME.play(down, TurnUp(MIDDLE, "bread1"))
    assert says(turning, "de") == "Deckt alle Plättchen auf: noch 14 verdeckt. Das Volk verlangt von jeder Ware 3."
    assert says(at("gambling"), "de") == "König Blau: Dreh die Scheibe für Brot."


def test_the_greediest_hears_what_a_tumult_costs() -> None:
    castles = {YELLOW: ("bread1", "bread2", "bread3"), BLUE: ("bread1",)}
    state = after_raid(table(2), castles, ("marble3", "tool3"), demand=2)
    assert says(state, "de") == "Tumult um Brot! Gelb: Gib 2 Brote, 3 Brote zurück und 3 Gefolgsleute ab."
    only = after_raid(table(2), {YELLOW: ("bread3",)}, ("marble3", "tool3"), demand=2)
    assert says(only) == "Tumult over bread! Yellow: give up 3 followers."


def test_a_seat_that_cannot_pay_is_helped_first() -> None:
    castles = {YELLOW: ("bread1", "bread2"), BLUE: ()}
    state = after_raid(table(2), castles, ("marble3", "tool3"), demand=2, followers=(30, 1))
    assert says(state) == (
        "Tumult over bread! Yellow has too few followers: everybody takes 5 from the supply. "
        "Then, Yellow: give back 2 bread and give up 3 followers."
    )
    king = replace(coronation(1), followers=(4, 15, 15, 15))
    assert says(king, "de").startswith("König Blau hat zu wenige Gefolgsleute: Nehmt euch alle 5 aus dem Vorrat.")
    bare = replace(king, supply=0)
    assert says(bare) == "King Blue: give up 4 followers and put 1 statue on field 1 of the chronicle."


def test_placing_and_the_consolation() -> None:
    state = placing(table(2), {BLUE: ("bread2", "marble2")})
    assert says(state, "de") == "Blau: Stell Statuen auf oder passe."
    nothing = replace(state, castles=((), ()), able=(False, False))
    consoled = next_turn(nothing, RuleLog())
    assert says(consoled, "de") == "Blau: Nimm dir 2 Gefolgsleute als Trost."
    assert says(replace(consoled, supply=1)) == (
        "The supply is too small: everybody gives up to 5 followers. Then, Blue: take 2 as consolation."
    )


def test_cards_are_swapped_and_the_king_is_crowned() -> None:
    state = begin_ranks(replace(table(3), followers=(4, 9, 12)), RuleLog())
    assert says(state, "de") == "Violett und Blau tauschen die Karten: Violett wird König, Blau wird Fürst."
    assert says(GAME.play(state, Exchange(PURPLE, 1))) == (
        "King Purple: give up 5 followers and put 1 statue on field 1 of the chronicle."
    )
    assert says(coronation(6), "de") == "König Blau: Gib 5 Gefolgsleute ab und stell 2 Statuen auf Feld 6 der Chronik."


def test_the_king_turns_up_boards_and_each_is_named() -> None:
    state = GAME.play(coronation(3), next(iter(GAME.moves(coronation(3)))))
    assert says(state, "de") == "König Blau: Deck 2 verdeckte Tafeln zu dir hin auf, ohne sie vorher anzusehen."
    assert says(GAME.play(state, Uncover(BLUE, 0))) == "Which landscape board lies face up on A1?"


def test_mercy_cards_are_turned_by_those_they_concern() -> None:
    state = table(4)
    one = begin_mercy(replace(state, placed=(3, 2, 1, 2)), RuleLog())
    assert says(one, "de") == "Violett: Dreh deine Gnadenkarte um. Das Volk hat Gnade mit dir."
    gone = begin_mercy(replace(state, placed=(2, 2, 2, 2), mercy=(False, False, False, True)), RuleLog())
    assert (GAME.expects(gone).actor, says(gone)) == (GREY, "Grey: turn over your mercy card. The mercy is over.")
    several = begin_mercy(replace(state, placed=(3, 1, 1, 2)), RuleLog())
    assert says(several, "de") == "Dreht eure Gnadenkarten um: Gelb, Violett."


def test_the_end_names_the_winner() -> None:
    state = replace(table(2), phase="over", winner=YELLOW, placed=(20, 25))
    assert says(state, "de", {"yellow": "Ben"}) == "Das Spiel ist aus. Ben gewinnt mit 25 Statuen!"
    assert GAME.expects(state).actor is None
