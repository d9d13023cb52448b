"""Nine Beds: a tiny game that exists only for tests. It shows what a game needs, and that nothing depends on it.

A bed is planted with a seedling of one's own, beside another of one's own; the middle one costs a second seedling,
which goes to the compost. A seedling is worth one point, and one more for each of one's own beside it. The die says how
many points end the game.
"""

from .game import GAME, BedsBox, NineBeds, Pass, Plant, Roll, State

__all__ = ["GAME", "BedsBox", "NineBeds", "Pass", "Plant", "Roll", "State"]
