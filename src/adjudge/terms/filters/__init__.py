"""Linguistic filters, one file each: which sequences of parts of speech may be a term."""
