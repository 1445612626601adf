"""`adjudge pool serve`: people judge the documents of a pool in a browser."""
