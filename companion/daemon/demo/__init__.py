"""The demo: a whole table without hardware. People of `companion.simulation` sit around it and play in real time.

Nothing of the companion itself is a stand-in: the same table, journal, raid timer and eyes run as at a real one. Only
the pins are pretended (`fingers` press their buttons), and the camera's pictures are rendered (`pictured`).
"""
