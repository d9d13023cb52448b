"""Where a game stands: what a journal keeps beside its events, so that a game goes on when the rules have changed.

Replaying the events needs the rules that they were played by. After an update these may be others: a move is refused
or unknown, or the same moves lead elsewhere. Then the game goes on from what is kept here.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

from companion.journal.file import Setup
from companion.kernel.messages import View
from companion.kernel.rules import Actor, Game, S


class Standing(msgspec.Struct, frozen=True):
    """The game after event `n`: how the table looks, who is to act, the points, and the State as compressed JSON."""

    n: int
    view: View
    actor: Actor
    totals: tuple[int, ...]
    state: bytes


class Change(msgspec.Struct):
    """The rules of today do not lead where the journal was written: from which event on, how that was noticed, how many
    moves could not be followed, and whether the game goes on from what was kept of it."""

    n: int
    how: str
    unfollowed: int = 0
    kept: bool = False

    @property
    def sentence(self) -> str:
        """The key of what people are told."""
        if self.kept:
            return "changed.carried"
        return "changed.followed" if self.unfollowed else "changed.told_anew"


class Carried(msgspec.Struct, frozen=True):
    """An event: the rules had changed, and the game went on from here."""

    standing: Standing
    change: Change


def standing(game: Game[S, Any], state: S, n: int) -> Standing:
    totals = tuple(seat.total for seat in game.score(state).seats)
    return Standing(n, game.view(state), game.actor(state), totals, zlib.compress(msgspec.json.encode(state), 1))


def stands_so(game: Game[S, Any], state: S, kept: Standing) -> bool:
    """Whether a State means what was kept, however it is written: people would notice no difference."""
    try:
        now = standing(game, state, kept.n)
    except Exception:  # rules that have changed may stumble over anything
        return False
    return (now.actor, now.totals) == (kept.actor, kept.totals) and _looks_so(now.view, kept.view)


def _looks_so(view: View, kept: View) -> bool:
    """Whether two Views agree in every zone that both of them know."""
    return all(contents == view.zones.get(zone, contents) for zone, contents in kept.zones.items())


def taken_over(game: Game[S, Any], state: S, kept: Standing) -> S:
    """The State that was kept, if it can still be read; otherwise `state`, made to look like the View that was kept."""
    try:
        read: S = msgspec.json.decode(zlib.decompress(kept.state), type=game.state_type)
        if _looks_so(standing(game, read, kept.n).view, kept.view) and game.expects(read):
            return read
    except Exception:  # a State of other rules: anything may be missing in it
        pass
    try:
        return game.state_from_view(state, kept.view)
    except Exception:  # a table of other rules: what the moves led to is all there is
        return state


def options_of(game: Game[Any, Any], setup: Setup) -> dict[str, Any]:
    """All options of a written game. Those that its journal does not name were played as `options_before` says; those
    that the game no longer has are left out."""
    known = {field.encode_name for field in msgspec.structs.fields(game.options_type)}
    return {name: value for name, value in {**game.options_before, **setup.options}.items() if name in known}


def set_up(game: Game[S, Any], setup: Setup) -> S:
    """The table before the first event of a journal. Raises what a box or a set-up raises."""
    box = game.box_from_json(msgspec.json.decode(setup.box))
    return game.setup(box, setup.seats, options_of(game, setup))
