"""Printed faces of pieces that lie flat: how they look, and how they are told apart."""
