"""Comparison of systems by their scores, and of how far that can be trusted."""
