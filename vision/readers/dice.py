"""Reads `dice` zones: loose dice, value and colour, found by the same finder as dice in any photograph.

Uncertain values are counted pip by pip. Anything in the zone that is no certainly read die (a die on
its edge, one on another, a die beside every zone) is reported as `unknown` with its place, and then the number of
dice is unknown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.kernel.messages import Found, Odd, ZoneReading
from companion.kernel.views import UNKNOWN, Pieces
from vision import dice
from vision.dice import pips
from vision.dice.colours import COLOURS, KNOWN, Bodies, light_of, stem
from vision.layout import Box, Dice, Piece, Point
from vision.picture.background import SCALE, Ground, Mask, Over
from vision.picture.table_picture import TablePicture

SURE: Final = 0.5
"""On a table more than in a photograph, a die that is not there costs more than one that is asked for."""
ALONE: Final = 0.7
"""Minimum probability from the net for a die whose pips cannot be counted."""
LIKELY: Final = 0.2
"""A die less sure than this has to be found by what stands there."""
PIPS: Final = 7.0
"""Pips that differ from the body by at least so much (Lab) are pips."""
NO_OTHER: Final = 3.0
"""Minimum lead of a face's value over all others, if nothing else confirms it."""
APART: Final = 0.9
"""So many edges apart the middles of two dice are at least, if neither lies on the other."""
STANDS: Final = 0.5
"""So much of a die's upper face must stand out from the ground."""
WHOLLY: Final = 0.85
"""… and so much if the net was not sure of it: about a pip of a two there is ground as well."""
LEFT: Final = 0.2
"""If something larger than this share of a die's face stands there and is none, the dice cannot be counted; in a zone
with nothing so large there are none."""
MORE: Final = 0.15
"""A die of which more (as a share of a face) stands there than one that lies flat shows, does not lie flat …"""
EXPLAINED: Final = 0.35
"""… and it lies on another, if that explains all but this share of it."""
WITHIN: Final = 1.5
"""What is left so few edges from the middle of such a die is a part of it."""
BESIDE: Final = 1.5
"""So many edges about a zone dice are noticed that lie outside."""
_AROUND: Final = 0.82
"""So many of its edges about its middle a die hides, its corners and the edge of its shadow with it."""
NEARLY: Final = 0.6
"""A face with more pips that shows so much as clearly as a one makes that one doubtful."""
_NEXT_PIP: Final = 0.4
"""So many edges from a pip the middle of its face may be."""
_STEP_MM: Final = 3.0

Looked = tuple[dice.Die, Point, pips.Face]
"""A die that the net sees, its place on the table, and its pips at a second look."""


def read(
    sight: TablePicture,
    zone: Dice,
    piece: Piece,
    bodies: Bodies | None = None,
    ground: Ground | None = None,
    elsewhere: Sequence[Box] = (),
) -> ZoneReading:
    """The dice in the zone. Untaught, the label of a die is its colour and value: `red 5`.

    A die beside the zone lies outside, unless it is in one of the places `elsewhere`.
    """
    if not sight.plane.sees(zone.area()):
        return ZoneReading(zone.kind, None, 0.0)
    bodies = bodies or Bodies(piece)
    # Without taught dice, anything may stand there.
    over = ground.look(sight) if bodies.taught and ground is not None and ground.known else None
    if over is not None and _bare(over, piece):
        return ZoneReading(zone.kind, Pieces({}), 0.9)
    likely = _looked_at(sight, zone, bodies)
    found = [
        die for die in _found(sight, zone, bodies, likely, over) if over is None or _stands(sight, over, die, piece)
    ]
    if over is not None:
        found += _counted(sight, zone, over, found, bodies)
        free = _free(zone, elsewhere, over)
        found = [_where_it_lies(sight, over, free, die, found, bodies) for die in found]
        found = [_flat(sight, over, free, die, found, piece) for die in found]
        odd = [die for die in found if die.label == UNKNOWN]
        left = [at for at in _left(sight, zone, over, found, piece) if _apart(at, odd, piece, WITHIN)]
        found += [_strange(sight, over, at, bodies) for at in left]
        found += _outside(sight, zone, elsewhere, likely, found, bodies)
    if any(die.label == UNKNOWN for die in found):
        return ZoneReading(zone.kind, None, 0.0, tuple(found))
    lowest = min((die.confidence for die in found), default=0.9)
    return ZoneReading(zone.kind, Pieces(dict(Counter(die.label for die in found))), lowest, tuple(found))


def _bare(over: Over, piece: Piece) -> bool:
    """Whether nothing in the zone is large enough to be a die, or the part of one that lies half outside."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(over.standing_out)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) <= LEFT * piece.size[0] * piece.size[1] * SCALE**2


def _looked_at(sight: TablePicture, zone: Dice, bodies: Bodies) -> list[Looked]:
    """What the net takes for dice, each looked at again; the clearest first."""
    likely = _likely(sight, zone, bodies)
    seen = [(die, at, pips.look(sight, at, bodies.piece, bodies.body(sight, at))) for die, at in likely]
    # Sides of dice have pips as well, but seldom where the pips of an upper face would be.
    return sorted(seen, key=lambda one: (one[2].clear < PIPS, -one[0].confidence))


def _found(sight: TablePicture, zone: Dice, bodies: Bodies, likely: Sequence[Looked], over: Over | None) -> list[Found]:
    """Every die that is seen in the zone; `unknown` if its colour, or two who saw its value, leave a doubt."""
    piece, found = bodies.piece, list[Found]()
    for die, place, face in likely:
        # The look of untaught dice's pips is unknown.
        value = _agreed(die, face) if bodies.taught else die.value if die.confidence >= SURE else None
        at = face.at if bodies.taught and value == face.value else place
        inside = zone.area().grown(max(piece.size) / 4).holds(at)
        if value is not None and inside and _apart(at, found, piece):
            found.append(_named(sight, at, value, die.colour, max(die.confidence, SURE), bodies, over))
    return found


def _free(zone: Dice, elsewhere: Sequence[Box], over: Over) -> Mask:
    """Where in and about the zone only its own dice stand: what else there is belongs to other zones."""
    free = np.ones(over.ground.shape, np.uint8)
    area = zone.area()
    for box in elsewhere:
        if math.dist(box.centre, area.centre) < math.hypot(*area.size) + math.hypot(*box.size):
            corners = over.ground.all_to_pixels(np.array(box.corners()))
            cv2.fillConvexPoly(free, np.round(corners).astype(np.int32), 0)
    return free


def _where_it_lies(
    sight: TablePicture, over: Over, free: Mask, die: Found, found: Sequence[Found], bodies: Bodies
) -> Found:
    """A die that may be a one, or of which one pip was taken for the middle: its silhouette decides.

    It is read where it would lie flat, if it would not where its other face seems to be.
    """
    at, piece = (die.x, die.y), bodies.piece
    name = bodies.name(sight, at, over.light(at)) if die.odd == "doubtful" and bodies.taught else None
    if name is None:
        return die
    body, reach = bodies.body(sight, at), _NEXT_PIP * max(piece.size)
    faces = (pips.look(sight, at, piece, body), pips.look(sight, at, piece, body, reach, above=1))
    others = [(one.x, one.y) for one in found if one is not die]
    more = [pips.beyond_silhouette(sight, over, free, face.at, piece, others) for face in faces]
    best = int(np.argmin(more))
    if faces[best].clear < PIPS or more[best] + MORE / 2 > more[1 - best] or more[best] >= MORE / 2:
        return die
    if best == 0 and faces[0].value != 1:
        # Two who saw different values at one place: no silhouette says which of them is right.
        return die
    x, y = faces[best].at
    return Found(f"{name} {faces[best].value}", round(float(x), 2), round(float(y), 2), 0.0, SURE)


def _flat(sight: TablePicture, over: Over, free: Mask, die: Found, found: Sequence[Found], piece: Piece) -> Found:
    """A die, if it lies flat on the table; one that shows more of itself is `unknown`.

    Two on each other show themselves on the side towards the camera. So may one on its edge, but one of which more is
    seen elsewhere does not lie on another.
    """
    others = [(one.x, one.y) for one in found if one is not die]
    more = pips.beyond_silhouette(sight, over, free, (die.x, die.y), piece, others)
    if more < MORE:
        return die
    explained = pips.beyond_silhouette(sight, over, free, (die.x, die.y), piece, others, high=2.0) < EXPLAINED * more
    return structs.replace(die, label=UNKNOWN, confidence=0.0, odd="stacked" if explained else "edge")


def _strange(sight: TablePicture, over: Over, at: Point, bodies: Bodies) -> Found:
    """Something that stands there and shows no face of a die, though it may have the colour of one."""
    die = bodies.name(sight, at, over.light(at)) is not None
    return Found(UNKNOWN, *at, 0.0, 0.0, "edge" if die else "strange")


def _outside(
    sight: TablePicture,
    zone: Dice,
    elsewhere: Sequence[Box],
    likely: Sequence[Looked],
    found: Sequence[Found],
    bodies: Bodies,
) -> list[Found]:
    """Dice beside the zone and in no other zone, which players meant to be in one."""
    room, outside = max(bodies.piece.size) / 4, list[Found]()
    for die, _, face in likely:
        sure = die.confidence >= ALONE and face.clear >= PIPS and face.value == die.value
        beside = not any(box.grown(room).holds(face.at) for box in (zone.area(), *elsewhere))
        if sure and beside and _apart(face.at, [*found, *outside], bodies.piece) and bodies.name(sight, face.at):
            outside.append(Found(UNKNOWN, round(face.at[0], 2), round(face.at[1], 2), 0.0, 0.0, "outside"))
    return outside


def _agreed(die: dice.Die, face: pips.Face) -> int | None:
    """The value of a die from two who saw it, 0 if they contradict each other; None if neither saw a die there."""
    if face.clear < PIPS:
        return die.value if die.confidence >= ALONE else None
    if face.value == die.value:
        return die.value
    if die.confidence < ALONE and face.clear >= 2 * PIPS and face.lead >= PIPS:
        return face.value
    return 0 if die.confidence >= SURE else None


def _likely(sight: TablePicture, zone: Dice, bodies: Bodies) -> Iterator[tuple[dice.Die, Point]]:
    """The dice that the net sees in and about the zone, with their places on the table; colours in words of ours, where
    none were taught."""
    piece = bodies.piece
    # A margin, because the tops of dice at the edge are seen outside the zone on the table.
    corners = sight.plane.to_pixels(zone.area().grown(BESIDE * max(piece.size)).corners())
    left, top = np.maximum(np.floor(corners.min(0)), 0).astype(int)
    right, bottom = np.ceil(corners.max(0)).astype(int)
    crop = np.ascontiguousarray(sight.image[top:bottom, left:right])
    size = max(piece.size) * sight.plane.scale(zone.area().centre, piece.height)
    words = () if bodies.taught else tuple(_words(piece)) or COLOURS
    light = light_of(sight.image) if words else None
    for die in dice.find(crop, size_px=size, sure=LIKELY, light=light, colours=words):
        x, y = sight.plane.to_table([(die.x + left, die.y + top)], piece.height)[0]
        yield die, (float(x), float(y))


def _words(piece: Piece) -> dict[str, str]:
    """Words for the colours of these dice, with the labels (without the value) that they stand for."""
    return {word: name for name in map(stem, piece.labels) for word in KNOWN if word == name.rpartition(" ")[2]}


def _named(
    sight: TablePicture, at: Point, value: int, colour: str, confidence: float, bodies: Bodies, over: Over | None
) -> Found:
    """A die of this value (0 is any) by its taught colour, or by the word for it where none was taught."""
    light = 1.0 if over is None else over.light(at)
    name = bodies.name(sight, at, light) if bodies.taught else _words(bodies.piece).get(colour, colour)
    if value == 1 and confidence <= SURE:
        # Each pip of a two looks like a one.
        body, reach = bodies.body(sight, at), _NEXT_PIP * max(bodies.piece.size)
        more = pips.look(sight, at, bodies.piece, body, reach, above=1).clear
        value = 0 if more >= max(PIPS, NEARLY * pips.look(sight, at, bodies.piece, body).clear) else 1
    label = f"{name} {value}" if name is not None and value else UNKNOWN
    odd: Odd = "doubtful" if label == UNKNOWN else ""
    return Found(label, round(float(at[0]), 2), round(float(at[1]), 2), 0.0, round(confidence, 3), odd)


def _counted(sight: TablePicture, zone: Dice, over: Over, found: Sequence[Found], bodies: Bodies) -> list[Found]:
    """Dice that the net overlooked: where something stands, a face is looked for that shows its pips clearly."""
    piece, more = bodies.piece, list[Found]()
    if not bodies.taught:
        return more
    for x, y in _left(sight, zone, over, found, piece):
        steps = np.arange(-_STEP_MM * 3, _STEP_MM * 3 + 1, _STEP_MM)
        places = [(x + across, y + down) for across in steps for down in steps]
        faces = [pips.look(sight, place, piece, bodies.body(sight, place)) for place in places]
        clear = sorted((face for face in faces if face.clear >= PIPS), key=lambda face: -face.clear)
        for face in clear:
            # Each pip of a two may look like a one; of other values at the same place none is believed.
            rivals = [one for one in clear if one.value > face.value and math.dist(one.at, face.at) < max(piece.size)]
            sure = face.lead >= NO_OTHER and all(one.clear < face.clear - NO_OTHER for one in rivals)
            die = _named(sight, face.at, face.value if sure else 0, "", SURE, bodies, over)
            free = _apart(face.at, [*found, *more], piece) and zone.area().holds(face.at)
            if die.label != UNKNOWN and free and _stands(sight, over, die, piece):
                more.append(die)
    return more


def _apart(at: Point, found: Sequence[Found], piece: Piece, edges: float = APART) -> bool:
    return all(math.dist(at, (die.x, die.y)) >= edges * max(piece.size) for die in found)


def _stands(sight: TablePicture, over: Over, die: Found, piece: Piece) -> bool:
    """Whether there is anything where a die was seen."""
    mask = np.zeros(over.standing_out.shape, np.uint8)
    x, y = over.ground.to_pixels(_head((die.x, die.y), sight, piece))
    cv2.circle(mask, (round(x), round(y)), max(1, round(0.45 * max(piece.size) * SCALE)), 1, -1)
    inside = over.standing_out[mask > 0]
    return not len(inside) or float(inside.mean()) >= (STANDS if die.confidence > SURE else WHOLLY)


def _left(sight: TablePicture, zone: Dice, over: Over, found: Sequence[Found], piece: Piece) -> list[Point]:
    """Where something stands that is none of the dice found."""
    left: NDArray[np.uint8] = over.standing_out & (1 - over.ground.holes())
    broad = max(1, round(2 * _AROUND * max(piece.size) * SCALE))
    for die in found:
        ends = [over.ground.to_pixels(end) for end in ((die.x, die.y), _head((die.x, die.y), sight, piece))]
        start, end = ((round(across), round(down)) for across, down in ends)
        cv2.line(left, start, end, 0, broad)
    smallest = LEFT * piece.size[0] * piece.size[1] * SCALE**2
    _, _, stats, centres = cv2.connectedComponentsWithStats(left)
    places: list[Point] = []
    for number in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > smallest) + 1:
        x, y = over.ground.to_table(*(float(value) for value in centres[number]))
        if zone.area().holds((x, y)):
            places.append((round(x, 2), round(y, 2)))
    return places


def _head(foot: Point, sight: TablePicture, piece: Piece) -> Point:
    """Where on the table the upper face of a die is seen."""
    x, y, height = sight.plane.eye()
    lean = piece.height / max(height - piece.height, 1.0)
    return foot[0] + (foot[0] - x) * lean, foot[1] + (foot[1] - y) * lean
