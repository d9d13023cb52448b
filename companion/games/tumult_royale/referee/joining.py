"""Joining a game under way: the moments of a round that look like the table, where nobody watched what led to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from companion.kernel.messages import View, differences
from companion.kernel.rules import SeatNo

from ..box import GOODS, tiles_in_play, worth
from ..rulebook.phase2_raid import have_set_aside
from ..rulebook.phase4_statues import can_place
from ..rulebook.phase5_ranks import next_exchange
from ..rulebook.phase7_mercy import next_mercy
from ..rulebook.scoring import after_double_field
from ..state import HIDDEN, UNNAMED, RuleLog, State, by_rank
from .adopt import laid_out_as, recount
from .view import Seen, view


def joins(state: State, seen: View) -> tuple[State, ...]:
    """The plausible states, the likeliest first; empty before the first round, after the end, or if sums are wrong."""
    if any(zone not in seen.zones for zone in _tile_zones(state)):
        return ()
    # Nothing is known of the boards: one that nobody could make out need not lie as it did at the start.
    state = replace(state, boards=(UNNAMED,) * len(state.boards), land=(UNNAMED,) * len(state.land))
    table = recount(replace(laid_out_as(state, seen), phase="mood", round=1))
    if 0 in table.ranks or not all(table.placed) or max(table.placed) >= table.box.statues_each:
        return ()
    number = Seen(table, seen).pointing("disc") or 0
    moments = [recount(moment) for moment in _moments(table, number)]
    return tuple(moment for moment in moments if not differences(seen, view(moment)))


def _tile_zones(state: State) -> Iterator[str]:
    """Without these nobody can tell how far a round has come."""
    yield "middle"
    for seat in state.seats:
        yield f"castle {seat.colour}"


def _moments(table: State, number: int) -> Iterator[State]:
    """`number` is what the disc shows, 0 where nobody knows."""
    up = Counter(table.middle) + Counter(tile for castle in table.castles for tile in castle)
    if up - Counter(tiles_in_play(table.box, table.players)):
        return
    hidden = table.hidden_middle + sum(table.hidden_castles)
    if not up and not any(table.hidden_castles):
        yield from _before_raid(table, number)
    elif hidden + up.total() == _tiles_of_a_round(table):
        table = _raided(table, number)
        numbers = (number,) if number else _any_number(table)
        if hidden:
            asked = (0,) if table.options.gamblers else numbers
            yield from (replace(table, phase="turning_up", demand=(each, each, each)) for each in asked)
        else:
            yield from _after_raid(table, numbers)


def _any_number(table: State) -> tuple[int, ...]:
    """What the people may demand if nobody can read the disc: what is remembered first, then what brings tumults."""
    return (table.demand[0], *sorted(set(table.box.disc.areas) - {table.demand[0]}))


def _tiles_of_a_round(table: State) -> int:
    return sum(tiles_in_play(table.box, table.players).values()) - table.box.set_aside.each * table.players


# All tiles face down in the middle: before the raid


def _before_raid(table: State, number: int) -> Iterator[State]:
    """How many have set tiles aside can be counted; whether the disc has been turned since nobody can see."""
    each = table.box.set_aside.each
    missing = _tiles_of_a_round(table) + each * table.players - table.hidden_middle
    done, rest = divmod(missing, each) if each else (table.players, missing)
    if rest or not 0 <= done <= table.players or not _goes_on(table) or UNNAMED in table.boards:
        return
    mood = have_set_aside(replace(table, phase="mood"), (False,) * table.players, done)
    last = number if table.chronicle else 0
    unspun = replace(mood, last_demand=(last, last, last))
    if not number or table.options.gamblers:
        yield unspun
        return
    spun = replace(mood, demand=(number, number, number))
    yield from (spun, unspun) if done == table.players else (unspun, spun)


def _goes_on(table: State) -> bool:
    return len(table.chronicle) < table.box.chronicle.fields


# After the raid


def _raided(table: State, number: int) -> State:
    """Everybody has set tiles aside and was ready, and the disc was turned."""
    everybody, nobody = (True,) * table.players, (False,) * table.players
    number = number or table.box.disc.forgotten_in_round_1
    return replace(
        table,
        aside=everybody,
        ready=everybody,
        demand=(number, number, number),
        punished=nobody,
        able=nobody,
        built=nobody,
        out=nobody,
        overpaid=((0, 0, 0),) * table.players,
        placing_round=1,
        ranks_before=table.ranks,
    )


def _after_raid(table: State, numbers: Sequence[int]) -> Iterator[State]:
    """All tiles lie face up. Empty castles speak for the end of a round, full ones for its beginning."""
    if _boards_due(table) or UNNAMED in table.boards:
        yield from _after_crown(table)
    elif any(table.castles):
        yield from chain(_before_ranks(table, numbers), _ranks(table), _after_crown(table))
    else:
        yield from chain(_after_crown(table), _ranks(table), _before_ranks(table, numbers))


def _same_king(table: State) -> bool:
    """Whoever was crowned last wears the crown, until the cards change hands."""
    return not table.chronicle or table.chronicle[-1] == table.king


def _before_ranks(table: State, numbers: Sequence[int]) -> Iterator[State]:
    if not _goes_on(table) or not _same_king(table):
        return
    number = table.demand[0]
    if table.options.gamblers:
        for spun in range(len(GOODS)):
            bread, marble, tool = (number if good < spun else 0 for good in range(len(GOODS)))
            yield replace(table, phase="gambling", demand=(bread, marble, tool))
    yield from _tumults(table, numbers)
    for turn, seat in enumerate(by_rank(table.ranks)):
        yield _placing(table, turn) if can_place(table, seat) else _consolation(table, seat)


def _tumults(table: State, numbers: Sequence[int]) -> Iterator[State]:
    """One moment for each good that may be suffered for next."""
    offered: set[str] = set()
    for number in numbers:
        rising = tuple(good for good in GOODS if worth(table.middle, good) < number)
        for first, good in enumerate(rising):
            if good not in offered:
                offered.add(good)
                yield replace(table, phase="tumults", tumults=rising[first:], demand=(number, number, number))


def _placing(table: State, turn: int) -> State:
    """Who comes before this turn has had one, and gets another."""
    before = by_rank(table.ranks)[: turn + 1]
    able = tuple(seat in before for seat in range(table.players))
    return replace(table, phase="placing", turn=turn, able=able, placed_this_round=turn > 0)


def _consolation(table: State, seat: SeatNo) -> State:
    return replace(table, phase="consolation", to_console=(seat,))


def _ranks(table: State) -> Iterator[State]:
    if _goes_on(table):
        yield next_exchange(replace(table, phase="ranks"), RuleLog())


def _after_crown(table: State) -> Iterator[State]:
    """New boards, mercy and mixing, unless the coronation was the end of the game."""
    crowned = len(table.chronicle)
    if not crowned or not _same_king(table):
        return
    if crowned > table.box.chronicle.single_fields and after_double_field(table, RuleLog()):
        return
    if UNNAMED in table.boards:
        if crowned in (3, 5):  # at any other time a board that nobody can make out is only badly seen
            yield replace(table, phase="boards", to_uncover=_boards_due(table))
    elif _boards_due(table):
        yield replace(table, phase="uncovering", to_uncover=_boards_due(table))
    else:
        yield next_mercy(replace(table, phase="mercy"))


def _boards_due(table: State) -> int:
    """How many boards still lie face down that the third or the fifth king turns up."""
    hidden, crowned = table.boards.count(HIDDEN), len(table.chronicle)
    if crowned == 3:
        frame, box = table.box.frame[str(table.players)], table.box
        stay = len(table.boards) - len(frame.face_up) - box.chronicle.uncover_on_third[str(table.players)]
        return max(0, hidden - stay)
    return hidden if crowned == 5 else 0
