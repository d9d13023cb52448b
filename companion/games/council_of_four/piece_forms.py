"""Pieces of other editions: forms by which people describe permits and reward tokens that the box does not hold.

A permit with the letters of a known one and another bonus corrects it. The number of permits in a region stays the
same: for each new one that people describe, one of the box will never come up.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel import box as kernel
from companion.kernel.box import Learned
from companion.kernel.capabilities import Family
from companion.kernel.forms import CannotLearn, Form, Number, SeveralOf, checked
from companion.kernel.messages import NewPiece

from .box import REGIONS, Bonus, Box, Token, cities_of, stack_sizes
from .moves import DrawNeutral, PutToken, TurnUp
from .referee.view import permit_label
from .rulebook.setup import tokens_left
from .state import State, region_of

PERMIT: Final = "permit"
TOKEN: Final = "token"
ON_TOKENS: Final = {
    "gold": Number(20),
    "points": Number(20),
    "assistants": Number(9),
    "cards": Number(9),
    "nobility": Number(9),
}
ON_PERMITS: Final = {**ON_TOKENS, "main": Number(2)}
TOKEN_FORM: Final = Form(TOKEN, dict(ON_TOKENS))


def permit_form(box: Box, region: int) -> Form:
    """Return the form for a permit of a region."""
    return Form(f"{PERMIT} {REGIONS[region]}", {"city": SeveralOf(cities_of(box, region)), **ON_PERMITS})


class PieceForms:
    """Lets the box of The Council of Four learn permits and tokens."""

    def form(self, state: State, move: Any, field: str) -> Form | None:
        """Return the form for a permit or token that a move would name."""
        match move, field:
            case TurnUp(place=place), "permit" if 0 <= place < len(state.offers):
                return permit_form(state.box, region_of(place))
            case DrawNeutral(region=region), "permit" if 0 <= region < len(REGIONS):
                return permit_form(state.box, region)
            case PutToken(), "token":
                return TOKEN_FORM
            case _:
                return None

    def learn(self, state: State, learned: Learned) -> State:
        """Return the state with the described piece in its box; raises `CannotLearn`."""
        box = with_learned_piece(state.box, learned)
        name = _name(box, learned)
        if learned.form == TOKEN:
            known = tokens_left(state)[name] > 0
        else:
            known = state.box.permits[_region(learned)].get(name) == _bonus(learned)
        if known:
            raise CannotLearn("known", name=name)
        return replace(state, box=box)

    def pieces(self, box: Box) -> tuple[NewPiece, ...]:
        """Return the pieces that people described."""
        return tuple(_piece(box, learned) for learned in box.learned)

    def families(self, _box: Box) -> tuple[Family, ...]:
        """Return no families: the box holds the pieces of most editions."""
        return ()


def with_learned_pieces(box: Box, learned: tuple[Learned, ...]) -> Box:
    """Return a box with everything that people described in earlier games; raises `BoxError`."""
    try:
        return reduce(with_learned_piece, learned, box)
    except CannotLearn as error:
        raise kernel.BoxError(
            f"The answers for {box.game} hold a piece that cannot be ({error}); take it out of `{kernel.LEARNED}`."
        ) from error


def with_learned_piece(box: Box, learned: Learned) -> Box:
    """Return the box with one more piece; raises `CannotLearn`."""
    learned = Learned(learned.form, checked(_form(box, learned.form), learned.answers))
    name, bonus = _name(box, learned), _bonus(learned)
    if bonus == Bonus():
        raise CannotLearn("nothing")
    if learned.form == TOKEN:
        known = box.tokens.get(name, Token(0, bonus))
        tokens = {**box.tokens, name: replace(known, number=known.number + 1)}
        return kernel.with_piece(box, learned, {"tokens": tokens})
    region = _region(learned)
    permits = {**box.permits, region: {**box.permits[region], name: bonus}}
    return kernel.with_piece(box, learned, {"permits": permits, "stacks": stack_sizes(box)})


def _form(box: Box, name: str) -> Form:
    """Return the form with this name; raises `CannotLearn`."""
    forms = (TOKEN_FORM, *(permit_form(box, region) for region in range(len(REGIONS))))
    found = next((form for form in forms if form.name == name), None)
    if found is None:
        raise CannotLearn("not_the_form")
    return found


def _region(learned: Learned) -> str:
    """Return the region that a described permit belongs to."""
    return learned.form.removeprefix(f"{PERMIT} ")


def _bonus(learned: Learned) -> Bonus:
    """Return the bonus of a described piece."""
    return Bonus(**{symbol: learned.answers[symbol] for symbol in ON_PERMITS if symbol in learned.answers})


def _name(box: Box, learned: Learned) -> str:
    """Return the name that the box has for a piece, or would give it."""
    if learned.form == TOKEN:
        bonus = _bonus(learned)
        named = "_".join(f"{symbol}{number}" for symbol, number in sorted(learned.answers.items()) if number)
        return next((name for name, token in box.tokens.items() if token.bonus == bonus), named)
    letters = learned.answers["city"]
    return next((name for name in box.permits[_region(learned)] if sorted(name) == letters), "".join(letters))


def _piece(box: Box, learned: Learned) -> NewPiece:
    """Return how moves and layouts call a described piece."""
    name = _name(box, learned)
    if learned.form == TOKEN:
        return NewPiece(name, TOKEN, name)
    brings = " ".join(f"{symbol}{learned.answers[symbol]}" for symbol in ON_PERMITS if learned.answers[symbol])
    return NewPiece(name, PERMIT, permit_label(name), f"{name} {brings}")
