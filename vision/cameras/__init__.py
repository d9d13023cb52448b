"""Cameras: where pictures come from. One small protocol, one module for each kind of camera.

Nothing here knows what is on the table; a camera hands out frames, and a watched camera says when it cannot.
"""

from vision.cameras.camera import Camera, CameraError, Frame, Image, Settling
from vision.cameras.open_camera import open_camera, watch_camera
from vision.cameras.watchdog import CameraTrouble, WatchedCamera

__all__ = [
    "Camera",
    "CameraError",
    "CameraTrouble",
    "Frame",
    "Image",
    "Settling",
    "WatchedCamera",
    "open_camera",
    "watch_camera",
]
