"""Set-up (Spielvorbereitung): the table before the first round, the cards, the boards and the first statues.

Boards that the king turns up later are identified here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from companion.games.tumult_royale.state import BY_FIELD, HIDDEN, NO_SEAT, UNNAMED, Options, State, seats_by_rank
from companion.kernel.game import at_table, chosen, one_of_them
from companion.kernel.rules import Breach, RuleLog, Seat, broken, changed

from ..box import KINDS, Box, board_fields, place_names, tiles_in_play
from ..moves import DealCard, FirstStatue, LayOut, Move, ShowBoard, ShowField
from .phase6_coronation import after_uncovering


def setup(box: Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
    """Return the table before the first act; raises `BadSetup`."""
    at_table("Tumult Royale", 2, box.colours, seats)
    picked = chosen(Options, options)
    one_of_them("oldest", picked.oldest, seats)
    count = len(seats)
    frame = box.frame[str(count)]
    places = place_names(frame.columns)
    boards = tuple(UNNAMED if place in frame.face_up else HIDDEN for place in places)
    each = box.followers.at_start[str(count)]
    land = [HIDDEN] * (len(places) * 9)
    state = State(
        box=box,
        seats=seats,
        options=picked,
        phase="laying_out",
        round=0,
        ranks=(0,) * count,
        followers=(each,) * count,
        supply=box.followers.total - each * count,
        mercy=(False,) * count,
        placed=(0,) * count,
        boards=boards,
        land=tuple(land),
        owner=(NO_SEAT,) * len(land),
        standing=(0,) * len(land),
        chronicle=(),
        chronicle_statues=(),
        demand=(0, 0, 0),
        last_demand=(0, 0, 0),
        arrow=0,
        aside=(False,) * count,
        ready=(False,) * count,
        hidden_middle=sum(tiles_in_play(box, count).values()),
        hidden_castles=(0,) * count,
        holding=(False,) * count,
        middle=(),
        castles=((),) * count,
    )
    for place, board in enumerate(boards):
        if board == UNNAMED:
            for field in state.place_fields(place):
                land[field] = UNNAMED
    return replace(state, land=tuple(land))


# Laying out the table


def check_lay_out(_state: State, _move: LayOut) -> Iterator[Breach]:
    """Allow always; the phase is checked before."""
    return iter(())


def lay_out(state: State, _move: LayOut, log: RuleLog) -> State:
    """Log what lies on the table, and begin to deal the nobility cards."""
    count = state.players
    log.tell("setup.goods-tiles", tiles=state.hidden_middle, players=count)
    log.tell("setup.statues", statues=state.box.statues_each)
    log.tell("setup.no-mercy")
    log.tell("setup.followers", followers=state.followers[0], players=count)
    log.tell("setup.goods-face-down")
    log.tell("setup.supply", supply=state.supply)
    log.tell("setup.cards", cards=count)
    log.tell("setup.frame", boards=len(state.boards))
    log.tell("setup.boards", up=state.boards.count(UNNAMED), spare=len(state.box.boards) - len(state.boards))
    return replace(state, phase="cards")


# The nobility cards


def next_to_draw(state: State) -> int:
    """Return the seat that draws the next card: the oldest first, then clockwise."""
    dealt = sum(rank > 0 for rank in state.ranks)
    return (state.options.oldest + dealt) % state.players


def card_moves(state: State) -> Iterator[Move]:
    """Yield each card that the next seat may draw."""
    seat = next_to_draw(state)
    return (DealCard(seat, rank) for rank in range(1, state.players + 1) if rank not in state.ranks)


def check_deal_card(state: State, move: DealCard) -> Iterator[Breach]:
    """Check the order of drawing, and that the card is in play and not taken."""
    if not 1 <= move.rank <= state.players:
        yield broken("setup.cards", rank=move.rank, cards=state.players)
        return
    if move.rank in state.ranks:
        owner = state.colour(state.ranks.index(move.rank))
        yield broken("setup.one-card-each", seat=state.colour(move.seat), rank=f"rank{move.rank}", owner=owner)
    if move.seat != next_to_draw(state):
        yield broken("setup.cards-dealt", seat=state.colour(move.seat), next=state.colour(next_to_draw(state)))


def deal_card(state: State, move: DealCard, log: RuleLog) -> State:
    """Give a seat its nobility card."""
    log.tell("setup.cards-dealt", seat=state.colour(move.seat), rank=f"rank{move.rank}")
    state = replace(state, ranks=changed(state.ranks, move.seat, move.rank))
    if 0 in state.ranks:
        return state
    log.tell("setup.king", seat=state.colour(state.king), seconds=state.box.raid_seconds)
    return replace(state, phase="boards")


# Face-up landscape boards are named, or entered field by field where the box does not hold them


def board_moves(state: State) -> Iterator[Move]:
    """Yield what the next face-up board may be: a board of the box in any turn, or its next field."""
    place = state.boards.index(UNNAMED)
    fields = state.place_fields(place)
    if all(state.land[field] == UNNAMED for field in fields):
        for board in state.box.boards:
            if board not in state.boards:
                for turn in range(4):
                    yield ShowBoard(place, board, turn)
    field = next(field for field in fields if state.land[field] == UNNAMED)
    for kind in KINDS:
        yield ShowField(field, kind)


def check_show_board(state: State, move: ShowBoard) -> Iterator[Breach]:
    """Check that this board is next, that the box holds it, and that it does not lie elsewhere."""
    place = state.boards.index(UNNAMED)
    half_told = any(state.land[field] != UNNAMED for field in state.place_fields(place))
    if move.place != place or half_told or not 0 <= move.turn < 4:
        yield broken("chronicle.board-shown", place=state.place_name(move.place), next=state.place_name(place))
    if move.board not in state.box.boards or move.board in state.boards:
        yield broken("setup.boards", board=move.board, known=int(move.board in state.box.boards))


def show_board(state: State, move: ShowBoard, log: RuleLog) -> State:
    """Record a face-up board by its name."""
    fields = board_fields(state.box, move.board, move.turn)
    land = list(state.land)
    for field, kind in zip(state.place_fields(move.place), fields, strict=True):
        land[field] = kind
    log.tell("chronicle.board-shown", place=state.place_name(move.place), fields=fields)
    return after_board(replace(state, land=tuple(land), boards=changed(state.boards, move.place, move.board)), log)


def check_show_field(state: State, move: ShowField) -> Iterator[Breach]:
    """Check that this field is next, and that its kind exists."""
    place = state.boards.index(UNNAMED)
    due = next(field for field in state.place_fields(place) if state.land[field] == UNNAMED)
    if move.field != due or move.kind not in KINDS:
        yield broken("chronicle.board-shown", place=state.field_name(move.field), next=state.field_name(due))


def show_field(state: State, move: ShowField, log: RuleLog) -> State:
    """Record one field of a board; the ninth completes it."""
    place = state.boards.index(UNNAMED)
    state = replace(state, land=changed(state.land, move.field, move.kind))
    fields = tuple(state.land[field] for field in state.place_fields(place))
    if UNNAMED in fields:
        return state
    log.tell("chronicle.board-shown", place=state.place_name(place), fields=fields)
    return after_board(replace(state, boards=changed(state.boards, place, BY_FIELD)), log)


def after_board(state: State, log: RuleLog) -> State:
    """Go on with the next board, the first statues, or the rest of the coronation."""
    if UNNAMED in state.boards:
        return state
    if state.round:
        log.tell("chronicle.new-fields")
        return after_uncovering(state, log)
    return replace(state, phase="first_statues")


# The first statue


def next_first_statue(state: State) -> int:
    """Return the seat that sets its first statue next, from the lowest rank up; the king when all have one."""
    return next((seat for seat in reversed(seats_by_rank(state.ranks)) if not state.placed[seat]), state.king)


def first_statue_fields(state: State) -> tuple[int, ...]:
    """Return the free meadows; ruling: any free field if there are none."""
    meadows = tuple(f for f, kind in enumerate(state.land) if kind == "meadow" and state.owner[f] == NO_SEAT)
    return meadows or tuple(f for f, kind in enumerate(state.land) if kind in KINDS and state.owner[f] == NO_SEAT)


def first_statue_moves(state: State) -> Iterator[Move]:
    """Yield the fields where the next seat may set its first statue."""
    seat = next_first_statue(state)
    return (FirstStatue(seat, field) for field in first_statue_fields(state))


def check_first_statue(state: State, move: FirstStatue) -> Iterator[Breach]:
    """Check the order of seats, and that the field is a free meadow."""
    due = next_first_statue(state)
    if move.seat != due:
        yield broken("first.order", seat=state.colour(move.seat), next=state.colour(due))
    if not 0 <= move.field < len(state.land) or state.land[move.field] not in KINDS:
        yield broken("placing.face-up", seat=state.colour(move.seat), field=state.field_name(move.field))
    elif state.owner[move.field] != NO_SEAT:
        yield broken(
            "placing.free-field",
            seat=state.colour(move.seat),
            field=state.field_name(move.field),
            owner=state.colour(state.owner[move.field]),
        )
    elif move.field not in first_statue_fields(state):
        field, kind = state.field_name(move.field), f"a {state.land[move.field]}"
        yield broken("first.meadow", seat=state.colour(move.seat), field=field, kind=kind)


def first_statue(state: State, move: FirstStatue, log: RuleLog) -> State:
    """Set a first statue; after the last one the first round begins."""
    log.tell("first.order", seat=state.colour(move.seat))
    log.tell("first.meadow", seat=state.colour(move.seat), field=state.field_name(move.field))
    log.tell("placing.front-statue", seat=state.colour(move.seat), number=1)
    state = replace(
        state,
        owner=changed(state.owner, move.field, move.seat),
        standing=changed(state.standing, move.field, 1),
        placed=changed(state.placed, move.seat, state.placed[move.seat] + 1),
    )
    if not all(state.placed):
        return state
    log.tell("round.phases", round=1)
    return replace(state, phase="mood", round=1)
