"""Makes the bodies of Updates, with every text in German and English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic

import msgspec

from companion.kernel.catalogue import Both, Speaker
from companion.kernel.forms import CannotLearn, Form
from companion.kernel.game import Game, M, S, new_pieces
from companion.kernel.messages import Body, NewPiece, Odd
from companion.kernel.rules import Breach, Note, Seat, SeatNo, colour_of_maker, seat_of
from companion.kernel.views import Cells, Place
from companion.referee import Explained, Illegal, Lost, Step, Takeback, Unfinished
from companion.table.countdown import Suspicion
from companion.table.ledger import Point
from companion.text import sentences
from companion.text.sentences import MOST, Bilingual, say, say_lost, say_odd

_HINTS = {"back": "hint.taken_back", "several": "hint.several", "hands": "hint.two_hands"}


class Teller(Generic[S, M]):
    """Makes the bodies of one table's Updates, with its game's words and its players' names."""

    def __init__(self, game: Game[S, M], seats: Sequence[Seat]) -> None:
        self._game = game
        self._seats = seats
        self.speakers = Bilingual(game.catalogue, seats)

    def plain(self, key: str, **facts: Any) -> Both:
        return self.speakers.say(key, **facts)

    def corrected(self, state: S, move: Any, instead: Any) -> Both:
        moves, old = self.moves(state, [move]), self.moves(state, [instead])
        return self.speakers.say("news.corrected", moves=moves, instead=old)

    def refused(self, key: str, **facts: Any) -> Body:
        return {"reason": key, "says": self.speakers.say(f"refused.{key}", **facts)}

    def broken(self, breaches: Iterable[Breach], state: S) -> list[Body]:
        """Each broken rule with its facts, and whether an unconfirmed fact of the box may be the cause."""
        unverified, rule = state.box.unverified, self._game.catalogue.rule  # type: ignore[attr-defined]
        return [
            {
                "rule": breach.rule,
                "facts": breach.facts,
                "section": self.speakers.section(breach.rule),
                "sentence": self.speakers.rule(breach.rule),
                "says": self.speakers.broken(breach),
                "assumed": rule(breach.rule).rests_on(unverified),
            }
            for breach in breaches
        ]

    def cannot_be(self, form: Form, error: CannotLearn) -> Both:
        return sentences.why_not(self.speakers, form, error)

    def learned(self, point: Point[S], now: S) -> Body:
        """A described piece and its place."""
        piece = self._described(point)
        lies = [
            {"zone": zone, "cell": cell}
            for zone, contents in self._game.view(now).zones.items()
            if isinstance(contents, Cells)
            for cell, label in contents.at.items()
            if label == piece.label
        ]
        says = self.speakers.say("news.learned", pieces=self.speakers.piece(piece.label))
        return {"event": point.n, "label": piece.label, "lies": lies, "says": says}

    def _described(self, point: Point[S]) -> NewPiece:
        return new_pieces(self._game, point.state)[-1]

    def why_not(self, breaches: Iterable[Breach]) -> Both:
        return self.speakers.broken(*breaches)

    def expects(self, state: S) -> Body:
        expected = self._game.expects(state)
        return {"says": self.speakers.expects(expected), "actor": expected.actor}

    def phase(self, state: S) -> Both | None:
        """The game's current phase, if it has phases."""
        phase = self._game.expects(state).phase
        return self.speakers.word(phase) if phase else None

    def progress(self, state: S) -> Body | None:
        """How far the game is, and in which order the seats take turns."""
        progress = self._game.progress(state)
        if progress is None:
            return None
        return {"says": self.speakers.progress(progress), "round": progress.round, "order": progress.order}

    def moved(self, points: Sequence[Point[S]]) -> Body:
        return {"moves": [self.move(point) for point in points]}

    def move(self, point: Point[S]) -> Body:
        """One accepted move: its seat, its sentence, and the rules it applied."""
        assert point.parent is not None
        before, move, game = point.parent.state, point.move, self._game
        facts = game.facts(before, move)
        return {
            "event": point.n,
            "seat": self._seat_of(move),
            "colour": colour_of_maker(facts),
            "move": msgspec.to_builtins(move),
            "says": self.speakers.move(move, facts),
            "because": [self._note(note) for note in game.tell(before, move)],
        }

    def _note(self, note: Note) -> Body:
        return {"rule": note.rule, "says": self.speakers.applied(note)}

    def moves(self, state: S, moves: Sequence[Any]) -> Both:
        return self.speakers.moves(self._game, state, moves)

    def undone(self, points: Sequence[Point[S]], key: str = "news.undone") -> Body:
        """Moves that were undone or redone, in their order."""
        return {"events": [point.n for point in points], "says": self.speakers.say(key, moves=self._line(points))}

    def _line(self, points: Sequence[Point[S]]) -> Both:
        """The moves along a line of play, in one sentence."""
        return self.speakers.each(lambda speaker: self._line_in(speaker, points))

    def _line_in(self, speaker: Speaker, points: Sequence[Point[S]]) -> str:
        said = ""
        for point in points:
            if point.learned is not None:
                sentence = say(speaker, "news.described", pieces=speaker.piece(self._described(point).label))
            elif point.move is None or point.parent is None:
                sentence = say(speaker, "news.taken_over")
            else:
                facts = self._game.facts(point.parent.state, point.move)
                sentence = speaker.move(type(point.move).__name__, facts)
            said = say(speaker, "question.then", moves=said, next=sentence) if said else sentence
        return said

    def steps(self, steps: Iterable[Step]) -> list[Body]:
        return [{"says": self.speakers.step(step), **msgspec.to_builtins(step)} for step in steps]

    def verdict(self, finding: Illegal, state: S) -> Body:
        """A breach: the rules, the facts, and the steps to put it right; with the seat only if it is certain."""
        first = finding.tries[0]
        seats = {self._seat_of(one.move) for one in finding.tries}
        why = self.why_not(first.breaches)
        return {
            "seat": seats.pop() if len(seats) == 1 else None,
            "move": msgspec.to_builtins(first.move),
            "tried": self.speakers.move(first.move, self._game.facts(state, first.move)),
            "says": self.speakers.say("verdict.broken" if len(finding.tries) == 1 else "verdict.somebody", why=why),
            "breaches": self.broken(first.breaches, state),
            "put_right": self.steps(finding.put_right),
            "finish": self.steps(finding.finish),
        }

    def unfinished(self, finding: Unfinished) -> Body:
        return {
            "says": self.speakers.say("hint.unfinished", steps=finding.finish),
            "finish": self.steps(finding.finish),
        }

    def doubt(self, finding: Illegal, state: S, blind: Sequence[Place], heaps: Sequence[str]) -> Body:
        """A hint instead of a verdict, because of places that cannot be seen."""
        why = self.why_not(finding.tries[0].breaches)
        asks, reason = self.speakers.say("hint.doubt", why=why), self._unseen("hint.unsure", blind, heaps)
        says = self.speakers.each(lambda speaker: f"{asks[speaker.language]} {reason[speaker.language]}".strip())
        return {**self.verdict(finding, state), "says": says, "spread": list(heaps)}

    def unseen(self, places: Sequence[Place], heaps: Sequence[str]) -> Body:
        """A hint that these places cannot be seen, and that people should spread these heaps."""
        says = self._unseen("hint.unseen", places, heaps)
        return {"zones": sorted({*heaps, *(zone for zone, _ in places)}), "says": says, "spread": list(heaps)}

    def _unseen(self, key: str, places: Sequence[Place], heaps: Sequence[str]) -> Both:
        whole = {zone for zone, place in places if not place}
        others = [place for place in places if place[0] not in heaps and (not place[1] or place[0] not in whole)]
        return self.speakers.each(
            lambda speaker: " ".join(
                say(speaker, one, place=", ".join(speaker.place(*place) for place in named[:MOST]))
                for one, named in ((key, others), ("hint.spread", [(zone,) for zone in heaps]))
                if named
            ),
        )

    def strange(self, place: Place, chosen: list[str]) -> Body:
        """A hint about an unknown piece; `chosen` are the options in the menu of moves that lead to it."""
        named = self.speakers.place(*place)
        says = self.speakers.say("hint.strange", place=named)
        return {"says": says, "zones": [place[0]], "strange": list(place), "chosen": chosen}

    def odd(self, odd: Sequence[tuple[str, Odd]]) -> Body:
        """A hint about pieces that cannot be read, with the reasons."""
        says = self.speakers.each(lambda speaker: " ".join(say_odd(speaker, *one) for one in odd[:MOST]))
        return {"says": says, "zones": sorted({zone for zone, _ in odd}), "odd": [list(one) for one in odd]}

    def suspicion(self, suspicion: Suspicion, state: S) -> Body:
        seats = tuple(self._seats[seat].colour for seat in suspicion.seats)
        facts = {**suspicion.facts, "number": suspicion.facts.get("now", 0) - suspicion.facts.get("was", 0)}
        return {
            "seats": list(suspicion.seats),
            "says": self.speakers.say(_HINTS[suspicion.kind], seat=seats, **facts),
            "breaches": self.broken((Breach(suspicion.rule, {"seat": seats[0], "tiles": facts["number"]}),), state),
            "facts": suspicion.facts,
        }

    def question(self, options: Sequence[Explained | Takeback | None], line: Sequence[Point[S]]) -> Body:
        """A question which of these moves happened; None stands for no move."""
        return {
            "says": self.speakers.say("question.asks"),
            "options": [{"says": self._option(option, line)} for option in options],
        }

    def _option(self, option: Explained | Takeback | None, line: Sequence[Point[S]]) -> Both:
        match option:
            case None:
                return self.speakers.say("question.nothing")
            case Explained(moves=moves):
                return self.moves(line[-1].state, moves)
            case Takeback(back=back, moves=moves):
                start = line[-1 - back].state
                undone = self._line(line[-back:])
                if not moves:
                    return self.speakers.say("question.takeback", undone=undone)
                return self.speakers.say("question.takeback_then", undone=undone, moves=self.moves(start, moves))

    def which_state(self, states: Sequence[S]) -> Body:
        """A question which of these states is right, for a game under way that matches several."""
        return {
            "says": self.speakers.say("question.next"),
            "options": [{"says": self.expects(state)["says"]} for state in states],
        }

    def lost(self, finding: Lost, join: bool = False) -> Body:
        """Nothing explains the table. `join`: during setup the game may have begun before the companion watched."""
        return {
            "says": self.speakers.each(lambda speaker: say_lost(speaker, finding.zones, self._game.blocks)),
            "zones": sorted(finding.zones),
            "put_right": self.steps(finding.put_right),
            "ways": [
                *([{"way": "join", "says": self.speakers.say("way.join")}] if join else []),
                {"way": "put_right", "says": self.speakers.say("way.put_right")},
                {"way": "take_it", "says": self.speakers.say("way.take_it")},
                *(
                    {
                        "way": "ignore",
                        "zone": zone,
                        "says": self.speakers.say("way.ignore", place=self.speakers.place(zone)),
                    }
                    for zone in sorted(finding.zones)
                ),
            ],
        }

    def zone(self, key: str, zone: str) -> Body:
        place = self.speakers.place(zone)
        return {"zone": zone, "says": self.speakers.say(key, place=place)}

    def _seat_of(self, move: Any) -> SeatNo | None:
        """The seat that made a move; None for chance, the table's own acts, and moves of an unknown seat."""
        return seat_of(move, len(self._seats))

    def seat(self, seat: SeatNo) -> str:
        return self._seats[seat].colour
