"""Every point on the track has its reason on the score sheet, also in the middle of a game."""

from __future__ import annotations

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import (
    Fulfil,
    HoldFair,
    JoinCathedral,
    Lodge,
    Move,
    PlaceCrest,
    PutHouse,
    ScoreCrown,
    UseHelper,
)
from companion.games.tiletum.state import State
from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.kernel.rules import changed
from companion.kernel.views import Marks, View

from .random_games import whole_game
from .table import (
    GUEST,
    MERCHANT,
    RED,
    acting,
    city,
    has,
    on_track,
    played,
    replace,
    table,
    with_figures,
    with_pillars,
    with_rooms,
    with_warehouse,
)


def reasons(state: State, *moves: Move) -> list[tuple[str, int]]:
    """The score sheet of red after these moves, in English."""
    speaker, after = Speaker(GAME.catalogue, "en"), played(state, *moves)
    return [(str(speaker.applied(line.because)), line.points) for line in GAME.score(after).seats[RED].lines]


def test_score_crown__round_and_field() -> None:
    state = on_track(table(facts={"phase": "king", "round": 1}), 5, 0, 0, 0)
    assert reasons(state, ScoreCrown()) == [("Round 2: space 5 of the king's track", 2)]


def test_score_leader__of_the_last_round() -> None:
    state = on_track(table(facts={"phase": "king", "round": 3}), 1, 0, 0, 0)
    assert ("Round 4: leader on the king's track", 4) in reasons(state, ScoreCrown())


def test_score_fair__round_city_and_tile() -> None:
    state = table(facts={"phase": "fair"})
    assert reasons(state, HoldFair()) == [("Fair 1 in Tiletum: 2 points for each house", 2)]


def test_score_contract__and_score_field() -> None:
    state = has(with_warehouse(table(), RED, "wool3"), RED, wool=3)
    assert reasons(state, Fulfil(RED, "wool3")) == [("Contract “3 wool”", 7), ("Contract field 1", 1)]


def test_score_field__each_has_its_own_line() -> None:
    state = has(with_warehouse(table(), RED, "wool3", "iron3"), RED, wool=3, iron=3)
    told = reasons(state, Fulfil(RED, "wool3"), Fulfil(RED, "iron3"))
    assert told[-2:] == [("Contract field 1", 1), ("Contract field 2", 2)]


def test_score_cathedral__both_tiles() -> None:
    state = has(with_pillars(table(), RED, "Paris"), RED, stone=3)
    told = reasons(state, JoinCathedral(RED, city("Paris")))
    assert told == [("Cathedral of Paris: 8 for the tile, 4 for the building costs", 12)]


def test_score_guest__which_one() -> None:
    state = with_warehouse(acting(GUEST, 1), RED, "captain points3")
    assert reasons(state, Lodge(RED, "captain points3", 0, 1)) == [("Guest: captain (3 points)", 3)]


def test_score_tile__which_one_also_when_guests_come_again() -> None:
    assert reasons(with_warehouse(table(), RED, "points3"), UseHelper(RED, "points3")) == [("Bonus tile “3 points”", 3)]
    state = with_rooms(with_warehouse(table(), RED, "again"), RED, 1, "captain points3")
    assert reasons(state, UseHelper(RED, "again", 1)) == [("Bonus tile “guests once more”", 3)]


def test_score_place__in_which_city() -> None:
    state = with_figures(acting(MERCHANT, 1), RED, merchant="Venezia")
    assert reasons(state, PutHouse(RED, city("Venezia"), 1)) == [("House in Venezia", 3)]


def test_score_crest__of_which_building() -> None:
    state = has(with_warehouse(table(), RED, "crest lily"), RED, food=2)
    assert reasons(state, PlaceCrest(RED, "crest lily", 5)) == [("Crest field of building 6", 5)]


def test_end_points__what_was_told_by_hand_or_taken_over_is_taken_from_the_track() -> None:
    state = played(with_warehouse(table(), RED, "points3"), UseHelper(RED, "points3"))
    view = GAME.view(state)
    more = View({**view.zones, "points": Marks({"red": 10, "green": 0, "orange": 0, "purple": 0})})
    assert reasons(GAME.state_from_view(state, more)) == [("Bonus tile “3 points”", 3), ("Taken from the track", 7)]
    wrong = GAME.play_unchecked(replace(state, phase="king"), ScoreCrown((2,)))
    assert wrong is not None
    assert ("Taken from the track", 2) in reasons(wrong)


def test_points_that_cannot_be_lost_are_not_on_the_sheet() -> None:
    state = on_track(table(facts={"phase": "king", "points": (2, 0, 0, 0)}), -4, 0, 0, 0)
    assert reasons(state, ScoreCrown()) == [("Round 1: space -4 of the king's track", -2), ("Taken from the track", 2)]


@pytest.mark.parametrize("seed", range(12))
def test_the_reasons_come_to_what_the_track_shows_in_every_state(seed: int) -> None:
    speakers = [Speaker(GAME.catalogue, language) for language in LANGUAGES]
    for state in whole_game(seed):
        for seat, points in enumerate(state.points):
            earned = state.earned[seat] if state.earned else ()
            assert sum(one.points for one in earned) == points, "nothing was told by hand"
    for sheet in GAME.score(state).seats:
        assert sheet.total == sum(line.points for line in sheet.lines)
        assert all("{" not in str(speaker.applied(line.because)) for speaker in speakers for line in sheet.lines)


def test_two_orders_of_the_same_deeds_lead_to_the_same_state() -> None:
    state = with_warehouse(acting(GUEST, 1), RED, "points3", "captain points3")
    helped, lodged = UseHelper(RED, "points3"), Lodge(RED, "captain points3", 0, 1)
    assert played(state, helped, lodged) == played(state, lodged, helped)
    assert changed(state.points, RED, 6) == played(state, helped, lodged).points
