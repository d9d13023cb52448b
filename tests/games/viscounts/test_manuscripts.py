"""Ein Manuskript kopieren."""

from __future__ import annotations

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import Build, Copy, Dismiss, Flip, TurnUp, TurnUpManuscript
from companion.games.viscounts.state import EMPTY, NO_SEAT, UNSEEN, State

from .table import (
    BLUE,
    RED,
    WORKSHOP,
    breach,
    changed,
    has,
    inner,
    kinds,
    listed,
    marker_fields,
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
    with_viscount,
)


def copying(script: str, segment: int = 0, **goods: int) -> State:
    """Red stands inside beside a manuscript, with one cleric symbol."""
    state = has(with_row(with_viscount(table(), inner(segment)), "abbot", "lender", "trader"), **goods)
    return replace(state, scripts=changed(state.scripts, segment, script))


def test_example_six_clerics_for_a_manuscript_that_counts_buildings() -> None:
    """An acolyte, the cleric's card, three ink and the racketeer, who is dismissed for one silver and shuffles."""
    state = copying("grey 6 building", ink=3, silver=1)
    state = replace(
        state,
        rows=changed(state.rows, RED, ("acolyte", "lender", "trader")),
        offer=changed(state.offer, 0, "racketeer 2"),
        bonus=(RED, NO_SEAT, NO_SEAT, NO_SEAT),
        discards=changed(state.discards, RED, ("abbot",)),
    )
    state = GAME.play(state, Dismiss(RED))
    assert state.discards[RED] == ()
    state = GAME.play(state, TurnUp(0, "bishop"))
    assert listed(state, Copy) == [Copy(RED, 0, (3, 0, 0, 0))]
    state = GAME.play(state, Copy(RED, 0, (3, 0, 0, 0)))
    assert state.manuscripts[RED] == ("grey 6 building",)
    assert owns(state) == {}


def test_script_cost__as_many_clerics_as_it_shows() -> None:
    state = copying("black 4 virtue", ink=3)
    assert listed(state, Copy) == [Copy(RED, 0, (3, 0, 0, 0))]
    facts = breach(copying("black 4 virtue", ink=2), Copy(RED, 0, (2, 0, 0, 0)), "script.cost").facts
    assert facts == {"seat": "red", "needs": 4, "has": 1, "missing": 3, "good": "ink", "left": 2}
    assert "script.cost" in told(state, Copy(RED, 0, (3, 0, 0, 0)))


def test_script_beside__only_the_one_beside_the_viscount() -> None:
    assert rules(copying("black 4 virtue", ink=9), Copy(RED, 2, (2, 0, 0, 0))) == ["script.beside"]


def test_script_effect__it_works_at_once() -> None:
    state = copying("black 4 virtue", ink=3)
    assert "script.effect" in told(state, Copy(RED, 0, (3, 0, 0, 0)))
    assert marker_fields(GAME.play(state, Copy(RED, 0, (3, 0, 0, 0)))) == (1, 5)
    money = GAME.play(copying("blue 3 silver", ink=2), Copy(RED, 0, (2, 0, 0, 0)))
    assert owns(money) == {"silver": 4}


def test_script_next__the_next_one_comes_to_light() -> None:
    state = GAME.play(copying("black 4 virtue", ink=3), Copy(RED, 0, (3, 0, 0, 0)))
    assert state.scripts[0] == UNSEEN
    assert told(state, TurnUpManuscript(0, "blue 6 criminal")) == ["script.next"]
    assert GAME.play(state, TurnUpManuscript(0, "blue 6 criminal")).phase == "hiring"


def test_script_bonus__the_first_with_three_of_a_ribbon_gets_the_clerics_card() -> None:
    state = copying("black 4 virtue", ink=3)
    state = replace(state, manuscripts=changed(state.manuscripts, RED, ("black 3 any", "black 3 flip")))
    move = Copy(RED, 0, (3, 0, 0, 0))
    assert note(state, move, "script.bonus").facts == {"seat": "red", "ribbon": "ribbon black"}
    assert GAME.play(state, move).bonus == (RED, NO_SEAT, NO_SEAT, NO_SEAT)
    late = replace(state, bonus=(BLUE, NO_SEAT, NO_SEAT, NO_SEAT))
    assert GAME.play(late, move).bonus[0] == BLUE
    two = replace(state, manuscripts=changed(state.manuscripts, RED, ("black 3 any",)))
    assert GAME.play(two, move).bonus[0] == NO_SEAT


def test_script_printed__it_can_be_copied_but_not_taken() -> None:
    state = copying(EMPTY, ink=9)
    move = Copy(RED, 0, (2, 0, 0, 0))
    assert "script.printed" in told(state, move)
    after = GAME.play(state, move)
    assert (after.manuscripts[RED], after.scripts[0]) == ((), EMPTY)
    assert after.deeds[RED] == (1, 0)


def test_a_pile_of_manuscripts_ends_after_seven() -> None:
    state = replace(copying("black 4 virtue", ink=3), copied=(6, 0, 0, 0, 0))
    assert GAME.play(state, Copy(RED, 0, (3, 0, 0, 0))).scripts[0] == EMPTY


def test_symbol_manuscript__one_that_costs_three_or_four() -> None:
    state = with_due(copying("black 6 approved"), "manuscript")
    assert {move.segment for move in listed(state, Copy)} == {1, 2, 3, 4}
    assert rules(state, Copy(RED, 0)) == ["symbol.manuscript"]
    assert rules(state, Copy(RED, 1, (1, 0, 0, 0))) == ["action.free"]
    assert "symbol.manuscript" in told(state, Copy(RED, 1))
    printed = replace(state, scripts=changed(state.scripts, 1, EMPTY))
    assert rules(printed, Copy(RED, 1)) == ["symbol.manuscript"]


def test_ruling_what_comes_for_nothing_is_no_main_action() -> None:
    """A deacon brings virtue after copying; a woodcutter does not for the workshop that the manuscript builds."""
    state = copying("grey 4 workshop", ink=3)
    state = replace(state, rows=changed(state.rows, RED, ("deacon 2", "woodcutter 1", "trader")))
    state = with_tops_told(GAME.play(state, Copy(RED, 0, (3, 0, 0, 0))))
    state = GAME.play(state, Build(RED, WORKSHOP, 0, 1, 0))
    assert (owns(state), marker_fields(state)) == ({"ink": 1}, (1, 6))


def test_ruling_a_free_manuscript_comes_besides_the_one_of_the_turn() -> None:
    state = GAME.play(copying("black 7 manuscript", ink=6), Copy(RED, 0, (6, 0, 0, 0)))
    state = papers(with_tops_told(state), deeds=(1, 0))
    assert kinds(state) == {"Copy"}
    state = played(state, Copy(RED, 4))
    assert len(state.manuscripts[RED]) == 2
    assert kinds(with_tops_told(state)) == {"Flip"}
    assert GAME.play(with_tops_told(state), Flip(RED, "deed")).deeds[RED] == (0, 1)
