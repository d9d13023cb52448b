"""The rules of Tiletum, a module for each chapter of the rulebook."""
