"""Filters, one file each."""
