"""What every page on a port shares: the guard, sessions, limits, forms, looks, and the place where a server listens."""
