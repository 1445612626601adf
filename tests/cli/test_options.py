"""The options of all commands together: a letter means one thing, a help text can be read without its flag."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

from adjudge.cli import ALIASES, GROUPS, KINDS, command_module, commands, grouped, main, summary
from adjudge.cli._catalogue import options_of, parsers
from adjudge.components import registries

PARSERS = parsers()
OURS = [name for name in PARSERS if name != "trec_eval"]
BAD = (
    r"\b(told|tells|said|hopeless|strangers?|for want of|to be had|so many|"
    r"(?<!there )is no\b(?! longer)|(?<!there )are no\b)\b"
)


def test_a_letter_means_one_thing() -> None:
    meanings: dict[str, set[str]] = {}
    for name in OURS:
        for option in options_of(PARSERS[name]):
            for flag in option.flags:
                if len(flag) == 2:
                    meanings.setdefault(flag, set()).add(option.flags[-1])
    assert {flag: sorted(names) for flag, names in meanings.items() if len(names) > 1} == {}


@pytest.mark.parametrize("name", OURS)
def test_help_texts_can_be_read_without_their_flags(name: str) -> None:
    for option in options_of(PARSERS[name]):
        assert re.match(r"[a-zA-Z]\w*", option.help), option
        assert not re.match(r"(of|in|to|from|with|by|for) ", option.help), f"{option.flags[-1]}: {option.help!r}"
        assert not re.search(BAD, option.help), option.help
        assert not re.search(r"\((\d|[a-z_]+)\)$", option.help), (
            f"defaults are written as (default: …): {option.help!r}"
        )


@pytest.mark.parametrize("name", [name for name in PARSERS if name not in KINDS])
def test_a_description_begins_with_a_verb_and_has_an_example(name: str) -> None:
    first = summary(commands()[name])
    assert re.fullmatch(r"[A-Z][a-z]+\b.*[^?:]\.", first), "one sentence, an imperative"
    assert len(first) <= 118
    assert not re.search(BAD, PARSERS[name].description or ""), name
    assert f"    adjudge {name}" in (PARSERS[name].description or "")


def test_every_command_has_a_group_and_every_kind_a_command() -> None:
    assert "More" not in grouped(), "give the new command a place in GROUPS"
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(set(commands()) - set(KINDS))
    assert list(KINDS) == [registry.plural for registry in registries()]
    assert all(name in commands() for name in ALIASES.values())
    assert not set(ALIASES) & set(commands())


@pytest.mark.parametrize("alias", ALIASES)
def test_other_names_of_commands(alias: str, capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):  # argparse leaves this way
        assert main([alias, "--help"]) == 0
    assert f"adjudge {ALIASES[alias]}" in capsys.readouterr().out


def test_old_spellings_are_understood_and_not_shown() -> None:
    old = {
        "average": ["--by", "-b"],
        "compare": ["--by", "--interval"],
        "confusion": ["--systems", "--depth"],
        "complementarity": ["--within"],
        "index": ["--format"],
        "noise": ["--engine", "--measure"],
        "noise calibrate": ["--engine"],
        "noise simulate": ["-c"],
        "terms apply": ["--form"],
    }
    for name, flags in old.items():
        for flag in flags:
            action = PARSERS[name]._option_string_actions[flag]
            assert flag not in action.option_strings or name == "noise"
            assert action.option_strings[-1].startswith("--")


def test_kinds_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tests"]) == 0
    assert capsys.readouterr().out.startswith("anova ")
    assert main(["tests", "permutation"]) == 0
    assert capsys.readouterr().out.startswith("randomisation: The randomisation test")
    assert main(["systems", "bm25"]) == 0
    assert "\n\n\n" not in capsys.readouterr().out, "of the kind that was asked for, not the weighting too"
    assert main(["components"]) == 0
    assert "weightings:\n    bm25, " in capsys.readouterr().out
    assert main(["systems", "bm52"]) == 2
    assert capsys.readouterr().err.startswith("no system 'bm52', did you mean bm25")


@pytest.mark.parametrize("command", ["compare", "sensitivity", "discriminative-power"])
def test_topics_that_a_run_leaves_out_score_0_where_systems_are_compared(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("".join(f"{topic} 0 a 1\n" for topic in range(1, 5)))
    Path("whole.run").write_text("".join(f"{topic} Q0 a 1 1 x\n" for topic in range(1, 5)))
    Path("short.run").write_text("".join(f"{topic} Q0 a 1 1 x\n" for topic in range(1, 4)))
    assert main(["measure", "qrels", "short.run", "-m", "ap", "-f", "csv"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "system,ap\nshort,1.0\n", "as trec_eval has it"
    assert shown.err == "note: short: retrieved nothing for topic 4, skipped (--complete counts 0)\n"
    main([command, "qrels", "short.run", "whole.run", "-f", "json"])
    compared = capsys.readouterr()
    assert compared.err.startswith("note: short: retrieved nothing for topic 4, counted as 0\n")
    if command == "compare":
        assert json.loads(compared.out)["figures"] == {"short": 0.75, "whole": 1.0}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "plan.toml"], "note: interrupted: finished runs are kept; run the same command again to go on\n"),
        (
            ["experiment", "plan.toml"],
            "note: interrupted: finished runs are kept; run the same command again to go on\n",
        ),
        (
            ["index", "docs", "-o", "x"],
            "note: interrupted: nothing was changed; an index that was there before is still",
        ),
        (["measure", "qrels", "run"], "note: interrupted\n"),
    ],
)
def test_ctrl_c_says_what_is_kept(
    words: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_module(commands()[ALIASES.get(words[0], words[0])]), "main", interrupt)
    assert main(words) == 130
    assert capsys.readouterr().err.startswith(says)


def test_a_folder_of_somebody_else_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 a 1\n2 0 a 1\n")
    Path("runs").mkdir()
    for name in ("one", "two"):
        Path(f"runs/{name}.run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n")
    Path("plan.toml").write_text('judgments = "qrels"\nruns = "runs"\nmeasures = ["ap"]\n')
    Path("mine").mkdir()
    Path("mine/report.html").write_text("a year of work")
    assert main(["run", "plan.toml", "-o", "mine"]) == 2
    assert "mine: report.html would be overwritten" in capsys.readouterr().err
    assert [path.name for path in Path("mine").iterdir()] == ["report.html"]
    assert Path("mine/report.html").read_text() == "a year of work"
    assert main(["run", "plan.toml", "-o", "mine", "--force"]) == 0
    assert Path("mine/report.html").read_text().startswith("<!doctype html>")
    assert main(["run", "plan.toml", "-o", "mine"]) == 0, "now it is ours"


@pytest.mark.parametrize("command", ["average", "sensitivity", "swap-rate"])
def test_an_option_of_one_value_is_not_given_two(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "qrels", "run", "-m", "ndcg@10", "run2", "-m", "ap"]) == 2
    assert capsys.readouterr().err == (
        f"adjudge {command}: --measure takes one value, and was given two: ndcg@10 and ap\n"
    )


def test_no_option_keeps_the_last_of_two_values_unseen() -> None:
    """Every option of every command: repeated, flag-like, or refused if it is given two values."""
    import argparse

    from adjudge.cli._options import OneValue

    for name in OURS:
        for action in PARSERS[name]._actions:
            if action.option_strings and action.nargs != 0:
                assert isinstance(action, OneValue | argparse._AppendAction | argparse._ExtendAction), (
                    f"{name} {action.option_strings}"
                )


@pytest.mark.parametrize("name", ["x.xlsx", "x.pdf"])
def test_output_that_cannot_be_made_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 x\n")
    assert main(["measure", str(tmp_path / "q"), str(tmp_path / "r"), "-o", str(tmp_path / name)]) == 2
    assert f"{name[1:]} is not available: --format may be table" in capsys.readouterr().err
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize(("variable", "value"), [("TERM", "dumb"), ("NO_COLOR", "1")])
def test_a_terminal_without_colours(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    from adjudge.cli._options import coloured
    from adjudge.cli._terminal import Log, Terminal, experiment_listener

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Screen())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert coloured(None)
    monkeypatch.setenv(variable, value)
    assert not coloured(None)
    if variable == "TERM":
        assert isinstance(experiment_listener(Screen()), Log)
        assert not Terminal(Screen()).shows
