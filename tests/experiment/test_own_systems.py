"""Systems of one's own in a plan: code and commands, what they may be, and how they fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.core.errors import AdjudgeError, DataError
from adjudge.experiment.cell import RunRecord
from adjudge.experiment.completed_runs import CompletedRuns, slug
from adjudge.experiment.plan import Plan
from adjudge.experiment.running import CellError, conduct, run
from adjudge.report.result_files import result_files

TEXTS = {
    "d1": "solar power plants of florida",
    "d2": "wind power in the plains",
    "d3": "coupons and bonds of the treasury",
    "d4": "parrots in cages",
}
RANKERS = '''
import sys
from words_of import words

def search(queries, documents, k, weight=1.0):
    """All questions at once, with documents and a setting."""
    texts = {d.id: words(d.text) for d in documents}
    print("searching", len(queries), file=sys.stderr)
    answers = []
    for query in queries:
        scores = {i: weight * len(words(query) & own) for i, own in texts.items()}
        answers.append(sorted(((i, s) for i, s in scores.items() if s), key=lambda pair: -pair[1])[:k])
    return answers

def one(query):
    return ["d4"] if "parrot" in query else ["d2", "d1"]

class Ranker:
    def __init__(self, weight=1.0):
        self.weight = weight
    def prepare(self, documents):
        self.texts = {d.id: words(d.text) for d in documents}
    def answer(self, query):
        return {i: self.weight * len(words(query) & own) for i, own in self.texts.items() if words(query) & own}

class Transformer:
    def transform(self, topics):
        import pandas as pd
        rows = [(qid, "d1", 1.0) for qid in topics["qid"]]
        return pd.DataFrame(rows, columns=["qid", "docno", "score"])

transformer = Transformer()

def boom(query):
    raise ValueError("the model\\nis missing")
def hang(query):
    import time
    time.sleep(60)
def unknown(query):
    return ["d1", "x9"]
def leaves(query):
    raise SystemExit(3)
def dies(query):
    import os
    os._exit(9)
def nothing(query):
    return []
'''


@pytest.fixture
def place(tmp_path: Path) -> Path:
    lines = "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in TEXTS.items())
    (tmp_path / "docs.jsonl").write_text(lines)
    (tmp_path / "topics.tsv").write_text("q1\tsolar energy in florida\nq2\tparrots\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d4 1\n")
    (tmp_path / "rankers.py").write_text(RANKERS)
    (tmp_path / "words_of.py").write_text("def words(text):\n    return set(text.split())\n")
    return tmp_path


def plan_of(place: Path, systems: str) -> Plan:
    path = place / "plan.toml"
    head = 'topics = "topics.tsv"\njudgments = "qrels.txt"\ndocuments = "docs.jsonl"\n'
    path.write_text(f"{head}[systems]\n{systems}\n")
    return Plan.read(path)


def ranked(results: CompletedRuns, name: str) -> list[tuple[str, str]]:
    own = results.run("clean", name)
    return [(topic, document) for topic, document, _ in own.rows()]


@pytest.mark.slow
def test_code_of_every_shape_answers(place: Path) -> None:
    systems = """
    all = { python = "rankers:search", weight = 2.5 }
    class = { python = "rankers.py:Ranker", weight = 3 }
    transformer = { python = "rankers:transformer" }
    bm25 = "bm25"
    """
    execution = conduct(plan_of(place, systems), place / "out", result_files)
    assert not execution.failures
    results = execution.results
    assert ranked(results, "all") == [("q1", "d1"), ("q1", "d4"), ("q1", "d2"), ("q2", "d4")]
    assert ranked(results, "class") == ranked(results, "all")
    assert ranked(results, "transformer") == [("q1", "d1"), ("q2", "d1")]
    assert dict(results.run("clean", "all").to_dict()["q1"]) == {"d1": 5.0, "d2": 2.5, "d4": 2.5}
    record = results.records["clean"]["all"]
    assert record.stderr == "searching 2\n"
    assert record.system == 'python(of=rankers:search, settings="{\\"weight\\": 2.5}")'
    assert execution.findings is not None
    assert set(execution.findings.systems) == {"all", "class", "transformer", "bm25"}
    page = execution.page.read_text()
    assert "transformer" in page
    assert str(place) not in page


FAILURES = [
    ("boom", "raised ValueError: the model is missing (rankers.py:"),
    ("unknown", "the run has the document 'x9', which is not among the documents"),
    ("leaves", "raised SystemExit: 3"),
    ("dies", "ended with exit code 9"),
]


@pytest.mark.slow
def test_code_that_fails_is_one_line_and_the_others_go_on(place: Path) -> None:
    own = "\n".join(f'{name} = {{ python = "rankers:{name}" }}' for name, _ in FAILURES)
    late = 'hang = { python = "rankers:hang", limit = 1 }'
    plan = plan_of(place, f'{own}\n{late}\nnothing = {{ python = "rankers:nothing" }}\nbm25 = "bm25"')
    execution = conduct(plan, place / "out", result_files)
    failed = {failure.system: failure.why for failure in execution.failures}
    for name, why in [*FAILURES, ("hang", "did not end within its limit of 1 seconds")]:
        assert why in failed.pop(name)
    assert not failed
    assert all("\n" not in str(failure) for failure in execution.failures)
    assert execution.findings is not None
    assert sorted(execution.findings.systems) == ["bm25", "nothing"]
    assert "boom failed on clean and is not shown: raised ValueError" in execution.page.read_text()
    assert "the model" in (place / "out" / "runs" / "clean" / "boom.stderr.log").read_text()
    with pytest.raises(CellError, match="boom on clean: raised ValueError"):
        run(plan, place / "out")


def test_nothing_is_left_if_all_fail(place: Path) -> None:
    with pytest.raises(CellError, match=r"^boom on clean: raised ValueError"):
        conduct(plan_of(place, 'boom = { python = "rankers:boom" }'), place / "out", result_files)
    assert not (place / "out" / "report.html").exists()


@pytest.mark.parametrize(
    ("system", "why"),
    [
        ('{ python = "nowhere:search" }', "system mine: no module nowhere in "),
        ('{ python = "no.py:search" }', "no.py: no such file"),
        ('{ python = "rankers" }', "python must be package.module:name or file.py:name, not 'rankers'"),
        ('{ python = "rankers:search", command = "x" }', "give one of python, command, system, not python and command"),
        ("{ k1 = 2 }", "give one of python, command, system, not none"),
        ('{ command = "no-such-program-xyz {topics}" }', "system mine: there is no program no-such-program-xyz"),
        ('{ command = "cat {topics} {qrels}" }', "system mine: command: no {qrels}"),
        ('{ command = "cat {topics:xml}" }', "no layout xml of topics: one of tsv, jsonl, trec"),
        ('{ command = "cat \'{topics}" }', "No closing quotation"),
        ('{ python = "rankers:search", limit = 0 }', "limit must be a number of seconds above 0, not 0"),
        ('{ python = "rankers:search", reads = ["model.bin"] }', "model.bin: no such file"),
        ('{ system = "bm25", k2 = 3 }', "bm25 has no parameter 'k2', it has k1, b, analyzer"),
    ],
)
def test_what_is_wrong_with_a_system_is_told_before_anything_is_done(place: Path, system: str, why: str) -> None:
    with pytest.raises(AdjudgeError) as caught:
        run(plan_of(place, f"mine = {system}"), place / "out")
    assert why in str(caught.value)
    assert not (place / "out" / "runs").exists()


def key_of(results: CompletedRuns, name: str = "mine") -> str:
    return results.records["clean"][name].key


def test_runs_are_kept_by_the_content_of_the_code(place: Path) -> None:
    plan = plan_of(place, 'mine = { python = "rankers:one" }')
    first = run(plan, place / "out")
    record = place / "out" / "runs" / "clean" / "mine.json"
    stamp = record.stat().st_mtime_ns
    assert key_of(run(plan, place / "out")) == key_of(first)
    assert record.stat().st_mtime_ns == stamp
    helper = place / "words_of.py"  # rankers.py imports it
    helper.write_text(helper.read_text() + "\n# changed\n")
    assert key_of(run(plan, place / "out")) != key_of(first)


def test_a_version_stands_for_the_code(place: Path) -> None:
    plan = plan_of(place, 'mine = { python = "rankers:one", version = 3 }')
    first = run(plan, place / "out")
    (place / "rankers.py").write_text(RANKERS + "\n# changed\n")
    assert key_of(run(plan, place / "out")) == key_of(first)
    assert key_of(run(plan_of(place, 'mine = { python = "rankers:one", version = 4 }'), place / "out")) != key_of(first)


def test_files_that_the_code_reads_count(place: Path) -> None:
    (place / "model.txt").write_text("1")
    plan = plan_of(place, 'mine = { python = "rankers:one", version = 3, reads = ["model.txt"] }')
    first = run(plan, place / "out")
    (place / "model.txt").write_text("2")
    assert key_of(run(plan, place / "out")) != key_of(first)


SEARCH = """
import json, sys
topics, target, *rest = sys.argv[1:]
print("reading", file=sys.stderr)
out = sys.stdout if target == "-" else open(target, "w")
for line in open(topics):
    topic, text = line.rstrip("\\n").split("\\t")
    for rank, document in enumerate(["d4", "d1"] if "parrot" in text else ["d1", "d2"], 1):
        print(topic, "Q0", document, rank, 10 - rank, "theirs", file=out)
if rest:
    json.dump(rest, open("arguments.json", "w"))
"""


def test_a_command_reads_topics_and_writes_a_run(place: Path) -> None:
    (place / "search.py").write_text(SEARCH)
    python = sys.executable
    systems = f"""
    file = {{ command = "{python} search.py {{topics}} {{run}}" }}
    printed = {{ command = ["{python}", "search.py", "{{topics}}", "-"] }}
    bm25 = "bm25"
    """
    results = run(plan_of(place, systems), place / "out")
    assert (
        ranked(results, "file")
        == ranked(results, "printed")
        == [("q1", "d1"), ("q1", "d2"), ("q2", "d4"), ("q2", "d1")]
    )
    assert results.records["clean"]["file"].stderr == "reading\n"
    (place / "search.py").write_text(SEARCH + "\n# changed\n")
    assert key_of(run(plan_of(place, systems), place / "out"), "file") != key_of(results, "file")


def test_arguments_of_a_command_never_see_a_shell(place: Path) -> None:
    (place / "search.py").write_text(SEARCH)
    evil = "a b; touch hacked $(touch hacked) `touch hacked` {topics} {{x}}"
    system = {"command": [sys.executable, "search.py", "{topics}", "{run}", "{what}", "{k}", "{{k}}"], "what": evil}
    lines = f"mine = {{ command = {json.dumps(system['command'])}, what = {json.dumps(evil)} }}"
    run(plan_of(place, lines), place / "out")
    assert json.loads((place / "arguments.json").read_text()) == [evil, "1000", "{k}"]
    assert not (place / "hacked").exists()


def test_documents_reach_a_command(place: Path) -> None:
    (place / "search.py").write_text(
        "import json, sys\n"
        "ids = [json.loads(line)['id'] for line in open(sys.argv[1])]\n"
        "trec = open(sys.argv[2]).read()\n"
        "for i in ids:\n    assert f'<DOCNO>{i}</DOCNO>' in trec\n    print('q1 Q0', i, 1, ids.index(i), 'x')\n"
    )
    results = run(
        plan_of(place, f'mine = {{ command = "{sys.executable} search.py {{documents}} {{documents:trec}}" }}'),
        place / "out",
    )
    assert [document for _, document in ranked(results, "mine")] == ["d4", "d3", "d2", "d1"]
    notes = [str(note) for note in results.records["clean"]["mine"].notes]
    assert notes == ["topic q2: no document in the answer"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("print('not a run')", "the run that it wrote:1: "),
        ("pass", "the run that it wrote is empty"),
        ("import sys; sys.exit('no model')", "ended with exit code 1"),
        ("print('q1 Q0 zz 1 1 x')", "the run has the document 'zz', which is not among the documents"),
        ("print('q9 Q0 d1 1 1 x')", "the run has topic q9, which nobody asked for"),
        ("print('q1 Q0 d1 1 nan x')", "nan"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by SIGKILL"),
        ("import sys; sys.stdout.buffer.write(bytes(range(256)) * 50)", "the run that it wrote"),
    ],
)
def test_a_command_that_fails_is_one_line(place: Path, code: str, why: str) -> None:
    (place / "search.py").write_text(code)
    plan = plan_of(place, f'mine = {{ command = "{sys.executable} search.py" }}\nbm25 = "bm25"')
    with pytest.raises(CellError) as caught:
        run(plan, place / "out")
    failures = caught.value.failures
    assert [failure.system for failure in failures] == ["mine"]
    assert why in failures[0].why
    assert "\n" not in failures[0].why
    assert (place / "out" / "runs" / "clean" / "bm25.json").exists()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
def test_what_a_command_started_ends_with_its_limit(place: Path) -> None:
    (place / "search.py").write_text(
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pids', 'w').write(f'{os.getpid()} {child.pid}')\ntime.sleep(600)\n"
    )
    plan = plan_of(place, f'mine = {{ command = "{sys.executable} search.py", limit = 2 }}')
    with pytest.raises(CellError, match="did not end within its limit of 2 seconds"):
        run(plan, place / "out")
    pids = list(map(int, (place / "pids").read_text().split()))
    wait_for(lambda: not any(map(alive, pids)))


@pytest.mark.slow
@pytest.mark.processes
def test_killed_and_resumed_the_results_are_the_same_bytes(place: Path) -> None:
    (place / "slow.py").write_text(
        "import os, pathlib, time\n"
        "def search(query):\n"
        "    if not pathlib.Path('go').exists():\n"
        "        pathlib.Path('pid').write_text(str(os.getpid()))\n        time.sleep(600)\n"
        "    return ['d1', 'd4']\n"
    )
    (place / "search.py").write_text(SEARCH)
    systems = f"""
    mine = {{ python = "slow:search" }}
    theirs = {{ command = "{sys.executable} search.py {{topics}} {{run}}" }}
    """
    plan_of(place, systems)
    command = ["run", str(place / "plan.toml"), "-o"]
    line = [sys.executable, "-m", "adjudge", *command, str(place / "killed")]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pid = place / "pid"
    wait_for(lambda: pid.exists() and pid.read_text() != "")
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_for(lambda: not alive(int(pid.read_text())))
    (place / "go").touch()
    for folder in ("killed", "whole"):
        assert main([*command, str(place / folder)]) == 0
    for name in ("runs/clean/mine.run.zst", "runs/clean/theirs.run.zst", "verdicts.json", "scores.parquet"):
        assert (place / "killed" / name).read_bytes() == (place / "whole" / name).read_bytes()


def test_a_record_of_before_is_still_read(place: Path) -> None:
    results = run(plan_of(place, 'bm25 = "bm25"'), place / "out")
    path = place / "out" / "runs" / "clean" / f"{slug('bm25')}.json"
    data = json.loads(path.read_text())
    del data["stderr"]
    path.write_text(json.dumps(data))
    assert RunRecord.read(path) == results.records["clean"]["bm25"]


def test_a_plan_with_a_missing_ranked_list_is_told(place: Path) -> None:
    (place / "short.py").write_text("def search(queries):\n    return [['d1']]\n")
    with pytest.raises(CellError, match="1 ranked lists for 2 questions"):
        run(plan_of(place, 'mine = { python = "short:search" }'), place / "out")


def test_code_cannot_be_asked_with_a_setting_it_has_not(place: Path) -> None:
    with pytest.raises(CellError, match="search has no parameter 'wait', it has weight"):
        run(plan_of(place, 'mine = { python = "rankers:search", wait = 1 }'), place / "out")
    with pytest.raises(DataError, match="a setting must be a number"):
        plan_of(place, 'mine = { python = "rankers:search", day = 2020-01-01 }')
