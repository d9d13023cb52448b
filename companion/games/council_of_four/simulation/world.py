"""A simulated table of The Council of Four: who holds which cards, what lies face down, and two kinds of people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import (
    COUNCILS,
    REGIONS,
    SIDES,
    Bonus,
    card_kinds,
    cards_of,
    permits_of,
    token_numbers,
)
from companion.games.council_of_four.moves import (
    Build,
    BuildWithKing,
    BuyAction,
    BuyPermit,
    CopyPermit,
    CopyToken,
    Decline,
    DrawNeutral,
    Elect,
    EndTurn,
    Hire,
    LayOut,
    Move,
    PutCouncillor,
    PutToken,
    Send,
    Swap,
    Sweep,
    TakeFree,
    TurnUp,
)
from companion.games.council_of_four.rulebook.permits import refilling
from companion.games.council_of_four.rulebook.setup import cities_without_token
from companion.games.council_of_four.simulation.habits import done, habit, in_one_go, laid, signal, sort_of
from companion.games.council_of_four.simulation.mistakes import mistakes
from companion.games.council_of_four.state import (
    NONE,
    State,
    connected,
    open_permits,
    permit_bonus,
    permit_cities,
    region_of,
)
from companion.kernel.simulation import BotName

__all__ = ["done", "habit", "in_one_go", "laid", "mistakes", "options", "signal", "sort_of", "world"]

SWEEPS = 0.1
"""How often somebody tidies up the cards of a bribe."""
REMEMBERED = 12
"""So many positions back people can take moves back."""


def options(rng: Random) -> Mapping[str, Any]:
    return {
        "first": rng.randrange(2),
        "coast": rng.choice(SIDES),
        "hills": rng.choice(SIDES),
        "mountains": rng.choice(SIDES),
        "late_reward": rng.random() < 0.25,
        "free_permit": rng.choice(("before_refill", "before_refill", "after_refill")),
        "copy_new_permit": rng.random() < 0.25,
        "last_emporium": rng.choice(("each", "each", "first")),
        "permit_tie": rng.choice(("all", "all", "nobody")),
        "used_permits": rng.random() < 0.75,
    }


def world(state: State, bot: BotName, rng: Random) -> CouncilWorld:
    return CouncilWorld(state, bot, rng)


class Person(Protocol):
    """Somebody at the table."""

    def choose(self, state: State, moves: Sequence[Move], hand: Counter[str]) -> Move: ...


class Hidden(NamedTuple):
    """What nobody sees: the cards, and the stacks of permits with the top one last."""

    hands: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]
    discards: tuple[str, ...]
    stacks: tuple[tuple[str, ...], ...]


class CouncilWorld:
    """Knows every hand and every stack, and moves them as hands would."""

    def __init__(self, state: State, bot: BotName, rng: Random) -> None:
        self._rng = rng
        box = state.box
        deck = [kind for kind in card_kinds(box) for _ in range(cards_of(box, kind))]
        rng.shuffle(deck)
        hands = tuple(tuple(deck.pop() for _ in range(number)) for number in state.hands)
        stacks = tuple(tuple(rng.sample(permits_of(box, region), 15)) for region in range(len(REGIONS)))
        self._hidden = Hidden(hands, tuple(deck), (), stacks)
        self.tokens = rng.sample(list(token_numbers(box).elements()), len(box.cities) - 1)
        figures = [colour for colour in box.councillors.colours for _ in range(box.councillors.each)]
        rng.shuffle(figures)
        self.councils = tuple(
            tuple(figures.pop() for _ in range(box.councillors.in_a_council)) for _ in range(len(COUNCILS))
        )
        self.neutral = tuple(rng.choice(stack[:-2]) for stack in stacks)
        self.unused = len(self.neutral[0]) % 2  # which of the two unused colours serves for neutral emporiums
        self._earlier: dict[State, Hidden] = {}
        person = KeenPerson if bot == "keen" else RandomPerson
        self._people: list[Person] = [person(rng) for _ in state.seats]

    def hand(self, seat: int) -> Counter[str]:
        return Counter(self._hidden.hands[seat])

    def opened(self, state: State) -> tuple[str, ...]:
        """The permits that lie open at the start, by place."""
        return tuple(self._hidden.stacks[region_of(place)][-1 - place % 2] for place in range(len(state.offers)))

    def next_move(self, state: State, moves: Sequence[Move]) -> Move:
        self._hidden = self._earlier.get(state, self._hidden)  # somebody may have taken something back
        match state.phase:
            case "laying_out":
                return LayOut()
            case "lots":
                return self._lot(state)
            case _:
                return self._in_a_turn(state, moves)

    def _lot(self, state: State) -> Move:
        for city in cities_without_token(state):
            return PutToken(city, self.tokens[city - (city > state.map.purple)])
        for council, members in enumerate(state.councils):
            if NONE in members:
                place = members.index(NONE)
                return PutCouncillor(council, place, self.councils[council][place])
        for place in refilling(state):
            return self._turned_up(place)
        region = state.neutral.index(NONE)
        return DrawNeutral(region, self.neutral[region], self.unused)

    def _turned_up(self, place: int) -> Move:
        return TurnUp(place, self._hidden.stacks[region_of(place)][-1])

    def _in_a_turn(self, state: State, moves: Sequence[Move]) -> Move:
        place = next(refilling(state), None)
        if place is not None:
            return self._turned_up(place)
        if state.bribe and (not state.discards or self._rng.random() < SWEEPS):
            return Sweep()
        hand = self.hand(state.turn)
        mine = [move for move in moves if not isinstance(move, Sweep | TurnUp) and _holds(hand, move)]
        return self._people[state.turn].choose(state, mine, hand)

    def follow(self, before: State, move: Move) -> None:
        self._earlier[before] = self._hidden
        if len(self._earlier) > REMEMBERED:
            self._earlier.pop(next(iter(self._earlier)))
        match move:
            case TurnUp():
                self._change_stack(region_of(move.place), self._hidden.stacks[region_of(move.place)][:-1])
            case Swap():
                both = list(open_permits(before, move.region))
                self._rng.shuffle(both)
                self._change_stack(move.region, (*both, *self._hidden.stacks[move.region]))
            case _:
                self._cards(before, move)

    def _change_stack(self, region: int, stack: tuple[str, ...]) -> None:
        stacks = list(self._hidden.stacks)
        stacks[region] = stack
        self._hidden = self._hidden._replace(stacks=tuple(stacks))

    def _cards(self, before: State, move: Move) -> None:
        """Cards go from hands to the pile, and from the stack to hands."""
        after = GAME.play(before, move)
        cards: tuple[str, ...] = getattr(move, "cards", ())
        for seat in range(before.players):
            laid = cards if seat == getattr(move, "seat", None) else ()
            if laid:
                self._lay(seat, laid)
            for _ in range(after.hands[seat] - before.hands[seat] + len(laid)):
                self._draw(seat)

    def _lay(self, seat: int, cards: tuple[str, ...]) -> None:
        left = Counter(self._hidden.hands[seat])
        left.subtract(cards)
        if min(left.values(), default=0) < 0:
            raise ValueError(f"Somebody laid down {cards} without having them.")
        self._change_hand(seat, tuple(left.elements()))
        self._hidden = self._hidden._replace(discards=(*self._hidden.discards, *cards))

    def _draw(self, seat: int) -> None:
        hidden = self._hidden
        if not hidden.deck:
            hidden = hidden._replace(deck=tuple(self._rng.sample(hidden.discards, len(hidden.discards))), discards=())
        self._hidden = hidden._replace(deck=hidden.deck[:-1])
        self._change_hand(seat, (*hidden.hands[seat], hidden.deck[-1]))

    def _change_hand(self, seat: int, hand: tuple[str, ...]) -> None:
        hands = list(self._hidden.hands)
        hands[seat] = hand
        self._hidden = self._hidden._replace(hands=tuple(hands))


def _holds(hand: Counter[str], move: Move) -> bool:
    cards = getattr(move, "cards", ())
    return all(hand[card] >= number for card, number in Counter(cards).items())


class RandomPerson:
    """Makes any move, but is not so mad as to swap permits and councillors for ever."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, _state: State, moves: Sequence[Move], _hand: Counter[str]) -> Move:
        building = [move for move in moves if isinstance(move, Build | BuildWithKing | BuyPermit)]
        return self._rng.choice(building if building and self._rng.random() < 0.5 else moves)


WORTH: Final[Mapping[str, float]] = {
    "gold": 1.5,
    "points": 2.0,
    "assistants": 2.5,
    "cards": 2.5,
    "nobility": 3.0,
    "main": 7.0,
}
"""What a keen person thinks of each symbol, in half points."""


class KeenPerson:
    """Builds where it pays, buys the permits that bring most, and does something useful otherwise."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._noise = rng.choice((1.0, 3.0, 6.0))

    def choose(self, state: State, moves: Sequence[Move], hand: Counter[str]) -> Move:
        return max(moves, key=lambda move: _promise(state, move, hand) + self._rng.random() * self._noise)


def _promise(state: State, move: Move, hand: Counter[str]) -> float:
    match move:
        case Build():
            return 40 + _site(state, move.seat, move.city) - 2 * len(move.permit)
        case BuildWithKing():
            spent = state.map.roads[state.king][move.city] * 2 + 3 * len(move.cards)
            return 30 + _site(state, move.seat, move.city) - spent
        case BuyPermit():
            permit = state.offers[move.place]
            useful = any(not state.owns(move.seat, city) for city in permit_cities(state, permit))
            worth = 12 + 8 * useful + _value(permit_bonus(state, permit)) + 2 * len(move.cards)
            return worth - 6 * len(state.permits[move.seat])  # nobody needs many that are not built with
        case TakeFree():
            return 20 + _value(permit_bonus(state, state.offers[move.place]))
        case CopyToken():
            return 20 + _value(state.box.tokens[state.tokens[move.city]].bonus)
        case CopyPermit():
            return 20 + _value(permit_bonus(state, move.permit))
        case _:
            return _lesser_promise(state, move, hand)


def _lesser_promise(state: State, move: Move, hand: Counter[str]) -> float:
    match move:
        case Elect() | Send():
            wanted = hand[move.colour] - hand[state.councils[move.council][-1]]
            return 6 + wanted + 4 * (state.gold[move.seat] < 8) - 5 * isinstance(move, Send)
        case Hire():
            return 9 if state.assistants[move.seat] < 3 and state.gold[move.seat] > 10 else 1
        case BuyAction():
            return 11 if state.assistants[move.seat] > 5 else -2
        case Swap():
            return 2
        case EndTurn() | Decline():
            return 5
        case _:
            return 0


def _site(state: State, seat: int, city: int) -> float:
    """What a city brings at once, and how near it comes to a bonus tile."""
    tokens = [state.tokens[one] for one in connected(state, seat, city)]
    reward = sum(_value(state.box.tokens[token].bonus) for token in tokens if token)
    sets = [cities for cities in state.map.sets.values() if city in cities]
    near = sum(sum(state.owns(seat, other) for other in cities) / len(cities) for cities in sets)
    return reward + 8 * near


def _value(bonus: Bonus) -> float:
    return sum(float(getattr(bonus, symbol)) * worth for symbol, worth in WORTH.items())
