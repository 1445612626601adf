"""Averages over topics, one file each."""
