"""Which pin of the Pico carries what. Change this file to match your table; a short list is fine.

Numbers are GP numbers, not places in the row of pins.
"""

RING = 22
BUTTONS = (2, 3, 4, 5, 6, 7)
LIGHTS = (18, 19)
BUZZER = 15
DISC: tuple[int, ...] = (16, 17)  # the two sensors, or A and B of the encoder; () if the table has none

# 0: two sensors under a disc of four sectors. Else the steps of a rotary encoder in one turn, four a pulse:
# 80 for one that says 20 pulses.
ENCODER_STEPS = 0
