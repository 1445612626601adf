"""Measures, one file each: a judged run goes in, one number a topic comes out.

A file carries everything about its measure: formula, parameters, what happens where the definition gives no value, the
paper, trec_eval's name for it, and an example to check by hand. The registry finds the files; nothing else needs to
know of a new one. Files that begin with an underscore hold what several measures share.
"""
