"""The net that finds dice (needs PyTorch): small, fully convolutional, made of what `cv2.dnn` runs well.

For every 4 x 4 pixels it answers with eight numbers: how likely the middle of an upper face is there (a logit), six
logits for its value, and the logarithm of the die's edge in units of `UNIT` pixels.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

STRIDE = 4
UNIT = 28.0


def _conv(before: int, after: int, stride: int = 1, width: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, width, stride, width // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        self.active = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """Add what the convolutions see to what came in."""
        seen: Tensor = self.active(x + self.second(self.first(x)))
        return seen


class Finder(nn.Module):
    """Down to a sixteenth for the whole die, back up to a quarter for its place."""

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
        # Most places hold no die: to begin with that belief spares the net learning it.
        bias = torch.zeros(8)
        bias[0] = -4.0
        self.answer.bias = nn.Parameter(bias)

    def forward(self, x: Tensor) -> Tensor:
        """Pictures (RGB, 0..1) to answers."""
        quarter = self.quarter(x - 0.45)
        eighth = self.eighth(quarter)
        eighth = self.at_eighth(eighth + self.up_eighth(self.sixteenth(eighth)))
        answer: Tensor = self.answer(self.at_quarter(quarter + self.up_quarter(eighth)))
        return answer
