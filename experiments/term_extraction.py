"""How many of the best terms are terms? PlanetMath's articles say themselves what they define.

    python experiments/term_extraction.py
    python experiments/term_extraction.py --tagger lexicon --tagger gruut --filter noun --filter open
    python experiments/term_extraction.py --pyate PYTHON      # of an environment in which pyate is installed

A term is right if some article defines it or has it as a synonym (mathematics.py), compared by classes: lower case,
the last word in the singular. Only terms of two words and more are looked for, and titles are not read. Precision of
the first 100, 1,000 and 5,000 terms; all orders are orders of the same candidates: by C-value, NC-value and frequency,
and by pyate's C-value, which gets the classes of our candidates with their frequencies, because its own come from a
model of spaCy that must be downloaded. Terms in no list of PlanetMath's may be terms all the same, so that precision is
too low for all orders alike; the last columns count titles of articles as terms as well. "listed" says how many of
those that are listed, without titles, stand among the candidates at all.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from mathematics import DATA, articles, declared

from adjudge.core.document import Documents
from adjudge.core.errors import AdjudgeError
from adjudge.report.text_table import FORMS, TextTable
from adjudge.terms.extraction import TermSettings, extract
from adjudge.terms.forms import class_of
from adjudge.terms.terms import Terms
from adjudge.terms.word_columns import TOKENIZER

PLACES = (100, 1000, 5000)
PYATE = """
import json, sys, time
import pandas
from pyate.cvalues import cvalues
names, counts = json.load(sys.stdin)
begin = time.perf_counter()
ranked = cvalues("", technical_counts=pandas.Series(counts, index=names))
json.dump([list(ranked.index), time.perf_counter() - begin], sys.stdout)
"""


def listed(lines: list[str]) -> frozenset[str]:
    """The classes of what articles declare, of two words and more."""
    tokens = TOKENIZER(lines)
    words = [[tokens.types[i] for i in tokens.ids[a:b].tolist()] for a, b in zip(*bounds(tokens.offsets), strict=True)]
    return frozenset(class_of(" ".join(own)) for own in words if len(own) > 1)


def bounds(offsets: np.ndarray) -> tuple[list[int], list[int]]:
    return offsets[:-1].tolist(), offsets[1:].tolist()


def pyate(terms: Terms, python: str) -> tuple[list[str], float]:
    """The names of the terms in the order of pyate's C-value, and the seconds that it took."""
    given = json.dumps([list(terms.names), terms.frequencies.tolist()])
    told = subprocess.run([python, "-c", PYATE], input=given, capture_output=True, text=True, check=True).stdout
    names, seconds = json.loads(told)
    return names, seconds


def orders(terms: Terms, python: str) -> dict[str, list[str]]:
    """The terms by each score, the best first; equal ones by name."""
    names = sorted(range(len(terms)), key=terms.names.__getitem__)
    scores = {"C-value": terms.c_values, "NC-value": terms.nc_values, "frequency": terms.frequencies}
    made = {}
    for name, values in scores.items():
        if values is not None:
            made[name] = [terms.names[i] for i in sorted(names, key=lambda i: -values[i])]
    if python:
        begin = time.perf_counter()
        made["C-value of pyate"], seconds = pyate(terms, python)
        print(f"pyate: {seconds:.1f} s for {len(terms):,} candidates, {time.perf_counter() - begin:.1f} s in all")
    return made


def precision(order: list[str], gold: frozenset[str], k: int) -> float:
    """The share of the first k that is right; NaN where there are not so many."""
    return sum(term in gold for term in order[:k]) / k if k <= len(order) else float("nan")


def table(documents: Documents, golds: list[frozenset[str]], options: argparse.Namespace) -> TextTable:
    rows: list[list[str]] = []
    exact: list[list[object]] = []
    best: set[tuple[int, int]] = set()
    for tagger in options.tagger:
        for filter_ in options.filter:
            terms = extract(documents, TermSettings(tagger=tagger, filter=filter_, nc=True)).terms
            hits = len(golds[0].intersection(terms.names))
            first, figures = len(rows), []
            for name, order in orders(terms, options.pyate).items():
                figures.append([precision(order, gold, k) for gold in golds for k in PLACES])
                rows.append([tagger, filter_, name, str(len(terms)), str(hits), *(f"{x:.3f}" for x in figures[-1])])
                exact.append([tagger, filter_, name, len(terms), hits, *figures[-1]])
            for c in range(len(PLACES) * len(golds)):
                top = max(f"{own[c]:.3f}" for own in figures)
                best |= {(first + r, 5 + c) for r, own in enumerate(figures) if f"{own[c]:.3f}" == top}
    header = ["tagger", "filter", "ordered by", "candidates", "listed", *(f"P@{k}" for k in PLACES)]
    header += [f"P@{k} with titles" for k in PLACES]
    return TextTable(header, rows, 3, frozenset(best), exact)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="where the archives are")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-technical-terms")
    parser.add_argument("--tagger", action="append")
    parser.add_argument("--filter", action="append")
    parser.add_argument("--pyate", default="", metavar="PYTHON", help="an interpreter that can import pyate")
    parser.add_argument("--format", choices=FORMS, default="table")
    given = parser.parse_args()
    given.tagger, given.filter = given.tagger or ["lexicon"], given.filter or ["open"]
    given.work.mkdir(parents=True, exist_ok=True)
    try:
        golds = [listed(declared(given.data, given.work, titles=titles)) for titles in (False, True)]
        print(f"{len(golds[0]):,} classes of two words and more are listed, {len(golds[1]):,} with titles")
        print(table(articles(given.data, given.work), golds, given).form(given.format), end="")
    except AdjudgeError as error:
        raise SystemExit(str(error)) from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{given.pyate}: {error.stderr.strip().splitlines()[-1]}") from None
