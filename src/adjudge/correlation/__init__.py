"""Rank correlation."""
