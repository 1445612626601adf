"""Making a test collection: documents, topics and judgments from what is at hand."""
