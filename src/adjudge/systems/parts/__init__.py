"""What systems are put together from; every part that two of them share is here once."""
