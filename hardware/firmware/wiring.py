"""The Pico's pins. Change this file to match your table; a list may be shorter.

Numbers are GP numbers, not physical pin numbers.
"""

RING = 22
BUTTONS = (2, 3, 4, 5, 6, 7)
LIGHTS = (18, 19)
BUZZER = 15
DISC: tuple[int, ...] = (16, 17)  # the two sensors, or A and B of the encoder; () if the table has none

# 0: two sensors under a disc of four sectors. Otherwise the steps of a rotary encoder in one turn, four for each pulse:
# 80 for an encoder with 20 pulses.
ENCODER_STEPS = 0
