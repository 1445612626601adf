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
makes nothing: it prints one row a collection, and writes every difference, to decipher and to the best peer, with its
95 % interval (bootstrap over questions), into ``work/intervals.json``. The best peer of a collection is the one with
the highest figure there, seen afterwards: that favours the peers. Pages are read by OCR in this process, which takes
half an hour for all of them and more with tesseract.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from peer_collections import Case, built_in, classics, federal_register, real_scans
from scanned_tables import interval

import adjudge
from adjudge.core.errors import AdjudgeError
from adjudge.core.run import Run
from adjudge.experiment.completed_runs import slug
from adjudge.storage.replace import write_bytes
from adjudge.systems.parts.version import Version
from adjudge.systems.system import systems
from scanned import source

FUSION = "fusion(of=[bm25, grams], method=combsum)"
PEERS = (
    "bm25",
    "grams",
    "grams(n=3)",
    FUSION,
    "fuzzy_expansion",
    "symspell(distance=1)",
    "tantivy_fuzzy(distance=2)",
    "lucene_fuzzy(edits=1)",
    "fts5_trigram(match=words)",
    "pg_trgm",
)
"""With their defaults, or what was better on en-periodical and de (2–3 words), by the mean of both."""
SUBJECT = "decipher"
SHORT = {
    "grams": "4-grams",
    "grams(n=3)": "3-grams",
    FUSION: "bm25 + 4-grams",
    "fuzzy_expansion": "rapidfuzz",
    "symspell(distance=1)": "symspell",
    "tantivy_fuzzy(distance=2)": "tantivy",
    "lucene_fuzzy(edits=1)": "Lucene",
    "fts5_trigram(match=words)": "FTS5",
}
"""The names of systems in the tables."""
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


def topic_values(run: Run, case: Case) -> dict[str, float]:
    """The value of each question, 0 where nothing was found."""
    values = {topic.id: 0.0 for topic in adjudge.read_topics(case.topics)}
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
    asked = {topic.id: topic.title for topic in adjudge.read_topics(case.topics)}
    began = time.process_time()
    try:
        run = system.run(version, asked)
    except AdjudgeError as error:
        print(f"{case.name}: {spec} left out: {error}", file=sys.stderr)
        return
    values = topic_values(run, case)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"system": spec, "measure": case.measure, "seconds": time.process_time() - began, "values": values}
    write_bytes(path, json.dumps(content).encode())
    print(f"{case.name}: {spec} {np.mean(list(values.values())):.4f}", flush=True)


def read_values(case: Case, work: Path, specs: Sequence[str]) -> dict[str, np.ndarray]:
    """The values of the systems that have answered, question by question, in one order."""
    found, order = {}, [topic.id for topic in adjudge.read_topics(case.topics)]
    for spec in specs:
        path = place(work, case, spec)
        if path.exists():
            values = json.loads(path.read_bytes())["values"]
            found[spec] = np.array([values[topic] for topic in order])
    return found


def differences(values: Mapping[str, np.ndarray]) -> dict[str, dict[str, object]]:
    """The mean of each system, and its difference to decipher and to the best peer, with intervals."""
    best = best_peer(values)
    made: dict[str, dict[str, object]] = {}
    for spec, own in values.items():
        made[spec] = {"mean": float(own.mean()), "interval": interval(own)}
        for name, other in (("minus decipher", SUBJECT), ("minus best peer", best)):
            if other in values and other != spec:
                gap = own - values[other]
                made[spec][name] = {"of": other, "mean": float(gap.mean()), "interval": interval(gap)}
    return made


def best_peer(values: Mapping[str, np.ndarray]) -> str:
    """The peer with the highest mean, the first of them if there are several."""
    return max((spec for spec in values if not spec.startswith(SUBJECT)), key=lambda spec: float(values[spec].mean()))


def _short(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if value < 0.9995 else "1.000"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("0.", ".", 1).replace("-", "−")


def table(chosen: Sequence[Case], work: Path, specs: Sequence[str]) -> str:
    """One row a collection: means, and decipher's difference to the best peer of that collection."""
    names = [SHORT.get(spec, spec) for spec in specs]
    header = ["", "questions", *names, "best peer", "decipher − best peer"]
    lines = [header, ["---", *["---:"] * (len(names) + 1), "---", "---:"]]
    for case in chosen:
        values = read_values(case, work, specs)
        top = max(float(own.mean()) for own in values.values())
        row = [case.name + ("*" if case.chosen_on else ""), str(len(next(iter(values.values()))))]
        for spec in specs:
            mean = float(values[spec].mean()) if spec in values else None
            shown = "" if mean is None else _short(mean)
            row.append(f"**{shown}**" if mean is not None and shown == _short(top) else shown)
        best = best_peer(values)
        row.append(SHORT.get(best, best))
        if SUBJECT in values:
            gap = values[SUBJECT] - values[best]
            low, high = interval(gap)
            row.append(f"{_signed(float(gap.mean()))} ({_signed(low)} to {_signed(high)})")
        else:
            row.append("")
        lines.append(row)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def counts(every: Mapping[str, Mapping[str, np.ndarray]], specs: Sequence[str]) -> str:
    """For each peer, on how many collections decipher is better or worse than it by more than chance."""
    lines = ["| | collections | decipher better | no difference | decipher worse |", "|---|---:|---:|---:|---:|"]
    for spec in specs:
        gaps = [v[SUBJECT] - v[spec] for v in every.values() if spec in v and SUBJECT in v and spec != SUBJECT]
        bounds = [interval(gap) for gap in gaps]
        better, worse = sum(low > 0 for low, _ in bounds), sum(high < 0 for _, high in bounds)
        if gaps:
            same = len(gaps) - better - worse
            lines.append(f"| {SHORT.get(spec, spec)} | {len(gaps)} | {better} | {same} | {worse} |")
    return "\n".join(lines) + "\n"


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
    specs, chosen = options.system or [*PEERS, SUBJECT], list(cases(options))
    if not options.tables:
        for case in chosen:
            for spec in specs:
                make_values(case, spec, options.work)
        return
    for kind in KINDS:
        some = [case for case in chosen if case.kind == kind and read_values(case, options.work, specs)]
        if some:
            print(f"\n## {kind}\n\n{table(some, options.work, specs)}")
    every = {case.name: values for case in chosen if (values := read_values(case, options.work, specs))}
    print(counts(every, specs))
    told = {name: differences(values) for name, values in every.items()}
    write_bytes(options.work / "intervals.json", json.dumps(told, indent=1).encode())


if __name__ == "__main__":
    main()
