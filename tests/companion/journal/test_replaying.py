"""Replaying a journal gives the same State, or reports that the rules have changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import __version__
from companion.journal import (
    Entry,
    Journal,
    JournalError,
    NotAJournal,
    OtherRules,
    Setup,
    replay,
)
from companion.kernel.rules import Breach, Seat
from companion.kernel.views import Pieces, View

from .evening import (
    GAME,
    HEAD,
    DoublePebbles,
    Heap,
    SmallHands,
    json,
    now,
    played,
    rules,
)


class TestAGame:
    def test_written_down_and_played_again_is_the_same_to_the_byte(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            state = played(journal, 3, 2, 1, 3)
        with Journal.open(path, now) as journal:
            assert journal.head == HEAD
            assert json(replay(journal, GAME)) == json(state)
            assert state == Heap(12, (4, 5))

    def test_goes_on_where_it_was_left(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            played(journal, 3)
        with Journal.open(path, now) as journal:
            played(journal, 2)
            assert journal.last_number == len(journal) == 2
        assert [event.n for event in Journal.read(path).events()] == [1, 2]

    def test_that_nobody_began_to_play_is_its_set_up(self, path: Path) -> None:
        head = msgspec.structs.replace(HEAD, setup=msgspec.structs.replace(HEAD.setup, options={"extra": 4}))
        with Journal.create(path, head, now) as journal:
            assert len(journal) == 0
            assert list(journal.events()) == []
            assert replay(journal, GAME) == Heap(25, (0, 0))

    def test_can_be_looked_at_as_it_was_at_any_event(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            played(journal, 3, 2, 1)
            assert [replay(journal, GAME, upto=n).pebbles for n in range(4)] == [21, 18, 16, 15]
            with pytest.raises(JournalError, match="has no event 4: its last is 3"):
                replay(journal, GAME, upto=4)

    def test_taken_back_returns_to_what_it_was(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            played(journal, 3, 2)
            journal.append("undo", json({"to": 1}))
            assert replay(journal, GAME).pebbles == 18
            played(journal, 1)
            journal.append("undo", json({"to": 0}))
            assert replay(journal, GAME) == Heap(21, (0, 0))
            journal.append("undo", json({"to": 4}))
            assert replay(journal, GAME).pebbles == 17

    def test_cannot_be_taken_back_to_what_has_not_happened(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            journal.append("undo", json({"to": 1}))
            with pytest.raises(OtherRules, match="at event 1 no event 1 comes before it"):
                replay(journal, GAME)

    def test_takes_the_tables_word_for_it(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            played(journal, 3)
            journal.append("adopt", json(View({"heap": Pieces({"pebble": 7})})))
            assert replay(journal, GAME) == Heap(7, (0, 3))

    def test_is_not_changed_by_what_was_only_seen_or_said(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            played(journal, 3)
            journal.append_many([Entry("reading", b"{}"), Entry("note", b'"well played"')])
            played(journal, 2)
            assert [event.kind for event in journal.events()] == ["move", "reading", "note", "move"]
            assert replay(journal, GAME, verify="all").pebbles == 16

    def test_is_not_another_game(self, path: Path) -> None:
        Journal.create(path, msgspec.structs.replace(HEAD, game="marbles"), now).close()
        with pytest.raises(NotAJournal, match="holds marbles, not pebbles"):
            replay(Journal.read(path), GAME)


class TestOtherRules:
    """A journal can be read with changed rules; the first event that differs is reported."""

    @pytest.fixture
    def journal(self, path: Path) -> Iterator[Journal]:
        with Journal.create(path, msgspec.structs.replace(HEAD, rules="0.0.7"), now) as journal:
            played(journal, 1, 3, 2)
            yield journal

    @pytest.mark.parametrize("verify", ["last", "all"])
    def test_that_lead_elsewhere_are_found_at_the_first_event_that_differs(self, journal: Journal, verify: Any) -> None:
        with pytest.raises(OtherRules) as caught:
            replay(journal, rules(DoublePebbles()), verify=verify)
        assert caught.value.number == 1
        assert f"(companion 0.0.7, this is {__version__}): at event 1" in str(caught.value)

    def test_that_refuse_a_move_say_by_which_rule(self, journal: Journal) -> None:
        with pytest.raises(OtherRules, match=r"at event 2 .* refuse the move \(at-most\)") as caught:
            replay(journal, rules(SmallHands()))
        assert caught.value.number == 2
        assert caught.value.breaches == (Breach("at-most", {"most": 2}),)

    def test_that_do_not_know_a_move_say_so(self, journal: Journal) -> None:
        journal.append("move", json({"type": "throw"}))
        with pytest.raises(OtherRules, match="at event 4 the rules now know no such move") as caught:
            replay(journal, GAME)
        assert caught.value.number == 4

    def test_that_cannot_even_set_it_up_say_so(self, path: Path) -> None:
        alone = msgspec.structs.replace(HEAD, setup=Setup.of({"pebbles": 21}, [Seat("red")]))
        with (
            Journal.create(path, alone, now) as journal,
            pytest.raises(OtherRules, match="at the set-up Pebbles needs two players"),
        ):
            replay(journal, GAME)

    def test_that_differ_only_behind_the_asked_event_are_no_matter(self, journal: Journal) -> None:
        assert replay(journal, rules(SmallHands()), upto=1).pebbles == 20
