"""Train the finder, which finds the figures in an area, and write it as ONNX (needs PyTorch and onnx).

python -m vision.training.figures.finder FOLDER vision/figures/finder.onnx --seed 9 --steps 3000
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import msgspec
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision.figures.areas import CELL, SCALE, leans, planes
from vision.training.figures.areas import FIRST, MILLIMETRES, SIDE
from vision.training.figures.nets import Finder
from vision.training.figures.scenes import COVER

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

BATCH = 32
HELD = 400
SIDE_CELLS = SIDE // CELL
SPREAD = 0.7
"""The width in cells of the target peak over a foot."""
SEEN_ENOUGH, SEEN_HARDLY = 0.3, 0.1
"""Visible shares of a figure: above the first it must be found, between the two it may be found."""
CLASS_WEIGHTS = (1.0, 1.5, 1.5)


class Batch(msgspec.Struct, frozen=True, eq=False):
    """Input and target output of the network."""

    planes: Tensor
    leans: Tensor
    heat: Tensor
    counts: Tensor
    kinds: Tensor
    votes: Tensor


class Areas:
    """All rendered areas."""

    def __init__(self, folder: Path) -> None:
        chunks = [np.load(path) for path in sorted(folder.glob("areas????_*.npz")) if ".new" not in path.name]
        self.seen: Bytes = np.concatenate([chunk["seen"] for chunk in chunks])
        self.ground: Bytes = np.concatenate([chunk["ground"] for chunk in chunks])
        self.known: NDArray[np.bool_] = np.concatenate([chunk["known"] for chunk in chunks])
        self.eye: Floats = np.concatenate([chunk["eye"] for chunk in chunks])
        self.cells: Bytes = np.concatenate([chunk["cells"] for chunk in chunks])
        self.feet: Floats = np.concatenate([chunk["feet"] for chunk in chunks])

    def some(self, rows: NDArray[np.int64], rng: np.random.Generator | None) -> Batch:
        """Input and truth; with a generator randomly rotated, mirrored, painted and lit."""
        seen, ground = (pictures[rows].astype(np.float32) / 180 for pictures in (self.seen, self.ground))
        known, cells, feet, eye = self.known[rows], self.cells[rows], self.feet[rows].copy(), self.eye[rows].copy()
        if rng is not None:
            seen, ground, cells, feet, eye = _turned(seen, ground, cells, feet, eye, rng)
            seen, ground = _relit(seen, ground, rng)
            known = known & (rng.random(len(rows)) > 0.2)
        there = _known(known, rng)
        heat, counts, votes = _truth(cells, feet)
        lean = np.stack([_lean(one, where) for one, where in zip(eye, there, strict=True)])
        kinds = np.where(cells >= FIRST, 1, np.where(cells == COVER, 2, 0)).astype(np.int64)
        ground = np.where(there.repeat(CELL, 1).repeat(CELL, 2)[..., None], ground, seen)
        made = np.stack([planes(*pair) for pair in zip(seen, ground, strict=True)])
        return Batch(*(torch.from_numpy(array) for array in (made, lean, heat, counts, kinds, votes)))


def _known(known: NDArray[np.bool_], rng: np.random.Generator | None) -> NDArray[np.bool_]:
    """The cells whose ground is known: often not up to the edge, where a zone ends."""
    there = np.broadcast_to(known[:, None, None], (len(known), SIDE_CELLS, SIDE_CELLS)).copy()
    if rng is not None:
        for one in there:
            if rng.random() < 0.5:
                left, top, right, bottom = rng.integers(0, 9, 4)
                inside = np.zeros_like(one)
                inside[top : SIDE_CELLS - bottom, left : SIDE_CELLS - right] = True
                one &= inside
    return there


def _lean(eye: Floats, known: NDArray[np.bool_]) -> Floats:
    x, y, height = (float(value) for value in eye)
    return leans((x, y, height), known, (-MILLIMETRES / 2, -MILLIMETRES / 2), 0.0, SCALE)


def _turned(
    seen: Floats, ground: Floats, cells: Bytes, feet: Floats, eye: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats, Bytes, Floats, Floats]:
    """Rotate and mirror the whole batch in one of eight ways."""
    if rng.random() < 0.5:
        seen, ground, cells = seen[:, :, ::-1], ground[:, :, ::-1], cells[:, :, ::-1]
        feet[..., 1] *= -1
        eye[:, 0] *= -1
    for _ in range(int(rng.integers(4))):
        # A quarter turn anticlockwise.
        seen, ground, cells = (np.rot90(array, 1, (1, 2)) for array in (seen, ground, cells))
        feet[..., 1], feet[..., 2] = feet[..., 2].copy(), -feet[..., 1]
        eye[:, 0], eye[:, 1] = eye[:, 1].copy(), -eye[:, 0]
    return seen, ground, cells, feet, eye


def _relit(seen: Floats, ground: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Change the colours, add a lamp from one side after the ground was learnt, and shift the ground a little."""
    count = len(seen)
    colours = rng.permutation(3)
    seen, ground = seen[..., colours], ground[..., colours]
    slip, way = rng.uniform(0, 0.7, (count, 1, 1, 1)).astype(np.float32), rng.choice([-1, 1])
    ground = ground * (1 - slip) + np.roll(ground, way, int(rng.integers(1, 3))) * slip
    ramp = np.linspace(-1, 1, SIDE, dtype=np.float32)
    slopes = rng.uniform(-0.1, 0.1, (2, count, 1, 1, 1)).astype(np.float32)
    light = 1 + slopes[0] * ramp[None, :, None, None] + slopes[1] * ramp[None, None, :, None]
    bright = rng.uniform(0.88, 1.12, (count, 1, 1, 1)).astype(np.float32)
    every = rng.uniform(0.8, 1.35, (count, 1, 1, 1)).astype(np.float32)
    return seen * bright * every, ground * light * every


def _truth(cells: Bytes, feet: Floats) -> tuple[Floats, Floats, Floats]:
    """The peaks over the feet, the weights of their cells (2 for the feet's own cells), and the votes."""
    count = len(cells)
    heat = np.zeros((count, SIDE_CELLS, SIDE_CELLS), np.float32)
    counts = np.ones_like(heat)
    votes = np.zeros((count, 2, SIDE_CELLS, SIDE_CELLS), np.float32)
    middles = np.arange(SIDE_CELLS, dtype=np.float32) + 0.5
    for row in range(count):
        for number, x, y, share in feet[row]:
            if number == 0:
                break
            right, down = ((x + MILLIMETRES / 2) * SCALE / CELL, (y + MILLIMETRES / 2) * SCALE / CELL)
            own = cells[row] == number
            votes[row, 0][own] = (right - middles)[np.nonzero(own)[1]]
            votes[row, 1][own] = (down - middles)[np.nonzero(own)[0]]
            if not (0 <= right < SIDE_CELLS and 0 <= down < SIDE_CELLS):
                continue
            squared = (middles[None, :] - right) ** 2 + (middles[:, None] - down) ** 2
            if share >= SEEN_ENOUGH:
                heat[row] = np.maximum(heat[row], np.exp(-squared / (2 * SPREAD**2)))
                counts[row, int(down), int(right)] = 2.0
            elif share >= SEEN_HARDLY:
                counts[row][squared < 4] = np.minimum(counts[row][squared < 4], 0.0)
    return heat, counts, votes


def loss_of(guess: Tensor, batch: Batch) -> Tensor:
    heat = torch.sigmoid(guess[:, 0]).clamp(1e-4, 1 - 1e-4)
    feet = batch.counts == 2
    found = ((1 - heat) ** 2 * torch.log(heat))[feet].sum()
    apart = (1 - batch.heat) ** 4 * heat**2 * torch.log(1 - heat) * (batch.counts == 1)
    hills = -(found + apart.sum()) / feet.sum().clamp(min=1)
    kinds = functional.cross_entropy(guess[:, 1:4], batch.kinds, torch.tensor(CLASS_WEIGHTS))
    figures = (batch.kinds == 1).unsqueeze(1).expand(-1, 2, -1, -1)
    votes = functional.smooth_l1_loss(guess[:, 4:6][figures], batch.votes[figures]) if figures.any() else 0.0
    return hills + 2 * kinds + votes


def measure(net: Finder, areas: Areas, rows: NDArray[np.int64]) -> str:
    """The shares of feet that are found and falsely found, and the overlap of figures and hands with the truth."""
    net.eval()
    found = missed = made_up = 0
    both, either = np.zeros(3), np.zeros(3)
    with torch.no_grad():
        for part in np.array_split(rows, max(1, len(rows) // 50)):
            batch = areas.some(part, None)
            guess = net(batch.planes, batch.leans)
            heat = torch.sigmoid(guess[:, 0])
            highest = functional.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]
            peaks = (heat == highest) & (heat > 0.4)
            near = functional.max_pool2d(peaks[:, None].float(), 3, 1, 1)[:, 0] > 0
            feet = batch.counts == 2
            found += int((feet & near).sum())
            missed += int((feet & ~near).sum())
            about = functional.max_pool2d((feet | (batch.counts == 0))[:, None].float(), 3, 1, 1)[:, 0] > 0
            made_up += int((peaks & ~about).sum())
            kinds = guess[:, 1:4].argmax(1)
            for kind in (1, 2):
                both[kind] += int(((kinds == kind) & (batch.kinds == kind)).sum())
                either[kind] += int(((kinds == kind) | (batch.kinds == kind)).sum())
    net.train()
    return (
        f"found {found} missed {missed} made up {made_up}, outlines {both[1] / either[1]:.3f} {both[2] / either[2]:.3f}"
    )


def train(areas: Areas, seed: int, steps: int, pace: float, start: Path | None, keep: Path | None) -> Finder:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Finder()
    if start is not None:
        net.load_state_dict(_weights(start, net) if start.suffix == ".onnx" else torch.load(start, weights_only=True))
    order = np.random.default_rng(0).permutation(len(areas.seen))
    held, rest = order[:HELD], order[HELD:]
    if start is not None and start.suffix == ".onnx":
        _settled(net, areas.some(rest[: 2 * BATCH], None))
    learner = torch.optim.AdamW(net.parameters(), lr=pace, weight_decay=1e-3)
    paces = torch.optim.lr_scheduler.OneCycleLR(learner, pace, total_steps=steps, pct_start=0.1)
    began, lately = time.monotonic(), 0.0
    for step in range(steps):
        batch = areas.some(rest[rng.integers(len(rest), size=BATCH)], rng)
        loss = loss_of(net(batch.planes, batch.leans), batch)
        learner.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        learner.step()
        paces.step()
        lately += float(loss.detach()) / 200
        if step % 200 == 199 or step == steps - 1:
            print(step + 1, f"{time.monotonic() - began:.0f}s loss {lately:.4f}", measure(net, areas, held), flush=True)
            lately = 0.0
            if keep is not None:
                torch.save(net.state_dict(), keep)
    return net.eval()


def _weights(written: Path, net: Finder) -> dict[str, Tensor]:
    """The weights of a written network, whose norms are merged into its convolutions."""
    made = {one.name: one for one in onnx.load(str(written)).graph.initializer}
    folded = [torch.from_numpy(onnx.numpy_helper.to_array(one).copy()) for name, one in made.items() if "::" in name]
    kernels, offsets = folded[::2], folded[1::2]
    state = net.state_dict()
    for name, one in made.items():
        if "::" not in name:
            state[name.removeprefix("net.")] = torch.from_numpy(onnx.numpy_helper.to_array(one).copy())
    normed = [name for name, module in net.named_modules() if isinstance(module, torch.nn.BatchNorm2d)]
    for norm, kernel, offset in zip(sorted(normed, key=_depth), kernels, offsets, strict=True):
        step = norm.rpartition(".")[0]
        state[f"{step}.0.weight"], state[f"{norm}.bias"] = kernel, offset
        state[f"{norm}.weight"] = torch.full_like(offset, (1 + 1e-5) ** 0.5)
    return state


def _depth(name: str) -> int:
    """The position of a part in the network's order of computation."""
    return ("fine", "down", "middle", "coarse", "merge").index(name.partition(".")[0])


def _settled(net: Finder, batch: Batch) -> None:
    """Let the norms of a written network measure their input again, without changing its output."""
    norms = [module for module in net.modules() if isinstance(module, torch.nn.BatchNorm2d)]

    def measure_first(norm: torch.nn.Module, seen: tuple[Tensor]) -> None:
        assert isinstance(norm, torch.nn.BatchNorm2d)
        mean, variance = seen[0].mean((0, 2, 3)), seen[0].var((0, 2, 3))
        norm.running_mean, norm.running_var = mean, variance
        norm.weight.data = (variance + norm.eps).sqrt()
        norm.bias.data = norm.bias.data + mean

    hooks = [norm.register_forward_pre_hook(measure_first) for norm in norms]
    with torch.no_grad():
        net.eval()(batch.planes, batch.leans)
    for hook in hooks:
        hook.remove()
    net.train()


class _Reader(torch.nn.Module):
    """The part of the network that the companion uses, with probabilities as output."""

    def __init__(self, net: Finder) -> None:
        super().__init__()
        self.net = net

    def forward(self, seen: Tensor, lean: Tensor) -> Tensor:
        cells = self.net(seen, lean)
        return torch.cat([torch.sigmoid(cells[:, :1]), torch.softmax(cells[:, 1:4], 1), cells[:, 4:]], 1)


def write(net: Finder, path: Path) -> None:
    sizes = {0: "areas", 2: "rows", 3: "columns"}
    torch.onnx.export(
        _Reader(net).eval(),
        (torch.zeros(1, 6, SIDE, SIDE), torch.zeros(1, 3, SIDE_CELLS, SIDE_CELLS)),
        str(path),
        input_names=["planes", "leans"],
        output_names=["cells"],
        dynamic_axes=dict.fromkeys(("planes", "leans", "cells"), sizes),
        opset_version=13,
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("network", type=Path)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--pace", type=float, default=4e-3)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--keep", type=Path, help="where to keep the weights")
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    net = train(Areas(wanted.folder), wanted.seed, wanted.steps, wanted.pace, wanted.start, wanted.keep)
    write(net, wanted.network)


if __name__ == "__main__":
    main()
