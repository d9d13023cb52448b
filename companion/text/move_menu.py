"""Entering a move by hand: the legal moves of any game as a few questions with few answers each.

The first question is the kind of move, then come its fields, in the order of the struct. A question with only one
possible answer is left out. Words come from the game's catalogue, and places from what a move changes on the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from hashlib import blake2s
from typing import Any, Final, NamedTuple

import msgspec

from companion.kernel.catalogue import Both, Field, Speaker
from companion.kernel.game import Game
from companion.kernel.messages import Body
from companion.kernel.rules import Fact, Seat, SeatNo, seat_of
from companion.kernel.views import Cells, Place, View, changed_places
from companion.text import sentences
from companion.text.sentences import Bilingual, capitalised, say

KIND: Final = "kind"
"""The name of the first question; the others have the names of fields."""
SEAT: Final = "seat"
SHORT: Final = 24
"""Maximum number of characters of a value in an option's id; longer values are replaced by a hash."""
MOST_NEXT: Final = 12
"""Maximum number of moves without a choice that are confirmed at once."""
MOST_ON_THE_MAP: Final = 150
"""Maximum number of options that get a place. To find it, one move of each option is played on trial."""


class Option(NamedTuple):
    """One answer to a question, and the moves that remain with it. The id does not depend on other legal moves."""

    id: str
    value: Any
    moves: list[Any]


class Trial(NamedTuple):
    """What options change on the table: the places that only one of them changes, those that all of them change, and
    what each puts there, if that differs."""

    own: list[list[Place]]
    by_all: list[Place]
    looks: list[list[tuple[str, str, str]]]


def of_seat(moves: Iterable[Any], seat: SeatNo | None, seats: int) -> list[Any]:
    """The moves that a seat may enter: its own, those of chance and of the table. The host has no seat and may enter
    all."""
    if seat is None:
        return list(moves)
    return [move for move in moves if seat_of(move, seats) in (None, seat)]


def likely(moves: Iterable[Any], instead: Any) -> list[Any]:
    """The moves that differ from another one in a single field: what may really have happened."""
    return [move for move in moves if type(move) is type(instead) and _differences(move, instead) == 1]


def _differences(move: Any, other: Any) -> int:
    return sum(getattr(move, name) != getattr(other, name) for name in move.__struct_fields__)


class ByHand:
    """The questions for the people of one game."""

    def __init__(self, game: Game[Any, Any], seats: Sequence[Seat]) -> None:
        self._game, self._seats = game, seats
        self._colours = [seat.colour for seat in seats]
        self._speakers = Bilingual(game.catalogue, seats)

    def choices(self, state: Any, moves: Sequence[Any], chosen: Sequence[str]) -> Body:
        """The next question about legal moves, after the chosen options. Chosen options that are no longer possible are
        ignored.

        If only one kind of move leaves a choice, the first question is about that one, and the `others` are whole
        moves. If the question is about a piece that the box may lack, there is a form to describe it.
        """
        left, path, others = list(moves), list[Body](), list[Option]()
        while True:
            name, options = question(left)
            picked = next((option for option in options if option.id in chosen), None)
            if picked is None and name == KIND:
                several = [option for option in options if len(option.moves) > 1]
                if len(several) == 1:
                    left, others = several[0].moves, [option for option in options if option is not several[0]]
                    continue
            if picked is None:
                whole = [] if path else [self._whole(state, one) for one in others]
                return {**self._asked(state, left, path, name, options), "others": whole}
            path.append({"id": picked.id, "says": self._says(state, name, picked)})
            left = picked.moves

    def _whole(self, state: Any, option: Option) -> Body:
        move = option.moves[0]
        return {"id": option.id, "move": msgspec.to_builtins(move), "says": self.move(state, move)}

    def next_moves(self, state: Any) -> list[Body]:
        """The moves that come next without a choice, one after the other."""
        found: list[Body] = []
        while len(found) < MOST_NEXT and (move := self._game.only_move(state)) is not None:
            found.append({"move": msgspec.to_builtins(move), "says": self.move(state, move)})
            state = self._game.play(state, move)
        return found

    def kinds(self, state: Any, moves: Iterable[Any]) -> list[Body]:
        """The kinds of these moves in plain words, with one example each, and how many moves there are."""
        groups = _grouped(moves, lambda move: type(move).__name__)
        return [
            {
                "says": self._speakers.capital(group.value),
                "example": self.move(state, group.moves[0]),
                "count": len(group.moves),
            }
            for group in groups
        ]

    def move(self, state: Any, move: Any) -> Both:
        """A whole move in words."""
        return self._speakers.moves(self._game, state, [move])

    def _asked(self, state: Any, left: list[Any], path: list[Body], name: str, options: list[Option]) -> Body:
        move = left[0] if len(left) == 1 else None
        trial = self._tried(state, name, options)
        return {
            "path": path,
            "asks": self._asks(state, name, left[0]) if options else None,
            "field": name or None,
            "where": [list(place) for place in trial.by_all],
            "options": self._options(state, name, options, trial),
            "move": None if move is None else msgspec.to_builtins(move),
            "says": None if move is None else self.move(state, move),
            "form": self._form(state, name, left),
        }

    def _form(self, state: Any, name: str, left: list[Any]) -> Body | None:
        """The form for a piece that is not among the options. Even a single legal move may be about another piece."""
        learning = self._game.learning
        if learning is None or not left or name == KIND:
            return None
        for field in (name,) if name else left[0].__struct_fields__:
            form = learning.form(state, left[0], field)
            if form is not None:
                about = {"move": msgspec.to_builtins(left[0]), "field": field}
                return {**about, **sentences.in_words(self._speakers, form)}
        return None

    def _asks(self, state: Any, name: str, move: Any) -> Both:
        if name == KIND:
            return self._speakers.say("by_hand.kind")
        field, facts = self._field(move, name), self._game.facts(state, move)
        return self._speakers.each(lambda speaker: speaker.fill(field.asks, facts))

    def _field(self, move: Any, name: str) -> Field:
        return self._game.catalogue.field(type(move).__name__, name)

    # One option

    def _options(self, state: Any, name: str, options: list[Option], trial: Trial) -> list[Body]:
        varying = differing([option.moves[0] for option in options]) if options and name != KIND else []
        whose = {owners(option.moves, len(self._seats)) for option in options} if name == KIND else set()
        return [
            {
                "id": option.id,
                "says": self._says(state, name, option),
                "hint": self._whose(option, whose)
                if name == KIND
                else self._explained(state, name, option)
                or self._lies_there(state, places)
                or self._settles(state, option, varying, name),
                "places": [list(place) for place in places],
                "looks": [list(look) for look in looks],
                **self._shows(state, name, option),
                "count": len(option.moves),
            }
            for option, places, looks in zip(options, trial.own, trial.looks, strict=True)
        ]

    def _says(self, state: Any, name: str, option: Option) -> Both:
        if name == KIND:
            return self._speakers.capital(option.value)
        return self._value(state, name, option.moves[0])

    def _value(self, state: Any, name: str, move: Any) -> Both:
        """The value of a field in words: those of the field for this value, or of the fact with the field's name."""
        value = getattr(move, name)
        text = self._field(move, name).values.get(_written(value))
        if text is not None:
            return self._speakers.text(text)
        fact = self._game.facts(state, move).get(name, value)
        return self._speakers.each(lambda speaker: capitalised(_said(speaker, fact)))

    def _shows(self, state: Any, name: str, option: Option) -> Body:
        """What a phone can draw beside the words: pieces, or a seat's colour."""
        if name in (KIND, SEAT):
            return {"label": None, "labels": [], "seat": option.value if name == SEAT else None}
        fact = self._game.facts(state, option.moves[0]).get(name)
        if fact in self._colours:
            return {"label": None, "labels": [], "seat": self._colours.index(str(fact))}
        known = self._game.catalogue.piece
        labels = [one for one in (fact if isinstance(fact, tuple) else (fact,)) if isinstance(one, str) and known(one)]
        return {"label": labels[0] if isinstance(fact, str) and labels else None, "labels": labels, "seat": None}

    def _explained(self, state: Any, name: str, option: Option) -> Both | None:
        """What an answer means or a piece is for, if its name does not say it."""
        guide, label = self._game.guide, self._shows(state, name, option)["label"]
        if guide is None:
            return None
        remark = guide.answer(state, option.moves[0], name) or (None if label is None else guide.piece(state, label))
        return None if remark is None else self._speakers.about(remark)

    def _whose(self, option: Option, all_owners: set[tuple[SeatNo, ...]]) -> Both | None:
        """Which players make these moves, if that differs between the options."""
        mine = owners(option.moves, len(self._seats))
        if len(all_owners) == 1 or not mine:
            return None
        colours = tuple(self._colours[seat] for seat in mine)
        return self._speakers.word(colours)

    def _settles(self, state: Any, option: Option, varying: Iterable[str], name: str) -> Both | None:
        """What else an answer settles, if the catalogue has words for it."""
        facts = self._game.facts(state, option.moves[0])
        texts = [
            text
            for other in varying
            if other != name
            and (text := self._field(option.moves[0], other).settles) is not None
            and len({getattr(move, other) for move in option.moves}) == 1
        ]
        if not texts:
            return None
        return self._speakers.each(lambda speaker: ", ".join(speaker.phrase(text, facts) for text in texts))

    # Places

    def _tried(self, state: Any, name: str, options: list[Option]) -> Trial:
        """What each option would change on the table."""
        nothing = Trial([[] for _ in options], [], [[] for _ in options])
        if name == KIND or not 2 <= len(options) <= MOST_ON_THE_MAP:
            return nothing
        now = self._game.view(state)
        after = [self._game.view(self._game.play(state, option.moves[0])) for option in options]
        found = [_changed(now, view) for view in after]
        by_all = [place for place in found[0] if all(place in places for places in found)]
        looks = [_lying(view, by_all) for view in after]
        shown = nothing._replace(by_all=by_all, looks=looks if len(set(map(tuple, looks))) > 1 else nothing.looks)
        for cells in (True, False):
            own = [[place for place in places if place not in by_all and bool(place[1]) == cells] for places in found]
            if all(own):
                return shown._replace(own=own)
        return shown

    def _lies_there(self, state: Any, places: list[Place]) -> Both | None:
        """What lies in the one cell that an option is about, in any zone that has this cell."""
        if len(places) != 1 or not places[0][1]:
            return None
        zone, cell = places[0]
        zones = self._game.view(state).zones
        for contents in (zones[zone], *zones.values()):
            label = contents.at.get(cell) if isinstance(contents, Cells) else None
            if label in self._game.catalogue.words:
                return self._speakers.capital(label)
        return self._remarked(state, zone, cell)

    def _remarked(self, state: Any, zone: str, cell: str) -> Both | None:
        """What the guide says first of the piece in a cell."""
        lies, guide = self._game.view(state).zones[zone], self._game.guide
        bare = not isinstance(lies, Cells) or lies.at.get(cell) is None
        remarks = () if guide is None or bare else guide.about(state, zone, cell, None)
        return self._speakers.about(remarks[0]) if remarks else None


# Questions


def leading_to(move: Any, field: str) -> list[str]:
    """The options to choose until the next question is a given field of a move."""
    others = (name for name in move.__struct_fields__ if name != field)
    return [type(move).__name__, *(f"{name}={_written(getattr(move, name))}" for name in others)]


def question(moves: list[Any]) -> tuple[str, list[Option]]:
    """The next question about these moves: their kind, or the first field in which they differ; none for a single
    move."""
    if len(moves) < 2:
        return "", []
    kinds = _grouped(moves, lambda move: type(move).__name__)
    if len(kinds) > 1:
        return KIND, kinds
    varying = differing(moves)
    return (
        (varying[0], _grouped(moves, lambda move: getattr(move, varying[0]), f"{varying[0]}=")) if varying else ("", [])
    )


def places_to_act(game: Game[Any, Any], state: Any, moves: Iterable[Any]) -> list[Place]:
    """Where legal moves would change the table, without what all moves of a kind change, such as what they cost.

    Not every move is tried: of each kind one for each value of each field."""
    now, found = game.view(state), dict[Place, None]()
    for kind in _grouped(list(moves), lambda move: type(move).__name__):
        tried = [_changed(now, game.view(game.play(state, move))) for move in _one_of_each(kind.moves)]
        if len(tried) > 1:
            found |= {place: None for places in tried for place in places if not all(place in one for one in tried)}
    return list(found)


def _one_of_each(moves: Sequence[Any]) -> list[Any]:
    """A move for each value of each field in which these moves of one kind differ."""
    chosen: dict[int, Any] = {}
    for name in differing(moves):
        for option in _grouped(list(moves), lambda move, name=name: getattr(move, name)):  # type: ignore[misc]
            chosen.setdefault(id(option.moves[0]), option.moves[0])
    return list(chosen.values())[:MOST_ON_THE_MAP] or list(moves[:1])


def differing(moves: Sequence[Any]) -> list[str]:
    """The fields in which moves of one kind differ, in the order of the struct."""
    first = moves[0]
    return [
        name
        for name in first.__struct_fields__
        if any(getattr(move, name) != value for value in (getattr(first, name),) for move in moves)
    ]


def owners(moves: Iterable[Any], seats: int) -> tuple[SeatNo, ...]:
    """The seats that make these moves, without chance and the table."""
    return tuple(sorted({seat for move in moves if (seat := seat_of(move, seats)) is not None}))


def _grouped(moves: Iterable[Any], value: Callable[[Any], Hashable], prefix: str = "") -> list[Option]:
    groups: dict[Hashable, Option] = {}
    for move in moves:
        key = value(move)
        option = groups.get(key)
        if option is None:
            option = groups[key] = Option(prefix + _written(key), key, [])
        option.moves.append(move)
    return list(groups.values())


# Values


def _written(value: Any) -> str:
    """A value in a few characters, which do not depend on other legal moves."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        text = "+".join(f"{number}*{one}" if number > 1 else str(one) for one, number in Counter(value).items())
    else:
        text = str(value)
    return text if len(text) <= SHORT else blake2s(text.encode(), digest_size=6).hexdigest()


def _said(speaker: Speaker, fact: Fact) -> str:
    """A fact in words; equal things are counted."""
    if not isinstance(fact, tuple) or not fact:
        return speaker.word(fact)
    counted = Counter(fact).items()
    return ", ".join(
        say(speaker, "by_hand.several", number=number, what=one) if number > 1 else speaker.word(one)
        for one, number in counted
    )


def _changed(one: View, other: View) -> dict[Place, None]:
    """The cells, and the other zones, in which two Views differ, in the order of the zones."""
    places = changed_places(one, other)
    return dict.fromkeys((zone, cell if isinstance(other.zones[zone], Cells) else "") for zone, cell in places)


def _lying(view: View, places: Iterable[Place]) -> list[tuple[str, str, str]]:
    """Zone, cell and label of what lies in these cells."""
    return [
        (zone, cell, label)
        for zone, cell in places
        if isinstance(contents := view.zones[zone], Cells) and (label := contents.at.get(cell)) is not None
    ]
