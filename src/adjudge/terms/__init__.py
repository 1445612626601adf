"""Technical terms: found in a corpus by C-value, and given a weight of their own in texts and queries.

documents ─ tagged (tagged_corpus.py) ─ filtered, counted (candidates.py) ─ C-value, NC-value ─▶ Terms (extraction.py)
Terms ─ found in texts (matching.py) ─ re-attributed (attribution.py) ─▶ documents and queries with boosted terms
"""
