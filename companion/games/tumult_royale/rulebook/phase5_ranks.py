"""Phase 5, ranks (Ränge neu verteilen): nobility cards change hands by the number of followers, the king's card first.

What the new king does is in `phase6_coronation`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tumult_royale.state import State
from companion.kernel.rules import Breach, Fact, RuleLog, SeatNo, broken, changed

from ..moves import Exchange, Move


def begin_ranks(state: State, log: RuleLog) -> State:
    """Begin the exchange of cards, and remember the ranks before it for ties."""
    for seat, followers in zip(state.seats, state.followers, strict=True):
        log.tell("ranks.visible", seat=seat.colour, followers=followers)
    return next_exchange(replace(state, phase="ranks", ranks_before=state.ranks), log)


def exchange_due(state: State) -> Exchange | None:
    """Return the next exchange: of the seats still to be settled, the best takes the highest rank left."""
    unsettled = set(range(state.players))
    tie_break = state.ranks_before if state.options.rank_ties == "before_phase" else state.ranks
    for rank in range(1, state.players + 1):
        best = min(unsettled, key=lambda seat: (-state.followers[seat], tie_break[seat]))
        if state.ranks[best] != rank:
            return Exchange(best, rank)
        unsettled.remove(best)
    return None


def exchange_moves(state: State) -> Iterator[Move]:
    """Yield the exchange that is due."""
    due = exchange_due(state)
    if due:
        yield due


def check_exchange(state: State, move: Exchange) -> Iterator[Breach]:
    """Check an exchange: a card goes to the seat it is due to, and stays with a seat that is settled."""
    due = exchange_due(state)
    if due is None or move == due:
        return
    taker, card = _taker_and_card(state, move)
    settled = 1 <= card < min(due.rank, state.ranks[taker])
    owner, rank = (state.ranks.index(card), card) if settled else (due.seat, due.rank)
    facts: dict[str, Fact] = {
        "seat": state.colour(taker),
        "has": state.followers[taker],
        "due": state.colour(owner),
        "most": state.followers[owner],
        "rank": f"rank{rank}",
        "held": int(state.options.rank_ties == "card_held"),
    }
    if card != rank or taker == owner:
        yield Breach("ranks.king-first", facts)
    elif state.followers[taker] == state.followers[owner]:
        yield Breach("ranks.ties", facts)
    else:
        yield Breach("ranks.most-followers", facts)
    if not 1 <= move.rank <= state.players:
        yield broken("setup.cards", rank=move.rank, cards=state.players)


def _taker_and_card(state: State, move: Exchange) -> tuple[SeatNo, int]:
    """Return who gets the higher of two swapped cards, and which it is: a swap does not show who took which."""
    own = state.ranks[move.seat]
    return (state.ranks.index(move.rank), own) if own < move.rank <= state.players else (move.seat, move.rank)


def exchange(state: State, move: Exchange, log: RuleLog) -> State:
    """Swap two nobility cards."""
    holder = state.ranks.index(move.rank)
    followers = state.followers[move.seat]
    rank = f"rank{move.rank}"
    log.tell("ranks.most-followers", seat=state.colour(move.seat), followers=followers, rank=rank)
    log.tell("ranks.exchange", seat=state.colour(move.seat), holder=state.colour(holder), rank=rank)
    ranks = changed(state.ranks, holder, state.ranks[move.seat])
    return next_exchange(replace(state, ranks=changed(ranks, move.seat, move.rank)), log)


def next_exchange(state: State, log: RuleLog) -> State:
    """Go on to the coronation once no exchange is due."""
    if exchange_due(state):
        return state
    if len(set(state.followers)) < state.players:
        log.tell("ranks.ties")
    log.tell("ranks.king-first", king=state.colour(state.king))
    return replace(state, phase="coronation")
