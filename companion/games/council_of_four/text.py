"""The Council of Four in words: what the table waits for, the facts of a move, and the table as text for a terminal.

The sentences themselves stand in `rules.toml`; what people are told about a place is in `guide`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.kernel.catalogue import Speaker
from companion.kernel.game import Paint, plain
from companion.kernel.rules import ANYONE, CHANCE, Expected, Fact, Progress

from .box import COUNCILS, REGIONS, bonus_label, letters, place_name
from .moves import HERE, UNSEEN_CARD, Move
from .rulebook.emporiums import KINGS_REWARD
from .rulebook.nobility import choice_facts
from .rulebook.permits import places_refilled_now
from .rulebook.scoring import score
from .rulebook.setup import cities_without_token, neutrals_due
from .rulebook.turns import quick_moves
from .state import EMPTY, NEUTRAL, NO_SEAT, State, places_of, pool, region_of, unused_colours


def expects(state: State) -> Expected:
    """Return what the table waits for."""
    match state.phase:
        case "laying_out":
            return Expected("lay_out", {}, ANYONE, state.phase)
        case "lots":
            return _lots(state)
        case "turn":
            return _turn(state)
        case "over":
            sheet = score(state)
            best = max(seat.total for seat in sheet.seats)
            if not sheet.winners:
                return Expected("over_tied", {"points": best}, None, state.phase)
            if sheet.winner is None:
                seats = tuple(map(state.colour, sheet.winners))
                return Expected("over_shared", {"seats": seats, "points": best}, None, state.phase)
            return Expected("over", {"seat": state.colour(sheet.winner), "points": best}, None, state.phase)


def progress(state: State) -> Progress | None:
    """Return how far the game is; None before the first round and after the last."""
    if state.phase != "turn":
        return None
    seats = range(state.players)
    most = max(map(state.built, seats))
    facts: dict[str, Fact] = {"round": state.round, "built": most, "all": state.box.emporiums_each}
    key = "round" if state.ending == NO_SEAT else "last"
    return Progress(key, facts, state.round, tuple(seats))


def _lots(state: State) -> Expected:
    """Chance lays out one kind of piece after the other; any other order is accepted too."""
    tokens = len(cities_without_token(state))
    councillors = sum(members.count(EMPTY) for members in state.councils)
    permits = state.offers.count(EMPTY)
    if tokens:
        return Expected("put_tokens", {"left": tokens}, CHANCE, state.phase)
    if councillors:
        return Expected("put_councillors", {"left": councillors}, CHANCE, state.phase)
    if permits:
        return Expected("turn_up_permits", {"left": permits}, CHANCE, state.phase)
    assert neutrals_due(state)
    return Expected("draw_neutral", {"region": REGIONS[state.neutral.index(EMPTY)]}, CHANCE, state.phase)


def _turn(state: State) -> Expected:
    """What the player whose turn it is has to do next."""
    place = next(places_refilled_now(state), None)
    if place is not None:
        return Expected("refill", {"region": REGIONS[region_of(place)]}, CHANCE, state.phase)
    if state.choices:
        return _seat(state, f"choose_{state.choices[0].kind}", **choice_facts(state))
    if state.main and state.acted:
        return _seat(state, "another_action", actions=state.main)
    if state.main:
        return _seat(state, "main_action_left" if state.quick else "main_action", actions=state.main)
    possible = not state.quick and any(True for _ in quick_moves(state))
    return _seat(state, "quick_action" if possible else "turn_over")


def _seat(state: State, key: str, **facts: Fact) -> Expected:
    """A sentence about the seat whose turn it is."""
    return Expected(key, {"seat": state.colour(state.turn), **facts}, state.turn, state.phase)


def facts(state: State, move: Move) -> dict[str, Fact]:
    """Return the facts of a move, in words of the catalogue."""
    return {
        name: _word(state, move, name, value) for name, value in msgspec.structs.asdict(move).items() if name != "off"
    }


def _word(state: State, move: Move, name: str, value: Any) -> Fact:
    """Translate the value of one field of a move into a fact."""
    match name:
        case "seat":
            return state.colour(value)
        case "city":
            return state.city_name(value)
        case "king":
            return state.city_name(getattr(move, "city", HERE) if value == HERE else value)
        case "council":
            return COUNCILS[value] if 0 <= value < len(COUNCILS) else str(value)
        case "region":
            return REGIONS[value] if 0 <= value < len(REGIONS) else str(value)
        case "place" if hasattr(move, "council"):
            return int(value) + 1
        case "place":
            return place_name(value)
        case "tile":
            return value if value == KINGS_REWARD else bonus_label(value)
        case "cards":
            return _cards(value)
        case "unused":
            colours = unused_colours(state.box, state.seats)
            return colours[value] if 0 <= value < len(colours) else str(value)
        case "turned" | "unseen":
            return "yes" if value else "no"
        case _:
            fact: Fact = value
            return fact


def _cards(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Unseen cards are one fact with their number."""
    unseen = cards.count(UNSEEN_CARD)
    seen = tuple(card for card in cards if card != UNSEEN_CARD)
    return seen if not unseen else (*seen, UNSEEN_CARD if unseen == 1 else f"{UNSEEN_CARD}{unseen}")


def draw(state: State, speaker: Speaker, paint: Paint = plain) -> str:
    """Draw the councils, the cities and the seats as text."""
    return "\n".join(
        [*_councils(state, speaker, paint), "", *_cities(state, paint), "", *_seats(state, speaker, paint)]
    )


def _councils(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    """Draw a line for each council with its open permits, and one for the pool."""
    for council, name in enumerate(COUNCILS):
        members = " ".join(_councillor(colour, speaker, paint) for colour in state.councils[council])
        line = f"  {speaker.word(name):<10}{paint('→', 'dim')} {members}"
        if council < len(REGIONS):
            line += "   " + "  ".join(f"[{state.offers[place] or ' '}]" for place in places_of(council))
        yield line
    free = " ".join(f"{_councillor(c, speaker, paint)}×{n}" for c, n in pool(state.box, state.councils).items())
    yield f"  {'':<10}  {free}"


def _councillor(colour: str, speaker: Speaker, paint: Paint) -> str:
    """Draw a councillor, or a gap."""
    return paint(f"{speaker.word(colour) if colour else '?':<8}", colour or "dim")


def _cities(state: State, paint: Paint) -> Iterator[str]:
    """Draw a line for each region: letter, king, and emporiums by the first letter of their colour."""
    names = letters(state.box)
    for region in range(len(REGIONS)):
        yield "  " + "  ".join(_city(state, city, names[city], paint) for city in range(5 * region, 5 * region + 5))


def _city(state: State, city: int, letter: str, paint: Paint) -> str:
    """Draw a city: letter, king and emporiums."""
    bits = state.emporiums[city]
    owners = [seat.colour for number, seat in enumerate(state.seats) if bits >> number & 1]
    standing = "".join(paint(colour[0].upper(), f"on {colour}") for colour in owners)
    neutral = (bits // NEUTRAL).bit_count()
    standing += paint("n" * neutral, "dim") if neutral else ""
    width = len(owners) + neutral
    king = "♚" if state.king == city else " "
    return f"{paint(letter, state.map.colours[city])}{king}{standing}{' ' * (5 - width)}"


def _seats(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    """Draw a line for each seat."""
    for seat, owner in enumerate(state.seats):
        name = paint(owner.colour[0].upper(), f"on {owner.colour}") + paint(
            f" {speaker.word(owner.colour):<9}", owner.colour
        )
        turn = "→" if seat == state.turn and state.phase == "turn" else " "
        counts = (
            ("points", state.points[seat]),
            ("gold", state.gold[seat]),
            ("assistants", state.assistants[seat]),
            ("nobility", state.nobility[seat]),
            ("cards", state.hands[seat]),
        )
        facts = "  ".join(f"{number:>2} {speaker.word(what)}" for what, number in counts)
        permits = " ".join(f"[{permit}]" for permit in state.permits[seat])
        built = f"{state.built(seat)}/{state.box.emporiums_each}"
        yield f"{turn} {name}{built:>5}  {facts}  {permits}".rstrip()
