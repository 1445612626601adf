"""One file a test of whether two systems differ, on the values of the same topics."""
