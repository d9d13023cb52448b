"""States read off the table: the current state corrected by a View, and the states that match an unwatched table.

How a View is read against a State stands in `view`; which moves explain a View stands in `candidates`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from companion.kernel.messages import View, differences
from companion.kernel.rules import SeatNo

from ..box import GOODS, KINDS, TILES, Tile, field_names, tiles_in_play, worth
from ..rulebook.phase2_raid import have_set_aside
from ..rulebook.phase4_statues import can_place
from ..rulebook.phase5_ranks import next_exchange
from ..rulebook.phase7_mercy import next_mercy
from ..rulebook.phases import settle
from ..rulebook.scoring import after_double_field
from ..state import BY_FIELD, HIDDEN, NOBODY, UNNAMED, RuleLog, State, by_rank
from .view import BACK, Seen, read_statues, seat_of, view


def state_from_view(state: State, view: View) -> State:
    """The state as the view shows it. What the view does not show stays as it was."""
    return settle(recount(laid_out_as(state, view)))


def laid_out_as(state: State, view: View) -> State:
    """The pieces as the view shows them, in a phase that may not fit them yet."""
    seen = Seen(state, view)
    state = _adopt_landscape(state, seen)
    state = _adopt_seats(state, seen)
    return _adopt_goods(state, seen)


def _adopt_landscape(state: State, seen: Seen) -> State:
    names = field_names(state.columns)
    land, owner, standing = list(state.land), list(state.owner), list(state.standing)
    for field, name in enumerate(names):
        face = seen.cells("land").get(name, "")
        if face in KINDS:
            land[field] = face or ""
        elif face == BACK:
            land[field] = HIDDEN
    for field, name in enumerate(names):
        statues = seen.cells("statues")
        if name in statues:
            label = statues[name]
            colour, number = read_statues(label) if label else ("", 0)
            seat = seat_of(state, colour)
            owner[field], standing[field] = (NOBODY, 0) if seat is None else (seat, number)
    boards = list(state.boards)
    for place, board in enumerate(state.boards):
        fields = state.place_fields(place)
        faces = {seen.cells("land").get(names[field]) for field in fields}
        if BACK in faces and faces.isdisjoint(KINDS):  # a board is turned as a whole
            for field in fields:
                land[field] = HIDDEN
        kinds = tuple(land[field] for field in fields)
        if all(kind in KINDS for kind in kinds):
            if kinds != tuple(state.land[field] for field in fields):
                boards[place] = BY_FIELD
        elif all(kind == HIDDEN for kind in kinds):
            boards[place] = HIDDEN
        elif board not in (HIDDEN, UNNAMED) or any(kind != HIDDEN for kind in kinds):
            boards[place] = UNNAMED
            for field in fields:
                land[field] = land[field] or UNNAMED
    return replace(state, land=tuple(land), owner=tuple(owner), standing=tuple(standing), boards=tuple(boards))


def _adopt_seats(state: State, seen: Seen) -> State:
    ranks, mercy, followers = list(state.ranks), list(state.mercy), list(state.followers)
    for seat in range(state.players):
        colour = state.colour(seat)
        ranks[seat] = seen.rank(seat) or ranks[seat]
        card = seen.cells("mercy").get(colour)
        if card in ("mercy", "no_mercy"):
            mercy[seat] = card == "mercy"
        followers[seat] += seen.followers_gained(seat)
    whole = sorted(ranks) == list(range(1, state.players + 1))
    chronicle = seen.cells("chronicle")
    kings: list[SeatNo] = []
    statues: list[int] = []
    known = dict(enumerate(zip(state.chronicle, state.chronicle_statues, strict=True), start=1))
    for field in range(1, state.box.chronicle.fields + 1):
        label = chronicle.get(str(field), "")
        if label:
            colour, number = read_statues(label)
            king = seat_of(state, colour)
        else:
            king, number = known.get(field, (None, 0)) if label == "" else (None, 0)
        if king is None:
            break
        kings.append(king)
        statues.append(number)
    return replace(
        state,
        ranks=tuple(ranks) if whole else state.ranks,
        mercy=tuple(mercy),
        followers=tuple(followers),
        chronicle=tuple(kings),
        chronicle_statues=tuple(statues),
    )


def _adopt_goods(state: State, seen: Seen) -> State:
    middle, hidden_middle = state.middle, state.hidden_middle
    castles, hidden_castles = list(state.castles), list(state.hidden_castles)
    pieces = seen.pieces("middle")
    if pieces is not None:
        middle, hidden_middle = _face_up(pieces), pieces[BACK]
    for seat in range(state.players):
        pieces = seen.pieces(f"castle {state.colour(seat)}")
        if pieces is not None:
            castles[seat], hidden_castles[seat] = _face_up(pieces), pieces[BACK]
    return replace(
        state,
        middle=middle,
        hidden_middle=hidden_middle,
        castles=tuple(castles),
        hidden_castles=tuple(hidden_castles),
    )


def _face_up(pieces: Counter[str]) -> tuple[Tile, ...]:
    return tuple(sorted(tile for tile in pieces.elements() if tile in TILES))


def recount(state: State) -> State:
    """Numbers that follow from what stands and lies: statues placed, supply, round."""
    placed = [0] * state.players
    for owner, number in zip(state.owner, state.standing, strict=True):
        if owner != NOBODY:
            placed[owner] += number
    for king, number in zip(state.chronicle, state.chronicle_statues, strict=True):
        placed[king] += number
    crowned = len(state.chronicle)
    after_crown = state.phase in ("uncovering", "mercy", "mixing", "over") or (state.phase == "boards" and state.round)
    this_round = crowned if after_crown else crowned + 1 if state.round else 0
    return replace(
        state,
        placed=tuple(min(count, state.box.statues_each) for count in placed),
        supply=max(0, state.box.followers.total - sum(state.followers)),
        round=this_round,
    )


# A game under way that was not watched


def states_matching(state: State, seen: View) -> tuple[State, ...]:
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
