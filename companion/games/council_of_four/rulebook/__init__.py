"""The rules of The Council of Four, a module for each chapter of the rulebook."""
