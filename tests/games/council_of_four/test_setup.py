"""Set-up: what lies where before the first turn, also for two."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import number_of_cards
from companion.games.council_of_four.moves import (
    DrawNeutral,
    EndTurn,
    LayOut,
    PutCouncillor,
    PutToken,
    TurnUp,
)
from companion.games.council_of_four.state import NEUTRAL, other_emporiums, stack
from companion.kernel.game import BadSetup
from companion.kernel.rules import Seat
from companion.kernel.views import UNKNOWN, Pieces

from .table import (
    BOX,
    COAST,
    HILLS,
    KINGS,
    MOUNTAINS,
    RED,
    breach,
    broken_rules,
    city,
    laid_out,
    lots,
    note,
    notes,
    opened,
    played,
    table,
    told_rules,
)


def test_setup_players__three_players_have_no_fourth_seat() -> None:
    assert breach(table(3), EndTurn(3), "setup.players").facts == {"seat": 4, "players": 3}


@pytest.mark.parametrize(
    "colours", [["red"], ["red", "yellow", "green", "blue", "red"], ["red", "red"], ["red", "grey"]]
)
def test_setup_players__two_to_four_with_colours_of_their_own(colours: Sequence[str]) -> None:
    with pytest.raises(BadSetup):
        GAME.setup(BOX, tuple(Seat(colour) for colour in colours))


def test_setup_players__an_unknown_option_is_refused() -> None:
    with pytest.raises(BadSetup, match="options"):
        opened(3, hills="C")
    with pytest.raises(BadSetup, match="first"):
        opened(3, first=3)


def test_setup_boards__each_region_has_the_side_that_was_chosen() -> None:
    state = opened(coast="B", mountains="B")
    assert note(state, LayOut(), "setup.boards").facts == {"coast": "B", "hills": "A", "mountains": "B"}


def test_setup_tokens__a_token_lies_in_a_city() -> None:
    state = laid_out()
    assert note(state, PutToken(city("A"), "gold1"), "setup.tokens").facts == {"city": "Arkon", "token": "gold1"}
    assert played(state, PutToken(city("A"), "gold1")).tokens[0] == "gold1"


def test_setup_tokens__the_purple_city_gets_none() -> None:
    assert breach(laid_out(), PutToken(city("J"), "gold1"), "setup.tokens").facts == {"city": "Juvelar"}
    assert broken_rules(laid_out(hills="B"), PutToken(city("G"), "gold1")) == {"setup.tokens"}
    assert broken_rules(laid_out(hills="B"), PutToken(city("J"), "gold1")) == set()


def test_setup_tokens__framek_gets_one_on_either_side_of_the_hills() -> None:
    for hills, purple in (("A", "J"), ("B", "G")):
        waiting = {move.city for move in GAME.moves(laid_out(hills=hills)) if isinstance(move, PutToken)}
        assert waiting == set(range(15)) - {city(purple)}
        assert city("F") in waiting


def test_setup_one_token__a_city_gets_only_one() -> None:
    state = played(laid_out(), PutToken(city("A"), "gold1"))
    assert breach(state, PutToken(city("A"), "gold2"), "setup.one-token").facts == {"city": "Arkon"}


def test_setup_token_once__each_lies_in_one_city_only() -> None:
    state = played(laid_out(), PutToken(city("A"), "gold1"))
    assert breach(state, PutToken(city("B"), "gold1"), "setup.token-once").facts == {"token": "gold1"}


def test_setup_token_once__of_the_step_of_nobility_there_are_two() -> None:
    state = played(laid_out(), PutToken(city("A"), "nobility1"))
    assert broken_rules(state, PutToken(city("B"), "nobility1")) == set()
    state = played(state, PutToken(city("B"), "nobility1"))
    assert broken_rules(state, PutToken(city("C"), "nobility1")) == {"setup.token-once"}


def test_setup_politics__ninety_cards_six_of_them_jokers() -> None:
    assert note(opened(), LayOut(), "setup.politics").facts == {"cards": 90, "jokers": 6}
    assert (number_of_cards(BOX, "joker"), number_of_cards(BOX, "white")) == (6, 14)


def test_setup_politics__another_edition_has_twelve_jokers() -> None:
    other = GAME.load_box({"politics.jokers": 12})
    assert (number_of_cards(other, "joker"), number_of_cards(other, "white")) == (12, 13)


def test_setup_assistants__the_rest_is_the_supply() -> None:
    assert note(opened(), LayOut(), "setup.assistants").facts == {"supply": 48 - (1 + 2 + 3 + 4)}
    assert note(opened(2), LayOut(), "setup.assistants").facts == {"supply": 48 - (1 + 2)}


def test_setup_permits__two_of_each_region_lie_open() -> None:
    state = laid_out()
    assert note(state, TurnUp(0, "A"), "setup.permits").facts == {"permit": "A", "region": "coast"}
    assert table().offers == ("A", "B", "F", "G", "K", "L")


def test_setup_permits__a_region_has_only_its_own() -> None:
    assert breach(laid_out(), TurnUp(0, "F"), "setup.permits").facts == {"permit": "F", "region": "coast"}
    assert broken_rules(laid_out(2), DrawNeutral(COAST, "F")) == {"setup.permits"}


def test_setup_king__he_begins_in_the_purple_city() -> None:
    assert note(opened(), LayOut(), "setup.king").facts == {"city": "Juvelar"}
    assert opened().king == city("J")


def test_setup_rewards__the_most_valuable_one_lies_on_top() -> None:
    assert note(opened(), LayOut(), "setup.rewards").facts == {"points": ("25", "18", "12", "7", "3")}


def test_setup_bonus_tiles__seven_lie_ready() -> None:
    assert note(opened(), LayOut(), "setup.bonus-tiles").facts == {"tiles": 7}


def test_setup_councils__four_stand_on_each_balcony() -> None:
    facts = {"colour": "white", "council": "king", "place": 4}
    assert note(laid_out(), PutCouncillor(KINGS, 3, "white"), "setup.councils").facts == facts
    assert [len(council) for council in table().councils] == [4, 4, 4, 4]


def test_setup_councils__a_place_holds_only_one() -> None:
    state = played(laid_out(), PutCouncillor(COAST, 0, "white"))
    facts = {"place": 1, "council": "coast", "taken": 1}
    assert breach(state, PutCouncillor(COAST, 0, "black"), "setup.councils").facts == facts
    facts = {"place": 5, "council": "coast", "taken": 0}
    assert breach(state, PutCouncillor(COAST, 4, "black"), "setup.councils").facts == facts
    assert broken_rules(state, PutCouncillor(4, 0, "black")) == {"elect.council"}


def test_setup_councillors__there_are_four_of_a_colour() -> None:
    state = played(laid_out(), *(PutCouncillor(COAST, place, "white") for place in range(4)))
    assert breach(state, PutCouncillor(HILLS, 0, "white"), "setup.councillors").facts == {"colour": "white"}
    assert broken_rules(state, PutCouncillor(HILLS, 0, "black")) == set()


def test_setup_emporiums__ten_for_everybody() -> None:
    assert note(opened(), LayOut(), "setup.emporiums").facts == {"emporiums": 10}


def test_setup_markers__points_and_nobility_begin_at_nothing() -> None:
    state = opened(3)
    assert "setup.markers" in told_rules(state, LayOut())
    assert (state.points, state.nobility) == ((0, 0, 0), (0, 0, 0))


def test_example_start_gold_and_assistants() -> None:
    """10 gold and 1 assistant for the first player, then 11 and 2, 12 and 3, 13 and 4."""
    state = opened()
    assert (state.gold, state.assistants) == ((10, 11, 12, 13), (1, 2, 3, 4))


def test_setup_start__it_goes_by_the_order_of_play() -> None:
    state = opened(first=2)
    assert (state.gold, state.assistants) == ((12, 13, 10, 11), (3, 4, 1, 2))
    assert notes(state, LayOut(), "setup.start") == [
        {"seat": "red", "gold": 12, "assistants": 3},
        {"seat": "yellow", "gold": 13, "assistants": 4},
        {"seat": "green", "gold": 10, "assistants": 1},
        {"seat": "blue", "gold": 11, "assistants": 2},
    ]


def test_setup_hands__everybody_draws_six() -> None:
    state = opened()
    assert note(state, LayOut(), "setup.hands").facts == {"cards": 6}
    assert (state.hands, state.deck) == ((6, 6, 6, 6), 90 - 24)


def test_the_first_turn_begins_when_everything_lies_there_in_any_order() -> None:
    state = laid_out(2)
    lying = lots(state)
    for move in reversed(lying[1:]):
        state = played(state, move)
        assert state.phase == "lots"
    state = played(state, lying[0])
    assert (state.phase, state.turn, state.round, state.main) == ("turn", RED, 1, 1)


def test_two_neutral__the_cities_of_a_drawn_permit_get_emporiums() -> None:
    state = laid_out(2)
    facts = {"cities": ("Arkon", "Burgen", "Castrum"), "colour": "green"}
    assert note(state, DrawNeutral(COAST, "ABC"), "two.neutral").facts == facts
    after = played(state, DrawNeutral(COAST, "ABC"))
    assert after.emporiums == (NEUTRAL, NEUTRAL, NEUTRAL, *(0,) * 12)


def test_two_unused__either_unused_colour_serves() -> None:
    """Red and yellow play: green and blue do not."""
    state = laid_out(2)
    assert broken_rules(state, DrawNeutral(COAST, "A", 1)) == set()
    assert note(state, DrawNeutral(COAST, "A", 1), "two.neutral").facts == {"cities": ("Arkon",), "colour": "blue"}
    after = played(state, DrawNeutral(COAST, "A", 1))
    assert GAME.view(after).zones["city A"] == Pieces({"blue": 1})
    assert other_emporiums(after, RED, city("A")) == 1


def test_two_unused__there_is_no_third() -> None:
    facts = {"colours": ("green", "blue")}
    assert breach(laid_out(2), DrawNeutral(COAST, "A", 2), "two.unused").facts == facts
    assert broken_rules(laid_out(2), DrawNeutral(COAST, "A", -1)) == {"two.unused"}


def test_two_neutral__once_for_each_region() -> None:
    state = played(laid_out(2), DrawNeutral(COAST, "ABC"))
    assert breach(state, DrawNeutral(COAST, "A"), "two.neutral").facts == {"players": 2}
    assert broken_rules(state, DrawNeutral(HILLS, "F")) == set()


def test_two_neutral__what_lies_open_is_not_drawn_from_the_stack() -> None:
    state = played(laid_out(2), TurnUp(0, "ABC"))
    facts = {"permit": "ABC", "region": "coast"}
    assert breach(state, DrawNeutral(COAST, "ABC"), "permit.top").facts == facts
    mixed_back = played(laid_out(2), DrawNeutral(COAST, "ABC"))
    assert broken_rules(mixed_back, TurnUp(0, "ABC")) == set()


def test_two_neutral__three_play_without() -> None:
    assert breach(laid_out(3), DrawNeutral(COAST, "A"), "two.neutral").facts == {"players": 3}
    assert not any(isinstance(move, DrawNeutral) for move in GAME.moves(laid_out(3)))


def test_two_mixed_back__the_permit_is_in_its_stack_again() -> None:
    state = laid_out(2)
    assert note(state, DrawNeutral(COAST, "ABC"), "two.mixed-back").facts == {"permit": "ABC"}
    assert "ABC" in stack(played(state, DrawNeutral(COAST, "ABC")), COAST)


@pytest.mark.parametrize(
    ("permits", "emporiums"), [(("A", "F", "K"), 3), (("ABC", "FGH", "KLM"), 9), (("AB", "F", "KNO"), 6)]
)
def test_example_three_to_nine_neutral_emporiums(permits: Sequence[str], emporiums: int) -> None:
    """Each of three permits names one to three cities."""
    drawn = [DrawNeutral(region, permit) for region, permit in zip((COAST, HILLS, MOUNTAINS), permits, strict=True)]
    state = played(laid_out(2), *drawn)
    assert sum(bool(bits & NEUTRAL) for bits in state.emporiums) == emporiums


def test_two_neutral__permits_name_one_to_three_cities() -> None:
    """So that there are never fewer than 3 nor more than 9."""
    assert {len(permit) for region in BOX.permits.values() for permit in region} == {1, 2, 3}


def test_what_is_not_laid_out_yet_can_still_be_anything() -> None:
    state = replace(laid_out(), tokens=("gold1", *laid_out().tokens[1:]))
    zones = GAME.view(state).zones
    assert zones["tokens"].at["A"] == "gold1"  # type: ignore[union-attr]
    assert zones["tokens"].at["J"] is None  # type: ignore[union-attr]
    assert zones["permits"].at["coast 1"] == UNKNOWN  # type: ignore[union-attr]
