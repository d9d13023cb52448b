"""Cameras: a small protocol, and one module for each kind of camera.

A camera returns frames, and a watched camera reports when it cannot. Nothing here knows what is on the table.
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
