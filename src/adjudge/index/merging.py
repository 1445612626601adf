"""Parts of an index become one: the arrays that a build of their documents would have written, to the byte.

When parts are merged is a matter of policy: so that there are few of them, and none is written again too often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.scanned_page import UNKNOWN
from . import varbyte
from .index import PAGES, PIECE, TEXTS, Index
from .index_files import Manifest, Writer, narrow
from .inversion import sums, targets
from .joined_index import IndexPart, PartPostings
from .joint_arrays import Joint
from .joint_fields import join_fields
from .packed_postings import pack
from .page_records import PARTS as PAGE_PARTS
from .page_records import PageWriter
from .texts import BlockWriter, TextWriter, every_record

Integers = npt.NDArray[Any]
FEW = 8
"""So many parts may lie side by side, however large they are."""


def worth_merging(joint: Joint) -> tuple[int, int] | None:
    """The parts, from one to another, that should become one; None if all may stay as they are.

    A part of which more than half is removed is written again. And if FEW parts or more stand at the end, of which the
    first is smaller than the others together, these become one: so from some part on each is at least as large as all
    that follow, there are about as many parts as the logarithm of the documents, and a document is written again about
    as often.
    """
    for place, part in enumerate(joint.parts):
        if 2 * len(part.removed) > len(part.index):
            return place, place + 1
    sizes = [part.index.manifest.bytes for part in joint.parts]
    for first in range(len(sizes) - FEW + 1):
        if sizes[first] < sum(sizes[first + 1 :]):
            return first, len(sizes)
    return None


def merge_parts(joint: Joint, first: int, last: int, writer: Writer, folder: Path, source: str) -> Joint:
    """The same with an index in place of the parts from one to another; its arrays go to the writer."""
    parts = joint.parts[first:last]
    begin, end = parts[0].first, parts[-1].first + len(parts[-1])
    manifest = parts[0].index.manifest
    certain = any(part.index.manifest.certainty for part in parts)
    numbers, df, tokens = _write_postings(joint, parts, writer, certain=certain)
    pages = manifest.texts and _write_texts(parts, writer)
    fields = join_fields(parts, writer)
    chosen = np.zeros(len(joint.terms), bool)
    chosen[numbers] = True
    _write_strings(writer, "term", *joint.terms.kept(chosen))
    lengths = joint.lengths[begin:end]
    writer.array("lengths", narrow(lengths))
    writer.array("distinct", narrow(joint.distinct[begin:end]))
    own = np.zeros(len(joint), bool)
    own[begin:end] = True
    _write_strings(writer, "id", *joint.ids.kept(own))
    order = np.asarray(joint.ids.order)
    writer.array("id_order", order[own[order]] - np.int32(begin))
    merged = Manifest(
        analyzer=manifest.analyzer,
        data=writer.folder.name,
        documents=end - begin,
        terms=len(numbers),
        postings=int(df.sum()),
        tokens=tokens,
        positions=manifest.positions,
        texts=manifest.texts,
        pages=pages,
        certainty=certain,
        source=source if pages else "",
        fields=fields,
        files=writer.finish(),
    )
    return joint.merged(first, last, Index.load(folder, merged), numbers)


def _write_strings(writer: Writer, name: str, data: Integers, offsets: Integers) -> None:
    writer.array(f"{name}s", data)
    writer.array(f"{name}_offsets", narrow(offsets))


def _ranges(df: Integers) -> Iterator[Integers]:
    """All terms in ranges with so many postings that are looked at together."""
    offsets, first = sums(df), 0
    while first < len(df):
        last = max(first + 1, int(np.searchsorted(offsets, offsets[first] + PIECE, "right")) - 1)
        yield np.arange(first, last)
        first = last


def _write_postings(
    joint: Joint, parts: Sequence[IndexPart], writer: Writer, *, certain: bool
) -> tuple[Integers, Integers, int]:
    """The terms that the parts have, as numbers of the whole, in how many documents each is, and all occurrences."""
    packed = writer.column("postings", np.uint8)
    positions = writer.column("positions", np.uint8) if parts[0].index.manifest.positions else None
    certainty = writer.column("certainty", np.uint8) if certain else None
    nothing = [np.zeros(0, np.int64)]
    columns: dict[str, list[Integers]] = {name: list(nothing) for name in ("terms", "df", "cf", "ends", "width")}
    for terms in _ranges(joint.df):
        found = [part.postings_of(terms) for part in parts]
        df = np.zeros(len(terms), np.int64)
        for some in found:
            df[some.which] += some.df
        offsets = sums(df)
        documents, tf = (np.empty(int(offsets[-1]), np.int32) for _ in range(2))
        sure = np.full(len(documents), UNKNOWN, np.uint8)
        following = offsets[:-1].copy()
        places = []
        for part, some in zip(parts, found, strict=True):
            place = targets(following, some.which, some.df)
            documents[place], tf[place] = some.documents - np.int32(parts[0].first), some.tf
            if part.index.manifest.certainty:
                sure[place] = _certainty(part, terms, some)
            places.append(place)
        used = df > 0
        starts = offsets[:-1][used]
        raw, ends = pack(documents, tf, np.append(starts, offsets[-1]))
        packed.append(raw)
        if certainty is not None:
            certainty.append(sure)
        if positions is not None:
            gaps = _gaps(parts, terms, found, places, tf)
            positions.append(varbyte.encode(gaps))
            each = sums(tf.astype(np.int64))
            columns["width"].append(np.diff(sums(varbyte.widths(gaps))[each[np.append(starts, offsets[-1])]]))
        columns["terms"].append(terms[used])
        columns["df"].append(df[used])
        columns["cf"].append(np.add.reduceat(tf.astype(np.int64), starts) if len(starts) else nothing[0])
        columns["ends"].append(np.diff(ends))
    whole = {name: np.concatenate(column) for name, column in columns.items()}
    writer.array("offsets", narrow(sums(whole["df"])))
    writer.array("cf", narrow(whole["cf"]))
    writer.array("posting_offsets", narrow(sums(whole["ends"])))
    if positions is not None:
        writer.array("position_offsets", narrow(sums(whole["width"])))
    return whole["terms"], whole["df"], int(whole["cf"].sum())


def _slices(offsets: Integers, own: Integers) -> Integers:
    """The places of what belongs to some terms, one term after the other."""
    begins, counts = offsets[own].astype(np.int64), (offsets[own + 1] - offsets[own]).astype(np.int64)
    return np.repeat(begins - sums(counts)[:-1], counts) + np.arange(int(counts.sum()))


def _certainty(part: IndexPart, terms: Integers, some: PartPostings) -> Integers:
    """What is known of some postings of a part."""
    _, own = part.own_terms(terms)
    sure: Integers = part.index.arrays["certainty"][_slices(part.index.arrays["offsets"], own)]
    return sure if some.kept is None else sure[some.kept]


def _gaps(
    parts: Sequence[IndexPart],
    terms: Integers,
    found: Sequence[PartPostings],
    places: Sequence[Integers],
    tf: Integers,
) -> Integers:
    """The gaps between the places where terms stand in each document, for postings of all the parts."""
    begins = sums(tf.astype(np.int64))
    gaps = np.zeros(int(begins[-1]), np.int64)
    for part, some, place in zip(parts, found, places, strict=True):
        arrays, (_, own) = part.index.arrays, part.own_terms(terms)
        every = varbyte.decode(arrays["positions"][_slices(arrays["position_offsets"], own)])
        if some.kept is not None:
            _, frequencies, _ = part.index.postings_of(own)
            kept = np.repeat(some.kept, frequencies)
            if len(every) != len(kept):
                raise part.index._damage("positions", f"{len(every):,} of some terms, not {len(kept):,}")
            every = every[kept]
        counts = some.tf.astype(np.int64)
        at = np.repeat(begins[place] - sums(counts)[:-1], counts) + np.arange(int(counts.sum()))
        if len(every) != len(at):
            raise part.index._damage("positions", f"{len(every):,} of some terms, not {len(at):,}")
        gaps[at] = every
    return gaps


def _write_texts(parts: Sequence[IndexPart], writer: Writer) -> bool:
    """Texts and pages of all documents that are left; whether there are pages."""
    _copy(parts, TextWriter(writer), TEXTS, 2).close()
    return _copy(parts, PageWriter(writer), PAGES, PAGE_PARTS).close(needed=False)


def _copy(parts: Sequence[IndexPart], target: BlockWriter, names: Sequence[str], size: int) -> BlockWriter:
    for part in parts:
        index = part.index
        if names[0] not in index.arrays:
            for _ in range(len(part)):
                target.add(*[b""] * size)
            continue
        place = str(index.folder / index.manifest.data / names[0])
        records = every_record(place, [index.arrays[name] for name in names], size)
        for record, wanted in zip(records, part.left.tolist(), strict=True):
            if wanted:
                target.add(*record)
    return target
