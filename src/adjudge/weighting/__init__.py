"""Weightings, one file a scheme; what a weighting is, and what it sees of a collection, stands in ``scheme.py``."""
