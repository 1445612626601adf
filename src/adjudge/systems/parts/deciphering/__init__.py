"""Reading through the errors of scanned text: which observed strings stand for a word, and how surely."""
