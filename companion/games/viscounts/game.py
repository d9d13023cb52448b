"""Viscounts of the West Kingdom as the kernel sees it: one object whose methods are pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion import box as kernel_box
from companion.catalogue import Catalogue, Speaker
from companion.catalogue import load as load_catalogue
from companion.messages import Signal, View
from companion.rules import (
    Actor,
    Breach,
    Expected,
    Fact,
    IllegalMove,
    Note,
    Paint,
    Rush,
    Scoresheet,
    Seat,
    Story,
    plain,
)

from . import (
    adopt,
    begun,
    box,
    candidates,
    expecting,
    missteps,
    picture,
    pretending,
    scoring,
    setting_up,
    signals,
    telling,
    view,
)
from .moves import Move
from .phases import breaches, carried_out, legal
from .state import Options, State


class Viscounts:
    """The game object; all its methods are pure functions of what they are given."""

    name = "viscounts"
    state_type = State
    move_type = Move
    options_type = Options
    guide = None
    learning = None
    sketching = None

    def __init__(self) -> None:
        self._catalogue: Catalogue | None = None

    @property
    def catalogue(self) -> Catalogue:
        if self._catalogue is None:
            self._catalogue = load_catalogue(Path(__file__).with_name("rules.toml"))
        return self._catalogue

    @property
    def box_file(self) -> Path:
        return box.FILE

    def load_box(self, answers: Mapping[str, Any] | None = None) -> box.Box:
        return box.load(answers)

    def box_from_json(self, raw: Any) -> box.Box:
        return kernel_box.from_facts(raw, box.Box, "The journal's box")

    def setup(self, box: box.Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
        return setting_up.setup(box, seats, options)

    def actor(self, state: State) -> Actor:
        return expecting.actor(state)

    def moves(self, state: State) -> Iterator[Move]:
        return legal(state)

    def check(self, state: State, move: Move) -> tuple[Breach, ...]:
        return tuple(breaches(state, move))

    def play(self, state: State, move: Move) -> State:
        return self._played(state, move, Story())

    def tell(self, state: State, move: Move) -> tuple[Note, ...]:
        story = Story()
        self._played(state, move, story)
        return tuple(story.notes)

    def facts(self, state: State, move: Move) -> dict[str, Fact]:
        return telling.facts(state, move)

    def _played(self, state: State, move: Move, story: Story) -> State:
        found = self.check(state, move)
        if found:
            raise IllegalMove(move, found)
        return carried_out(state, move, story)

    def view(self, state: State) -> View:
        return view.view(state)

    def picture(self, state: State, speaker: Speaker, paint: Paint = plain) -> str:
        return picture.draw(state, speaker, paint)

    def candidates(self, state: State, view: View) -> Iterator[Move]:
        return candidates.candidates(state, view)

    def missteps(self, state: State, view: View) -> Iterator[Move]:
        return missteps.missteps(state, view)

    def begun(self, state: State, _view: View) -> Iterator[Move]:
        return self.moves(state)

    def half_of_another(self, state: State, move: Move) -> bool:
        return begun.half_of_another(state, move)

    def adopt(self, state: State, view: View) -> State:
        return adopt.adopt(state, view)

    def joins(self, _state: State, _view: View) -> tuple[State, ...]:
        return ()  # which cards people own does not show

    def pretend(self, state: State, move: Move) -> State | None:
        return pretending.pretend(state, move)

    def setting_up(self, state: State) -> bool:
        return state.phase in ("laying_out", "lots")

    def expects(self, state: State) -> Expected:
        return expecting.expects(state)

    def signalled(self, state: State, signal: Signal) -> tuple[Move, ...]:
        return signals.signalled(state, signal)

    def rush(self, _state: State) -> Rush | None:
        return None

    def score(self, state: State) -> Scoresheet:
        return scoring.score(state)
