"""How far a test collection can be relied on: other topics, other measures, no judgments."""
