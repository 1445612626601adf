"""Pools: which documents of which topics are to be judged, and in which order."""
