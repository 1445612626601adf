"""Every kind of note has a sentence that is made of its facts, and every sentence is of a kind that somebody notes."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import adjudge
from adjudge.core.note import Note
from adjudge.words.notes import kinds, sentence

SOURCES = Path(adjudge.__file__).parent
SAMPLES = (
    (
        Note.of("chunks_collapsed", "mine", lines=9, documents=4, keep="max", unmarked=2, negative=False),
        "mine: 9 lines for 4 documents, the largest score of a chunk for each; "
        "2 ids are no chunk's and stand for documents",
    ),
    (
        Note.of("nuggets_failed", count=1, total=20),
        "1 of 20 nuggets has no label (failed): it counts as not supported",
    ),
    (
        Note.of("topics_without_vital", topics=["7"]),
        "no vital nugget for topic 7: the vital scores are 0 there",
    ),
    (
        Note.of("nuggets_differ", topics=["7"]),
        "answers were assigned different nuggets for topic 7: scores there do not compare",
    ),
    (
        Note.of("metadata_unreadable", "a.run", line=3, why="a tab"),
        "a.run:3: the ir_metadata header is ignored: a tab",
    ),
    (
        Note.of("geometric_mean", "gm_map", average="gm(floor=0.00001)"),
        "gm_map: the geometric mean, gm(floor=0.00001): values below the floor are raised to it",
    ),
    (
        Note.of("judgments_repeated", count=3),
        "qrels: 3 judgments occur more than once with the same grade and are counted once",
    ),
    (
        Note.of("topics_without_relevant", topics=["7"]),
        "qrels: no relevant document for topic 7: measures that divide by R are 0 there",
    ),
    (Note.of("topics_unjudged", "bm25", topics=["7", "9"]), "bm25: no judgment for 2 topics (7, 9), skipped"),
    (
        Note.of("topics_missing", "bm25", topics=["7"], counted=True),
        "bm25: retrieved nothing for topic 7, counted as 0",
    ),
    (
        Note.of("ranks_contradict_scores", "bm25", line=2, topic="7"),
        "bm25: ranks and scores contradict each other at line 2 (topic 7): scores count, as in trec_eval",
    ),
    (
        Note.of("topics_all_tied", "bm25", topics=["7", "9"]),
        "bm25: all documents have the same score for 2 topics (7, 9): their ids order them",
    ),
    (Note.of("run_left_out", why="x.run: empty"), "x.run: empty: left out"),
    (
        Note.of("unjudged_passed_over", "bm25", share=0.25, depth=10),
        "bm25: nobody judged 25.0% of the first 10 documents; measures with judged_only pass over them",
    ),
    (
        Note.of("system_left_out", "bm25", answered=0, topics=50, least=0.0),
        "bm25: answers none of 50 judged topics: no verdict on it",
    ),
    (
        Note.of("system_left_out", "bm25", answered=3, topics=50, least=0.5),
        "bm25: answers 3 of 50 judged topics, and 50% are asked for: no verdict on it",
    ),
    (
        Note.of("topics_not_pooled", "bm25", topics=["7"]),
        "bm25: topic 7 is not among the topics, and not pooled",
    ),
    (Note.of("topics_without_pool", topics=["7"]), "no run has a document for topic 7: nothing is judged there"),
    (
        Note.of("documents_not_pooled", count=2, first="d7"),
        "2 pooled documents are not in the collection and are left out, d7 the first",
    ),
    (
        Note.of("topics_not_pooled", "bm25", topics=["7", "8"]),
        "bm25: 2 topics (7, 8) are not among the topics, and not pooled",
    ),
    (
        Note.of("documents_not_pooled", count=1, first="d7"),
        "1 pooled document is not in the collection and is left out: d7",
    ),
    (
        Note.of("judgments_outside_sample", "judgments", count=1),
        "judgments: 1 is of a document that was not drawn for judging, and is left out",
    ),
    (
        Note.of("grades_raised", "judgments", count=1),
        "judgments: 1 grade below -1 became 0, since -1 means not judged here",
    ),
    (
        Note.of("pairs_answered_before", "model", count=1),
        "model: 1 pair was answered before and is not asked again",
    ),
    (
        Note.of("judged_not_at_random", "judgments", left=1, whole=1200, priority="max_mean"),
        "judgments: 1 of 1,200 pairs is not judged, and max_mean has others judged first: infap and other estimates"
        " would take what is judged for a random sample",
    ),
    (
        Note.of("judgments_outside_sample", "judgments", count=3),
        "judgments: 3 are of documents that were not drawn for judging, and are left out",
    ),
    (
        Note.of("grades_raised", "judgments", count=2),
        "judgments: 2 grades below -1 became 0, since -1 means not judged here",
    ),
    (
        Note.of("judgments_outside_pool", "judgments", count=3),
        "judgments: 3 judgments are of documents outside the pool",
    ),
    (Note.of("nothing_to_judge", topic="7"), "topic 7: nothing is left to judge within the budget of the pool"),
    (
        Note.of("grades_outside_scale", "model", count=2, grades=[4, 9], more=0, scale=[0, 1, 2, 3]),
        "model: 2 answers have grades that the scale of the project does not have: 4 and 9, where it has 0, 1, 2 and 3",
    ),
    (
        Note.of("grades_outside_scale", "model", count=1, grades=[9], more=0, scale=[0, 1]),
        "model: 1 answer has a grade that the scale of the project does not have: 9, where it has 0 and 1",
    ),
    (
        Note.of("grades_outside_scale", "model", count=7, grades=[4, 5, 6, 7, 8], more=2, scale=[0, 1]),
        "model: 7 answers have grades that the scale of the project does not have: 4, 5, 6, 7, 8 and 2 more,"
        " where it has 0 and 1",
    ),
    (
        Note.of("intervals_by_model", "ap", least=76, most=92, promised=95, where="Cranfield"),
        "ap: intervals of 95% from this model held the truth in 76 to 92 of 100 samples where it is known, least often"
        " on Cranfield: what there is to be found in a topic comes from a model of all topics",
    ),
    (
        Note.of("estimate_beyond", "a", system="a", measure="p@10", value=1.7, limit=1.0, contradicted=True),
        "a: the estimate of p@10, 1.700, lies beyond 1, and so does its whole interval: what was judged is hardly a"
        " random sample of each stratum",
    ),
    (
        Note.of("estimate_beyond", "a", system="a", measure="ap", value=-0.02, limit=0.0, contradicted=False),
        "a: the estimate of ap, -0.020, lies beyond 0, where the measure and so the interval end: few drawn documents"
        " count for many",
    ),
    (
        Note.of("thin_sample", count=4, least=10),
        "the sample has 4 relevant documents from strata that were not judged whole: with fewer than 10 the intervals"
        " of ap, ndcg and recall hold less often than they say",
    ),
    (
        Note.of("corrected_beyond", "a", system="a", measure="ap", value=1.02, limit=1.0, contradicted=False),
        "a: the estimate of ap, 1.020, lies beyond 1, where the measure and so the interval end: few topics that were"
        " judged whole count for all",
    ),
    (
        Note.of("few_topics_corrected", "bm25", measure="ap", count=1),
        "bm25: by ap the figures from the sample are wrong on 1 topic that was judged whole: the interval holds less"
        " often than it says",
    ),
    (
        Note.of("few_whole_topics", count=3, least=5),
        "3 topics judged whole: with fewer than 5 intervals are long, and may hold less often than they say",
    ),
    (
        Note.of("whole_topics_left", count=10),
        "10 topics are judged whole: --whole FILE (whole=) writes them, which makes estimates of ap, ndcg and recall"
        " unbiased",
    ),
    (
        Note.of("few_topics_differ", "bm25", measure="rr", count=2),
        "bm25: people and machine differ by rr on 2 topics that people judged: the interval holds less often than it"
        " says",
    ),
    (
        Note.of("pairs_answered_before", "model", count=1200),
        "model: 1,200 pairs were answered before and are not asked again",
    ),
    (
        Note.of("machine_silent", "machine", count=100, whole=168),
        "machine: 100 of 168 pooled documents have no grade by it and count as not relevant; a judge asked with --whole"
        " (adjudge pool judge) grades all of them",
    ),
    (
        Note.of("judge_files_changed", "m", files=["judge.py"]),
        "m: judge.py changed since the first answers: both digests are kept with the answers",
    ),
    (
        Note.of("judged_not_at_random", "judgments", left=3, whole=1200, priority="max_mean"),
        "judgments: 3 of 1,200 pairs are not judged, and max_mean has others judged first: infap and other estimates"
        " would take what is judged for a random sample",
    ),
    (
        Note.of("pairs_without_grade", "judgments", count=1),
        "judgments: 1 pair without a grade (cannot tell, or people differ) counts as not judged",
    ),
    (
        Note.of("budget_not_random", priority="hedge", budget=2000),
        "the budget of 2,000 ends the judging of a sample in the order hedge: what is judged then is no random sample;"
        " random_order keeps it one",
    ),
    (
        Note.of("ids_not_trec", id_kind="topic", first="heat pumps"),
        "topic 'heat pumps' cannot stand in a line of TREC: judgments will be exported as JSON, and no five columns can"
        " be written",
    ),
    (
        Note.of("torn_answer", "judges/m.jsonl"),
        "judges/m.jsonl: the last line is not whole, and that pair is asked again",
    ),
    (Note.of("topics_in_no_run", topics=["7"]), "no run retrieved anything for topic 7, skipped"),
    (
        Note.of("topics_of_one_only", "bm25", topics=["7"]),
        "only bm25 has a value on topic 7, left out of the comparison",
    ),
    (
        Note.of("topics_from_other_runs", "a.run", topics=["7"]),
        "a.run: retrieved nothing for topic 7, fused from the other runs",
    ),
    (
        Note.of("questions_missed", "bm25", topics=["7"], cost=1000),
        "bm25: retrieved nothing for topic 7, missed at the cost of 1000",
    ),
    (
        Note.of("items_below_depth", "bm25", topics=["7"], depth=10),
        "bm25: the item is ranked below 10 for topic 7, missed",
    ),
    (Note.of("several_targets", topics=["7"]), "topic 7: more than one target, the one ranked best counts"),
    (
        Note.of("lengths_unequal", shortest=3, longest=9, deepest=12),
        "a miss costs from 3 to 9 documents and items are found down to rank 12: with unequal lengths dominance does "
        "not imply value (--length makes them equal)",
    ),
    (
        Note.of("questions_without_value", topics=["7"], predictors=["scq", "idf"]),
        "topic 7: no value of scq, idf, skipped for all predictors",
    ),
    (Note.of("questions_without_text", "topics.tsv", topics=["7"]), "topics.tsv: no text for topic 7, skipped"),
    (Note.of("predictor_constant", "length"), "length: the same for all questions, so it predicts nothing"),
    (
        Note.of("permutations_few", permutations=1000, correlations=400, least=0.7992),
        "1,000 permutations are few for 400 correlations: no corrected p below 0.8",
    ),
    (
        Note.of("samples_few", "randomisation", pairs=4000, correction="holm", least=0.04, enough=80000),
        "randomisation: corrected for 4,000 pairs by holm no p can be below 0.04: take at least 80,000 samples, or "
        "tukey, or --correction bh",
    ),
    (
        Note.of("bytes_replaced", sequences=2, places=1, first="a.txt"),
        "2 sequences of bytes are not UTF-8 and became U+FFFD, in 1 place, first in a.txt",
    ),
    (Note.of("documents_without_text", count=2, first="d7"), "2 documents have no text, first d7"),
    (
        Note.of("fields_not_written", count=1200),
        "1,200 documents have fields, for which this format has no place: they were not written "
        "(JSONL has a place for them)",
    ),
    (
        Note.of("places_not_written", count=1),
        "1 document has places of words on pages, which were not written: only the text was",
    ),
    (
        Note.of("lines_not_written", count=1200),
        "1,200 documents have several lines, which are one line now: TSV has no place for line breaks",
    ),
    (Note.of("pages_unreadable", "a.xml", why="a.xml:1: no"), "not read: a.xml:1: no"),
    (Note.of("more_pages_unreadable", count=1200), "and 1,200 more files could not be read"),
    (
        Note.of("images_without_text", count=2, first="a.png"),
        "2 images have no text beside, first a.png: --ocr tesseract reads them",
    ),
    (
        Note.of("boxes_broken", count=1),
        "1 word has a box that lies outside of its page or is none, and cannot be marked there",
    ),
    (
        Note.of("entities_unknown", names=["pacute", "foo"], times=[3, 1], others=2),
        "unknown entities were replaced by a blank: &pacute; 3×, &foo; 1× and 2 others",
    ),
    (
        Note.of("files_of_another_kind", files=["README", "b.png"], others=1),
        "skipped files of another kind: README, b.png and 1 other files",
    ),
    (
        Note.of("files_hidden", files=["_a.jsonl"], others=0),
        "Spark skips files whose names begin with _: _a.jsonl",
    ),
    (Note.of("text_outside", "fr94.sgml", byte=17), "fr94.sgml: byte 17: text outside of documents was skipped"),
    (Note.of("more_text_outside", count=995), "and 995 more remarks of this kind"),
    (
        Note.of("kernel_not_compiled"),
        "some workers have adjudge without its compiled kernel: results are the same, but it is slower",
    ),
    (Note.of("query_empty", "7"), "topic 7: no term is left in the query"),
    (
        Note.of("query_not_indexed", "7", terms=["zebra", "unicorn"], others=1),
        "topic 7: no term of the query is indexed: zebra, unicorn, …",
    ),
    (
        Note.of("query_weightless", "7", weighting="cosine"),
        "topic 7: every term of the query has weight 0 under cosine",
    ),
    (Note.of("nothing_read_as", "7", words=["zebra", "unicorn"]), "topic 7: nothing may be read as zebra, unicorn"),
    (Note.of("no_content_word", "7"), "topic 7: all words are stop words"),
    (Note.of("no_concept", "7"), "topic 7: no concept occurs"),
    (
        Note.of("concepts_automatic", "7", file="concepts.txt"),
        "topic 7: not in concepts.txt, so its concepts are chosen automatically",
    ),
    (Note.of("concepts_without_topic", "concepts.txt", topic="7"), "concepts.txt: there is no topic 7"),
    (Note.of("no_gram", "7"), "topic 7: no gram is left in the question"),
    (Note.of("no_gram_matches", "7"), "topic 7: no document matches a gram of the question"),
    (Note.of("no_slot", "7"), "topic 7: no document has a slot for a term of the question"),
    (Note.of("no_member_finds", "7"), "topic 7: no member of the fusion finds a document"),
    (
        Note.of("documents_uncorrected", "corrected/failures.csv", count=2),
        "2 documents could not be corrected and are empty: corrected/failures.csv",
    ),
    (Note.of("terms_damaged", "terms.parquet"), "terms.parquet: damaged, extracted again"),
    (Note.of("terms_found", terms=1200, documents=30), "1,200 terms in 30 documents"),
    (Note.of("no_term", why="no multi-word term"), "no multi-word term; answered as without terms"),
    (
        Note.of("terms_absent", terms=2),
        "none of the 2 terms occurs in the documents: were the terms extracted from other documents?",
    ),
    (
        Note.of("cell_failed", "mine", version="clean", why="raised ValueError: no model"),
        "mine failed on clean and is not shown: raised ValueError: no model",
    ),
    (Note.of("own_topics_unanswered", topics=["7"]), "topic 7: no document in the answer"),
    (Note.of("stderr", text="loading the model"), "loading the model"),
    (Note.of("printed", text="a library says hello"), "a library says hello"),
    (Note.of("nothing_found", "bm25", version="20 %"), "bm25 on 20 %: no document was retrieved for any question"),
    (
        Note.of("systems_without_aid", systems=["CLCON", "CLCONF"], aid="outside"),
        "CLCON, CLCONF: skipped: needs clean reference text that is not searched (outside)",
    ),
    (
        Note.of("systems_without_option", systems=["CLCON"], option="--outside DOCS"),
        "CLCON: skipped: they need clean reference text that is not searched: --outside DOCS",
    ),
    (
        Note.of("systems_not_installed", systems=["technical_terms"], why="a lexicon: pip install 'adjudge[terms]'"),
        "technical_terms: skipped: a lexicon: pip install 'adjudge[terms]'",
    ),
    (
        Note.of("files_beside_runs", "runs", files=["a.md", "b.log", "c.html"], others=1),
        "runs: a.md, b.log, c.html and 1 more: not runs, skipped",
    ),
    (Note.of("questions_without_target", topics=["7"]), "topic 7: no document is relevant, skipped"),
    (Note.of("questions_unjudged", topics=["7", "9"]), "2 topics (7, 9): not judged, skipped"),
    (
        Note.of("questions_of_absent_target", "d4", topics=["7"]),
        "topic 7: its target d4 is not in all versions, skipped",
    ),
    (Note.of("questions_without_field", topics=["7"], field="title"), "topic 7: no title, counted as not found"),
    (Note.of("judged_without_question", topics=["7"]), "topic 7: judged, but not among the topics, skipped"),
    (
        Note.of("documents_not_shared", "true", missing=1, documents=4000, first="d2"),
        "true: 1 of 4,000 documents are not in all versions and were skipped, first d2",
    ),
    (
        Note.of("sample_small", documents=3, aligned=1, training=2, aligned_wanted=40, training_wanted=100),
        "3 documents are not a target: 1 of them show errors, 2 serve regression, instead of 40 and 100",
    ),
    (
        Note.of("error_rates_unknown", versions=["5 %", "20 %"]),
        "error rates of 5 %, 20 %: not counted: pip install 'adjudge[noise]'",
    ),
    (
        Note.of("baselines_absent", "noisy", baselines=["a"], others=0),
        "noisy: no baseline a; all pairs are compared",
    ),
    (
        Note.of("comparison_impossible", "noisy", why="one system only: there is nothing to compare"),
        "one system only: there is nothing to compare",
    ),
    (
        Note.of("extracts_absent", "true", why="docs: no such file"),
        "no extracts from the documents of true: docs: no such file",
    ),
    (
        Note.of("module_shadowed", "array", file="/home/me/array.py"),
        "array: skipped: /home/me/array.py stands in the place of the library's module",
    ),
    (Note.of("module_not_importable", "ssl", why="no libssl"), "ssl: skipped: cannot be imported: no libssl"),
    (
        Note.of("source_not_read", "copy.py", why="Permission denied"),
        "copy.py: cannot be read, skipped: Permission denied",
    ),
    (
        Note.of("source_not_parsed", "copy.py", why="invalid syntax"),
        "copy.py: cannot be parsed, skipped: invalid syntax",
    ),
    (
        Note.of("target_not_in_library", "PD01", target="statistics.mean"),
        "question PD01: its target statistics.mean is not in this Python's library, skipped",
    ),
    (
        Note.of("file_of_dump_absent", "Votes.xml"),
        "no Votes.xml beside it: dates of acceptance and bounties are not known",
    ),
    (Note.of("other_versions", count=3), "3 ids of the corpus are other versions of one document: the last counts"),
    (
        Note.of("odd_ids_of_corpus", "xx", count=2, size=5),
        "2 of 5 ids of the corpus are neither ids of arXiv nor DOIs, so nothing can cite them: xx",
    ),
    (
        Note.of("answer_not_taken", "17", document="d4", totality="partial", directness="direct", micro_topic=2),
        "thread 17: d4 is partial and direct for micro-topic 2, not exported",
    ),
    (Note.of("thread_without_answer", "17"), "thread 17: accepted, and no document is total and direct, skipped"),
    (
        Note.of("no_candidates", "project"),
        "project: no thread has become a candidate, so there is nothing to assess",
    ),
    (Note.of("thread_of_few", "17", people=1, wanted=2), "thread 17: finished by 1 of 2 people, skipped"),
    (Note.of("topic_without_judgment", "7"), "topic 7: no judgment, skipped"),
    (Note.of("sentence_not_begun", "7.txt"), "7.txt: an end of a sentence without its beginning"),
    (Note.of("sentence_not_closed", "7.txt", sentence=3), "7.txt: sentence 3 is not closed"),
    (
        Note.of("factor_constant", "stemmer", level="porter"),
        "stemmer is porter for all systems: it is no factor of theirs",
    ),
    (Note.of("factors_unused", systems=["a", "b"]), "factors: a and b are not among the systems"),
    (
        Note.of("interaction_not_estimable", "a × b", combinations=3),
        "a × b: systems have 3 combinations of its levels only, left out of the model",
    ),
    (Note.of("texts_of_none", "7"), "topic 7: the documents given hold none of those that were retrieved"),
    (Note.of("tokens"), "tokens"),
    (Note.of("cwords"), "c-words"),
    (Note.of("cwords_unchanged"), "c-words kept"),
    (Note.of("glyph_missing", "U+F0001"), "no glyph for U+F0001, a box was printed"),
    (Note.of("shape_missing", "U+200B"), "U+200B has no shape, nothing was printed"),
    (Note.of("right_to_left_turned"), "right-to-left characters printed from left to right"),
    (
        Note.of("sentence_number_wrong", "7.txt", number="x"),
        "7.txt: sentence number 'x' occurs twice or is not a number",
    ),
)


def noted() -> Iterator[tuple[str, str]]:
    """Every kind in a call ``Note.of("kind", …)``, and where it is."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Note.of" and path.name != "note.py":
                first = node.args[0]
                for choice in (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,):
                    if not isinstance(choice, ast.Constant):
                        raise AssertionError(f"{path}:{node.lineno}: the kind of a note is written out")
                    yield str(choice.value), f"{path.name}:{node.lineno}"


@pytest.mark.slow
def test_every_kind_has_a_sentence_and_every_sentence_a_kind() -> None:
    where = dict(noted())
    assert set(where) == set(kinds()), {kind: where.get(kind, "no note") for kind in set(where) ^ set(kinds())}


def test_there_is_a_sample_of_every_kind() -> None:
    assert {note.kind for note, _ in SAMPLES} == set(kinds())


@pytest.mark.parametrize(("note", "expected"), SAMPLES, ids=[note.kind for note, _ in SAMPLES])
def test_sentences_are_made_of_facts(note: Note, expected: str) -> None:
    assert str(note) == sentence(note) == expected
    again = Note.from_json(json.loads(json.dumps(note.to_json())))
    assert again == note
    assert str(again) == expected


def test_a_note_that_was_passed_on_says_whose_it_is() -> None:
    note = Note.of("query_empty", "7").pass_on("bm25").pass_on("fusion(of=[bm25 gmu])")
    assert str(note) == "fusion(of=[bm25 gmu]): bm25: topic 7: no term is left in the query"
    assert Note.from_json(json.loads(json.dumps(note.to_json()))) == note
    assert note.kind == "query_empty"
    assert note.subject == "7"
    assert str(Note.of("query_empty")) == "no term is left in the query"


def test_notes_are_counted_and_dropped_by_kind_and_subject() -> None:
    notes = [Note.of("query_empty", "1"), Note.of("query_empty", "1"), Note.of("query_empty", "2")]
    assert len(dict.fromkeys(notes)) == 2
    assert notes[0].about("2") == notes[2]
    assert Note.of("questions_unjudged").adding(topics=["1", "2"])["topics"] == ("1", "2")


@pytest.mark.parametrize(
    "data",
    [None, "a sentence", [], ["kind"], ["kind", "subject"], ["kind", 1, {}], ["kind", "", []], [1, "", {}],
     ["kind", "", {"kind": 1}], ["kind", "", {"fact": {}}], ["kind", "", {}, "me"], ["kind", "", {}, [1]],
     ["kind", "", {}, [], 1]],
)  # fmt: skip
def test_what_is_no_note_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="not a note"):
        Note.from_json(data)
