"""Engines of optical character recognition, one file each; what an engine is stands in ``engine.py``."""
