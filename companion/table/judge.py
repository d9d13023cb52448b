"""From a reading to a Finding: asks the referee, and handles dials, doubtful moves, and moves that hands still owe."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, Generic, TypeGuard

from msgspec.structs import replace

from companion.kernel.game import M, S
from companion.kernel.messages import Signal
from companion.kernel.rules import seat_of
from companion.kernel.views import Contents, Pointing, View, differences, distance, on_the_way
from companion.referee import Explained, Finding, Illegal, Lost, Open, Referee, Settled, Takeback, Unfinished
from companion.table.decisions import Outcomes
from companion.table.ledger import Ledger, Point
from companion.table.observations import Observations, without_dials

_log = logging.getLogger(__name__)

LATE: Final = 3
"""Maximum number of accepted moves before which the camera may show an earlier move late."""


class Judge(Generic[S, M]):
    """Finds out what a View means in the current state of one game."""

    def __init__(self, ledger: Ledger[S, M], observations: Observations, outcomes: Outcomes[S, M]) -> None:
        self.referee = Referee(ledger.game)
        self._ledger = ledger
        self._game = ledger.game
        self._seats = len(ledger.journal.head.setup.seats)
        self._observations = observations
        self._outcomes = outcomes
        self._asked: tuple[Point[S], View, Finding] | None = None
        """The referee's last question and answer, because several looks at a still table are one question."""
        self._deviating_dials: dict[str, Contents] = {}
        """Dials that point elsewhere and that people were told of already."""
        self._doubted: tuple[Point[S], Explained, View] | None = None
        """The explanation that may be half of another move, with its state and View."""
        self._taken_back: tuple[Point[S], Takeback] | None = None
        """The takeback that may be half of the next move, with its state."""
        self._postponed: tuple[Point[S], Open, View] | None = None
        """The question that was postponed, because all of it may be half of another move, with its state and View."""
        self._fully_seen_until = 0
        """The last event after which the whole table was seen to match."""

    def finding(self, seen: View) -> Finding | None:
        try:
            told = self._promised(seen)
            return told if told is not None else self._or_confirmed(self._found(seen), seen)
        except Exception:  # no reading may stop the game
            _log.exception("The referee failed on a reading, which is left out.")
            return None

    def _promised(self, seen: View) -> Finding | None:
        """The finding while hands still have to make told moves: the table is late, which is no takeback."""
        point, waits = self._ledger.now, False
        while not point.seen and point.parent is not None:
            point, waits = point.parent, True
        if not waits:
            return None
        then = self._game.view(self._ledger.state)
        if not distance(seen, then):
            self.mark_dials_handled()  # a dial that shows the told value was not turned once more
            return Settled()
        if on_the_way(self._game.view(point.state), seen, then):
            return Unfinished((), self.referee.left_to_do(seen, self._ledger.state))
        return None

    def _found(self, seen: View) -> Finding:
        """The referee's finding, or one with a turned dial that explains more."""
        plain = self._judged(seen)
        if isinstance(plain, Takeback) and not all(point.seen for point in self._ledger.line()[-plain.back :]):
            return Open((plain,))  # a person told it and the camera contradicts: only people can decide
        if isinstance(plain, Illegal | Lost) or (isinstance(plain, Takeback) and plain.moves):
            plain = self._before_a_press(seen) or plain
        if isinstance(plain, Lost):
            plain = self._shown_late(seen) or plain
        for dial, value in self._observations.turned().items():
            with_turn = self._turned(dial, value, seen, plain)
            if with_turn is None:
                if isinstance(plain, Settled):
                    self._observations.turned_early.add(dial)
            elif dial in self._observations.turned_early and isinstance(plain, Settled):
                return Open((with_turn,))
            else:
                return with_turn
        if isinstance(plain, Settled):
            self.mark_dials_handled()
            if self.note_match():
                self._doubted = self._taken_back = self._postponed = None  # the pieces are back: it was not made
        return plain

    def _or_confirmed(self, found: Finding, seen: View) -> Finding:
        """A later move confirms the doubtful one."""
        if isinstance(found, Explained | Illegal) and (question := self._still_open(found, seen)) is not None:
            return question
        if isinstance(found, Illegal):
            for done in self._perhaps_done(seen):
                found = self._wrong_since(done, found, seen)
        vague = _to_postpone(found) or isinstance(found, Unfinished | Illegal | Lost)
        if vague and (question := self._further_question(found, seen)) is not None:
            return question
        if _to_postpone(found):
            self._postponed = self._ledger.now, found, seen
        if isinstance(found, Explained) and not found.half_done and (other := self._other_continuation(found, seen)):
            return self._one_or_the_other(found, other, seen)
        sure = isinstance(found, Settled | Takeback) or (isinstance(found, Explained) and not found.half_done)
        since = () if sure or not self._changed_since_doubted(seen) else self._since_doubted(seen)
        if since and self._doubted is not None and self._by_player(since):
            found = Explained((*self._doubted[1].moves, *since))
        if isinstance(found, Explained | Illegal) and not found.half_done and self._another_answer_in_progress(seen):
            found = _doubtful(found)
        if isinstance(found, Explained) and found.half_done:
            self._doubted = self._ledger.now, found, seen
        if isinstance(found, Takeback) and found.half_done:
            self._taken_back = self._ledger.now, found
        return found

    def _changed_since_doubted(self, seen: View) -> bool:
        """Whether any place that was visible in the doubtful View has changed. A hand that only went away confirms
        nothing: the uncovered pieces may be those that were still missing."""
        return self._doubted is not None and bool(differences(seen, self._doubted[2]))

    def _other_continuation(self, found: Explained, seen: View) -> Explained | None:
        """The explanation that continues the doubtful move, if the found one does not contain that move."""
        if self._doubted is None or not Counter(self._doubted[1].moves) - Counter(found.moves):
            return None
        if self._doubted[1].moves[: len(found.moves)] == found.moves:
            return None  # the found moves are the beginning of the doubtful ones
        if not self._changed_since_doubted(seen):
            return None
        other = self.continuation(seen)
        return other if other is not None and len(other.moves) > len(self._doubted[1].moves) else None

    def _one_or_the_other(self, found: Explained, continuation: Explained, seen: View) -> Explained | Open:
        """Either people continued the doubtful move, or it was half of the found one. If both lead to the same state,
        it counts as a continuation. Otherwise postpone the question: usually the next move decides it."""
        if self._outcomes.option(found) == self._outcomes.option(continuation):
            return continuation
        question = Open((replace(found, half_done=True), replace(continuation, half_done=True)))
        self._postponed = self._ledger.now, question, seen
        return question

    def _further_question(self, found: Finding, seen: View) -> Open | None:
        """The postponed question, once people have made a further move that fits several of its answers: the answers
        were not half of another move, and the further move does not decide between them."""
        if (
            self._postponed is None
            or self._postponed[0] is not self._ledger.now
            or not differences(seen, self._postponed[2])
        ):
            return None
        options = self._postponed[1].options
        since = (self.referee.judge(self._outcomes.option(option), seen) for option in options)
        if sum(self._is_further_move(one, found) for one in since) < 2:
            return None
        return Open(tuple(replace(option, half_done=False) for option in options))

    def _is_further_move(self, since: Finding, found: Finding) -> bool:
        """Whether a player has made a move since: a legal one, or a forbidden one with no more faults than `found`."""
        match since:
            case Explained(moves=moves, half_done=False):
                return self._by_player(moves)
            case Illegal(half_done=False):
                return isinstance(found, Lost) or (isinstance(found, Illegal) and _faults(since) <= _faults(found))
            case _:
                return False

    def _by_player(self, moves: Sequence[M]) -> bool:
        """Whether a player made the last of these moves, and not chance."""
        return seat_of(moves[-1], self._seats) is not None

    def _another_answer_in_progress(self, seen: View) -> bool:
        """Whether people may be in the middle of a move that another answer of the postponed question allows."""
        if self._postponed is None or self._postponed[0] is not self._ledger.now:
            return False
        since = (self.referee.judge(self._outcomes.option(option), seen) for option in self._postponed[1].options)
        return any(isinstance(one, Unfinished) or (isinstance(one, Illegal) and one.half_done) for one in since)

    def _still_open(self, found: Explained | Illegal, seen: View) -> Open | None:
        """The postponed question, if people have continued one answer and could have continued another one, which is a
        takeback."""
        if self._postponed is None or self._postponed[0] is not self._ledger.now:
            return None
        options = self._postponed[1].options
        if not any(isinstance(one, Explained) and found.moves[: len(one.moves)] == one.moves for one in options):
            return None
        since = [self.referee.judge(self._outcomes.option(option), seen) for option in options]
        if isinstance(found, Explained):
            live = [isinstance(one, Explained | Settled) for one in since]
        else:
            live = [isinstance(one, Illegal) and _faults(one) <= _faults(found) for one in since]
        left = tuple(replace(option, half_done=False) for option, alive in zip(options, live, strict=True) if alive)
        return Open(left) if len(left) > 1 and any(isinstance(one, Takeback) for one in left) else None

    def _perhaps_done(self, seen: View) -> Iterator[Explained | Takeback]:
        """The doubtful findings in this state that people may have continued. What is only visible because a hand left
        belongs to the doubtful move, and is evidence against it."""
        if self._doubted is not None and self._doubted[0] is self._ledger.now and self._changed_since_doubted(seen):
            yield self._doubted[1]
        if self._taken_back is not None and self._taken_back[0] is self._ledger.now:
            yield self._taken_back[1]

    def _wrong_since(self, done: Explained | Takeback, found: Illegal, seen: View) -> Illegal:
        """The breach after the doubtful move, if that has no more faults; or half of a move that is legal after it."""
        since = self.referee.judge(self._outcomes.option(done), seen)
        if isinstance(since, Unfinished):
            return replace(found, half_done=True, finish=found.finish or since.finish)
        if not isinstance(since, Illegal) or _faults(since) > _faults(found):
            return found
        return replace(
            since,
            moves=(*done.moves, *since.moves),
            half_done=found.half_done or since.half_done,
            finish=since.finish or found.finish,
            back=done.back if isinstance(done, Takeback) else 0,
        )

    def continuation(self, seen: View) -> Explained | None:
        """The legal moves that continue the doubtful move to this View."""
        since = self._since_doubted(seen)
        return None if since is None or self._doubted is None else Explained((*self._doubted[1].moves, *since))

    def _since_doubted(self, seen: View) -> tuple[M, ...] | None:
        """The moves after the doubtful one; None if it was not made."""
        if self._doubted is None or self._doubted[0] is not self._ledger.now:
            return None
        match self.referee.judge(self._outcomes.option(self._doubted[1]), seen):
            case Explained(moves=moves, half_done=False):
                return moves
            case Settled():
                return ()
            case _:
                return None

    def _before_a_press(self, seen: View) -> Takeback | Open | None:
        """Moves that are visible only now, but may have been made before a press, which is signalled at once."""
        line = self._ledger.line()
        for back in range(1, min(LATE, len(line) - 1) + 1):
            press, before = line[-back], line[-back - 1]
            if press.n <= self._fully_seen_until:
                return None
            if isinstance(press.proof, Signal) and press.proof.kind == "press":
                others = without_dials(seen, self._game.view(self._ledger.state))
                return self._in_between(others, before.state, [point.move for point in line[-back:]])
        return None

    def _in_between(self, seen: View, state: S, made: Sequence[M | None]) -> Takeback | Open | None:
        """Moves before these ones, all of which still count."""
        found = self.referee.judge(state, seen)
        ways = found.options if isinstance(found, Open) else (found,)
        options = tuple(
            Takeback(len(made), moves, way.half_done)
            for way in ways
            if isinstance(way, Explained) and (moves := self._with(way.moves, made, state, seen))
        )
        return options[0] if len(options) == 1 else Open(options) if options else None

    def _with(self, moves: Sequence[M], made: Sequence[M | None], state: S, seen: View) -> tuple[M, ...]:
        """Moves together with those of `made`, which are among them or follow them; none if that is not legal."""
        line = (*moves, *(Counter(made) - Counter(moves)).elements())
        then = self.referee.after(state, line)
        if then is None or distance(seen, self._game.view(then)):
            return ()
        return tuple(move for move in line if move is not None)

    def note_match(self) -> bool:
        """Note that the table matches. Returns whether all of it is visible: then no earlier move can show late."""
        fully_seen = not self._observations.hidden(self._game.view(self._ledger.state), cells=True)
        if fully_seen:
            self._fully_seen_until = self._ledger.now.n
        return fully_seen

    def _shown_late(self, seen: View) -> Illegal | None:
        """A breach of an accepted move that shows late, because a marker could not be read before."""
        line, others = self._ledger.line(), without_dials(seen, self._game.view(self._ledger.state))
        for back in range(1, min(LATE, len(line) - 1) + 1):
            if line[-back].n <= self._fully_seen_until:
                return None
            found = self.referee.judge(line[-back - 1].state, others)
            if isinstance(found, Illegal) and _one_made_wrongly(found, [point.move for point in line[-back:]]):
                # It may also be the beginning of another move, with pieces in the hand.
                left = self.referee.left_to_do(others, self._ledger.state)
                return replace(found, put_right=left, finish=(), half_done=True, back=back)
        return None

    def _judged(self, seen: View) -> Finding:
        """The referee's finding without deviating dials; with them if nothing else is found, but only once."""
        earlier, made = self._ledger.earlier(), self._ledger.moves_made()
        others = without_dials(seen, self._game.view(self._ledger.state))
        found = self._asked_once(others, earlier, made)
        deviating = {name: seen.zones[name] for name in seen.zones.keys() - others.zones.keys()}
        if not deviating:
            self._deviating_dials = {}
        if not isinstance(found, Settled) or deviating == self._deviating_dials:
            return found
        return self.referee.judge(self._ledger.state, seen, earlier, made)

    def _asked_once(self, seen: View, earlier: Sequence[S], made: Sequence[M | None]) -> Finding:
        now = self._ledger.now
        if self._asked is None or self._asked[0] is not now or self._asked[1] != seen:
            self._asked = now, seen, self.referee.judge(self._ledger.state, seen, earlier, made)
        return self._asked[2]

    def _turned(self, dial: str, value: int, seen: View, plain: Finding) -> Explained | None:
        """The turn of a dial as a move, before or after the other moves."""
        done = plain.moves if isinstance(plain, Explained) else () if isinstance(plain, Settled) else None
        if done is not None and (turn := self._turn(self._outcomes.option(Explained(done)), dial, value)):
            return Explained((*done, turn))
        if (turn := self._turn(self._ledger.state, dial, value)) is None:
            return None
        match self.referee.judge(self._game.play(self._ledger.state, turn), seen):
            case Settled():
                return Explained((turn,))
            case Explained(moves=moves):
                return Explained((turn, *moves))
            case _:
                return None

    def _turn(self, state: S, dial: str, value: int) -> M | None:
        """The legal move that a dial's value means in this state."""
        meant = self._game.signalled(state, Signal("dial", dial, 0.0, value=value))
        return next((move for move in meant if not self._game.check(state, move)), None)

    def mark_dials_handled(self) -> None:
        """Mark dials that show the right value as handled."""
        should = self._game.view(self._ledger.state).zones
        for dial, value in self._observations.turned().items():
            if should.get(dial) == Pointing(value):
                self._observations.dial_taken_in(dial)

    def remember_dials(self, seen: View, state: S) -> None:
        """Remember the deviating dials that people were told of, so that they are told only once."""
        others = without_dials(seen, self._game.view(state))
        self._deviating_dials = {name: seen.zones[name] for name in seen.zones.keys() - others.zones.keys()}


def _to_postpone(found: Finding) -> TypeGuard[Open]:
    """Whether this is a question whose options may all be half of another move."""
    return isinstance(found, Open) and all(option.half_done for option in found.options)


def _doubtful(found: Explained | Illegal) -> Explained | Illegal:
    """The same finding, whose last move may be half of another one."""
    if isinstance(found, Explained):
        return replace(found, half_done=True, besides=len(found.moves) - 1)
    return replace(found, half_done=True)


def _one_made_wrongly(found: Illegal, made: Sequence[Any]) -> bool:
    """Whether all but one of these moves were legal, and the forbidden act is the remaining one, made wrongly."""
    rest = tuple((Counter(made) - Counter(found.moves)).elements())
    return len(rest) == 1 == len(made) - len(found.moves) and all(_same_act(rest[0], one.move) for one in found.tries)


def _same_act(one: Any, other: Any) -> bool:
    """Whether two moves have the same kind and seat."""
    return type(one) is type(other) and getattr(one, "seat", None) == getattr(other, "seat", None)


def _faults(found: Illegal) -> int:
    """The least number of broken rules in a finding."""
    return min(len({breach.rule for breach in one.breaches}) for one in found.tries)
