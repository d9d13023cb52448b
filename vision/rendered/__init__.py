"""The rendered table: any View, drawn with a layout and stand-in artwork of our own into a camera picture.

    camera = any_camera(rng, layout)
    scene = scene_of(layout, view, rng)
    image = picture(layout, scene, camera, "warm", rng)

The scene is the truth of the picture; `camera.plane(layout.area)` is the true plane.
"""

from .camera import FULL_HD, Camera, any_camera, picture
from .hands import Hand, hands_mask
from .light import LIGHTS, Light
from .scene import NEEDLE, TABLE_TOPS, Piece, Scene, TableTop, scene_of

__all__ = [
    "FULL_HD",
    "LIGHTS",
    "NEEDLE",
    "TABLE_TOPS",
    "Camera",
    "Hand",
    "Light",
    "Piece",
    "Scene",
    "TableTop",
    "any_camera",
    "hands_mask",
    "picture",
    "scene_of",
]
