"""The end of the game: the last round, the score sheet, who won and why."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import (
    Build,
    BuyPermit,
    CopyPermit,
    CopyToken,
    Elect,
    EndTurn,
    Hire,
    TurnUp,
)
from companion.games.council_of_four.state import Choice, State
from companion.kernel.catalogue import Speaker
from companion.kernel.rules import Line
from companion.kernel.views import Marks, View

from .table import (
    BLUE,
    COAST,
    GREEN,
    RED,
    YELLOW,
    broken_rules,
    city,
    has,
    note,
    played,
    table,
    told_rules,
    with_emporiums,
    with_offers,
    with_permits,
    with_tokens,
)

NINE = "ABCDEFGHI"
MARKERS = dict.fromkeys(("red", "yellow", "green", "blue"), 0)
ENGLISH = Speaker(GAME.catalogue, "en")
LAST = Build(RED, "K", city("K"))


def nearly(seat: int = RED, players: int = 3, **options: Any) -> State:
    """A seat has one emporium left, a permit for Kultos, and it is their turn."""
    state = table(players, facts={"turn": seat}, **options)
    return with_permits(with_emporiums(state, seat, NINE), seat, "K")


def turns(state: State, *seats: int) -> State:
    for seat in seats:
        state = played(state, Elect(seat, COAST, next(iter(pool_of(state)))), EndTurn(seat))
    return state


def pool_of(state: State) -> list[str]:
    return [move.colour for move in GAME.moves(state) if isinstance(move, Elect)]


def test_end_last_emporium__the_tenth_brings_three_points() -> None:
    state = replace(nearly(), tokens=("",) * 15)
    assert note(state, LAST, "end.last-emporium").facts == {"seat": "red", "points": 3}
    assert played(state, LAST).points == (3, 0, 0)


def test_end_last_emporium__the_ninth_brings_none() -> None:
    state = replace(with_permits(with_emporiums(table(3), RED, NINE[1:]), RED, "K"), tokens=("",) * 15)
    assert "end.last-emporium" not in told_rules(state, LAST)
    assert played(state, LAST).points == (0, 0, 0)


def second_to_build(**options: Any) -> tuple[State, Build]:
    """Red has ended the game; yellow is about to build their last emporium too."""
    state = played(nearly(**options), LAST, EndTurn(RED))
    state = with_permits(with_emporiums(state, YELLOW, "ABCDEFGHJ"), YELLOW, "O")
    return state, Build(YELLOW, "O", city("O"))


def test_end_last_emporium__everybody_who_builds_the_last_one_gets_them() -> None:
    state, move = second_to_build()
    assert note(state, move, "end.last-emporium").facts == {"seat": "yellow", "points": 3}
    assert "end.last-round" not in told_rules(state, move)


def test_end_last_emporium__by_the_house_rule_only_the_first() -> None:
    state, move = second_to_build(last_emporium="first")
    assert "end.last-emporium" not in told_rules(state, move)
    assert "end.last-emporium" in told_rules(nearly(last_emporium="first"), LAST)


def test_end_last_round__all_others_have_one_more_turn() -> None:
    state = nearly(YELLOW)
    assert note(state, Build(YELLOW, "K", city("K")), "end.last-round").facts == {"seat": "yellow"}
    state = played(state, Build(YELLOW, "K", city("K")), EndTurn(YELLOW))
    assert (state.turn, state.ending) == (GREEN, YELLOW)
    state = turns(state, GREEN)
    assert (state.turn, state.phase) == (RED, "turn")
    assert turns(state, RED).phase == "over"


def test_end_last_round__whoever_ends_the_game_finishes_the_turn() -> None:
    state = played(nearly(), LAST)
    assert broken_rules(state, Hire(RED)) == set()
    extra = replace(state, main=1)
    assert broken_rules(extra, Elect(RED, COAST, "orange")) == set()


def test_end_over__when_it_would_be_the_enders_turn_again() -> None:
    state = turns(played(nearly(), LAST, EndTurn(RED)), YELLOW)
    state = played(state, Elect(GREEN, COAST, pool_of(state)[0]))
    assert note(state, EndTurn(GREEN), "end.over").facts == {"seat": "red"}
    after = played(state, EndTurn(GREEN))
    assert (after.phase, GAME.actor(after), list(GAME.moves(after))) == ("over", None, [])
    assert broken_rules(after, Elect(RED, COAST, "orange")) == {"turn.phases"}


# The score sheet


def ended(**facts: Any) -> State:
    """A game of three that is over."""
    return table(3, facts={"phase": "over", "hands": (4, 4, 4), "assistants": (1, 1, 1), **facts})


def lines(state: State, seat: int) -> dict[str, Line]:
    return {line.label: line for line in GAME.score(state).seats[seat].lines}


def reasons(state: State, seat: int = RED) -> list[tuple[str, int, str, dict[str, Any]]]:
    return [
        (line.label, line.points, line.because.rule, line.because.facts) for line in GAME.score(state).seats[seat].lines
    ]


def test_end_points__points_on_the_track_without_a_known_reason() -> None:
    line = lines(ended(points=(31, 20, 10)), RED)["points"]
    assert (line.points, line.because.rule, line.because.facts) == (31, "end.points", {"points": 31})


def test_end_points__what_the_table_shows_besides_is_taken_from_the_track() -> None:
    """Red has 2 points of a token; then the marker is found on 9, and on 1."""
    state = with_tokens(table(), A="points2")
    state = played(with_permits(state, RED, "A"), Build(RED, "A", city("A")))
    for field, others in ((9, 7), (1, -1)):
        seen = View({**GAME.view(state).zones, "points": Marks({**MARKERS, "red": field})})
        found = reasons(GAME.state_from_view(state, seen))
        assert found == [
            ("reward_tokens", 2, "end.tokens", {"token": "points2", "points": 2}),
            ("points", others, "end.points", {"points": others}),
        ]


def test_end_points__no_line_where_every_point_is_known() -> None:
    assert reasons(table()) == []


def test_end_tokens__of_the_city_and_all_that_are_connected() -> None:
    state = with_tokens(with_emporiums(table(), RED, "C"), A="points2", C="points3")
    after = played(with_permits(state, RED, "A"), Build(RED, "A", city("A")))
    assert sorted(reasons(after)) == [
        ("reward_tokens", 2, "end.tokens", {"token": "points2", "points": 2}),
        ("reward_tokens", 3, "end.tokens", {"token": "points3", "points": 3}),
    ]


def test_end_tokens__one_chosen_on_the_nobility_track_counts_with_them() -> None:
    state = replace(with_emporiums(table(), RED, "D"), choices=(Choice("II", "token"),))
    token = {"token": "points1", "points": 1}
    assert reasons(played(state, CopyToken(RED, city("D")))) == [("reward_tokens", 1, "end.tokens", token)]


def test_end_permit_bonuses__each_permit_has_its_line() -> None:
    """The permit A brings 4 points, D brings 7."""
    state = with_offers(has(table(), RED, gold=20), "A", "D", "F", "G", "K", "L")
    state = played(
        replace(state, main=2), BuyPermit(RED, 0, ("white",)), TurnUp(0, "CD"), BuyPermit(RED, 1, ("white",))
    )
    assert reasons(state) == [
        ("permit_bonuses", 4, "end.permit-bonuses", {"permit": "A", "points": 4}),
        ("permit_bonuses", 7, "end.permit-bonuses", {"permit": "D", "points": 7}),
    ]


def test_end_nobility_fields__each_field_has_its_line() -> None:
    state = with_offers(has(table(), RED, gold=20, nobility=1), "AE", "D", "F", "G", "K", "L")
    after = played(state, BuyPermit(RED, 0, ("white",)))
    facts = {"field": 2, "numeral": "I", "points": 2}
    assert reasons(after) == [("nobility_track", 2, "end.nobility-fields", facts)]


def test_end_once_more__the_bonus_of_an_own_permit_on_field_vii() -> None:
    state = replace(with_permits(table(), RED, "D"), choices=(Choice("VII", "own"),))
    after = played(state, CopyPermit(RED, "D"))
    assert reasons(after) == [("permit_bonuses", 7, "end.once-more", {"points": 7})]


def test_the_last_emporium_has_its_line() -> None:
    after = played(replace(nearly(), tokens=("",) * 15), LAST)
    assert ("last_emporium", 3, "end.last-emporium", {"seat": "red", "points": 3}) in reasons(after)


def test_a_state_of_an_earlier_version_has_no_reasons_and_goes_on() -> None:
    """Its points are taken from the track; what comes after has its reason."""
    state = has(with_tokens(with_permits(table(), RED, "A"), A="points2"), RED, points=5)
    written = msgspec.json.decode(msgspec.json.encode(state))
    del written["earned"]
    old = msgspec.convert(written, State)
    assert sorted(reasons(played(old, Build(RED, "A", city("A"))))) == [
        ("points", 5, "end.points", {"points": 5}),
        ("reward_tokens", 2, "end.tokens", {"token": "points2", "points": 2}),
    ]


def test_end_bonus_tiles__what_is_written_on_them() -> None:
    line = lines(ended(bonuses=(("gold", RED), ("coast", YELLOW), ("hills", RED))), RED)["bonus_tiles"]
    facts = {"tiles": ("bonus gold", "bonus hills"), "points": 25}
    assert (line.points, line.because.rule, line.because.facts) == (25, "end.bonus-tiles", facts)


def test_end_bonus_tiles__all_seven_values() -> None:
    for tile, points in {
        "gold": 20,
        "silver": 12,
        "bronze": 8,
        "iron": 5,
        "coast": 5,
        "hills": 5,
        "mountains": 5,
    }.items():
        assert lines(ended(bonuses=((tile, RED),)), RED)["bonus_tiles"].points == points


def test_end_royal_rewards__what_is_written_on_them() -> None:
    line = lines(ended(rewards=(RED, YELLOW, RED)), RED)["royal_rewards"]
    facts = {"rewards": ("25", "12"), "points": 37}
    assert (line.points, line.because.rule, line.because.facts) == (37, "end.royal-rewards", facts)


def test_end_nobility_first__five_points() -> None:
    line = lines(ended(nobility=(7, 4, 2)), RED)["nobility"]
    assert (line.points, line.because.rule, line.because.facts) == (5, "end.nobility-first", {"field": 7, "points": 5})


def test_end_nobility_second__two_points() -> None:
    line = lines(ended(nobility=(7, 4, 2)), YELLOW)["nobility"]
    assert (line.points, line.because.rule, line.because.facts) == (2, "end.nobility-second", {"field": 4, "points": 2})
    assert "nobility" not in lines(ended(nobility=(7, 4, 2)), GREEN)


def test_end_nobility_second__several_get_two_each() -> None:
    state = ended(nobility=(7, 4, 4))
    assert [lines(state, seat)["nobility"].points for seat in (RED, YELLOW, GREEN)] == [5, 2, 2]


def test_end_nobility_shared__five_each_and_no_second_place() -> None:
    state = ended(nobility=(7, 7, 4))
    line = lines(state, YELLOW)["nobility"]
    assert (line.points, line.because.rule, line.because.facts) == (5, "end.nobility-shared", {"field": 7, "points": 5})
    assert lines(state, RED)["nobility"].points == 5
    assert "nobility" not in lines(state, GREEN)


def with_counts(*counts: tuple[int, int], **options: Any) -> State:
    """Each seat has so many open and so many used permits at the end."""
    names = iter([permit for region in ended().box.permits.values() for permit in region])
    state = table(3, facts={"phase": "over"}, **options)
    owned = [
        (tuple(next(names) for _ in range(fresh)), tuple(next(names) for _ in range(old))) for fresh, old in counts
    ]
    return replace(state, permits=tuple(fresh for fresh, _ in owned), used=tuple(old for _, old in owned))


def test_end_permits__the_most_bring_three_points() -> None:
    line = lines(with_counts((4, 0), (3, 0), (2, 0)), RED)["most_permits"]
    assert (line.points, line.because.rule, line.because.facts) == (3, "end.permits", {"permits": 4, "points": 3})
    assert "most_permits" not in lines(with_counts((4, 0), (3, 0), (2, 0)), YELLOW)


def test_end_permits__used_ones_count() -> None:
    assert lines(with_counts((1, 4), (3, 0), (2, 0)), RED)["most_permits"].points == 3


def test_end_permits__by_the_house_rule_used_ones_do_not_count() -> None:
    state = with_counts((1, 4), (3, 0), (2, 0), used_permits=False)
    assert "most_permits" not in lines(state, RED)
    assert lines(state, YELLOW)["most_permits"].points == 3


def test_end_permits__in_a_tie_all_get_them() -> None:
    state = with_counts((3, 0), (1, 2), (2, 0))
    assert lines(state, RED)["most_permits"].points == lines(state, YELLOW)["most_permits"].points == 3


def test_end_permits__by_the_house_rule_none_does() -> None:
    state = with_counts((3, 0), (1, 2), (2, 0), permit_tie="nobody")
    assert all("most_permits" not in lines(state, seat) for seat in (RED, YELLOW, GREEN))


def test_end_permits__no_seat_has_any() -> None:
    assert all("most_permits" not in lines(ended(), seat) for seat in (RED, YELLOW, GREEN))


def test_end_winner__the_most_points_with_everything() -> None:
    sheet = GAME.score(ended(points=(30, 28, 10), nobility=(0, 4, 2)))
    assert [seat.total for seat in sheet.seats] == [30, 33, 12]
    assert sheet.winner == YELLOW
    assert [(why.rule, why.facts) for why in sheet.because] == [("end.winner", {"seat": "yellow", "points": 33})]


def test_end_tie__assistants_and_cards_decide() -> None:
    sheet = GAME.score(ended(points=(30, 30, 10), assistants=(4, 3, 9), hands=(2, 5, 9)))
    assert sheet.winner == YELLOW
    assert sheet.because[1].rule == "end.tie"
    assert sheet.because[1].facts == {"seat": "yellow", "together": 8}


def test_end_uncounted__in_a_game_that_was_joined_people_count_their_cards_themselves() -> None:
    joined = replace(ended(points=(30, 30, 10), assistants=(4, 3, 9)), counted=False)
    assert [(why.rule, why.facts) for why in GAME.score(joined).because] == [("end.uncounted", {"points": 35})]
    assert GAME.score(joined).winners == ()
    assert GAME.expects(joined).key == "over_tied"


def test_end_uncounted__without_a_tie_no_cards_are_counted() -> None:
    joined = replace(ended(points=(30, 31, 10)), counted=False)
    assert [why.rule for why in GAME.score(joined).because] == ["end.winner"]
    assert GAME.expects(joined).key == "over"


def test_end_shared__a_complete_tie_has_several_winners() -> None:
    """The book has no further tie-break."""
    sheet = GAME.score(ended(points=(30, 30, 30), assistants=(3, 2, 1), hands=(4, 5, 4)))
    assert (sheet.winners, sheet.winner) == ((RED, YELLOW), None)
    facts = {"seats": ("red", "yellow"), "points": 35, "together": 7}
    assert [(why.rule, why.facts) for why in sheet.because] == [("end.shared", facts)]
    assert ENGLISH.applied(sheet.because[0]) == (
        "A tie: Red, Yellow have 35 points each and equally many assistants and cards (7). They share the victory."
    )


@pytest.mark.parametrize(("first", "winner"), [(RED, YELLOW), (YELLOW, RED), (GREEN, YELLOW)])
def test_end_still_tied__by_the_house_rule_the_later_place_in_the_order_of_play(first: int, winner: int) -> None:
    facts = {"phase": "over", "points": (30, 30, 10), "hands": (4, 4, 4)}
    state = table(3, first=first, complete_tie="later", facts=facts)
    sheet = GAME.score(replace(state, assistants=(2, 2, 2)))
    assert sheet.winner == winner
    assert [why.rule for why in sheet.because] == ["end.winner", "end.tie", "end.still-tied"]
    assert sheet.because[2].facts == {"seat": ("red", "yellow")[winner]}


def test_while_the_game_runs_no_seat_has_won_and_the_end_is_not_counted() -> None:
    state = table(4, facts={"points": (5, 0, 0, 0), "nobility": (3, 0, 0, 0), "bonuses": (("iron", BLUE),)})
    sheet = GAME.score(state)
    assert sheet.winner is None
    assert [seat.total for seat in sheet.seats] == [5, 0, 0, 5]
