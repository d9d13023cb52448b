"""Forms by which people describe tiles: bonus tiles, contracts, guests, building costs and corruption markers.

Most tiles of the box are stand-ins within known counts. A described tile takes the place of a stand-in. In the current
game it is unknown which one, so one stand-in fewer will turn up; for later games one has been removed from the box.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel import box as kernel
from companion.kernel.box import Learned
from companion.kernel.capabilities import Family
from companion.kernel.forms import (
    Amounts,
    CannotLearn,
    Form,
    Number,
    OneOf,
    Written,
    YesNo,
    checked,
)
from companion.kernel.messages import NewPiece

from .box import ACTIONS, GOODS, Box
from .components import all_guests
from .moves import OfferContract, OfferGuest, PutCost, PutTile, Reveal
from .new_pieces import (
    ALL,
    MARKS,
    NEW,
    SAME,
    added,
    character,
    contract_of,
    described,
    guest_of,
    marked,
    names,
    tile_effect,
    without_stand_ins,
)
from .referee.view import corruption_label
from .rulebook.kings_track import hidden_values
from .rulebook.setup import cost_word, costs_left
from .state import FREE, State, contract_stack, guest_stack, tile_stack

POINTS_FOR: Final = ("architect", "merchant", "guest", "contract")
BONUS: Final = ("points", *GOODS, "any", "crown", *POINTS_FOR, *FREE[:4])
"""What a contract or a guest may bring."""
BY_TILES: Final = (*POINTS_FOR, "crown", "joker", "raise", "any", "points", *GOODS)
MARK: Final = OneOf(MARKS, usual=MARKS[0])
ON_SIGHT: Final = {
    "tile": "tiles",
    "contract": "contracts",
    "guest": "guests",
    "cost": "costs",
    "corruption": "corruption.markers",
}
"""The facts of the box that these forms fill, one piece at a time."""

TILE: Final = Form(
    "tile",
    {
        "does": OneOf(("brings", "recolours", "again", "crest"), usual="brings"),
        "brings": Amounts(BY_TILES, kinds=3),
        "look": Written(20, needed=False),
        "mark": MARK,
    },
)
CONTRACT: Final = Form(
    "contract",
    {
        "needs": Amounts((*GOODS, SAME), kinds=5),
        "brings": Amounts(BONUS, most=30, kinds=4),
        "crest": YesNo(),
        "mark": MARK,
    },
)
COST: Final = Form("cost", {"stone": Number(9, least=1), "points": Number(20)})
CORRUPTION: Final = Form("corruption", {"steps": Number(2)})


def guest_form(box: Box) -> Form:
    """Return the form for guests; characters that were described before come before the stand-ins."""
    known = dict.fromkeys(character(one) for one in box.learned if one.form == "guest")
    who = (NEW, *dict.fromkeys((*known, *box.guests)))
    return Form(
        "guest",
        {
            "character": OneOf(who),
            "name": Written(24, needed=False),
            "section": OneOf(ACTIONS),
            "brings": Amounts(BONUS, most=20, kinds=3),
            "mark": MARK,
        },
    )


class PieceForms:
    """How the box of Tiletum grows."""

    def form(self, state: State, move: Any, field: str) -> Form | None:
        match move, field:
            case PutTile(), "tile":
                return TILE
            case OfferContract(), "contract":
                return CONTRACT
            case OfferGuest(), "guest":
                return guest_form(state.box)
            case PutCost(), "cost":
                return COST
            case Reveal(), "value":
                return CORRUPTION
            case _:
                return None

    def learn(self, state: State, learned: Learned) -> State:
        learned = _checked(state.box, learned)
        if (number := marked(learned)) > state.players:
            raise CannotLearn("sorted_out", mark=learned.answers["mark"], number=number, players=state.players)
        if known := _name_if_face_down(state, learned):
            raise CannotLearn("known", name=known)
        return replace(state, box=with_learned_piece(state.box, learned))

    def families(self, box: Box) -> tuple[Family, ...]:
        return tuple(Family(fact, *described(box, form)) for form, fact in ON_SIGHT.items() if fact in box.unverified)

    def pieces(self, box: Box) -> tuple[NewPiece, ...]:
        return tuple(_piece(one, name) for one, name in zip(box.learned, names(box.learned), strict=True))


def with_learned_pieces(box: Box, learned: tuple[Learned, ...]) -> Box:
    """Return a box with all pieces that people described in earlier games, in place of stand-ins. Raises `BoxError`."""
    try:
        grown = reduce(lambda now, one: with_learned_piece(now, _checked(now, one)), learned, box)
    except CannotLearn as error:
        raise kernel.BoxError(
            f"The answers for {box.game} hold a piece that cannot be ({error}); take it out of `{kernel.LEARNED}`."
        ) from error
    return without_stand_ins(grown) if learned else box


def _checked(box: Box, learned: Learned) -> Learned:
    forms = {form.name: form for form in (TILE, CONTRACT, COST, CORRUPTION, guest_form(box))}
    if learned.form not in forms:
        raise CannotLearn("not_the_form")
    learned = Learned(learned.form, checked(forms[learned.form], learned.answers))
    _sensible(box, learned)
    return learned


def with_learned_piece(box: Box, learned: Learned) -> Box:
    try:
        return added(box, learned)
    except kernel.BoxError as error:
        raise CannotLearn("no_box", name=learned.form) from error


# What no tile can be


def _sensible(box: Box, learned: Learned) -> None:
    """Check that a tile of this form is possible, and that one is still unknown. Raises `CannotLearn`."""
    match learned.form:
        case "tile":
            _sensible_tile(learned.answers)
        case "contract":
            _sensible_contract(learned.answers)
        case "guest":
            _sensible_guest(box, learned)
    there, most = described(box, learned.form)
    if there >= most:
        raise CannotLearn("all_known", number=most)


def _sensible_tile(answers: dict[str, Any]) -> None:
    brings = answers["does"] == "brings"
    if brings and not answers["brings"]:
        raise CannotLearn("nothing")
    if answers["brings"] and not brings:
        raise CannotLearn("either")


def _sensible_contract(answers: dict[str, Any]) -> None:
    if answers["crest"]:
        if answers["needs"] or answers["brings"]:
            raise CannotLearn("either")
        return
    if not answers["needs"]:
        raise CannotLearn("free")
    if not answers["brings"]:
        raise CannotLearn("nothing")


def _sensible_guest(box: Box, learned: Learned) -> None:
    answers, who = learned.answers, character(learned)
    if not who:
        raise CannotLearn("nameless")
    if answers["character"] == NEW and who in box.guests:
        raise CannotLearn("same_name", name=who)
    if not answers["brings"]:
        raise CannotLearn("nothing")
    before = {one.answers["section"] for one in box.learned if one.form == "guest" and character(one) == who}
    if before and answers["section"] not in before:
        raise CannotLearn("other_section", name=who, section=box.guests[who].section)


def _name_if_face_down(state: State, learned: Learned) -> str:
    """Return what the box calls such a tile if one may still lie face down: then there is nothing to describe."""
    box, same = state.box, ""
    match learned.form:
        case "tile":
            effect, own = tile_effect(learned), names((learned,))[0]
            alike = (one for one in tile_stack(state) if replace(box.tiles[one], number=ALL) == effect)
            same = next((one for one in alike if one == own or not effect.crest), "")
        case "contract":
            wanted = replace(contract_of(learned), players=2)
            stack = contract_stack(state)
            same = next((one for one in stack if replace(box.contracts[one], players=2) == wanted), "")
        case "guest":
            bonus, guests = guest_of(learned).bonus, all_guests(box)
            hidden = ((one, guests[one]) for one in guest_stack(state))
            same = next((one for one, (who, tile) in hidden if (who, tile.bonus) == (character(learned), bonus)), "")
        case "cost":
            name = names((learned,))[0]
            same = cost_word(str(name)) if name in costs_left(state) else ""
        case "corruption":
            value = learned.answers["steps"]
            same = corruption_label(value) if value in hidden_values(state) else ""
    return same


# On the table


def _piece(learned: Learned, name: str | int) -> NewPiece:
    """Return which pieces of the layout a piece may lie beside, and how it is drawn."""
    match learned.form:
        case "cost":
            return NewPiece(name, "cost", cost_word(str(name)))
        case "corruption":
            return NewPiece(name, "corruption", corruption_label(int(name)))
        case "contract" if learned.answers["needs"]:
            return NewPiece(name, "tile", str(name), _amounts(learned.answers["needs"]), "wool3")
        case "guest":
            return NewPiece(
                name, "tile", str(name), f"{_letters(character(learned))} {_brings(learned)}", "abbot crown2"
            )
        case "tile" if learned.answers["does"] == "brings":
            return NewPiece(name, "tile", str(name), _brings(learned), "architect2")
        case "tile" if learned.answers["does"] != "crest":
            return NewPiece(name, "tile", str(name), like="architect2")
        case _:
            return NewPiece(name, "tile", str(name), "crest", "crest lily")


def _brings(learned: Learned) -> str:
    return _amounts(learned.answers["brings"])


def _amounts(found: dict[str, int]) -> str:
    return " ".join(f"{word}{number}" for word, number in found.items())


def _letters(who: str) -> str:
    """Return the first letters of a name."""
    return "".join(word[0] for word in who.upper().split() if word[0].isascii() and word[0].isalpha())[:3] or "X"
