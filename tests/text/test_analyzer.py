"""Analyzers as spec strings."""

from __future__ import annotations

import doctest
import pickle

import pytest

import adjudge.text.analyzer
from adjudge.core.errors import SpecError
from adjudge.text.analyzer import Analyzer
from adjudge.text.tokenizer import tokenizers

SPECS = {
    "words|lower|stop(smart)|porter": None,
    "standard|lower": None,
    "standard(dashes=true)|lower": None,
    "standard(dashes=true, longest=64)": None,
    "ngrams(4, pad=_)": "ngrams(4)",
    "ngrams(n=3, pad=blank, squeeze=false)|lower": "ngrams(3, pad=blank, squeeze=false)|lower",
    "words|lower|stop|ngrams(4, pad=_)": "words|lower|stop(smart)|ngrams(4)",
    "words|ngrams(5, pad=none, cross=true)": "words|ngrams(5, pad=None, cross=true)",
    " words | lower|snowball ": "words|lower|snowball(english)",
    'words|fold|lower|ocr(["l/1/i/|", o/0])|length(min=2, max=30)': None,
}


@pytest.mark.parametrize(("spec", "written"), SPECS.items())
def test_specs_round_trip(spec: str, written: str | None) -> None:
    analyzer = Analyzer.parse(spec)
    assert str(analyzer) == (written or spec)
    assert Analyzer.parse(str(analyzer)) == analyzer
    assert hash(Analyzer.parse(str(analyzer))) == hash(analyzer)
    analyzer(["Some text 0f it"])
    assert pickle.loads(pickle.dumps(analyzer)) == analyzer  # noqa: S301 - made a line above


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "analyzer '', at character 1: a name expected, and here it ends"),
        ("words||lower", "analyzer 'words||lower', at character 7: a name expected, not '|'"),
        ("wrds|lower", "no tokenizer 'wrds', did you mean words?"),
        ("words|lowr", "no filter 'lowr', did you mean lower?"),
        (
            "lower|porter",
            "analyzer 'lower|porter': lower is a filter and comes after a tokenizer;"
            f" tokenizers are {', '.join(tokenizers.names)}",
        ),
        ("words|standard", "analyzer 'words|standard': standard is a tokenizer and stands first"),
        ("words|stop(smart", "analyzer 'words|stop(smart', at character 17: , or ) expected, and here it ends"),
    ],
)
def test_errors(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as error:
        Analyzer.parse(spec)
    assert str(error.value) == message


def test_batches_do_not_matter() -> None:
    texts = ["The red Balloon", "", "red, red café", "o'reilly's", "the café"]
    for spec in SPECS:
        analyzer = Analyzer.parse(spec)
        tokens = analyzer(texts)
        assert [tokens.of(i) for i in range(len(texts))] == [analyzer.terms(text) for text in texts]


def test_the_docstring() -> None:
    assert doctest.testmod(adjudge.text.analyzer).failed == 0
