"""Paint on a die: body colours, marbling, speckles, sunk pips in every style, light and shine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.training.dice.shapes import Floats, Shape

PALETTE: dict[str, tuple[tuple[float, float, float], ...]] = {
    "white": ((0.93, 0.93, 0.92), (0.98, 0.98, 0.98), (0.88, 0.87, 0.84)),
    "ivory": ((0.93, 0.89, 0.76), (0.88, 0.82, 0.66), (0.95, 0.92, 0.82)),
    "black": ((0.06, 0.06, 0.07), (0.12, 0.12, 0.12), (0.03, 0.03, 0.03)),
    "red": ((0.75, 0.06, 0.08), (0.85, 0.12, 0.08), (0.55, 0.03, 0.06)),
    "blue": ((0.05, 0.2, 0.7), (0.08, 0.35, 0.85), (0.05, 0.1, 0.4)),
    "green": ((0.05, 0.5, 0.2), (0.1, 0.65, 0.25), (0.03, 0.3, 0.12)),
    "yellow": ((0.95, 0.82, 0.1), (0.9, 0.75, 0.15), (0.85, 0.85, 0.1)),
    "orange": ((0.95, 0.5, 0.08), (0.9, 0.6, 0.2), (0.85, 0.4, 0.05)),
    "purple": ((0.4, 0.1, 0.55), (0.5, 0.25, 0.7), (0.3, 0.05, 0.4)),
    "pink": ((0.95, 0.5, 0.65), (0.9, 0.35, 0.6), (0.95, 0.7, 0.78)),
    "grey": ((0.5, 0.5, 0.5), (0.35, 0.35, 0.37), (0.68, 0.68, 0.68)),
    "brown": ((0.4, 0.25, 0.13), (0.5, 0.33, 0.2), (0.3, 0.18, 0.1)),
    "turquoise": ((0.1, 0.65, 0.65), (0.2, 0.75, 0.7)),
}
_COMMON = ["white"] * 7 + ["ivory"] * 4 + ["black"] * 3 + ["red"] * 3 + ["blue"] * 2 + ["green"] * 2
_RARE = ["yellow", "orange", "purple", "pink", "grey", "brown", "turquoise", "yellow"]


@dataclass(frozen=True)
class Style:
    """The look of one kind of die; the dice of a set share it."""

    word: str
    body: Floats
    pip: Floats
    one: Floats
    """The colour of the single pip: red on many Asian dice."""
    four: Floats
    spread: float
    """Distance of the outer pips from the middle, in half edges."""
    six: float
    """The same across the two rows of the six."""
    radius: float
    one_radius: float
    sunk: float
    ring: float
    marble: float
    speckle: float
    clear: float
    """How transparent the body is (0: not at all)."""
    shine: float
    gloss: float
    symbol: bool = False
    """Letters or marks instead of pips: it looks like a die, but must not be read."""
    blank: bool = False


def random_style(rng: np.random.Generator) -> Style:
    """A random kind of die that people may own."""
    word = str(rng.choice(_COMMON if rng.random() < 0.62 else _RARE))
    shades = PALETTE[word]
    body = (np.array(shades[rng.integers(len(shades))]) + rng.normal(0, 0.03, 3)).clip(0.01, 1).astype(np.float32)
    pip = _pip_colour(rng, body)
    red = np.array([0.75, 0.05, 0.08], np.float32)
    asian = _light(body) > 0.6 and rng.random() < 0.2
    radius = rng.uniform(0.12, 0.25)
    return Style(
        word=word,
        body=body,
        pip=pip,
        one=red if asian else pip,
        four=red if asian and rng.random() < 0.7 else pip,
        spread=rng.uniform(max(0.4, radius * 2.05), 0.64),
        six=rng.uniform(max(0.34, radius * 1.3), 0.62),
        radius=radius,
        one_radius=radius * (rng.uniform(1.3, 2.0) if asian or rng.random() < 0.12 else 1.0),
        sunk=rng.choice([0.0, rng.uniform(0.2, 1.2)]),
        ring=rng.uniform(0.2, 0.5) if rng.random() < 0.06 else 0.0,
        marble=rng.uniform(0.1, 0.5) if rng.random() < 0.15 else 0.0,
        speckle=rng.uniform(0.1, 0.4) if rng.random() < 0.08 else 0.0,
        clear=rng.uniform(0.3, 1.0) if word not in ("white", "ivory", "black", "brown") and rng.random() < 0.3 else 0.0,
        shine=rng.choice([0.0, rng.uniform(0.05, 0.9)]),
        gloss=rng.choice([6.0, 15.0, 40.0, 100.0]),
    )


def _light(colour: Floats) -> float:
    return float(colour @ np.array([0.3, 0.59, 0.11], np.float32))


def _pip_colour(rng: np.random.Generator, body: Floats) -> Floats:
    """Black on light dice, white on dark ones, sometimes any visible colour."""
    plain = np.full(3, rng.uniform(0.01, 0.12) if _light(body) > 0.42 else rng.uniform(0.8, 0.98), np.float32)
    if rng.random() < 0.1 and 0.2 < _light(body) < 0.6:
        plain = 1 - plain
    if rng.random() < 0.8:
        return plain
    for _ in range(20):
        shades = PALETTE[str(rng.choice(list(PALETTE)))]
        colour = np.array(shades[rng.integers(len(shades))], np.float32)
        if abs(_light(colour) - _light(body)) > 0.3:
            return colour
    return plain


def _pips(value: int, style: Style) -> list[tuple[float, float]]:
    """The positions of a value's pips on a face."""
    s, t = style.spread, style.six
    layouts: dict[int, list[tuple[float, float]]] = {
        1: [(0, 0)],
        2: [(-s, -s), (s, s)],
        3: [(-s, -s), (0, 0), (s, s)],
        4: [(-s, -s), (s, s), (-s, s), (s, -s)],
        5: [(-s, -s), (s, s), (-s, s), (s, -s), (0, 0)],
        6: [(-s, -t), (0, -t), (s, -t), (-s, t), (0, t), (s, t)],
    }
    return layouts[value]


def faces(rng: np.random.Generator, facing: int, value: int) -> list[int]:
    """The values of the six faces, opposite ones adding up to seven, with `value` on the face `facing`."""
    numbers = [0] * 6
    numbers[facing], numbers[facing ^ 1] = value, 7 - value
    others = [pair for pair in ((1, 6), (2, 5), (3, 4)) if value not in pair]
    rng.shuffle(others)
    for axis, pair in zip([a for a in range(3) if a != facing // 2], others, strict=True):
        first = int(rng.integers(2))
        numbers[2 * axis], numbers[2 * axis + 1] = pair[first], pair[1 - first]
    return numbers


def _noise(rng: np.random.Generator, points: Floats, waves: int, pitch: float) -> Floats:
    """Smooth noise in space: a few waves in random directions."""
    total = np.zeros(points.shape[:-1], np.float32)
    for _ in range(waves):
        total += np.sin(points @ rng.normal(0, pitch, 3).astype(np.float32) + rng.uniform(0, 6.3))
    return total / waves


def paint(
    rng: np.random.Generator, shape: Shape, style: Style, value: int, lamp: Floats, ambient: float, coarse: int = 1
) -> tuple[Floats, Floats, Floats]:
    """The die's colours (RGB), its opacity, and which of its pixels belong to the face that counts."""
    point = shape.point[::coarse, ::coarse].astype(np.float32)
    normal = shape.normal[::coarse, ::coarse].astype(np.float32)
    mask = shape.mask[::coarse, ::coarse]
    albedo = np.broadcast_to(style.body, point.shape).copy()
    if style.marble:
        veins = np.abs(_noise(rng, point + 0.3 * _noise(rng, point, 3, 3.0)[..., None], 3, 2.5))
        albedo += (style.marble * (veins - 0.4))[..., None] * rng.uniform(0.3, 1, 3).astype(np.float32)
    if style.speckle:
        spots = _noise(rng, point, 6, 22.0) > 0.33
        albedo[spots] += style.speckle * (1 if _light(style.body) < 0.5 else -1)
    albedo += _grubby(rng, point)
    if style.clear:
        albedo = _see_through(rng, point, albedo, normal, style)

    strongest = np.abs(point).argmax(-1)
    near = np.take_along_axis(point, strongest[..., None], -1)[..., 0]
    face = 2 * strongest + (near < 0)
    top = (face == shape.facing) & mask
    if not style.blank:
        numbers = faces(rng, shape.facing, value)
        for number in range(6):
            on = (face == number) & mask
            if on.any():
                _print_face(rng, style, numbers[number], number, on, point, normal, albedo, shape.turn)

    norm = np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-6
    normal = normal / norm
    diffuse = (normal @ lamp).clip(0, 1)
    soft = ambient * (0.75 + 0.25 * normal[..., 2])
    half = lamp + np.array([0, 0, 1], np.float32)
    half /= np.linalg.norm(half)
    gleam = style.shine * (normal @ half).clip(0, 1) ** style.gloss
    glow = style.clear * 0.3
    colour = albedo * (soft + (1 - ambient) * diffuse + glow)[..., None] + gleam[..., None]
    return colour.clip(0, 1.3).astype(np.float32), mask.astype(np.float32), top.astype(np.float32)


def _grubby(rng: np.random.Generator, point: Floats) -> Floats:
    """Add worn or dirty areas, so that a face is not one flat colour."""
    if rng.random() < 0.5:
        return np.zeros(1, np.float32)
    return (rng.uniform(0.01, 0.06) * _noise(rng, point, 4, 2.0))[..., None]


def _see_through(rng: np.random.Generator, point: Floats, albedo: Floats, normal: Floats, style: Style) -> Floats:
    """Paint a transparent die: light enters through its edges, and the pips of far faces show through."""
    albedo = albedo * (0.75 + 0.5 * style.clear * (1 - normal[..., 2:3] ** 2))
    for _ in range(int(rng.integers(0, 7))):
        spot = rng.uniform(-0.8, 0.8, 3).astype(np.float32)
        spot[int(rng.integers(3))] = 1.0
        near = np.linalg.norm(point * rng.choice([-1, 1], 3) - spot, axis=-1) < style.radius
        albedo = np.where(near[..., None], albedo + (style.pip - albedo) * rng.uniform(0.05, 0.3), albedo)
    return albedo


def _print_face(
    rng: np.random.Generator,
    style: Style,
    value: int,
    face: int,
    on: np.ndarray,
    point: Floats,
    normal: Floats,
    albedo: Floats,
    turn: Floats,
) -> None:
    """Paint the pips of one face, and change the normals where they are sunk."""
    axes = [a for a in range(3) if a != face // 2]
    u, v = point[..., axes[0]][on], point[..., axes[1]][on]
    if rng.random() < 0.5:
        u = -u
        mirrored = True
    else:
        mirrored = False
    turned = rng.random() < 0.5
    if turned:
        u, v = v, u
    paints, bends = albedo[on], normal[on]
    colour = {1: style.one, 4: style.four}.get(value, style.pip)
    radius = style.one_radius if value == 1 else style.radius
    spots = _pips(value, style)
    if style.symbol:
        spots = [(x + rng.normal(0, 0.3), y + rng.normal(0, 0.3)) for x, y in spots]
    for x, y in spots:
        du, dv = u - x - rng.normal(0, 0.012), v - y - rng.normal(0, 0.012)
        far = np.hypot(du, dv) / radius
        if style.symbol:
            far = np.maximum(np.abs(du) / rng.uniform(0.5, 2.5), np.abs(dv) / rng.uniform(0.3, 1.5)) / radius
        inside = far < 1
        if style.ring:
            paints[inside & (far > 1 - style.ring)] = colour
            paints[far < 0.35] = colour
        else:
            paints[inside] = colour
        if style.sunk:
            local = np.zeros((int(inside.sum()), 3), np.float32)
            first, second = (dv, du) if turned else (du, dv)
            local[:, axes[0]] = -first[inside] / radius * (-1 if mirrored else 1)
            local[:, axes[1]] = -second[inside] / radius
            bends[inside] += style.sunk * (local @ turn.T)
    albedo[on], normal[on] = paints, bends
