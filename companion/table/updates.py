"""What the table tells: the bodies of its Updates, every text in German and English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic

import msgspec

from companion.kernel.catalogue import Speaker
from companion.kernel.forms import CannotLearn, Form
from companion.kernel.game import Game, M, S, new_pieces
from companion.kernel.messages import NewPiece, Odd
from companion.kernel.rules import Breach, Note, Seat, SeatNo, colour_of_maker, seat_of
from companion.kernel.views import Cells, Place
from companion.referee import Explained, Illegal, Lost, Step, Takeback, Unfinished
from companion.table.countdown import Suspicion
from companion.table.ledger import Point
from companion.text import sentences
from companion.text.sentences import (
    MOST,
    both,
    in_each,
    say,
    say_lost,
    say_moves,
    say_odd,
    say_step,
    speakers_for,
)

Body = dict[str, Any]
Both = dict[str, str]

WAYS_OUT = ("join", "put_right", "take_it", "ignore")
_HINTS = {"back": "hint.taken_back", "several": "hint.several", "hands": "hint.two_hands"}


class Teller(Generic[S, M]):
    """Speaks for one table: knows its game's words and its people's names."""

    def __init__(self, game: Game[S, M], seats: Sequence[Seat]) -> None:
        self._game = game
        self._seats = seats
        self.speakers: Mapping[str, Speaker] = speakers_for(game.catalogue, seats)

    def plain(self, key: str, **facts: Any) -> Both:
        return both(self.speakers, key, **facts)

    def corrected(self, state: S, move: Any, instead: Any) -> Both:
        moves, old = self.moves(state, [move]), self.moves(state, [instead])
        return both(self.speakers, "news.corrected", moves=moves, instead=old)

    def refused(self, key: str, **facts: Any) -> Body:
        return {"reason": key, "says": both(self.speakers, f"refused.{key}", **facts)}

    def broken(self, breaches: Iterable[Breach], state: S) -> list[Body]:
        """Each broken rule with its facts, and whether it may be due to a fact of the box that nobody has confirmed."""
        unverified, rule = state.box.unverified, self._game.catalogue.rule  # type: ignore[attr-defined]
        return [
            {
                "rule": breach.rule,
                "facts": breach.facts,
                "section": in_each(self.speakers, lambda speaker, b=breach: speaker.section(b.rule)),  # type: ignore[misc]
                "sentence": in_each(self.speakers, lambda speaker, b=breach: speaker.rule(b.rule)),  # type: ignore[misc]
                "says": in_each(self.speakers, lambda speaker, b=breach: speaker.broken(b)),  # type: ignore[misc]
                "assumed": rule(breach.rule).rests_on(unverified),
            }
            for breach in breaches
        ]

    def cannot_be(self, form: Form, error: CannotLearn) -> Both:
        return sentences.why_not(self.speakers, form, error)

    def learned(self, point: Point[S], now: S) -> Body:
        """A piece that somebody described, and where it lies now."""
        piece = self._described(point)
        lies = [
            {"zone": zone, "cell": cell}
            for zone, contents in self._game.view(now).zones.items()
            if isinstance(contents, Cells)
            for cell, label in contents.at.items()
            if label == piece.label
        ]
        says = in_each(self.speakers, lambda speaker: say(speaker, "news.learned", pieces=speaker.piece(piece.label)))
        return {"event": point.n, "label": piece.label, "lies": lies, "says": says}

    def _described(self, point: Point[S]) -> NewPiece:
        return new_pieces(self._game, point.state)[-1]

    def why_not(self, breaches: Iterable[Breach]) -> Both:
        found = list(breaches)
        return in_each(self.speakers, lambda speaker: " ".join(speaker.broken(breach) for breach in found))

    def expects(self, state: S) -> Body:
        expected = self._game.expects(state)
        return {"says": in_each(self.speakers, lambda speaker: speaker.expects(expected)), "actor": expected.actor}

    def phase(self, state: S) -> Both | None:
        """Which part of the game this is, if the game has parts."""
        phase = self._game.expects(state).phase
        return in_each(self.speakers, lambda speaker: speaker.word(phase)) if phase else None

    def progress(self, state: S) -> Body | None:
        """How far the game is, and in which order the seats take turns."""
        progress = self._game.progress(state)
        if progress is None:
            return None
        says = in_each(self.speakers, lambda speaker: speaker.progress(progress))
        return {"says": says, "round": progress.round, "order": progress.order}

    def moved(self, points: Sequence[Point[S]]) -> Body:
        return {"moves": [self.move(point) for point in points]}

    def move(self, point: Point[S]) -> Body:
        """One accepted move: who, what, and which rules were at work."""
        assert point.parent is not None
        before, move, game = point.parent.state, point.move, self._game
        facts = game.facts(before, move)
        return {
            "event": point.n,
            "seat": self._seat_of(move),
            "colour": colour_of_maker(facts),
            "move": msgspec.to_builtins(move),
            "says": in_each(self.speakers, lambda speaker: speaker.move(type(move).__name__, facts)),
            "because": [self._note(note) for note in game.tell(before, move)],
        }

    def _note(self, note: Note) -> Body:
        return {
            "rule": note.rule,
            "says": in_each(self.speakers, lambda speaker: speaker.applied(note) or speaker.rule(note.rule)),
        }

    def moves(self, state: S, moves: Sequence[Any]) -> Both:
        return in_each(self.speakers, lambda speaker: say_moves(speaker, self._game, state, moves))

    def undone(self, points: Sequence[Point[S]], key: str = "news.undone") -> Body:
        """Moves that count no longer, or count again, in the order they were made."""
        return {"events": [point.n for point in points], "says": both(self.speakers, key, moves=self._line(points))}

    def _line(self, points: Sequence[Point[S]]) -> Both:
        """What led along a line of play, one after the other."""
        return in_each(self.speakers, lambda speaker: self._line_in(speaker, points))

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
        return [
            {"says": in_each(self.speakers, lambda speaker, s=step: say_step(speaker, s)), **msgspec.to_builtins(step)}  # type: ignore[misc]
            for step in steps
        ]

    def verdict(self, finding: Illegal, state: S) -> Body:
        """A breach: the rules, the facts, and how to put it right. Nobody is named where nobody can tell who it was."""
        first = finding.tries[0]
        seats = {self._seat_of(one.move) for one in finding.tries}
        why = self.why_not(first.breaches)
        tried = in_each(
            self.speakers, lambda speaker: speaker.move(type(first.move).__name__, self._game.facts(state, first.move))
        )
        return {
            "seat": seats.pop() if len(seats) == 1 else None,
            "move": msgspec.to_builtins(first.move),
            "tried": tried,
            "says": both(self.speakers, "verdict.broken" if len(finding.tries) == 1 else "verdict.somebody", why=why),
            "breaches": self.broken(first.breaches, state),
            "put_right": self.steps(finding.put_right),
            "finish": self.steps(finding.finish),
        }

    def unfinished(self, finding: Unfinished) -> Body:
        return {
            "says": both(self.speakers, "hint.unfinished", steps=finding.finish),
            "finish": self.steps(finding.finish),
        }

    def doubt(self, finding: Illegal, state: S, blind: Sequence[Place], heaps: Sequence[str]) -> Body:
        """What would be a verdict, and is none because of what cannot be seen."""
        why = self.why_not(finding.tries[0].breaches)
        asks, reason = both(self.speakers, "hint.doubt", why=why), self._unseen("hint.unsure", blind, heaps)
        says = in_each(self.speakers, lambda speaker: f"{asks[speaker.language]} {reason[speaker.language]}".strip())
        return {**self.verdict(finding, state), "says": says, "spread": list(heaps)}

    def unseen(self, places: Sequence[Place], heaps: Sequence[str]) -> Body:
        """These places cannot be seen; of these heaps people must help to see what they are made of."""
        says = self._unseen("hint.unseen", places, heaps)
        return {"zones": sorted({*heaps, *(zone for zone, _ in places)}), "says": says, "spread": list(heaps)}

    def _unseen(self, key: str, places: Sequence[Place], heaps: Sequence[str]) -> Both:
        whole = {zone for zone, place in places if not place}
        others = [place for place in places if place[0] not in heaps and (not place[1] or place[0] not in whole)]
        return in_each(
            self.speakers,
            lambda speaker: " ".join(
                say(speaker, one, place=", ".join(speaker.place(*place) for place in named[:MOST]))
                for one, named in ((key, others), ("hint.spread", [(zone,) for zone in heaps]))
                if named
            ),
        )

    def strange(self, place: Place, chosen: list[str]) -> Body:
        """Something unknown lies there; `chosen` leads to where people say what it is."""
        named = in_each(self.speakers, lambda speaker: speaker.place(*place))
        says = both(self.speakers, "hint.strange", place=named)
        return {"says": says, "zones": [place[0]], "strange": list(place), "chosen": chosen}

    def odd(self, odd: Sequence[tuple[str, Odd]]) -> Body:
        """Something lies there that cannot be read, and why not."""
        says = in_each(self.speakers, lambda speaker: " ".join(say_odd(speaker, *one) for one in odd[:MOST]))
        return {"says": says, "zones": sorted({zone for zone, _ in odd}), "odd": [list(one) for one in odd]}

    def suspicion(self, suspicion: Suspicion, state: S) -> Body:
        seats = tuple(self._seats[seat].colour for seat in suspicion.seats)
        facts = {**suspicion.facts, "number": suspicion.facts.get("now", 0) - suspicion.facts.get("was", 0)}
        return {
            "seats": list(suspicion.seats),
            "says": both(self.speakers, _HINTS[suspicion.kind], seat=seats, **facts),
            "breaches": self.broken((Breach(suspicion.rule, {"seat": seats[0], "tiles": facts["number"]}),), state),
            "facts": suspicion.facts,
        }

    def question(self, options: Sequence[Explained | Takeback | None], line: Sequence[Point[S]]) -> Body:
        """What happened? None stands for: nothing."""
        return {
            "says": both(self.speakers, "question.asks"),
            "options": [{"says": self._option(option, line)} for option in options],
        }

    def _option(self, option: Explained | Takeback | None, line: Sequence[Point[S]]) -> Both:
        match option:
            case None:
                return both(self.speakers, "question.nothing")
            case Explained(moves=moves):
                return self.moves(line[-1].state, moves)
            case Takeback(back=back, moves=moves):
                start = line[-1 - back].state
                undone = self._line(line[-back:])
                if not moves:
                    return both(self.speakers, "question.takeback", undone=undone)
                return both(self.speakers, "question.takeback_then", undone=undone, moves=self.moves(start, moves))

    def moments(self, states: Sequence[S]) -> Body:
        """What comes next? For a game under way, of which the look does not tell it."""
        return {
            "says": both(self.speakers, "question.next"),
            "options": [{"says": self.expects(state)["says"]} for state in states],
        }

    def lost(self, finding: Lost, join: bool = False) -> Body:
        """Nothing explains the table. While a game is being set up, it may be one that has long begun."""
        return {
            "says": in_each(self.speakers, lambda speaker: say_lost(speaker, finding.zones, self._game.blocks)),
            "zones": sorted(finding.zones),
            "put_right": self.steps(finding.put_right),
            "ways": [
                *([{"way": "join", "says": both(self.speakers, "way.join")}] if join else []),
                {"way": "put_right", "says": both(self.speakers, "way.put_right")},
                {"way": "take_it", "says": both(self.speakers, "way.take_it")},
                *(
                    {
                        "way": "ignore",
                        "zone": zone,
                        "says": in_each(
                            self.speakers,
                            lambda speaker, z=zone: say(speaker, "way.ignore", place=speaker.place(z)),  # type: ignore[misc]
                        ),
                    }
                    for zone in sorted(finding.zones)
                ),
            ],
        }

    def zone(self, key: str, zone: str) -> Body:
        place = in_each(self.speakers, lambda speaker: speaker.place(zone))
        return {"zone": zone, "says": both(self.speakers, key, place=place)}

    def _seat_of(self, move: Any) -> SeatNo | None:
        """Who made a move; None for chance, the table's own acts, and what nobody saw who did."""
        return seat_of(move, len(self._seats))

    def seat(self, seat: SeatNo) -> str:
        return self._seats[seat].colour
