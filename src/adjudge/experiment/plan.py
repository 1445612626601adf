"""A plan: which systems answer which topics on which versions of a corpus, and how they are compared."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..comparison.paired import corrections, paired_tests
from ..core.average import averages
from ..core.collapse import Collapse
from ..core.errors import AdjudgeError, DataError, MissingExtraError, SpecError, did_you_mean
from ..core.judging import Judging
from ..core.measure import TextMeasure
from ..core.measure import measures as registered
from ..core.note import Note
from ..core.spec import is_number
from ..evaluation.score_columns import columns
from ..formats.chunks import read_collapse
from ..storage.access import unreadable
from ..storage.digest import digest_file, digest_texts
from ..systems.system import TRACK, System, line_up
from .named_systems import named_specs, needs_no_documents, parse_systems
from .tune_settings import TuneSettings

if TYPE_CHECKING:
    from ..noise.degrader import Degrader

FIELDS = ("title", "description", "narrative")
USUAL_DEPTH = 1000
"""Documents of a topic that systems retrieve unless a plan says otherwise."""
COUNTS = {"aligned": 0, "training": 0, "depth": 1, "seed": 0}
"""Parameters that are whole numbers, and the least of each."""
COLLECTIONS = ("python-docs",)
"""Those that adjudge brings along."""
FOREIGN = ("beir", "ir_datasets")
"""Kinds of collections that are named with where they are: ``beir:FOLDER``, ``ir_datasets:ID``."""
CLEAN = "clean"
"""The version that ``documents`` is, in a plan that names no other."""
GIVEN = "runs"
"""The name of the version in a plan that has no documents, only runs."""
ALL = "all"
"""Stands for every system, or for every measure."""
KNOWN_ITEM = ("rr", "success@1", "success@10", "recall@100", "recall@1000", "ndcg@10", "rank")
AD_HOC = ("ap", "ndcg@10", "p@10", "rr", "rprec", "bpref", "recall@100", "recall@1000")
"""What is measured when a plan does not say: with one relevant document per topic, and with more."""
PLACES = {"iprec": "0.5"}
"""At which measures are taken that need a place, if not at 10."""
AVERAGES = ("gm", "median", "worst")
MOST_DRAWN = 100_000
"""Samples of topics, which are held in memory together."""


@dataclass(frozen=True)
class Noise:
    """One of ``channel`` (a name or a file), ``random`` (a rate) and ``engine`` (with a ``factor``)."""

    channel: str = ""
    rate: float | None = None
    """Character errors of a channel; its own if none is given."""
    random: float | None = None
    engine: str = ""
    factor: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        kinds = [kind for kind in ("channel", "random", "engine") if getattr(self, kind) not in {"", None}]
        if len(kinds) != 1:
            raise SpecError(f"give one of channel, random and engine, not {' and '.join(kinds) or 'none'}")
        for name in ("rate", "random", "factor"):
            value = getattr(self, name)
            if value is not None and not is_number(value):
                raise SpecError(f"{name} must be a number, not {value!r}")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise SpecError(f"seed must be a whole number of at least 0, not {self.seed!r}")
        if self.rate is not None and not self.channel:
            raise SpecError("rate is for a channel")
        if self.factor != 1.0 and not self.engine:
            raise SpecError("factor is for an engine")

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Noise:
        known = [f.name for f in fields(cls)]
        for key in data:
            if key not in known:
                raise SpecError(f"no setting {key!r}{did_you_mean(key, known)}")
        for key in ("channel", "engine"):
            if key in data and not isinstance(data[key], str):
                raise SpecError(f"{key} must be a text, not {data[key]!r}")
        return cls(**data)

    def degrader(self, folder: Path) -> Degrader:
        """Make the degrader; a channel that is not a known name is a file beside the plan."""
        if self.random is not None:
            from ..noise.random_noise import RandomNoise

            return RandomNoise(self.random, seed=self.seed)
        if self.channel:
            from ..noise.channel import ChannelNoise, channel_of

            own = folder / self.channel
            return ChannelNoise(channel_of(str(own) if own.is_file() else self.channel), self.rate, self.seed)
        from ..noise.engines.engine import engines
        from ..noise.pages.scanning import Scan
        from ..noise.scanner import Scanner

        scanner = Scanner(scan=Scan(factor=self.factor), engine=engines.parse(self.engine), seed=self.seed)
        scanner.require()  # before anything is done
        return scanner

    def to_json(self) -> dict[str, Any]:
        """The settings that are not as they would be anyway."""
        return {f.name: v for f in fields(self) if (v := asdict(self)[f.name]) != f.default}


@dataclass(frozen=True)
class AnalysisSettings:
    """Settings of the analysis: how runs are measured and compared; empty ones are chosen by the judgments."""

    measures: tuple[str, ...] = ()
    main: str = ""
    """The measure on which systems are compared: the first if none is named."""
    averages: tuple[str, ...] = AVERAGES
    baselines: tuple[str, ...] = ()
    tests: tuple[str, ...] = ("randomisation", "t", "wilcoxon")
    correction: str = "holm"
    samples: int = 1000
    level: int = 1
    depth: int = USUAL_DEPTH
    seed: int = 0
    least_coverage: float = 0.0
    """The share of judged topics that a run must answer to be compared; with 0 one topic is enough."""
    complete: bool = True
    """Whether a judged topic that a run leaves out counts as 0; otherwise it is left out of the means of this run."""
    judged_only: bool = False
    """Whether documents that nobody judged are dropped before a run is measured."""
    trec_version: int = 10
    """Which trec_eval orders documents: 9 compares scores as floats of 32 bits."""
    judged_depth: int = 0
    """Documents of a topic that count; 0 for all. A plan that says how deep systems search has runs cut there too."""

    def __post_init__(self) -> None:
        if not isinstance(self.least_coverage, int | float) or not 0 <= self.least_coverage <= 1:
            raise SpecError(f"least_coverage must be a share from 0 to 1, not {self.least_coverage!r}")
        object.__setattr__(self, "least_coverage", float(self.least_coverage))
        if not isinstance(self.judged_depth, int) or self.judged_depth < 0:
            raise SpecError(f"depth must be a whole number of at least 1, not {self.judged_depth!r}")
        _ = self.judging
        if ALL in self.measures:
            wide = [name for asked in self.measures for name in (every_measure() if asked == ALL else (asked,))]
            object.__setattr__(self, "measures", tuple(dict.fromkeys(wide)))
        asked = columns(self.measures) if self.measures else []
        names = [column.name for column, _ in asked]
        if self.main and names and self.main not in names:
            raise SpecError(f"main: no {self.main!r} among the measures{did_you_mean(self.main, names)}")
        for column, component in asked:
            if isinstance(component, TextMeasure):
                raise SpecError(f"measures: {column.name} is text, and numbers are compared")
            if component.judged_by != "qrels":
                kind = "preferences" if component.judged_by == "prefs" else component.judged_by
                raise SpecError(f"measures: {column.name} is measured on {kind}, and a plan has plain judgments")
        main = columns([self.main])[0][0] if self.main else asked[0][0] if asked else None
        if main is not None and (not main.better or main.average not in {"mean", "sum"}):
            why = "is not a mean over topics" if main.better else "is neither good when high nor when low"
            raise SpecError(f"main: {main.name} {why}: systems cannot be compared by it")
        for name, least in (("samples", 39), ("level", 0), ("seed", 0), ("depth", 1)):
            if getattr(self, name) < least:
                raise SpecError(f"{name} must be at least {least}, not {getattr(self, name)}")
        if self.samples > MOST_DRAWN:
            raise SpecError(f"samples must be at most {MOST_DRAWN}, not {self.samples}")
        if not self.tests:
            raise SpecError("tests: no test was named")
        for spec in self.averages:
            averages.parse(spec)
        for spec in self.tests:
            paired_tests.parse(spec)
        corrections.parse(self.correction)

    @property
    def judging(self) -> Judging:
        """How runs are judged."""
        return Judging(
            level=self.level,
            depth=self.judged_depth or None,
            judged_only=self.judged_only,
            complete=self.complete,
            trec_version=self.trec_version,
        )

    def measures_for(self, single: bool) -> tuple[tuple[str, ...], str]:
        """The measures, and the main one."""
        measures = self.measures or (KNOWN_ITEM if single else AD_HOC)
        main = self.main or measures[0]
        return (measures if main in measures else (main, *measures)), main


def every_measure() -> list[str]:
    """All measures that compare runs, those that need a place at 10 and interpolated precision at recall 0.5."""
    specs = []
    for kind in registered.all():
        if kind.better and kind.judged_by == "qrels":
            needs = any(f.name == "k" and f.default is MISSING for f in fields(kind))  # type: ignore[arg-type]
            spec = kind.name + (f"@{PLACES.get(kind.name, '10')}" if needs else "")
            with suppress(SpecError):  # some have a parameter that nobody can choose for others
                registered.parse(spec)
                specs.append(spec)
    return specs


EITHER: Mapping[str, tuple[tuple[type, ...], str]] = {
    "runs": ((str, dict), "a path, or a table of paths by version"),
    "systems": ((list, dict), "a list, or a table of systems by label"),
    "topic_ids": ((str, list), "a list of ids, or a file with one on each line"),
}
"""Settings that may be of more than one type."""
ANALYSIS = tuple(f.name for f in fields(AnalysisSettings) if f.name not in {"depth", "seed", "judged_depth"})
"""Settings of the analysis that a plan may have under the same names."""
USUAL_VERSIONS: Mapping[str, str | Noise] = {
    "true": "",
    "5 %": Noise(channel="ocrad-5"),
    "20 %": Noise(channel="ocrad-20"),
}
"""The versions of a built-in collection if a file names none."""


@dataclass(frozen=True)
class Plan:
    """Paths are relative to the folder of the plan. Systems are specs, or names of the track's runs."""

    topics: str = ""
    judgments: str = ""
    versions: Mapping[str, str | Noise] = dataclasses.field(default_factory=dict)
    """Where the documents of each version are, by its name, all with the same ids; or what is done to the true one."""
    systems: tuple[str, ...] | Mapping[str, str] = ()
    """Specs, or specs by label; ``all`` stands for every system there is; the track's if neither systems nor runs are
    named."""
    runs: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Folders of runs made elsewhere, by version."""
    collection: str = ""
    """A built-in one, ``beir:FOLDER`` or ``ir_datasets:ID``, in place of topics, judgments and documents."""
    title: str = ""
    true: str = ""
    """The version that holds the true text; the first if none is named."""
    outside: str = ""
    """Clean text of the same kind that is not searched, for systems that have a lexicon."""
    aligned: int = 40
    """Documents in true and degraded form for systems that learn characteristic errors."""
    training: int = 100
    """Documents in true and degraded form for systems that learn by regression; others than the aligned ones."""
    depth: int = USUAL_DEPTH
    seed: int = 0
    field: str = "title"
    """The part of a topic that is the question."""
    analysis: AnalysisSettings = dataclasses.field(default_factory=AnalysisSettings)
    folder: Path = dataclasses.field(default_factory=Path, compare=False)
    documents: str = ""
    """Where the documents are as they truly are: the version ``clean``."""
    topic_ids: tuple[str, ...] | str = ()
    """The topics that count, by id, or a file with one id on each line; all if none is named."""
    split: str = ""
    """Which judgments of a BEIR folder are taken: test if none is named."""
    tune: TuneSettings | None = None
    """What is tuned, if something is."""
    collapse: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """How runs of chunks become runs of documents: ``keep`` and one of ``separator``, ``pattern`` and ``table``."""
    live: Mapping[str, System] = dataclasses.field(default_factory=dict, compare=False)
    """Systems that have no spec, because they live in this process."""

    def __post_init__(self) -> None:
        if self.documents:
            if CLEAN in self.versions or (self.true and self.true != CLEAN):
                raise SpecError("give the true text once: as documents, or among the versions")
            object.__setattr__(self, "versions", {CLEAN: self.documents, **self.versions})
            object.__setattr__(self, "documents", "")
        for name, least in COUNTS.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise SpecError(f"{name} must be a whole number of at least {least}, not {value}")
        if self.field not in FIELDS:
            raise SpecError(f"field must be one of {', '.join(FIELDS)}, not {self.field!r}")
        if wrong := [name for name, value in self.collapse.items() if not isinstance(value, str)]:
            raise SpecError(f"collapse: {wrong[0]} must be a text, not {self.collapse[wrong[0]]!r}")
        table = {"parents": {"": ""}} if "table" in self.collapse else {}
        Collapse.of({name: value for name, value in self.collapse.items() if name != "table"} | table)
        self._check_collection()
        self._check_versions()
        _ = self.systems_by_name  # parsed now, so that a wrong spec is reported before anything is done

    @property
    def foreign(self) -> tuple[str, str]:
        """The kind of a collection that is not built in, and which it is; two empty texts if there is none."""
        kind, _, which = self.collection.partition(":")
        return (kind, which) if kind in FOREIGN and which else ("", "")

    def _check_collection(self) -> None:
        if self.collection and self.collection not in COLLECTIONS and not self.foreign[0]:
            known = [*COLLECTIONS, *(f"{kind}:…" for kind in FOREIGN)]
            raise SpecError(f"no collection {self.collection!r}{did_you_mean(self.collection, known)}")
        if self.split and self.foreign[0] != "beir":
            raise SpecError("split is for a collection of the kind beir:FOLDER")
        if self.collection:
            for name in ("topics", "judgments", "outside"):
                if getattr(self, name) and (name != "outside" or not self.foreign[0]):
                    raise SpecError(f"a {'' if self.foreign[0] else 'built-in '}collection has its own {name}")
            for name, of in self.versions.items():
                if isinstance(of, str) and of:
                    raise SpecError(f"version {name} of a built-in collection: an empty text or noise, not {of!r}")
        if not self.collection and not self.judgments:
            raise SpecError("a plan needs judgments")
        if not self.collection and self.versions and not self.topics:
            raise SpecError("a plan with documents needs topics")

    def _check_versions(self) -> None:
        if not self.versions and not all(map(needs_no_documents, self.systems_by_name.values())):
            raise SpecError("systems need at least one version of the documents")
        if not self.versions and not self.runs:
            raise SpecError("a plan needs at least one version of the documents, or runs")
        for name in (*self.versions, *self.runs):
            if not name.strip() or not name.isprintable():
                raise SpecError(f"a version needs a name of characters that can be seen, not {name!r}")
        if self.true and self.true not in self.versions:
            raise SpecError(f"no version {self.true!r}{did_you_mean(self.true, list(self.versions))}")
        if "" in self.versions.values() and not self.collection:
            empty = next(name for name, of in self.versions.items() if of == "")
            raise SpecError(f"version {empty} must be a path, not an empty text")
        if self.versions and isinstance(self.versions[self.reference], Noise):
            raise SpecError(f"the true version, {self.reference}, must be documents as they are")
        if self.versions and (strange := [name for name in self.runs if name not in self.versions]):
            raise SpecError(f"runs of {strange[0]!r}: no such version{did_you_mean(strange[0], list(self.versions))}")
        bare = [name for name in self.versions if name not in self.runs]
        if self.runs and bare and not self.systems and not self.live:
            raise SpecError(f"version {bare[0]} has no runs: name systems, or give runs of it")

    @cached_property
    def systems_by_name(self) -> dict[str, System]:
        """The systems by the names that they have in tables."""
        usual = TRACK if self.versions and not self.runs and not self.live and self.tune is None else ()
        given = self.systems or tuple(usual)
        specs: dict[str, str] = {}
        for label, spec in (named_specs(given) if not isinstance(given, Mapping) else given).items():
            if spec == ALL:
                specs |= {name: entry for name, entry in line_up().items() if name not in specs}
            elif label in specs:
                raise SpecError(f"the system {label} is named twice")
            else:
                specs[label] = spec
        parsed = parse_systems(specs, with_runs=bool(self.runs))
        if twice := [label for label in self.live if label in parsed]:
            raise SpecError(f"the system {twice[0]} is named twice")
        return parsed | dict(self.live)

    @property
    def asks_for_all(self) -> bool:
        """Return whether systems take part that the plan does not name one by one."""
        given = self.systems.values() if isinstance(self.systems, Mapping) else self.systems
        return not self.systems or ALL in given

    @property
    def aids(self) -> frozenset[str]:
        """Aids that the systems use beside the documents."""
        return frozenset(use for system in self.systems_by_name.values() for use in system.uses)

    @property
    def settings(self) -> AnalysisSettings:
        """Settings of the analysis, with the depth and the seed of the plan."""
        cut = self.analysis.judged_depth or (0 if self.depth == USUAL_DEPTH else self.depth)
        return dataclasses.replace(self.analysis, depth=self.depth, seed=self.seed, judged_depth=cut)

    @property
    def reference(self) -> str:
        """The version with the true text."""
        return self.true or next(iter(self.versions), "")

    @property
    def names(self) -> tuple[str, ...]:
        """All versions, those that have runs only included."""
        return tuple(dict.fromkeys((*self.versions, *self.runs)))

    def path(self, given: str) -> Path:
        return self.folder / given

    def collapser(self) -> Collapse | None:
        """How chunks become documents; None if the runs have documents."""
        return read_collapse(self.collapse, self.folder) if self.collapse else None

    @property
    def collapse_content(self) -> tuple[str, ...]:
        """What that depends on: the settings, and the digest of the table."""
        if not self.collapse:
            return ()
        table = self.collapse.get("table")
        try:
            content = digest_file(self.path(table)) if table else ""
        except OSError as error:
            raise unreadable(self.path(table or ""), error) from None
        return (digest_texts(*(f"{name}={value}" for name, value in sorted(self.collapse.items())), content),)

    def chosen_topics(self) -> frozenset[str] | None:
        """The ids of the topics that count; None if all do."""
        if not self.topic_ids:
            return None
        if not isinstance(self.topic_ids, str):
            return frozenset(self.topic_ids)
        path = self.path(self.topic_ids)
        try:
            ids = frozenset(path.read_text(encoding="utf-8").split())
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None
        if not ids:
            raise DataError(f"{path}: no id of a topic in it")
        return ids

    def possible(self) -> tuple[Plan, list[Note]]:
        """The plan without systems that it does not name and that cannot work here, and notes on these.

        A system that it names and whose packages are not installed is an error, before anything is run.
        """
        for name, system in self.systems_by_name.items():
            if (name in self.systems or name in self.live) and (why := system.missing()):
                raise MissingExtraError(f"{name}: {why}")
        if not self.asks_for_all:
            return self, []
        others = {name: s for name, s in self.systems_by_name.items() if name not in (*self.systems, *self.live)}
        left_out: dict[Note, list[str]] = {}
        for name, system in others.items():
            if "outside" in system.uses and not self.outside:
                left_out.setdefault(Note.of("systems_without_aid", aid="outside"), []).append(name)
            elif why := system.missing():
                left_out.setdefault(Note.of("systems_not_installed", why=why), []).append(name)
        if not left_out:
            return self, []
        out = {name for names in left_out.values() for name in names}
        usable = {n: str(s) for n, s in self.systems_by_name.items() if n not in out and n not in self.live}
        notes = [note.adding(systems=names) for note, names in left_out.items()]
        return dataclasses.replace(self, systems=usable), notes

    def to_json(self) -> dict[str, Any]:
        """All settings, those of the analysis included, fit for JSON."""
        aside = {"folder", "analysis", "documents", "live"}
        aside |= {name for name in ("topic_ids", "split", "tune", "collapse") if not getattr(self, name)}
        settings = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in aside}
        settings |= {name: getattr(self.analysis, name) for name in ANALYSIS}
        forms = {name: of.to_json() if isinstance(of, Noise) else of for name, of in self.versions.items()}
        if self.tune is not None:
            settings["tune"] = self.tune.to_json()
        settings |= {"versions": forms, "systems": list(self.systems_by_name), "runs": dict(self.runs)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """Read a plan from TOML; errors name the file."""
        try:
            data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise unreadable(path, error) from None
        except (ValueError, RecursionError) as error:  # also a whole number of thousands of digits
            raise DataError(f"{path}: not TOML: {error}") from None
        return cls.of(data, Path(path))

    @classmethod
    def of(cls, data: Mapping[str, Any], path: Path) -> Plan:
        own = [f.name for f in fields(cls) if f.name not in {"folder", "analysis", "live"}]
        known = [*own, *ANALYSIS]
        for key in data:
            if key not in known:
                raise DataError(f"{path}: no setting {key!r}{did_you_mean(key, known)}")
        lists = ("measures", "averages", "baselines", "tests")
        kinds = (
            {"versions": dict, "tune": dict, "collapse": dict}
            | dict.fromkeys(lists, list)
            | dict.fromkeys((*COUNTS, "samples", "level", "trec_version"), int)
            | dict.fromkeys(("complete", "judged_only"), bool)
        )
        for key, value in data.items():
            if key == "least_coverage":  # checked where it is used
                continue
            kind = kinds.get(key, EITHER[key][0] if key in EITHER else str)
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                names = {dict: "a table", list: "a list", int: "a whole number", str: "a text", bool: "true or false"}
                what = names[kind] if isinstance(kind, type) else EITHER[key][1]
                raise DataError(f"{path}: {key} must be {what}, not {value!r}")
        try:
            given: dict[str, Any] = {k: tuple(map(str, v)) if k in lists else v for k, v in data.items()}
            given["versions"] = {name: _version(name, of) for name, of in data.get("versions", {}).items()}
            if given.get("collection") and not given["versions"]:
                foreign = given["collection"].partition(":")[0] in FOREIGN
                given["versions"] = {CLEAN: ""} if foreign else USUAL_VERSIONS
            if "tune" in data:
                given["tune"] = TuneSettings.of(data["tune"])
            if "systems" in data:
                given["systems"] = named_specs(data["systems"])
            if isinstance(data.get("topic_ids"), list):
                given["topic_ids"] = tuple(map(str, data["topic_ids"]))
            if isinstance(data.get("runs"), str):
                first = given.get("true") or (CLEAN if given.get("documents") else next(iter(given["versions"]), GIVEN))
                given["runs"] = {first: data["runs"]}
            for name, where in given.get("runs", {}).items():
                if not isinstance(where, str):
                    raise SpecError(f"runs of {name} must be a path, not {where!r}")
            asked = {name: given.pop(name) for name in ANALYSIS if name in given}
            analysis = AnalysisSettings(**asked, judged_depth=given.get("depth", 0))
            return cls(**given, analysis=analysis, folder=path.parent)
        except AdjudgeError as error:
            raise DataError(f"{path}: {error}") from None


def _version(name: str, given: Any) -> str | Noise:
    if isinstance(given, str):
        return given
    if not isinstance(given, dict):
        raise SpecError(f"version {name} must be a path, or a table such as {{ channel = 'ocrad-5' }}, not {given!r}")
    try:
        return Noise.of(given)
    except SpecError as error:
        raise SpecError(f"version {name}: {error}") from None
