"""Strictly monotone transformations of a scale, one file each."""
