"""Phase 2, the raid: tiles set aside, everybody ready, how tiles may be taken, the stop, tiles turned up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import (
    MIDDLE,
    LayDown,
    Look,
    Move,
    PutBack,
    Ready,
    Rob,
    SetAside,
    StartRaid,
    Stop,
    TurnUp,
)
from companion.kernel.rules import Note, broken
from companion.kernel.views import Pieces, View

from .raid_table import (
    all_aside,
    all_ready,
    next_round,
    one_tile_down,
    raiding,
    reasons,
)
from .table import (
    BLUE,
    GREY,
    PURPLE,
    YELLOW,
    breach,
    broken_rules,
    note,
    played,
    table,
    told_rules,
)

# (A) Tiles set aside


@pytest.mark.parametrize(("players", "in_play"), [(2, 15), (3, 21), (4, 27)])
def test_raid_set_aside__three_tiles_of_each_player_leave_the_round(players: int, in_play: int) -> None:
    assert all_aside(table(players)).hidden_middle == in_play


def test_raid_set_aside__one_player_takes_three() -> None:
    state = table(4)
    assert note(state, SetAside(YELLOW), "raid.set-aside").facts == {"seat": "yellow", "tiles": 3}
    after = GAME.play(state, SetAside(YELLOW))
    assert (after.hidden_middle, after.aside) == (36, (False, True, False, False))


@pytest.mark.parametrize("tiles", [0, 2, 4])
def test_raid_set_aside__not_two_and_not_four(tiles: int) -> None:
    refusal = broken("raid.set-aside", seat="blue", tiles=tiles, each=3)
    assert GAME.check(table(4), SetAside(BLUE, tiles)) == (refusal,)
    assert GAME.check(table(4), SetAside(BLUE, 3)) == ()


def test_raid_set_aside__no_seat_does_it_twice() -> None:
    state = GAME.play(table(4), SetAside(BLUE))
    assert GAME.check(state, SetAside(BLUE)) == (broken("raid.set-aside", seat="blue", tiles=3, each=0),)
    assert GAME.check(state, SetAside(YELLOW)) == ()


def test_raid_aside_first__the_raid_waits_for_everybodys_tiles() -> None:
    state = played(table(4), SetAside(BLUE), SetAside(YELLOW), SetAside(GREY))
    assert broken_rules(state, StartRaid(BLUE)) == {"raid.aside-first"}
    assert broken_rules(state, Ready(BLUE)) == {"raid.aside-first"}
    assert breach(state, StartRaid(BLUE), "raid.aside-first").facts["each"] == 3


def test_raid_aside_first__those_the_raid_waits_for_are_named_in_the_tables_language() -> None:
    state = played(table(4), SetAside(BLUE), SetAside(GREY))
    (said,) = reasons(state, StartRaid(BLUE), "de")
    assert "Gelb, Violett" in said


def test_raid_aside_first__if_it_is_unknown_who_did_it_no_seat_is_accused() -> None:
    state = played(table(3), SetAside(), SetAside(YELLOW))
    assert (state.aside, state.aside_unseen) == ((False, True, False), 1)
    assert breach(state, StartRaid(BLUE), "raid.aside-first").facts["waiting"] == "somebody"
    assert breach(state, Ready(YELLOW), "raid.aside-first").facts["waiting"] == "somebody"


def test_raid_set_aside__the_last_seat_may_report_it() -> None:
    state = GAME.play(table(3), SetAside())
    assert [broken_rules(state, SetAside(seat)) for seat in (BLUE, YELLOW, PURPLE)] == [set(), set(), set()]
    state = played(state, SetAside(BLUE), SetAside(PURPLE))
    assert (state.aside, state.aside_unseen, state.hidden_middle) == ((True, True, True), 0, 21)
    assert broken_rules(state, SetAside()) == {"raid.set-aside"}


@pytest.mark.parametrize(
    ("before", "lying", "aside", "unseen"),
    [
        ((), 21, (True, True, True), 0),
        ((), 24, (False, False, False), 2),
        ((YELLOW,), 24, (False, True, False), 1),
        ((YELLOW, BLUE), 27, (False, False, False), 1),
        ((YELLOW, BLUE, PURPLE), 30, (False, False, False), 0),
        ((BLUE,), 27, (True, False, False), 0),
    ],
)
def test_raid_set_aside__a_state_from_the_view_counts_the_missing_tiles(
    before: tuple[int, ...], lying: int, aside: tuple[bool, ...], unseen: int
) -> None:
    state = played(table(3), *(SetAside(seat) for seat in before))
    seen = View({**GAME.view(state).zones, "middle": Pieces({"back": lying})})
    taken = GAME.state_from_view(state, seen)
    assert (taken.aside, taken.aside_unseen, taken.hidden_middle) == (aside, unseen, lying)


def test_raid_set_aside__the_next_round_begins_with_all_tiles_again() -> None:
    state = next_round(raiding(4))
    assert (state.hidden_middle, state.aside) == (39, (False, False, False, False))
    assert all_aside(state).hidden_middle == 27


# (B) Everybody ready, the king starts


def test_raid_ready__one_after_the_other() -> None:
    state = all_aside(table(4))
    assert GAME.tell(state, Ready(PURPLE)) == (Note("raid.ready", {"seat": "purple"}),)
    assert GAME.play(state, Ready(PURPLE)).ready == (False, False, True, False)


def test_raid_ready__the_king_waits_for_the_slowest() -> None:
    state = played(all_aside(table(4)), Ready(BLUE), Ready(GREY))
    refusal = broken("raid.ready", seat="blue", waiting=("yellow", "purple"))
    assert GAME.check(state, StartRaid(BLUE)) == (refusal,)
    assert GAME.check(played(state, Ready(YELLOW), Ready(PURPLE)), StartRaid(BLUE)) == ()


def test_raid_ready_once__once_is_enough() -> None:
    state = GAME.play(all_aside(table(4)), Ready(BLUE))
    assert broken_rules(state, Ready(BLUE)) == {"raid.ready-once"}


def test_raid_ready_once__when_all_are_ready_no_seat_is_said_to_be_missing() -> None:
    said = reasons(all_ready(table(4)), Ready(BLUE), "de")
    assert said == ["Blau hat sich für diesen Raub schon bereit gemeldet."]


def test_raid_king_starts__the_sand_runs_for_20_seconds() -> None:
    state = all_ready(table(4, ranks=(2, 1, 3, 4)))
    assert note(state, StartRaid(YELLOW), "raid.king-starts").facts == {"seat": "yellow", "seconds": 20}
    assert GAME.play(state, StartRaid(YELLOW)).phase == "raid"


def test_raid_king_starts__no_other_seat_starts_the_raid() -> None:
    state = all_ready(table(4, ranks=(2, 1, 3, 4)))
    assert GAME.check(state, StartRaid(BLUE)) == (broken("raid.king-starts", seat="blue", king="yellow"),)


def test_raid_king_starts__then_all_rob_at_the_same_time() -> None:
    state = played(raiding(4), Rob(GREY), Rob(BLUE), Rob(GREY), Rob(PURPLE))
    assert state.hidden_castles == (1, 0, 1, 2)


# How tiles may be taken


@pytest.mark.parametrize("act", [Rob, Look])
def test_raid_one_hand__both_hands_are_refused(act: type[Rob] | type[Look]) -> None:
    assert GAME.check(raiding(4), act(BLUE, hands=2)) == (broken("raid.one-hand", seat="blue"),)
    assert GAME.check(raiding(4), act(BLUE, hands=1)) == ()


@pytest.mark.parametrize("act", [Rob, Look])
def test_raid_one_tile__two_tiles_at_once_are_refused(act: type[Rob] | type[Look]) -> None:
    assert GAME.check(raiding(4), act(BLUE, tiles=2)) == (broken("raid.one-tile", seat="blue", tiles=2),)
    assert GAME.check(raiding(4), act(BLUE, tiles=1)) == ()


def test_raid_one_tile__both_hands_full_break_both_rules() -> None:
    assert broken_rules(raiding(4), Rob(BLUE, tiles=4, hands=2)) == {"raid.one-tile", "raid.one-hand"}


def test_raid_look__a_tile_goes_back_face_down() -> None:
    state = raiding(4)
    assert GAME.tell(state, Look(BLUE)) == (Note("raid.look", {"seat": "blue"}),)
    assert GAME.play(state, Look(BLUE)) == state


def test_raid_look__there_must_be_a_tile_to_look_at() -> None:
    state = replace(raiding(4), hidden_middle=0)
    assert GAME.check(state, Look(BLUE)) == (broken("raid.keep", seat="blue", own=0),)


def test_raid_keep__a_tile_goes_face_down_on_the_castle() -> None:
    state = raiding(4)
    assert GAME.tell(state, Rob(BLUE)) == (Note("raid.keep", {"seat": "blue", "tiles": 1}),)
    after = GAME.play(state, Rob(BLUE))
    assert (after.hidden_middle, after.hidden_castles) == (26, (1, 0, 0, 0))
    assert after.castles == ((), (), (), ())


def test_raid_keep__then_as_many_more_as_one_likes() -> None:
    state = played(raiding(4), *[Rob(BLUE)] * 26)
    assert note(state, Rob(BLUE), "raid.keep").facts == {"seat": "blue", "tiles": 27}
    assert GAME.play(state, Rob(BLUE)).hidden_middle == 0


def test_raid_keep__an_empty_middle_gives_nothing() -> None:
    state = played(raiding(4), *[Rob(BLUE)] * 27)
    assert GAME.check(state, Rob(YELLOW)) == (broken("raid.keep", seat="yellow", own=0),)


def test_raid_keep__no_seat_robs_its_own_castle() -> None:
    state = GAME.play(raiding(4), Rob(BLUE))
    assert GAME.check(state, Rob(BLUE, source=BLUE)) == (broken("raid.keep", seat="blue", own=1),)


def test_raid_keep__one_reason_is_given_once() -> None:
    assert GAME.check(raiding(4), Rob(BLUE, source=BLUE)) == (broken("raid.keep", seat="blue", own=1),)


def test_raid_no_return__what_lies_on_a_castle_stays_there() -> None:
    state = GAME.play(raiding(4), Rob(BLUE))
    assert GAME.check(state, PutBack(BLUE)) == (broken("raid.no-return", seat="blue"),)


def test_raid_no_return__a_tile_that_was_only_looked_at_may_go_back() -> None:
    assert GAME.check(raiding(4), Look(BLUE)) == ()


@pytest.mark.parametrize("stop", [Stop(), Stop((YELLOW,))])
def test_raid_no_return__not_even_after_the_stop(stop: Stop) -> None:
    state = played(raiding(4), Rob(BLUE), stop)
    assert GAME.check(state, PutBack(BLUE)) == (broken("raid.no-return", seat="blue"),)


@pytest.mark.parametrize("act", [Rob, Look])
def test_raid_castle_safe__hands_off_other_castles(act: type[Rob] | type[Look]) -> None:
    state = GAME.play(raiding(4), Rob(YELLOW))
    refusal = broken("raid.castle-safe", seat="blue", owner="yellow")
    assert GAME.check(state, act(BLUE, source=YELLOW)) == (refusal,)
    assert GAME.check(state, act(BLUE, source=MIDDLE)) == ()


def test_raid_castle_safe__more_hands_than_free_tiles_at_the_stop_reached_for_a_castle() -> None:
    state = played(raiding(4), *[Rob(BLUE)] * 26)
    refusal = broken("raid.in-hand", seats=("blue", "yellow"), number=2, left=1)
    assert GAME.check(state, Stop((BLUE, YELLOW))) == (refusal,)
    assert GAME.check(state, Stop((YELLOW,))) == ()


# The house rule about a second look


def test_raid_second_look__one_may_look_again_at_the_own_castle() -> None:
    state = GAME.play(raiding(4, second_look=True), Rob(BLUE))
    assert GAME.tell(state, Look(BLUE, source=BLUE)) == (Note("raid.second-look", {"seat": "blue"}),)
    assert GAME.play(state, Look(BLUE, source=BLUE)) == state
    assert Look(BLUE, source=BLUE) in GAME.moves(state)


def test_raid_second_look__most_tables_allow_it() -> None:
    state = GAME.play(raiding(4), Rob(BLUE))
    assert GAME.check(state, Look(BLUE, source=BLUE)) == ()


def test_raid_second_look__a_strict_table_does_not() -> None:
    state = GAME.play(raiding(4, second_look=False), Rob(BLUE))
    assert GAME.check(state, Look(BLUE, source=BLUE)) == (broken("raid.second-look", seat="blue"),)
    assert GAME.check(state, Look(BLUE, source=MIDDLE)) == ()
    assert Look(BLUE, source=BLUE) not in GAME.moves(state)


@pytest.mark.parametrize("second_look", [True, False])
def test_raid_second_look__other_castles_stay_safe_in_any_house(second_look: bool) -> None:
    state = GAME.play(raiding(4, second_look=second_look), Rob(YELLOW))
    assert broken_rules(state, Look(BLUE, source=YELLOW)) == {"raid.castle-safe"}


def test_raid_second_look__an_empty_castle_has_nothing_to_look_at() -> None:
    assert GAME.check(raiding(4), Look(BLUE, source=BLUE)) == (broken("raid.keep", seat="blue", own=0),)


# The stop


def test_raid_stop__the_sand_has_run_out() -> None:
    state = raiding(4)
    assert note(state, Stop(), "raid.stop").facts == {"seconds": 20}
    assert GAME.play(state, Stop()).phase == "turning_up"


@pytest.mark.parametrize("move", [Rob(BLUE), Look(BLUE)])
@pytest.mark.parametrize("stop", [Stop(), Stop((YELLOW,))])
def test_raid_stop__no_tile_may_be_taken_any_more(move: Move, stop: Stop) -> None:
    assert GAME.check(raiding(4), move) == ()
    assert GAME.check(GAME.play(raiding(4), stop), move) == (broken("raid.stop", seat="blue"),)


def test_raid_stop__the_own_castle_is_not_looked_at_any_more_either() -> None:
    state = played(raiding(4), Rob(BLUE), Stop())
    assert GAME.check(state, Look(BLUE, source=BLUE)) == (broken("raid.stop", seat="blue"),)


def test_raid_stop__who_held_nothing_lays_nothing_down() -> None:
    state = GAME.play(raiding(4), Stop((YELLOW,)))
    assert GAME.check(state, LayDown(BLUE, True)) == (broken("raid.stop", seat="blue"),)
    assert GAME.check(state, LayDown(YELLOW, True)) == ()


def test_raid_in_hand__the_last_tile_may_be_kept() -> None:
    state = played(raiding(4), Rob(YELLOW), Stop((YELLOW,)))
    facts = {"seat": "yellow", "keep": 1}
    assert note(state, LayDown(YELLOW, True), "raid.in-hand").facts == facts
    after = GAME.play(state, LayDown(YELLOW, True))
    assert (after.hidden_middle, after.hidden_castles) == (25, (0, 2, 0, 0))


def test_raid_in_hand__or_it_goes_back() -> None:
    state = played(raiding(4), Rob(YELLOW), Stop((YELLOW,)))
    assert note(state, LayDown(YELLOW, False), "raid.in-hand").facts == {"seat": "yellow", "keep": 0}
    after = GAME.play(state, LayDown(YELLOW, False))
    assert (after.hidden_middle, after.hidden_castles) == (26, (0, 1, 0, 0))


def test_raid_in_hand__all_hands_must_be_empty_before_tiles_are_turned_up() -> None:
    state = GAME.play(raiding(4), Stop((BLUE, GREY)))
    assert (state.phase, state.holding) == ("stopped", (True, False, False, True))
    state = GAME.play(state, LayDown(GREY, True))
    assert (state.phase, state.holding) == ("stopped", (True, False, False, False))
    assert GAME.play(state, LayDown(BLUE, False)).phase == "turning_up"


def test_raid_in_hand__a_tile_is_laid_down_once() -> None:
    state = played(raiding(4), Stop((BLUE, GREY)), LayDown(GREY, True))
    assert broken_rules(state, LayDown(GREY, True)) == {"raid.stop"}


@pytest.mark.parametrize(
    ("holding", "named"), [((BLUE, BLUE), ("blue", "blue")), ((BLUE, 4), ("blue", "nobody")), ((-1,), ("nobody",))]
)
def test_raid_in_hand__no_seat_holds_two_tiles_and_no_empty_seat_holds_one(
    holding: tuple[int, ...], named: tuple[str, ...]
) -> None:
    assert GAME.check(raiding(4), Stop(holding)) == (broken("raid.in-hand", seats=named, number=len(named), left=27),)
    assert GAME.check(raiding(4), Stop((BLUE, YELLOW))) == ()


# Tiles turned up


def test_raid_turn_up__a_tile_of_a_castle() -> None:
    state = played(raiding(4), Rob(BLUE), Rob(BLUE), Stop(), TurnUp(BLUE, "tool3"))
    assert note(state, TurnUp(BLUE, "bread2"), "raid.turn-up").facts == {"place": "blue", "middle": 0, "tile": "bread2"}
    after = GAME.play(state, TurnUp(BLUE, "bread2"))
    assert after.castles == (("bread2", "tool3"), (), (), ())
    assert (after.hidden_castles, after.hidden_middle, after.middle) == ((0, 0, 0, 0), 25, ())


def test_raid_turn_up__a_tile_of_the_middle() -> None:
    state = played(raiding(4), Rob(BLUE), Stop())
    facts = {"place": "middle", "middle": 1, "tile": "bread2"}
    assert note(state, TurnUp(MIDDLE, "bread2"), "raid.turn-up").facts == facts
    after = GAME.play(state, TurnUp(MIDDLE, "bread2"))
    assert (after.middle, after.hidden_middle, after.hidden_castles) == (("bread2",), 25, (1, 0, 0, 0))


def test_raid_turn_up__a_castle_without_tiles_shows_none() -> None:
    state = played(raiding(4), Rob(BLUE), Stop(), TurnUp(BLUE, "tool1"))
    assert GAME.check(state, TurnUp(BLUE, "tool2")) == (broken("raid.turn-up", place="blue", middle=0),)
    assert GAME.check(state, TurnUp(MIDDLE, "tool2")) == ()


def test_raid_turn_up__an_empty_middle_shows_none() -> None:
    state = played(raiding(4), *[Rob(BLUE)] * 27, Stop())
    assert broken_rules(state, TurnUp(MIDDLE, "tool2")) == {"raid.turn-up"}


def test_setup_players__no_tile_lies_on_the_castle_of_an_empty_seat() -> None:
    state = GAME.play(raiding(4), Stop())
    assert GAME.check(state, TurnUp(4, "tool2")) == (broken("setup.players", seat=5, players=4),)


@pytest.mark.parametrize("tile", ["bread4", "gold1", ""])
def test_raid_turn_up__no_tile_shows_what_the_box_does_not_have(tile: str) -> None:
    assert broken_rules(GAME.play(raiding(4), Stop()), TurnUp(MIDDLE, tile)) == {"setup.goods-tiles"}


def test_raid_turn_up__the_breach_does_not_say_that_four_loaves_already_lie_face_up() -> None:
    said = reasons(GAME.play(raiding(4), Stop()), TurnUp(MIDDLE, "bread4"), "en")
    assert said
    assert "Every «bread4» tile of this round already lies face up." not in said


def test_raid_turn_up__the_tumults_wait_for_the_last_tile() -> None:
    state = one_tile_down(raiding(2), {}, ["bread3"])
    assert state.phase == "turning_up"
    assert "tumult.up-to-three" in told_rules(state, TurnUp(MIDDLE, "tool1"))
    assert "tumult.up-to-three" not in told_rules(replace(state, hidden_middle=2), TurnUp(MIDDLE, "tool1"))


def test_raid_turn_up__the_tumults_wait_for_the_castles_too() -> None:
    state = one_tile_down(raiding(2), {}, ["bread3"], hidden_castles=(0, 1))
    after = GAME.play(state, TurnUp(MIDDLE, "tool1"))
    assert after.phase == "turning_up"
    assert GAME.play(after, TurnUp(YELLOW, "tool1")).phase == "tumults"
