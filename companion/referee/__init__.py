"""The referee: finds out what happened from a State and a View. It works for all games, without state and clock."""

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
