"""The box holds the counted components, marks unconfirmed facts, and accepts people's answers."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.viscounts.box import FILE, Effect, load
from companion.games.viscounts.components import all_cards, links, plots_in_reach, sides, symbols_in
from companion.kernel.box import BoxError, doubts
from vision import layout

from .table import space

BOX = load()


def test_all_pieces_are_there_as_often_as_they_were_counted() -> None:
    assert (len(BOX.townsfolk), len(BOX.starters), len(BOX.heroes)) == (68, 8, 10)
    assert len(BOX.manuscripts) == 35
    assert (len(BOX.segments), len(BOX.castle.sections), len(BOX.player_cards)) == (5, 5, 10)
    assert len(BOX.track.fields) == 7
    assert BOX.workers == 20


def test_the_cards_of_the_rulebook_are_as_it_shows_them() -> None:
    cards = all_cards(BOX)
    assert cards["journeyman"].dropped == Effect(hire=1, virtue=1)
    assert (cards["antagonist"].criminal, cards["antagonist"].played) == (2, Effect(debt=1))
    assert (cards["woodcutter 1"].silver, cards["woodcutter 1"].hired) == (2, Effect(virtue=1))
    assert (cards["mason"].silver, cards["mason"].hired, cards["mason"].builder) == (1, Effect(rearrange=True), 1)
    assert (cards["racketeer 2"].silver, cards["racketeer 2"].hired) == (1, Effect(shuffle=True))
    assert cards["trader"].after_trade == Effect(silver=1)
    assert cards["abbot"].silver == 2


def test_every_card_has_a_symbol_and_at_most_one_ability() -> None:
    moments = ("played", "dropped", "after_trade", "after_build", "after_workers", "after_manuscript", "collision",
               "on_debt", "on_flip")  # fmt: skip
    for name, card in BOX.cards():
        assert any(symbols_in(card)), name
        assert sum(getattr(card, moment) != Effect() for moment in moments) + (card.swap is not None) <= 1, name
        assert 1 <= card.silver <= 3


def test_townsfolk_of_one_name_are_drawn_with_one_portrait_and_no_two_of_them_alike() -> None:
    """It is unknown whether each has a portrait of its own, so the readers must not depend on it."""
    looks = layout.load(FILE.with_name("layout.toml")).pieces["card"].looks
    cards = (*BOX.townsfolk, *BOX.starters, *BOX.heroes)
    assert len({looks[card] for card in cards}) == len(cards)
    numbered = [card for card in BOX.townsfolk if card[-1].isdecimal()]
    assert len(numbered) == 31
    for card in numbered:
        worth = BOX.townsfolk[card].silver
        assert looks[card].startswith(f"{card[:-2]}: ")
        assert looks[card].endswith(f" silver{worth}")


def test_there_are_five_main_exchanges() -> None:
    prices = {trade.merchants: trade.gives for segment in BOX.segments.values() for trade in segment.trades}
    assert prices[1] == Effect(silver=1)
    assert (prices[3], prices[4]) == (Effect(destroy=1), Effect(flip=1))


def test_the_link_of_the_rulebooks_example_brings_two_silver() -> None:
    assert BOX.segments["3-4"].five.plots[0] == Effect(ink=1)
    assert BOX.segments["3-4"].five.links[0] == Effect(silver=2)


def test_links_lead_both_ways_around_the_board() -> None:
    for players in (2, 4):
        for order in ((0, 1, 2, 3, 4), (0, 3, 1, 4, 2)):
            board = sides(BOX, players)
            for segment in range(5):
                for plot in range(len(board[segment].plots)):
                    for other, there, reward in links(BOX, players, order, segment, plot):
                        assert (segment, plot, reward) in links(BOX, players, order, other, there)


def test_a_river_parts_the_plots_of_every_segment() -> None:
    for players in (2, 3):
        for number in range(1, 11, 2):
            left, right = (set(plots_in_reach(BOX, players, space(one))) for one in (number, number + 1))
            assert left
            assert right
            assert not left & right
            assert len(left | right) == (4 if players == 2 else 5)


def test_what_nobody_could_confirm_is_asked_in_both_languages() -> None:
    asked = {doubt.fact: doubt.ask for doubt in doubts(FILE)}
    assert {f"player_cards.{number}" for number in range(3, 8)} <= asked.keys()
    assert sum(fact.startswith("manuscripts.") for fact in asked) == 14
    assert sum(fact.startswith("townsfolk.") for fact in asked) == 1 + 29  # one effect, and when 29 abilities work
    assert {"few_players", "start.grey", "townsfolk.lookout", "colours"} <= asked.keys()
    assert all(ask.de != ask.en for ask in asked.values())


def test_an_answer_takes_the_place_of_what_was_assumed() -> None:
    answered = load({"player_cards.3": {"effect": {"gold": 3}}, "townsfolk.strongman.hired": {"any": 1}})
    assert answered.player_cards["3"].effect == Effect(gold=3)
    assert answered.townsfolk["strongman"].hired == Effect(any=1)
    assert "player_cards.3" not in answered.unverified
    assert answered.digest != BOX.digest


@pytest.mark.parametrize(
    ("fact", "answer", "problem"),
    [
        ("player_cards.3", {"effect": {"gems": 3}}, "gems"),
        ("start.grey", ["black 3 flip"], "grey back"),
        ("segments.1-2.five.left", 5, "river"),
        ("townsfolk.lookout", {"silver": 1, "criminal": 1, "on_debt": {"debt": 1}}, "never end"),
        ("townsfolk.lookout", {"silver": 1, "criminal": 1, "on_flip": {"either": [{"flip": 1}]}}, "never end"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_in_a_sentence(fact: str, answer: Any, problem: str) -> None:
    with pytest.raises(BoxError, match=problem):
        load({fact: answer})


def test_an_effect_is_written_with_what_it_does_and_nothing_else() -> None:
    assert msgspec.json.encode(Effect(silver=2, virtue=1)) == b'{"silver":2,"virtue":1}'
