"""Phase 1: Kartenmanagement."""

from __future__ import annotations

from typing import Any

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import (
    Decline,
    Destroy,
    Discard,
    DrawUp,
    Hire,
    PlayCard,
    Rearrange,
    Slide,
    TakeGood,
    Travel,
)
from companion.games.viscounts.state import State, hand_at_least
from companion.text.move_menu import ByHand

from .table import (
    BLUE,
    RED,
    after_draft,
    breach,
    changed,
    kinds,
    listed,
    marker_fields,
    markers,
    note,
    owns,
    papers,
    played,
    replace,
    rules,
    table,
    told,
    with_due,
    with_row,
    with_tops_told,
)


def sliding(*cards: str) -> State:
    return replace(with_row(table(), *cards), phase="sliding")


def test_cards_slide__all_cards_move_to_the_right() -> None:
    state = sliding("abbot", "squire", "")
    after = GAME.play(state, Slide(RED))
    assert after.rows[RED] == ("", "abbot", "squire")
    assert after.discards[RED] == ()
    assert after.phase == "playing"
    assert told(state, Slide(RED)) == ["cards.slide"]


def test_cards_slide__an_empty_board_has_nothing_to_slide() -> None:
    assert kinds(after_draft()) == {"PlayCard"}


def test_cards_drop__a_card_drops_off_and_works() -> None:
    state = sliding("abbot", "squire", "thief")
    after = GAME.play(state, Slide(RED))
    assert after.rows[RED] == ("", "abbot", "squire")
    assert after.discards[RED] == ("thief",)
    assert (after.debts[RED], owns(after)) == ((1, 0), {"silver": 1})
    assert "cards.drop" in told(state, Slide(RED))


def test_example_the_journeyman_drops_off_for_a_free_hire_and_a_virtue() -> None:
    state = GAME.play(sliding("abbot", "squire", "journeyman"), Slide(RED))
    assert marker_fields(state) == (1, 6)
    assert kinds(state) == {"Hire"}
    state = GAME.play(state, Hire(RED, 3))
    assert state.discards[RED] == ("journeyman", "princess")
    assert marker_fields(state) == (1, 5)  # the princess brings one too
    assert kinds(with_tops_told(state)) == {"PlayCard"}


def playing(*row: str) -> State:
    return replace(with_row(table(), "", *row), phase="playing")


def test_cards_play__a_card_goes_from_the_hand_to_the_left() -> None:
    state = playing("abbot", "squire")
    after = GAME.play(state, PlayCard(RED, "labourer"))
    assert after.rows[RED] == ("labourer", "abbot", "squire")
    assert after.hands[RED] == 2
    assert "labourer" not in after.hidden[RED]
    assert kinds(after) == {"Travel"}


def test_cards_play__an_immediate_ability_works_at_once() -> None:
    state = GAME.play(playing("abbot", "squire"), PlayCard(RED, "financer"))
    assert owns(state) == {"silver": 2}
    assert kinds(state) == {"Discard", "Decline"}
    assert kinds(GAME.play(state, Decline(RED))) == {"Travel"}


def test_cards_play__whatever_is_rearranged_the_card_just_played_says_how_far() -> None:
    state = replace(with_row(table(), "", "lender", "trader"), phase="playing")
    hidden = changed(state.hidden, RED, tuple(sorted((*state.hidden[RED], "architect"))))
    state = GAME.play(replace(state, hidden=hidden), PlayCard(RED, "architect"))
    state = GAME.play(state, Rearrange(RED, ("trader", "lender", "architect")))
    assert GAME.expects(state).facts["steps"] == 1


def test_example_the_antagonist_brings_corruption_for_herself_and_those_before_her() -> None:
    """Two symbols of her own and one that lies there already: three corruption, and a debt."""
    state = replace(with_row(table(), "", "thief", "abbot"), phase="playing")
    hidden = changed(state.hidden, RED, tuple(sorted((*state.hidden[RED], "antagonist"))))
    state = replace(state, hidden=hidden)
    after = GAME.play(state, PlayCard(RED, "antagonist"))
    assert marker_fields(after) == (4, 7)
    assert after.debts[RED] == (1, 0)


def test_cards_criminal__every_symbol_on_the_board_counts() -> None:
    state = playing("abbot", "squire")
    assert note(state, PlayCard(RED, "thief"), "cards.criminal").facts == {"seat": "red", "criminals": 1}
    assert marker_fields(GAME.play(state, PlayCard(RED, "thief"))) == (2, 7)
    assert "cards.criminal" not in told(state, PlayCard(RED, "lender"))


def test_cards_own__only_what_may_be_in_the_hand_is_played() -> None:
    state = playing("abbot", "squire")
    assert rules(state, PlayCard(RED, "abbot")) == ["cards.own"]
    assert rules(state, PlayCard(RED, "bishop")) == ["cards.own"]
    assert rules(with_due(table(), "discard"), Discard(RED, "hand", "bishop")) == ["cards.own"]
    assert rules(with_due(table(), "destroy"), Destroy(RED, "pile", "bishop")) == ["cards.own"]


def test_cards_blind__without_a_hand_the_top_of_the_pile_is_played() -> None:
    state = replace(playing("abbot", "squire"), hands=(0, 3, 3))
    assert "cards.blind" in told(state, PlayCard(RED, "lender"))
    after = GAME.play(state, PlayCard(RED, "lender"))
    assert after.hands[RED] == 0
    assert len(after.hidden[RED]) == len(state.hidden[RED]) - 1


def three_cards() -> State:
    state = replace(sliding("abbot", "squire", "labourer"), hands=(0, 3, 3))
    return replace(state, hidden=changed(state.hidden, RED, ()))


def test_cards_three__the_third_card_comes_back_at_once() -> None:
    state = GAME.play(three_cards(), Slide(RED))
    assert listed(state, PlayCard) == [PlayCard(RED, "labourer")]
    assert "cards.three" in told(state, PlayCard(RED, "labourer"))
    after = GAME.play(state, PlayCard(RED, "labourer"))
    assert after.rows[RED] == ("labourer", "abbot", "squire")
    assert (after.discards[RED], after.hidden[RED]) == ((), ())


def test_ruling_a_single_card_is_shuffled_like_any_pile() -> None:
    state = GAME.play(three_cards(), Slide(RED))
    assert marker_fields(GAME.play(state, PlayCard(RED, "labourer"))) == (1, 6)


def test_cards_fewest__nobody_has_fewer_than_three() -> None:
    state = replace(with_row(table(), "abbot", "squire", ""), hands=(1, 3, 3))
    state = with_due(replace(state, hidden=changed(state.hidden, RED, ("thief",))), "destroy")
    assert breach(state, Destroy(RED, "hand", "thief"), "cards.fewest").facts == {"seat": "red", "cards": 3}
    assert not listed(state, Destroy)


# Rearranging, discarding, destroying


def test_symbol_rearrange__cards_lie_in_another_order() -> None:
    state = with_due(with_row(table(), "abbot", "squire", "thief"), "rearrange")
    assert len(listed(state, Rearrange)) == 5
    after = GAME.play(state, Rearrange(RED, ("thief", "abbot", "squire")))
    assert after.rows[RED] == ("thief", "abbot", "squire")
    assert marker_fields(after) == (1, 7)  # a criminal that is only moved corrupts nobody
    assert rules(state, Rearrange(RED, ("thief", "abbot", "lender"))) == ["symbol.rearrange"]


def test_symbol_same__the_same_order_is_none() -> None:
    state = with_due(with_row(table(), "abbot", "squire", "thief"), "rearrange")
    assert rules(state, Rearrange(RED, ("abbot", "squire", "thief"))) == ["symbol.same"]


def test_symbol_gap__an_empty_place_stays_but_for_a_house_rule() -> None:
    state = with_due(with_row(table(), "abbot", "squire", ""), "rearrange")
    assert listed(state, Rearrange) == [Rearrange(RED, ("squire", "abbot", ""))]
    assert rules(state, Rearrange(RED, ("abbot", "", "squire"))) == ["symbol.gap"]
    house = with_due(with_row(table(gaps="move"), "abbot", "squire", ""), "rearrange")
    assert len(listed(house, Rearrange)) == 5


def test_symbol_gap__where_a_card_is_to_be_played_next_nothing_may_lie() -> None:
    state = with_due(replace(with_row(table(gaps="move"), "", "abbot", "squire"), phase="playing"), "rearrange")
    assert listed(state, Rearrange) == [Rearrange(RED, ("", "squire", "abbot"))]
    assert rules(state, Rearrange(RED, ("abbot", "squire", ""))) == ["symbol.gap"]


def test_symbol_discard__from_the_hand_or_blindly_from_the_pile() -> None:
    state = with_due(table(), "discard")
    cards = set(state.hidden[RED])
    assert {(move.source, move.card) for move in listed(state, Discard)} == {
        (source, card) for source in ("hand", "own hand", "pile") for card in cards
    }
    assert GAME.play(state, Discard(RED, "hand", "thief")).discards[RED] == ("thief",)


def test_whether_a_card_came_out_of_the_hand_or_off_the_pile_may_stay_unknown() -> None:
    state = with_due(table(), "discard")
    after = GAME.play(state, Discard(RED, "hand", "thief"))
    assert (hand_at_least(after, RED), after.hands[RED]) == (2, 3)
    held = replace(state, hands=changed(state.hands, RED, len(state.hidden[RED])))
    assert GAME.play(held, Discard(RED, "hand", "thief")).hands[RED] == len(state.hidden[RED]) - 1


def test_what_people_say_about_where_a_card_came_from_is_believed() -> None:
    state = with_due(table(), "discard")
    for source, hand in (("own hand", 2), ("pile", 3)):
        after = GAME.play(state, Discard(RED, source, "thief"))
        assert (hand_at_least(after, RED), after.hands[RED]) == (hand, hand)


def one_in_the_pile(number: int = 2, **facts: Any) -> State:
    """Red holds three cards, a fourth is the whole pile, and red may discard."""
    state = with_due(table(), "discard", number)
    state = replace(state, hidden=changed(state.hidden, RED, ("abbot", "lender", "squire", "thief")), **facts)
    return replace(state, discards=changed(state.discards, RED, ("trader",)))


def test_whoever_discards_from_the_hand_first_and_then_from_the_pile_is_not_refused() -> None:
    """After the first of them the pile may be empty for all a camera can tell, and is not."""
    for first in ("hand", "own hand"):
        state = GAME.play(one_in_the_pile(), Discard(RED, first, "thief"))
        assert rules(state, Discard(RED, "pile", "abbot")) == []
        assert "shuffle.pile" not in told(state, Discard(RED, "pile", "abbot"))
        after = GAME.play(state, Discard(RED, "pile", "abbot"))
        assert (hand_at_least(after, RED), after.hands[RED], after.hidden[RED]) == (2, 2, ("lender", "squire"))


def test_the_pile_is_made_of_the_discards_only_where_it_may_be_empty() -> None:
    state = GAME.play(one_in_the_pile(), Discard(RED, "hand", "thief"))
    assert "shuffle.pile" in told(state, Discard(RED, "pile", "trader"))
    after = GAME.play(state, Discard(RED, "pile", "trader"))
    assert (hand_at_least(after, RED), after.hands[RED]) == (3, 3)
    told_by_hand = GAME.play(one_in_the_pile(), Discard(RED, "own hand", "thief"))
    assert rules(told_by_hand, Discard(RED, "pile", "trader")) == ["cards.own"]


def test_symbol_discard__it_is_said_where_the_card_came_from_as_far_as_it_is_known() -> None:
    state = one_in_the_pile()
    sources = {
        source: note(state, Discard(RED, source, "thief"), "symbol.discard").facts["source"]
        for source in ("hand", "own hand", "pile")
    }
    assert sources == {"hand": "hand_or_pile", "own hand": "hand", "pile": "pile"}
    held = replace(state, hands=changed(state.hands, RED, 4))
    assert note(held, Discard(RED, "hand", "thief"), "symbol.discard").facts["source"] == "hand"


def test_people_are_asked_whether_they_saw_where_a_discarded_card_came_from() -> None:
    state = one_in_the_pile()
    moves_ = [move for move in listed(state, Discard) if move.card == "thief"]
    asked = ByHand(GAME, state.seats).choices(state, moves_, [])
    assert [option["says"]["de"] for option in asked["options"]] == [
        "Aus Hand oder Nachziehstapel",
        "Aus der Hand",
        "Vom Nachziehstapel",
    ]


def test_draw_cards__the_size_of_the_hand_is_told_and_not_how_many_were_drawn() -> None:
    """It is unknown where the discarded cards came from, but known that there are three in the end."""
    state = replace(one_in_the_pile(1), phase="drawing")
    after = GAME.play(state, Discard(RED, "hand", "thief"))
    assert note(after, DrawUp(RED), "draw.cards").facts == {"seat": "red", "cards": 3}
    drawn = GAME.play(after, DrawUp(RED))
    assert (hand_at_least(drawn, RED), drawn.hands[RED]) == (3, 3)


def test_draw_over__who_holds_more_than_the_limit_discards_nothing() -> None:
    state = replace(one_in_the_pile(), due=(), phase="drawing", hands=(4, 3, 3))
    assert note(state, DrawUp(RED), "draw.over").facts == {"seat": "red", "cards": 3}
    assert GAME.play(state, DrawUp(RED)).hands[RED] == 4
    unsure = replace(state, hands=(4, 3, 3), thrown=(1, 0, 0))
    assert {"draw.over", "draw.cards"} & set(told(unsure, DrawUp(RED))) == set()


def test_symbol_discard__an_empty_pile_is_made_of_the_discards_first() -> None:
    state = with_due(table(), "discard")
    state = replace(
        state,
        hidden=changed(state.hidden, RED, ("abbot", "squire", "thief")),
        discards=changed(state.discards, RED, ("lender", "trader")),
    )
    assert {move.card for move in listed(state, Discard) if move.source == "pile"} == {"lender", "trader"}
    after = GAME.play(state, Discard(RED, "pile", "trader"))
    assert after.discards[RED] == ("trader",)
    assert after.hidden[RED] == ("abbot", "lender", "squire", "thief")
    assert marker_fields(after) == (1, 6)


def test_symbol_destroy__the_card_leaves_the_game_for_its_silver() -> None:
    state = with_due(table(), "destroy")
    after = GAME.play(state, Destroy(RED, "hand", "financer"))
    assert owns(after) == {"silver": 3}
    assert "financer" not in (*after.hidden[RED], *after.discards[RED])
    assert GAME.check(state, Decline(RED)) == ()


def test_effect_due__what_is_due_comes_before_anything_else() -> None:
    state = with_due(replace(table(), phase="moving"), "any")
    assert breach(state, Travel(RED, 0), "effect.due").facts == {"seat": "red", "due": "due any"}
    assert rules(state, TakeGood(BLUE, "ink")) == ["turn.order"]


def test_effect_must__what_is_not_optional_has_to_be_done() -> None:
    state = with_due(papers(table(), debts=(1, 0)), "flip")
    assert rules(state, Decline(RED)) == ["effect.must"]


def test_effect_nothing__without_an_effect_nothing_is_taken() -> None:
    assert rules(table(), TakeGood(RED, "ink")) == ["effect.nothing"]
    assert rules(table(), Decline(RED)) == ["effect.nothing"]


def test_effect_optional__some_effects_may_be_left_alone() -> None:
    for what in ("rearrange", "discard", "destroy"):
        state = with_due(with_row(table(), "abbot", "squire", "thief"), what)
        assert told(state, Decline(RED)) == ["effect.optional"]
        assert GAME.play(state, Decline(RED)).due == ()


def test_effect_exact__goods_and_markers_have_to_be_right() -> None:
    state = playing("abbot", "squire")
    wrong = PlayCard(RED, "financer", off=(0, 0, 0, 1, 0, -1, 0, 0))
    facts = [one.facts for one in GAME.check(state, wrong) if one.rule == "effect.exact"]
    assert facts == [
        {"seat": "red", "amount": "silver1", "way": "too_many"},
        {"seat": "red", "amount": "virtue1", "way": "too_few"},
    ]


def test_effect_goods__they_come_from_a_supply_without_end() -> None:
    state = markers(sliding("abbot", "squire", "stonecutter 1"), 1, 7)
    assert note(state, Slide(RED), "effect.goods").facts == {"seat": "red", "goods": "stone2"}
    assert owns(played(state, Slide(RED))) == {"stone": 2}
