"""How documents lie in files, one file a layout."""
