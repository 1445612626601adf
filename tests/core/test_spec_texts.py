"""Texts in specs that look like numbers."""

from __future__ import annotations

import pytest

from adjudge.core.errors import SpecError
from adjudge.core.measure import measures
from adjudge.systems.system import systems


def test_a_text_that_looks_like_a_number_has_quotes() -> None:
    system = systems.parse('technical_terms(terms="5")')
    assert str(system) == 'technical_terms(terms="5")'
    assert systems.parse(str(system)) == system
    with pytest.raises(SpecError, match='terms must be a text, not 5: write terms="5" if it is one'):
        systems.parse("technical_terms(terms=5)")


@pytest.mark.parametrize("value", ["[1, 2]", "none"])
def test_what_is_no_text_is_refused(value: str) -> None:
    with pytest.raises(SpecError, match="terms must be a text, not "):
        systems.parse(f"technical_terms(terms={value})")


@pytest.mark.parametrize("spec", ["bm25(analyzer=5)", "lucene(analyzer=1.5)", "technical_terms(analyzer=5)"])
def test_an_analyzer_that_is_a_number(spec: str) -> None:
    with pytest.raises(SpecError, match=r"analyzer must be a text|no tokenizer"):
        systems.parse(spec)


def test_no_cutoff_where_one_is_usual_is_written() -> None:
    everything = measures.parse("relstring@none")
    assert str(everything) == "relstring@none"
    assert measures.parse(str(everything)) == everything
    assert everything != measures.parse("relstring")
