"""Checks a kit with its own pictures: what it reads in them, what it takes for something else, and how often.

A kit that was taught from several pictures also reads each of them without having been taught from it; the errors
that are expected at the table come from there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from companion.kernel.messages import ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Marks
from vision.kit.kit import Kit, KitError, Truth
from vision.kit.store import Lesson
from vision.layout import Dial, Grid, Slots
from vision.picture.table_picture import TablePicture
from vision.table_reader import TableReader

FEW: Final = 2
"""With fewer examples nobody knows how a label looks in another place."""
EMPTY: Final = ""
"""Stands for a place on which nothing lies, where other places have a label."""


class Place(msgspec.Struct, frozen=True):
    """A taught place, and what was read there."""

    zone: str
    name: str
    label: str
    told: str

    @property
    def wrong(self) -> bool:
        return self.told not in (self.label, UNKNOWN)


class Told(msgspec.Struct):
    """How the examples of one label were read: with the kit that was taught from them, and without (`apart`)."""

    examples: int = 0
    exact: int = 0
    confused_with: Counter[str] = msgspec.field(default_factory=Counter)
    apart: int = 0
    apart_wrong: int = 0

    @property
    def readable(self) -> bool:
        return not self.confused_with and 2 * self.exact >= self.examples

    def figures(self) -> dict[str, Any]:
        """For JSON. The expected error is a bound that so many readings support, nine times in ten."""
        return {
            "examples": self.examples,
            "told_apart": round(self.exact / max(1, self.examples), 3),
            "confused_with": dict(self.confused_with),
            "expected_error": round(_bound(self.apart_wrong, self.apart), 4) if self.apart else None,
        }


Checked = dict[str, dict[str, Told]]
"""By zone and label."""


def places(kit: Kit, sight: TablePicture, truth: Truth) -> list[Place]:
    """What a kit reads at each place that a truth names, and no figure covers."""
    names = [name for name in truth if not isinstance(kit.layout.zones[name], Dial)]
    seen = TableReader(kit.layout, kit).read(sight, names)
    return [place for name in names for place in _of_zone(kit, name, truth, seen[name])]


def check(kit: Kit, apart: bool = False) -> Checked:
    """Read a kit's own pictures with it, and with `apart` each with a kit that was taught from all others."""
    found: Checked = {}
    for sight, truth in kit.shown():
        add(found, places(kit, sight, truth))
    if apart and len(kit.shown()) > 1:
        for number, (sight, truth) in enumerate(kit.shown()):
            other = Kit(kit.layout)
            for index, (taught, lies) in enumerate(kit.shown()):
                if index != number:
                    other.show(taught, lies)
            other.derive()
            known = {(name, label) for name, label in _labels(other)}
            for place in places(other, sight, truth):
                if (place.zone, place.label) in known:
                    told = found[place.zone][place.label]
                    told.apart += 1
                    told.apart_wrong += place.wrong
    return found


def learn(lesson: Lesson, truth: Truth) -> tuple[Counter[str], Checked]:
    """Teach a lesson and check the kit with all its pictures. Raises `KitError` for a picture that contradicts another:
    it shows a label where the kit saw another one before, and still does."""
    kit = lesson.kit
    before: list[Place] = []
    if kit.teachings and truth.keys() <= kit.layout.zones.keys():
        known = set(_labels(kit))
        lesson.check(truth)
        before = [place for place in places(kit, lesson.sight, truth) if (place.zone, place.label) in known]
    gained = lesson.learn(truth)
    found: Checked = {}
    for sight, lies in kit.shown():
        read = places(kit, sight, lies)
        add(found, read)
        if sight is lesson.sight:
            _refuse_contradictions(lesson, before, read)
    return gained, found


def _refuse_contradictions(lesson: Lesson, before: Sequence[Place], after: Sequence[Place]) -> None:
    still = {(place.zone, place.name) for place in after if place.told != place.label}
    wrong = [place for place in before if place.wrong and (place.zone, place.name) in still]
    if not wrong:
        return
    place = wrong[0]
    taught = lesson.kit.teachings
    earlier = [teaching.name for teaching in taught if place.told in _names(teaching.truth.get(place.zone))]
    more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    raise KitError(
        f"Two pictures contradict each other: by the truth of {lesson.name} {place.label or 'nothing'} lies on "
        f"{place.name!r} of zone {place.zone!r}{more}, and it looks like {place.told or 'nothing'} in "
        f"{', '.join(earlier) or 'the kit'}. Correct one of them, or teach pictures of another game to another "
        "kit."
    )


def _names(contents: Any) -> set[str]:
    """The labels in a zone's truth; nothing is a label here."""
    if isinstance(contents, dict):
        return {label or EMPTY if isinstance(label, str | None) else marker for marker, label in contents.items()}
    return {piece["label"] for piece in contents or ()}


def by_label(found: Checked) -> dict[str, Told]:
    """The same for all zones together; empty places are left out."""
    labels: dict[str, Told] = {}
    for one in found.values():
        for label, told in one.items():
            if label != EMPTY:
                whole = labels.setdefault(label, Told())
                whole.examples += told.examples
                whole.exact += told.exact
                whole.confused_with += told.confused_with
                whole.apart += told.apart
                whole.apart_wrong += told.apart_wrong
    return dict(sorted(labels.items()))


def add(found: Checked, read: Sequence[Place]) -> None:
    for place in read:
        told = found.setdefault(place.zone, {}).setdefault(place.label, Told())
        told.examples += 1
        told.exact += place.told == place.label
        if place.wrong:
            told.confused_with[place.told] += 1


def readable(found: Checked) -> bool:
    return all(told.readable for labels in found.values() for told in labels.values())


def _labels(kit: Kit) -> Iterator[tuple[str, str]]:
    for _, truth in kit.shown():
        for name in truth:
            empty = ZoneReading(kit.layout.zones[name].kind, None, 0.0)
            yield from ((name, place.label) for place in _of_zone(kit, name, truth, empty))


def _of_zone(kit: Kit, name: str, truth: Truth, seen: ZoneReading) -> Iterator[Place]:
    zone, expected = kit.layout.zones[name], truth[name]
    if isinstance(zone, Grid | Slots):
        at = seen.contents.at if isinstance(seen.contents, Cells) else {}
        covered = _covered(kit, name, truth)
        for place, label in expected.items():
            if place not in covered:
                yield Place(name, place, label or EMPTY, at.get(place, UNKNOWN) or EMPTY)
    elif isinstance(expected, dict):
        field = seen.contents.field if isinstance(seen.contents, Marks) else {}
        for marker, number in expected.items():
            right = str(field.get(marker)) == str(number)
            told = marker if right else UNKNOWN if marker not in field else f"{marker} on {field[marker]}"
            yield Place(name, str(number), marker, told)
    else:
        near = min(kit.piece(zone).size) / 2
        for piece in expected:
            x, y = piece["x"], piece["y"]
            here = [one.label for one in seen.found if math.dist((one.x, one.y), (x, y)) <= near]
            yield Place(name, f"{x:g}, {y:g}", piece["label"], here[0] if here else UNKNOWN)


def _covered(kit: Kit, name: str, truth: Truth) -> set[str]:
    """Places of flat pieces on which a figure stands, by the same truth."""
    above = [upper for upper in truth if kit.beneath(upper) == name]
    return {place for upper in above for place, label in truth[upper].items() if label is not None}


def _bound(wrong: int, read: int) -> float:
    """The upper end of the share of errors, if of so many readings so many were wrong (Wilson, one-sided 90 %)."""
    z = 1.2816
    share = wrong / read
    middle = share + z * z / (2 * read)
    spread = z * math.sqrt(share * (1 - share) / read + z * z / (4 * read * read))
    return min(1.0, (middle + spread) / (1 + z * z / read))
