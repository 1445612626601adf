"""Evaluating runs: from judgments and rankings to values."""
