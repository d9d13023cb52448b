"""When a finding may be acted on: enough was seen, often enough, and waiting would not change the answer.

What is legal is taken at once if everything it changed was seen. An accusation needs a second, independent look; a
move that may only be half done gets time; and nothing is said while a hand covers what it is about.

`Pending` is a finding that is being weighed. `Outcomes` tells to which states a finding leads, and where on the table
these differ from the current one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Generic, Literal

from companion.journal import Joining
from companion.kernel.game import M, S
from companion.kernel.views import Place, changed_places
from companion.referee import (
    Explained,
    Finding,
    Illegal,
    Lost,
    Open,
    Settled,
    Takeback,
    Unfinished,
)
from companion.table.ledger import Ledger
from companion.table.observations import Evidence

LOOKS: Final = 2
"""So many looks must agree before anybody is accused, or the table is said to be lost."""
HALF_DONE: Final = 12.0
"""Seconds for which a move that can still become legal is left in peace."""
UNHURRIED: Final = 20.0
"""Seconds for which moves that left no trace, or that were taken back, are not believed where people may be in the
middle of another one."""
LOST_AFTER: Final = 6.0
"""Seconds for which a table that nothing explains is left in peace: somebody may hold pieces in the hand."""
REMIND: Final = 12.0
"""Seconds after which what is left of a half-done move is named."""

Choice = Explained | Takeback | Joining
"""What people may be asked to choose from."""

What = Literal["wait", "look", "act", "doubt"]
"""Wait; look again and wait; act on it; or say it as a doubt only."""


class Pending:
    """One finding while it is weighed: since when it has stood, and how many looks have agreed on it."""

    def __init__(self, finding: Finding, at: float) -> None:
        self.finding = finding
        self.since = at
        self.looks = 1
        self.doubted = False
        """It has been told to people as a doubt; what is seen later may still make it certain."""
        self.said = False
        """It has been told to people, and need not be told again."""
        self._asked = 0

    @property
    def told(self) -> bool:
        return self.said or self.doubted

    @property
    def waits(self) -> bool:
        """Whether time alone could lead to something."""
        return not self.told and not isinstance(self.finding, Settled)

    def gone_on(self, finding: Finding) -> bool:
        """Whether people have done something else since an explanation was doubted for what they may have had in the
        hand: they have not had it there all the time."""
        return (
            isinstance(finding, Explained)
            and isinstance(self.finding, Explained)
            and self.finding.half_done
            and finding.besides > self.finding.besides
            and not Counter(self.finding.moves) - Counter(finding.moves)
        )

    def weigh(self, evidence: Evidence, now: float) -> What:
        waited = now - self.since
        if evidence.covered:
            return "wait"
        match self.finding:
            case Settled():
                return "act"
            case Explained() | Takeback() | Open():
                if evidence.unsure:
                    return self._again()
                ways = self.finding.options if isinstance(self.finding, Open) else (self.finding,)
                doubtful = all(way.half_done for way in ways)
                return "wait" if doubtful and waited < UNHURRIED else "act"
            case Unfinished():
                return "doubt" if waited >= REMIND else "wait"
            case Illegal():
                if self.looks < LOOKS or evidence.unsure:
                    return self._again()
                if self.finding.half_done and waited < HALF_DONE:
                    return "wait"
                return "doubt" if evidence.blind else "act"
            case Lost():
                if self.looks < LOOKS or evidence.unsure:
                    return self._again()
                if waited < LOST_AFTER:
                    return "wait"
                return "doubt" if evidence.blind else "act"

    def _again(self) -> What:
        """A second look is asked for once for each look there was."""
        if self._asked >= self.looks:
            return "wait"
        self._asked = self.looks
        return "look"


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
                return set(changed_places(now, game.view(self.option(finding))))
            case Open(options=options):
                ends = [game.view(self.option(option)) for option in options]
                return {place for one, other in pairwise((now, *ends)) for place in changed_places(one, other)}
            case Illegal(tries=tries):
                start = self.before(finding)
                tried = [state for one in tries if (state := game.play_unchecked(start, one.move)) is not None]
                return set().union(*(changed_places(now, game.view(state)) for state in tried))
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
