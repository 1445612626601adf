"""Reading documents: TREC SGML, JSONL, Parquet, TSV, text, HTML, XHTML with MathML, LaTeX, SMART; one file a layout."""

from __future__ import annotations

from .document_reading import read_documents

__all__ = ["read_documents"]
