"""What most games have in common: the parts of `companion.rules.Game` that follow from others, or that few games need.

A game derives from `UsualGame` and says otherwise where it is otherwise. No rule lives here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Generic

from companion import box as kernel_box
from companion.catalogue import Catalogue
from companion.catalogue import load as load_catalogue
from companion.messages import View
from companion.rules import Breach, Guide, IllegalMove, Learning, M, Note, Rush, S, Story
from companion.sketches import Sketching


class UsualGame(ABC, Generic[S, M]):
    """A game whose box and catalogue lie side by side, and whose moves are checked before they are carried out."""

    box_file: Path
    box_type: type[Any]
    guide: Guide | None = None
    learning: Learning[S] | None = None
    sketching: Sketching | None = None

    @cached_property
    def catalogue(self) -> Catalogue:
        return load_catalogue(self.box_file.with_name("rules.toml"))

    def box_from_json(self, raw: Any) -> Any:
        return kernel_box.from_facts(raw, self.box_type, "The journal's box")

    # A move is played, and told, only after it was checked

    @abstractmethod
    def moves(self, state: S) -> Iterator[M]: ...

    @abstractmethod
    def check(self, state: S, move: M) -> tuple[Breach, ...]: ...

    @abstractmethod
    def carry_out(self, state: S, move: M, story: Story) -> S:
        """The state after a legal move; the story collects what the rules did."""

    def play(self, state: S, move: M) -> S:
        return self._played(state, move, Story())

    def tell(self, state: S, move: M) -> tuple[Note, ...]:
        story = Story()
        self._played(state, move, story)
        return tuple(story.notes)

    def _played(self, state: S, move: M, story: Story) -> S:
        breaches = self.check(state, move)
        if breaches:
            raise IllegalMove(move, breaches)
        return self.carry_out(state, move, story)

    # What few games need

    def missteps(self, _state: S, _view: View) -> Iterator[M]:
        """None: what people do wrong is among the candidates."""
        return iter(())

    def begun(self, state: S, _view: View) -> Iterator[M]:
        """Any legal move may be half done."""
        return self.moves(state)

    def half_of_another(self, _state: S, _move: M) -> bool:
        return False

    def joins(self, _state: S, _view: View) -> tuple[S, ...]:
        """None: too much of such a game is hidden for anybody to join it by looking."""
        return ()

    def rush(self, _state: S) -> Rush | None:
        return None
