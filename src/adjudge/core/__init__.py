"""The values that are handed from room to room, the error tree, the registry, progress."""
