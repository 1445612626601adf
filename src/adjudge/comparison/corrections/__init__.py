"""One file a correction for many comparisons."""
