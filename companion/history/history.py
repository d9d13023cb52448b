"""A journal in sentences: every move with its reasons and how it became known, and everything else that happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from companion.journal import Event, Journal
from companion.journal.replay import Carried, Change
from companion.kernel.catalogue import Language, Speaker
from companion.kernel.game import Game, new_pieces
from companion.kernel.messages import Signal
from companion.kernel.rules import Seat, colour_of_maker
from companion.table.ledger import Ledger, Point, Seen, Told
from companion.text.sentences import say

FEW: Final = 3
"""Maximum number of taken-back moves that are named; more are only counted."""
_HAPPENED: Final[Mapping[str, tuple[str, str]]] = {
    "adopt": ("adopted", "news.adopted"),
    "join": ("joined", "news.joined"),
    "ignore": ("ignored", "news.ignored"),
    "watch": ("watched", "news.watched"),
    "dismissed": ("dismissed", "happened.dismissed"),
    "put_right": ("put_right", "happened.put_right"),
    "note": ("recovered", "happened.recovered"),
}
"""Events that are told in one sentence: the kind of the happening and the key of the sentence."""


class Reason(msgspec.Struct, frozen=True):
    """A rule that applied or was broken: what it did here, and the rule itself."""

    rule: str
    says: str | None
    sentence: str


class Happening(msgspec.Struct):
    """Anything but a move: a verdict, moves taken back, a correction, a state taken over from the table."""

    n: int
    at: str
    kind: str
    says: str
    by: str | None = None
    rules: list[Reason] = []
    put_right: list[str] = []
    picture: int | None = None


class MoveTold(msgspec.Struct):
    """An accepted move. `findings` are what happened since the previous move."""

    n: int
    at: str
    seat: str | None
    move: Any
    says: str
    because: list[Reason]
    findings: list[Happening]
    first: int
    """Event number of the first move that was accepted together with this one."""
    proof: str | None = None
    by: str | None = None
    known: str = ""
    """How it became known, in words."""
    undone: bool = False
    pictures: dict[str, int] = {}
    """Event numbers of the pictures `before` and `after` the move."""
    round: int = 0
    """In which round it was made; 0 while the game was set up."""
    trivial: bool = False
    """Whether it says little by itself: chance, or one of the game's `trivia`."""


class GameHistory(msgspec.Struct):
    """A whole journal. `after` is what happened after the last move; `notice` is a sentence if rules have changed
    since."""

    game: str
    title: str
    begun: str
    seats: tuple[Seat, ...]
    moves: list[MoveTold]
    after: list[Happening]
    sheet: SheetTold
    notice: str = ""


def retell(journal: Journal, game: Game[Any, Any], language: Language) -> GameHistory:
    """The history of a journal by today's rules, as far as they apply."""
    seats = journal.head.setup.seats
    while True:
        reteller = Reteller(journal, game, language, seats)
        at = journal.head.created
        for event in journal.events():
            reteller.hear(event)
            at = event.at
        if reteller.ledger.seats == seats:
            reteller.end(at)
            return reteller.history()
        seats = reteller.ledger.seats  # names that were given later: told anew, they stand from the first move on


def pictures(journal: Journal, wanted: set[int]) -> Iterator[tuple[int, bytes]]:
    """The pictures in these events."""
    for event in journal.events():
        if event.n in wanted:
            yield event.n, msgspec.json.decode(event.body, type=Seen).picture


class Reteller:
    """Follows one journal, event by event, and collects its history."""

    def __init__(
        self, journal: Journal, game: Game[Any, Any], language: Language, seats: tuple[Seat, ...] | None = None
    ) -> None:
        """`seats` are the players with the names they have now; without them, the names they began with."""
        self._game = game
        self._seats = seats or journal.head.setup.seats
        self._head = journal.head
        self._colours = [seat.colour for seat in journal.head.setup.seats]
        self._speaker = Speaker(game.catalogue, language, {seat.colour: seat.name for seat in self._seats})
        self.ledger = Ledger.at_the_start(game, journal)
        self._notice = ""
        self._untold: set[int] = set()
        """Event numbers of moves that today's rules do not know; they were not taken back."""
        self.moves: list[MoveTold] = []
        """All moves so far. `undone` is filled in when the whole history is built."""
        self._since: list[Happening] = []
        self._seen: dict[float, int] = {}
        """By time of a Reading: the event with its picture. Later events with the same Reading have no picture."""
        self._shown: dict[int, int] = {}
        """By event number: the event with the picture after it."""
        self._correcting: tuple[Happening, Point[Any]] | None = None
        self._answer: tuple[int, str | None] | None = None
        """Where the moves begin that are the answer to a question, and who answered."""

    def hear(self, event: Event) -> None:
        before = self.ledger.now
        self.ledger.follow(event)
        match event.kind:
            case "move" if self.ledger.now.n == event.n:
                self._move(event, before)
            case "move":
                self._unknown_move(event)
            case "carried":
                change = msgspec.json.decode(event.body, type=Carried).change
                self._changed(event.n, event.at, change)
            case "undo":
                self._undo(event, before)
            case "seen":
                if isinstance(proven := self.ledger.proven, Seen) and proven.picture:
                    self._seen[proven.at] = event.n
            case "verdict":
                self._since.append(self._verdict(event))
            case "answered":
                self._answered(event)
            case "learn" if self.ledger.now.n == event.n:
                self._add(event, "learned", say(self._speaker, "news.learned", pieces=self._described(self.ledger.now)))
            case "told" | "signalled":
                pass
            case _:
                self._happened(event)

    def end(self, at: str) -> None:
        """Note, after the last event, whether today's rules led to the journal's last State."""
        self.ledger.compare()
        if self.ledger.change is not None:
            self._changed(self.ledger.now.n, at, self.ledger.change)

    def _changed(self, n: int, at: str, change: Change) -> None:
        self._notice = say(self._speaker, change.sentence, number=change.unfollowed)
        self._since.append(Happening(n, at, "carried", self._notice))

    def history(self) -> GameHistory:
        counts = {point.n for point in self.ledger.line()}
        for move in self.moves:
            move.undone = move.n not in counts and move.n not in self._untold
        told, since = list(self.moves), list(self._since)
        title = self._game.catalogue.title.in_(self._speaker.language)
        sheet = tell_sheet(self._game, self.ledger.state, self._speaker)
        return GameHistory(self._game.name, title, self._head.created, self._seats, told, since, sheet, self._notice)

    # Moves

    def _move(self, event: Event, before: Point[Any]) -> None:
        speaker, point = self._speaker, self.ledger.now
        move = point.move
        facts, says = self._in_words_of_today(before.state, move)
        told = MoveTold(
            event.n,
            event.at,
            colour_of_maker(facts),
            msgspec.to_builtins(move),
            says,
            self._because(before.state, move),
            self._since,
            point.first,
        )
        self._since = []
        told.round = self._round(before.state)
        told.trivial = told.seat is None or type(move).__name__ in self._game.trivia
        self._say_how(told, point)
        self._say_who_answered(told)
        self._show(told, point)
        if self._correcting is not None:
            corrected, old = self._correcting
            corrected.says = say(speaker, "news.corrected", moves=says, instead=self._said([old]))
            self._correcting = None
        self.moves.append(told)

    def _in_words_of_today(self, state: Any, move: Any) -> tuple[Mapping[str, Any], str]:
        """The facts of a move and its sentence; changed rules may have none for it."""
        try:
            facts = self._game.facts(state, move)
            return facts, self._speaker.move(type(move).__name__, facts)
        except Exception:
            return {}, say(self._speaker, "changed.unknown_move")

    def _round(self, state: Any) -> int:
        try:
            progress = self._game.progress(state)
        except Exception:  # changed rules may stumble over anything
            return 0
        return 0 if progress is None else progress.round

    def _because(self, state: Any, move: Any) -> list[Reason]:
        speaker = self._speaker
        try:
            notes = self._game.tell(state, move)
        except Exception:  # changed rules may refuse it
            return []
        return [Reason(note.rule, speaker.applied(note), speaker.rule(note.rule)) for note in notes]

    def _unknown_move(self, event: Event) -> None:
        """A move of a kind that the rules no longer know."""
        raw = msgspec.json.decode(event.body)
        seat = self._colour(raw.get("seat")) if isinstance(raw, dict) and isinstance(raw.get("seat"), int) else None
        says = say(self._speaker, "changed.unknown_move")
        self.moves.append(MoveTold(event.n, event.at, seat, raw, says, [], self._since, event.n))
        self._untold.add(event.n)
        self._since = []

    def _say_how(self, told: MoveTold, point: Point[Any]) -> None:
        match point.proof:
            case Seen():
                told.proof, key = "seen", "known.seen"
            case Told(seat=seat):
                told.proof, told.by = "told", self._colour(seat)
                key = "known.told" if told.by else "known.told_by_host"
            case Signal(seat=seat):
                told.proof, told.by, key = "signalled", self._colour(seat), "known.signalled"
            case _:
                return
        told.known = say(self._speaker, key, seat=told.by)

    def _show(self, told: MoveTold, point: Point[Any]) -> None:
        """Add the picture of the move and the last one before it."""
        if not isinstance(point.proof, Seen) or point.proof.at not in self._seen:
            return
        earlier: Point[Any] | None = point
        while earlier is not None and (earlier.n >= point.first or earlier.n not in self._shown):
            earlier = earlier.parent
        before = {} if earlier is None else {"before": self._shown[earlier.n]}
        self._shown[point.n] = self._seen[point.proof.at]
        told.pictures = {**before, "after": self._shown[point.n]}

    def _answered(self, event: Event) -> None:
        """A person said which of several moves it was; these are the next events."""
        if msgspec.json.decode(event.body).get("nothing"):
            self._add(event, "answered", say(self._speaker, "happened.nothing"))
        else:
            # The Reading that shows them is written in between.
            self._answer = event.n + 2, self._by()

    def _say_who_answered(self, told: MoveTold) -> None:
        if self._answer is not None and told.first == self._answer[0]:
            told.by = self._answer[1]
            told.known = say(self._speaker, "known.answered" if told.by else "known.answered_by_host", seat=told.by)

    # What else happened

    def _undo(self, event: Event, before: Point[Any]) -> None:
        left, reached = _line(before), _line(self.ledger.now)
        gone = [point for n, point in left.items() if n not in reached and point.step is not None]
        back = [point for n, point in reached.items() if n not in left and point.step is not None]
        told = self.ledger.proven
        if gone and isinstance(told, Told) and told.kind == "correct":
            self._correcting = self._add(event, "corrected", ""), gone[0]
        elif back and not gone:
            self._add(event, "redone", self._counted("redone", back))
        else:
            self._add(event, "undone", self._counted("undone", gone))

    def _counted(self, key: str, points: list[Point[Any]]) -> str:
        if not points:
            return say(self._speaker, f"news.{key}", moves=say(self._speaker, "news.taken_over"))
        if len(points) <= FEW:
            return say(self._speaker, f"news.{key}", moves=self._said(points))
        return say(self._speaker, f"happened.{key}", number=len(points))

    def _said(self, points: list[Point[Any]]) -> str:
        """The moves of these points, one after the other, in words."""
        said = ""
        for point in points:
            if point.parent is None or point.learned is not None:
                step = say(self._speaker, "news.described", pieces=self._described(point))
            else:
                _, step = self._in_words_of_today(point.parent.state, point.move)
            said = say(self._speaker, "question.then", moves=said, next=step) if said else step
        return said

    def _described(self, point: Point[Any]) -> str:
        return self._speaker.piece(new_pieces(self._game, point.state)[-1].label)

    def _verdict(self, event: Event) -> Happening:
        body = msgspec.json.decode(event.body)
        rules = [
            Reason(breach["rule"], self._in_words(breach["says"]), self._in_words(breach["sentence"]))
            for breach in body.get("breaches", ())
        ]
        steps = [self._in_words(step["says"]) for step in body.get("put_right", ())]
        shown = self.ledger.proven
        picture = self._seen.get(shown.at) if isinstance(shown, Seen) else None
        return Happening(event.n, event.at, "verdict", self._in_words(body["says"]), None, rules, steps, picture)

    def _in_words(self, text: Mapping[str, str]) -> str:
        return text[self._speaker.language]

    def _happened(self, event: Event) -> None:
        """Add what people asked for; events without a sentence are left out."""
        kind, key = _HAPPENED.get(event.kind, ("", ""))
        if not kind:
            return
        if kind == "adopted" and isinstance(told := self.ledger.proven, Told) and told.kind == "lies":
            key = "news.counted"
        zone = msgspec.json.decode(event.body).get("zone", "") if event.kind in ("ignore", "watch") else ""
        self._add(event, kind, say(self._speaker, key, place=self._speaker.place(zone)))

    def _add(self, event: Event, kind: str, says: str) -> Happening:
        happening = Happening(event.n, event.at, kind, says, self._by())
        self._since.append(happening)
        return happening

    def _by(self) -> str | None:
        """The colour of the seat that said so."""
        proven = self.ledger.proven
        return self._colour(proven.seat) if isinstance(proven, Told) else None

    def _colour(self, seat: int | None) -> str | None:
        return None if seat is None or not 0 <= seat < len(self._colours) else self._colours[seat]


def _line(point: Point[Any] | None) -> dict[int, Point[Any]]:
    """The points of a line of play by event number, in order."""
    line = {}
    while point is not None:
        line[point.n] = point
        point = point.parent
    return dict(reversed(line.items()))


# The score sheet in words


class LineTold(msgspec.Struct, frozen=True):
    """Points, what they are for, and the rule; `because` says what the rule did here, if it has a sentence for that."""

    label: str
    points: int
    rule: str
    because: str | None
    sentence: str


class SeatTold(msgspec.Struct, frozen=True):
    """The colour of a seat, the word for it, its points and where they come from."""

    seat: str
    word: str
    total: int
    lines: list[LineTold]


class SheetTold(msgspec.Struct, frozen=True):
    """The whole sheet, with seats in their order and winners as colours."""

    over: bool
    seats: list[SeatTold]
    winners: list[str]
    because: list[str]
    unverified: list[str]


def tell_sheet(game: Game[Any, Any], state: Any, speaker: Speaker) -> SheetTold:
    sheet = game.score(state)
    colours = [seat.colour for seat in state.seats]
    seats = []
    for score in sheet.seats:
        lines = [
            LineTold(
                speaker.word(line.label),
                line.points,
                line.because.rule,
                speaker.applied(line.because),
                speaker.rule(line.because.rule),
            )
            for line in score.lines
        ]
        seats.append(SeatTold(colours[score.seat], speaker.word(colours[score.seat]), score.total, lines))
    because = [speaker.applied(note) or speaker.rule(note.rule) for note in sheet.because]
    winners = [colours[seat] for seat in sheet.winners]
    return SheetTold(game.actor(state) is None, seats, winners, because, list(state.box.unverified))
