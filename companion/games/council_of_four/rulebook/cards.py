"""Politics cards, and what bonuses bring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.kernel.rules import Breach, Fact, Note, SeatNo, broken

from ..box import Bonus, Noble
from ..moves import EXACT, Off, Sweep
from ..state import NONE, Choice, RuleLog, State, changed, with_points


def draw(state: State, seat: SeatNo, number: int, log: RuleLog) -> State:
    """A seat draws cards; when the stack is empty, all that were laid down are shuffled to a new one."""
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
    cards = state.discards
    if not cards:
        return state
    log.tell("draw.reshuffle", cards=cards)
    # Those of the last bribe are among them; that they are gone from the table shows when somebody takes them.
    return replace(state, deck=cards, discards=0)


def check_sweep(state: State, _move: Sweep) -> Iterator[Breach]:
    if not state.bribe:
        yield broken("bribe.sweep")


def sweep(state: State, _move: Sweep, log: RuleLog) -> State:
    log.tell("bribe.sweep", cards=len(state.bribe))
    return replace(state, bribe=())


def lay_down(state: State, seat: SeatNo, cards: tuple[str, ...]) -> State:
    """Cards leave a hand and lie open, until the next ones are laid over them."""
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
"""What `off` counts, in its order."""
SYMBOLS: Final = ("gold", "points", "assistants", "cards", "nobility", "main")
"""What is counted together, in this order."""
SAID: Final[Mapping[str, str]] = {"assistants": "assistantsgot"}
"""An amount that has another word inside a sentence: «bekommt 1 Assistenten», but «Belohnungsmarker 1 Assistent»."""
FIELDS: Final[Mapping[str, str]] = {
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
    """What brings a bonus, as the score sheet tells it: the label of the line, and the reason."""

    label: str
    because: Note


def from_token(token: str) -> Source:
    """A reward token. Which city it lies in is left out: the same tokens in another order are the same reason."""
    return Source("reward_tokens", Note("end.tokens", {"token": token}))


def from_permit(permit: str) -> Source:
    return Source("permit_bonuses", Note("end.permit-bonuses", {"permit": permit}))


def gain(state: State, seat: SeatNo, bonus: Bonus, log: RuleLog, source: Source, permit: str = NONE) -> State:
    """All that a bonus brings, the steps on the nobility track last. `permit` is the one whose bonus it is."""
    if bonus.gold:
        state = earn(state, seat, bonus.gold, log)
    if bonus.points:
        log.tell("symbol.point", seat=state.colour(seat), points=bonus.points)
        state = with_points(state, seat, bonus.points, *source)
    if bonus.assistants:
        state = hire(state, seat, bonus.assistants, log)
    if bonus.cards:
        log.tell("symbol.card", seat=state.colour(seat), cards=bonus.cards)
        state = draw(state, seat, bonus.cards, log)
    if bonus.main:
        log.tell("symbol.main", seat=state.colour(seat), actions=bonus.main)
        state = replace(state, main=state.main + bonus.main)
    for _ in range(bonus.nobility):
        state = _step(state, seat, log, permit)
    return state


def earn(state: State, seat: SeatNo, gold: int, log: RuleLog) -> State:
    """Gold, as far as the track reaches."""
    log.tell("symbol.gold", seat=state.colour(seat), gold=gold)
    room = state.box.tracks.gold - state.gold[seat]
    if gold > room:
        log.tell("symbol.gold-limit", seat=state.colour(seat), last=state.box.tracks.gold, lost=gold - room)
    return replace(state, gold=changed(state.gold, seat, state.gold[seat] + min(gold, room)))


def pay(state: State, seat: SeatNo, gold: int) -> State:
    return replace(state, gold=changed(state.gold, seat, state.gold[seat] - gold)) if gold else state


def hire(state: State, seat: SeatNo, assistants: int, log: RuleLog) -> State:
    """Assistants, as far as the supply has any."""
    got = min(assistants, state.supply)
    if got:
        log.tell("symbol.assistant", seat=state.colour(seat), assistants=got)
    if got < assistants:
        log.tell("symbol.supply-empty", seat=state.colour(seat), missing=assistants - got)
    return dismiss(state, seat, -got)


def dismiss(state: State, seat: SeatNo, assistants: int) -> State:
    """Assistants go back to the supply."""
    return replace(state, assistants=changed(state.assistants, seat, state.assistants[seat] - assistants))


# The nobility track


def _step(state: State, seat: SeatNo, log: RuleLog, permit: str) -> State:
    field = state.nobility[seat] + 1
    if field > state.box.tracks.nobility:
        log.tell("nobility.last-field", seat=state.colour(seat), last=state.box.tracks.nobility)
        return state
    log.tell("symbol.nobility", seat=state.colour(seat), field=field)
    state = replace(state, nobility=changed(state.nobility, seat, field))
    noble = state.box.nobility.get(str(field))
    return state if noble is None else _reach(state, seat, noble, log, permit)


def _reach(state: State, seat: SeatNo, noble: Noble, log: RuleLog, permit: str) -> State:
    bonus = noble.bonus
    log.tell(FIELDS[noble.numeral], seat=state.colour(seat), field=state.nobility[seat])
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
    """So many of something as a word of the catalogue: what is gained, paid, or too much."""
    return f"{SAID.get(what, what)}{number}"


def brings(bonuses: Iterable[Bonus]) -> str:
    """All of these bonuses together, as a word."""
    found = list(bonuses)
    sums = {symbol: sum(getattr(bonus, symbol) for bonus in found) for symbol in SYMBOLS}
    return "_".join(amount(symbol, number) for symbol, number in sums.items() if number) or "nothing"


def with_fields(state: State, seat: SeatNo, bonuses: Iterable[Bonus]) -> tuple[Bonus, ...]:
    """These bonuses, and those of the nobility fields to which they lead."""
    found = tuple(bonuses)
    start = state.nobility[seat] + 1
    fields = map(str, range(start, start + sum(bonus.nobility for bonus in found)))
    return (*found, *(state.box.nobility[field].bonus for field in fields if field in state.box.nobility))


# Markers that are elsewhere than they should be


class Fault(NamedTuple):
    """A rule that is broken, with the facts that say what would be right."""

    rule: str
    facts: dict[str, Fact]


Blame = Callable[[str, int], Fault]
"""What is wrong when a player has so many of something too many (or, negative, too few)."""


def off_breaches(state: State, seat: SeatNo, off: Off, blame: Blame) -> Iterator[Breach]:
    if off == EXACT:
        return
    for what, by in zip(COUNTED, off, strict=True):
        if by:
            much, little = ("too_much", "too_little") if what == "gold" else ("too_many", "too_few")
            rule, facts = blame(what, by)
            said: dict[str, Fact] = {"amount": amount(what, abs(by)), "way": much if by > 0 else little}
            yield broken(rule, seat=state.colour(seat), **said, **facts)


def costs(cost: str, due: str) -> Blame:
    """A quick action has its price, and brings what it is for."""
    return lambda _what, _by: Fault("quick.exact", {"cost": cost, "due": due})


def exactly(due: str) -> Blame:
    """What an act brings is clear, and that is all."""
    return lambda _what, _by: Fault("symbol.exact", {"due": due})
