"""Say why a document was found, for a reader who knows nothing of weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.english import listing, percent, quantity
from .speech import sentence

SHOWN = 6
"""Strings of a word that a sentence lists."""
SURE = 0.995


@sentence
def reasons_found(explanation: Mapping[str, Any], documents: int) -> list[str]:
    """Say what each word of a question adds to the score of a document, from the tree of its explanation."""
    total, lines = float(explanation["value"]), []
    for part in sorted(explanation.get("parts", ()), key=lambda part: -part["value"]):
        share = percent(part["value"] / total) if total > 0 else "nothing"
        if "word" in part:
            lines.append(
                f"“{part['word']}” makes {share} of the score: {_readings(part.get('parts', ()))}{_among(part)}."
            )
        elif "term" in part:
            often = quantity(round(part["occurrences"]), "time")
            lines.append(
                f"“{part['term']}” makes {share} of the score: it stands here {often}, and in "
                f"{part['documents']:,} of {documents:,} documents."
            )
        else:
            lines.append(f"{str(part['description']).capitalize()}: {share} of the score.")
    return lines or ["Nothing in this document is taken for a word of the question."]


def _readings(strings: Sequence[Mapping[str, Any]]) -> str:
    known = [string for string in strings if "string" in string]
    texts = []
    for string in known[:SHOWN]:
        often = quantity(int(string["occurrences"]), "time")
        if string["string"] == string["read_as"] and string["probability"] >= SURE:
            texts.append(f"“{string['string']}” {often}")
        else:
            chance = percent(float(string["probability"]))
            texts.append(f"“{string['string']}” {often}, read as “{string['read_as']}” ({chance} sure)")
    if len(strings) > len(texts):
        texts.append("other readings")
    return f"here stands {listing(texts)}"


def _among(part: Mapping[str, Any]) -> str:
    return f"; about {quantity(round(part['documents']), 'document')} of the collection may have the word"


@sentence
def search_open(documents: int, folder: str, address: str) -> str:
    """Say where the search page is, and how it is stopped."""
    return f"{folder}: {quantity(documents, 'document')} at {address} (Ctrl+C to stop)"


@sentence
def token_written(path: str) -> str:
    """Say where the token is that visitors need."""
    return f"{path}: a new token; visitors sign in with it"
