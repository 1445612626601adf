"""The list of defects is true, and those that no other test is about are gone."""

from __future__ import annotations

import ast
import html
import io
import json
import re
import tomllib
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest

import adjudge
from adjudge.cli import main

HERE = Path(__file__).parent
DEFECTS = tomllib.loads((HERE / "defects.toml").read_text())
EXAMPLE = Path(adjudge.__file__).parent / "example"


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("number", DEFECTS)
def test_every_defect_has_a_test_or_a_reason(number: str) -> None:
    defect = DEFECTS[number]
    assert set(defect) <= {"what", "tests", "note"}
    assert defect["what"]
    assert defect["tests"] or defect.get("note"), "neither a test nor a reason"
    for test in defect["tests"]:
        file, _, name = test.partition("::")
        assert name in functions_of(HERE / file), f"there is no test {test}"


def test_no_defect_is_missing() -> None:
    letters = {"A": 16, "C": 8, "D": 15, "E": 12, "F": 3}
    for letter, last in letters.items():
        known = {int(found[1]) for number in DEFECTS if (found := re.match(rf"{letter}(\d+)\b", number))}
        assert known == set(range(1, last + 1))
    assert {f"F frictions {number}" for number in range(1, 14)} <= set(DEFECTS)


def plan_in(folder: Path, more: str = "") -> Path:
    """Twelve relevant documents, of which one run has the last on top and the other none there."""
    qrels = "".join(f"{topic} 0 d{number:02d} 1\n" for topic in (1, 2, 3) for number in range(1, 13))
    runs = {"a": ["d12", "x1", "d01"], "b": ["x1", "x2", "d03"]}
    (folder / "qrels.txt").write_text(qrels)
    (folder / "runs").mkdir()
    for name, documents in runs.items():
        lines = [
            f"{topic} Q0 {document} {rank} {9 - rank} {name}\n"
            for topic in (1, 2, 3)
            for rank, document in enumerate(documents, 1)
        ]
        (folder / "runs" / f"{name}.run").write_text("".join(lines))
    plan = folder / "plan.toml"
    plan.write_text(f'judgments = "qrels.txt"\nruns = "runs"\nmeasures = ["ap", "rr"]\nsamples = 100\n{more}')
    return plan


def test_all_relevant_documents_are_marked_and_counted(tmp_path: Path) -> None:
    assert main(["run", str(plan_in(tmp_path)), "-o", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "report.html").read_text()
    hardest = page[page.index('id="hardest"') :]
    assert "12 relevant documents" in hardest
    shown = re.findall(
        r"<li[^>]*>(?:(?!</li>).)*d12(?:(?!</li>).)*</li>|<td[^>]*>(?:(?!</td>).)*d12(?:(?!</td>).)*</td>", hardest
    )
    assert shown, "the document that a run puts first is not shown"
    assert all("relevant" in html.unescape(each) for each in shown), "a relevant document without its mark"


def test_a_bold_name_is_given_the_room_it_needs() -> None:
    from adjudge.report.figures.wording import BOLD, fit_label, longest_label, wide

    names = ["bm25_baseline", "x"]
    room = longest_label(names, "bm25_baseline")
    assert room == pytest.approx(wide("bm25_baseline", 12) * BOLD)
    assert BOLD > 1
    assert fit_label("bm25_baseline", room, bold=True) == "bm25_baseline"
    assert fit_label("bm25_baseline", room * 0.9, bold=True) != "bm25_baseline"


@pytest.mark.parametrize("length", [13, 30, 60, 85, 89, 90, 91, 92, 93, 95, 200])
def test_no_bold_name_is_wider_than_its_chart(length: int) -> None:
    """In every chart that sets names in bold, whatever is the longest name."""
    from adjudge.report.figures import distribution_figure, histogram_figure, systems_figure
    from adjudge.report.figures.wording import BOLD, wide

    names, values = ["n" * length, "x"], [[0.1, 0.2], [0.3, 0.4]]
    drawn = [
        histogram_figure(names, values),
        systems_figure(names, [0.1, 0.2], baseline=names[0]),
        distribution_figure(names, values, baseline=names[0]),
    ]
    for figure in drawn:
        bold = re.findall(
            r'<text class="([^"]*ad-bold[^"]*)" x="([^"]*)"[^>]*>(?:<title>.*?</title>)?([^<]*)', figure.body
        )
        assert bold
        for classes, x, text in bold:
            width = wide(text, 12) * BOLD
            left = float(x) - width if "ad-end" in classes else float(x)
            assert 0 <= left <= left + width <= figure.width, (figure.title, text)


def test_a_file_is_no_index(capsys: pytest.CaptureFixture[str]) -> None:
    path = EXAMPLE / "documents.jsonl"
    assert main(["search", str(path), "solar"]) == 2
    assert capsys.readouterr().err == f"{path}: no such index\n"


def test_what_a_plan_came_to_is_one_line(tmp_path: Path) -> None:
    came = adjudge.run(plan_in(tmp_path), tmp_path / "out")
    assert "\n" not in repr(came)
    assert len(repr(came)) < 300 + len(str(tmp_path))


def test_a_plan_says_how_runs_are_judged(tmp_path: Path) -> None:
    from adjudge.experiment.plan import Plan

    plan = Plan.read(plan_in(tmp_path, "complete = false\njudged_only = true\ntrec_version = 9\ndepth = 2\n"))
    judging = plan.analysis.judging
    assert (judging.complete, judging.judged_only, judging.trec_version) == (False, True, 9)


def test_the_column_of_systems_is_called_system(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [str(EXAMPLE / name) for name in ("lexical.run", "fused.run")]
    assert main(["average", str(EXAMPLE / "qrels.txt"), *runs, "-m", "ap", "-f", "csv"]) == 0
    assert capsys.readouterr().out.startswith("system,")


def test_an_old_session_is_told_apart_from_a_new_server() -> None:
    from adjudge.web.sessions import LASTS, Signer

    now = [0.0]
    signer = Signer(clock=lambda: now[0])
    cookie = signer.write(signer.new("Ada"))
    assert signer.read(cookie) is not None
    now[0] = LASTS + 1.0
    assert signer.read(cookie) is None, "whoever asks then is told that the session has ended"


@pytest.mark.slow
def test_the_csv_of_measure_is_read_by_the_commands_that_compare(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, *runs = (str(EXAMPLE / name) for name in ("qrels.txt", "lexical.run", "fused.run"))
    scores = str(tmp_path / "scores.csv")
    assert main(["measure", qrels, *runs, "-m", "ap", "-q", "--complete", "-o", scores]) == 0
    for words in (
        ["compare"],
        ["average"],
        ["sensitivity"],
        ["swap-rate"],
        ["correlate", "--average", "mean", "--average", "gm"],
    ):
        command, *more = words
        capsys.readouterr()
        assert main([command, scores, *more, "-f", "json"]) == 0, (command, capsys.readouterr().err)
        read = capsys.readouterr().out
        assert main([command, qrels, *runs, "-m", "ap", *more, "-f", "json"]) == 0
        known, made = json.loads(read), json.loads(capsys.readouterr().out)
        for result in (known, made):
            if isinstance(result, dict):
                result.pop("coverage", None)  # how many topics a run answers is not in a table of scores
        assert known == made, "as from the runs themselves"


def test_a_run_has_one_name_whatever_its_tag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_in(tmp_path)
    path = tmp_path / "runs" / "b.run"
    path.write_text(path.read_text().replace(" b\n", " Anserini\n"))
    qrels, a, b = (str(tmp_path / name) for name in ("qrels.txt", "runs/a.run", "runs/b.run"))
    assert main(["measure", qrels, b, "-m", "ap", "-f", "csv"]) == 0
    assert "\nb," in capsys.readouterr().out
    assert main(["compare", qrels, a, b, "-m", "ap", "--baseline", "b"]) == 0
    assert main(["compare", qrels, f"mine={b}", a, "-m", "ap", "--baseline", "mine"]) == 0
    assert [list(named) for named in adjudge.run(plan, tmp_path / "out").results.runs.values()] == [["a", "b"]]


def test_help_texts_name_commands_that_exist() -> None:
    from adjudge.cli import ALIASES, commands
    from cli.test_options import OURS, PARSERS

    known = {*commands(), *ALIASES}
    groups = {name.partition(" ")[0] for name in known}
    for name in OURS:
        parser = PARSERS[name]
        examples = re.findall(r"^ +(adjudge .*)$", parser.format_help(), re.MULTILINE)
        helps = [action.help for action in parser._actions if action.help and action.help != "==SUPPRESS=="]
        for text in (*examples, *helps):
            for first, second in re.findall(r"\badjudge (?!has\b)([a-z][a-z_-]+)(?: ([a-z][a-z-]+))?", text):
                assert first in known or f"{first} {second}" in known or first in groups, f"{name}: {text}"


def test_what_one_system_comes_to_has_no_plural_of_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_in(tmp_path)
    (tmp_path / "qrels.txt").write_text("1 0 d12 1\n")
    (tmp_path / "runs" / "a.run").write_text("1 Q0 d12 1 1 a\n")
    (tmp_path / "runs" / "b.run").unlink()
    absolute = plan.read_text().replace('"qrels.txt"', f'"{tmp_path}/qrels.txt"')
    plan.write_text(absolute.replace('"runs"', f'"{tmp_path}/runs"'))
    assert main(["run", str(plan), "-o", str(tmp_path / "out")]) == 0
    said = capsys.readouterr()
    page = (tmp_path / "out" / "report.html").read_text()
    shown = html.unescape(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL))
    ones = r"\b1 (systems|topics|documents|items|pairs|runs|judgments|versions|measures|queries|questions)\b"
    for text in (said.out, said.err, shown, *re.findall(r"<title>(.*?)</title>", page)):
        assert not re.search(ones, text)
    assert "0/0" not in said.err
    assert str(tmp_path) not in page, "where things lie on a machine is nobody else's business"
    assert repr(adjudge.run(plan, tmp_path / "out")).endswith("1 system × 1 version × 1 topic>")


@pytest.mark.parametrize(
    "spec",
    [
        "bm25(analyzer=5)",
        "lucene(weighting=1.5)",
        "technical_terms(terms=5)",
        "fusion(of=5)",
        "bm25(k1=x)",
        "eth(gram=)",
    ],
)
def test_a_parameter_of_another_kind_is_one_line(spec: str) -> None:
    from adjudge.core.errors import AdjudgeError
    from adjudge.systems.system import systems

    with pytest.raises(AdjudgeError, match=r"^[^\n]+$"):
        systems.parse(spec)


def test_a_plan_cuts_runs_made_elsewhere(tmp_path: Path) -> None:
    figures = []
    for name, more in (("whole", ""), ("cut", "depth = 2\n")):
        folder = tmp_path / name
        folder.mkdir()
        findings = adjudge.run(plan_in(folder, more), folder / "out").findings
        assert findings is not None
        figures.append(findings.first.scores.mean()["a"]["ap"])
    # a finds d12 at 1 and d01 at 3, of 12
    assert figures == pytest.approx([(1 + 2 / 3) / 12, 1 / 12])


def test_trec_eval_differs_where_its_page_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 2\n2 0 a 1\n2 0 b 2\n2 0 c 2\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 x\n")
    assert main(["trec_eval", "-c", "-l2", "-m", "num_rel", str(tmp_path / "qrels"), str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out.split() == ["num_rel", "all", "3"], (
        "the level holds for topics without an answer too"
    )
    for score in ("inf", "0x1p3"):
        (tmp_path / "run").write_text(f"1 Q0 a 1 {score} x\n")
        assert main(["trec_eval", str(tmp_path / "qrels"), str(tmp_path / "run")]) == 2
        assert "run:1: the score is not a" in capsys.readouterr().err
    page = (HERE.parent / "docs" / "trec_eval.md").read_text()
    for words in ("the level holds for all topics", "`0x1p3`", "multiplies and adds in one step", "given twice"):
        assert words in page


def test_a_slash_may_be_the_name_of_a_topic(tmp_path: Path) -> None:
    """Lists of a classic collection end with a slash, but a line that begins with one is a line of TREC's."""
    path = tmp_path / "qrels.txt"
    path.write_text("/ 0 0 0\n")
    assert adjudge.read_qrels(path).to_dict() == {"/": {"0": 0}}


def test_sentences_cannot_steer_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from collection.dump_of import answer, dump, file_of, question

    body = "<p>What is \u202e this \x9b31m here? And =1+1 there?</p>"
    posts = file_of("posts", question(1, accepted=2, body=body), answer(2, 1, "<p>See arXiv:0710.5549</p>"))
    folder = dump(tmp_path / "dump", posts)
    assert main(["collect", "candidates", str(folder), "-o", str(tmp_path / "project")]) == 0
    capsys.readouterr()
    assert main(["collect", "sentences", str(tmp_path / "project")]) == 0
    shown = capsys.readouterr().out
    assert "\\u202e this \\x9b31m" in shown
    assert not {"\u202e", "\x9b"} & set(shown)
    for form in ("csv", "json"):  # people read what is on a terminal, whatever its form; scripts get it as it is
        with patch("sys.stdout", Terminal()) as terminal:
            assert main(["collect", "sentences", str(tmp_path / "project"), "-f", form]) == 0
        assert not {"\u202e", "\x9b"} & set(terminal.getvalue())
        assert main(["collect", "sentences", str(tmp_path / "project"), "-f", form]) == 0
        assert "\u202e this \x9b31m" in capsys.readouterr().out


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_steered_by_our_own_colours_alone() -> None:
    from adjudge.cli import _output

    with patch("sys.stdout", Terminal()) as terminal:
        _output.show("\x1b[1mname\x1b[0m,a\x1b[2Jb\rc,é\r\n1,\t2\n")
    assert terminal.getvalue() == "\x1b[1mname\x1b[0m,a\\x1b[2Jb\\rc,é\r\n1,\t2\n"


def test_ids_of_a_corpus_that_nothing_can_cite_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from collection.dump_of import answer, dump, file_of, question

    posts = file_of("posts", question(1, accepted=2), answer(2, 1, "<p>See arXiv:0710.5549</p>"))
    folder = dump(tmp_path / "dump", posts)
    ids = tmp_path / "ids.txt"
    ids.write_text("http://arxiv.org/abs/0710.5549v2\nmath.AG_0406343\ndoi:10.1000/182\npage-7\npage-8\n")
    assert main(["collect", "candidates", str(folder), "-o", str(tmp_path / "project"), "--corpus", str(ids)]) == 0
    said = capsys.readouterr().err
    assert "2 of 5 ids of the corpus are neither ids of arXiv nor DOIs, so nothing can cite them: page-7" in said
