"""The networks: one finds figures in an area, one masks the figure in a window, one describes its shape."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.figures.network import DIRECTIONS
from vision.training.figures.solids import KINDS


def _step(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class _Twice(nn.Module):
    """Two steps with a skip connection."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = _step(width, width), _step(width, width)

    def forward(self, seen: Tensor) -> Tensor:
        kept: Tensor = seen + self.second(self.first(seen))
        return kept


class Masker(nn.Module):
    """Windows (n, 7, 64, 64) to masks (n, 3, 32, 32): nothing, the place's figure, something above the table."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = _step(7, 16, 2, 5)
        self.middle = nn.Sequential(_step(16, 32, 2), _Twice(32))
        self.coarse = nn.Sequential(_step(32, 48, 2), _Twice(48), _Twice(48))
        self.lift = nn.Conv2d(48, 32, 1)
        self.merge = _step(32, 16)
        self.lower = _step(32, 12)
        self.mask = nn.Conv2d(12, 3, 1)

    def forward(self, seen: Tensor) -> Tensor:
        fine = self.fine(seen)
        middle = self.middle(fine)
        deep = middle + functional.interpolate(self.lift(self.coarse(middle)), scale_factor=2.0, mode="nearest")
        up = functional.interpolate(self.merge(deep), scale_factor=2.0, mode="nearest")
        mask: Tensor = self.mask(self.lower(torch.cat([up, fine], 1)))
        return mask


class Finder(nn.Module):
    """Areas (n, 6, h, w) and leans (n, 3, h/4, w/4) to cells (n, 6, h/4, w/4).

    The output of a cell: a foot of a figure is in it; it shows nothing, a figure, or something above the table; and the
    offset in cells (right, down) to the foot of its figure. The first four of these six are not yet probabilities.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = _step(6, 16, 2)
        self.down = _step(16, 29, 2)
        self.middle = _Twice(32)
        self.coarse = nn.Sequential(_step(32, 48, 2), _Twice(48), _Twice(48), _Twice(48))
        self.lift = nn.Conv2d(48, 32, 1)
        self.merge = _step(32, 32)
        self.cells = nn.Conv2d(32, 6, 1)
        nn.init.constant_(self.cells.bias[:1], -4.0)  # type: ignore[index]

    def forward(self, seen: Tensor, lean: Tensor) -> Tensor:
        middle = self.middle(torch.cat([self.down(self.fine(seen)), lean], 1))
        deep = middle + functional.interpolate(self.lift(self.coarse(middle)), scale_factor=2.0, mode="nearest")
        cells: Tensor = self.cells(self.merge(deep))
        return cells


class Shaper(nn.Module):
    """Close-ups (n, 7, 48, 48) to shapes (n, 64) and, for training only, sizes (n, 2) and kinds.

    The figure is always in the middle of a close-up, so positions in it may matter.
    """

    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.Sequential(
            _step(7, 16, 2, 5),
            _step(16, 24),
            _step(24, 48, 2),
            _Twice(48),
            _step(48, 72, 2),
            _Twice(72),
            _step(72, 32, 1, 1),
        )
        self.shape = nn.Linear(32 * 36, DIRECTIONS)
        self.sizes = nn.Linear(DIRECTIONS, 2)
        self.kinds = nn.Linear(DIRECTIONS, len(KINDS))

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shapes = self.shape(self.steps(seen).flatten(1))
        return shapes, self.sizes(shapes), self.kinds(shapes)
