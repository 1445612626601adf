"""Query performance predictors, one file each."""
