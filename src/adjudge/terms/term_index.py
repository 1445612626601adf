"""The technical-term index of the paper: class, form, document, frequency and places of every term in every document.

All terms are found, those within others too, as in the paper. The table is written batch by batch and put together at
the end, so it may be larger than memory.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.document import Document, Documents, batches
from ..core.errors import DataError, SpecError
from ..core.progress import SILENT, Listener
from ..storage.replace import move_file, scratch_folder
from .matching import Matcher
from .tally import WIDEST, Tally
from .terms import Terms
from .word_columns import words_of

if TYPE_CHECKING:
    import polars as pl

BATCH = 4_000_000


def write_term_index(
    documents: Documents,
    terms: Terms,
    path: str | os.PathLike[str],
    *,
    progress: Listener = SILENT,
    batch: int = BATCH,
) -> int:
    """Write the index of terms as Parquet, whole or not at all, and tell how many rows it has."""
    import polars as pl

    if Path(os.path.realpath(path)).suffix != ".parquet":
        raise SpecError(f"{path}: an index of terms is written as .parquet")
    if os.path.isdir(path):
        raise DataError(f"{path}: cannot be written: Is a directory")
    matcher, rows, count = Matcher.of(terms), 0, 0
    with scratch_folder(path) as work:
        parts = []
        with progress.work("index_terms", total=documents.size, unit="bytes") as step:
            for number, some in enumerate(batches(documents, batch)):
                frame = occurrences(some, matcher, terms)
                rows, count = rows + len(frame), count + len(some)
                parts.append(work / f"{number:08}.parquet")
                frame.write_parquet(parts[-1])
                step.reach(documents.read, documents=count)
        whole = work / "whole.parquet"
        if parts:
            pl.scan_parquet(parts).sink_parquet(whole)
        else:
            occurrences([], matcher, terms).write_parquet(whole)
        move_file(whole, path, durable=False)
    return rows


def occurrences(documents: list[Document], matcher: Matcher, terms: Terms) -> pl.DataFrame:
    """One row for each form of a term in a document: class, form, document, tf, positions of its first word from 0."""
    import polars as pl

    words = words_of([document.text for document in documents])
    tokens, matches = words.tokens, matcher.find(words, "all")
    forms = Tally(WIDEST)
    of_form = forms.add(tokens.ids, matches.starts, matches.lengths).astype(np.int64)
    of_text = np.searchsorted(tokens.offsets, matches.starts, "right") - 1
    places = (matches.starts - tokens.offsets[of_text]).astype(np.uint32)
    order = np.lexsort((places, of_form, of_text))
    of_text, of_form, places, term = of_text[order], of_form[order], places[order], matches.terms[order]
    fresh = np.ones(len(order), bool)
    fresh[1:] = (of_text[1:] != of_text[:-1]) | (of_form[1:] != of_form[:-1])
    starts = np.flatnonzero(fresh)
    rows: Any = forms.content()[0]
    written = [" ".join([tokens.types[i] for i in row if i >= 0]) for row in rows.tolist()]
    group = np.cumsum(fresh) - 1
    listed = pl.DataFrame({"group": group, "positions": places}).group_by("group", maintain_order=True)
    return pl.DataFrame(
        {
            "class": pl.Series([terms.names[i] for i in term[starts].tolist()], dtype=pl.String),
            "form": pl.Series([written[i] for i in of_form[starts].tolist()], dtype=pl.String),
            "document": pl.Series([documents[i].id for i in of_text[starts].tolist()], dtype=pl.String),
            "tf": pl.Series(np.diff(starts, append=len(order)), dtype=pl.UInt32),
            "positions": listed.agg("positions")["positions"],
        }
    )
