"""How the documentation is made: generated pages, examples that are run, links that are checked, a small website."""
