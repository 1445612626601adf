"""What the tests share: reference data beside the repository, one browser, one database server, and their markers.

A test is marked by what it needs: the fixtures that it asks for say so, or its folder. What needs the same server runs
in the same process when tests run on both cores, so that there is one of each.
"""

from __future__ import annotations

import gc
import os
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from warm_python import HEAVY, Warm, warm_python

# Tests fill the cores already: more threads for linear algebra would wait for each other, and busily (an eigenvalue of
# 17 ms took 1.5 s). Read when numpy is loaded, which nobody has done yet; processes that tests start inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

gc.disable()  # until all tests are collected: nothing that is made on the way is garbage

FEWER = os.environ.get("ADJUDGE_EXAMPLES")  # where only the way of a test is tried, and nobody reads what fails
settings.register_profile(
    "plain",
    max_examples=int(FEWER or 100),
    phases=[Phase.explicit, Phase.reuse, Phase.generate] if FEWER else tuple(Phase),
    deadline=None,  # the machine may be busy
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("plain")

NEEDS = {
    "browser": "browser",
    "postgresql": "database",
    "standalone": "cluster",
    "arqmath": "data",
    "classic_collections": "data",
    "fr94": "data",
    "planetmath": "data",
    "score_matrices": "data",
    "trec_covid": "data",
    "trec_eval_tests": "data",
}
"""Which marker a test has that asks for a fixture."""
SERVERS = {
    "cluster": ("tests/cluster/",),
    "browser": (
        "tests/collection/test_workbench_browser.py",
        "tests/judging_desk/test_desk_browser.py",
        "tests/report/test_page.py::test_129_systems",  # its findings are looked at in a browser too, and take long
        "tests/report/test_page_browser.py",
        "tests/search_page/test_search_browser.py",
    ),
    "database": ("tests/collection/test_workbench_store.py", "tests/systems/test_pg_trgm.py"),
    "lucene": (
        "tests/systems/test_lucene_fuzzy.py",
        "tests/text/test_against_lucene.py",
        "tests/weighting/test_against_lucene.py",
    ),
}
"""Where the tests are that share one server or Java machine."""
TOGETHER = (
    "tests/cli/test_searching.py",
    "tests/cli/test_technical_terms.py",
    "tests/experiment/test_results_history.py",
    "tests/experiment/test_whole.py::test_killed_and_resumed",
    "tests/test_contributing.py",
    "tests/words/test_facts_before_words.py",
)
"""Tests that share something which takes long to make: in one process it is made once."""
LONGEST = ("tests/cli/test_run.py::test_the_demo", "tests/test_newcomer.py")
"""Tests of a minute or so, which are begun early, so that no core waits for the last of them."""
TRACED_CASES = 12
"""Of a parametrised test so many cases are traced; the others go over the same lines."""
UNTRACED = frozenset(Path(__file__).with_name("untraced.txt").read_text("utf-8").split())
"""Tests that take long and go over no line and no branch that shorter ones do not go over."""

OTHER = frozenset({"slow", "cluster", "browser", "ocr", "database", "lucene", "data", "hypothesis", "further"})
"""Tests with one of these markers are not traced."""

CASES: Counter[str] = Counter()
"""How many cases of each test were collected."""

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cov-light", action="store_true", help="with --cov: trace the light tests only, which go over every line"
    )


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test by what it needs, before anybody selects tests or shares them out."""
    if item.path.parent.name == "cluster":
        item.add_marker("cluster")
    for fixture in getattr(item, "fixturenames", ()):
        if fixture in NEEDS:
            item.add_marker(NEEDS[fixture])
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        item.add_marker("hypothesis")  # as its plug-in does, which may be later than the selection by markers
    function = item.nodeid.partition("[")[0]
    CASES[function] += 1
    if CASES[function] > TRACED_CASES or function in UNTRACED:
        item.add_marker("further")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where tests are shared out to processes, the long ones come first: the short ones fill the cores at the end."""
    if hasattr(config, "workerinput"):
        items.sort(key=_turn)


def pytest_collection_finish() -> None:
    """Tests collect garbage as users do, but do not go over the ten thousand tests each time."""
    gc.freeze()
    gc.enable()


def _turn(item: pytest.Item) -> int:
    servers = [number for number, places in enumerate(SERVERS.values()) if item.nodeid.startswith(places)]
    if servers:
        return servers[0]
    long = (item.nodeid.startswith(LONGEST), item.get_closest_marker("slow") is not None, _is_traced(item), True)
    return len(SERVERS) + long.index(True)


def _is_traced(item: pytest.Item) -> bool:
    return not any(marker.name in OTHER for marker in item.iter_markers())


TRACER = pytest.StashKey[Any]()


def stop_tracing() -> Any:
    """Stop whatever measures coverage, and give the last that was started; None if nothing does.

    pytest-cov starts two in a process that does tests, one on top of the other: if only the last is stopped, the first
    goes on, and every test takes twice as long.
    """
    from coverage import Coverage

    last = Coverage.current()
    while (tracer := Coverage.current()) is not None:
        tracer.stop()
    return last


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """With ``--cov-light`` a test that is not traced costs no more than without coverage; imports are always traced."""
    if item.config.getoption("cov_light", default=False):
        from coverage import Coverage

        if TRACER not in item.config.stash:
            item.config.stash[TRACER] = stop_tracing()
        tracer = item.config.stash[TRACER]
        if tracer is not None and _is_traced(item) and Coverage.current() is None:
            tracer.start()
        elif not _is_traced(item):
            stop_tracing()
    return (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share tests out to processes so that there is one of each server; a parametrised test stays together."""
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False  # they come in the order of _turn
    if config.getoption("cov_light", default=False):
        stop_tracing()  # this process only shares out

    class ByServer(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            servers = (name for name, places in SERVERS.items() if nodeid.startswith(places))
            together = (place for place in TOGETHER if nodeid.startswith(place))
            return next(servers, None) or next(together, None) or nodeid.partition("[")[0]

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """Forget what is done: all that a process ever did would be counted again after each test."""
            nodeid = self.registered_collections[node][item_index]
            scope = self._split_scope(nodeid)
            unit = self.assigned_work[node][scope]
            unit[nodeid] = True
            if all(unit.values()):
                del self.assigned_work[node][scope]
            self._reschedule(node)

    return ByServer(config, log)


@pytest.fixture(scope="session", autouse=True)
def cells_in_this_process() -> Iterator[None]:
    """Cells of a plan need no processes of their own, which take a second each, unless the test is about those."""
    from adjudge.experiment import running
    from adjudge.experiment.process import ThisProcess

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "executor", lambda _: ThisProcess())
        yield


@pytest.fixture(autouse=True)
def cells_in_processes(request: pytest.FixtureRequest) -> Iterator[None]:
    """For a test that is marked so: cells as users have them."""
    if request.node.get_closest_marker("processes") is None:
        yield
        return
    from adjudge.experiment import process, running

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "executor", process.executor)
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests of pages."""
    from browser import launched

    yield from launched()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of one server for all tests of stores."""
    import postgresql_server

    with postgresql_server.server() as url:
        yield url


@pytest.fixture(scope="session")
def bare_python() -> Iterator[Warm]:
    """A Python with the libraries loaded and nothing of ours, for commands in another copy of the checkout."""
    with warm_python() as made:
        yield made


@pytest.fixture(scope="session")
def warm_adjudge() -> Iterator[Warm]:
    """A Python with the libraries and adjudge loaded, for commands that are run as a reader types them."""
    import pkgutil

    import adjudge

    left = tuple(f"adjudge.{name}" for name in ("__main__", "cluster", "collection"))
    found = [module.name for module in pkgutil.walk_packages(adjudge.__path__, "adjudge.", onerror=lambda _: None)]
    with warm_python([*HEAVY, *(name for name in found if not name.startswith(left))]) as made:
        yield made


def unpacked(name: str, folder: Path) -> Path:
    archive = SHARED / f"{name}.tar.xz"
    if not archive.exists():
        pytest.skip(f"{archive.name} is not beside this checkout")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="session")
def trec_eval_tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """trec_eval's own test inputs and expected outputs."""
    return unpacked("trec_eval-tests", tmp_path_factory.mktemp("trec_eval")) / "trec_eval_tests" / "test"


@pytest.fixture(scope="session")
def trec_covid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """36 runs of TREC-COVID round 1 with judgments and leaderboard."""
    return unpacked("trec-covid-round1", tmp_path_factory.mktemp("covid")) / "covid1"


@pytest.fixture(scope="session")
def score_matrices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Topic × system scores of TREC tracks."""
    return unpacked("score-matrices", tmp_path_factory.mktemp("matrices")) / "urbano_matrices"


@pytest.fixture(scope="session")
def classic_collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cranfield, CISI, MED, NPL and CACM as SMART had them."""
    return unpacked("classic-collections", tmp_path_factory.mktemp("classic")) / "glasgow"


@pytest.fixture(scope="session")
def fr94() -> Path:
    """The Federal Register of 1994, packed: 401 MB of TREC SGML, which readers unpack as they go."""
    archive = SHARED / "fr94.tar.xz"
    if not archive.exists():
        pytest.skip(f"{archive.name} is not beside this checkout")
    return archive


@pytest.fixture(scope="session")
def arqmath(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of Math.SE with MathML."""
    return unpacked("arqmath", tmp_path_factory.mktemp("arqmath"))


@pytest.fixture(scope="session")
def planetmath(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Articles of PlanetMath in LaTeX."""
    return unpacked("planetmath", tmp_path_factory.mktemp("planetmath"))
