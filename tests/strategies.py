"""Random judgments and runs with everything that makes evaluation hard: ties, scores that only 32-bit floats confuse,
unjudged documents, negative grades, topics on one side only."""

from __future__ import annotations

from hypothesis import strategies as st

Nested = dict[str, dict[str, float]]

DOCUMENTS = [f"d{i}" for i in range(12)] + ["D", "d", "é", "𝛼", "d1x", "-", "0"]
TOPICS = ["1", "10", "2", "q", "Ω"]
SCORES = [0.0, -0.0, 1.0, 1.0 + 2e-8, 1.0 - 2e-8, 2.5, -3.0, 1e-30, 1e30, 0.1, 0.30000000000000004, 0.3]

scores = st.one_of(st.sampled_from(SCORES), st.floats(-1e6, 1e6, allow_nan=False))
grades = st.sampled_from([-2, -1, 0, 0, 0, 1, 1, 2, 3])


def nested(values: st.SearchStrategy[float], least: int = 1) -> st.SearchStrategy[Nested]:
    ranking = st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=least, max_size=len(DOCUMENTS))
    return st.dictionaries(st.sampled_from(TOPICS), ranking, min_size=1, max_size=len(TOPICS))


qrels = nested(grades)
runs = nested(scores)
