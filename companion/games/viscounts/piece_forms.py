"""Forms by which people describe cards: manuscripts, player cards and schemes of the solo game.

Some of them are stand-ins within known counts. A described manuscript or scheme takes the place of a stand-in that was
not seen in this game; a player card is known by its number and corrects the shipped one.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel import box as kernel
from companion.kernel.box import Learned
from companion.kernel.capabilities import Family
from companion.kernel.forms import Amounts, CannotLearn, Form, Number, OneOf, YesNo, checked
from companion.kernel.messages import NewPiece

from .box import RIBBONS, Box
from .components import card_word
from .moves import AddScheme, OfferCard, TurnScheme, TurnUpManuscript
from .new_pieces import (
    BRINGS,
    COUNTS,
    FUTURE,
    NOTHING,
    ON_SIGHT,
    PILES,
    SCHEME_BRINGS,
    START,
    SYMBOLS_OF_SCHEMES,
    TRIES,
    added,
    check_possible,
    known,
    look,
    manuscript_of,
    names,
    number_of,
    player_card_of,
    scheme_of,
)
from .state import State, unseen_manuscripts

MANUSCRIPT: Final = Form(
    "manuscript",
    {
        "ribbon": OneOf(RIBBONS),
        "cost": Number(7, least=3),
        "brings": Amounts(BRINGS, kinds=4),
        "instead": Amounts(BRINGS, kinds=4, seldom=True),
        "counts": OneOf((NOTHING, *COUNTS), usual=NOTHING),
        "each": Number(3, least=1),
    },
)
PLAYER_CARD: Final = Form(
    "player_card",
    {"number": Number(10, least=1), "brings": Amounts(BRINGS, most=20, kinds=9), "here": YesNo()},
)


def scheme_form(piles: tuple[str, ...] = PILES) -> Form:
    return Form(
        "scheme",
        {
            "pile": OneOf(piles, usual=piles[0] if len(piles) == 1 else ""),
            "symbols": Amounts(SYMBOLS_OF_SCHEMES, most=3, kinds=3),
            "brings": Amounts(SCHEME_BRINGS, kinds=4),
            "steps": Number(9),
            "tries": OneOf(TRIES),
            "then": OneOf((NOTHING, *TRIES), usual=NOTHING),
            "otherwise": Amounts(SCHEME_BRINGS, kinds=4),
        },
    )


class PieceForms:
    """How the box of Viscounts grows."""

    def form(self, state: State, move: Any, field: str) -> Form | None:
        match move, field:
            case TurnUpManuscript(), "manuscript" if state.phase != "lots" or "start.grey" in state.box.unverified:
                return MANUSCRIPT
            case OfferCard(), "number":
                return PLAYER_CARD
            case TurnScheme(), "scheme":
                return scheme_form()
            case AddScheme(), "scheme":
                return scheme_form((FUTURE,))
            case _:
                return None

    def learn(self, state: State, learned: Learned) -> State:
        learned = _checked(learned)
        if same := _existing_name(state, learned):
            raise CannotLearn("known", name=same)
        unseen = (*unseen_manuscripts(state), *state.schemes, *state.futures, *state.boxed)
        box, leaves = with_learned_piece(state.box, learned, unseen)
        name = str(names(box)[-1])
        turned = {leaves: name}
        return replace(
            state,
            box=box,
            schemes=tuple(turned.get(one, one) for one in state.schemes),
            futures=tuple(turned.get(one, one) for one in state.futures),
            boxed=tuple(turned.get(one, one) for one in state.boxed),
        )

    def families(self, box: Box) -> tuple[Family, ...]:
        return tuple(Family(fact, *known(box, form)) for form, fact in ON_SIGHT)

    def pieces(self, box: Box) -> tuple[NewPiece, ...]:
        return tuple(_piece(one, name) for one, name in zip(box.learned, names(box), strict=True))


def with_learned_pieces(box: Box, learned: tuple[Learned, ...]) -> Box:
    """Return a box with all pieces that people described in earlier games, in place of stand-ins. Raises `BoxError`."""
    try:
        return reduce(lambda now, one: with_learned_piece(now, _checked(one), None)[0], learned, box)
    except CannotLearn as error:
        raise kernel.BoxError(
            f"The answers for {box.game} hold a piece that cannot be ({error}); take it out of `{kernel.LEARNED}`."
        ) from error


def _checked(learned: Learned) -> Learned:
    forms = {form.name: form for form in (MANUSCRIPT, PLAYER_CARD, scheme_form())}
    if learned.form not in forms:
        raise CannotLearn("not_the_form")
    learned = Learned(learned.form, checked(forms[learned.form], learned.answers))
    check_possible(learned)
    return learned


def with_learned_piece(box: Box, learned: Learned, unseen: tuple[str, ...] | None) -> tuple[Box, str]:
    """Return the box with this piece, and the stand-in that it replaced."""
    try:
        return added(box, learned, unseen)
    except kernel.BoxError as error:
        raise CannotLearn("no_box", name=learned.form) from error


def _existing_name(state: State, learned: Learned) -> str:
    """Return what the box calls such a piece if it may still turn up: then there is nothing to describe."""
    box = state.box
    match learned.form:
        case "manuscript":
            wanted = manuscript_of(learned)
            return next((name for name in unseen_manuscripts(state) if box.manuscripts[name] == wanted), "")
        case "player_card":
            number = number_of(learned)
            sure = f"player_cards.{number}" not in box.unverified or number in names(box)
            same = sure and box.player_cards[str(number)] == player_card_of(learned)
            return card_word(number) if same else ""
        case _:
            pile = box.solo.starting if learned.answers["pile"] == START else box.solo.future
            there = (one for one in (*state.schemes, *state.futures, *state.boxed) if one in pile)
            return next((name for name in there if pile[name] == scheme_of(learned)), "")


def _piece(learned: Learned, name: str | int) -> NewPiece:
    match learned.form:
        case "manuscript":
            return NewPiece(name, "script", str(name), look(learned))
        case "player_card":
            return NewPiece(name, "player_card", card_word(int(name)))
        case _:
            return NewPiece(name, "card", str(name))
