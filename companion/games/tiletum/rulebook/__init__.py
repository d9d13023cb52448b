"""The rules of Tiletum, one module for each chapter of the rulebook."""
