"""Orders in which a pool is judged, one file each."""
