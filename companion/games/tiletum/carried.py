"""Answers about the box that were given while less of it was known: what is still used, and what is asked again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.kernel import box as kernel
from companion.kernel.sketches import reached

from .box import FILE

KNOWN_NOW: Final = frozenset(
    ("buildings.crest_food", "buildings.crest_bonus", "fairs.upper_floors.points", "fairs.crown.points")
)
"""Facts that were asked for once and are known now."""
MAP: Final = ("map.cities", "map.roads", "map.at", "map.fair_cities")
NO_SUCH_CITIES: Final = frozenset(("Tours", "Augsburg"))
"""Cities of the first stand-in for the map that the real one does not have."""


def fitting(answers: Mapping[str, Any]) -> dict[str, Any]:
    """The answers that are still used. A map that was drawn after the first stand-in is asked for again as a whole."""
    kept = {fact: value for fact, value in answers.items() if fact not in KNOWN_NOW}
    outdated = [fact for fact in MAP if fact in kept and not _fits(kept, fact)]
    drawn = "map.cities" in outdated or "map.at" in outdated
    return {fact: value for fact, value in kept.items() if fact not in (MAP if drawn else outdated)}


def _fits(answers: Mapping[str, Any], fact: str) -> bool:
    """Whether a part of the map fits the places that were drawn, or else those that we know."""
    try:
        named = _named(fact, answers[fact])
    except (TypeError, ValueError):
        return True  # no answer of ours looks like that: the box says what is wrong with it
    if named & NO_SUCH_CITIES:
        return False
    if fact == "map.cities" or "map.cities" in answers:
        return True
    known = set(kernel.facts(FILE, ("map.cities",))["map.cities"])
    return named <= known if fact == "map.fair_cities" else named == known and _connected(fact, answers[fact], known)


def _named(fact: str, answer: Any) -> set[str]:
    """The cities that an answer speaks of."""
    return {city for road in answer for city in road} if fact == "map.roads" else set(answer)


def _connected(fact: str, answer: Any, known: set[str]) -> bool:
    home: str = kernel.facts(FILE, ("map.home",))["map.home"]
    return fact != "map.roads" or reached(answer, home) == known
