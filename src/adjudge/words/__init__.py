"""Sentences, made from facts alone: nothing in the program reads them back."""
