"""The rules of Viscounts of the West Kingdom, one module for each chapter of the rulebook."""
