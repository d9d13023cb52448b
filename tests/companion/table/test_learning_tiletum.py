"""Described tiles of Tiletum: written with their moves, taken back with them, kept for the next box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.daemon.journal_folder import Opened
from companion.daemon.new_pieces import NewPieceKeeper
from companion.games.tiletum.moves import OfferContract, OfferGuest, Reveal
from companion.kernel.box import LEARNED, Answers
from companion.kernel.rules import Seat
from tests.games.tiletum.table import laid_out, lots

from .evening import Evening, kinds, none, one

GAME = games.load("tiletum")
SEATS = (Seat("red", "Ada"), Seat("green"))
DEAR = {"needs": {"stone": 2}, "brings": {"points": 4}}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening.begin(GAME, tmp_path, SEATS)
    none(evening.tells(next(iter(GAME.moves(evening.state)))), "refused")
    yield evening
    evening.holds()
    evening.table.close()


def describe(evening: Evening, move: Any, field: str, answers: dict[str, Any]) -> list[Any]:
    return evening.asks("learn", None, move=msgspec.to_builtins(move), field=field, answers=answers)


def test_a_contract_is_described_undone_and_described_again(evening: Evening) -> None:
    before = evening.state
    told = describe(evening, OfferContract(0, ""), "contract", DEAR)
    assert kinds(told)[:2] == ["learned", "moved"]
    assert one(told, "learned")["says"]["de"] == "Ab jetzt kenne ich: Plättchen «2 Stein für 4 Siegpunkte»."
    assert evening.state.contracts[0] == "stone2 for points4"
    evening.asks("undo")
    assert evening.state == before
    evening.asks("redo")
    again = evening.reopened()
    assert again.state == evening.state
    again.table.close()


def test_a_correction_of_an_earlier_tile_keeps_what_came_later(evening: Evening) -> None:
    """It is unknown which stand-in the described tile replaces, so no later move is lost."""
    none(evening.tells(OfferContract(0, "wool3")), "refused")
    wrong = evening.table.ledger.now
    for place, contract in enumerate(("same4", "iron5", "wool4 iron4"), start=1):
        moves = [move for move in GAME.moves(evening.state) if move == OfferContract(place, contract)]
        none(evening.tells(moves[0] if moves else OfferContract(place, f"iron{place + 2}")), "refused")
    later = evening.state.contracts[1:]
    body = {"event": wrong.n, "move": msgspec.to_builtins(OfferContract(0, "")), "field": "contract", "answers": DEAR}
    assert "corrected" in kinds(evening.asks("correct", **body))
    assert evening.state.contracts == ("stone2 for points4", *later)


def test_a_corruption_marker_that_we_thought_there_was_none_of(evening: Evening) -> None:
    """A third 0 in one round: the stand-ins have two of each."""
    for move in lots(laid_out(2)):
        none(evening.tells(move), "refused")
    refused = False
    while evening.state.corruption.count(0) < 3:
        move = _next(evening.state)
        if not isinstance(move, Reveal):
            none(evening.tells(move), "refused")
        elif move.value == 0:
            refused = refused or bool(one(describe(evening, move, "value", {"steps": 0}), "refused"))
            none(evening.tells(move), "refused")
        else:
            none(describe(evening, move, "value", {"steps": 0}), "refused")
    assert refused, "as long as there is one left, it is chosen from the list"
    assert evening.state.corruption == (0, 0, 0)
    assert evening.state.box.corruption.markers.count(0) == 3


def _next(state: Any) -> Any:
    """A move that leads to the next corruption marker."""
    kinds_ = ("Reveal", "OfferContract", "OfferGuest", "PutDie", "TakeDie", "Gather", "TakeTile", "EndTurn")
    moves = sorted(GAME.moves(state), key=lambda one: (*kinds_, type(one).__name__).index(type(one).__name__))
    return moves[0]


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"needs": {}, "brings": {"points": 4}}, "asks for one good at least"),
        ({"needs": {"wool": 3}, "brings": {"points": 7}}, "already"),
        ({**DEAR, "mark": "four"}, "stays in the box with 2 players"),
    ],
)
def test_what_cannot_be_is_refused_in_words(evening: Evening, answers: dict[str, Any], words: str) -> None:
    state = evening.state
    refusal = one(describe(evening, OfferContract(0, ""), "contract", answers), "refused")
    assert words in refusal["says"]["en"]
    assert evening.state == state


def test_the_next_box_knows_it(evening: Evening, tmp_path: Path) -> None:
    lessons = NewPieceKeeper(tmp_path / "home")
    opened = Opened(GAME, evening.table)
    lessons.opened(opened)
    sailor = {"character": "new", "name": "Sailor", "section": "merchant", "brings": {"gold": 4}}
    describe(evening, OfferGuest(0, ""), "guest", sailor)
    lessons.follow(opened, ())
    answers = Answers(tmp_path / "home", GAME.name).read()
    assert len(answers[LEARNED]) == 1
    assert "Sailor" in GAME.load_box(answers).guests
    evening.asks("undo")
    lessons.follow(opened, ())
    assert Answers(tmp_path / "home", GAME.name).read()[LEARNED] == []
