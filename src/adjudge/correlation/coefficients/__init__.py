"""One file a coefficient of rank correlation."""
