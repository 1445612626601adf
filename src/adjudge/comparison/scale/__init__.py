"""Sensitivity of conclusions to the scale of a measure."""
