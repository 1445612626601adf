"""Experiments: a plan goes in, a folder of runs with their provenance comes out; what is done is not done again."""
