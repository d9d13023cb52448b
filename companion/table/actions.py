"""Actions of a table: accept moves and take them back, decide on findings, ask and inform people.

`companion.table.table` handles messages, `companion.table.commands` handles Commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic
from zlib import crc32

import msgspec

from companion.journal import Journal
from companion.journal.replay import Named
from companion.kernel.box import Learned
from companion.kernel.capabilities import Countdown
from companion.kernel.game import M, S
from companion.kernel.messages import Reading
from companion.kernel.rules import Seat, SeatNo
from companion.kernel.views import Contents, Marks, Place, View, changed_places, distance
from companion.referee import Explained, Finding, Illegal, Lost, Open, Settled, Takeback, Unfinished
from companion.table.countdown import CountdownWatch, PendingStop
from companion.table.decisions import Choice, Outcomes, Pending, UnknownPieces
from companion.table.judge import Judge
from companion.table.ledger import Answer, Ledger, Point, Proof, Seen, Told
from companion.table.observations import UNSURE, Evidence, Observations, Presses, is_late
from companion.table.updates import Teller

News = tuple[str, dict[str, Any]]
"""The kind and the body of an Update."""


class TableActions(Generic[S, M]):
    """One game at one table, without the handling of messages."""

    def __init__(self, ledger: Ledger[S, M], sides: Mapping[SeatNo, str] | None = None) -> None:
        self.ledger = ledger
        self.game = ledger.game
        self.question: tuple[int, tuple[Choice | None, ...]] | None = None
        self.comparing = ledger.journal.last_number > 0
        """Whether a reopened game was not yet seen on the table."""
        self.observations = Observations()
        self.tell = Teller(ledger.game, ledger.seats)
        self.outcomes = Outcomes(ledger)
        self.judge = Judge(ledger, self.observations, self.outcomes)
        self._sides = dict(sides or {})
        self._now = self._last_at = 0.0
        self._pending: Pending | None = None
        self._trouble: dict[str, Any] | None = None
        self._ignored_view: View | None = None
        self._presses = Presses()
        self._pending_stop: PendingStop | None = None
        self._countdown: CountdownWatch | None = None
        self._unknown_pieces = UnknownPieces(ledger, self.observations)
        self._entered: tuple[int, dict[str, Contents]] = 0, {}
        """What people have entered of a form that is not complete, and the event they entered it after."""

    @property
    def state(self) -> S:
        return self.ledger.state

    @property
    def journal(self) -> Journal:
        return self.ledger.journal

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.ledger.seats

    def name(self, seat: SeatNo, name: str, told: Told) -> None:
        """Call a player by this name from now on."""
        named = Named(seat, name)
        self.ledger.note("named", named, told)
        self.ledger.seats = named.among(self.ledger.seats)
        self.tell = Teller(self.game, self.seats)

    @property
    def over(self) -> bool:
        return self.game.actor(self.state) is None

    @property
    def trouble(self) -> dict[str, Any] | None:
        """The current question, hint or verdict."""
        return self._trouble

    @property
    def troubled(self) -> bool:
        return self._trouble is not None

    def expects(self) -> dict[str, Any]:
        """What the table waits for. After the stop of a countdown it only waits for all hands to be off the table."""
        expected = self.tell.expects(self.state)
        if self._pending_stop is None:
            return expected
        return {**expected, "says": self.tell.plain("expects.counting"), "counting": True}

    @property
    def taken(self) -> dict[str, Any]:
        """The number of pieces each seat has in a running countdown, and those left. Any thread may call it."""
        watch = self._countdown
        return {} if watch is None else watch.taken()

    @property
    def entered(self) -> dict[str, Contents]:
        """The fields that people have filled in so far in the open form."""
        event, zones = self._entered
        return zones if event == self.ledger.now.n else {}

    def keep_entered(self, zones: dict[str, Contents]) -> None:
        self._entered = self.ledger.now.n, zones

    # Moves that were signalled or told

    def make(self, moves: Sequence[M], proof: Proof) -> Iterator[News]:
        """Accept legal moves that were not seen, but signalled by hardware or told by people."""
        countdown = self.game.countdown(self.state)
        if countdown is not None and countdown.running and list(moves) == [countdown.stop] and self._sees(countdown):
            # The table at the stop has to be seen first: what lies there comes before the stop. Ignore repeated stops.
            if self._pending_stop is None:
                self._pending_stop = PendingStop(moves[0], proof, self._last_at, self._now)
                self.observations.countdown_is_over(self._now, countdown.seconds)
                self._pending = None
            yield "look_again", {"zones": sorted({countdown.source, *countdown.keeps} - self.ledger.ignored)}
            return
        yield from self.accept(moves, proof)

    def is_pending_stop(self, command: str) -> bool:
        """Whether this command stopped a countdown and its move still waits for the table to be seen."""
        proof = None if self._pending_stop is None else self._pending_stop.proof
        return isinstance(proof, Told) and proof.command == command

    def _stopped_before(self, reading: Reading) -> bool:
        """Whether a reading is from after the stop. A backward jump in time counts as a new clock."""
        return self._pending_stop is not None and not is_late(reading.at, self._pending_stop.at)

    def _sees(self, countdown: Countdown) -> bool:
        latest = self.observations.latest
        return latest is not None and any(zone in latest.zones for zone in (countdown.source, *countdown.keeps))

    # Findings

    def _judge(self, told: bool = False) -> Iterator[News]:
        """Ask the referee about the newest reading, and decide on its finding.

        `told`: a person has just told a move. The older reading may lead on from it, but not contradict it.
        """
        seen = self.observations.view(self.ledger.ignored)
        if self._ignored_view is not None:
            if not distance(seen, self._ignored_view):
                return
            self._ignored_view = None
        finding = self.judge.finding(seen)
        if finding is None:
            return
        if told and _contradicts(finding):
            # People have just told a move, and hands may not have made it yet.
            self.ignore_until_change()
            return
        if self._pending is not None and self._pending.finding == finding:
            self._pending.looks += 1
        else:
            if isinstance(finding, Explained) and self._pending is not None and self._pending.is_continued_by(finding):
                finding = Explained(finding.moves)
            self._pending = Pending(finding, self._now)
        yield from self._decide()

    def _decide(self) -> Iterator[News]:
        pending = self._pending
        if pending is None:
            return
        if not isinstance(pending.finding, Settled | Explained) and self._unknown_pieces.strange(self._now) is not None:
            # People have to name the unknown piece first, because later moves may depend on it.
            yield from self._look_for_unknown()
            return
        places = self._places(pending.finding)
        evidence = self.observations.evidence(places, self.ledger.ignored, self._now)
        what = pending.decide(evidence, self._now)
        if what == "look":
            zones = sorted({zone for zone, _ in places} - self.ledger.ignored)
            yield "look_again", {"zones": zones}
        elif what == "act":
            yield from self._act(pending)
        elif what == "doubt" and not pending.told and not _only_unseen(pending.finding):
            pending.doubted = True
            yield from self._troubled("hint", self._doubt(pending.finding))

    def _evidence(self, finding: Finding) -> Evidence:
        return self.observations.evidence(self._places(finding), self.ledger.ignored, self._now)

    def _places(self, finding: Finding) -> set[Place]:
        """The places that must have been seen before a finding is accepted."""
        places = self.outcomes.places(finding)
        if isinstance(finding, Explained):
            # With a single explanation, an unreadable cell does not matter: the other pieces prove its content. Only
            # tracks must be readable, because nothing but the marker shows a payment.
            tracks = {zone for zone, should in self.game.view(self.state).zones.items() if isinstance(should, Marks)}
            places = {(zone, place if zone in tracks else "") for zone, place in places}
        if isinstance(finding, Illegal | Lost) or (isinstance(finding, Takeback) and finding.moves):
            # An accusation needs the whole table, because a hidden piece may explain the rest. So does a takeback with
            # another move instead.
            places |= self.observations.hidden(self.game.view(self.state), cells=isinstance(finding, Lost))
        return places

    def _doubt(self, finding: Finding) -> dict[str, Any]:
        """The hint instead of an accusation while parts of the table cannot be seen, with those parts."""
        ignored, should = self.ledger.ignored, self.game.view(self.state)
        if isinstance(finding, Unfinished):
            return self.tell.unfinished(finding)
        heaps = self.observations.heaps(should, ignored, self._now, UNSURE)
        if isinstance(finding, Illegal):
            blind = self.observations.blind(self._places(finding), ignored, self._now)
            return self.tell.doubt(finding, self.outcomes.before(finding), blind, heaps)
        hidden = self.observations.hidden(should, cells=True)
        return self.tell.unseen(sorted(place for place in hidden if place[0] not in ignored), heaps)

    def _act(self, pending: Pending) -> Iterator[News]:
        match pending.finding:
            case Settled():
                yield from self._table_matches()
            case Explained(moves=moves):
                self._pending = None
                yield from self.accept(moves, self.proof())
                yield from self._table_matches()
            case Takeback() as finding:
                self._pending = None
                yield from self.take_back(finding, self.proof())
                yield from self._table_matches()
            case finding if not pending.said:
                yield from self._say(finding)
                pending.said = True

    def _say(self, finding: Finding) -> Iterator[News]:
        match finding:
            case Open(options=options):
                asked: tuple[Explained | Takeback | None, ...] = options if len(options) > 1 else (*options, None)
                body = self.tell.question(asked, self.ledger.line())
                yield from self.ask(body, asked)
            case Illegal():
                yield from self._accuse(finding)
            case Lost():
                yield from self._troubled("lost", self.tell.lost(finding, join=self.game.setting_up(self.state)))

    def _accuse(self, finding: Illegal) -> Iterator[News]:
        """Accept the legal moves before the forbidden one, then give the verdict with its reasons."""
        after = self.outcomes.before(finding)
        if not finding.back and changed_places(self.game.view(self.state), self.game.view(after)):
            yield from self.accept(finding.moves, self.proof())
            finding = msgspec.structs.replace(finding, moves=())
            self._pending = Pending(finding, self._now)
            self._pending.said = True
        self.judge.remember_dials(self.observations.view(self.ledger.ignored), self.state)
        body = self.tell.verdict(finding, after)
        told = self.ledger.note("verdict", body, self.proof())
        # The reading that shows it was written just before the verdict.
        yield from self._troubled("verdict", {**body, "pictures": {"before": self.ledger.now.n, "after": told - 1}})

    def _table_matches(self) -> Iterator[News]:
        """The table looks like the game: clear all trouble."""
        if self.comparing:
            self.comparing = False
            yield "compared", {}
        self.judge.note_match()
        point: Point[S] | None = self.ledger.now
        while point is not None and not point.seen:
            point.seen = True
            point = point.parent
        yield from self._look_for_unknown()
        yield from self._finish_stop()

    def _look_for_unknown(self) -> Iterator[News]:
        """Give a hint about an unknown piece, or one that the camera cannot read; otherwise clear the trouble."""
        hint = self._noticed()
        if hint is None:
            yield from self.clear_trouble()
        elif self._trouble is None or self._trouble["says"] != hint["says"]:
            yield from self._troubled("hint", hint)

    def _noticed(self) -> dict[str, Any] | None:
        ignored = self.ledger.ignored
        if (strange := self._unknown_pieces.strange(self._now)) is not None:
            return self.tell.strange(*strange)
        if odd := self.observations.odd(ignored, self._now):
            return self.tell.odd(odd)
        if heaps := self.observations.heaps(self.game.view(self.state), ignored, self._now):
            return self.tell.unseen((), heaps)
        return None

    def _finish_stop(self) -> Iterator[News]:
        """End a stopped countdown once every piece was seen or cannot be seen."""
        countdown, pending_stop = self.game.countdown(self.state), self._pending_stop
        if (
            pending_stop is not None
            and countdown is not None
            and pending_stop.was_seen(countdown, self.observations, self.ledger.ignored, self._now)
        ):
            self._pending_stop = None
            yield from self.accept([pending_stop.move], pending_stop.proof)

    def proof(self) -> Seen | None:
        latest = self.observations.latest
        if latest is None:
            return None
        return Seen(latest.at, self.observations.view(self.ledger.ignored), latest.picture)

    # Accepting, taking back, asking

    def accept(self, moves: Sequence[M | Learned], proof: Proof | None, answer: Answer | None = None) -> Iterator[News]:
        """Write down and publish legal moves and the pieces that were described for them."""
        points = self.ledger.play(moves, proof, answer)
        self._pending = None
        self.mark_unseen(point for point in points if not point.seen)
        self.judge.mark_dials_handled()
        yield from (self.description_news(point) for point in points if point.learned is not None)
        yield "moved", self.tell.moved([point for point in points if point.move is not None])
        yield from self.clear_trouble()
        if self._countdown is not None and self.game.countdown(self.state) is None:
            yield from self._countdown_is_over()

    def description_news(self, point: Point[S]) -> News:
        """The news of a described piece and its place."""
        return "learned", self.tell.learned(point, self.state)

    def mark_unseen(self, points: Iterable[Point[S]]) -> None:
        """Mark accepted moves that hands still have to make on the table. Without a camera none is waited for."""
        for point in points:
            if point.parent is not None:
                same = self.game.view(point.state) == self.game.view(point.parent.state)
                point.seen = point.parent.seen and (same or self.observations.latest is None)

    def _countdown_is_over(self) -> Iterator[News]:
        watch, self._countdown = self._countdown, None
        assert watch is not None
        for suspicion in watch.after(self.observations.view(self.ledger.ignored)):
            yield "hint", self.tell.suspicion(suspicion, self.state)

    def take_back(self, finding: Takeback, proof: Proof | None) -> Iterator[News]:
        line = self.ledger.line()
        body = self.tell.undone(line[-finding.back :])
        self.ledger.go_to(line[-1 - finding.back], proof)
        self._pending = None
        yield "undone", body
        yield from self.clear_trouble()
        if finding.moves:
            yield from self.accept(finding.moves, proof)

    def ignore_until_change(self) -> None:
        """Ignore the table as it is until it changes, because people know better."""
        self._ignored_view = (
            self.observations.view(self.ledger.ignored) if self.observations.latest is not None else None
        )
        self._pending = None

    def judge_again(self, told: bool = False) -> Iterator[News]:
        """Judge the newest reading again after a decision."""
        self._pending = None
        latest, countdown = self.observations.latest, self.game.countdown(self.state)
        if latest is None or (countdown is not None and countdown.running and not self._stopped_before(latest)):
            return
        yield from self._judge(told)

    def ask(self, body: dict[str, Any], choices: tuple[Choice | None, ...]) -> Iterator[News]:
        yield from self._troubled("question", body)
        assert self._trouble is not None
        self.question = self._trouble["id"], choices

    def _troubled(self, kind: str, body: dict[str, Any]) -> Iterator[News]:
        yield from self.clear_trouble()
        # A hash instead of a counter: after a power cut a counter could give this number to another question, which
        # would then get the answer to this one.
        number = crc32(msgspec.json.encode((self.ledger.journal.last_number, kind, body)))
        self._trouble = {"kind": kind, "id": number, **body}
        yield kind, self._trouble

    def clear_trouble(self) -> Iterator[News]:
        """Clear the current question, hint or verdict."""
        if self._trouble is not None:
            body = {"id": self._trouble["id"], "kind": self._trouble["kind"]}
            self._trouble = self.question = None
            yield "settled", body


def _contradicts(finding: Finding) -> bool:
    """Whether a finding contradicts the accepted moves."""
    options = finding.options if isinstance(finding, Open) else (finding,)
    return any(not isinstance(option, Settled | Explained | Unfinished) for option in options)


def _only_unseen(finding: Finding) -> bool:
    """Whether no visible step is left to do: then people cannot be told what is missing."""
    return isinstance(finding, Unfinished) and not finding.finish
