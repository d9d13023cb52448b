"""Solospiel: what the opponent does in a way of its own."""

from __future__ import annotations

from companion.games.viscounts import GAME
from companion.games.viscounts.box import GOLD, SILVER, Effect
from companion.games.viscounts.moves import (
    Build,
    Climb,
    Copy,
    Employ,
    Flip,
    Push,
    TakeGood,
    TakePair,
)
from companion.games.viscounts.rulebook.effects import apply, apply_all
from companion.games.viscounts.state import State
from companion.kernel.rules import Note, RuleLog

from .solo_table import RIVAL, drafting, rivals_turn
from .table import (
    BOX,
    RED,
    WORKSHOP,
    breach,
    has,
    listed,
    marker_fields,
    note,
    papers,
    replace,
    space,
    told,
    with_due,
    with_viscount,
    with_workers,
)


def effect(effect: Effect) -> tuple[State, list[Note]]:
    """What an effect brings the opponent, and what is told of it."""
    log = RuleLog()
    state = apply(replace(rivals_turn(), due=()), RIVAL, effect, log)
    return state, [note for note in log.notes if note.rule.startswith("solo.")]


def test_solo_silver__every_two_are_a_resource_and_one_that_is_left_is_lost() -> None:
    for silver, resources in ((1, 0), (2, 1), (3, 1), (4, 2)):
        state, told_ = effect(Effect(silver=silver))
        assert sum(due_.number for group in state.due for due_ in group) == resources
        assert told_ == [Note("solo.silver", {"seat": "blue", "goods": resources})]
        assert state.has(RIVAL, SILVER) == 0
    state, told_ = effect(Effect(rearrange=True))
    assert told_ == [Note("solo.silver", {"seat": "blue", "goods": 1})]


def test_ruling_each_effect_of_the_opponent_is_counted_by_itself_for_its_silver() -> None:
    state = replace(rivals_turn(), due=())
    twice = apply_all(state, ((RIVAL, Effect(silver=1)), (RIVAL, Effect(silver=1))), RuleLog())
    assert twice.due == ()


def test_solo_virtue__instead_of_discarding_or_a_castle_move() -> None:
    for one in (Effect(discard=1), Effect(move=1)):
        state, told_ = effect(one)
        assert (marker_fields(state, RIVAL), told_) == ((1, 6), [Note("solo.virtue", {"seat": "blue", "virtue": 1})])


def test_solo_destroy__instead_of_destroying_it_flips() -> None:
    state, told_ = effect(Effect(destroy=1))
    assert (state.due[0][0].what, told_) == ("flip", [Note("solo.destroy", {"seat": "blue"})])


def test_solo_first__of_two_effects_the_first() -> None:
    state, told_ = effect(Effect(either=(Effect(gold=1), Effect(move=1))))
    assert told_ == [Note("solo.first", {"seat": "blue"})]
    assert state.has(RIVAL, GOLD) == 1


def test_solo_boxed__its_board_says_which_schemes_stay_in_the_box() -> None:
    facts = note(drafting(), TakePair(RED, 0), "solo.boxed").facts
    assert facts["schemes"] == BOX.solo.boards["cleric"].removed
    assert "solo.boxed" not in told(drafting(opponent="cards"), TakePair(RED, 0))


def test_solo_mixed__a_harder_game_begins_with_future_schemes_in_the_pile() -> None:
    state = GAME.play(drafting(difficulty=2), TakePair(RED, 0))
    notes: list[Note] = []
    while state.phase == "draft":
        move = next(iter(GAME.moves(state)))
        notes += GAME.tell(state, move)
        state = GAME.play(state, move)
    assert [one.facts["schemes"] for one in notes if one.rule == "solo.mixed"] == [2]


def test_solo_gathers__the_first_resource_of_which_it_has_too_few() -> None:
    state = with_due(has(rivals_turn(), RIVAL, ink=6, stone=0), "any", seat=RIVAL)
    assert note(state, TakeGood(RIVAL, "stone"), "solo.gathers").facts["good"] == "stone"
    assert breach(state, TakeGood(RIVAL, "ink"), "solo.gathers").facts["good"] == "stone"


def test_solo_paper__of_the_kind_of_which_it_has_flipped_fewer() -> None:
    state = with_due(papers(rivals_turn(), RIVAL, debts=(1, 1), deeds=(1, 0)), "flip", seat=RIVAL)
    assert note(state, Flip(RIVAL, "deed"), "solo.paper").facts["paper"] == "deed"
    assert breach(state, Flip(RIVAL, "debt"), "solo.paper").facts["paper"] == "deed"
    tie = with_due(papers(rivals_turn(), RIVAL, debts=(1, 0), deeds=(1, 0)), "flip", seat=RIVAL)
    assert listed(tie, Flip) == [Flip(RIVAL, "debt")]


def test_solo_build__the_leftmost_building_on_the_first_free_plot() -> None:
    state = with_due(with_viscount(rivals_turn(), space(3), RIVAL), "build", seat=RIVAL, building="workshop")
    facts = breach(state, Build(RIVAL, WORKSHOP, 0, 1, 1), "solo.build").facts
    assert (facts["building"], facts["segment"], facts["plot"], facts["pays"]) == ("workshop", "3-4", 1, "nothing")
    assert "solo.build" in told(state, Build(RIVAL, WORKSHOP, 0, 1, 0))


def test_solo_workers__as_many_as_it_can_and_beside_its_viscount() -> None:
    state = with_due(with_viscount(rivals_turn(), space(6), RIVAL), "workers", 2, seat=RIVAL)
    facts = breach(state, Employ(RIVAL, 1, 2), "solo.workers").facts
    assert (facts["number"], facts["section"]) == (2, "section 3")
    assert "solo.workers" in told(state, Employ(RIVAL, 2, 2))


def test_solo_copy__the_manuscript_of_its_segment() -> None:
    state = with_due(with_viscount(rivals_turn(), space(6), RIVAL), "manuscript", seat=RIVAL)
    facts = breach(state, Copy(RIVAL, 1), "solo.copy").facts
    assert (facts["segment"], facts["manuscript"]) == ("5-6", "grey 3 virtue")
    assert "solo.copy" in told(state, Copy(RIVAL, 2))


def test_solo_climb__clockwise_from_its_viscount() -> None:
    state = with_viscount(rivals_turn(), space(6), RIVAL)
    climbing = with_due(with_workers(with_workers(state, 1, 1, 0, 3), 1, 4, 0, 3), "castle", seat=RIVAL)
    assert breach(climbing, Climb(RIVAL, 1, 1), "solo.climb").facts["section"] == "section 5"
    assert "solo.climb" in told(climbing, Climb(RIVAL, 1, 4))


def test_solo_push__always_a_worker_of_the_player() -> None:
    state = with_due(with_workers(rivals_turn(), 2, 3, 2, 2), "castle", seat=RIVAL)
    assert breach(state, Push(RIVAL, 2, 3, RIVAL), "solo.push").facts["owner"] == "red"
    assert "solo.push" in told(state, Push(RIVAL, 2, 3, RED))
