"""What everything else stands on: messages, Views, the Game contract, boxes, catalogues. No game, no device."""
