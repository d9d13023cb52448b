"""Politics cards, and bonuses: what they give, steps on the nobility track, amounts in words.

How deviating markers are blamed on a rule is here too; which bonus comes when is in the other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.council_of_four.state import EMPTY, Choice, State, add_points
from companion.kernel.rules import Breach, Fact, Note, RuleLog, SeatNo, broken, changed

from ..box import Bonus, Noble
from ..moves import EXACT, Deviation, Sweep


def draw(state: State, seat: SeatNo, number: int, log: RuleLog) -> State:
    """Draw cards for a seat; an empty deck is shuffled again from the used cards."""
    if not state.counted:
        log.tell("draw.card", seat=state.colour(seat), cards=number)
        return state
    drawn = 0
    for _ in range(number):
        if not state.deck:
            state = _reshuffled(state, log)
        if not state.deck:
            log.tell("draw.none", seat=state.colour(seat))
            break
        drawn += 1
        state = replace(state, deck=state.deck - 1, hands=changed(state.hands, seat, state.hands[seat] + 1))
    if drawn:
        log.tell("draw.card", seat=state.colour(seat), cards=drawn)
    return state


def _reshuffled(state: State, log: RuleLog) -> State:
    """Make a new deck of the used cards."""
    cards = state.discards
    if not cards:
        return state
    log.tell("draw.reshuffle", cards=cards)
    # The cards of the last bribe are among them; they lie on the table until they are taken away.
    return replace(state, deck=cards, discards=0)


def check_sweep(state: State, _move: Sweep) -> Iterator[Breach]:
    """Check that cards of a bribe lie there."""
    if not state.bribe:
        yield broken("bribe.sweep")


def sweep(state: State, _move: Sweep, log: RuleLog) -> State:
    """Take the cards of the last bribe off the table."""
    log.tell("bribe.sweep", cards=len(state.bribe))
    return replace(state, bribe=())


def lay_down(state: State, seat: SeatNo, cards: tuple[str, ...]) -> State:
    """Lay down cards of a hand; they lie open until the next cards cover them."""
    if not cards:
        return state  # what lies there is still the last bribe
    if not state.counted:
        return replace(state, bribe=cards)
    return replace(
        state,
        hands=changed(state.hands, seat, state.hands[seat] - len(cards)),
        discards=state.discards + len(cards),
        bribe=cards,
    )


COUNTED: Final = ("gold", "points", "assistants", "nobility")
"""What a deviation counts, in its order."""
SYMBOLS: Final = ("gold", "points", "assistants", "cards", "nobility", "main")
"""The symbols of a bonus, in the order in which amounts are listed."""
WORDS_IN_SENTENCES: Final[Mapping[str, str]] = {"assistants": "assistantsgot"}
"""Amounts with another word inside a sentence: «bekommt 1 Assistenten», but «Belohnungsmarker 1 Assistent»."""
NOBILITY_RULES: Final[Mapping[str, str]] = {
    "I": "nobility.i",
    "II": "nobility.ii",
    "III": "nobility.iii",
    "IV": "nobility.iv",
    "V": "nobility.v",
    "VI": "nobility.vi",
    "VII": "nobility.vii",
    "VIII": "nobility.viii",
    "IX": "nobility.ix",
    "X": "nobility.x",
    "XI": "nobility.xi",
}


class Source(NamedTuple):
    """The source of a bonus for the score sheet: the label of the line, and the reason."""

    label: str
    because: Note


def token_source(token: str) -> Source:
    """Return the source for a reward token; its city is left out, so that the order of equal tokens does not matter."""
    return Source("reward_tokens", Note("end.tokens", {"token": token}))


def permit_source(permit: str) -> Source:
    """Return the source for a permit's bonus."""
    return Source("permit_bonuses", Note("end.permit-bonuses", {"permit": permit}))


def gain(state: State, seat: SeatNo, bonus: Bonus, log: RuleLog, source: Source, permit: str = EMPTY) -> State:
    """Give all that a bonus brings, steps on the nobility track last; `permit` is the permit that the bonus
    belongs to."""
    if bonus.gold:
        state = gain_gold(state, seat, bonus.gold, log)
    if bonus.points:
        log.tell("symbol.point", seat=state.colour(seat), points=bonus.points)
        state = add_points(state, seat, bonus.points, *source)
    if bonus.assistants:
        state = gain_assistants(state, seat, bonus.assistants, log)
    if bonus.cards:
        log.tell("symbol.card", seat=state.colour(seat), cards=bonus.cards)
        state = draw(state, seat, bonus.cards, log)
    if bonus.main:
        log.tell("symbol.main", seat=state.colour(seat), actions=bonus.main)
        state = replace(state, main=state.main + bonus.main)
    for _ in range(bonus.nobility):
        state = _step_on_nobility_track(state, seat, log, permit)
    return state


def gain_gold(state: State, seat: SeatNo, gold: int, log: RuleLog) -> State:
    """Give gold, up to the end of the track."""
    log.tell("symbol.gold", seat=state.colour(seat), gold=gold)
    room = state.box.tracks.gold - state.gold[seat]
    if gold > room:
        log.tell("symbol.gold-limit", seat=state.colour(seat), last=state.box.tracks.gold, lost=gold - room)
    return replace(state, gold=changed(state.gold, seat, state.gold[seat] + min(gold, room)))


def pay_gold(state: State, seat: SeatNo, gold: int) -> State:
    """Take gold."""
    return replace(state, gold=changed(state.gold, seat, state.gold[seat] - gold)) if gold else state


def gain_assistants(state: State, seat: SeatNo, assistants: int, log: RuleLog) -> State:
    """Give assistants, as many as the supply has."""
    got = min(assistants, state.supply)
    if got:
        log.tell("symbol.assistant", seat=state.colour(seat), assistants=got)
    if got < assistants:
        log.tell("symbol.supply-empty", seat=state.colour(seat), missing=assistants - got)
    return return_assistants(state, seat, -got)


def return_assistants(state: State, seat: SeatNo, assistants: int) -> State:
    """Put assistants back into the supply."""
    return replace(state, assistants=changed(state.assistants, seat, state.assistants[seat] - assistants))


# The nobility track


def _step_on_nobility_track(state: State, seat: SeatNo, log: RuleLog, permit: str) -> State:
    """Move a seat one field forward on the nobility track, up to its last field."""
    field = state.nobility[seat] + 1
    if field > state.box.tracks.nobility:
        log.tell("nobility.last-field", seat=state.colour(seat), last=state.box.tracks.nobility)
        return state
    log.tell("symbol.nobility", seat=state.colour(seat), field=field)
    state = replace(state, nobility=changed(state.nobility, seat, field))
    noble = state.box.nobility.get(str(field))
    return state if noble is None else _reach_field(state, seat, noble, log, permit)


def _reach_field(state: State, seat: SeatNo, noble: Noble, log: RuleLog, permit: str) -> State:
    """Give what a field of the nobility track brings, and note the choices."""
    bonus = noble.bonus
    log.tell(NOBILITY_RULES[noble.numeral], seat=state.colour(seat), field=state.nobility[seat])
    led_there = (permit,) if permit else ()
    new = () if state.options.copy_new_permit else led_there
    choices = (
        *(Choice(noble.numeral, "token") for _ in range(bonus.tokens)),
        *(Choice(noble.numeral, "free", led_there) for _ in range(bonus.permits)),
        *(Choice(noble.numeral, "own", new) for _ in range(bonus.own_permits)),
    )
    facts: dict[str, Fact] = {"field": state.nobility[seat], "numeral": noble.numeral}
    source = Source("nobility_track", Note("end.nobility-fields", facts))
    return gain(replace(state, choices=(*state.choices, *choices)), seat, bonus, log, source, permit)


# Amounts in words


def amount(what: str, number: int) -> str:
    """Return an amount as a word of the catalogue: something gained, paid, or too much."""
    return f"{WORDS_IN_SENTENCES.get(what, what)}{number}"


def total_amounts(bonuses: Iterable[Bonus]) -> str:
    """Return the sum of these bonuses as a word of the catalogue."""
    found = list(bonuses)
    sums = {symbol: sum(getattr(bonus, symbol) for bonus in found) for symbol in SYMBOLS}
    return "_".join(amount(symbol, number) for symbol, number in sums.items() if number) or "nothing"


def with_nobility_fields(state: State, seat: SeatNo, bonuses: Iterable[Bonus]) -> tuple[Bonus, ...]:
    """Return these bonuses, and those of the nobility fields that they lead to."""
    found = tuple(bonuses)
    start = state.nobility[seat] + 1
    fields = map(str, range(start, start + sum(bonus.nobility for bonus in found)))
    return (*found, *(state.box.nobility[field].bonus for field in fields if field in state.box.nobility))


# Markers that do not stand where they should


class Fault(NamedTuple):
    """A broken rule, with the facts that say what would be right."""

    rule: str
    facts: dict[str, Fact]


Blame = Callable[[str, int], Fault]
"""Finds the broken rule when a player has too much of something (or, negative, too little)."""


def deviation_breaches(state: State, seat: SeatNo, deviation: Deviation, blame: Blame) -> Iterator[Breach]:
    """Yield a breach for each marker that deviates."""
    if deviation == EXACT:
        return
    for what, by in zip(COUNTED, deviation, strict=True):
        if by:
            much, little = ("too_much", "too_little") if what == "gold" else ("too_many", "too_few")
            rule, facts = blame(what, by)
            said: dict[str, Fact] = {"amount": amount(what, abs(by)), "way": much if by > 0 else little}
            yield broken(rule, seat=state.colour(seat), **said, **facts)


def blame_quick_action(cost: str, due: str) -> Blame:
    """Blame any deviation on the price and the effect of a quick action."""
    return lambda _what, _by: Fault("quick.exact", {"cost": cost, "due": due})


def blame_reward(due: str) -> Blame:
    """Blame any deviation on what an act brings."""
    return lambda _what, _by: Fault("symbol.exact", {"due": due})
