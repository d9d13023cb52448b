"""Pieces that people described, as pieces of the box: what each is called, and which stand-in makes room for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal

from msgspec.structs import asdict, replace

from companion.kernel import box as kernel
from companion.kernel.box import Learned
from companion.kernel.forms import CannotLearn

from .box import (
    BUILDINGS,
    Box,
    Building,
    Counted,
    Effect,
    Manuscript,
    PlayerCard,
    Scheme,
)
from .components import effect_word, reward_word, symbols_in, symbols_word

NOTHING: Final = "nothing"
START, FUTURE = "start", "future"
PILES: Final = (START, FUTURE)
BRINGS: Final = (
    "ink", "gold", "stone", "silver", "any", "virtue", "corruption", "deed", "debt", "flip", "flip_deed", "flip_debt",
    "hire", "destroy", "discard", "move", "workers", "rearrange", "shuffle", "manuscript", *BUILDINGS,
)  # fmt: skip
"""The words of the box's effects, as forms use them."""
SCHEME_BRINGS: Final = (
    "any", "ink", "gold", "stone", "virtue", "corruption", "deed", "debt", "flip", "flip_deed", "flip_debt", "scheme",
    "dismiss", "workers",
)  # fmt: skip
ONCE: Final = ("rearrange", "shuffle", "manuscript")
COUNTS: Final[tuple[Counted, ...]] = (
    "merchant", "builder", "noble", "cleric", "criminal", "manuscript", "approved", "paid", "worker", "good",
    "building",
)  # fmt: skip
SYMBOLS_OF_SCHEMES: Final = ("cleric", "builder", "noble", "criminal")
TRIES: Final = ("focus", "build", "workers", "manuscript")
ON_SIGHT: Final = (
    ("manuscript", "manuscripts"),
    ("player_card", "player_cards"),
    (START, "solo.starting"),
    (FUTURE, "solo.future"),
)
"""The pieces that are described on sight, and the facts of the box that hold them."""


# The pieces themselves


def effect_of(amounts: Mapping[str, int]) -> Effect:
    """Return the effect that a form's amounts mean."""
    plain: dict[str, Any] = {name: number for name, number in amounts.items() if name not in (*BUILDINGS, *ONCE)}
    plain |= {name: True for name in ONCE if name in amounts}
    build: Building | Literal[""] = next((name for name in BUILDINGS if name in amounts), "")
    return Effect(**plain, build=build)


def manuscript_of(learned: Learned) -> Manuscript:
    answers = learned.answers
    first, second = effect_of(answers["brings"]), effect_of(answers["instead"])
    effect = Effect(either=(first, second)) if answers["instead"] else first
    counts: Counted = "" if answers["counts"] == NOTHING else answers["counts"]
    each = answers["each"] if counts else 1
    return Manuscript(answers["cost"], answers["ribbon"], effect, counts, each)


def player_card_of(learned: Learned) -> PlayerCard:
    return PlayerCard(effect_of(learned.answers["brings"]), learned.answers["here"])


def number_of(learned: Learned) -> int:
    number: int = learned.answers["number"]
    return number


def scheme_of(learned: Learned) -> Scheme:
    answers = learned.answers
    tries = tuple(one for one in (answers["tries"], answers["then"]) if one != NOTHING)
    does, otherwise = effect_of(answers["brings"]), effect_of(answers["otherwise"])
    return Scheme(does, answers["steps"], tries, otherwise, **answers["symbols"])


def check_possible(learned: Learned) -> None:
    """Check that a piece of this form is possible. Raises `CannotLearn`."""
    answers = learned.answers
    for field in ("brings", "instead", "otherwise"):
        amounts = answers.get(field, {})
        if sum(amounts.get(kind, 0) for kind in BUILDINGS) > 1 or any(amounts.get(one, 0) > 1 for one in ONCE):
            raise CannotLearn("once", field)
    match learned.form:
        case "manuscript":
            counts = answers["counts"] != NOTHING
            if not counts and not answers["brings"]:
                raise CannotLearn("nothing")
            if counts and (answers["brings"] or answers["instead"]):
                raise CannotLearn("either")
        case "player_card" if not answers["brings"]:
            raise CannotLearn("nothing")
        case "player_card" if answers["here"] and not set(BUILDINGS) & set(answers["brings"]):
            raise CannotLearn("here")
        case "scheme" if not answers["symbols"]:
            raise CannotLearn("nothing")


# Their names


def names(box: Box) -> tuple[str | int, ...]:
    """Return what moves call each piece that was described, in that order."""
    found: list[str | int] = []
    for one in box.learned:
        found.append(_name(box, one, found))
    return tuple(found)


def _name(box: Box, learned: Learned, before: Iterable[str | int]) -> str | int:
    match learned.form:
        case "manuscript":
            return _distinct(_script_name(manuscript_of(learned)), before)
        case "player_card":
            return number_of(learned)
        case _:
            return _scheme_name(box, learned, before)


def _script_name(script: Manuscript) -> str:
    """Return the name of a manuscript, which is read word by word: its ribbon, its cost, and what it brings or
    counts."""
    brings = f"each{script.each} counted_{script.counts}" if script.counts else reward_word(script.effect)
    return f"script ribbon_{script.ribbon} {script.cost}: {brings}"


def _scheme_name(box: Box, learned: Learned, before: Iterable[str | int]) -> str:
    """Return the name of a scheme: that of a stand-in with the same symbols, or else its symbols."""
    symbols, taken = symbols_in(scheme_of(learned)), set(before)
    alike = (name for name in _stand_ins(box, learned.answers["pile"]) if name not in taken)
    same = (name for name in alike if symbols_in(_pile(box, learned.answers["pile"])[name]) == symbols)
    return next(same, "") or _distinct(f"plan_{learned.answers['pile']} {symbols_word(symbols)}", before)


def _distinct(name: str, before: Iterable[str | int]) -> str:
    """Return a name with a number if others are alike."""
    seen = Counter(str(one).rpartition(" (")[0] if str(one).endswith(")") else str(one) for one in before)
    return name if not seen[name] else f"{name} ({seen[name] + 1})"


def look(learned: Learned) -> str:
    """Return how a manuscript is drawn: like those of the box."""
    script = manuscript_of(learned)
    brings = script.counts or effect_word(script.effect.either[0] if script.effect.either else script.effect)
    return f"{script.ribbon} {script.cost} {brings.partition('_')[0].rstrip('0123456789')}"


# Stand-ins


def _pile(box: Box, pile: str) -> dict[str, Scheme]:
    return box.solo.starting if pile == START else box.solo.future


def _stand_ins(box: Box, kind: str) -> list[str]:
    """Return the pieces of a kind that people have not confirmed, as shipped."""
    pieces: dict[str, Mapping[str, Any]] = {
        "manuscript": box.manuscripts,
        "player_card": box.player_cards,
        START: box.solo.starting,
        FUTURE: box.solo.future,
    }
    return [name for name in pieces[kind] if f"{dict(ON_SIGHT)[kind]}.{name}" in box.unverified]


@cache
def stand_in_names(box: Box) -> frozenset[str]:
    """Return the names of all stand-ins; player cards by their numbers."""
    described = {str(name) for name in names(box)}
    return frozenset(name for kind, _ in ON_SIGHT for name in _stand_ins(box, kind)) - described


def known(box: Box, kind: str) -> tuple[int, int]:
    """Return how many pieces of a kind are known for sure, and how many there are."""
    numbers = {
        "manuscript": len(box.manuscripts),
        "player_card": len(box.player_cards),
        START: len(box.solo.starting),
        FUTURE: len(box.solo.future),
    }
    return numbers[kind] - sum(name in stand_in_names(box) for name in _stand_ins(box, kind)), numbers[kind]


def added(box: Box, learned: Learned, unseen: tuple[str, ...] | None) -> tuple[Box, str]:
    """Return the box with this piece in place of a stand-in, and the name of that stand-in.

    During a game, only a stand-in that was not seen in it can be replaced. Raises `BoxError`, or `CannotLearn` if no
    stand-in is left.
    """
    before = names(box)
    name = str(_name(box, learned, before))
    if learned.form == "player_card":
        cards = {**box.player_cards, name: player_card_of(learned)}
        return kernel.with_piece(box, learned, {"player_cards": cards}), name
    kind = learned.form if learned.form == "manuscript" else learned.answers["pile"]
    left = [one for one in _stand_ins(box, kind) if one not in before and (unseen is None or one in unseen)]
    if not left:
        raise CannotLearn("all_known", number=known(box, kind)[1])
    if kind == "manuscript":
        script = manuscript_of(learned)
        leaves = _most_similar(box, left, script)
        kept = {one: found for one, found in box.manuscripts.items() if one != leaves}
        grey = tuple(name if one == leaves else one for one in box.start.grey)
        changes: dict[str, Any] = {"manuscripts": {**kept, name: script}, "start": replace(box.start, grey=grey)}
        return kernel.with_piece(box, learned, changes), leaves
    if name in _pile(box, kind) and name not in left:
        raise CannotLearn("out", name=name)
    leaves = name if name in left else left[-1]
    return kernel.with_piece(box, learned, {"solo": _with_scheme(box, kind, leaves, name, scheme_of(learned))}), leaves


def _most_similar(box: Box, left: list[str], script: Manuscript) -> str:
    """Return the stand-in that is most like a manuscript: of its ribbon and cost, or of its ribbon, or the last one."""
    scripts = box.manuscripts
    return max(left, key=lambda one: ((scripts[one].ribbon, scripts[one].cost) == (script.ribbon, script.cost),
                                      scripts[one].ribbon == script.ribbon, left.index(one)))  # fmt: skip


def _with_scheme(box: Box, pile: str, leaves: str, name: str, scheme: Scheme) -> dict[str, Any]:
    """Return the facts of the solo game with one scheme replaced by another, also among those that boards remove."""
    kept = {one: found for one, found in _pile(box, pile).items() if one != leaves}
    boards = {
        rival: replace(board, removed=tuple(name if one == leaves else one for one in board.removed))
        for rival, board in box.solo.boards.items()
    }
    part = "starting" if pile == START else "future"
    return {**asdict(box.solo), part: {**kept, name: scheme}, "boards": boards}
