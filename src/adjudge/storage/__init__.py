"""Keeping things on disk: locks, files and folders that appear whole or not at all, digests, manifests."""
