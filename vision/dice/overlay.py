"""Found dice drawn over their picture, for people to look at."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.dice.finding import Die, Picture


def draw(image: Picture, dice: Iterable[Die]) -> Picture:
    """A copy of the picture with a ring, the value and the colour at every die."""
    seen = np.array(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image[..., :3], np.uint8)
    thick = max(1, round(max(seen.shape[:2]) / 600))
    for die in dice:
        middle = (round(die.x), round(die.y))
        cv2.circle(seen, middle, max(3, round(0.6 * die.size)), (80, 220, 60), thick, cv2.LINE_AA)
        _label(seen, f"{die.value} {die.colour}", (middle[0], round(die.y - 0.7 * die.size)), thick)
    return seen


def _label(image: Picture, text: str, at: tuple[int, int], thick: int) -> None:
    """Text on a dark plate, so that it can be read on any table, moved inside the picture."""
    scale = 0.45 * thick
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    x = int(np.clip(at[0] - width // 2, 0, max(0, image.shape[1] - width)))
    y = int(np.clip(at[1], height + 2, max(height + 2, image.shape[0] - 4)))
    cv2.rectangle(image, (x - 2, y - height - 3), (x + width + 2, y + 4), (30, 30, 30), -1)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), thick, cv2.LINE_AA)
