"""The documentation is true: README examples run and print what they say, generated pages are up to date."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shutil
import sys
from importlib.resources import as_file, files
from pathlib import Path
from types import ModuleType

import pytest

from adjudge.cli import main

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A copy of the example, because examples write files too."""
    with as_file(files("adjudge") / "example") as folder:
        shutil.copytree(folder, tmp_path / "example")
    monkeypatch.chdir(tmp_path / "example")


def consoles() -> list[tuple[str, str]]:
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


@pytest.mark.parametrize(("command", "expected"), consoles())
@pytest.mark.usefixtures("example")
def test_readme_commands(command: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = command.split()
    assert words[0] == "adjudge"
    code = main(words[1:])
    printed = capsys.readouterr()
    assert (printed.out or printed.err) == expected
    assert code == (0 if printed.out else 2)


@pytest.mark.usefixtures("example")
def test_readme_python() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    runner = doctest.DocTestRunner()
    for block in blocks:
        runner.run(doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0))
    assert runner.summarize(verbose=False).failed == 0
    assert runner.summarize(verbose=False).attempted >= 7


def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse of 3.13 lays help out differently")
def test_generated_pages_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    for path, text in builder().pages().items():
        assert path.read_text("utf-8") == text, f"{path.name} is stale: run make docs"


@pytest.mark.parametrize("name", ["adjudge.core.errors", "adjudge.judging"])
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(module).attempted > 0


def test_the_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--output", str(tmp_path / "out")]) == 0
    assert "fused" in capsys.readouterr().out
    assert "**" in (tmp_path / "out" / "scores.md").read_text("utf-8")
    assert (tmp_path / "out" / "example" / "dense.run").exists()
    (tmp_path / "file").touch()
    assert main(["demo", "--output", str(tmp_path / "file")]) == 2
    assert "cannot be made" in capsys.readouterr().err


def test_links_in_the_documentation_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
