"""What people are told about the castle, a row, and every other place of the table of Viscounts."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.guide_actions import Step, steps_after
from companion.games.viscounts.moves import Climb, Decline, Dismiss, Employ, Hire, Push, Shift
from companion.games.viscounts.state import State
from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.kernel.views import Cells, Marks, Pieces
from companion.text.move_menu import ByHand

from .random_games import whole_game
from .table import (
    BLUE,
    GUILDHALL,
    RED,
    WORKSHOP,
    YELLOW,
    changed,
    has,
    inner,
    laid_out,
    markers,
    papers,
    played,
    ready,
    replace,
    space,
    table,
    with_building,
    with_due,
    with_row,
    with_tops_told,
    with_viscount,
    with_workers,
)

GUIDE = GAME.guide


def said(state: State, zone: str, spot: str = "", seat: int | None = RED, language: str = "en") -> list[str]:
    speaker = Speaker(GAME.catalogue, language)  # type: ignore[arg-type]
    return [
        f"{remark.step}. {speaker.about(remark)}" if remark.step else speaker.about(remark)
        for remark in GUIDE.about(state, zone, spot, seat)
    ]


def expects(state: State, language: str = "en") -> str:
    return Speaker(GAME.catalogue, language).expects(GAME.expects(state))  # type: ignore[arg-type]


# The castle


def placing(**goods: int) -> State:
    """Red stands inside before “ink and stone”, with one noble symbol."""
    return has(with_row(with_viscount(table(), inner(0)), "squire", "lender", "trader"), **goods)


def test_a_section_tells_what_climbing_brings_and_who_is_pushed_off() -> None:
    told = said(placing(), "first ring 1")
    assert told[0] == (
        "First ring at “ink and stone”: with 3 workers of a player, one climbs to the second ring. "
        "That brings: 1 ink and 1 stone."
    )
    assert "room for 3 workers" in told[1]
    assert told[2] == "Red places so many workers here: 1. Then all stay where they are."
    assert said(placing(), "second ring 3")[0].endswith(
        "one climbs to the third ring. That brings: 1 resource of choice."
    )


def test_a_cascade_is_told_step_by_step() -> None:
    """Red's two workers at “ink and stone”, two at “flip” beside it, and three strangers where others come to stand."""
    state = with_workers(with_workers(placing(), 1, 0, 2), 1, 1, 2)
    state = with_workers(with_workers(state, 2, 0, 2), 1, 4, 0, 3)
    told = said(state, "first ring 1")
    assert told[2] == "Red places so many workers here: 1. Then:"
    assert [one[:2] for one in told[3:]] == ["1.", "2.", "3.", "4."]
    assert told[3] == (
        "1. “ink and stone”, first ring: 3 workers of Red. One climbs, one each goes to “2 virtue” and “flip”. "
        "For Red: 1 ink and 1 stone."
    )
    assert told[4].startswith("2. “flip”, first ring: 3 workers of Red.")
    assert told[5] == (
        "3. “ink and stone”, second ring: 3 workers of Red. One climbs to the third ring. "
        "Red gets 1 resource of choice and becomes leader of the castle."
    )
    assert told[6] == (
        "4. “2 virtue”: more than 3 workers in the first ring. Red chooses whose worker leaves (Blue, Red); "
        "it brings its owner 2 silver."
    )


def test_numbers_that_lead_to_the_same_are_told_together_and_only_those_that_can_be_paid() -> None:
    rich = said(placing(gold=7), "first ring 1", language="de")
    assert "Rot setzt hier so viele Arbeiter ein: 1, 2. Dann bleiben alle stehen." in rich
    assert "Rot setzt hier so viele Arbeiter ein: 3, 4. Dann:" in rich
    elsewhere = said(placing(), "first ring 3")
    assert "Red places so many workers here: 3, 4. Then:" in elsewhere, "an effect may bring workers anywhere"
    none = with_row(with_viscount(table(), inner(0)), "lender", "lender", "trader")
    assert said(none, "first ring 1")[-1] == "Red can pay for no worker here just now."


def test_during_a_cascade_it_says_what_is_due_and_why() -> None:
    state = with_due(with_workers(table(), 1, 2, 3), "castle")
    assert expects(state).startswith(
        "Red: 3 workers in the first ring at “gold or castle move”: let one climb, and one each goes"
    )
    told = said(state, "first ring 5")
    assert "This comes next in the castle, brought about by Red:" in told
    assert told[-1].startswith("1. “gold or castle move”, first ring")
    after = GAME.play(state, Climb(RED, 1, 2))
    assert expects(after) == "Red: choose one of the two effects: 1 gold or 1 castle move."
    crowded = with_due(with_workers(table(), 2, 3, 0, 2, 2), "castle")
    assert expects(crowded, "de") == (
        "Rot: mehr als 3 Arbeiter im zweiten Ring bei «anwerben oder vernichten». "
        "Stoß einen herunter (Blau, Gelb); er bringt seinem Besitzer 1 Tugend und 1 Ressource nach Wahl."
    )
    two = with_due(with_workers(with_workers(table(), 1, 2, 3), 1, 4, 3), "castle")
    assert expects(two).startswith("Red: in 2 sections 3 workers stand in the first ring.")


def test_while_a_reward_waits_the_rest_of_the_cascade_can_be_looked_at() -> None:
    waiting = papers(with_workers(placing(), 1, 1, 3), debts=(1, 0))
    waiting = played(with_due(with_workers(waiting, 1, 2, 2), "castle"), Climb(RED, 1, 1))
    assert GAME.expects(waiting).key == "do_flip"
    told = said(waiting, "second ring 2")
    assert "First Red takes the reward; then the castle goes on." in told
    assert told[-1].startswith("1. “gold or castle move”, first ring")


def test_the_leader_is_named() -> None:
    assert said(table(), "third ring")[1] == "The first player here leads the castle (5 points)."
    led = replace(table(), top=(0, 2, 0), leader=BLUE)
    assert said(led, "honours", "leader", language="de")[1].startswith("Blau ist Burgherr mit 2 Arbeitern hier")


def carried_out(state: State, number: int, section: int) -> list[tuple[str, int, int]]:
    """What really happens in the castle, if one always does what the steps assume: no castle moves, others pushed."""
    found = []
    state = GAME.play(state, Employ(RED, number, section))
    while any(one.what == "castle" for group in state.due for one in group):
        moves = [move for move in GAME.moves(state) if not isinstance(move, Shift | Employ)]
        pushes = [move for move in moves if isinstance(move, Push)]
        idle = [move for move in moves if isinstance(move, Decline)]
        move: Any = (idle or moves)[0]
        if pushes:
            here = [one for one in pushes if (one.ring, one.section) == (pushes[0].ring, pushes[0].section)]
            move = min(here, key=lambda one: one.owner == RED)
        if isinstance(move, Climb | Push):
            found.append((type(move).__name__, move.ring, move.section))
        state = GAME.play(state, move)
    return found


def told_steps(steps: tuple[Step, ...]) -> list[tuple[str, int, int]]:
    return [("Push" if step.kind == "push" else "Climb", step.ring, step.section) for step in steps]


@pytest.mark.parametrize("seed", range(10))
def test_what_is_told_is_what_happens(seed: int) -> None:
    """Workers are put into every section of castles that have grown in whole games."""
    for state in whole_game(seed)[::60]:
        if state.phase in ("laying_out", "lots", "draft", "over") or len(state.seats) < 2:
            continue
        quiet = replace(with_tops_told(replace(state, due=())), turn=RED, phase="hiring", dismissed="")
        for section in range(5):
            for number in (1, 3):
                ready = with_due(quiet, "workers", number)
                if Employ(RED, number, section) in tuple(GAME.moves(ready)):
                    assert told_steps(steps_after(ready, RED, section, number)) == carried_out(ready, number, section)


# A row, where its viscount stands


def test_a_row_tells_what_its_symbols_buy_outside() -> None:
    """Red at space 3: one builder, three merchants, two stones."""
    state = has(with_row(table(), "labourer", "lender", "trader"), stone=2, silver=1)
    told = said(state, "row red", "1")
    assert told[0] == "Labourer: worth 2 silver, with 1 builder."
    assert told[1] == "Red stands outside on space 3 and has these symbols: 3 merchants and 1 builder."
    assert told[2] == "Trade: 1 silver for every 1 merchant symbol; with 3 that is 3 times."
    assert "Workshop: needs 3, 1 there; pay besides: 2 stone." in told
    assert "Guildhall: needs 7, 1 there; 6 missing, and too little stone." in told
    assert any(one.startswith("Plot 1 on segment 3-4: for building here: 1 ink") for one in told)
    assert (
        told[-1] == "Dismiss first: Mason for 1 silver; helps with 1 merchant and 1 builder; besides: 1 rearrangement."
    )
    assert said(state, "viscounts", "red") == told[1:]


def test_silver_helps_in_trading_where_it_brings_something_else() -> None:
    state = has(with_viscount(with_row(table(), "labourer", "lender", "squire"), space(5)), silver=2)
    assert "Trade: 1 ink for every 2 merchant symbols; with 2 that is 1 time, and with 2 silver up to 2 times." in said(
        state, "row red"
    )


def test_a_row_tells_what_its_symbols_buy_inside() -> None:
    state = placing(gold=2, ink=3)
    told = said(state, "row red", language="de")
    assert told[0] == "Rot steht auf dem Feld «1-2 innen» und hat diese Symbole: 3 Händler und 1 Adliger."
    assert "1 Arbeiter: 1 nötig, die Symbole (1) reichen." in told
    assert "2 Arbeiter: 3 nötig, 1 da; dazu zahlen: 2 Gold." in told
    assert "3 Arbeiter: 5 nötig, 1 da; 4 fehlen, und Gold reicht nicht." in told
    assert not any(one.startswith("4 Arbeiter") for one in told), "more than too many is too many"
    assert "Manuskript «schwarz 3: umdrehen»: 3 nötig, 0 da; dazu zahlen: 3 Tintenfässer." in told
    assert "Bringt sofort: 1 Mal umdrehen." in told


def test_several_ways_to_pay_and_abilities_are_told() -> None:
    """A mason lets two silver count as a builder."""
    state = has(with_row(table(), "mason", "lender", "trader"), stone=2, silver=4)
    told = said(state, "row red")
    assert "In “building”, as often as you like: 2 silver for 1 symbol." in told
    assert "Workshop: needs 3, 1 there; pay besides: 4 silver or 1 stone and 2 silver or 2 stone." in told


def test_somebody_elses_row_is_told_for_its_owner_and_moves_on() -> None:
    told = said(table(), "row blue", "", RED)
    assert told[0].startswith("Blue stands outside on space 8")
    assert told[-1] == "Until Blue acts again, the cards move on, and so does the viscount."


def test_whoever_moves_sees_what_each_space_would_offer_and_cost() -> None:
    state = has(replace(with_row(table(), "trader", "lender", "squire"), phase="moving"), silver=1)
    near = said(state, "viscounts", "6")
    assert near[0].startswith("Space 4, outside: trade (1 stone for every 2 merchant symbols)")
    assert near[1] == "Red gets here without silver. Then:"
    assert near[2].startswith("Red stands outside on space 4")
    assert said(state, "viscounts", "7")[1] == "Red gets here for 1 silver. Then:"
    assert "has only 1" in said(state, "viscounts", "10")[1]
    assert len(said(state, "viscounts", "6", BLUE)) == 1, "for others it is just a space"


# Everything else


def test_a_plot_tells_its_reward_and_its_links() -> None:
    state = with_building(table(), BLUE, 0, 1, WORKSHOP)
    assert said(state, "plots", "1-1") == [
        "Plot 1 on segment 1-2: for building here: 1 ink.",
        "Link to plot 5 on segment 9-10: 1 castle move for both, once both are built on.",
        "And the link to plot 2 on segment 1-2: 1 virtue, also for Blue there.",
    ]
    assert said(state, "plots", "1-2")[0] == "Plot 2 on segment 1-2 (1 free hire): workshop of Blue."


def test_townsfolk_tell_cost_symbols_and_abilities() -> None:
    assert said(table(), "townsfolk", "1") == [
        "Woodcutter (virtue): worth 2 silver, with 1 builder.",
        "When hired or dismissed: 1 virtue.",
        "After building: 1 virtue.",
    ]
    sculptor = replace(table(), offer=("sculptor", *table().offer[1:]))
    assert (
        said(sculptor, "townsfolk", "1", language="de")[-1]
        == "Bei «Gebäude errichten» zählt ein Mal: 1 Stein als 2 Symbole."
    )
    printed = replace(table(), offer=("", *table().offer[1:]))
    assert "1 noble and 1 cleric" in said(printed, "townsfolk", "1")[0], "the printed one shows"


def test_manuscripts_tell_cost_effect_points_and_ribbon() -> None:
    counting = replace(table(), scripts=("black 5 cleric", *table().scripts[1:]))
    assert said(counting, "manuscripts", "1") == [
        "Manuscript “black 5: points for clerics”: costs 5 cleric symbols.",
        "At the end 1 point for every 1 of these: cleric symbols.",
        "Red would get 1 point for it now.",
        "Black ribbon: the first with 3 of them gets the cleric's card (1 cleric, 3 points). Red has 0.",
    ]
    taken = replace(counting, bonus=(YELLOW, -1, -1, -1))
    manuscripts = changed(table().manuscripts, RED, table().scripts[:3])
    itself = replace(table(), scripts=("black 6 manuscript", *table().scripts[1:]), manuscripts=manuscripts)
    assert "Red would get 2 points for it now." in said(itself, "manuscripts", "1")
    assert said(taken, "manuscripts", "1")[-1] == "Black ribbon: Yellow has the cleric's card (1 cleric, 3 points)."


def test_a_track_tells_when_the_markers_collide_and_what_then() -> None:
    told = said(markers(table(), 3, 4), "track red", "virtue")
    assert told == [
        "Red: corruption on space 3, virtue on space 4, 1 step until they collide. If they meet on …",
        "Space 3: 1 silver and 1 deed. All others with criminals: 1 corruption.",
        "Space 4: 2 silver, 1 debt and 1 deed. All others: 1 rearrangement.",
        "It is resolved at the end of the player's turn; then both markers go back to their ends.",
    ]
    met = said(markers(table(), 5, 5), "track red", "", language="de")
    assert met[0].startswith("Rot: Korruption und Tugend stehen beide auf Feld 5")
    assert said(markers(table(), 1, 7), "track red", "6")[1].startswith("Space 6: 3 silver and 2 debts.")


def test_papers_and_the_cards_of_the_kingdom() -> None:
    state = papers(table(), debts=(2, 1), deeds=(1, 3))
    assert said(state, "papers red", "debt")[0].startswith("2 unpaid debts: 2 points off each. 1 paid.")
    assert "3 approved: 3 points each." in said(state, "papers red", "deed")[1]
    told = said(replace(state, poverty=4), "kingdom", "poverty")
    assert told[0].startswith("4 debts left on poverty.")
    assert "Red: 3." in told
    assert said(replace(state, poverty=0), "kingdom", "poverty")[0].startswith("Poverty is visible")


def test_buildings_tell_what_they_uncover() -> None:
    told = said(table(), "guildhall red", "2")
    assert told[1] == "When it leaves this place, this always counts: 1 noble."
    assert said(table(), "workshop red", "3", language="de")[1].endswith("zieht man auf eine Karte mehr nach.")
    built = with_building(table(), RED, 0, 0, GUILDHALL, 1)
    assert said(built, "guildhall red", "2")[-1] == "Red has freed this place already."


def test_whoever_chooses_from_a_list_sees_what_each_is_good_for() -> None:
    hand, state = ByHand(GAME, laid_out(2).seats), laid_out(2)
    asked = hand.choices(state, list(GAME.moves(state)), ["TurnUp", "segment=0"])
    hints = {option["says"]["en"]: option["hint"]["de"] for option in asked["options"]}
    assert hints["Bishop"] == "3 Silber, 2 Kleriker"
    asked = hand.choices(state, list(GAME.moves(state)), ["OfferCard", "place=0"])
    hints = {option["says"]["en"]: option["hint"]["en"] for option in asked["options"]}
    assert hints["Player card 1"].startswith("Brings 2 ink, 1 stone, 8 silver")


def test_whoever_answers_a_question_sees_what_it_would_mean() -> None:
    """Spaces and what they cost, workers and what follows in the castle, pairs and what they bring."""
    hand = ByHand(GAME, table().seats)

    def hints(state: State, *chosen: str) -> dict[str, str]:
        asked = hand.choices(state, list(GAME.moves(state)), list(chosen))
        return {option["id"]: (option["hint"] or {"en": ""})["en"] for option in asked["options"]}

    moving = has(replace(with_row(table(), "trader", "lender", "squire"), phase="moving"), silver=1)
    found = hints(moving, "Travel")
    assert found["space=5"] == "Outside: trade (1 stone for every 2 merchant symbols) or build"
    assert found["space=6"].startswith("For 1 silver; outside: trade (1 ink")
    assert found["space=4"] == "Workers to “flip”, or manuscript “yellow 3: resource”"
    employing = with_workers(placing(gold=4), 1, 0, 1)
    found = hints(employing, "Employ")
    assert found["number=1"] == "Needs 1 symbol, 1 there"
    assert found["number=2"] == "Needs 3 symbols, 1 there; then 1 step in the castle"
    assert "Player card 1 with Ada: 2 ink" in hints(ready(2))["place=0"]
    assert hints(with_row(table(), "labourer", "lender", "trader"), "Trade")["times=1"] == "Costs 0 silver"


def test_a_scheme_tells_what_the_opponent_will_do() -> None:
    state = next(one for seed in range(40) for one in whole_game(seed) if one.rival > 0 and one.rows[1][0])
    told = said(state, f"row {state.colour(1)}", "1")
    assert len(told) == 3
    assert told[2].startswith("Then it tries: ")


def test_the_opponents_viscount_tells_its_symbols_and_no_trade_for_it_never_trades() -> None:
    state = next(one for seed in range(40) for one in whole_game(seed) if one.rival > 0 and one.rows[1][0])
    (told,) = said(state, "viscounts", state.colour(1))
    assert "has these symbols" in told


@pytest.mark.parametrize("seed", range(8))
def test_anything_may_be_asked_of_any_place_and_every_sentence_is_whole(seed: int) -> None:
    for state in whole_game(seed)[::50]:
        for zone, contents in GAME.view(state).zones.items():
            spots = {"", "unknown", "0", "9-9", "99"}
            match contents:
                case Cells(at=cells):
                    spots |= cells.keys()
                case Pieces(count=found):
                    spots |= found.keys()
                case Marks(field=fields):
                    spots |= fields.keys()
            for spot in spots:
                for language in LANGUAGES:
                    for text in said(state, zone, spot, None, language):
                        assert "{" not in text, text
                        assert "_" not in text, text
        for language in LANGUAGES:
            assert "{" not in expects(state, language)
            speaker = Speaker(GAME.catalogue, language)
            for move in islice(GAME.moves(state), 40):
                for field in move.__struct_fields__:
                    remark = GUIDE.answer(state, move, field)
                    assert remark is None or "{" not in speaker.about(remark), remark
    assert GUIDE.about(whole_game(seed)[0], "nowhere", "?", 7) == ()


def test_whoever_has_dismissed_somebody_is_not_told_to_do_so_again() -> None:
    state = has(with_row(with_viscount(table(), space(1)), "labourer", "labourer", "abbot"), silver=4, stone=3)
    assert expects(state) == "Red: take a main action; before it you may dismiss the townsfolk beside you."
    after = with_tops_told(GAME.play(state, Dismiss(RED)))
    assert expects(after) == "Red: take a main action."


def test_only_those_are_offered_for_hire_who_may_be_hired() -> None:
    """Not townsfolk who are only printed, too expensive, or a second one."""
    state = has(with_row(with_viscount(table(phase="hiring"), space(1)), "abbot", "squire", "labourer"), silver=2)
    assert expects(state).startswith("Red: hire if you like: Woodcutter")
    assert expects(has(state, silver=1)) == "Red: draw up, and your turn is over."
    printed = replace(state, offer=changed(state.offer, 0, ""))
    assert expects(printed) == "Red: draw up, and your turn is over."
    met = markers(state, 3, 3)
    assert expects(met).startswith("Red: your markers have collided; resolve that. Before it you may still hire: Woodc")
    hired = with_tops_told(GAME.play(met, Hire(RED, 0)))
    assert expects(hired) == "Red: your markers have collided; resolve that."


@pytest.mark.parametrize("seed", range(24))
def test_whatever_is_expected_has_a_sentence(seed: int) -> None:
    for state in whole_game(seed):
        assert GAME.expects(state).key in GAME.catalogue.expects
