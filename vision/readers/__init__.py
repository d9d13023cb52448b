"""Readers, one a kind of zone: each gives contents with confidence, or says that it could not see."""
