"""A search page for an index: questions, results, pages with the scan beside them, for people and for programs."""
