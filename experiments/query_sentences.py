"""How far do rules that propose query sentences agree with people?

    python experiments/query_sentences.py CUMTC
    python experiments/query_sentences.py CUMTC --show errors

CUMTC is the folder of the Cambridge mathematical test collection, whose sentences people have labelled. Rules were
written while looking at every other topic (in the order of their numbers, the first, third …); the others were not
looked at and tell how good the rules are. Three proposals are compared on the same sentences: a question mark at the
end; a question mark or one of the phrases of the simplest heuristic; our rules. Precision, recall and F1 are those of
query sentences, with a bootstrap interval over topics. Then our splitter against the sentences of the collection:
boundaries within paragraphs. Then micro-topics: topics for which as many are proposed as people found, and F1 of the
pairs of query sentences that belong together. --show errors lists what differs in the half that was looked at.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from adjudge.collection.qa.collection import CollectionTopic
from adjudge.collection.qa.cumtc import read_cumtc
from adjudge.collection.qa.labels import kinds_of, label_sentences, words_of
from adjudge.collection.qa.post_markup import Block
from adjudge.collection.qa.sentences import cut
from adjudge.collection.qa.threads import PRELUDE, QUERY, TEXT, Part, Sentence
from adjudge.report.text_table import FORMS, TextTable

PHRASES = re.compile(r"\b(?:is there|does|can|what|which|how|where|looking for|reference for)\b", re.IGNORECASE)
Proposal = Callable[[Sequence[str], Sequence[int]], list[str]]
Counts = tuple[int, int, int]
Sums = npt.NDArray[np.float64]


def question_marks(texts: Sequence[str], _: Sequence[int]) -> list[str]:
    return [QUERY if text.rstrip().endswith("?") else PRELUDE for text in texts]


def phrases(texts: Sequence[str], _: Sequence[int]) -> list[str]:
    return [QUERY if text.rstrip().endswith("?") or PHRASES.search(text) else PRELUDE for text in texts]


PROPOSALS: dict[str, Proposal] = {"question mark": question_marks, "mark or phrase": phrases, "rules": kinds_of}


def bare(topic: CollectionTopic) -> list[Sentence]:
    """The sentences of a topic without their labels."""
    return [Sentence(one.number, one.parts, paragraph=one.paragraph) for one in topic.sentences]


def query_counts(topic: CollectionTopic, proposal: Proposal, errors: list[str] | None = None) -> Counts:
    """Right, wrong and missing query sentences."""
    sentences = bare(topic)
    texts = [words_of(sentence) for sentence in sentences]
    kinds = proposal(texts, [sentence.paragraph for sentence in sentences])
    right = wrong = missing = 0
    for sentence, kind, text in zip(topic.sentences, kinds, texts, strict=True):
        is_, said = sentence.kind == QUERY, kind == QUERY
        right, wrong, missing = right + (is_ and said), wrong + (said and not is_), missing + (is_ and not said)
        if errors is not None and is_ != said:
            errors.append(f"{topic.id}.{sentence.number} {'missing' if is_ else 'wrong  '} {text[:160]}")
    return right, wrong, missing


def boundary_counts(topic: CollectionTopic) -> Counts:
    """Right, wrong and missing ends of sentences, paragraph by paragraph."""
    right = wrong = missing = 0
    for number in {sentence.paragraph for sentence in topic.sentences}:
        parts: list[Part] = []
        true: set[int] = set()
        for sentence in (one for one in topic.sentences if one.paragraph == number):
            true.add(length(parts))
            for part in (*sentence.parts, Part(TEXT, " ")):
                if parts and part.kind == TEXT == parts[-1].kind:
                    parts[-1] = Part(TEXT, parts[-1].text + part.text)
                else:
                    parts.append(part)
        found: set[int] = {0}
        at = 0
        for piece in list(cut(Block(tuple(parts))))[:-1]:
            at += length(piece)
            found.add(at)
        right += len(true & found) - 1
        wrong, missing = wrong + len(found - true), missing + len(true - found)
    return right, wrong, missing


def length(parts: Sequence[Part]) -> int:
    """Characters without white space, a protected part as one."""
    return sum(len("".join(part.text.split())) if part.kind == TEXT else 1 for part in parts)


def pair_counts(topic: CollectionTopic) -> tuple[Counts, bool]:
    """Pairs of query sentences in one micro-topic, proposed and true; and whether there are as many micro-topics."""
    proposed = label_sentences(bare(topic))
    true = {
        (a.number, b.number)
        for a, b in combinations(topic.sentences, 2)
        if a.kind == b.kind == QUERY and set(a.micro_topics) & set(b.micro_topics)
    }
    said = {
        (a.number, b.number)
        for a, b in combinations(proposed, 2)
        if a.kind == b.kind == QUERY and a.micro_topic == b.micro_topic
    }
    as_many = len({one.micro_topic for one in proposed if one.kind == QUERY}) == len(topic.asked)
    return (len(true & said), len(said - true), len(true - said)), as_many


def figures(counts: Sequence[Counts], rng: np.random.Generator) -> tuple[float, float, float, float, float]:
    """Precision, recall, F1 and its 95 % interval over topics."""
    table = np.array(counts, float)

    def f1(sums: Sums) -> Sums:
        whole = 2 * sums[..., 0] + sums[..., 1] + sums[..., 2]
        made: Sums = np.divide(2 * sums[..., 0], whole, out=np.full(whole.shape, np.nan), where=whole > 0)
        return made

    sums = table.sum(0)
    samples = f1(table[rng.integers(len(table), size=(2000, len(table)))].sum(1))
    low, high = np.nanquantile(samples, [0.025, 0.975])
    right, wrong, missing = sums
    return right / max(right + wrong, 1), right / max(right + missing, 1), float(f1(sums)), float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cumtc", help="the folder of the collection")
    parser.add_argument("--show", choices=("figures", "errors"), default="figures")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (0)")
    parser.add_argument("-f", "--format", choices=FORMS, default="table")
    options = parser.parse_args()
    topics = read_cumtc(options.cumtc).topics
    halves = {"looked at": topics[::2], "held out": topics[1::2]}
    if options.show == "errors":
        errors: list[str] = []
        for topic in halves["looked at"]:
            query_counts(topic, kinds_of, errors)
        print("\n".join(errors))
        return
    rng = np.random.default_rng(options.seed)
    rows: list[tuple[str, str, int, float, float, float, float, float]] = []
    for half, some in halves.items():
        for name, proposal in PROPOSALS.items():
            found = [query_counts(topic, proposal) for topic in some]
            rows.append((f"query sentences: {name}", half, sum(r + m for r, _, m in found), *figures(found, rng)))
    for half, some in halves.items():
        found = [boundary_counts(topic) for topic in some]
        rows.append(("ends of sentences", half, sum(r + m for r, _, m in found), *figures(found, rng)))
    for half, some in halves.items():
        pairs = [pair_counts(topic) for topic in some]
        found = [counts for counts, _ in pairs]
        rows.append(("pairs in one micro-topic", half, sum(r + m for r, _, m in found), *figures(found, rng)))
    header = ("what", "topics", "number", "precision", "recall", "F1", "from", "to")
    shown = [[what, half, str(number), *(f"{value:.3f}" for value in rest)] for what, half, number, *rest in rows]
    print(TextTable(header, shown, labels=2, exact=rows).form(options.format), end="")
    for half, some in halves.items():
        right = sum(pair_counts(topic)[1] for topic in some)
        print(f"{half}: as many micro-topics as people found in {right} of {len(some)} topics")


if __name__ == "__main__":
    main()
