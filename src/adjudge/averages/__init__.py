"""Averages over topics, one file each; transformations of the scale and treatments of zeros in their own folders."""
