"""A simulated table of Viscounts of the West Kingdom: hands, piles, and two kinds of bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from msgspec.structs import replace

from companion.games.viscounts import GAME, moves
from companion.games.viscounts.box import RIVALS
from companion.games.viscounts.moves import Move
from companion.games.viscounts.rulebook.cards import source_of_play
from companion.games.viscounts.rulebook.deck import drawn_from_discards
from companion.games.viscounts.rulebook.setup import cards_left
from companion.games.viscounts.simulation.bots import KeenPerson, RandomPerson
from companion.games.viscounts.simulation.habits import done, habit, in_one_go, laid, signal, sort_of
from companion.games.viscounts.simulation.mistakes import mistakes
from companion.games.viscounts.state import NOWHERE, UNSEEN, State, hand_at_least, pile_top_unknown
from companion.kernel.rules import CHANCE
from companion.kernel.simulation import BotName

__all__ = ["done", "habit", "in_one_go", "laid", "mistakes", "options", "signal", "sort_of", "world"]

REMEMBERED: Final = 12
"""Maximum number of positions by which people can take moves back."""
FROM_CARDS: Final = (moves.PlayCard, moves.Discard, moves.Destroy)
"""Moves that show a hidden card."""


def options(rng: Random) -> Mapping[str, Any]:
    return {
        "first": rng.randrange(2),
        "gaps": rng.choice(("stay", "stay", "move")),
        "pass_action": rng.random() < 0.25,
        "dismiss_by_ability": rng.random() < 0.75,
        "building_order": rng.choice(("any", "any", "left_to_right")),
        "shuffle_symbol": rng.random() < 0.25,
        "bonus_symbols": rng.random() < 0.75,
        "opponent": rng.choice(RIVALS),
        "difficulty": rng.randrange(4),
    }


def world(state: State, bot: BotName, rng: Random) -> ViscountsWorld:
    return ViscountsWorld(state, bot, rng)


class Person(Protocol):
    """A person at the table."""

    def choose(self, state: State, moves: Sequence[Move]) -> Move: ...


class Hidden(NamedTuple):
    """Everything that is hidden: hands, and all piles with the top card last."""

    hands: tuple[tuple[str, ...], ...]
    piles: tuple[tuple[str, ...], ...]
    townsfolk: tuple[tuple[str, ...], ...]
    manuscripts: tuple[tuple[str, ...], ...]


class ViscountsWorld:
    """Knows every hand and every pile, and updates them after each move."""

    def __init__(self, state: State, bot: BotName, rng: Random) -> None:
        self._rng = rng
        self._seed = rng.random()
        segments = len(state.order)
        townsfolk = rng.sample(list(state.box.townsfolk), len(state.box.townsfolk))
        grey = rng.sample(state.box.start.grey, segments)
        black = [name for name in state.box.manuscripts if name not in grey]
        rng.shuffle(black)
        scripts = tuple((*black[place::segments], grey[place]) for place in range(segments))
        nothing = ((),) * len(state.hands)
        piles = tuple(tuple(townsfolk[place::segments]) for place in range(segments))
        self._hidden = Hidden(nothing, nothing, piles, scripts)
        self._order = (0, *rng.sample(range(1, segments), segments - 1))
        self._castle = rng.randrange(segments)
        self._cards = rng.sample(cards_left(state), len(state.cards))
        self._heroes = rng.sample(list(state.box.heroes), len(state.heroes))
        self._earlier: dict[State, Hidden] = {}
        person = KeenPerson if bot == "keen" else RandomPerson
        self._people: list[Person] = [person(rng) for _ in state.seats]

    def next_move(self, state: State, legal: Sequence[Move]) -> Move:
        self._hidden = self._earlier.get(state, self._hidden)  # moves may have been taken back
        chance = self.chance(state)
        if chance is not None:
            return chance
        actor = GAME.actor(state)
        if not isinstance(actor, int):
            return legal[0]
        return _told_simply(
            state, self._people[actor].choose(state, [move for move in legal if self._can(state, move)])
        )

    # What chance does

    def chance(self, state: State) -> Move | None:
        """Return what chance does next, or None."""
        if state.phase == "lots":
            return self._lot(state)
        if state.phase not in ("laying_out", "over") and pile_top_unknown(state):
            return self._turned_up(state)
        return self._scheme(state) if GAME.actor(state) == CHANCE else None

    def _scheme(self, state: State) -> Move:
        """Return what the opponent of a solo game turns up: always the same for the same piles."""
        legal = list(GAME.moves(state))
        known = f"{self._seed}/{state.schemes}/{state.futures}/{state.mixed}/{state.discards[state.rival]}"
        return Random(known).choice(legal)

    def _lot(self, state: State) -> Move:
        if NOWHERE in state.order:
            place = state.order.index(NOWHERE)
            return moves.PutSegment(place, self._order[place])
        if state.castle == NOWHERE:
            return moves.TurnCastle(self._castle)
        if pile_top_unknown(state):
            return self._turned_up(state)
        if NOWHERE in state.cards:
            place = state.cards.index(NOWHERE)
            return moves.OfferCard(place, self._cards[place])
        place = state.heroes.index("")
        return moves.OfferHero(place, self._heroes[place])

    def _turned_up(self, state: State) -> Move:
        if UNSEEN in state.offer:
            segment = state.offer.index(UNSEEN)
            pile = self._hidden.townsfolk[segment]
            return moves.TurnUp(segment, pile[-1]) if pile else moves.ShowPrinted(segment)
        segment = state.scripts.index(UNSEEN)
        return moves.TurnUpManuscript(segment, self._hidden.manuscripts[segment][-1])

    def recent(self) -> tuple[State, ...]:
        """Return the last positions."""
        return tuple(self._earlier)

    def under_townsfolk(self) -> dict[str, str]:
        """Return, by place, what would be on top if the top card were removed."""
        return self._under(self._hidden.townsfolk)

    def under_manuscripts(self) -> dict[str, str]:
        return self._under(self._hidden.manuscripts)

    def _under(self, piles: tuple[tuple[str, ...], ...]) -> dict[str, str]:
        return {str(place + 1): piles[segment][-1] for place, segment in enumerate(self._order) if piles[segment]}

    # Which cards people can play

    def _can(self, state: State, move: Move) -> bool:
        if not isinstance(move, FROM_CARDS) or state.phase == "draft":
            return True
        seat, hand = move.seat, self._hidden.hands[move.seat]
        if isinstance(move, moves.PlayCard):
            return move.card in hand if hand else move.card == self._top(state, seat)
        return move.card == self._top(state, seat) if move.source == "pile" else move.card in hand

    def _top(self, state: State, seat: int) -> str:
        """Return the top card of a pile; for an empty pile, the top card after the discards are shuffled."""
        pile = self._hidden.piles[seat]
        return pile[-1] if pile else Random(f"{state.discards[seat]}").choice(state.discards[seat])

    # Updates of what is hidden

    def follow(self, before: State, move: Move) -> None:
        self._earlier[before] = self._hidden
        if len(self._earlier) > REMEMBERED:
            self._earlier.pop(next(iter(self._earlier)))
        match move:
            case moves.TurnUp():
                townsfolk = _shorter(self._hidden.townsfolk, move.segment)
                self._hidden = self._hidden._replace(townsfolk=townsfolk)
            case moves.TurnUpManuscript():
                scripts = _shorter(self._hidden.manuscripts, move.segment)
                self._hidden = self._hidden._replace(manuscripts=scripts)
            case _:
                pass
        after = GAME.play(before, move)
        if after.phase not in ("laying_out", "lots", "draft"):
            self._cards_follow(before, move, after)

    def _cards_follow(self, before: State, move: Move, after: State) -> None:
        """Update the hidden cards: cards leave hands and piles, discards come into piles, and hands are filled."""
        both = [self._of_seat(seat, before, move, after) for seat in range(len(before.seats))]
        hands, piles = (tuple(tuple(one) for one in part) for part in zip(*both, strict=True))
        self._hidden = self._hidden._replace(hands=hands, piles=piles)

    def _of_seat(self, seat: int, before: State, move: Move, after: State) -> tuple[list[str], list[str]]:
        hand, pile = list(self._hidden.hands[seat]), list(self._hidden.piles[seat])
        if isinstance(move, FROM_CARDS) and move.seat == seat and before.phase != "draft":
            source = source_of_play(before, seat) if isinstance(move, moves.PlayCard) else move.source
            if drawn_from_discards(before, seat, source, move.card):
                pile = self._rng.sample(before.discards[seat], len(before.discards[seat]))
            (hand if source != "pile" and move.card in hand else pile).remove(move.card)
        come = Counter(after.hidden[seat])
        come.subtract(hand)
        come.subtract(pile)
        more = list((+come).elements())
        self._rng.shuffle(more)
        if isinstance(move, moves.DrawUp):
            pile = [*more, *pile]
        elif more:
            pile = self._rng.sample([*pile, *more], len(pile) + len(more))
        draws = before.phase == "draft" or (isinstance(move, moves.DrawUp) and move.seat == seat)
        while draws and len(hand) < hand_at_least(after, seat):
            hand.append(pile.pop())
        return hand, pile


def _told_simply(state: State, move: Move) -> Move:
    """Return the move as a camera knows it: it cannot see whether a card came from the hand or the pile, unless the
    pile was made of the discards."""
    if not isinstance(move, moves.Discard | moves.Destroy) or not state.hands[move.seat]:
        return move
    return move if move.card in state.discards[move.seat] else replace(move, source="hand")


def _shorter(piles: tuple[tuple[str, ...], ...], segment: int) -> tuple[tuple[str, ...], ...]:
    return tuple(pile[:-1] if number == segment else pile for number, pile in enumerate(piles))
