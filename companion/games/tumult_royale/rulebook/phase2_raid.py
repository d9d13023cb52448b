"""Phase 2, the raid (Steuer-Raubphase): tiles are set aside, the raid from ready to stop, tiles are turned up.

During the raid itself only the number of tiles is observed; the timer that measures it is in `hardware`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from companion.games.tumult_royale.state import State, unseen_tiles
from companion.kernel.rules import Breach, Fact, RuleLog, broken, changed

from ..box import TILES, tiles_in_play
from ..moves import (
    MIDDLE,
    UNKNOWN_SEAT,
    LayDown,
    Look,
    Move,
    PutBack,
    Ready,
    Rob,
    SetAside,
    StartRaid,
    Stop,
    TurnUp,
)
from .phase1_mood import demand_without_spin, spin_moves
from .phase3_tumults import begin_tumults

# (A) Tiles are set aside. Ruling: before or after the spin.


def mood_moves(state: State) -> Iterator[Move]:
    """Yield the legal moves before the raid: phase 1 and the steps of phase 2 before the start overlap."""
    yield from spin_moves(state)
    for seat in range(state.players):
        if not state.aside[seat]:
            yield SetAside(seat, state.box.set_aside.each)
    if all(state.aside):
        for seat in range(state.players):
            if not state.ready[seat]:
                yield Ready(seat)
        if all(state.ready):
            yield StartRaid(state.king)


def check_set_aside(state: State, move: SetAside) -> Iterator[Breach]:
    """Check that a seat sets aside the right number of tiles, once per round."""
    done = all(state.aside) if move.seat == UNKNOWN_SEAT else state.aside[move.seat]
    due = 0 if done else state.box.set_aside.each
    if not due or move.tiles != due:
        yield broken("raid.set-aside", seat=_who_set_aside(state, move), tiles=move.tiles, each=due)


def set_aside(state: State, move: SetAside, log: RuleLog) -> State:
    """Take tiles out of this round."""
    log.tell("raid.set-aside", seat=_who_set_aside(state, move), tiles=move.tiles)
    if state.round > 1:
        log.tell("next.set-aside-again")
    state = replace(state, hidden_middle=state.hidden_middle - move.tiles)
    if move.seat == UNKNOWN_SEAT:
        return with_set_aside(state, state.aside, state.aside_unseen + 1)
    return with_set_aside(state, changed(state.aside, move.seat, True), state.aside_unseen)


def with_set_aside(state: State, named: tuple[bool, ...], unseen: int) -> State:
    """Record the seats known to have set tiles aside, and how many unknown ones; once complete, all are known."""
    complete = sum(named) + unseen >= state.players
    return replace(
        state,
        aside=(True,) * state.players if complete else named,
        aside_unseen=0 if complete else unseen,
    )


def recount_set_aside(state: State) -> State:
    """Derive the number of seats that have set tiles aside from the tiles that are missing."""
    lying = state.hidden_middle + len(state.middle) + sum(state.hidden_castles) + sum(map(len, state.castles))
    missing = sum(tiles_in_play(state.box, state.players).values()) - lying
    done = min(max(0, missing // state.box.set_aside.each), state.players)
    if done == sum(state.aside) + state.aside_unseen:
        return state
    named = state.aside if sum(state.aside) <= done else (False,) * state.players
    return with_set_aside(state, named, done - sum(named))


def _who_set_aside(state: State, move: SetAside) -> str:
    """Return the colour of the seat that set tiles aside, or the word `somebody`."""
    return "somebody" if move.seat == UNKNOWN_SEAT else state.colour(move.seat)


# (B) The raid


def check_ready(state: State, move: Ready) -> Iterator[Breach]:
    """Check that all tiles are set aside, and that the seat is not ready already."""
    if not all(state.aside):
        yield _set_aside_first(state, move.seat)
    if state.ready[move.seat]:
        yield broken("raid.ready-once", seat=state.colour(move.seat))


def ready(state: State, move: Ready, log: RuleLog) -> State:
    """Mark a seat as ready."""
    log.tell("raid.ready", seat=state.colour(move.seat))
    return replace(state, ready=changed(state.ready, move.seat, True))


def check_start_raid(state: State, move: StartRaid) -> Iterator[Breach]:
    """Check that the king starts the raid, after all have set tiles aside and are ready."""
    if move.seat != state.king:
        yield broken("raid.king-starts", seat=state.colour(move.seat), king=state.colour(state.king))
    if not all(state.aside):
        yield _set_aside_first(state, move.seat)
    elif not all(state.ready):
        yield broken("raid.ready", seat=state.colour(move.seat), waiting=_colours(state, state.ready))


def start_raid(state: State, move: StartRaid, log: RuleLog) -> State:
    """Begin the raid; without a spin the number of the round before counts."""
    log.tell("raid.king-starts", seat=state.colour(move.seat), seconds=state.box.raid_seconds)
    demand = state.demand
    if not state.options.gamblers and not any(demand):
        number = demand_without_spin(state, 0, log)
        demand = (number, number, number)
    return replace(state, phase="raid", demand=demand)


def raid_moves(state: State) -> Iterator[Move]:
    """Yield everything that may happen during the raid: looks, robberies, and the stop with any tiles in hand."""
    for seat in range(state.players):
        if state.hidden_middle:
            yield Rob(seat)
            yield Look(seat)
        if state.options.second_look and state.hidden_castles[seat]:
            yield Look(seat, seat)
    for number in range(min(state.players, state.hidden_middle) + 1):
        for holding in combinations(range(state.players), number):
            yield Stop(holding)


def check_look(state: State, move: Look) -> Iterator[Breach]:
    """Check that a seat looks at one tile with one hand, during the raid, where the tile is not safe."""
    yield from _check_grip(state, move)
    if state.phase != "raid":
        yield broken("raid.stop", seat=state.colour(move.seat))
    if move.source == move.seat and not state.options.second_look:
        yield broken("raid.second-look", seat=state.colour(move.seat))


def look(state: State, move: Look, log: RuleLog) -> State:
    """Log a look at a tile, which changes nothing."""
    log.tell("raid.look" if move.source == MIDDLE else "raid.second-look", seat=state.colour(move.seat))
    return state


def check_rob(state: State, move: Rob) -> Iterator[Breach]:
    """Check that a seat robs one tile with one hand, during the raid, and not from a castle."""
    if move.source == move.seat:
        yield broken("raid.keep", seat=state.colour(move.seat), own=1)
        return
    yield from _check_grip(state, move)
    if state.phase != "raid":
        yield broken("raid.stop", seat=state.colour(move.seat))


def rob(state: State, move: Rob, log: RuleLog) -> State:
    """Move a tile from the middle to a castle."""
    log.tell("raid.keep", seat=state.colour(move.seat), tiles=state.hidden_castles[move.seat] + 1)
    return _tile_to_castle(state, move.seat)


def check_put_back(state: State, move: PutBack) -> Iterator[Breach]:
    """Refuse always: a tile on a castle stays there."""
    yield broken("raid.no-return", seat=state.colour(move.seat))


def put_back(state: State, _move: PutBack, _log: RuleLog) -> State:
    """Do nothing; this move is never legal."""
    return state


def check_stop(state: State, move: Stop) -> Iterator[Breach]:
    """Check that the seats with a tile in hand exist, and that there are tiles for all of them."""
    known = len(set(move.holding)) == len(move.holding) and all(0 <= seat < state.players for seat in move.holding)
    if not known or len(move.holding) > state.hidden_middle:
        seats = tuple(state.colour(seat) for seat in move.holding)
        yield broken("raid.in-hand", seats=seats, number=len(seats), left=state.hidden_middle)


def stop(state: State, move: Stop, log: RuleLog) -> State:
    """End the raid."""
    log.tell("raid.stop", seconds=state.box.raid_seconds)
    holding = tuple(seat in move.holding for seat in range(state.players))
    return _after_stop(replace(state, phase="stopped", holding=holding), log)


def lay_down_moves(state: State) -> Iterator[Move]:
    """Yield for each seat with a tile in hand that it keeps the tile or puts it back."""
    for seat in range(state.players):
        if state.holding[seat]:
            yield LayDown(seat, True)
            yield LayDown(seat, False)


def check_lay_down(state: State, move: LayDown) -> Iterator[Breach]:
    """Check that the seat still has a tile in hand."""
    if not state.holding[move.seat]:
        yield broken("raid.stop", seat=state.colour(move.seat))


def lay_down(state: State, move: LayDown, log: RuleLog) -> State:
    """Put the tile in a seat's hand on its castle or back in the middle."""
    log.tell("raid.in-hand", seat=state.colour(move.seat), keep=int(move.keep))
    state = replace(state, holding=changed(state.holding, move.seat, False))
    return _after_stop(_tile_to_castle(state, move.seat) if move.keep else state, log)


def _after_stop(state: State, log: RuleLog) -> State:
    """Go on to turning up once no seat has a tile in hand."""
    if any(state.holding):
        return state
    if state.hidden_middle or any(state.hidden_castles):
        return replace(state, phase="turning_up")
    return after_all_turned_up(state, log)


# (C) All tiles are turned up


def turn_up_moves(state: State) -> Iterator[Move]:
    """Yield each tile that may be turned up, at each place with face-down tiles."""
    tiles = tuple(unseen_tiles(state))
    if state.hidden_middle:
        for tile in tiles:
            yield TurnUp(MIDDLE, tile)
    for seat in range(state.players):
        if state.hidden_castles[seat]:
            for tile in tiles:
                yield TurnUp(seat, tile)


def check_turn_up(state: State, move: TurnUp) -> Iterator[Breach]:
    """Check that a tile lies face down at this place, and that such a tile is still unseen."""
    if move.place != MIDDLE and not 0 <= move.place < state.players:
        yield broken("setup.players", seat=move.place + 1, players=state.players)
        return
    if not (state.hidden_middle if move.place == MIDDLE else state.hidden_castles[move.place]):
        yield broken("raid.turn-up", **place_facts(state, move))
    if move.tile not in TILES or not unseen_tiles(state).get(move.tile):
        yield broken("setup.goods-tiles", tile=move.tile, tiles=0, players=state.players)


def turn_up(state: State, move: TurnUp, log: RuleLog) -> State:
    """Turn a tile face up; after the last one the next phase begins."""
    log.tell("raid.turn-up", tile=move.tile, **place_facts(state, move))
    if move.place == MIDDLE:
        state = replace(state, hidden_middle=state.hidden_middle - 1, middle=tuple(sorted((*state.middle, move.tile))))
    else:
        castle = tuple(sorted((*state.castles[move.place], move.tile)))
        state = replace(
            state,
            hidden_castles=changed(state.hidden_castles, move.place, state.hidden_castles[move.place] - 1),
            castles=changed(state.castles, move.place, castle),
        )
        if not state.hidden_castles[move.place]:
            log.tell("raid.castle-safe", seat=state.colour(move.place), tiles=castle)
    if state.hidden_middle or any(state.hidden_castles):
        return state
    return after_all_turned_up(state, log)


def after_all_turned_up(state: State, log: RuleLog) -> State:
    """Go on to the tumults, or to the spins of the gamblers' variant."""
    if state.options.gamblers:
        log.tell("gamble.after-raid")
        return replace(state, phase="gambling")
    return begin_tumults(state, log)


def _check_grip(state: State, move: Look | Rob) -> Iterator[Breach]:
    """Check how a tile is taken: one hand, one tile, from a place where it is not safe."""
    seat = state.colour(move.seat)
    if move.hands > 1:
        yield broken("raid.one-hand", seat=seat)
    if move.tiles > 1:
        yield broken("raid.one-tile", seat=seat, tiles=move.tiles)
    if move.source not in (MIDDLE, move.seat):
        yield broken("raid.castle-safe", seat=seat, owner=state.colour(move.source))
        return
    lying = state.hidden_middle if move.source == MIDDLE else state.hidden_castles[move.seat]
    if not lying or min(move.tiles, move.hands) < 1:
        yield broken("raid.keep", seat=seat, own=0)


def _tile_to_castle(state: State, seat: int) -> State:
    """Move a face-down tile from the middle to a castle."""
    return replace(
        state,
        hidden_middle=state.hidden_middle - 1,
        hidden_castles=changed(state.hidden_castles, seat, state.hidden_castles[seat] + 1),
    )


def _set_aside_first(state: State, seat: int) -> Breach:
    """Return the breach of going on before all have set tiles aside."""
    missing: Fact = "somebody" if state.aside_unseen else _colours(state, state.aside)
    return broken("raid.aside-first", seat=state.colour(seat), waiting=missing, each=state.box.set_aside.each)


def _colours(state: State, done: tuple[bool, ...]) -> tuple[str, ...]:
    """Return the colours of the seats that have not done it yet."""
    return tuple(state.colour(seat) for seat, yes in enumerate(done) if not yes)


def place_facts(state: State, move: TurnUp) -> dict[str, Fact]:
    """Return the facts about where a tile is turned up: in the middle, or on whose castle."""
    middle = move.place == MIDDLE
    return {"place": "middle" if middle else state.colour(move.place), "middle": int(middle)}
