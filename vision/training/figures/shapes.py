"""Train the second network, which distinguishes shapes in close-ups, and write it as ONNX (needs PyTorch and onnx).

    python -m vision.training.figures.shapes FOLDER vision/figures/shapes.onnx --seed 7 --steps 1500

The package's docstring has the commands for the network in use. Each step is a small copy of the real task: on one
rig, a few pictures of every figure are examples, and the others have to be named.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision.figures.closeups import SIDE, close_up, extent, planes
from vision.figures.windows import WINDOW_MM
from vision.training.figures.nets import Shaper
from vision.training.figures.pictures import EACH, EPISODES, SHAPES, TIMES

Floats = NDArray[np.float32]

FAMILY = 4
"""Number of figures, of similar size, to distinguish in each step."""
SHOWN = 6
SHARPNESS = 12.0
"""The weight of a similarity (a cosine)."""


class Pictures:
    """All rendered figures, without the empty and the covered places."""

    def __init__(self, folder: Path, rough: bool = False, alike: bool = False) -> None:
        every = np.arange(EPISODES * EACH).reshape(-1, EACH)[:, : SHAPES * TIMES].ravel()
        chunks = [(np.load(path), every) for path in sorted(folder.glob("chunk????_*.npz"))]
        self.usual = len(chunks) * EPISODES
        """Number of rigs with any figures; the rigs after them have figures that are hard to distinguish."""
        if alike:
            chunks += [(np.load(path), np.arange(len(every))) for path in sorted(folder.glob("alike????_*.npz"))]
        self.seen: NDArray[np.uint8] = np.concatenate([chunk["seen"][shown] for chunk, shown in chunks])
        self.ground: NDArray[np.uint8] = np.concatenate([chunk["ground"][shown] for chunk, shown in chunks])
        self.rough = rough
        self.masks = masks = np.concatenate([chunk["mask"][shown] for chunk, shown in chunks])
        self.lean: NDArray[np.float32] = np.concatenate([chunk["lean"][shown] for chunk, shown in chunks])
        self.sizes: NDArray[np.float32] = np.concatenate([chunk["sizes"][shown] for chunk, shown in chunks])
        self.kinds: NDArray[np.int64] = np.concatenate([chunk["kinds"][shown] for chunk, shown in chunks])
        self.rigs = len(self.seen) // (SHAPES * TIMES)
        found = [extent((mask == 1).astype(np.float32)) for mask in masks]
        self.centres = np.array([(x, y) for x, y, _ in found], np.float32)
        self.extents = np.array([size for _, _, size in found], np.float32).reshape(self.rigs, SHAPES, TIMES)

    def rig(self, number: int, rng: np.random.Generator, schooling: bool = True) -> tuple[Tensor, Tensor, Tensor]:
        """Close-ups of some figures of similar size (FAMILY * SHOWN), their sizes and kinds."""
        large = np.median(self.extents[number], axis=1)
        family = self._alike(number, rng) if number >= self.usual else _near(large, rng)
        rows = np.concatenate([(number * SHAPES + which) * TIMES + rng.permutation(TIMES)[:SHOWN] for which in family])
        reach = float(large[family].max()) * 1.3 * rng.uniform(0.9, 1.2)
        side = float(np.clip(reach, 20.0, 1.1 * WINDOW_MM))
        seen, ground = [], []
        mirrored = schooling and rng.random() < 0.5
        for row in rows:
            off = rng.normal(0, 1.0 if rng.random() < 0.7 else 3.0, 2) * (0.7 if number >= self.usual else 1.0)
            at = (float(self.centres[row, 0] + off[0]), float(self.centres[row, 1] + off[1]))
            both = [close_up(picture[row].astype(np.float32) / 180, at, side) for picture in (self.seen, self.ground)]
            if schooling and self.rough:
                own = cv2.resize((self.masks[row] == 1).astype(np.float32), self.seen.shape[1:3])
                both = _roughened(both[0], both[1], close_up(own, at, side), rng)
            if schooling:
                colours = rng.permutation(3)
                gain = rng.uniform(0.92, 1.08)
                both = [np.ascontiguousarray(part[:, ::-1] if mirrored else part)[..., colours] * gain for part in both]
            seen.append(both[0])
            ground.append(both[1])
        made = planes(np.stack(seen).astype(np.float32), np.stack(ground).astype(np.float32), self.lean[rows])
        return torch.from_numpy(made), torch.from_numpy(self.sizes[rows]), torch.from_numpy(self.kinds[rows])

    def _alike(self, number: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """The house, the box, and two more of a family, of other kinds if there are any."""
        kinds = self.kinds.reshape(self.rigs, SHAPES, TIMES)[number, :, 0]
        others = 2 + rng.permutation(SHAPES - 2)
        last = sorted(others, key=lambda which: bool(kinds[which] in kinds[:2]))
        return np.array([0, 1, *last[: FAMILY - 2]])


def _near(large: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Figures of similar size."""
    start = int(rng.integers(SHAPES - FAMILY + 1))
    return np.argsort(large)[start : start + FAMILY]


def _roughened(seen: Floats, ground: Floats, own: Floats, rng: np.random.Generator) -> list[Floats]:
    """Add the effects of real wood and cameras: grain, other gloss and gamma, blur or sharpening, more noise."""
    grain = cv2.GaussianBlur(rng.normal(0, 1, own.shape).astype(np.float32), (0, 0), rng.uniform(0.7, 2.0))
    grain *= rng.uniform(0, 0.15) / (float(grain.std()) + 1e-6)
    sunk = 1 + own * (rng.uniform(0.75, 1.25) - 1) + own * grain
    # Light that becomes weaker across the figure, from any side.
    across = np.linspace(-1, 1, own.shape[1], dtype=np.float32)
    down = across[:, None]
    around = rng.uniform(0, 2 * np.pi)
    fall = 1 + rng.uniform(0, 0.25) * (float(np.cos(around)) * across + float(np.sin(around)) * down)
    gamma = rng.uniform(0.8, 1.25)
    made = cv2.pow(np.maximum(seen * (sunk * fall)[..., None], 0), gamma)
    soft = cv2.GaussianBlur(made, (0, 0), 1.2)
    made = made + (made - soft) * rng.uniform(-0.7, 0.9)
    made += cv2.GaussianBlur(rng.normal(0, rng.uniform(0, 0.04), made.shape).astype(np.float32), (0, 0), 0.8)
    return [made, cv2.pow(ground, gamma)]


def told(shapes: Tensor, taught: int) -> Tensor:
    """Similarity of the close-ups that are no examples to each figure's mean."""
    known = functional.normalize(shapes, dim=1).reshape(FAMILY, SHOWN, -1)
    means = functional.normalize(known[:, :taught].mean(1), dim=1)
    return known[:, taught:].reshape(-1, known.shape[-1]) @ means.T


def fits(shapes: Tensor, taught: int, sharpness: Tensor) -> Tensor:
    """How well the close-ups that are no examples fit each figure, computed as the reader does (`words`)."""
    known = functional.normalize(shapes, dim=1).reshape(FAMILY, SHOWN, -1)
    means = known[:, :taught].mean(1)
    seen = known[:, taught:].reshape(-1, known.shape[-1])
    return -((seen[:, None] - means[None]) ** 2).sum(2) * sharpness / (1 + 1 / taught)


def measure(net: Shaper, pictures: Pictures, rigs: range) -> tuple[float, float]:
    """Share of figures that are named rightly from four examples and from one."""
    net.eval()
    rng = np.random.default_rng(1)
    right = {4: [0, 0], 1: [0, 0]}
    with torch.no_grad():
        for number in rigs:
            shapes, _, _ = net(pictures.rig(number, rng, schooling=False)[0])
            for taught, count in right.items():
                wanted = torch.arange(FAMILY).repeat_interleave(SHOWN - taught)
                count[0] += int((told(shapes, taught).argmax(1) == wanted).sum())
                count[1] += len(wanted)
    net.train()
    return right[4][0] / right[4][1], right[1][0] / right[1][1]


def _mean(weights: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of networks that were trained one from another: more stable than each of them."""
    return {
        name: (torch.stack([each[name].double() for each in weights]).mean(0)).to(first.dtype)
        for name, first in weights[0].items()
    }


def train(
    pictures: Pictures, seed: int, steps: int, start: Sequence[Path] = (), pace_top: float = 4e-3, rigs_each: int = 6
) -> Shaper:
    """Train the network. If there are figures that are hard to distinguish, two thirds of the steps use them, with a
    stricter loss: that of the reader's own probabilities, at the sharpness that fits best."""
    torch.manual_seed(seed)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    net = Shaper().to(memory_format=torch.channels_last)
    if start:
        net.load_state_dict(_mean([torch.load(path) for path in start]))
    if not steps:
        return net.eval()
    held = range(pictures.rigs - 30, pictures.rigs)
    hard = pictures.rigs > pictures.usual
    sharpness = torch.nn.Parameter(torch.tensor(math.log(SHARPNESS)))
    learner = torch.optim.AdamW([*net.parameters(), sharpness], lr=2e-3, weight_decay=1e-2)
    pace = torch.optim.lr_scheduler.OneCycleLR(learner, pace_top, total_steps=steps, pct_start=0.1)
    began = time.monotonic()
    recent: list[float] = []
    for step in range(steps):
        lowest = [pictures.usual if hard and game % 3 else 0 for game in range(rigs_each)]
        drawn = [pictures.rig(int(rng.integers(low, held.start)), rng) for low in lowest]
        seen = torch.cat([close for close, _, _ in drawn]).contiguous(memory_format=torch.channels_last)
        shapes, sizes, kinds = net(seen)
        loss = functional.smooth_l1_loss(sizes, torch.cat([truth for _, truth, _ in drawn]), beta=0.1)
        loss = loss + 0.5 * functional.cross_entropy(kinds, torch.cat([truth for _, _, truth in drawn]))
        for part in shapes.split(FAMILY * SHOWN):
            taught = int(rng.integers(1, SHOWN))
            wanted = torch.arange(FAMILY).repeat_interleave(SHOWN - taught)
            scores = fits(part, taught, sharpness.exp()) if hard else told(part, taught) * SHARPNESS
            loss = loss + functional.cross_entropy(scores, wanted) / rigs_each
            recent.append(float((scores.argmax(1) == wanted).float().mean()))
        learner.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        learner.step()
        pace.step()
        if step % 100 == 99 or step == steps - 1:
            print(step + 1, f"{time.monotonic() - began:.0f}s told {np.mean(recent[-600:]):.3f}", end=" ")
            print(f"sharpness {float(sharpness.detach().exp()):.1f}", end=" ")
            print("held back", *(f"{share:.3f}" for share in measure(net, pictures, held)), flush=True)
    return net.eval()


class _Reader(torch.nn.Module):
    """The part of the network that the companion uses."""

    def __init__(self, net: Shaper) -> None:
        super().__init__()
        self.net = net

    def forward(self, seen: Tensor) -> Tensor:
        shapes: Tensor = self.net(seen)[0]
        return shapes


def write(net: Shaper, path: Path) -> None:
    torch.onnx.export(
        _Reader(net).eval(),
        (torch.zeros(1, 7, SIDE, SIDE),),
        str(path),
        input_names=["close"],
        output_names=["shapes"],
        dynamic_axes={"close": {0: "figures"}, "shapes": {0: "figures"}},
        opset_version=13,
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("network", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--rough", action="store_true", help="with the grain of wood and the faults of cameras")
    parser.add_argument("--alike", action="store_true", help="also, and more strictly, with figures hard to tell")
    parser.add_argument("--start", type=Path, nargs="+", default=[], help="weights to go on from: the mean of several")
    parser.add_argument("--keep", type=Path, help="where to keep the weights, to go on from them")
    parser.add_argument("--pace", type=float, default=4e-3, help="the highest learning rate")
    parser.add_argument("--threads", type=int, default=1)
    wanted = parser.parse_args()
    torch.set_num_threads(wanted.threads)
    pictures = Pictures(wanted.folder, wanted.rough, wanted.alike)
    net = train(pictures, wanted.seed, wanted.steps, wanted.start, wanted.pace)
    if wanted.keep:
        torch.save(net.state_dict(), wanted.keep)
    write(net, wanted.network)


if __name__ == "__main__":
    main()
