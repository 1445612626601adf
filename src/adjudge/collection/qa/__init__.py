"""A test collection from a Q&A site: threads of a dump become topics, cited documents their judgments."""
