"""The referee: from a State and what the camera saw to what happened. One for all games, pure, without a clock."""

from companion.referee.findings import (
    Explained,
    Finding,
    Illegal,
    Lost,
    Open,
    Settled,
    Spot,
    Step,
    Takeback,
    Try,
    Unfinished,
)
from companion.referee.search import Referee

__all__ = [
    "Explained",
    "Finding",
    "Illegal",
    "Lost",
    "Open",
    "Referee",
    "Settled",
    "Spot",
    "Step",
    "Takeback",
    "Try",
    "Unfinished",
]
