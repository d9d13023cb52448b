"""Train the network on rendered pictures and write it as ONNX (needs PyTorch 2.13 and onnx, no project dependencies).

The weights in `vision/dice/finder.onnx` come from these commands, in this order:

    python -m vision.training.dice.scenes FOLDER --seed 20 --chunks 44
    python -m vision.training.dice.train FOLDER 1.onnx --seed 20 --steps 1000 --until 700 --keep 1.pt
    python -m vision.training.dice.train FOLDER 2.onnx --seed 21 --steps 1100 --pace 2e-3 --start 1.pt --keep 2.pt
    python -m vision.training.dice.scenes FOLDER --seed 20 --chunks 50
    python -m vision.training.dice.scenes FOLDER --seed 30 --chunks 12 --busy
    python -m vision.training.dice.train FOLDER finder.onnx --seed 22 --steps 800 --pace 1.5e-3 --start 2.pt

Seeds fix the pictures and their order. New weights will be similar but not equal, because parallel sums round
differently on each machine, and the first run was made before `cut` showed dice from much too near.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

STRIDE = 4
UNIT = 28.0


def _conv(before: int, after: int, stride: int = 1, width: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, width, stride, width // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class Block(nn.Module):
    """Two convolutions with a skip connection."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        self.active = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """Add the output of the convolutions to the input."""
        seen: Tensor = self.active(x + self.second(self.first(x)))
        return seen


class Finder(nn.Module):
    """Scales down to a sixteenth for the whole die, and back up to a quarter for its place."""

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_conv(3, 16, 2), _conv(16, 32, 2), Block(32))
        self.eighth = nn.Sequential(_conv(32, 64, 2), Block(64), Block(64), Block(64))
        self.sixteenth = nn.Sequential(_conv(64, 96, 2), Block(96), Block(96), Block(96))
        self.up_eighth = nn.Sequential(_conv(96, 64, width=1), nn.Upsample(scale_factor=2, mode="nearest"))
        self.at_eighth = _conv(64, 64)
        self.up_quarter = nn.Sequential(_conv(64, 32, width=1), nn.Upsample(scale_factor=2, mode="nearest"))
        self.at_quarter = nn.Sequential(_conv(32, 48), _conv(48, 48))
        self.answer = nn.Conv2d(48, 8, 1)
        # Most places hold no die, so begin with a bias for that.
        bias = torch.zeros(8)
        bias[0] = -4.0
        self.answer.bias = nn.Parameter(bias)

    def forward(self, x: Tensor) -> Tensor:
        """Convert pictures (RGB, 0..1) to answers."""
        quarter = self.quarter(x - 0.45)
        eighth = self.eighth(quarter)
        eighth = self.at_eighth(eighth + self.up_eighth(self.sixteenth(eighth)))
        answer: Tensor = self.answer(self.at_quarter(quarter + self.up_quarter(eighth)))
        return answer


SIDE = 128
LOG_EVERY = 50
SMALLEST, LARGEST, TOO_LARGE = 14.0, 46.0, 64.0
"""Dice outside this range of edges are left to another scale of the picture: ignored, or (too large) no dice."""
WHOLE, HALF = 0.75, 0.35
"""Visible shares of the upper face: above the first a die must be found, below the second it may be missed."""


def load(folder: Path) -> tuple[npt.NDArray[np.uint8], list[npt.NDArray[np.float32]]]:
    """All pictures in the folder and the dice of each."""
    images, dice = [], []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as chunk:
            images.append(chunk["images"])
            dice += [chunk["dice"][chunk["dice"][:, 0] == index, 1:] for index in range(len(images[-1]))]
    return np.concatenate(images), dice


def targets(dice: npt.NDArray[np.float32], side: int) -> tuple[npt.NDArray[Any], ...]:
    """For each cell: likelihood of a centre, weight of that, value (or -1), logarithm of the size."""
    cells = side // STRIDE
    y, x = np.mgrid[0:cells, 0:cells].astype(np.float32)
    heat, weight = np.zeros((cells, cells), np.float32), np.ones((cells, cells), np.float32)
    value, size = np.full((cells, cells), -1, np.int64), np.zeros((cells, cells), np.float32)
    for number, dx, dy, edge, seen in dice:
        cx, cy = dx / STRIDE - 0.5, dy / STRIDE - 0.5
        far = np.hypot(x - cx, y - cy)
        good = SMALLEST <= edge <= LARGEST and seen >= WHOLE
        if not good:
            if edge < TOO_LARGE and seen > HALF * 0.5:
                weight[far < max(1.0, 0.5 * edge / STRIDE)] = 0
            continue
        spread = max(0.75, 0.1 * edge / STRIDE)
        bump = np.exp(-(far**2) / (2 * spread**2))
        nearest = np.unravel_index(int(far.argmin()), far.shape)
        bump[nearest] = 1
        heat = np.maximum(heat, bump)
        near = far <= max(0.8, 0.22 * edge / STRIDE)
        near[nearest] = True
        value[near], size[near] = int(number) - 1, math.log(edge / UNIT)
    return heat, weight, value, size


def loss_of(answer: Tensor, heat: Tensor, weight: Tensor, value: Tensor, size: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The loss of places, values and sizes."""
    logit = answer[:, 0].float()
    sure = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    peak = heat.eq(1).float()
    found = -torch.log(sure) * (1 - sure) ** 2 * peak
    empty = -torch.log(1 - sure) * sure**2 * (1 - heat) ** 4 * (1 - peak) * weight
    count = peak.sum().clamp(min=1)
    place = (found.sum() + empty.sum()) / count
    known = value >= 0
    logits = answer[:, 1:7].permute(0, 2, 3, 1)[known]
    worth = functional.cross_entropy(logits, value[known], label_smoothing=0.02) if len(logits) else place * 0
    extent = (answer[:, 7][known] - size[known]).abs().mean() if len(logits) else place * 0
    return place, worth, extent


def cut(
    rng: np.random.Generator, image: npt.NDArray[Any], truth: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32]]:
    """A part of a picture, `SIDE` pixels square, resized so that its dice have any edge the net should read."""
    truth = truth.copy()
    scale = SIDE / image.shape[0]
    if not len(truth):
        scale = rng.uniform(scale, 1.25)
    if len(truth):
        aim = math.exp(rng.uniform(math.log(SMALLEST), math.log(LARGEST * 1.1)))
        # The pips of a die seen from much too near must not be read as small dice.
        if rng.random() < 0.12:
            aim = rng.uniform(TOO_LARGE, 170)
        scale = float(np.clip(aim / np.median(truth[:, 3]), scale, 2.5))
    side = max(SIDE, round(image.shape[0] * scale))
    scale = side / image.shape[0]
    image = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    truth[:, 1:4] *= scale
    room = side - SIDE
    if len(truth) and rng.random() < 0.8:
        about = truth[rng.integers(len(truth)), 1:3] - SIDE * rng.uniform(0.15, 0.85, 2)
        left, top = (int(v) for v in about.clip(0, room))
    else:
        left, top = (int(v) for v in rng.integers(0, room + 1, 2))
    truth[:, 1] -= left
    truth[:, 2] -= top
    inside = np.minimum(truth[:, 1:3], SIDE - truth[:, 1:3]).min(1) / np.maximum(truth[:, 3], 1)
    truth[:, 4] = np.where(inside > 0.42, truth[:, 4], np.minimum(truth[:, 4], HALF))
    return image[top : top + SIDE, left : left + SIDE], truth[inside > -0.5]


def batch_of(
    rng: np.random.Generator, images: npt.NDArray[np.uint8], dice: list[npt.NDArray[np.float32]], pick: list[int]
) -> tuple[Tensor, ...]:
    """Parts of some pictures, half of them mirrored, with light and colours changed a little."""
    pictures, rest = [], []
    for index in pick:
        image, truth = cut(rng, images[index], dice[index])
        if rng.random() < 0.5:
            image = image[:, ::-1]
            truth[:, 1] = SIDE - truth[:, 1]
        image = image[..., rng.permutation(3)] if rng.random() < 0.15 else image[..., ::-1]
        light = np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * np.float32(np.exp(rng.normal(0, 0.15)))
        pictures.append((image / np.float32(255) * light).clip(0, 1))
        rest.append(targets(truth, SIDE))
    stacked = [torch.from_numpy(np.stack(part)) for part in zip(*rest, strict=True)]
    picture = torch.from_numpy(np.stack(pictures).astype(np.float32)).permute(0, 3, 1, 2)
    return picture.contiguous(memory_format=torch.channels_last), *stacked


def train(
    folder: Path, seed: int, steps: int, batch: int, start: Path | None, keep: Path, pace: float, until: int
) -> Finder:
    """Run the training."""
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 2])
    images, dice = load(folder)
    net = Finder()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    if start is not None:
        net.load_state_dict(torch.load(start))
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, pace, total_steps=steps, pct_start=0.1)
    order: list[int] = []
    sums, begun = np.zeros(3), time.time()
    for step in range(1, steps + 1):
        if len(order) < batch:
            order = list(map(int, rng.permutation(len(images))))
        pick, order = order[:batch], order[batch:]
        picture, *truth = batch_of(rng, images, dice, pick)
        place, worth, extent = loss_of(net(picture), *truth)
        optimiser.zero_grad()
        (place + 1.5 * worth + extent).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        sums += [place.item(), worth.item(), extent.item()]
        if step % LOG_EVERY == 0 or step == until:
            print(step, (sums / LOG_EVERY).round(3), f"{(time.time() - begun) / step:.2f} s/step", flush=True)
            sums[:] = 0
            torch.save(net.state_dict(), keep)
        if step == until:
            break
    return net


def main() -> None:
    """Read the command line, train, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--until", type=int, default=0, help="stop early, after this many steps")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="go on from a state saved by an earlier run")
    parser.add_argument("--pace", type=float, default=3e-3, help="the highest learning rate")
    parser.add_argument("--keep", type=Path, default=Path("finder.pt"), help="where to save the state while learning")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    net = train(
        options.folder,
        options.seed,
        options.steps,
        options.batch,
        options.start,
        options.keep,
        options.pace,
        options.until,
    )
    export(net.eval(), options.onnx)


def export(net: Finder, path: Path) -> None:
    """Write the network as ONNX, for pictures of any size."""
    net.to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    example = torch.zeros(1, 3, 256, 256)
    torch.onnx.export(net, (example,), str(path), input_names=["picture"], output_names=["answer"],
                      dynamic_axes={"picture": {2: "h", 3: "w"}, "answer": {2: "h", 3: "w"}}, dynamo=False)  # fmt: skip


if __name__ == "__main__":
    main()
