"""The referee at the table of Viscounts: what it makes of what lies there, and what it leaves alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.box import RIVALS
from companion.games.viscounts.moves import (
    EXACT,
    Alter,
    Build,
    Copy,
    Decline,
    Destroy,
    Discard,
    DrawUp,
    Flip,
    Hire,
    Move,
    PlayCard,
    Push,
    Rearrange,
    Slide,
    TakeGood,
    TakeHonour,
    Trade,
    Travel,
)
from companion.games.viscounts.simulation.mistakes import KINDS, mistakes
from companion.games.viscounts.state import (
    EMPTY,
    NOWHERE,
    UNSEEN,
    Due,
    State,
    acting_seat,
    board,
    pile_top_unknown,
)
from companion.kernel.views import UNKNOWN, Cells, View
from companion.referee import Explained, Finding, Illegal, Referee, Settled, Unfinished
from companion.simulation.selfplay import open_table, playing

from .table import (
    BLUE,
    BOX,
    RED,
    WORKSHOP,
    after_draft,
    changed,
    has,
    inner,
    laid_out,
    listed,
    markers,
    papers,
    played,
    replace,
    space,
    table,
    with_due,
    with_row,
    with_viscount,
    with_workers,
)

REFEREE: Referee[Any, Any] = Referee(GAME)


def look(state: State, seen: State | View) -> Finding:
    return REFEREE.judge(state, seen if isinstance(seen, View) else GAME.view(seen))


def named(state: State, move: Move) -> set[str]:
    """The rules that are reported for this move."""
    assert GAME.check(state, move), move
    after = GAME.play_unchecked(state, move)
    assert after is not None, move
    finding = look(state, uncovered(GAME.view(after)))
    assert isinstance(finding, Illegal), finding
    return {breach.rule for breach in finding.tries[0].breaches}


def uncovered(view: View) -> View:
    """What lay under a townsfolk that was taken can be seen."""
    tops = view.zones["townsfolk"]
    assert isinstance(tops, Cells)
    lying = {place: "bishop" if label == UNKNOWN else label for place, label in tops.at.items()}
    return View({**view.zones, "townsfolk": Cells(lying)})


def hiring() -> State:
    """Red has acted and may hire; blue has cards to slide."""
    state = with_row(with_row(table(phase="hiring"), "abbot", "squire", "thief"), "trader", "lender", "", seat=BLUE)
    return has(with_viscount(state, inner(2)), silver=5)


# Nobody is asked, and nobody is accused


def test_a_trade_that_leaves_no_trace_is_understood_when_the_next_one_begins() -> None:
    """Three symbols let red destroy a card, and red leaves it alone."""
    state = with_row(with_viscount(table(), space(8)), "lender", "journeyman", "abbot")
    state = with_row(state, "trader", "squire", "", seat=BLUE)
    traded = GAME.play(state, Trade(RED, 1))
    assert GAME.view(traded) == GAME.view(state)
    assert look(state, played(traded, DrawUp(RED), Slide(BLUE))) == Explained((DrawUp(RED), Slide(BLUE)))


def test_a_trade_of_which_nothing_shows_but_what_an_ability_brings() -> None:
    """Nothing is there to be flipped, and the jeweller brings a step of virtue after each trade."""
    state = with_row(table(viscounts=(space(6), space(8), space(10))), "jeweller", "jeweller", "abbot")
    traded = GAME.play(state, Trade(RED, 1))
    shown = {zone for zone, contents in GAME.view(traded).zones.items() if contents != GAME.view(state).zones[zone]}
    assert shown == {"track red"}
    found = look(state, traded)
    assert isinstance(found, Explained), found
    assert [type(move) for move in found.moves] == [Trade]


def test_a_card_that_is_destroyed_lies_with_those_that_are_gone() -> None:
    state = with_due(table(), "destroy")
    finding = look(state, GAME.play(state, Destroy(RED, "hand", "thief")))
    assert finding == Explained((Destroy(RED, "hand", "thief"),))


def test_one_may_begin_while_another_has_a_marker_still_to_move() -> None:
    """Red draws up and mixes the discards anew, for which virtue moves; blue already slides."""
    state = replace(hiring(), hidden=changed(hiring().hidden, RED, ("financer",)), hands=(1, 3, 3))
    state = replace(state, discards=changed(state.discards, RED, ("journeyman", "lender", "labourer")))
    after = GAME.view(played(state, DrawUp(RED), Slide(BLUE)))
    seen = View({**after.zones, "track red": GAME.view(state).zones["track red"]})
    assert after != seen
    finding = look(state, seen)
    assert isinstance(finding, Unfinished) or (isinstance(finding, Illegal) and finding.half_done)


def test_one_may_take_what_comes_to_them_before_another_has_drawn_up() -> None:
    """Blue begins with the debt that a card brings which drops off; red's discards are still to be mixed."""
    state = replace(hiring(), hidden=changed(hiring().hidden, RED, ("financer",)), hands=(1, 3, 3))
    state = replace(state, discards=changed(state.discards, RED, ("journeyman", "lender", "labourer")))
    drops = next(name for name, card in BOX.townsfolk.items() if card.dropped.debt)
    state = with_row(state, "trader", "lender", drops, seat=BLUE)
    after = GAME.view(played(state, DrawUp(RED), Slide(BLUE)))
    now = GAME.view(state)
    assert after.zones["papers blue"] != now.zones["papers blue"]
    finding = look(state, View({**now.zones, "papers blue": after.zones["papers blue"]}))
    assert isinstance(finding, Unfinished) or (isinstance(finding, Illegal) and finding.half_done)


def test_cards_laid_in_another_order_are_known_again_after_they_slid_or_one_was_played() -> None:
    state = with_due(with_row(table(), "abbot", "squire", "thief"), "rearrange")
    sliding = replace(state, phase="sliding")
    order = Rearrange(RED, ("squire", "thief", "abbot"))
    assert look(sliding, played(sliding, order, Slide(RED))) == Explained((order, Slide(RED)))
    playing = with_due(replace(with_row(table(), "", "abbot", "squire"), phase="playing"), "rearrange")
    order, card = Rearrange(RED, ("", "squire", "abbot")), PlayCard(RED, "labourer")
    assert look(playing, played(playing, order, card)) == Explained((order, card))


def test_whoever_goes_on_has_left_alone_what_was_offered() -> None:
    state = with_due(hiring(), "discard")
    after = played(state, Decline(RED), Hire(RED, 2))
    assert look(state, after) == Explained((Decline(RED), Hire(RED, 2)))


# What is wrong is told by its rule


def test_a_resource_taken_for_nothing_is_told_as_such() -> None:
    assert named(hiring(), TakeGood(RED, "stone")) == {"effect.nothing"}


def test_markers_and_papers_that_change_for_no_reason_are_off() -> None:
    assert named(hiring(), Alter(RED, (0, 0, 0, 0, 0, 1, 0, 0))) == {"effect.exact"}
    assert named(hiring(), Alter(BLUE, (0, 0, 0, 0, 0, 0, 0, 1))) == {"effect.exact"}
    assert GAME.check(hiring(), Alter(RED, EXACT))


def test_a_building_for_too_little_stone_is_a_matter_of_paying() -> None:
    state = has(with_row(with_viscount(table(), space(3)), "mason", "abbot", "squire"), stone=4)
    assert named(state, Build(RED, WORKSHOP, 0, 1, 0)) == {"action.pay"}


@pytest.mark.parametrize(
    ("silver", "told"), [(0, {"move.steps"}), (3, {"move.steps"}), (9, {"move.steps", "effect.exact"})]
)
def test_a_viscount_that_stops_too_early_has_not_gone_far_enough(silver: int, told: set[str]) -> None:
    """The journeyman asks for two spaces, and red goes from 4 to 5, not all the way round."""
    state = has(replace(with_viscount(table(), space(4)), phase="moving", played="journeyman"), silver=silver)
    finding = look(state, with_viscount(state, space(5)))
    assert isinstance(finding, Illegal)
    assert {breach.rule for breach in finding.tries[0].breaches} == told


def test_silver_beyond_ones_symbols_is_one_trade_too_many() -> None:
    """Four symbols bring four silver, for any amount of silver; red takes five."""
    state = has(with_row(with_viscount(table(), space(3)), "lender", "journeyman", "abbot"), silver=9)
    assert named(state, Trade(RED, 5)) == {"trade.silver"}
    assert look(state, has(state, silver=13)) == Explained((Trade(RED, 4),))


def test_somebody_hired_elsewhere_is_noticed_though_the_discards_were_mixed() -> None:
    """Some of the townsfolk let their pile be mixed anew when they are hired: then they do not lie on the discards."""
    mixing = next(name for name, card in BOX.townsfolk.items() if card.hired.shuffle)
    state = replace(hiring(), offer=changed(hiring().offer, 0, mixing))
    state = replace(state, discards=changed(state.discards, RED, ("journeyman",)))
    assert named(state, Hire(RED, 0)) == {"hire.beside"}


def test_what_nobody_can_lay_to_anybody_is_laid_to_whoever_is_to_act() -> None:
    state = with_workers(hiring(), 1, 0, 1, 1)
    assert named(state, Push(RED, 1, 0, BLUE)) == {"effect.nothing"}


def test_cards_pushed_to_the_right_have_slid_and_are_in_no_other_order() -> None:
    state = with_row(hiring(), "abbot", "squire", "")
    assert named(state, Slide(RED)) == {"turn.phases"}


def test_the_opponent_s_pieces_have_to_go_just_where_they_are_expected() -> None:
    """Alone against the cleric: its viscount walks, and then it gets what its action brings."""
    state = after_draft(1)
    while pile_top_unknown(state) or not state.due or state.due[0][0].what != "walk":
        state = GAME.play(state, next(iter(GAME.moves(state))))
    (walk,) = listed(state, Travel)
    assert look(state, GAME.play(state, walk)) == Explained((walk,))
    elsewhere = next(one for one in range(15) if one not in (walk.space, state.viscounts[state.rival]))
    assert named(state, replace(walk, space=elsewhere)) == {"solo.walk"}
    assert named(state, replace(walk, off=(1, 0, 0, 0, 0, 0, 0, 0))) == {"effect.exact"}


@pytest.mark.parametrize("opponent", RIVALS)
def test_every_step_of_an_opponents_turn_is_known_when_a_hand_has_done_it_and_told_when_it_has_not(
    opponent: str,
) -> None:
    """A whole game against each: its steps as they are expected, and at each all that a hand could do wrong."""
    kinds, faults = set(), set()
    for state, move, after in playing(
        GAME, *open_table(GAME, 1, "keen", f"watching/{opponent}", {"opponent": opponent})
    ):
        if state.phase != "rival" or acting_seat(state) != state.rival:
            continue
        kinds.add(type(move).__name__)
        assert look(state, after) == Explained((move,))
        for wrong in mistakes(state, Random(len(kinds))):
            if wrong.kind.startswith("opponent"):
                faults.add(wrong.kind)
                finding = look(state, uncovered(wrong.view))
                assert isinstance(finding, Illegal), wrong
                told = {breach.rule for breach in finding.tries[0].breaches}
                assert told & {*KINDS[wrong.kind].breaks}, wrong
    assert kinds >= {"Slide", "TurnScheme", "Travel", "Dismiss", "AddScheme", "Flip", "TakeGood", "Build", "Employ"}
    assert faults >= {"opponent walked elsewhere", "opponent did not pay", "opponent's step left out"}


def test_whichever_resources_the_card_focused_opponent_gives_nobody_is_accused() -> None:
    state = after_draft(1, opponent="cards")
    while pile_top_unknown(state) or not state.due or state.due[0][0].what != "attempt" or not listed(state, Flip):
        state = GAME.play(state, next(iter(GAME.moves(state))))
    state = has(state, state.rival, ink=2, gold=1, stone=1)
    given = listed(state, Flip)
    assert len(given) > 1
    for flip in given:
        assert look(state, GAME.play(state, flip)) == Explained((flip,))
    assert named(state, replace(given[0], pays=(1, 0, 0, 0))) == {"solo.paper"}


def test_a_card_of_honour_is_not_there_for_the_taking() -> None:
    assert named(hiring(), TakeHonour(BLUE, 0)) == {"script.bonus"}
    assert named(hiring(), TakeHonour(RED, 4)) == {"workers.leader"}


def test_a_good_may_be_all_that_shows_so_far_of_a_building() -> None:
    """Red may take a resource and build, in any order; the plot brings gold, which lies there before the building."""
    state = replace(table(), due=((Due(RED, "any"), Due(RED, "build", building="workshop")),))
    brings = {plot.gold: (segment, n) for segment, side in enumerate(board(state)) for n, plot in enumerate(side.plots)}
    built = Build(RED, WORKSHOP, 0, *brings[1])
    after, now = GAME.view(GAME.play(state, built)), GAME.view(state)
    finding = look(state, View({**now.zones, "goods red": after.zones["goods red"]}))
    assert finding == Explained((TakeGood(RED, "gold"),), half_done=True)
    assert look(state, GAME.play(state, TakeGood(RED, "ink"))) == Explained((TakeGood(RED, "ink"),), half_done=True)
    assert look(with_due(table(), "any"), has(table(), ink=1)) == Explained((TakeGood(RED, "ink"),))


def test_markers_that_are_back_do_not_say_that_a_reward_was_left_alone() -> None:
    """The collision of Red is over when Blue has destroyed a card for it, or has not; the card comes last."""
    state = markers(table(), 6, 6)
    state = replace(state, due=((Due(BLUE, "destroy"),), (Due(RED, "part"),)))
    left_alone = GAME.play(state, Decline(BLUE))
    assert look(state, left_alone) == Explained((Decline(BLUE),), half_done=True)
    apart = replace(table(), due=((Due(BLUE, "destroy"),),))
    assert look(apart, GAME.play(apart, Decline(BLUE))) == Settled()


def test_the_next_may_slide_before_the_markers_of_a_collision_are_back() -> None:
    """Blue leaves a reward alone, Red draws up, and Blue has slid while Red still has to move the markers."""
    state = replace(markers(hiring(), 6, 6), phase="collision", due=((Due(BLUE, "rearrange"),), (Due(RED, "part"),)))
    after = GAME.view(played(state, Decline(BLUE), DrawUp(RED), Slide(BLUE)))
    finding = look(state, View({**after.zones, "track red": GAME.view(state).zones["track red"]}))
    assert isinstance(finding, Unfinished) or (isinstance(finding, Illegal) and finding.half_done)
    assert {step.what for step in finding.finish} == {"virtue", "corruption"}


def test_a_marker_may_be_all_that_shows_so_far_of_a_card_from_a_pile_made_anew() -> None:
    """Red's pile is made of the discards, for which virtue moves; the lender lay on top, and may do so again."""
    state = replace(table(), hidden=changed(table().hidden, RED, ()), hands=changed(table().hands, RED, 0))
    state = with_due(replace(state, discards=changed(state.discards, RED, ("thief", "abbot", "lender"))), "discard", 2)
    drawn, again = Discard(RED, "pile", "abbot"), Discard(RED, "pile", "lender")
    after, now = GAME.view(GAME.play(state, drawn)), GAME.view(state)
    finding = look(state, View({**now.zones, "track red": after.zones["track red"]}))
    assert finding == Explained((again,), half_done=True)
    assert look(state, after) == Explained((drawn,))


def test_silver_is_taken_as_it_is_seen_though_a_hand_is_above_the_wood() -> None:
    """Coins lie apart from wooden goods: who sees only one of the two knows nothing new of the other."""
    believed, true = has(table(), ink=2, stone=1, silver=3), has(table(), ink=0, stone=4, silver=5)
    zones = {name: contents for name, contents in GAME.view(true).zones.items() if name != "goods red"}
    assert GAME.state_from_view(believed, View(zones)).goods[RED] == has(believed, silver=5).goods[RED]


def test_where_poverty_is_seen_to_have_come_to_light_the_game_draws_to_its_end() -> None:
    """The last debts were not reported; after adopting the table one whole round is left."""
    believed = table(poverty=2, prosperity=5, round=4)
    true = papers(replace(believed, poverty=0), BLUE, debts=(1, 2))
    taken = GAME.state_from_view(believed, GAME.view(true))
    assert (taken.poverty, taken.prosperity, taken.last_round) == (0, 5, 5)
    later = GAME.state_from_view(replace(taken, round=5), GAME.view(taken))
    assert later.last_round == 5
    back = GAME.state_from_view(taken, GAME.view(believed))
    assert (back.poverty, back.last_round) == (1, NOWHERE)


def test_debts_and_deeds_that_nobody_told_of_are_gone_from_their_cards() -> None:
    believed = papers(table(poverty=6, prosperity=6), debts=(2, 0))
    true = papers(papers(believed, debts=(2, 1), deeds=(1, 1)), BLUE, debts=(1, 0))
    taken = GAME.state_from_view(believed, GAME.view(true))
    assert (taken.poverty, taken.prosperity, taken.last_round) == (4, 4, NOWHERE)
    hidden = View({name: zone for name, zone in GAME.view(true).zones.items() if name != "papers red"})
    taken = GAME.state_from_view(believed, hidden)
    assert (taken.poverty, taken.prosperity) == (5, 6)


def test_a_manuscript_that_nobody_told_of_is_gone_from_its_pile() -> None:
    """Red copied the sixth of a pile: after the next one the pile is at its end, and nobody is asked for another."""
    believed = replace(with_viscount(table(), inner(0)), copied=(5, 0, 0, 0, 0))
    true = replace(believed, scripts=changed(believed.scripts, 0, "grey 3 any"))
    true = replace(true, manuscripts=changed(true.manuscripts, RED, (believed.scripts[0],)))
    taken = GAME.state_from_view(believed, GAME.view(true))
    assert taken.copied == (6, 0, 0, 0, 0)
    assert GAME.play(has(taken, ink=2), Copy(RED, 0, (2, 0, 0, 0))).scripts[0] == EMPTY
    misread = replace(believed, scripts=changed(believed.scripts, 0, "grey 3 any"))
    assert GAME.state_from_view(believed, GAME.view(misread)).copied == believed.copied


def test_a_pile_that_is_seen_to_be_empty_has_come_to_its_end() -> None:
    """Whatever was counted; but while piles are laid out an empty place only waits for its pile."""
    for before, left in ((table(), EMPTY), (laid_out(), UNSEEN)):
        state = replace(before, order=(0, 1, 2, 3, 4), offer=(UNSEEN,) * 5, scripts=(UNSEEN,) * 5)
        empty = Cells({str(place): None for place in range(1, 6)})
        seen = View({**GAME.view(state).zones, "townsfolk": empty, "manuscripts": empty})
        taken = GAME.state_from_view(state, seen)
        assert (taken.offer, taken.scripts) == ((left,) * 5, (left,) * 5)


def test_silver_may_be_all_that_shows_so_far_of_a_card_that_is_destroyed() -> None:
    """Another player's trader is out of the game already; red's own would bring as much silver as the thief."""
    state = with_due(replace(table(), gone=("trader",)), "destroy")
    thief, trader = Destroy(RED, "hand", "thief"), Destroy(RED, "hand", "trader")
    after, now = GAME.view(GAME.play(state, thief)), GAME.view(state)
    finding = look(state, View({**now.zones, "silver red": after.zones["silver red"]}))
    assert finding == Explained((trader,), half_done=True)
    assert look(state, after) == Explained((thief,))


def test_silver_may_be_all_that_shows_so_far_of_a_card_that_is_played_before_the_others_slid() -> None:
    """Two moves of one turn, and the silver comes first."""
    start = replace(with_row(table(), "", "thief", "abbot"), phase="sliding", played="")
    before, then = (GAME.view(state).zones for state in (start, played(start, Slide(RED), PlayCard(RED, "financer"))))
    found = Referee(GAME).judge(start, View({**before, "silver red": then["silver red"]}))
    assert isinstance(found, Illegal)
    assert found.half_done
