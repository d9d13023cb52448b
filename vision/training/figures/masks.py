"""Train the first network, which masks the figure in a window, and write it as ONNX (needs PyTorch and onnx).

python -m vision.training.figures.masks FOLDER vision/figures/masks.onnx --seed 7 --steps 800
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision.figures.windows import SIDE, planes
from vision.training.figures.nets import Masker

BATCH = 96
HELD = 1600
WEIGHTS = (1.0, 1.5, 1.5)


class Pictures:
    """All rendered windows."""

    def __init__(self, folder: Path) -> None:
        chunks = [np.load(path) for path in sorted(folder.glob("chunk????_*.npz"))]
        self.seen: NDArray[np.uint8] = np.concatenate([chunk["seen"] for chunk in chunks])
        self.ground: NDArray[np.uint8] = np.concatenate([chunk["ground"] for chunk in chunks])
        self.mask: NDArray[np.uint8] = np.concatenate([chunk["mask"] for chunk in chunks])
        self.lean: NDArray[np.float32] = np.concatenate([chunk["lean"] for chunk in chunks])

    def some(self, rows: NDArray[np.int64], rng: np.random.Generator | None) -> tuple[Tensor, Tensor]:
        """Input planes and masks; with a generator randomly mirrored, moved and painted."""
        seen = self.seen[rows].astype(np.float32) / 180
        ground = self.ground[rows].astype(np.float32) / 180
        mask = self.mask[rows]
        if rng is not None:
            if rng.random() < 0.5:
                seen, ground, mask = seen[:, :, ::-1], ground[:, :, ::-1], mask[:, :, ::-1]
            colours = rng.permutation(3)
            seen, ground = seen[..., colours], ground[..., colours]
            seen = seen * rng.uniform(0.92, 1.08, (len(rows), 1, 1, 1)).astype(np.float32)
        made = planes(seen, ground, self.lean[rows])
        return torch.from_numpy(made), torch.from_numpy(mask.astype(np.int64))


def measure(net: Masker, pictures: Pictures, rows: NDArray[np.int64]) -> tuple[float, float]:
    """The overlap with the truth of the masks of figures, and of hands over them."""
    net.eval()
    both, either = np.zeros(3), np.zeros(3)
    with torch.no_grad():
        for part in np.array_split(rows, max(1, len(rows) // 200)):
            seen, mask = pictures.some(part, None)
            guess = net(seen).argmax(1)
            for kind in (1, 2):
                both[kind] += int(((guess == kind) & (mask == kind)).sum())
                either[kind] += int(((guess == kind) | (mask == kind)).sum())
    net.train()
    return both[1] / either[1], both[2] / max(either[2], 1)


def train(pictures: Pictures, seed: int, steps: int) -> Masker:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Masker().to(memory_format=torch.channels_last)
    order = np.random.default_rng(0).permutation(len(pictures.seen))
    held, rest = order[:HELD], order[HELD:]
    learner = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(learner, 6e-3, total_steps=steps, pct_start=0.1)
    weights = torch.tensor(WEIGHTS)
    began = time.monotonic()
    for step in range(steps):
        seen, mask = pictures.some(rest[rng.integers(len(rest), size=BATCH)], rng)
        loss = functional.cross_entropy(net(seen.contiguous(memory_format=torch.channels_last)), mask, weights)
        learner.zero_grad()
        loss.backward()
        learner.step()
        pace.step()
        if step % 100 == 99 or step == steps - 1:
            print(step + 1, f"{time.monotonic() - began:.0f}s loss {float(loss):.4f}", end=" ")
            print("held back", *(f"{share:.3f}" for share in measure(net, pictures, held[:400])), flush=True)
    return net.eval()


class _Reader(torch.nn.Module):
    """The part of the network that the companion uses."""

    def __init__(self, net: Masker) -> None:
        super().__init__()
        self.net = net

    def forward(self, seen: Tensor) -> Tensor:
        return torch.softmax(self.net(seen), 1)


def write(net: Masker, path: Path) -> None:
    torch.onnx.export(
        _Reader(net).eval(),
        (torch.zeros(1, 7, SIDE, SIDE),),
        str(path),
        input_names=["planes"],
        output_names=["mask"],
        dynamic_axes={"planes": {0: "places"}, "mask": {0: "places"}},
        opset_version=13,
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("network", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--threads", type=int, default=1)
    wanted = parser.parse_args()
    torch.set_num_threads(wanted.threads)
    write(train(Pictures(wanted.folder), wanted.seed, wanted.steps), wanted.network)


if __name__ == "__main__":
    main()
