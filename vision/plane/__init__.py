"""Where the table lies in a picture: plane, lens, and following a camera that moves."""
