"""The version stands in one place, and everything that tells it tells the same."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import adjudge

ROOT = Path(__file__).resolve().parents[1]


def test_the_metadata_and_the_command_tell_the_version_of_the_source() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", adjudge.__version__)
    assert metadata("adjudge")["Version"] == adjudge.__version__
    printed = subprocess.run(
        [sys.executable, "-m", "adjudge", "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert printed == f"adjudge {adjudge.__version__}\n"


def test_the_project_file_has_no_version_of_its_own() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in settings["project"]
    assert settings["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "adjudge.__version__"}


def test_the_version_can_be_read_without_importing_anything() -> None:
    """A build has nothing but setuptools: the version must be a literal that it finds in the syntax tree."""
    line = next(
        line for line in Path(adjudge.__file__).read_text("utf-8").splitlines() if line.startswith("__version__")
    )
    assert re.fullmatch(r'__version__ = "[^"]+"', line)


def test_the_changelog_begins_with_this_version_and_lists_numbers_that_change() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[0].split()[0] == adjudge.__version__
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading = section.partition("\n")[0]
        assert "\n### Numbers that change\n" in section, f"{heading} does not say which numbers change"


def test_every_supported_python_is_in_the_metadata() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    supported = [c.rpartition(" ")[2] for c in settings["classifiers"] if re.search(r"Python :: 3\.\d+$", c)]
    least = settings["requires-python"].removeprefix(">=")
    assert supported[0] == least
    assert supported == [
        f"3.{minor}" for minor in range(int(least.split(".")[1]), int(supported[-1].split(".")[1]) + 1)
    ]
