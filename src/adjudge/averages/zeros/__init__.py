"""What is done with zeros before a logarithm, one file each."""
