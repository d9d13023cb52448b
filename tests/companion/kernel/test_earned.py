"""Points on a track keep their reasons, for the score sheet."""

from __future__ import annotations

from companion.kernel.rules import Earned, Line, Note, earn, earned_lines

FAIR = Note("fair.points", {"round": 2})
GUEST = Note("guest.points", {"guest": "king"})


def test_the_same_reason_is_one_entry_and_the_order_of_play_does_not_matter() -> None:
    one = earn(earn(earn((), "fairs", 4, FAIR), "guests", 1, GUEST), "fairs", 2, FAIR)
    other = earn(earn((), "guests", 1, GUEST), "fairs", 6, FAIR)
    assert one == other
    assert {entry.points for entry in one} == {6, 1}


def test_points_that_were_given_back_leave_no_line() -> None:
    assert earn(earn((), "fairs", 4, FAIR), "fairs", -4, FAIR) == ()


def test_what_was_not_seen_earned_is_a_line_of_its_own() -> None:
    earned = (Earned("fairs", "fair.points", (("round", 2),), 4),)
    assert list(earned_lines(earned, 9, "score.track")) == [
        Line("fairs", 4, Note("fair.points", {"round": 2, "points": 4})),
        Line("points", 5, Note("score.track", {"points": 5})),
    ]
    assert [line.points for line in earned_lines(earned, 1, "score.track")] == [4, -3]
    assert [line.points for line in earned_lines(earned, 4, "score.track")] == [4]
