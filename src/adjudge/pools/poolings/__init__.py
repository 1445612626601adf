"""Ways to make a pool of runs, one file each."""
