"""Decides when to act on a finding: enough was seen, often enough, and waiting would not change it.

A legal move is accepted once every zone it changed is visible. An accusation needs a second, independent look; a move
that may be half done gets time; nothing is said while a hand covers the places in question.

`Pending` is a finding that waits for this decision. `Outcomes` computes the states that a finding leads to, and the
places in which they differ from the current one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, Generic, Literal, NamedTuple

from companion.journal import Joining
from companion.kernel.game import M, S
from companion.kernel.rules import CHANCE
from companion.kernel.views import UNKNOWN, Cells, Place, changed_places
from companion.referee import Explained, Finding, Illegal, Lost, Open, Settled, Takeback, Unfinished
from companion.table.ledger import Ledger
from companion.table.observations import Evidence, Observations
from companion.text.move_menu import leading_to

LOOKS: Final = 2
"""Number of looks that must agree before an accusation, or before the table counts as lost."""
HALF_DONE: Final = 12.0
"""Seconds that people have to complete a move that can still become legal."""
UNHURRIED: Final = 20.0
"""Seconds before an invisible move or a takeback is accepted if people may be in the middle of another move."""
LOST_AFTER: Final = 6.0
"""Seconds before an unexplained table counts as lost, because pieces may be in a hand."""
REMIND: Final = 12.0
"""Seconds before a hint names the rest of a half-done move."""

Choice = Explained | Takeback | Joining
"""An option of a question."""

What = Literal["wait", "look", "act", "doubt"]
"""Wait; look again and wait; act on the finding; or only give a hint."""


class Pending:
    """A finding before it is acted on: since when it holds, and how many looks agree on it."""

    def __init__(self, finding: Finding, at: float) -> None:
        self.finding = finding
        self.since = at
        self.looks = 1
        self.doubted = False
        """Whether people got a hint about it. Later looks may still make it certain."""
        self.said = False
        """Whether it was acted on, and must not be again."""
        self._asked = 0

    @property
    def told(self) -> bool:
        return self.said or self.doubted

    @property
    def waits(self) -> bool:
        """Whether the passing of time alone can change the decision."""
        return not self.told and not isinstance(self.finding, Settled)

    def is_continued_by(self, finding: Finding) -> bool:
        """Whether a new explanation continues this half-done one: then its missing pieces were not in a hand all the
        time."""
        return (
            isinstance(finding, Explained)
            and isinstance(self.finding, Explained)
            and self.finding.half_done
            and finding.besides > self.finding.besides
            and not Counter(self.finding.moves) - Counter(finding.moves)
        )

    def decide(self, evidence: Evidence, now: float) -> What:
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
        """Ask for another look, once for each look so far."""
        if self._asked >= self.looks:
            return "wait"
        self._asked = self.looks
        return "look"


class Outcomes(Generic[S, M]):
    """Computes where findings lead from the current state of one game."""

    def __init__(self, ledger: Ledger[S, M]) -> None:
        self._ledger = ledger
        self._game = ledger.game

    def places(self, finding: Finding) -> set[Place]:
        """The places that a finding is about."""
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
        """The state after one option of a question."""
        if isinstance(option, Joining):
            return self._ledger.joined_state(option)
        if isinstance(option, Takeback):
            return self._played(self._ledger.line()[-1 - option.back].state, option.moves)
        return self._played(self._ledger.state, option.moves)

    def before(self, finding: Finding) -> S:
        """The state in which the forbidden move was made."""
        if isinstance(finding, Illegal):
            return self._played(self._ledger.line()[-1 - finding.back].state, finding.moves)
        return self._ledger.state

    def _played(self, state: S, moves: Sequence[M]) -> S:
        for move in moves:
            state = self._game.play(state, move)
        return state


# Unknown pieces: the camera cannot read a place where chance turned up a piece, so the box may not hold it


STRANGE: Final = 10.0
"""Seconds after which an unreadable piece may be missing in the box; before, it may lie badly or under a hand."""


class Strange(NamedTuple):
    """A place with an unknown piece, and the options in the menu of moves that lead to it."""

    place: Place
    chosen: list[str]


class UnknownPieces(Generic[S, M]):
    """Finds the places of unknown pieces at one table."""

    def __init__(self, ledger: Ledger[S, M], observations: Observations) -> None:
        self._ledger, self._game, self._observations = ledger, ledger.game, observations
        self._due_in: tuple[Any, dict[Place, list[str]]] = None, {}

    def strange(self, now: float) -> Strange | None:
        """The first place with an unknown piece, if any."""
        state = self._ledger.state
        if self._game.learning is None or self._game.actor(state) != CHANCE:
            return None
        for place in self._not_made_out(now):
            if place in (due := self._due(state)):
                return Strange(place, due[place])
        return None

    def _not_made_out(self, now: float) -> Iterator[Place]:
        for zone, contents in self._observations.view(self._ledger.ignored).zones.items():
            cells = contents.at if isinstance(contents, Cells) else {}
            for cell, label in cells.items():
                if label == UNKNOWN and self._observations.unclear_for((zone, cell), now) >= STRANGE:
                    yield zone, cell

    def _due(self, state: S) -> dict[Place, list[str]]:
        """The places where chance turns up pieces that people may describe. Cached for the current state."""
        if self._due_in[0] is not state:
            self._due_in = state, dict(self._turned_up(state))
        return self._due_in[1]

    def _turned_up(self, state: S) -> Iterator[tuple[Place, list[str]]]:
        learning, view = self._game.learning, self._game.view(state)
        assert learning is not None
        tried = set()
        for move in self._game.moves(state):
            for field in move.__struct_fields__:
                chosen = leading_to(move, field)
                if tuple(chosen) not in tried and learning.form(state, move, field) is not None:
                    tried.add(tuple(chosen))
                    after = self._game.view(self._game.play(state, move))
                    yield from ((place, chosen) for place in changed_places(view, after) if place[1])
