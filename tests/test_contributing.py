"""CONTRIBUTING.md is followed: the files of its steps are written, its commands run, and a step left out is noticed.

A `python` block begins with the path of the file that it is. A `diff` block names a file in its first line; its lines
without a sign and with a minus stand there, and those with a plus are put where they stand in the block.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudge.components import registries
from warm_python import Warm

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
BUILDS = "docs/build.py --reference"

pytest.importorskip("markdown_it", reason="markdown-it-py builds the documentation")


@dataclass(frozen=True)
class Guide:
    """A section that adds a component: its steps, and the kind and the name of what it adds."""

    title: str
    kind: str
    component: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Block:
    """A fenced block of a step."""

    language: str
    text: str


def steps_of(section: str) -> tuple[str, ...]:
    """The numbered steps of a section, which must be numbered from 1 without a gap."""
    parts = re.split(r"^(\d+)\. ", section, flags=re.MULTILINE)[1:]
    assert [int(number) for number in parts[::2]] == list(range(1, len(parts) // 2 + 1))
    return tuple(parts[1::2])


def blocks_of(step: str) -> list[Block]:
    fenced = re.findall(r"^   ```(\w*)\n(.*?)^   ```$", step, re.DOTALL | re.MULTILINE)
    assert step.count("```") == 2 * len(fenced), f"a block is not closed or not indented by three: {step[:60]}"
    return [Block(language, textwrap.dedent(text)) for language, text in fenced]


def guide(title: str, kind: str, component: str) -> Guide:
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return Guide(title, kind, component, steps_of(section))


GUIDES = [
    guide("Add a measure", "measure", "fallout"),
    guide("Add a weighting", "weighting", "bm25_plus"),
    guide("Add a system", "system", "query_likelihood"),
    guide("Add a layout", "layout of documents", "ris"),
]


def is_needed(step: str) -> bool:
    """Whether a step leaves something behind, so that others miss it: a file, a change, a page."""
    return any(block.language != "console" or BUILDS in block.text for block in blocks_of(step))


class Checkout:
    """A copy of the checkout in which a contributor works."""

    def __init__(self, folder: Path, python: Warm) -> None:
        self.folder = folder
        self.python = python
        self.paths: list[str] = []
        self.former: dict[Path, bytes | None] = {}
        """What stood in the files that were written, None where there was none."""
        unwanted = shutil.ignore_patterns("*.egg-info", ".hypothesis")  # compiled modules come along
        for name in ("src", "tests", "docs", "bench"):
            shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
        for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml"):
            shutil.copy(path, folder)
        self.copied = self.sources()
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_"))}
        self.environment = inherited | {
            "PYTHONPATH": str(folder / "src"),
            "PYTEST_ADDOPTS": "-x -p no:cacheprovider",
            "ADJUDGE_EXAMPLES": "10",  # what all examples show is shown where these tests are themselves
        }

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """A command as it stands on the page, with this Python in place of the one in .venv."""
        program, *arguments = shlex.split(command)
        assert program.startswith(".venv/bin/"), f"not a program of the environment: {command}"
        name = program.removeprefix(".venv/bin/")
        return self.python.run([*([] if name == "python" else [name]), *arguments], self.folder, self.environment)

    def write(self, block: Block) -> None:
        """Write the file of a block, or change it."""
        first, _, body = block.text.partition("\n")
        self.paths.append(first.removeprefix("# ").removeprefix("--- "))
        path = self.folder / self.paths[-1]
        self.former.setdefault(path, path.read_bytes() if path.exists() else None)
        if block.language == "python":
            assert first.startswith("# "), f"a block does not say which file it is: {first}"
            assert not path.exists(), f"{first} is there already: choose another example"
            path.write_text(body, "utf-8")
            return
        assert block.language == "diff"
        lines = body.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[:1] != "+")
        text = path.read_text("utf-8")
        assert text.count(before) == 1, f"{path.name} no longer has, once:\n{before}"
        path.write_text(text.replace(before, "".join(line[1:] for line in lines if line[:1] != "-")), "utf-8")

    def write_all(self, steps: Iterable[str]) -> None:
        for step in steps:
            for block in blocks_of(step):
                if block.language != "console":
                    self.write(block)

    def undo(self) -> None:
        """Put everything back as it was when the copy was made: a copy of a thousand files takes longer than a test."""
        for path, data in self.former.items():
            path.unlink()
            if data is not None:
                shutil.copy2(ROOT / path.relative_to(self.folder), path)
                assert path.read_bytes() == data
        self.former.clear()
        self.paths.clear()
        (self.folder / "all_tests.py").unlink()
        shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)
        assert self.sources() == self.copied

    def sources(self) -> set[str]:
        """All files but those that Python and tests keep for themselves."""
        kept = {"__pycache__", ".hypothesis"}
        found = (path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file())
        return {path.as_posix() for path in found if not kept & set(path.parts)}

    def first_failure(self, commands: Iterable[str]) -> str:
        """The first command that fails, with what it printed; '' if none does."""
        for command in commands:
            done = self.run(command)
            if done.returncode:
                return f"{command}\n{done.stdout}{done.stderr}"
        return ""

    def passes(self, commands: Iterable[str]) -> bool:
        """Whether the tests of all commands pass; one Python runs them, because loading takes longer than testing."""
        given = [[*shlex.split(command)[1:], "--tb=no"] for command in commands]
        (program := self.folder / "all_tests.py").write_text(
            f"import pytest, sys\nsys.exit(any(pytest.main(words) for words in {given!r}))", "utf-8"
        )
        return self.python.run([str(program)], self.folder, self.environment).returncode == 0


def commands_of(steps: Iterable[str]) -> list[str]:
    """The commands of console blocks, which show nothing else."""
    blocks = [block for step in steps for block in blocks_of(step) if block.language == "console"]
    lines = [line for block in blocks for line in block.text.splitlines()]
    assert all(line.startswith("$ ") for line in lines)
    return [line.removeprefix("$ ") for line in lines]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.component)
def test_the_example_is_not_there_yet_and_every_step_says_something(guide: Guide) -> None:
    registry = next(registry for registry in registries() if registry.kind == guide.kind)
    assert guide.component not in registry.names
    assert len(guide.steps) >= 4
    assert all(blocks_of(step) for step in guide.steps)
    assert any(BUILDS in step for step in guide.steps)


@pytest.mark.slow
@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.component)
def test_the_steps_lead_to_a_component(guide: Guide, tmp_path: Path, bare_python: Warm) -> None:
    checkout = Checkout(tmp_path, bare_python)
    checkout.write_all(guide.steps)
    commands = commands_of(guide.steps)
    assert checkout.first_failure(commands) == ""
    if guide is GUIDES[-1]:  # so that what follows is not noticed for another reason
        assert checkout.passes(command for command in commands if "pytest" in command)
    explanation = checkout.run(f".venv/bin/adjudge measures {guide.component}")
    assert explanation.stdout.startswith(guide.component), explanation.stderr
    listing = checkout.run(".venv/bin/adjudge measures").stdout
    assert (f"\n{guide.component}" in listing) == (guide.kind == "measure")
    for check in ("format --check", "check"):
        done = checkout.run(f".venv/bin/ruff {check} {shlex.join(checkout.paths)}")
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def one_checkout(tmp_path_factory: pytest.TempPathFactory, bare_python: Warm) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("checkout"), bare_python)


@pytest.fixture
def shared_checkout(one_checkout: Checkout) -> Iterator[Checkout]:
    """One copy for all that change a few files and run tests."""
    yield one_checkout
    one_checkout.undo()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guide", "left_out"),
    [(guide, step) for guide in GUIDES for step, text in enumerate(guide.steps) if is_needed(text)],
    ids=lambda value: value.component if isinstance(value, Guide) else f"without step {value + 1}",
)
def test_a_step_left_out_is_noticed(guide: Guide, left_out: int, shared_checkout: Checkout) -> None:
    checkout = shared_checkout
    builds = BUILDS in guide.steps[left_out]
    others = [step for number, step in enumerate(guide.steps) if number != left_out]
    checkout.write_all(others)
    tests = [command for command in commands_of(guide.steps[left_out:] if builds else others) if "pytest" in command]
    assert not checkout.passes(tests), "no test notices it"


def test_what_is_not_traced_is_there() -> None:
    for name in (ROOT / "tests" / "untraced.txt").read_text("utf-8").split():
        path, _, function = name.partition("::")
        assert f"\ndef {function}(" in (ROOT / path).read_text("utf-8"), f"{name} is gone: take it out of the list"


def test_every_marker_has_a_line() -> None:
    """Those that pytest knows of are in the table, and no others."""
    import tomllib

    options = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    known = {marker.partition(":")[0].partition("(")[0].strip() for marker in options.get("markers", [])}
    table = PAGE.partition("| marker | needs | proves |")[2].partition("\n\n")[0]
    shown = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    assert shown == known
