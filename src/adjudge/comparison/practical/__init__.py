"""One file a way to ask whether a difference matters: better, practically equivalent, or worse."""
