"""States read off the table: the current state corrected by a View, and the states that match an unwatched table.

How a View is read against a State stands in `view`; which moves explain a View stands in `candidates`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from companion.games.tumult_royale.state import BY_FIELD, HIDDEN, NO_SEAT, UNNAMED, State, seats_by_rank
from companion.kernel.rules import RuleLog, SeatNo
from companion.kernel.views import View, differences

from ..box import GOODS, KINDS, TILES, Tile, field_names, tiles_in_play, worth
from ..rulebook.phase2_raid import with_set_aside
from ..rulebook.phase4_statues import can_place
from ..rulebook.phase5_ranks import next_exchange
from ..rulebook.phase7_mercy import next_mercy
from ..rulebook.phases import skip_finished_steps
from ..rulebook.scoring import end_after_double_field
from .view import BACK, Seen, read_statues, seat_of, view


def state_from_view(state: State, view: View) -> State:
    """Return the state as the view shows it; what the view does not show stays as it was."""
    return skip_finished_steps(recount(with_pieces_from_view(state, view)))


def with_pieces_from_view(state: State, view: View) -> State:
    """Return the state with the pieces that the view shows; its phase may not fit them yet."""
    seen = Seen(state, view)
    state = _landscape_from_view(state, seen)
    state = _seats_from_view(state, seen)
    return _goods_from_view(state, seen)


def _landscape_from_view(state: State, seen: Seen) -> State:
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
            owner[field], standing[field] = (NO_SEAT, 0) if seat is None else (seat, number)
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


def _seats_from_view(state: State, seen: Seen) -> State:
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


def _goods_from_view(state: State, seen: Seen) -> State:
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
    """Derive what follows from the pieces: statues placed, supply, round."""
    placed = [0] * state.players
    for owner, number in zip(state.owner, state.standing, strict=True):
        if owner != NO_SEAT:
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
    """Return the plausible states, the likeliest first; none before the first round, after the end, or if totals are
    wrong."""
    if any(zone not in seen.zones for zone in _tile_zones(state)):
        return ()
    # Nothing is known of the boards: one that cannot be read may lie otherwise than in the set-up.
    state = replace(state, boards=(UNNAMED,) * len(state.boards), land=(UNNAMED,) * len(state.land))
    table = recount(replace(with_pieces_from_view(state, seen), phase="mood", round=1))
    if 0 in table.ranks or not all(table.placed) or max(table.placed) >= table.box.statues_each:
        return ()
    number = Seen(table, seen).pointing("disc") or 0
    moments = [recount(moment) for moment in _possible_states(table, number)]
    return tuple(moment for moment in moments if not differences(seen, view(moment)))


def _tile_zones(state: State) -> Iterator[str]:
    """Yield the zones that must be seen to tell how far a round has come."""
    yield "middle"
    for seat in state.seats:
        yield f"castle {seat.colour}"


def _possible_states(table: State, number: int) -> Iterator[State]:
    """Yield the moments of a round that fit the tiles; `number` is what the disc shows, 0 if unknown."""
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
    """Return the possible demands if the disc cannot be read: the remembered number first, then those that bring
    tumults."""
    return (table.demand[0], *sorted(set(table.box.disc.areas) - {table.demand[0]}))


def _tiles_of_a_round(table: State) -> int:
    return sum(tiles_in_play(table.box, table.players).values()) - table.box.set_aside.each * table.players


# All tiles face down in the middle: before the raid


def _before_raid(table: State, number: int) -> Iterator[State]:
    """How many have set tiles aside can be counted; whether the disc was spun cannot be seen."""
    each = table.box.set_aside.each
    missing = _tiles_of_a_round(table) + each * table.players - table.hidden_middle
    done, rest = divmod(missing, each) if each else (table.players, missing)
    if rest or not 0 <= done <= table.players or not _game_continues(table) or UNNAMED in table.boards:
        return
    mood = with_set_aside(replace(table, phase="mood"), (False,) * table.players, done)
    last = number if table.chronicle else 0
    unspun = replace(mood, last_demand=(last, last, last))
    if not number or table.options.gamblers:
        yield unspun
        return
    spun = replace(mood, demand=(number, number, number))
    yield from (spun, unspun) if done == table.players else (unspun, spun)


def _game_continues(table: State) -> bool:
    return len(table.chronicle) < table.box.chronicle.fields


# After the raid


def _raided(table: State, number: int) -> State:
    """Mark the steps before the raid as done: tiles set aside, all ready, the disc spun."""
    done, none_yet = (True,) * table.players, (False,) * table.players
    number = number or table.box.disc.forgotten_in_round_1
    return replace(
        table,
        aside=done,
        ready=done,
        demand=(number, number, number),
        punished=none_yet,
        able=none_yet,
        built=none_yet,
        out=none_yet,
        overpaid=((0, 0, 0),) * table.players,
        placing_round=1,
        ranks_before=table.ranks,
    )


def _after_raid(table: State, numbers: Sequence[int]) -> Iterator[State]:
    """All tiles lie face up: empty castles suggest the end of a round, full ones its beginning."""
    if _boards_due(table) or UNNAMED in table.boards:
        yield from _after_crown(table)
    elif any(table.castles):
        yield from chain(_before_ranks(table, numbers), _ranks(table), _after_crown(table))
    else:
        yield from chain(_after_crown(table), _ranks(table), _before_ranks(table, numbers))


def _same_king(table: State) -> bool:
    """Whether the last crowned king still has the king's card, as is so until cards are exchanged."""
    return not table.chronicle or table.chronicle[-1] == table.king


def _before_ranks(table: State, numbers: Sequence[int]) -> Iterator[State]:
    if not _game_continues(table) or not _same_king(table):
        return
    number = table.demand[0]
    if table.options.gamblers:
        for spun in range(len(GOODS)):
            bread, marble, tool = (number if good < spun else 0 for good in range(len(GOODS)))
            yield replace(table, phase="gambling", demand=(bread, marble, tool))
    yield from _tumults(table, numbers)
    for turn, seat in enumerate(seats_by_rank(table.ranks)):
        yield _placing(table, turn) if can_place(table, seat) else _consolation(table, seat)


def _tumults(table: State, numbers: Sequence[int]) -> Iterator[State]:
    """Yield a state for each good whose tumult may come next."""
    offered: set[str] = set()
    for number in numbers:
        rising = tuple(good for good in GOODS if worth(table.middle, good) < number)
        for first, good in enumerate(rising):
            if good not in offered:
                offered.add(good)
                yield replace(table, phase="tumults", tumults=rising[first:], demand=(number, number, number))


def _placing(table: State, turn: int) -> State:
    """Mark the seats before this turn as able to place."""
    before = seats_by_rank(table.ranks)[: turn + 1]
    able = tuple(seat in before for seat in range(table.players))
    return replace(table, phase="placing", turn=turn, able=able, placed_this_round=turn > 0)


def _consolation(table: State, seat: SeatNo) -> State:
    return replace(table, phase="consolation", to_console=(seat,))


def _ranks(table: State) -> Iterator[State]:
    if _game_continues(table):
        yield next_exchange(replace(table, phase="ranks"), RuleLog())


def _after_crown(table: State) -> Iterator[State]:
    """New boards, mercy and mixing, unless the coronation ended the game."""
    crowned = len(table.chronicle)
    if not crowned or not _same_king(table):
        return
    if crowned > table.box.chronicle.single_fields and end_after_double_field(table, RuleLog()):
        return
    if UNNAMED in table.boards:
        if crowned in (3, 5):  # at any other time an unreadable board is not a new one
            yield replace(table, phase="boards", to_uncover=_boards_due(table))
    elif _boards_due(table):
        yield replace(table, phase="uncovering", to_uncover=_boards_due(table))
    else:
        yield next_mercy(replace(table, phase="mercy"))


def _boards_due(table: State) -> int:
    """Return how many face-down boards the third or the fifth king still has to turn up."""
    hidden, crowned = table.boards.count(HIDDEN), len(table.chronicle)
    if crowned == 3:
        frame, box = table.box.frame[str(table.players)], table.box
        stay = len(table.boards) - len(frame.face_up) - box.chronicle.uncover_on_third[str(table.players)]
        return max(0, hidden - stay)
    return hidden if crowned == 5 else 0
