"""Messages, Views, the Game contract, boxes and catalogues. Knows no particular game and no device."""
