"""Emporiums: with a permit or the king's help, what they cost and bring, bonus tiles and royal rewards."""

from __future__ import annotations

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import Build, BuildWithKing, TakeBonus
from companion.games.council_of_four.rulebook.emporiums import KINGS_REWARD
from companion.games.council_of_four.state import State

from .table import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    breach,
    broken_rules,
    city,
    has,
    note,
    notes,
    played,
    table,
    told_rules,
    with_council,
    with_emporiums,
    with_neutral,
    with_permits,
    with_tokens,
)

FOR_NOTHING = ("white", "black", "purple", "pink")


def holding(*permits: str, **facts: int) -> State:
    """Red has these permits."""
    return with_permits(has(table(), RED, **facts), RED, *permits)


# The book's example: green builds in Indur.


def indur() -> State:
    """Green has emporiums in all other hills and in Castrum; red is in Indur."""
    tokens = {"I": "gold3", "F": "points2", "C": "points3", "G": "assistants1_gold1", "H": "gold1"}
    state = with_tokens(table(facts={"turn": GREEN}), **tokens)
    state = with_emporiums(with_emporiums(state, GREEN, "FGHJC"), RED, "I")
    return with_permits(has(state, GREEN, gold=10, assistants=3), GREEN, "I")


BUILD_IN_INDUR = Build(GREEN, "I", city("I"))


def test_example_green_builds_in_indur() -> None:
    """1 assistant for red's emporium; 3 gold, and from the connected cities 2 and 3 points, 2 gold and 1 assistant."""
    after = played(indur(), BUILD_IN_INDUR)
    assert after.gold[GREEN] == 10 + 3 + 1 + 1
    assert after.points[GREEN] == 2 + 3
    assert after.assistants[GREEN] == 3 - 1 + 1
    assert after.bonuses == (("hills", GREEN),)
    assert after.rewards == (GREEN,)


def test_example_green_builds_in_indur_as_it_is_told() -> None:
    state = indur()
    assert note(state, BUILD_IN_INDUR, "build.assistants").facts == {"seat": "green", "city": "Indur", "others": 1}
    assert note(state, BUILD_IN_INDUR, "build.reward").facts == {"seat": "green", "city": "Indur", "token": "gold3"}
    assert [(facts["city"], facts["token"]) for facts in notes(state, BUILD_IN_INDUR, "build.connected")] == [
        ("Castrum", "points3"),
        ("Framek", "points2"),
        ("Graden", "assistants1_gold1"),
        ("Hellar", "gold1"),
    ]
    assert note(state, BUILD_IN_INDUR, "bonus.set").facts == {"seat": "green", "tile": "bonus hills", "points": 5}
    assert note(state, BUILD_IN_INDUR, "bonus.reward").facts == {"seat": "green", "points": 25}


# With a permit


def test_use_open__a_permit_of_ones_own() -> None:
    state = holding("AB")
    assert note(state, Build(RED, "AB", city("A")), "use.open").facts == {"seat": "red", "permit": "AB"}
    assert breach(state, Build(RED, "BC", city("B")), "use.open").facts == {"seat": "red", "permit": "BC"}


def test_use_open__that_of_another_seat_is_not() -> None:
    state = with_permits(table(), YELLOW, "AB")
    assert broken_rules(state, Build(RED, "AB", city("A"))) == {"use.open"}


def test_use_letter__one_of_the_cities_on_the_permit() -> None:
    state = holding("AB")
    facts = {"permit": "AB", "city": "Burgen"}
    assert note(state, Build(RED, "AB", city("B")), "use.letter").facts == facts
    assert {move.city for move in GAME.moves(state) if isinstance(move, Build)} == {city("A"), city("B")}


def test_use_letter__and_no_other() -> None:
    facts = {"seat": "red", "permit": "AB", "city": "Castrum", "cities": ("Arkon", "Burgen")}
    assert breach(holding("AB"), Build(RED, "AB", city("C")), "use.letter").facts == facts
    assert broken_rules(holding("AB"), Build(RED, "AB", 15)) == {"use.letter"}


def test_use_turned__the_permit_is_turned_over() -> None:
    state = holding("AB", "CD")
    assert note(state, Build(RED, "AB", city("A")), "use.turned").facts == {"seat": "red", "permit": "AB"}
    after = played(state, Build(RED, "AB", city("A")))
    assert (after.permits[RED], after.used[RED]) == (("CD",), ("AB",))


def test_use_turned__left_as_it_was() -> None:
    move = Build(RED, "AB", city("A"), turned=False)
    assert breach(holding("AB"), move, "use.turned").facts == {"seat": "red", "permit": "AB"}


def test_use_once__a_used_permit_builds_nothing_more() -> None:
    state = with_permits(table(), RED, used=("AB",))
    assert breach(state, Build(RED, "AB", city("B")), "use.once").facts == {"seat": "red", "permit": "AB"}
    assert not any(isinstance(move, Build) for move in GAME.moves(state))


# With the king


def kingly(**facts: int) -> State:
    return has(table(), RED, **{"gold": 20, **facts})


def test_king_bribe__his_council_is_bribed() -> None:
    move = BuildWithKing(RED, city("J"), FOR_NOTHING)
    assert note(kingly(), move, "king.bribe").facts == {"seat": "red", "council": "king"}
    assert "bribe.council" not in told_rules(kingly(), move)


def test_king_bribe__with_cards_and_gold_like_any_other() -> None:
    assert played(kingly(), BuildWithKing(RED, city("J"), ("white", "joker"))).gold[RED] == 20 - 7 - 1
    other = with_council(kingly(), 3, "orange", "orange", "light_blue", "light_blue")
    assert broken_rules(other, BuildWithKing(RED, city("J"), FOR_NOTHING)) == {"bribe.colours"}
    assert broken_rules(kingly(), BuildWithKing(RED, city("J"), ())) == {"bribe.cards"}


@pytest.mark.parametrize(("letter", "roads"), [("I", 1), ("F", 2), ("C", 3), ("A", 4), ("L", 1), ("N", 3)])
def test_king_roads__two_gold_for_each(letter: str, roads: int) -> None:
    state, move = kingly(), BuildWithKing(RED, city(letter), FOR_NOTHING)
    facts = {"seat": "red", "roads": roads, "gold": 2 * roads, "city": list(state.box.cities.values())[city(letter)]}
    assert note(state, move, "king.roads").facts == facts
    assert played(with_tokens(state, **{letter: "points1"}), move).gold[RED] == 20 - 2 * roads


def test_king_roads__not_paid() -> None:
    move = BuildWithKing(RED, city("F"), FOR_NOTHING, off=(4, 0, 0, 0))
    facts = {"seat": "red", "amount": "gold4", "way": "too_much", "bribe": 0, "roads": 2, "journey": 4}
    assert breach(kingly(), move, "king.roads").facts == facts


@pytest.mark.parametrize(
    ("cards", "by", "rule"),
    [
        (("white", "black", "pink"), 1, "king.roads"),
        (("white", "black", "pink"), 2, "king.roads"),
        (("white", "black", "pink"), 3, "king.roads"),
        (("white", "black", "pink"), -2, "king.roads"),
        (("white", "black", "pink"), 6, "bribe.gold"),
        (("white", "black", "purple", "joker"), 1, "bribe.joker-gold"),
        (("white", "black", "purple", "joker"), 2, "king.roads"),
        (("white", "black", "purple", "joker"), 4, "king.roads"),
    ],
)
def test_king_roads__partly_paid(cards: tuple[str, ...], by: int, rule: str) -> None:
    """The journey to Framek costs 4 gold, the bribe 4 or, with all councillors and a joker, 1."""
    move = BuildWithKing(RED, city("F"), cards, off=(by, 0, 0, 0))
    state = with_tokens(kingly(), F="points1")
    assert broken_rules(state, move) == {rule}
    facts = breach(state, move, rule).facts
    assert facts["amount"] == f"gold{abs(by)}"
    if rule == "king.roads":
        assert (facts["roads"], facts["journey"]) == (2, 4)


def test_king_roads__he_may_pass_through_any_city() -> None:
    state = with_emporiums(with_emporiums(kingly(), YELLOW, "IF"), BLUE, "GJ")
    assert broken_rules(state, BuildWithKing(RED, city("C"), FOR_NOTHING)) == set()


def test_king_stays__that_costs_nothing() -> None:
    move = BuildWithKing(RED, city("J"), FOR_NOTHING)
    assert note(kingly(), move, "king.stays").facts == {"seat": "red", "city": "Juvelar"}
    assert "king.roads" not in told_rules(kingly(), move)
    assert played(kingly(gold=0), move).gold[RED] == 0


def test_king_affords__bribe_and_journey_together() -> None:
    move = BuildWithKing(RED, city("F"), ("white", "black", "pink"))
    facts = {"seat": "red", "bribe": 4, "journey": 4, "gold": 7}
    assert breach(kingly(gold=7), move, "king.affords").facts == facts
    assert broken_rules(kingly(gold=8), move) == set()
    assert broken_rules(kingly(gold=3), move) == {"bribe.affords"}


def test_king_builds_there__without_a_permit_where_he_arrives() -> None:
    move = BuildWithKing(RED, city("I"), FOR_NOTHING)
    assert note(kingly(), move, "king.builds-there").facts == {"seat": "red", "city": "Indur"}
    after = played(kingly(), move)
    assert (after.king, after.owns(RED, city("I"))) == (city("I"), True)


def test_king_builds_there__and_nowhere_else() -> None:
    move = BuildWithKing(RED, city("F"), FOR_NOTHING, king=city("I"))
    facts = {"seat": "red", "city": "Framek", "king": "Indur"}
    assert breach(kingly(), move, "king.builds-there").facts == facts
    assert broken_rules(kingly(), BuildWithKing(RED, 15, FOR_NOTHING)) == {"king.builds-there"}


# Both


def test_build_once__one_emporium_in_a_city() -> None:
    move = Build(RED, "AB", city("A"))
    assert note(holding("AB"), move, "build.once").facts == {"seat": "red", "city": "Arkon"}
    again = with_emporiums(holding("AB"), RED, "A")
    assert breach(again, move, "build.once").facts == {"seat": "red", "city": "Arkon"}
    assert broken_rules(with_emporiums(kingly(), RED, "J"), BuildWithKing(RED, city("J"), FOR_NOTHING)) == {
        "build.once"
    }


def test_build_assistants__one_for_each_emporium_of_others() -> None:
    state = with_emporiums(with_emporiums(holding("A", assistants=3), YELLOW, "A"), BLUE, "A")
    move = Build(RED, "A", city("A"))
    assert note(state, move, "build.assistants").facts == {"seat": "red", "city": "Arkon", "others": 2}
    assert played(state, move).assistants[RED] == 1


def test_build_assistants__the_first_one_costs_none() -> None:
    state, move = holding("A", assistants=0), Build(RED, "A", city("A"))
    assert broken_rules(state, move) == set()
    assert "build.assistants" not in told_rules(state, move)


def test_build_assistants__with_the_king_too() -> None:
    state = with_emporiums(kingly(assistants=1), YELLOW, "J")
    assert played(state, BuildWithKing(RED, city("J"), FOR_NOTHING)).assistants[RED] == 0


def test_build_assistants__not_given_back() -> None:
    state = with_emporiums(holding("A"), YELLOW, "A")
    facts = {"seat": "red", "amount": "assistantsgot1", "way": "too_many", "city": "Arkon", "others": 1}
    assert breach(state, Build(RED, "A", city("A"), off=(0, 0, 1, 0)), "build.assistants").facts == facts


def test_build_assistants__a_neutral_emporium_counts_like_any_other() -> None:
    state = with_neutral(holding("A"), "A")
    assert note(state, Build(RED, "A", city("A")), "build.assistants").facts["others"] == 1


def test_build_affords__too_few_assistants() -> None:
    state = with_emporiums(with_emporiums(holding("A", assistants=1), YELLOW, "A"), BLUE, "A")
    facts = {"seat": "red", "city": "Arkon", "others": 2, "has": 1}
    assert breach(state, Build(RED, "A", city("A")), "build.affords").facts == facts
    assert not any(isinstance(move, Build) for move in GAME.moves(state))


def test_build_affords__the_reward_comes_too_late() -> None:
    state = with_tokens(with_emporiums(holding("A", assistants=0), YELLOW, "A"), A="assistants2")
    assert broken_rules(state, Build(RED, "A", city("A"))) == {"build.affords"}


def test_build_left__ten_are_all() -> None:
    state = with_emporiums(holding("O"), RED, "ABCDEFGHIJ")
    assert breach(state, Build(RED, "O", city("O")), "build.left").facts == {"seat": "red", "emporiums": 10}
    assert not any(isinstance(move, Build | BuildWithKing) for move in GAME.moves(state))


def test_build_reward__what_the_citys_token_shows() -> None:
    state = with_tokens(holding("A"), A="assistants1_gold1")
    facts = {"seat": "red", "city": "Arkon", "token": "assistants1_gold1"}
    assert note(state, Build(RED, "A", city("A")), "build.reward").facts == facts
    after = played(state, Build(RED, "A", city("A")))
    assert (after.gold[RED], after.assistants[RED]) == (11, 2)


def test_build_reward__the_purple_city_has_none() -> None:
    assert "build.reward" not in told_rules(kingly(), BuildWithKing(RED, city("J"), FOR_NOTHING))


def test_build_reward__taken_twice() -> None:
    move = Build(RED, "A", city("A"), off=(1, 0, 0, 0))
    facts = {"seat": "red", "amount": "gold1", "way": "too_much", "city": "Arkon", "due": "gold1"}
    assert breach(holding("A"), move, "build.reward").facts == facts


def test_build_connected__through_own_emporiums_however_far() -> None:
    state = with_emporiums(holding("A"), RED, "CFI")
    cities = [facts["city"] for facts in notes(state, Build(RED, "A", city("A")), "build.connected")]
    assert cities == ["Castrum", "Framek", "Indur"]


def test_build_connected__a_gap_breaks_the_chain() -> None:
    state = with_emporiums(holding("A"), RED, "CI")
    facts = {"seat": "red", "city": "Castrum", "token": "gold3"}
    assert notes(state, Build(RED, "A", city("A")), "build.connected") == [facts]


def test_build_connected__emporiums_of_others_are_no_bridge() -> None:
    state = with_emporiums(with_emporiums(holding("A"), RED, "F"), YELLOW, "C")
    assert notes(state, Build(RED, "A", city("A")), "build.connected") == []


def test_build_connected__each_city_once_though_two_ways_lead_there() -> None:
    state = with_emporiums(holding("A"), RED, "BDGJIFC")
    cities = [facts["city"] for facts in notes(state, Build(RED, "A", city("A")), "build.connected")]
    assert cities == ["Burgen", "Castrum", "Dorful", "Framek", "Graden", "Indur"]  # Juvelar has no token


# Bonus tiles and royal rewards


def test_bonus_set__all_cities_of_a_colour() -> None:
    state = with_emporiums(holding("A"), RED, "M")
    facts = {"seat": "red", "tile": "bonus iron", "points": 5}
    assert note(state, Build(RED, "A", city("A")), "bonus.set").facts == facts
    assert played(state, Build(RED, "A", city("A"))).bonuses == (("iron", RED),)


def test_bonus_set__a_colour_and_a_region_at_once() -> None:
    state = with_emporiums(holding("A"), RED, "MBCDE")
    tiles = [facts["tile"] for facts in notes(state, Build(RED, "A", city("A")), "bonus.set")]
    assert tiles == ["bonus iron", "bonus coast"]
    after = played(state, Build(RED, "A", city("A")))
    assert (after.bonuses, after.rewards) == ((("iron", RED), ("coast", RED)), (RED, RED))


def test_bonus_set__one_city_is_missing() -> None:
    state = with_emporiums(holding("A"), RED, "BCD")
    assert "bonus.set" not in told_rules(state, Build(RED, "A", city("A")))


def test_bonus_set__a_tile_is_not_taken_by_itself() -> None:
    facts = {"seat": "red", "tile": "bonus coast", "missing": ("Castrum", "Dorful", "Esti")}
    assert breach(with_emporiums(table(), RED, "AB"), TakeBonus(RED, "coast"), "bonus.set").facts == facts


@pytest.mark.parametrize("points", [5, 25, 30])
def test_bonus_at_end__points_of_tile_and_reward_are_not_moved_on_the_track_now(points: int) -> None:
    """The coast is worth 5, the first royal reward 25."""
    state = with_emporiums(holding("A"), RED, "BCDE")
    move = Build(RED, "A", city("A"), off=(0, points, 0, 0))
    facts = {"seat": "red", "amount": f"points{points}", "way": "too_many"}
    assert breach(state, move, "bonus.at-end").facts == facts
    other = Build(RED, "A", city("A"), off=(0, 7, 0, 0))
    assert broken_rules(state, other) == {"build.reward"}
    assert broken_rules(holding("A"), move) == {"build.reward"}


def test_build_reward__all_that_it_brings_is_told() -> None:
    """With the cities it is connected with, and the field of the nobility track to which that leads."""
    state = with_tokens(with_emporiums(holding("A"), RED, "C"), A="nobility1", C="points2")
    state = has(state, RED, nobility=1)
    move = Build(RED, "A", city("A"), off=(1, 0, 0, 0))
    assert breach(state, move, "build.reward").facts["due"] == "gold2_points4_nobility1"


def test_bonus_reward__the_top_one_of_the_stack() -> None:
    state = with_emporiums(holding("A"), RED, "M")
    assert note(state, Build(RED, "A", city("A")), "bonus.reward").facts == {"seat": "red", "points": 25}
    later = with_emporiums(with_permits(table(facts={"rewards": (BLUE, BLUE)}), RED, "A"), RED, "M")
    assert note(later, Build(RED, "A", city("A")), "bonus.reward").facts == {"seat": "red", "points": 12}


def test_bonus_reward__none_is_taken_by_itself() -> None:
    assert breach(table(), TakeBonus(RED, KINGS_REWARD), "bonus.reward").facts == {"seat": "red"}


def test_bonus_no_reward__the_stack_is_empty() -> None:
    state = with_emporiums(with_permits(table(facts={"rewards": (BLUE,) * 5}), RED, "A"), RED, "M")
    assert note(state, Build(RED, "A", city("A")), "bonus.no-reward").facts == {"seat": "red"}
    after = played(state, Build(RED, "A", city("A")))
    assert (after.bonuses, after.rewards) == ((("iron", RED),), (BLUE,) * 5)


def late(**options: bool) -> State:
    """Blue has the tile of the iron cities that red is about to complete."""
    state = table(facts={"bonuses": (("iron", BLUE),), "rewards": (BLUE,)}, **options)
    return with_emporiums(with_permits(state, RED, "A"), RED, "M")


def test_bonus_taken__the_second_gets_neither_tile_nor_reward() -> None:
    facts = {"seat": "red", "tile": "bonus iron"}
    assert note(late(), Build(RED, "A", city("A")), "bonus.taken").facts == facts
    after = played(late(), Build(RED, "A", city("A")))
    assert (after.bonuses, after.rewards) == ((("iron", BLUE),), (BLUE,))


def test_bonus_taken__by_the_house_rule_the_reward_comes_all_the_same() -> None:
    after = played(late(late_reward=True), Build(RED, "A", city("A")))
    assert (after.bonuses, after.rewards) == ((("iron", BLUE),), (BLUE, RED))
