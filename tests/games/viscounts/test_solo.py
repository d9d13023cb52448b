"""Solospiel: an opponent whose every step is expected."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.box import RIVALS, Effect
from companion.games.viscounts.moves import (
    FREE,
    AddScheme,
    Build,
    Climb,
    Collide,
    Copy,
    Decline,
    Dismiss,
    DrawUp,
    Employ,
    Flip,
    Push,
    Rearrange,
    Slide,
    TakeGood,
    TakePair,
    Travel,
    TurnScheme,
)
from companion.games.viscounts.rulebook.effects import for_rival
from companion.games.viscounts.rulebook.movement import outer_space_after
from companion.games.viscounts.rulebook.scoring import count_of
from companion.games.viscounts.rulebook.solo import future_schemes_left, resources_to_take
from companion.games.viscounts.state import EMPTY, State, owner_of, symbols
from companion.kernel.catalogue import Speaker
from companion.kernel.rules import ANYONE, CHANCE, Seat
from companion.simulation.selfplay import open_table, playing

from .solo_table import RIVAL, alone, drafting, rivals_turn
from .table import (
    BOX,
    GUILDHALL,
    RED,
    TRADING_POST,
    WORKSHOP,
    breach,
    changed,
    has,
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
    space,
    told,
    with_due,
    with_row,
    with_slots,
    with_tops_told,
    with_viscount,
    with_workers,
)


def test_solo_start__the_opponent_takes_the_space_that_is_left_and_what_its_board_shows() -> None:
    state = drafting()
    assert len(state.cards) == 2
    assert "solo.start" in told(state, TakePair(RED, 0))
    state = GAME.play(state, TakePair(RED, 0))
    assert state.viscounts == (space(1), space(2))
    assert (owns(state, RIVAL), state.debts[RIVAL], state.deeds[RIVAL]) == ({"ink": 1, "stone": 1}, (1, 0), (1, 0))
    assert GAME.actor(state) == ANYONE
    assert listed(state, Build) == [Build(RIVAL, GUILDHALL, 0, 0, 2)]


def test_example_the_cleric_begins_with_a_guildhall_at_its_viscount_and_the_plots_effect() -> None:
    state = drafting()
    state = played(state, TakePair(RED, 0), Build(RIVAL, GUILDHALL, 0, 0, 2))
    assert owner_of(state.plots[0][2]) == RIVAL
    assert listed(state, Flip) == [Flip(RIVAL, "debt")]  # the plot flips a card; of none flipped yet, a debt
    state = played(state, Flip(RIVAL, "debt"), TakeGood(RIVAL, "ink"))
    assert state.phase == "playing"
    assert (state.poverty, state.prosperity) == (12, 12)
    assert symbols(state, RIVAL) == (0, 1, 1, 2, 0)


def test_solo_turn__it_follows_every_turn_of_ones_own() -> None:
    state = with_row(alone(), "abbot", "squire", "labourer")
    state = replace(state, phase="hiring")
    assert "solo.turn" in told(state, DrawUp(RED))
    after = GAME.play(state, DrawUp(RED))
    assert (after.phase, GAME.actor(after)) == ("rival", CHANCE)
    assert {move.scheme for move in listed(replace(after, boxed=()), TurnScheme)} == set(after.schemes)


def test_example_the_clerics_first_turn() -> None:
    """Dismiss (a virtue), two spaces; two noble symbols and no gold are too few, so a debt is paid, with a virtue."""
    state = papers(rivals_turn(), RIVAL, debts=(1, 1), deeds=(0, 2))
    state = GAME.play(state, TurnScheme("start noble"))
    state = replace(state, offer=("woodcutter 1", *state.offer[1:]))
    state = with_tops_told(GAME.play(state, Dismiss(RIVAL)))
    assert marker_fields(state, RIVAL) == (1, 6)
    assert listed(state, Travel) == [Travel(RIVAL, space(4))]
    assert symbols(state, RIVAL)[2] == 2
    before = state
    state = GAME.play(state, Travel(RIVAL, space(4)))
    assert "solo.otherwise" in told(before, Travel(RIVAL, space(4)))
    assert marker_fields(state, RIVAL) == (1, 5)
    state = GAME.play(state, Flip(RIVAL, "debt"))
    assert state.debts[RIVAL] == (0, 2)
    assert GAME.actor(GAME.play(state, TakeGood(RIVAL, "ink"))) == RED


def test_example_the_clerics_second_turn() -> None:
    """A criminal: a corruption, a future scheme, one space, and with three clerics a manuscript that adds a scheme."""
    state = rivals_turn("start criminal", ("start noble", EMPTY, EMPTY))
    assert marker_fields(state, RIVAL) == (2, 7)
    assert GAME.actor(state) == CHANCE
    state = GAME.play(state, AddScheme("future cleric"))
    assert state.discards[RIVAL] == ("future cleric",)
    state = replace(state, scripts=changed(state.scripts, 1, "blue 3 hire"))
    assert symbols(state, RIVAL)[3] + symbols(state, RIVAL)[4] == 3
    state = GAME.play(state, Travel(RIVAL, space(3)))
    assert listed(state, Copy) == [Copy(RIVAL, 1)]
    state = with_tops_told(GAME.play(state, Copy(RIVAL, 1)))
    assert state.manuscripts[RIVAL] == ("blue 3 hire",)
    assert kinds(state) == {"AddScheme"}


def test_solo_slide__its_schemes_move_to_the_right() -> None:
    state = with_row(alone(), "abbot", "squire", "labourer")
    row = ("start criminal", "start cleric", "start builder")
    state = replace(state, rows=changed(state.rows, RIVAL, row))
    state = GAME.play(replace(state, phase="hiring"), DrawUp(RED))
    assert told(state, Slide(RIVAL)) == ["solo.slide"]
    after = GAME.play(state, Slide(RIVAL))
    assert after.rows[RIVAL] == (EMPTY, "start criminal", "start cleric")
    assert after.discards[RIVAL] == ("start builder",)


def test_solo_scheme__it_is_followed_from_top_to_bottom() -> None:
    state = rivals_turn("start cleric builder")
    assert note(rivals_turn(), TurnScheme("start cleric builder"), "solo.scheme").facts["seat"] == "blue"
    assert kinds(state) == {"TakeGood"}
    state = GAME.play(state, TakeGood(RIVAL, "ink"))
    assert kinds(state) == {"Travel"}


def test_solo_pile__only_what_may_lie_there_comes_to_light() -> None:
    state = rivals_turn()
    assert rules(state, TurnScheme("future cleric")) == ["solo.pile"]
    assert rules(state, AddScheme("future cleric")) == ["solo.pile"]
    harder = rivals_turn(difficulty=2)
    assert rules(harder, TurnScheme("future cleric")) == []
    assert future_schemes_left(harder) == 4
    after = GAME.play(harder, TurnScheme("future cleric"))
    assert (after.mixed, future_schemes_left(after)) == (1, 4)


def test_solo_pile__which_schemes_stay_in_the_box_is_only_checked_where_somebody_has_confirmed_it() -> None:
    state = rivals_turn()
    assert rules(replace(state, boxed=()), TurnScheme("start noble")) == ["solo.pile"]
    after = GAME.play(state, TurnScheme("start noble"))
    assert after.rows[RIVAL][0] == "start noble"
    assert len(after.schemes) == len(state.schemes) - 1
    (other,) = {*after.boxed} - {*state.boxed}
    assert other in state.schemes  # so this one stays in the box, for all we know; but it may come, too
    assert not rules(with_due(after, "reveal", seat=RIVAL), TurnScheme(other))
    added = GAME.play(with_due(state, "scheme", seat=RIVAL), AddScheme("future noble"))
    assert (added.discards[RIVAL], len(added.futures)) == (("future noble",), len(state.futures) - 1)
    mixed = rivals_turn("future noble", difficulty=1)
    assert (mixed.mixed, future_schemes_left(mixed)) == (0, 5)
    shuffled = replace(state, schemes=(), discards=changed(state.discards, RIVAL, ("start cleric", "start builder")))
    assert rules(shuffled, TurnScheme("start noble")) == ["solo.pile"]
    assert "start noble" not in GAME.play(shuffled, TurnScheme("start cleric")).boxed


def test_a_confirmed_board_leaves_no_doubt_which_schemes_stay_in_the_box() -> None:
    removed = ["start builder", "future builder", "future criminal"]
    box = GAME.load_box({"solo.boards.cleric.removed": removed})
    state = GAME.setup(box, (Seat("red"),), {})
    assert state.boxed == ()
    assert not {*removed} & {*state.schemes, *state.futures}


def test_solo_expected__nothing_else_is_done_in_its_turn() -> None:
    state = rivals_turn("start cleric builder")
    assert rules(state, TakeGood(RIVAL, "gold")) == ["solo.gathers"]
    assert rules(state, Travel(RIVAL, space(4))) == ["solo.gathers"]
    waiting = rivals_turn()
    assert breach(waiting, Travel(RIVAL, space(4)), "solo.expected").facts == {"seat": "blue", "due": "due reveal"}
    assert rules(state, Decline(RED)) == ["turn.order"]


def test_solo_criminal__a_corruption_for_every_criminal_that_lies_there() -> None:
    state = rivals_turn("start criminal", ("start criminal 2", EMPTY, EMPTY))
    assert marker_fields(state, RIVAL) == (3, 7)
    before = rivals_turn("", ("start criminal 2", EMPTY, EMPTY))
    assert note(before, TurnScheme("start criminal"), "solo.criminal").facts["criminals"] == 2


def test_solo_walk__outside_only_and_whoever_is_met_may_rearrange() -> None:
    state = rivals_turn("start cleric builder")
    assert [outer_space_after(state, RIVAL, steps) for steps in range(4)] == [space(2), space(3), space(4), space(5)]
    state = GAME.play(with_viscount(state, space(3)), TakeGood(RIVAL, "ink"))
    assert "solo.walk" in told(state, Travel(RIVAL, space(3)))
    met = GAME.play(state, Travel(RIVAL, space(3)))
    assert GAME.actor(met) == RED
    assert kinds(met) == {"Rearrange", "Decline"}
    assert GAME.actor(GAME.play(met, Rearrange(RED, ("squire", "abbot", "labourer")))) == ANYONE


def test_whoever_meets_the_opponent_gives_it_a_resource() -> None:
    state = replace(with_row(alone(), "trader", "squire", "labourer"), phase="moving", played="trader")
    state = GAME.play(state, Travel(RED, space(2)))
    assert listed(state, TakeGood) == [TakeGood(RIVAL, "ink")]


def test_solo_dismiss__for_the_effect_only() -> None:
    state = rivals_turn("start cleric")
    state = replace(state, offer=("bishop", *state.offer[1:]))
    assert "solo.dismiss" in told(state, Dismiss(RIVAL))
    after = GAME.play(state, Dismiss(RIVAL))
    assert after.debts[RIVAL] == (state.debts[RIVAL][0] + 1, state.debts[RIVAL][1])
    assert "bishop" in after.gone
    assert owns(after, RIVAL) == owns(state, RIVAL)


def test_what_effects_mean_for_one_who_has_no_hand_and_no_silver() -> None:
    assert for_rival(Effect(rearrange=True)) == Effect(any=1)
    assert for_rival(Effect(silver=4)) == Effect(any=2)
    assert for_rival(Effect(destroy=1)) == Effect(flip=1)
    assert for_rival(Effect(discard=1)) == for_rival(Effect(move=1)) == Effect(virtue=1)
    assert for_rival(Effect(hire=1)) == for_rival(Effect(shuffle=True)) == Effect(scheme=1)
    assert for_rival(Effect(either=(Effect(gold=1), Effect(move=1)))) == Effect(gold=1)


def test_solo_add__hiring_means_a_future_scheme() -> None:
    state = with_due(rivals_turn(), "scheme", seat=RIVAL)
    assert {move.scheme for move in listed(replace(state, boxed=()), AddScheme)} == set(state.futures)
    assert told(state, AddScheme("future cleric"))[0] == "solo.add"
    with_workshop = with_slots(state, RIVAL, (WORKSHOP, 0))
    assert kinds(GAME.play(with_workshop, AddScheme("future cleric"))) == {"Dismiss"}


def test_solo_no_scheme__without_future_schemes_a_card_is_flipped() -> None:
    state = replace(papers(rivals_turn("start criminal"), RIVAL, debts=(1, 0)), futures=("future cleric",))
    before = GAME.play(state, AddScheme("future cleric"))
    none = with_due(before, "any", seat=RIVAL)
    none = replace(none, due=(*none.due, *with_due(none, "scheme", seat=RIVAL).due))
    good = listed(none, TakeGood)[0]
    assert "solo.no-scheme" in told(none, good)
    assert listed(GAME.play(none, good), Flip) == [Flip(RIVAL, "debt")]


def test_solo_no_flip__nothing_to_flip_is_a_virtue() -> None:
    state = papers(rivals_turn("start cleric builder"), RIVAL)
    state = replace(state, due=(*with_due(state, "any", seat=RIVAL).due, *with_due(state, "flip", seat=RIVAL).due))
    good = listed(state, TakeGood)[0]
    assert "solo.no-flip" in told(state, good)
    assert marker_fields(GAME.play(state, good), RIVAL) == (1, 6)


def test_of_debts_and_deeds_it_flips_the_kind_it_has_flipped_less() -> None:
    state = with_due(rivals_turn(), "flip", seat=RIVAL)
    for debts, deeds, paper in (((1, 0), (1, 0), "debt"), ((1, 2), (1, 1), "deed"), ((0, 0), (1, 5), "deed")):
        assert [move.paper for move in listed(papers(state, RIVAL, debts=debts, deeds=deeds), Flip)] == [paper]


def test_solo_shuffle__its_discards_become_its_pile() -> None:
    state = rivals_turn()
    cards = ("start cleric", "start builder")
    state = replace(state, schemes=(), discards=changed(state.discards, RIVAL, cards))
    assert "solo.shuffle" in told(state, TurnScheme("start builder"))
    after = GAME.play(state, TurnScheme("start builder"))
    assert after.schemes == ("start cleric",)
    assert marker_fields(after, RIVAL) == (1, 6)
    workshops = with_slots(state, RIVAL, (WORKSHOP, 1), (WORKSHOP, 2))
    assert marker_fields(GAME.play(workshops, TurnScheme("start builder")), RIVAL) == (2, 5)


def test_of_all_that_shuffling_brings_it_corruption_comes_first() -> None:
    """Both markers meet where corruption goes, and the virtue takes them back."""
    state = replace(rivals_turn(), schemes=(), discards=((), ("start cleric", "start builder")))
    state = markers(with_slots(state, RIVAL, (WORKSHOP, 2)), 3, 4, RIVAL)
    assert marker_fields(GAME.play(state, TurnScheme("start builder")), RIVAL) == (3, 3)


def attempting(scheme: str, **goods: int) -> State:
    """The opponent stands on space 4 and is to take its main action."""
    state = rivals_turn()
    state = has(state, RIVAL, **{"ink": 0, "stone": 0, **goods})
    state = replace(state, rows=changed(state.rows, RIVAL, (scheme, EMPTY, EMPTY)))
    return with_due(with_viscount(state, space(4), RIVAL), "attempt", seat=RIVAL)


def test_solo_action__the_first_that_it_can_pay_for() -> None:
    state = attempting("start builder noble", stone=4)
    assert listed(state, Build) == [Build(RIVAL, TRADING_POST, 0, 1, 2, (0, 0, 3, 0))]
    assert "solo.action" in told(state, listed(state, Build)[0])
    rich = attempting("start builder noble", stone=9)
    assert listed(rich, Build) == [Build(RIVAL, GUILDHALL, 1, 1, 2, (0, 0, 5, 0))]


def test_solo_action__never_a_single_worker_and_as_many_as_it_can() -> None:
    state = attempting("future noble", gold=9)
    assert [(move.number, move.pays[1]) for move in listed(state, Employ)] == [(4, 6)]
    one = replace(state, top=changed(state.top, RIVAL, 19))
    assert not listed(one, Employ)


def test_solo_otherwise__what_stands_at_the_bottom() -> None:
    state = replace(attempting("start cleric builder"), scripts=("black 7 manuscript",) * 5)
    state = replace(state, due=(*with_due(state, "any", seat=RIVAL).due, *state.due))
    good = listed(state, TakeGood)[0]
    assert "solo.otherwise" in told(state, good)
    before = state.debts[RIVAL][0]
    assert GAME.play(state, good).debts[RIVAL][0] == before + 1


def test_it_gathers_in_the_order_of_its_board() -> None:
    state = rivals_turn()
    assert resources_to_take(has(state, RIVAL, ink=5)) == ("ink",)
    assert resources_to_take(has(state, RIVAL, ink=6, stone=3)) == ("stone",)
    assert resources_to_take(has(state, RIVAL, ink=6, stone=4)) == ("gold",)
    assert len(resources_to_take(rivals_turn(opponent="cards"))) == 3


def test_in_the_castle_it_climbs_clockwise_from_its_segment_and_pushes_the_player() -> None:
    state = with_viscount(rivals_turn(), space(6), RIVAL)
    climbing = with_due(with_workers(with_workers(state, 1, 1, 0, 3), 1, 4, 0, 3), "castle", seat=RIVAL)
    assert listed(climbing, Climb) == [Climb(RIVAL, 1, 4)]
    crowded = with_due(with_workers(state, 2, 3, 2, 2), "castle", seat=RIVAL)
    assert listed(crowded, Push) == [Push(RIVAL, 2, 3, RED)]


def test_ruling_where_the_order_in_the_castle_is_all_the_same_any_will_do() -> None:
    state = with_viscount(rivals_turn(), space(6), RIVAL)
    topping = with_due(with_workers(with_workers(state, 2, 1, 0, 3), 2, 4, 0, 3), "castle", seat=RIVAL)
    assert listed(topping, Climb) == [Climb(RIVAL, 2, 4), Climb(RIVAL, 2, 1)]
    crowded = with_due(with_workers(with_workers(state, 1, 3, 2, 2), 2, 0, 2, 2), "castle", seat=RIVAL)
    assert listed(crowded, Push) == [Push(RIVAL, 1, 3, RED), Push(RIVAL, 2, 0, RED)]
    assert not rules(crowded, Push(RIVAL, 2, 0, RED))
    assert rules(crowded, Push(RIVAL, 2, 0, RIVAL)) == ["solo.push"]


def test_of_two_rewards_in_the_castle_it_gets_the_first_and_whoever_moves_it_is_told_so() -> None:
    state = with_due(with_workers(rivals_turn(), 1, 2, 0, 3), "castle", seat=RIVAL)
    assert Speaker(GAME.catalogue, "en").expects(GAME.expects(state)).endswith("it gets: 1 gold.")
    before = owns(state, RIVAL).get("gold", 0)
    assert owns(GAME.play(state, Climb(RIVAL, 1, 2)), RIVAL)["gold"] == before + 1


def test_in_the_castle_nobody_says_that_it_chooses() -> None:
    state = with_viscount(rivals_turn(), space(6), RIVAL)
    climbing = with_due(with_workers(with_workers(state, 1, 1, 0, 3), 1, 4, 0, 3), "castle", seat=RIVAL)
    assert "workers.choice" not in told(climbing, Climb(RIVAL, 1, 4))
    assert rules(climbing, Climb(RIVAL, 1, 1)) == ["solo.climb"]


def test_a_free_building_goes_to_its_space_or_further_clockwise_even_across_a_river() -> None:
    state = with_due(with_viscount(rivals_turn(), space(3), RIVAL), "build", seat=RIVAL, building="workshop")
    assert listed(state, Build) == [Build(RIVAL, WORKSHOP, 0, 1, 0)]
    full = replace(state, plots=changed(state.plots, 1, (0, 0, -1, -1)))
    assert [(move.segment, move.plot) for move in listed(full, Build)] == [(1, 2)]
    right = with_viscount(replace(state, plots=changed(state.plots, 1, (-1, -1, 0, 0))), space(4), RIVAL)
    assert [(move.segment, move.plot) for move in listed(right, Build)] == [(2, 0)]


def test_ruling_it_resolves_its_collision_at_the_end_of_its_turn() -> None:
    state = markers(rivals_turn("start cleric builder"), 6, 6, RIVAL)
    state = papers(played(state, TakeGood(RIVAL, "ink")), RIVAL)
    state = replace(state, scripts=("black 7 manuscript",) * 5)
    state = GAME.play(state, Travel(RIVAL, space(3)))
    assert kinds(state) == {"Collide"}
    after = played(state, Collide(RIVAL), TakeGood(RIVAL, "ink"))
    # A debt for the bottom of the scheme; no deed to flip is a virtue, which takes the pair to field 5; a debt there.
    assert after.debts[RIVAL] == (2, 0)
    assert marker_fields(after, RED)[1] == 5  # a virtue for the player without criminals
    assert marker_fields(after, RIVAL) == (1, 7)


def test_ruling_its_shuffle_symbol_adds_a_scheme() -> None:
    state = rivals_turn("start cleric")
    state = replace(state, offer=("courier", *state.offer[1:]))
    assert kinds(with_tops_told(GAME.play(state, Dismiss(RIVAL)))) == {"AddScheme"}


def test_ruling_a_single_worker_that_is_left_enters_for_free_though_never_by_a_main_action() -> None:
    state = with_viscount(rivals_turn(), space(6), RIVAL)
    state = replace(state, top=changed(state.top, RIVAL, 19))
    assert listed(with_due(state, "workers", 2, seat=RIVAL), Employ) == [Employ(RIVAL, 1, 2)]


def test_workers_that_come_for_free_enter_where_its_viscount_stands() -> None:
    state = with_due(with_viscount(rivals_turn(), space(6), RIVAL), "workers", 2, seat=RIVAL)
    assert listed(state, Employ) == [Employ(RIVAL, 2, 2)]
    assert rules(state, Employ(RIVAL, 2, 3)) == ["solo.workers"]


def test_a_free_manuscript_is_the_next_one_clockwise_that_it_may_have() -> None:
    state = with_due(with_viscount(rivals_turn(), space(6), RIVAL), "manuscript", seat=RIVAL)
    assert listed(state, Copy) == [Copy(RIVAL, 2)]
    dear = replace(state, scripts=("black 3 flip", "yellow 3 any", "grey 7 guildhall", "grey 5 good", "yellow 3 flip"))
    assert listed(dear, Copy) == [Copy(RIVAL, 4)]
    none = replace(state, scripts=("grey 7 guildhall",) * 5)
    assert not listed(none, Copy)


def test_ruling_a_debt_that_it_should_flip_and_does_not_have_is_a_virtue_whatever_deeds_it_has() -> None:
    state = papers(rivals_turn("start cleric builder"), RIVAL, deeds=(2, 0))
    state = replace(state, due=(*with_due(state, "any", seat=RIVAL).due, *with_due(state, "flip_debt", seat=RIVAL).due))
    after = GAME.play(state, listed(state, TakeGood)[0])
    assert (marker_fields(after, RIVAL), after.deeds[RIVAL]) == ((1, 6), (2, 0))


def test_ruling_to_the_card_focused_opponent_all_resources_are_the_same() -> None:
    state = replace(rivals_turn(opponent="cards"), built=(0, 0))
    state = GAME.play(state, TurnScheme("start criminal"))
    state = GAME.play(state, AddScheme(state.futures[0]))
    state = papers(has(state, RIVAL, ink=1, stone=1, gold=0), RIVAL, debts=(1, 0))
    state = GAME.play(state, Travel(RIVAL, outer_space_after(state, RIVAL, 1)))
    assert listed(state, Flip) == [Flip(RIVAL, "debt", (1, 0, 1, 0))]
    after = GAME.play(state, Flip(RIVAL, "debt", (1, 0, 1, 0)))
    assert owns(after, RIVAL) == {}
    assert len(listed(after, TakeGood)) == 3


def test_ruling_the_card_focused_opponent_may_give_any_two_resources_for_its_flip() -> None:
    state = replace(rivals_turn(opponent="cards"), rows=((EMPTY,) * 3, ("start criminal", EMPTY, EMPTY)))
    state = papers(has(state, RIVAL, ink=3, gold=1, stone=0), RIVAL, deeds=(1, 0))
    state = with_due(state, "attempt", seat=RIVAL)
    assert [move.pays for move in listed(state, Flip)] == [(2, 0, 0, 0), (1, 1, 0, 0)]  # told: of what it has most
    assert owns(GAME.play(state, Flip(RIVAL, "deed", (1, 1, 0, 0))), RIVAL) == {"ink": 2}
    for pays in (FREE, (1, 0, 0, 0), (0, 2, 0, 0), (2, 1, 0, 0)):
        assert rules(state, Flip(RIVAL, "deed", pays)) == ["solo.paper"]
    poor = has(state, RIVAL, ink=1, gold=0)
    assert not listed(poor, Flip)


def test_the_opponent_has_the_last_turn() -> None:
    state = with_row(alone(), "abbot", "squire", "labourer")
    state = replace(state, phase="hiring", last_round=state.round)
    state = GAME.play(state, DrawUp(RED))
    assert state.phase == "rival"
    state = replace(state, due=(*with_due(state, "any", seat=RIVAL).due, *with_due(state, "turn", seat=RIVAL).due))
    assert GAME.play(state, listed(state, TakeGood)[0]).phase == "over"


def over(**facts: Any) -> State:
    state = replace(alone(), phase="over", poverty=3, prosperity=3, goods=((0, 0, 0, 0), (1, 2, 0, 0)))
    return papers(papers(replace(state, **facts), RED), RIVAL)


def test_solo_resources__a_point_for_each() -> None:
    notes = {note.rule: note.facts for note in GAME.score(over()).because}
    assert notes["solo.resources"] == {"goods": 3}


def test_solo_points__it_scores_like_everybody() -> None:
    told_ = [note.facts for note in GAME.score(over()).because if note.rule == "solo.points"]
    assert {"what": "buildings", "points": 6} in told_
    assert count_of(over(), RIVAL, BOX.manuscripts["grey 6 building"]) == 1


def test_ruling_its_schemes_are_its_cards_when_manuscripts_count_symbols() -> None:
    state = over(schemes=("start cleric", "start criminal"))
    row = changed(state.rows, RIVAL, ("start cleric builder", "start noble", EMPTY))
    state = replace(state, rows=row, discards=changed(state.discards, RIVAL, ("future cleric",)))
    assert count_of(state, RIVAL, BOX.manuscripts["black 5 cleric"]) == 3 + 1  # and the guildhall of the beginning
    assert count_of(state, RIVAL, BOX.manuscripts["blue 6 criminal"]) == 1
    lines = [note.facts for note in GAME.score(replace(state, manuscripts=((), ("black 5 cleric",)))).because]
    assert {"what": "manuscripts", "points": 4} in lines


def test_its_buildings_bring_the_symbols_of_its_own_board_to_manuscripts_whatever_the_house_rule() -> None:
    for bonus_symbols in (True, False):
        state = alone(bonus_symbols=bonus_symbols)
        state = replace(state, phase="over", schemes=())
        assert count_of(state, RIVAL, BOX.manuscripts["black 5 cleric"]) == 1
        assert count_of(state, RIVAL, BOX.manuscripts["grey 5 builder"]) == 0


def test_solo_lost__as_many_points_are_too_few() -> None:
    sheet = GAME.score(over())
    assert (sheet.winner, sheet.because[0].rule) == (None, "solo.lost")
    assert sheet.because[0].facts["others"] == 9
    assert Speaker(GAME.catalogue, "en").expects(GAME.expects(over())) == "The game is over. Blue wins with 9 to 0."
    assert len(sheet.seats) == 1
    equal = GAME.score(papers(over(), RED, deeds=(9, 0)))
    assert equal.winner is None


def test_solo_won__more_points_win() -> None:
    sheet = GAME.score(papers(over(), RED, deeds=(10, 0)))
    assert (sheet.winner, sheet.because[0].rule) == (RED, "solo.won")


@pytest.mark.parametrize("opponent", RIVALS)
@pytest.mark.parametrize("difficulty", [0, 3])
def test_whole_games_against_every_opponent_come_to_their_end(opponent: str, difficulty: int) -> None:
    for seed in range(3):
        options = {"opponent": opponent, "difficulty": difficulty}
        state, world = open_table(GAME, 1, "keen", f"{opponent}/{seed}", options)
        last = [after for _, _, after in playing(GAME, state, world)][-1]
        assert GAME.actor(last) is None
