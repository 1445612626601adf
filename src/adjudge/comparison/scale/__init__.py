"""How conclusions depend on the scale of a measure."""
