"""A scanned page as a browser shows it: its image, or its words where they stand, and places that are marked on it."""
