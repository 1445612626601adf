"""Known-item search: ranks of the items, what they are worth, operating characteristics, dominance."""

from .ranks import KnownItem, known_item

__all__ = ["KnownItem", "known_item"]
