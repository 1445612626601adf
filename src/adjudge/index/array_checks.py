"""Whether the arrays of an index can be what its manifest says, before anything computes with them.

An index may be damaged, or come from somebody else with checksums that fit. The small arrays are read as a whole
anyway when an index is opened, so their types, lengths, order and bounds are checked then, by a few passes over each;
postings, positions and texts are checked as far as they are used (index.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..storage.arrays import ascends, within
from .index_files import Manifest

Integers = npt.NDArray[Any]

BOUNDARIES = {
    "posting_offsets": "postings",
    "term_offsets": "terms",
    "id_offsets": "ids",
    "position_offsets": "positions",
    "text_blocks": "texts",
    "page_blocks": "pages",
    "field_value_offsets": "field_values",
    "field_offsets": "field_codes",
}
"""Arrays that say where the parts of another begin and end."""


def impossible(arrays: Mapping[str, Integers], manifest: Manifest) -> tuple[str, str] | None:
    """The first array that cannot be, and why; None if all can."""
    for name, wanted in _lengths(manifest).items():
        if name in arrays and len(arrays[name]) != wanted:
            return name, f"{len(arrays[name]):,} numbers instead of {wanted:,}"
    for name, other in BOUNDARIES.items():
        if name in arrays and not ascends(arrays[name], len(arrays[other])):
            return name, f"it does not ascend from 0 to {len(arrays[other]):,}"
    if wrong := _wrong_offsets(arrays, manifest):
        return wrong
    for kind in ("text", "page"):
        if (firsts := f"{kind}_firsts") in arrays:
            if len(arrays[firsts]) != len(arrays[f"{kind}_blocks"]):
                return firsts, f"it has not one number for each block of {kind}s"
            if not ascends(arrays[firsts], manifest.documents):
                return firsts, f"it does not ascend from 0 to {manifest.documents:,}"
    if wrong := _wrong_fields(arrays, manifest):
        return wrong
    for name, total in _sums(manifest).items():
        if not _adds_up(arrays[name], total):
            return name, f"it does not add up to {total:,}"
    if bool((arrays["lengths"] < arrays["distinct"]).any()):
        return "distinct", "a document has more different terms than terms"
    return _wrong_order(arrays, manifest)


def parts_impossible(arrays: Mapping[str, Integers], manifest: Manifest) -> tuple[str, str] | None:
    """The same for the arrays that say which terms and documents of the parts of an index are in the whole."""
    parts = manifest.parts
    if len(arrays["part_own"]) != len(arrays["part_terms"]):
        return "part_own", f"{len(arrays['part_own']):,} numbers instead of {len(arrays['part_terms']):,}"
    for firsts, column in (("part_firsts", "part_terms"), ("removed_firsts", "removed")):
        if len(arrays[firsts]) != len(parts) + 1 or not ascends(arrays[firsts], len(arrays[column])):
            return firsts, f"it does not ascend from 0 to {len(arrays[column]):,} in {len(parts)} steps"
    bounds = {
        "part_terms": ("part_firsts", [manifest.terms] * len(parts)),
        "part_own": ("part_firsts", [part.terms for part in parts]),
        "removed": ("removed_firsts", [part.documents for part in parts]),
    }
    for name, (firsts, sizes) in bounds.items():
        ends = arrays[firsts].astype(np.int64).tolist()
        for number, size in enumerate(sizes):
            some = arrays[name][ends[number] : ends[number + 1]]
            if not within(some, size) or not bool((some[1:] > some[:-1]).all()):
                return name, f"numbers of part {number} do not ascend below {size:,}"
    gone: Integers = np.diff(arrays["removed_firsts"].astype(np.int64))
    if any(many == part.documents for many, part in zip(gone.tolist(), parts, strict=True)):
        return "removed", "nothing is left of a part"
    left = sum(part.documents for part in parts) - len(arrays["removed"])
    if left != manifest.documents:
        return "removed", f"{left:,} documents are left and not {manifest.documents:,}"
    return None


def _lengths(manifest: Manifest) -> dict[str, int]:
    documents, terms = manifest.documents, manifest.terms
    wanted = {"cf": terms, "id_order": documents}
    wanted |= dict.fromkeys(("lengths", "distinct"), documents) | {"text_sizes": 2 * documents}
    wanted |= {"page_sizes": 3 * documents, "certainty": manifest.postings}
    wanted |= dict.fromkeys(("offsets", "posting_offsets", "term_offsets", "position_offsets"), terms + 1)
    wanted |= {"field_offsets": documents + 1, "field_firsts": len(manifest.fields) + 1}
    return wanted | {"id_offsets": documents + 1}


def _sums(manifest: Manifest) -> dict[str, int]:
    return {"lengths": manifest.tokens, "cf": manifest.tokens, "distinct": manifest.postings}


def _adds_up(counts: Integers, total: int) -> bool:
    """Whether counts have this sum; none is above it, so the sum of numbers of 64 bits cannot run over unseen."""
    return not len(counts) or (int(counts.max()) <= total and int(counts.sum(dtype=np.uint64)) == total)


def _wrong_fields(arrays: Mapping[str, Integers], manifest: Manifest) -> tuple[str, str] | None:
    if manifest.fields:
        values = len(arrays["field_value_offsets"]) - 1
        if not ascends(arrays["field_firsts"], values):
            return "field_firsts", f"it does not ascend from 0 to {values:,}"
        if len(arrays["field_codes"]) and int(arrays["field_codes"].max()) >= values:
            return "field_codes", f"there are only {values:,} values"
    return None


def _wrong_order(arrays: Mapping[str, Integers], manifest: Manifest) -> tuple[str, str] | None:
    order = arrays["id_order"]
    if len(order):
        if not within(order, manifest.documents):
            return "id_order", f"there are only {manifest.documents:,} documents"
        seen = np.zeros(manifest.documents, bool)
        seen[order] = True
        if not bool(seen.all()):
            return "id_order", "a document occurs twice"
    return None


def _wrong_offsets(arrays: Mapping[str, Integers], manifest: Manifest) -> tuple[str, str] | None:
    """What is wrong with the numbers of postings: room is made for as many before they are unpacked."""
    offsets = arrays["offsets"]
    if not ascends(offsets, manifest.postings):
        return "offsets", f"it does not ascend from 0 to {manifest.postings:,}"
    df: Integers = np.diff(offsets)
    if len(df) and int(df.min()) == 0:
        return "offsets", "a term has no postings"
    if len(df) and int(df.max()) > manifest.documents:
        return "offsets", f"a term has more postings than there are documents, {manifest.documents:,}"
    return None
