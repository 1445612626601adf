"""Search in scanned text: decipher beside everything else that people use for it, on many collections.

    python experiments/scanned_peers.py work/ --scans real-scans/ --fr94 fr94.tar.xz --known questions.tsv \\
        --classic glasgow/
    python experiments/scanned_peers.py work/ … --only de --only fr -s decipher -s "fuzzy_expansion(cutoff=75)"
    python experiments/scanned_peers.py work/ --tables

``--scans`` holds folders as experiments/real_scans.py has them, ``--classic`` the archive classic-collections unpacked,
``--known`` lines of id, question and document; the fresh questions are beside this file. What is not given is left out.
``--only`` takes collections whose names contain a text. pg_trgm needs a server in ADJUDGE_POSTGRESQL, lucene_fuzzy Java
and the jars; where a system cannot work this is said and the others go on.

The values of a system on a collection, question by question, go into ``work/values/`` as JSON, and are not made again;
those of decipher are made again when its source changes, so after a change ``-s decipher`` is enough. ``--tables``
runs no system: for each kind of collection it prints the means, and decipher's differences to bm25, to the best of
bm25, grams and their fusions, and to the best peer, with their 95 % intervals (paired bootstrap over questions); then
on how many collections decipher is better and worse than each system by more than chance, and where it is worse. Every
difference goes into ``work/intervals.json``. The best peer of a collection is the one that decipher leads by least
there, seen afterwards: that favours the peers. Pages are read by OCR in this process, which takes half an hour of
processor time with ocrad, and half an hour with tesseract, which reads a sample.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from peer_collections import Case, built_in, classics, federal_register, real_scans
from scanned_tables import interval

import adjudge
from adjudge.core.errors import AdjudgeError
from adjudge.core.run import Run
from adjudge.experiment.completed_runs import slug
from adjudge.noise.error_rates import ErrorCounter
from adjudge.storage.replace import write_bytes
from adjudge.systems.parts.version import Version
from adjudge.systems.system import systems
from scanned import source

FUSION = "fusion(of=[bm25, grams], method=combsum)"
FUSION_OF_THREE = "fusion(of=[bm25, grams(n=3)], method=combsum)"
PLAIN = ("bm25", "grams", "grams(n=3)", FUSION, FUSION_OF_THREE)
"""What needs nothing but an index of words or of grams."""
PEERS = (
    "fuzzy_expansion",
    "symspell(distance=1)",
    "tantivy_fuzzy(distance=2)",
    "lucene_fuzzy(edits=1)",
    "fts5_trigram(match=words)",
    "pg_trgm",
)
"""With their defaults, or what was better on en-periodical and de (2–3 words), by the mean of both."""
SUBJECT, FAR = "decipher", "decipher(near=false)"
"""The second does not care whether the words of a question stand near each other: no other system does either."""
SLOW = ("fuzzy_expansion", "lucene_fuzzy(edits=1)")
FEW = {"rr": 150, "ap": 50}
"""Of collections other than the real scans, slow peers answer so many questions, the same ones: topics have many
words."""
SEED = 24
SHORT = {
    FAR: "decipher, near = false",
    "grams": "4-grams",
    "grams(n=3)": "3-grams",
    FUSION: "bm25 + 4-grams",
    FUSION_OF_THREE: "bm25 + 3-grams",
    "fuzzy_expansion": "rapidfuzz",
    "symspell(distance=1)": "symspell",
    "tantivy_fuzzy(distance=2)": "tantivy",
    "lucene_fuzzy(edits=1)": "Lucene",
    "fts5_trigram(match=words)": "FTS5",
}
"""The names of systems in the tables."""
ALIGNED = 100
"""Documents at most in which wrong characters are counted."""
KINDS = ("real scans", "made scans", "mixed", "clean")


def cases(options: argparse.Namespace) -> Iterator[Case]:
    """The collections whose data is there and whose names were asked for."""
    every: list[Case] = []
    if options.scans:
        every += real_scans(options.scans, options.work)
    if options.fr94:
        every += federal_register(options.fr94, options.known, options.fresh, options.work)
    if options.classic:
        every += classics(options.classic, options.work)
    every += built_in(options.work)
    for case in every:
        named = not options.only or any(text in case.name for text in options.only)
        if named and case.kind in (options.kind or KINDS):
            yield case


def place(work: Path, case: Case, spec: str) -> Path:
    """The file with the values of a system on a collection."""
    made_by = f"-{source()}" if spec.startswith(SUBJECT) else ""
    return work / "values" / slug(case.name) / f"{slug(spec)}{made_by}.json"


def questions_for(spec: str, case: Case) -> dict[str, str]:
    """All of them, or for a slow system some."""
    asked = {topic.id: topic.title for topic in adjudge.read_topics(case.topics)}
    if spec not in SLOW or case.kind == "real scans" or len(asked) <= FEW[case.measure]:
        return asked
    some = random.Random(SEED).sample(list(asked), FEW[case.measure])  # noqa: S311  a drawing
    return {topic: asked[topic] for topic in some}


def topic_values(run: Run, case: Case, asked: Iterable[str]) -> dict[str, float]:
    """The value of each question, 0 where nothing was found."""
    values = dict.fromkeys(asked, 0.0)
    if len(run):
        scores = adjudge.measure(adjudge.read_qrels(case.judgments), run, [case.measure])
        own = scores.per_topic(scores.systems[0]).items()
        values |= {topic: row[case.measure] for topic, row in own if topic in values}
    return values


def make_values(case: Case, spec: str, work: Path) -> None:
    """Let a system answer the questions of a collection, unless it did before."""
    path = place(work, case, spec)
    if path.exists():
        return
    system = systems.parse(spec)
    if why := system.missing():
        print(f"{case.name}: {spec} left out: {why}", file=sys.stderr)
        return
    kept = work / "made" / slug(case.version) / (source() if spec.startswith(SUBJECT) else "others")
    version = Version(case.version, adjudge.read_documents(case.make()), kept)
    asked = questions_for(spec, case)
    began = time.process_time()
    try:
        run = system.run(version, asked)
    except AdjudgeError as error:
        print(f"{case.name}: {spec} left out: {error}", file=sys.stderr)
        return
    values = topic_values(run, case, asked)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"system": spec, "measure": case.measure, "seconds": time.process_time() - began, "values": values}
    write_bytes(path, json.dumps(content).encode())
    print(f"{case.name}: {spec} {np.mean(list(values.values())):.4f}", flush=True)


def read_values(case: Case, work: Path, specs: Sequence[str]) -> dict[str, np.ndarray]:
    """The values of the systems that have answered, question by question, in one order; NaN was not asked."""
    found, order = {}, [topic.id for topic in adjudge.read_topics(case.topics)]
    for spec in specs:
        path = place(work, case, spec)
        if path.exists():
            values = json.loads(path.read_bytes())["values"]
            found[spec] = np.array([values.get(topic, np.nan) for topic in order])
    return found


def gap_to(values: Mapping[str, np.ndarray], other: str, subject: str = SUBJECT) -> np.ndarray:
    """What decipher has more than another system, on the questions that both answered."""
    gap = values[subject] - values[other]
    return gap[~np.isnan(gap)]


def differences(values: Mapping[str, np.ndarray]) -> dict[str, dict[str, object]]:
    """The mean of each system, and decipher's difference to it, with intervals."""
    made: dict[str, dict[str, object]] = {}
    for spec, own in values.items():
        answered = own[~np.isnan(own)]
        made[spec] = {"questions": len(answered), "mean": float(answered.mean()), "interval": interval(answered)}
        if SUBJECT in values and spec != SUBJECT:
            gap = gap_to(values, spec)
            made[spec]["decipher minus this"] = {"mean": float(gap.mean()), "interval": interval(gap)}
    return made


def best(values: Mapping[str, np.ndarray], specs: Sequence[str]) -> str | None:
    """The system that decipher leads by least, the first of them if there are several."""
    there = [spec for spec in specs if spec in values]
    return min(there, key=lambda spec: float(gap_to(values, spec).mean()), default=None)


def wrong_characters(case: Case, work: Path) -> str:
    """The share in some documents of a version, from its beginning to its end, if it is one scan."""
    if case.true is None:
        return ""
    path = work / "errors" / f"{slug(case.version)}.json"
    if not path.exists():
        true, scan = (list(adjudge.read_documents(make())) for make in (case.true, case.make))
        counter, texts = ErrorCounter(), {document.id: document.text for document in true}
        for document in scan[:: math.ceil(len(scan) / ALIGNED)]:
            counter.add(document.id, texts[document.id], document.text)
        rates = counter.rates()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, json.dumps(float(rates.edits.sum() / rates.characters.sum())).encode())
    return f"{json.loads(path.read_bytes()):.1%}".replace("%", " %")


def means(chosen: Sequence[Case], work: Path, specs: Sequence[str]) -> str:
    """One row a collection: the mean of each system, the highest in bold; ° marks means over fewer questions."""
    names = [SHORT.get(spec, spec) for spec in specs]
    lines = [["", "wrong characters", "questions", *names], ["---", *["---:"] * (len(names) + 2)]]
    for case in chosen:
        values = read_values(case, work, specs)
        shown = {spec: _short(float(np.nanmean(own))) for spec, own in values.items()}
        row = [_named(case), wrong_characters(case, work), str(len(next(iter(values.values()))))]
        fewer = {spec for spec, own in values.items() if np.isnan(own).any()}
        top = max(text for spec, text in shown.items() if spec not in fewer)
        for spec in specs:
            text = shown.get(spec, "")
            row.append(f"{text}°" if spec in fewer else f"**{text}**" if text == top else text)
        lines.append(row)
    return _table(lines)


def gaps(chosen: Sequence[Case], work: Path, specs: Sequence[str]) -> str:
    """One row a collection: decipher's differences; in bold what is below by more than chance."""
    lines = [
        ["", "− bm25", "best of bm25, grams, fusions", "− that", "best peer", "− that"],
        ["---", "---:", "---", "---:", "---", "---:"],
    ]
    for case in chosen:
        values = read_values(case, work, specs)
        if SUBJECT not in values:
            continue
        row = [_named(case), _gap(values, "bm25")]
        for some in (PLAIN, PEERS):
            other = best(values, some)
            row += [SHORT.get(other or "", other or ""), _gap(values, other)]
        lines.append(row)
    return _table(lines)


def _gap(values: Mapping[str, np.ndarray], other: str | None) -> str:
    if other is None or other not in values:
        return ""
    gap = gap_to(values, other)
    low, high = interval(gap)
    text = f"{_signed(float(gap.mean()))} ({_signed(low)} to {_signed(high)})"
    return f"**{text}**" if high < 0 else text


def _named(case: Case) -> str:
    return case.name + ("*" if case.chosen_on else "")


def _table(lines: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _short(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if value < 0.9995 else "1.000"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("0.", ".", 1).replace("-", "−")


def counts(every: Mapping[str, Mapping[str, np.ndarray]], specs: Sequence[str]) -> str:
    """For each system, in how many rows decipher is better or worse than it by more than chance, in both forms."""
    header = ["", "rows", "better", "no difference", "worse", "near = false: better", "no difference", "worse"]
    lines = [header, ["---", *["---:"] * 7]]
    for spec in specs:
        row = [SHORT.get(spec, spec)]
        for subject in (SUBJECT, FAR):
            both = [values for values in every.values() if spec in values and subject in values and spec != subject]
            bounds = [interval(gap_to(values, spec, subject)) for values in both]
            better, worse = sum(low > 0 for low, _ in bounds), sum(high < 0 for _, high in bounds)
            row += [str(len(bounds))] if subject == SUBJECT else []
            row += map(str, (better, len(bounds) - better - worse, worse))
        if spec not in (SUBJECT, FAR):
            lines.append(row)
    return _table(lines)


def below(every: Mapping[str, Mapping[str, np.ndarray]], specs: Sequence[str]) -> str:
    """Every system and collection where decipher is worse by more than chance."""
    lines = [["", "worse than", "by"], ["---", "---", "---:"]]
    for name, values in every.items():
        for spec in specs:
            both = SUBJECT in values and spec in values and spec != SUBJECT
            if both and interval(gap_to(values, spec))[1] < 0:
                lines.append([name, SHORT.get(spec, spec), _gap(values, spec).strip("*")])
    return _table(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    for name in ("scans", "fr94", "known", "classic"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--fresh", type=Path, default=Path(__file__).with_name("fr94-questions.tsv"))
    parser.add_argument("--only", action="append", metavar="TEXT", help="collections with this in their names")
    parser.add_argument("--kind", action="append", choices=KINDS, help="the collections of this table")
    parser.add_argument("-s", "--system", action="append", metavar="SPEC", help="these and no others")
    parser.add_argument("--tables", action="store_true", help="print tables of what was made, and make nothing")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.fr94 and not options.known:
        parser.error("--fr94 needs --known")
    specs, chosen = options.system or [*PLAIN, *PEERS, FAR, SUBJECT], list(cases(options))
    if not options.tables:
        for case in chosen:
            for spec in specs:
                make_values(case, spec, options.work)
        return
    for kind in KINDS:
        some = [case for case in chosen if case.kind == kind and read_values(case, options.work, specs)]
        if some:
            print(f"\n## {kind}\n\n{means(some, options.work, specs)}\n{gaps(some, options.work, specs)}")
    every = {case.name: values for case in chosen if (values := read_values(case, options.work, specs))}
    print(f"{counts(every, specs)}\n{below(every, specs)}")
    told = {name: differences(values) for name, values in every.items()}
    write_bytes(options.work / "intervals.json", json.dumps(told, indent=1).encode())


if __name__ == "__main__":
    main()
