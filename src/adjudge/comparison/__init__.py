"""What scores say about systems, and how far that can be trusted."""
