"""Phase 4: Anwerben, Phase 5: Kollision abwickeln, Phase 6: Karten nachziehen."""

from __future__ import annotations

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import (
    Collide,
    Decline,
    Discard,
    DrawUp,
    Hire,
    Rearrange,
    ShowPrinted,
    Slide,
    TakeGood,
    TurnUp,
)
from companion.games.viscounts.state import EMPTY, UNSEEN, State
from companion.kernel.messages import Signal

from .table import (
    BLUE,
    RED,
    WORKSHOP,
    YELLOW,
    breach,
    changed,
    has,
    kinds,
    listed,
    marker_fields,
    markers,
    note,
    owns,
    replace,
    rules,
    space,
    table,
    told,
    with_due,
    with_row,
    with_slots,
    with_tops_told,
    with_viscount,
)


def hiring(number: int = 7, **goods: int) -> State:
    """Red is to hire at an outer space, with a row of honest people."""
    state = with_row(with_viscount(table(), space(number)), "abbot", "squire", "labourer")
    return replace(has(state, **goods), phase="hiring")


def test_hire_silver__for_the_silver_on_the_card() -> None:
    state = hiring(silver=3)
    after = GAME.play(state, Hire(RED, 3))
    assert (owns(after), after.discards[RED]) == ({"silver": 1}, ("princess",))
    facts = breach(hiring(silver=1), Hire(RED, 3), "hire.silver").facts
    assert (facts["price"], facts["silver"]) == (2, 1)
    assert "Hire" not in kinds(hiring(silver=1))


def test_hire_one__one_a_turn() -> None:
    state = hiring(silver=9)
    assert "hire.one" in told(state, Hire(RED, 3))
    after = with_tops_told(GAME.play(state, Hire(RED, 3)))
    assert kinds(after) == {"DrawUp"}
    assert rules(after, Hire(RED, 3)) == ["turn.phases"]


def test_hire_beside__only_the_one_beside_the_viscount() -> None:
    assert rules(hiring(silver=9), Hire(RED, 1)) == ["hire.beside"]


def test_hire_effect__it_comes_at_once() -> None:
    assert "hire.effect" in told(hiring(silver=2), Hire(RED, 3))
    assert marker_fields(GAME.play(hiring(silver=2), Hire(RED, 3))) == (1, 6)


def test_hire_next__the_next_card_comes_to_light() -> None:
    state = GAME.play(hiring(silver=2), Hire(RED, 3))
    assert state.offer[3] == UNSEEN
    assert GAME.actor(state) == "chance"
    assert told(state, TurnUp(3, "bishop")) == ["hire.next"]
    assert rules(state, TurnUp(3, "princess")) == ["setup.once"]


def test_hire_empty__a_pile_may_come_to_its_end() -> None:
    state = GAME.play(hiring(silver=2), Hire(RED, 3))
    assert rules(state, ShowPrinted(3)) == ["setup.place"]
    late = replace(state, taken=(0, 0, 0, 13, 0))
    assert told(late, ShowPrinted(3)) == ["hire.empty"]
    assert GAME.play(late, ShowPrinted(3)).offer[3] == EMPTY


def test_hire_printed__printed_townsfolk_join_nobody() -> None:
    state = hiring(silver=9)
    state = replace(state, offer=changed(state.offer, 3, EMPTY))
    assert "Hire" not in kinds(state)
    assert rules(state, Hire(RED, 3)) == ["hire.printed"]


def test_symbol_hire__anybody_who_lies_open_for_nothing() -> None:
    state = with_due(hiring(), "hire")
    assert listed(state, Hire) == [Hire(RED, segment) for segment in range(5)]
    assert "symbol.hire" in told(state, Hire(RED, 4))
    assert rules(replace(state, offer=changed(state.offer, 2, EMPTY)), Hire(RED, 2)) == ["symbol.hire"]
    assert rules(state, Decline(RED)) == ["effect.must"]


# Collisions


def colliding(field: int = 6, **facts: int) -> State:
    return markers(hiring(**facts), field, field)


def test_example_the_red_player_resolves_a_collision() -> None:
    """A thief on the board: no virtue by the second workshop. The peddler brings ink, field 6 two debts and three
    silver, all others without criminals a virtue; then both markers go back."""
    state = with_slots(colliding(6), RED, (WORKSHOP, 1))
    state = replace(state, rows=changed(state.rows, RED, ("thief", "peddler 1", "abbot")))
    state = with_row(state, "thief", "abbot", "squire", seat=YELLOW)
    state = with_row(state, "lender", "abbot", "squire", seat=BLUE)
    after = GAME.play(state, Collide(RED))
    assert owns(after) == {"ink": 1, "silver": 3}
    assert after.debts[RED] == (2, 0)
    assert marker_fields(after) == (1, 7)
    assert (marker_fields(after, BLUE), marker_fields(after, YELLOW)) == ((1, 6), (1, 7))


def test_collision_due__only_in_phase_five() -> None:
    assert rules(hiring(), Collide(RED)) == ["collision.due"]
    assert "collision.due" in told(colliding(), Collide(RED))
    early = replace(colliding(), phase="action")
    assert rules(early, Collide(RED)) == ["turn.phases"]


def test_collision_must__before_the_turn_ends() -> None:
    state = colliding(silver=9)
    assert kinds(state) == {"Hire", "Collide"}
    assert rules(state, DrawUp(RED)) == ["collision.must"]
    assert kinds(GAME.play(state, Collide(RED))) == {"DrawUp"}


def test_collision_workshop__a_virtue_for_all_who_have_it_and_no_criminals() -> None:
    state = with_slots(with_row(colliding(4), "abbot", "squire", "lender", seat=BLUE), BLUE, (WORKSHOP, 1))
    assert note(state, Collide(RED), "collision.workshop").facts == {"seat": "blue"}
    assert marker_fields(GAME.play(state, Collide(RED)), BLUE) == (1, 6)


def test_collision_workshop__the_own_virtue_moves_both_markers_before_the_reward() -> None:
    state = with_slots(colliding(6), RED, (WORKSHOP, 1))
    after = GAME.play(state, Collide(RED))
    assert after.debts[RED] == (1, 0)
    assert note(state, Collide(RED), "collision.reward").facts["field"] == 5


def test_collision_criminal__it_spoils_the_second_workshop() -> None:
    state = with_slots(colliding(6), RED, (WORKSHOP, 1))
    state = replace(state, rows=changed(state.rows, RED, ("thief", "abbot", "squire")))
    assert "collision.criminal" in told(state, Collide(RED))
    assert GAME.play(state, Collide(RED)).debts[RED] == (2, 0)


def test_collision_townsfolk__on_all_boards() -> None:
    state = with_row(colliding(6), "ada", "abbot", "squire", seat=BLUE)
    assert note(state, Collide(RED), "collision.townsfolk").facts == {"seat": "blue"}
    after = GAME.play(state, Collide(RED))
    assert GAME.actor(after) == BLUE
    assert marker_fields(after, BLUE) == (1, 6)
    assert after.debts[RED] == (0, 0)  # the reward waits until all abilities are done
    after = GAME.play(after, TakeGood(BLUE, "ink"))
    assert after.debts[RED] == (2, 0)


def test_collision_reward__each_field_has_its_own() -> None:
    expected = {1: (3, 0, 1), 2: (2, 0, 1), 3: (1, 0, 1), 4: (1, 1, 2), 5: (0, 1, 2), 6: (0, 2, 3), 7: (0, 3, 4)}
    for field, (deeds, debts, silver) in expected.items():
        after = GAME.play(colliding(field), Collide(RED))
        assert (after.deeds[RED][0], after.debts[RED][0], owns(after)["silver"]) == (deeds, debts, silver)


def test_collision_others__those_of_whom_it_is_true() -> None:
    crooks = with_row(colliding(1), "thief", "abbot", "squire", seat=BLUE)
    assert [GAME.play(crooks, Collide(RED)).debts[seat] for seat in (BLUE, YELLOW)] == [(1, 0), (0, 0)]
    crooks = with_row(colliding(2), "thief", "abbot", "squire", seat=BLUE)
    assert marker_fields(GAME.play(crooks, Collide(RED)), BLUE) == (2, 7)
    honest = GAME.play(with_row(colliding(7), "thief", "abbot", "squire", seat=BLUE), Collide(RED))
    assert [honest.deeds[seat] for seat in (BLUE, YELLOW)] == [(0, 0), (1, 0)]
    assert "collision.others" in told(colliding(7), Collide(RED))


def test_collision_others__in_the_middle_all_may_rearrange() -> None:
    state = with_row(colliding(4), "thief", "abbot", "squire", seat=BLUE)
    state = with_row(state, "thief", "abbot", "squire", seat=YELLOW)
    after = GAME.play(state, Collide(RED))
    assert GAME.actor(after) == BLUE
    after = GAME.play(after, Rearrange(BLUE, ("abbot", "squire", "thief")))
    assert GAME.actor(after) == YELLOW
    assert GAME.actor(GAME.play(after, Decline(YELLOW))) == RED


def test_collision_part__both_markers_go_back() -> None:
    assert "collision.part" in told(colliding(6), Collide(RED))
    assert marker_fields(GAME.play(colliding(6), Collide(RED))) == (1, 7)


def test_ruling_the_others_get_what_the_field_of_step_three_says() -> None:
    """A racketeer lets a card be discarded for the debt of step 3; the empty pile is shuffled, and the pair moves."""
    state = colliding(5)
    state = replace(
        state,
        rows=changed(state.rows, RED, ("racketeer 1", "abbot", "squire")),
        hidden=changed(state.hidden, RED, ("labourer",)),
        hands=changed(state.hands, RED, 1),
        discards=changed(state.discards, RED, ("lender", "thief")),
    )
    after = GAME.play(state, Collide(RED))
    after = GAME.play(after, Discard(RED, "pile", "lender"))
    assert marker_fields(after) == (1, 7)
    assert marker_fields(after, BLUE) == (1, 6)  # field 5, though corruption took both markers to 6


# Drawing


def test_draw_cards__up_to_three() -> None:
    state = replace(hiring(), hands=(1, 3, 3))
    after = GAME.play(state, DrawUp(RED))
    assert after.hands[RED] == 3
    assert after.hidden[RED] == state.hidden[RED]
    assert GAME.play(replace(hiring(), hands=(4, 3, 3)), DrawUp(RED)).hands[RED] == 4
    assert "draw.cards" in told(state, DrawUp(RED))


def test_draw_limit__the_leader_and_the_third_workshop_hold_one_more() -> None:
    state = replace(hiring(), hands=(1, 3, 3), leader=RED)
    assert GAME.play(state, DrawUp(RED)).hands[RED] == 4
    both = with_slots(state, RED, (WORKSHOP, 2))
    assert GAME.play(both, DrawUp(RED)).hands[RED] == 5
    assert "draw.limit" in told(state, DrawUp(RED))


def empty_pile(*row: str) -> State:
    state = replace(hiring(), hands=(2, 3, 3), hidden=changed(hiring().hidden, RED, ("financer", "thief")))
    state = replace(state, discards=changed(state.discards, RED, ("lender", "trader")))
    return replace(state, rows=changed(state.rows, RED, (row[0], row[1], row[2])))


def test_shuffle_pile__the_discards_become_the_new_pile() -> None:
    state = empty_pile("abbot", "squire", "labourer")
    after = GAME.play(state, DrawUp(RED))
    assert after.discards[RED] == ()
    assert (after.hands[RED], len(after.hidden[RED])) == (3, 4)
    assert "shuffle.pile" in told(state, DrawUp(RED))
    enough = replace(state, hands=(3, 3, 3), hidden=changed(state.hidden, RED, ("financer", "thief", "abbot")))
    assert "shuffle.pile" not in told(enough, DrawUp(RED))


def test_shuffle_virtue__for_an_honest_board() -> None:
    state = empty_pile("abbot", "squire", "labourer")
    assert "shuffle.virtue" in told(state, DrawUp(RED))
    assert marker_fields(GAME.play(state, DrawUp(RED))) == (1, 6)


def test_shuffle_corruption__for_criminals_but_never_more_than_one() -> None:
    state = empty_pile("antagonist", "thief", "labourer")
    assert "shuffle.corruption" in told(state, DrawUp(RED))
    assert marker_fields(GAME.play(state, DrawUp(RED))) == (2, 7)


def test_a_collision_by_shuffling_waits_for_the_next_turn() -> None:
    state = markers(empty_pile("abbot", "squire", "labourer"), 3, 4)
    after = GAME.play(state, DrawUp(RED))
    assert marker_fields(after) == (3, 3)
    assert GAME.actor(after) == BLUE


def test_symbol_shuffle__discards_are_mixed_in_without_virtue_but_for_a_house_rule() -> None:
    state = hiring(silver=1)
    state = replace(state, discards=changed(state.discards, RED, ("lender",)), offer=changed(state.offer, 3, "courier"))
    assert "symbol.shuffle" in told(state, Hire(RED, 3))
    after = GAME.play(state, Hire(RED, 3))
    assert after.discards[RED] == ()
    assert "courier" in after.hidden[RED]
    assert marker_fields(after) == (1, 7)
    house = replace(state, options=replace(state.options, shuffle_symbol=True))
    assert marker_fields(GAME.play(house, Hire(RED, 3))) == (1, 6)


def test_turn_order__the_next_one_clockwise() -> None:
    after = GAME.play(hiring(), DrawUp(RED))
    assert (after.turn, after.round) == (BLUE, 0)
    last = replace(hiring(), turn=YELLOW)
    after = GAME.play(with_viscount(last, space(7), YELLOW), DrawUp(YELLOW))
    assert (after.turn, after.round) == (RED, 1)
    assert kinds(after) == {"Slide"}
    assert told(after, Slide(RED))[0] == "cards.slide"


def test_whoever_draws_up_leaves_alone_what_they_only_may_do() -> None:
    """One press says that a turn is over, though a card might still be discarded; but nothing is forgiven."""
    state = with_due(hiring(), "discard")
    assert GAME.signalled(state, Signal("press", "seat red", 0.0, seat=RED))[0] == DrawUp(RED)
    assert "effect.optional" in told(state, DrawUp(RED))
    after = GAME.play(state, DrawUp(RED))
    assert (after.turn, after.due) == (BLUE, ())
    assert rules(with_due(hiring(), "any"), DrawUp(RED)) == ["effect.due"]
    assert rules(with_due(state, "rearrange", seat=BLUE), DrawUp(RED)) == ["turn.order"]
