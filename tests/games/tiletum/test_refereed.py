"""The referee at the table of Tiletum: what is seen, what is hidden, what is half done, and what is forbidden."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import (
    Advance,
    BuyGood,
    EndTurn,
    Fulfil,
    Gather,
    HoldFair,
    JoinCathedral,
    Lodge,
    Move,
    OfferContract,
    OfferGuest,
    PlaceCrest,
    PutDie,
    PutHouse,
    PutPillar,
    PutTile,
    Reveal,
    ScoreCrown,
    SetOrder,
    Swap,
    SweepGuests,
    TakeContract,
    TakeDie,
    TakeFavour,
    TakeFromCity,
    TakeGuest,
    TakeTile,
    TidyUp,
    TurnDie,
    UseHelper,
    Walk,
)
from companion.games.tiletum.state import State
from companion.messages import View
from companion.referee import Explained, Illegal, Referee, Settled, Unfinished

from .table import (
    ARCHITECT,
    CONTRACT,
    CROWN,
    GREEN,
    GUEST,
    JOKER,
    MERCHANT,
    RED,
    acting,
    city,
    fresh,
    has,
    off,
    on_track,
    opened,
    played,
    ready,
    replace,
    rolled,
    standing,
    table,
    with_pillars,
    with_warehouse,
)

REFEREE: Referee[Any, Any] = Referee(GAME)
PARIS = city("Paris")


def after(state: State, *moves: Move) -> View:
    return GAME.view(played(state, *moves))


def without(view: View, *zones: str) -> View:
    return View({name: contents for name, contents in view.zones.items() if name not in zones})


def explained(state: State, view: View) -> State:
    """The state to which what was seen leads."""
    found = REFEREE.judge(state, view)
    assert isinstance(found, Explained), found
    return played(state, *found.moves)


def test_all_that_chance_laid_out_is_told_at_one_look() -> None:
    assert explained(opened(3), GAME.view(ready(3))) == ready(3)


def test_all_dice_are_told_at_one_look() -> None:
    assert explained(ready(), GAME.view(rolled(ready()))) == rolled(ready())


def at_contract() -> State:
    return acting(CONTRACT, 3, leave_tile=True)


CASES: list[tuple[State, tuple[Move, ...]]] = [
    (fresh(), (Reveal(2, 2),)),
    (fresh(), (Reveal(2, 1), TakeDie(RED, "blue", 3))),
    (table(), (TakeDie(RED, "blue", 3), Gather(RED, "iron"))),
    (has(table(), RED, gold=5), (TakeDie(RED, "blue", 3), TurnDie(RED, 4), Gather(RED, "iron"))),
    (table(), (TakeDie(RED, "yellow", 1), Gather(RED, "gold"), TakeTile(RED, ARCHITECT))),
    (acting(MERCHANT, 5), (Walk(RED, "merchant", PARIS), PutHouse(RED, PARIS, 1))),
    (
        acting(ARCHITECT, 5),
        (
            Walk(RED, "architect", PARIS),
            PutPillar(RED, PARIS),
            TakeFromCity(RED, PARIS, "architect"),
            Walk(RED, "architect", city("Bordeaux")),
        ),
    ),
    (acting(GUEST, 4), (TakeGuest(RED, 2), OfferGuest(2, "friar architect2"))),
    (acting(GUEST, 4), (TakeGuest(RED, 2), Lodge(RED, "captain merchant2", 0, 2))),
    (acting(GUEST, 4), (SweepGuests(RED),)),
    (at_contract(), (TakeContract(RED, 2), EndTurn(RED), OfferContract(0, "iron5"))),
    (at_contract(), (Swap(RED, "wool", ("iron", "food")),)),
    (acting(CROWN, 2), (Advance(RED, 2),)),
    (has(table(), RED, gold=4), (BuyGood(RED, "stone"), BuyGood(RED, "iron"))),
    (has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2), (Fulfil(RED, "wool2 iron1"),)),
    (has(with_warehouse(table(), RED, "crest lily"), RED, food=2), (PlaceCrest(RED, "crest lily", 3),)),
    (has(with_pillars(table(), RED, "Paris"), RED, stone=4), (JoinCathedral(RED, PARIS),)),
    (with_warehouse(table(), RED, "points3"), (UseHelper(RED, "points3"),)),
    (
        has(with_warehouse(at_contract(), RED, "iron2 gold2"), RED, gold=3, iron=1, stone=4),
        (Swap(RED, "stone", ("iron", "iron")), Fulfil(RED, "iron2 gold2")),
    ),
    (
        has(with_pillars(table(), RED, "Paris"), RED, gold=2, stone=1),
        (BuyGood(RED, "stone"), JoinCathedral(RED, PARIS)),
    ),
    (on_track(table(facts={"phase": "favour"}), 0, 4, 0, 0), (TakeFavour(GREEN), ScoreCrown(), SetOrder(), HoldFair())),
    (table(facts={"phase": "tidying"}), (TidyUp(), PutDie(MERCHANT, "blue", 1))),
    (
        replace(table(facts={"phase": "tidying", "favours": ("",)})),
        (TidyUp(), PutTile("favour 1", "again")),
    ),
]


@pytest.mark.parametrize(("state", "moves"), CASES, ids=lambda case: "")
def test_what_people_do_between_two_looks_is_found(state: State, moves: tuple[Move, ...]) -> None:
    assert GAME.view(explained(state, after(state, *moves))) == after(state, *moves)


def test_nothing_done_is_nothing_to_explain() -> None:
    assert isinstance(REFEREE.judge(table(), GAME.view(table())), Settled)


def test_a_hidden_wheel_does_not_hide_which_die_was_taken() -> None:
    moves = (TakeDie(RED, "dark_grey", 4), Gather(RED, "stone"))
    assert explained(table(), without(after(table(), *moves), "wheel contract")) == played(table(), *moves)


def test_a_die_in_the_hand_is_half_a_move() -> None:
    state = table()
    lifted = View({**GAME.view(state).zones, "wheel crown": after(state, TakeDie(RED, "blue", 5)).zones["wheel crown"]})
    found = REFEREE.judge(state, lifted)
    assert isinstance(found, Unfinished)
    assert found.moves == (TakeDie(RED, "blue", 5),)


FORBIDDEN: list[tuple[State, Any, str]] = [
    (ready(), PutDie(JOKER, "blue", 3), "roll.sorted"),
    (fresh(), Reveal(0, 1), "corruption.rightmost"),
    (table(), TakeDie(GREEN, "blue", 5), "turn.order"),
    (acting(MERCHANT, 1), TakeDie(RED, "blue", 5), "die.one"),
    (played(table(), TakeDie(RED, "blue", 5)), Gather(RED, "iron", off(iron=1)), "die.goods"),
    (played(table(), TakeDie(RED, "blue", 5)), Gather(RED, "wool"), "die.colour"),
    (acting(MERCHANT, 1), TakeTile(RED, JOKER), "tile.other"),
    (acting(MERCHANT, 1), Walk(RED, "merchant", city("Bordeaux")), "points.spend"),
    (acting(MERCHANT, 1), PutHouse(RED, PARIS, 0), "walk.stands"),
    (standing(acting(ARCHITECT, 1), RED, architect="Venezia"), PutPillar(RED, city("Venezia")), "architect.cathedral"),
    (acting(CROWN, 1), Advance(RED, 3), "points.spend"),
    (
        has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2),
        Fulfil(RED, "wool2 iron1", off(wool=1)),
        "bonus.paid",
    ),
    (has(table(), RED, stone=4), JoinCathedral(RED, PARIS), "cathedral.pillar"),
    (on_track(table(facts={"phase": "favour"}), 0, 4, 0, 0), TakeFavour(RED), "king.leader"),
]


@pytest.mark.parametrize(("state", "move", "rule"), FORBIDDEN, ids=[rule for _, _, rule in FORBIDDEN])
def test_what_is_forbidden_is_named_by_its_rule(state: State, move: Any, rule: str) -> None:
    imagined = GAME.pretend(state, move)
    assert imagined is not None
    found = REFEREE.judge(state, GAME.view(imagined))
    assert isinstance(found, Illegal), found
    assert rule in {breach.rule for one in found.tries for breach in one.breaches}
