"""Journals that earlier companions wrote. Every later companion opens them."""
