"""Systems of the literature, one file each: topics and documents go in, a run comes out.

A system is a composition of parts that others use too: analyzers and indexes, weightings, feedback, the error channel,
and what is in ``parts``. What a system is stands in ``system.py``.
"""
