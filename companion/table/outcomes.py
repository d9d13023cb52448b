"""Where a finding leads: the states it speaks of, and where on the table they differ from what is so now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from companion.journal import Joining
from companion.kernel.rules import M, S
from companion.referee import Explained, Finding, Illegal, Lost, Open, Takeback
from companion.table.ledger import Ledger
from companion.table.observations import Place, changes

Choice = Explained | Takeback | Joining
"""What people may be asked to choose from."""


class Outcomes(Generic[S, M]):
    """Follows findings from where one game stands."""

    def __init__(self, ledger: Ledger[S, M]) -> None:
        self._ledger = ledger
        self._game = ledger.game

    def places(self, finding: Finding) -> set[Place]:
        """Where on the table a finding speaks of."""
        game, now = self._game, self._game.view(self._ledger.state)
        match finding:
            case Explained() | Takeback():
                return changes(now, game.view(self.option(finding)))
            case Open(options=options):
                ends = [game.view(self.option(option)) for option in options]
                return set().union(*(changes(one, other) for one, other in zip((now, *ends), ends, strict=False)))
            case Illegal(tries=tries):
                start = self.before(finding)
                tried = [state for one in tries if (state := game.play_unchecked(start, one.move)) is not None]
                return set().union(*(changes(now, game.view(state)) for state in tried))
            case Lost(zones=zones):
                return {(zone, "") for zone in zones}
            case _:
                return set()

    def option(self, option: Choice) -> S:
        """The state after one way of what may have happened, or may come next."""
        if isinstance(option, Joining):
            return self._ledger.moment(option)
        if isinstance(option, Takeback):
            return self._played(self._ledger.line()[-1 - option.back].state, option.moves)
        return self._played(self._ledger.state, option.moves)

    def before(self, finding: Finding) -> S:
        """The state in which somebody did what is forbidden."""
        if isinstance(finding, Illegal):
            return self._played(self._ledger.line()[-1 - finding.back].state, finding.moves)
        return self._ledger.state

    def _played(self, state: S, moves: Sequence[M]) -> S:
        for move in moves:
            state = self._game.play(state, move)
        return state
