"""C-value over the Federal Register, beside pyate on a sample; taggers; documents with boosted terms.

    python bench/terms.py                                    # fr94.tar.xz from ../shared/data, 401 MB of SGML
    python bench/terms.py --pyate PYTHON --sample 2          # an interpreter that has pyate, and 2 of the 480 files
    python bench/terms.py --documents FOLDER --repeat 3

The whole corpus: `adjudge terms` with the tagger lexicon in a process of its own, start-up and reading included; memory
is the peak of the process with its children. The sample: both tools in a process each, in turn, the best of several
times, and processor time beside it, which others on the machine disturb less; every candidate counts for both, however
rare. pyate needs a model of spaCy's for tags; terms_pyate.py looks them
up in a list made by our tagger in its place, which is quicker. Then tokens a second of each tagger and documents a
second with boosted terms, in this process, after start-up.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from adjudge.core.document import InMemory
from adjudge.formats.documents import read_documents
from adjudge.terms.attribution import Attribution, DeltaDocuments
from adjudge.terms.term_files import read_terms
from adjudge.terms.word_columns import words_of
from adjudge.text.tagging.tagger import Tag, taggers
from retrieval import sampled, size, unpacked, watched

PEER = str(Path(__file__).with_name("terms_pyate.py"))
UNIVERSAL = {Tag.N: "NOUN", Tag.A: "ADJ", Tag.P: "ADP", Tag.D: "DET"}


def terms_command(documents: Path, output: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "adjudge", "terms", str(documents), "-o", str(output), "--top", "0", *more]


def looked_up(texts: list[str]) -> dict[str, str]:
    """The tag that our tagger gives a word most often, in lower case as pyate reads it."""
    words = words_of(texts)
    tags = taggers.parse("lexicon")(words.tokens, words.breaks)
    counts: dict[str, Counter[str]] = {}
    for i, tag in zip(words.tokens.ids.tolist(), tags.tolist(), strict=True):
        counts.setdefault(words.tokens.types[i].lower(), Counter())[UNIVERSAL.get(Tag(tag), "X")] += 1
    return {word: own.most_common(1)[0][0] for word, own in counts.items()}


def beside_pyate(documents: Path, work: Path, python: str, repeat: int) -> None:
    texts = [document.text for document in read_documents(documents)]
    characters = sum(map(len, texts))
    (work / "texts.json").write_text(json.dumps([texts, looked_up(texts)]), encoding="utf-8")
    inf = float("inf")
    ours, theirs, said = [inf, inf], [inf, inf], dict[str, Any]()
    for _ in range(repeat):
        seconds, cpu, _, _ = watched(terms_command(documents, work / "sample.parquet", "--min-frequency", "1"))
        ours = [min(ours[0], seconds), min(ours[1], cpu)]
        seconds, cpu, _, out = watched([python, PEER, str(work / "texts.json")])
        theirs, said = [min(theirs[0], seconds), min(theirs[1], cpu)], json.loads(out.splitlines()[-1])
    found = len(read_terms(work / "sample.parquet"))
    print(f"\nsample: {len(texts):,} documents, {characters / 1e6:.1f} million characters, best of {repeat}")
    print(f"  adjudge {ours[0]:9.2f} s, {ours[1]:9.2f} s CPU, {found:,} terms")
    phases = f"the last counted for {said['count']:.1f} s, C-value {said['value']:.1f} s, {said['terms']:,} terms"
    print(f"  pyate   {theirs[0]:9.2f} s, {theirs[1]:9.2f} s CPU ({phases})")
    print(f"  {theirs[0] / ours[0]:.1f} × adjudge's time, {theirs[1] / ours[1]:.1f} × its processor time")


def tagging(texts: list[str]) -> None:
    words = words_of(texts)
    tokens = len(words.tokens.ids)
    print(f"\ntagging {tokens:,} words, processor time")
    for name in taggers.names:
        tagger = taggers.parse(name)
        if not tagger.available():
            print(f"  {name:<8} not installed")
            continue
        tagger(*_first(texts[:1]))
        begin = time.process_time()
        tagger(words.tokens, words.breaks)
        print(f"  {name:<8} {tokens / (time.process_time() - begin) / 1e6:6.2f} million words a second")


def _first(texts: list[str]) -> tuple[Any, Any]:
    words = words_of(texts)
    return words.tokens, words.breaks


def boosting(documents: InMemory, terms: Path) -> None:
    attribution = Attribution(read_terms(terms))
    begin = time.process_time()
    attribution.matcher  # noqa: B018
    made = time.process_time()
    delta = DeltaDocuments(documents, attribution)
    number = sum(1 for _ in delta)
    seconds = time.process_time() - made
    characters = sum(len(document.text) for document in documents)
    print(f"\nboosting with {len(attribution.terms):,} terms, found {delta.occurrences:,} times, processor time")
    print(f"  {made - begin:.2f} s to be ready, then {number / seconds:,.0f} documents a second,", end=" ")
    print(f"{characters / seconds / 1e6:.1f} million characters a second")


def main(options: argparse.Namespace) -> None:
    work = options.folder
    work.mkdir(parents=True, exist_ok=True)
    documents = options.documents or unpacked(work)
    seconds, processor, megabytes, _ = watched(terms_command(documents, work / "terms.parquet"))
    print(f"{size(documents):,.0f} MB of documents: {len(read_terms(work / 'terms.parquet')):,} terms")
    print(f"  {seconds:.1f} s, {processor:.1f} s of processor time, {megabytes:,.0f} MB at the peak")
    some = sampled(documents, work, options.sample)
    if options.pyate:
        beside_pyate(some, work, options.pyate, options.repeat)
    held = InMemory(read_documents(sampled(documents, work, 24)))
    tagging([document.text for document in held])
    boosting(held, work / "terms.parquet")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=Path, help="a folder of TREC SGML; unpacked from the archive if not given")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-bench-terms")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="so many of the files for pyate (1)")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--pyate", default="", metavar="PYTHON", help="an interpreter that can import pyate")
    main(parser.parse_args())
