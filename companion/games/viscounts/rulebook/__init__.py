"""The rules of Viscounts of the West Kingdom, a module for each chapter of the rulebook."""
