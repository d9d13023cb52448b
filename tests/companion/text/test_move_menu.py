"""The menu of moves reaches exactly the legal moves, in a few taps, and everything in it has words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
import pytest

from companion import games
from companion.games.council_of_four.moves import TurnUp
from companion.games.tumult_royale.box import Cost
from companion.games.tumult_royale.moves import FirstStatue, Place, SetAside
from companion.kernel.catalogue import LANGUAGES
from companion.kernel.game import Game
from companion.kernel.rules import Seat
from companion.simulation.selfplay import open_table, playing
from companion.text.entry_form import shortened
from companion.text.move_menu import SEAT, ByHand, leading_to, likely, of_seat, owners
from tests import nine_beds
from tests.games.council_of_four.table import laid_out, lots, played
from tests.games.tumult_royale.statue_table import sculptor
from tests.games.tumult_royale.table import field
from tests.work import calls

TUMULT = games.load("tumult_royale")
MOST_TAPS = 5
"""Four answers at the most, and the button."""
MOST_TO_READ = 24
"""Words of a list that nobody would like to be longer. Places on the map may be more."""


def positions(players: int, seed: str, every: int) -> Iterator[Any]:
    """Some positions of a whole random game."""
    state, world = open_table(TUMULT, players, "random", seed)
    for number, (before, _, _) in enumerate(playing(TUMULT, state, world)):
        if number % every == 0:
            yield before


def reached(hand: ByHand, state: Any, moves: Sequence[Any], chosen: list[str]) -> Iterator[tuple[Any, int]]:
    """Every move that the menu reaches from here, with its number of taps."""
    asked = hand.choices(state, moves, chosen)
    assert [step["id"] for step in asked["path"]] == chosen
    if asked["move"] is not None:
        assert not asked["options"]
        yield asked["move"], len(chosen) + 1
    for option in (*asked["options"], *asked["others"]):
        assert option.get("count", 1) > 0
        yield from reached(hand, state, moves, [*chosen, option["id"]])


def every_move_is_reached_once(game: Game[Any, Any], state: Any, seats: Sequence[Seat]) -> int:
    legal = list(game.moves(state))
    found = list(reached(ByHand(game, seats), state, legal, []))
    told = [msgspec.convert(move, game.move_type) for move, _ in found]
    assert len(told) == len(set(told)), "each in one way only"
    assert set(told) == set(legal)
    return max((taps for _, taps in found), default=0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_legal_move_and_no_other_is_reached_in_a_few_taps(players: int) -> None:
    taps = [every_move_is_reached_once(TUMULT, state, state.seats) for state in positions(players, "taps", 9)]
    assert len(taps) > 20
    assert 3 <= max(taps) <= MOST_TAPS


def test_lists_stay_short_enough_to_read() -> None:
    longest = 0
    for state in positions(4, "lists", 7):
        hand, moves = ByHand(TUMULT, state.seats), list(TUMULT.moves(state))
        for option in hand.choices(state, moves, [])["options"] or ():
            asked = hand.choices(state, moves, [option["id"]])
            if not all(one["places"] for one in asked["options"]):
                longest = max(longest, len(asked["options"]))
    assert 3 < longest <= MOST_TO_READ


def test_another_game_is_told_by_hand_too() -> None:
    seats = (Seat("blue", "Anna"), Seat("yellow"))
    state = nine_beds.GAME.setup(nine_beds.GAME.load_box(), seats)
    asked = ByHand(nine_beds.GAME, seats).choices(state, list(nine_beds.GAME.moves(state)), [])
    assert asked["asks"] == {"de": "Was zeigt der Würfel?", "en": "What does the die show?"}
    assert [option["id"] for option in asked["options"]] == [f"value={value}" for value in range(1, 7)]
    while nine_beds.GAME.actor(state) is not None:
        assert every_move_is_reached_once(nine_beds.GAME, state, seats) <= MOST_TAPS
        state = nine_beds.GAME.play(state, next(nine_beds.GAME.moves(state)))


# Words


def test_all_that_is_offered_is_in_words() -> None:
    """No internal numbers, no names of fields, no missing facts."""
    for state in positions(3, "words", 11):
        hand, moves = ByHand(TUMULT, state.seats), list(TUMULT.moves(state))
        asked = hand.choices(state, moves, [])
        for option in asked["options"]:
            for said in (option["says"], option["hint"], asked["asks"]):
                for language in LANGUAGES if said else ():
                    assert said[language]
                    assert "{" not in said[language]
                    assert "-1" not in said[language]


def paying(tiles: str, where: str) -> dict[str, dict[str, Any]]:
    """The payment options for a field beside one's own statue."""
    state = sculptor(tiles)
    moves = list(TUMULT.moves(state))
    asked = ByHand(TUMULT, state.seats).choices(state, moves, ["Place", f"field={field(state, where)}"])
    return {option["id"]: option for option in asked["options"]}


def test_what_an_answer_settles_is_told_with_it() -> None:
    options = paying("bread3 bread1 marble1 marble2", "I3")
    said = {name: (option["says"]["de"], option["hint"]["de"]) for name, option in options.items()}
    assert said["tiles=bread1+marble1"] == ("1 Brot, 1 Marmor", "0 Gefolgsleute zurück")
    assert said["tiles=bread3+marble2"] == ("3 Brote, 2 Marmor", "3 Gefolgsleute zurück")
    assert options["tiles=bread1+marble1"]["labels"] == ["bread1", "marble1"]


def test_what_is_the_same_is_said_once_with_its_number() -> None:
    options = paying("bread1 marble1 tool1 tool1 tool2", "G3")
    assert options["tiles=bread1+marble1+2*tool1"]["says"]["en"] == "1 bread, 1 marble, 2 × 1 tool"
    assert options["tiles=bread1+marble1+tool2"]["says"]["en"] == "1 bread, 1 marble, 2 tools"


# Places


def test_fields_are_shown_on_the_map_with_what_lies_there() -> None:
    state = sculptor("bread1 marble1 tool1")
    hand, moves = ByHand(TUMULT, state.seats), list(TUMULT.moves(state))
    options = hand.choices(state, moves, ["Place"])["options"]
    for option in options:
        assert option["places"] == [["statues", option["says"]["de"]]]
        assert option["hint"]["en"] in ("Meadow", "Forest")


# Whose moves


def test_a_seat_tells_its_own_moves_and_those_of_chance() -> None:
    for state in positions(3, "seats", 13):
        legal = list(TUMULT.moves(state))
        for seat in range(3):
            mine = of_seat(legal, seat, 3)
            assert set(owners(mine, 3)) <= {seat}
            assert [move for move in legal if not hasattr(move, SEAT)] == [m for m in mine if not hasattr(m, SEAT)]
        assert of_seat(legal, None, 3) == legal


def test_the_host_is_told_whose_moves_they_are() -> None:
    for state in positions(3, "host", 5):
        legal = list(TUMULT.moves(state))
        if len({type(move) for move in legal}) > 1 and len(owners(legal, 3)) > 1:
            hints = [option["hint"] for option in ByHand(TUMULT, state.seats).choices(state, legal, [])["options"]]
            assert any(hint and "Blue" in hint["en"] for hint in hints)
            return
    pytest.fail("no such position")


# Ids


def test_ids_stay_the_same_when_other_moves_appear_and_go() -> None:
    state = sculptor("bread1 bread2 marble1 tool1")
    hand, moves = ByHand(TUMULT, state.seats), list(TUMULT.moves(state))
    chosen = [step["id"] for step in _path_to(hand, state, moves, moves[0])]
    only_places = [move for move in moves if isinstance(move, Place)]
    asked = hand.choices(state, only_places, chosen)
    assert msgspec.convert(asked["move"], TUMULT.move_type) == moves[0]
    assert all(len(one) <= 32 for one in chosen)


def _path_to(hand: ByHand, state: Any, moves: Sequence[Any], wanted: Any) -> list[dict[str, Any]]:
    for move, path in _paths(hand, state, moves, []):
        if msgspec.convert(move, TUMULT.move_type) == wanted:
            return path
    raise AssertionError(wanted)


def _paths(hand: ByHand, state: Any, moves: Sequence[Any], chosen: list[str]) -> Iterator[tuple[Any, Any]]:
    asked = hand.choices(state, moves, chosen)
    if asked["move"] is not None:
        yield asked["move"], asked["path"]
    for option in asked["options"]:
        yield from _paths(hand, state, moves, [*chosen, option["id"]])


def test_what_does_not_fit_any_more_is_asked_again() -> None:
    state = sculptor("bread1 marble1 tool1")
    hand, moves = ByHand(TUMULT, state.seats), list(TUMULT.moves(state))
    asked = hand.choices(state, moves, ["Place", "field=99999", "nonsense"])
    assert [step["id"] for step in asked["path"]] == ["Place"]
    assert asked["field"] == "field"


def test_where_nothing_can_be_told_nothing_is_asked() -> None:
    state = sculptor("bread1")
    asked = ByHand(TUMULT, state.seats).choices(state, [], ["Place"])
    assert (asked["asks"], asked["options"], asked["move"], asked["path"]) == (None, [], None, [])


def test_the_likely_alternatives_differ_in_one_thing() -> None:
    moves = [FirstStatue(0, 4), FirstStatue(0, 5), FirstStatue(1, 5), SetAside(0, 3)]
    assert likely(moves, FirstStatue(0, 4)) == [FirstStatue(0, 5)]


# Cost


def dear(tiles: str) -> Any:
    """A landscape of very expensive meadows, which can be paid in very many ways."""
    state = sculptor(tiles)
    meadow = msgspec.structs.replace(state.box.fields["meadow"], cost=Cost(5, 5, 2))
    box = msgspec.structs.replace(state.box, fields={**state.box.fields, "meadow": meadow})
    return msgspec.structs.replace(state, box=box, land=("meadow",) * len(state.land))


def test_ten_thousand_moves_cost_little_more_than_to_list_them() -> None:
    state = dear(" ".join(f"{good}{value} " * 3 for good in ("bread", "marble", "tool") for value in (1, 2, 3)))
    hand, moves = ByHand(TUMULT, state.seats), list(TUMULT.moves(state))
    assert len(moves) > 10_000
    some_field = hand.choices(state, moves, ["Place"])["options"][0]["id"]
    listing = calls(lambda: list(TUMULT.moves(state)))
    asking = [calls(partial(hand.choices, state, moves, ["Place", *more])) for more in ((), (some_field,))]
    print(f"{len(moves)} moves: asked for at {max(asking) / listing:.1f} times the cost of listing them")
    assert max(asking) < 8 * listing


def test_a_board_is_chosen_by_what_it_would_show_where_it_lies() -> None:
    """People do not know a board by its name, but by its nine fields."""
    state = next(state for state in positions(2, "boards", 1) if state.phase == "boards")
    asked = ByHand(TUMULT, state.seats).choices(state, list(TUMULT.moves(state)), ["ShowBoard"])
    cells = [cell for _, cell in asked["where"]]
    assert len(cells) == 9
    heron = next(option for option in asked["options"] if option["id"] == "board=heron")
    assert [look[1] for look in heron["looks"]] == cells
    assert [look[2] for look in heron["looks"]][3] == "village"


# A piece that the box does not hold


def test_where_chance_turns_something_up_a_form_describes_what_is_none_of_these() -> None:
    council = games.load("council_of_four")
    state = played(laid_out(3), *(move for move in lots(laid_out(3)) if move != TurnUp(0, "A")))
    hand, moves = ByHand(council, state.seats), list(council.moves(state))
    asked = hand.choices(state, moves, [])
    assert asked["field"] == "permit"
    form = asked["form"]
    assert (form["name"], form["field"]) == ("permit coast", "permit")
    assert msgspec.convert(form["move"], council.move_type) in moves
    assert [field["name"] for field in form["fields"]][:2] == ["city", "gold"]
    assert all(field["says"]["de"] != field["says"]["en"] for field in form["fields"] if field["name"] != "gold")
    one = hand.choices(state, moves[:1], [])
    assert one["move"] is not None
    assert one["form"]["field"] == "permit", "the only one that is left need not be it either"


def test_other_questions_have_no_form() -> None:
    council = games.load("council_of_four")
    state = laid_out(3)
    hand, moves = ByHand(council, state.seats), list(council.moves(state))
    assert hand.choices(state, moves, [])["form"] is None, "a kind of move"
    assert hand.choices(state, moves, ["TurnUp"])["form"] is None, "a place"
    assert hand.choices(state, moves, leading_to(TurnUp(2, "F"), "permit"))["form"]["name"] == "permit hills"
    assert hand.choices(state, moves, ["PutCouncillor", "council=0", "place=0"])["form"] is None
    beds = nine_beds.GAME
    start = beds.setup(beds.load_box(), (Seat("blue"), Seat("yellow")))
    assert ByHand(beds, start.seats).choices(start, list(beds.moves(start)), [])["form"] is None


@pytest.mark.parametrize(
    ("texts", "short"),
    [
        (["tile “1 loaf”", "tile “2 loaves”"], ["1 loaf", "2 loaves"]),
        (["Gelber Würfel mit 1", "Rosa Würfel mit 1"], ["Gelber", "Rosa"]),
        (["Council of the coast, place 1", "Council of the coast, place 2"], ["1", "2"]),
        (["Anna's card", "Ben's card"], ["Anna", "Ben"]),
        (["the castle"], ["The castle"]),
        (["red", "red house"], ["Red", "Red house"]),
    ],
)
def test_buttons_side_by_side_leave_out_what_they_have_in_common(texts: list[str], short: list[str]) -> None:
    assert shortened(texts) == short
