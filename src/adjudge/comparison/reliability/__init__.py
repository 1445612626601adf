"""Reliability of a test collection: other topics, other measures, no judgments."""
