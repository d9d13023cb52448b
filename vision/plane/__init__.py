"""Where the table is in a picture: the plane, the lens, and tracking a camera that moves."""
