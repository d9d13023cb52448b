"""The eyes of the table: cameras, the table plane, zones, readers, the taught kit, stillness.

This room is still empty. It will turn pictures into readings and nothing more: no rule of any game,
no pin, no web page lives here. It may import numpy, OpenCV and, of the companion, only
`companion.messages`.
"""
