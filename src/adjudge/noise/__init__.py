"""Noise in texts: page images read by optical character recognition, and the error channel learned from that."""
