"""An index of documents: postings and statistics on disk, scoring, feedback."""
