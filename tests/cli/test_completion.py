"""Completion in bash, zsh and fish, asked in the shells themselves; the man page as groff reads it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from adjudge.cli import commands, main
from adjudge.cli._catalogue import options_of, parsers
from adjudge.cli.completion import fish, posix
from adjudge.cli.man import page

ASKED = {
    "adjudge me": {"measure", "measures"},
    "adjudge measure --comp": {"--complete"},
    "adjudge measure q r -m nd": {"ndcg", "ndcg_rel"},
    "adjudge noise ca": {"calibrate"},
    "adjudge noise calibrate --oc": {"--ocr"},
    "adjudge noise calibrate --ocr goc": {"gocr"},
    "adjudge measures nd": {"ndcg", "ndcg_rel"},
    "adjudge systems dec": {"decipher"},
    "adjudge evaluate --per": {"--per-topic"},
    "adjudge compare --correction bonf": {"bonferroni"},
    "adjudge compare -t wilc": {"wilcoxon"},
}


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    (folder / "adjudge.bash").write_text(posix("bash"))
    (folder / "_adjudge").write_text(posix("zsh"))
    (folder / "adjudge.fish").write_text(fish())
    return folder


def output_of(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


def test_bash(scripts: Path) -> None:
    asked = "; ".join(
        f"COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _adjudge; echo ${{COMPREPLY[@]}}"
        for words in [*ASKED, "adjudge measure q r -m ap,nd", "adjudge compare --test = wilc"]
    )
    answers = output_of("bash", "--norc", "-c", f"source {scripts}/adjudge.bash; {asked}").splitlines()
    *plain, listed, assigned = (set(line.split()) for line in answers)
    assert dict(zip(ASKED, plain, strict=True)) == ASKED
    assert (listed, assigned) == ({"ap,ndcg", "ap,ndcg_rel"}, {"wilcoxon"})


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish(scripts: Path) -> None:
    asked = "; ".join(f"complete -C '{words}'; echo @@" for words in ASKED)
    text = output_of("fish", "--no-config", "-c", f"source {scripts}/adjudge.fish; {asked}")
    answers = [{line.split("\t")[0] for line in part.splitlines() if line} for part in text.split("@@\n")[:-1]]
    assert dict(zip(ASKED, answers, strict=True)) == ASKED


ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT=; fpath=(FOLDER \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w z "bindkey '^I' complete-word; print rea''dy"
zpty -r -m z log '*ready*'
zpty -w -n z "WORDS"$'\t'
zpty -r -m z out '*COMPLETED*' && print found
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize("words", [words for words, answers in ASKED.items() if len(answers) == 1])
def test_zsh(scripts: Path, words: str) -> None:
    completed = " ".join((*words.split()[:-1], *ASKED[words]))
    script = ZSH.replace("FOLDER", str(scripts)).replace("WORDS", words).replace("COMPLETED", completed)
    assert output_of("zsh", "-f", "-c", script) == "found\n"


def test_a_script_starts_no_program(scripts: Path) -> None:
    for path in scripts.iterdir():
        assert "adjudge completion" in path.read_text().splitlines()[0 if path.suffix else 1]
        lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
        assert not any("$(adjudge" in line or "(adjudge" in line.replace("(_adjudge", "") for line in lines)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "invalid choice: 'tcsh'" in capsys.readouterr().err


def test_every_command_and_option_is_in_the_man_page() -> None:
    text = page().replace("\\-", "-")
    for name in commands():
        assert f"adjudge {name}" in text, name
    for command in parsers().values():
        for option in options_of(command):
            assert option.flags[-1] in text or option.flags[-1] == "--help"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_groff_has_no_complaint(tmp_path: Path) -> None:
    (tmp_path / "adjudge.1").write_text(page())
    done = subprocess.run(
        ["groff", "-man", "-Kutf8", "-Tutf8", "-ww", str(tmp_path / "adjudge.1")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "Evaluate runs against relevance judgments" in done.stdout
