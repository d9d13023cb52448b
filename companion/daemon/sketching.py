"""Maps and tracks that people draw on a phone: offered with what is known of them, checked, and kept for the box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as Collection
from pathlib import Path
from typing import Any

import msgspec

from companion.kernel import box
from companion.kernel.box import Answers, BoxError
from companion.kernel.catalogue import Speaker, Text
from companion.kernel.forms import CannotLearn
from companion.kernel.rules import Game
from companion.kernel.sketches import (
    Graph,
    Lack,
    NotDrawn,
    Sketch,
    Track,
    drawn,
    empty,
    facts_of,
    missing,
)
from companion.text.describing import in_words, why_not
from companion.text.sentences import say, speakers_for
from companion.text.words import both
from web.backend import Refused

Body = dict[str, Any]
Both = dict[str, str]


def offered(game: Game[Any, Any], answers: Mapping[str, Any]) -> list[Body]:
    """The parts of a box that are drawn: what they are called, what we assume or somebody drew, and what is asked."""
    if game.sketching is None:
        return []
    speakers = speakers_for(game.catalogue, ())
    fitting = game.fitting(answers)
    facts = box.facts(game.box_file, drawn_facts(game), fitting)
    dropped = answers.keys() - fitting.keys()
    return [_offered(game, speakers, sketch, fitting, facts, dropped) for sketch in game.sketching.sketches]


def drawn_facts(game: Game[Any, Any]) -> frozenset[str]:
    """The facts that nobody is asked for one by one, for they are drawn."""
    sketches = () if game.sketching is None else game.sketching.sketches
    return frozenset(fact for sketch in sketches for fact in sketch.facts)


def _offered(
    game: Game[Any, Any],
    speakers: Mapping[str, Speaker],
    sketch: Sketch,
    answers: Mapping[str, Any],
    facts: Mapping[str, Any],
    dropped: Collection[str],
) -> Body:
    words = game.catalogue.sketches[sketch.name]
    body: Body = {
        "name": sketch.name,
        "title": _both(words.title),
        "hint": _both(words.again if words.again and not dropped.isdisjoint(sketch.facts) else words.hint),
        "answered": all(fact in answers for fact in sketch.facts),
        "value": drawn(sketch, facts),
        "empty": empty(sketch),
    }
    match sketch:
        case Graph():
            assert words.one is not None
            assert words.way is not None
            graph: Body = {"kind": "graph", "one": _both(words.one), "way": _both(words.way), "home": sketch.home}
            form = in_words(speakers, sketch.form)
            return {**body, **graph, "at_home": sketch.at_home, "shape": list(sketch.shape), "form": form}
        case Track():
            lowest = sketch.lowest if sketch.first else sketch.start
            bounds = {"lowest": lowest, "last": sketch.last, "least": sketch.least, "most": sketch.most}
            return {**body, "kind": "track", **bounds}


def take(home: Path, game: Game[Any, Any], name: str, value: Any, keep: bool, anyway: bool) -> Body:
    """What a drawing lacks; and if it is to be kept, and can be, whether it was. Raises `Refused`."""
    sketching = game.sketching
    sketch = None if sketching is None else next((one for one in sketching.sketches if one.name == name), None)
    if sketching is None or sketch is None:
        raise Refused("unknown_fact", both("refused.unknown_fact", why=name))
    speakers = speakers_for(game.catalogue, ())
    try:
        facts = facts_of(sketch, value)
    except NotDrawn as error:
        raise Refused("not_a_box", both("refused.not_a_box", why=error)) from error
    except CannotLearn as error:
        assert isinstance(sketch, Graph)
        raise Refused("not_a_box", why_not(speakers, sketch.form, error)) from error
    lacks = [*missing(sketch, facts), *sketching.lacks(sketch, facts)]
    blocked = any(lack.blocks for lack in lacks)
    kept = keep and not blocked and (anyway or not lacks)
    if kept:
        _keep(home, game, facts)
    return {"lacks": list(_said(game, speakers, sketch, lacks)), "blocked": blocked, "kept": kept}


def _keep(home: Path, game: Game[Any, Any], facts: Mapping[str, Any]) -> None:
    answers = Answers(home, game.name)
    try:
        with answers.changing():
            game.load_box({**answers.read(), **facts})
            answers.keep_all(facts)
    except (BoxError, OSError) as error:
        raise Refused("not_a_box", both("refused.not_a_box", why=error)) from error


def _said(game: Game[Any, Any], speakers: Mapping[str, Speaker], sketch: Sketch, lacks: list[Lack]) -> Iterator[Body]:
    own = game.catalogue.sketches[sketch.name].lacks
    for lack in lacks:
        says = {language: _lack(speaker, own, lack) for language, speaker in speakers.items()}
        yield {"says": says, "blocks": lack.blocks}


def _lack(speaker: Speaker, own: Mapping[str, Text], lack: Lack) -> str:
    text = own.get(lack.key)
    return say(speaker, f"sketch.{lack.key}", **lack.facts) if text is None else speaker.fill(text, lack.facts)


def _both(text: Text) -> Both:
    said: Both = msgspec.structs.asdict(text)
    return said
