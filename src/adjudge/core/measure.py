"""What a measure is."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from .errors import ConflictError, SpecError, did_you_mean
from .judged import Floats, JudgedRun
from .plug_ins import warn
from .registry import Registry
from .scores import Column
from .spec import Component, Spec, build, is_count, number, parameters, require

if TYPE_CHECKING:
    import numpy.typing as npt

SAMPLED = "xinfap"
"""What is estimated from a sample, and no measure of plain judgments."""
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""Where trec_eval cuts rankings by default."""

COLUMNS = 4096
"""So many columns are kept as they were read."""

SHARE, AT_LEAST_0, ANY_NUMBER = (0.0, 1.0), (0.0, math.inf), (-math.inf, math.inf)
"""Between which values a measure may lie."""

RECALLS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class TrecName(NamedTuple):
    """A name under which trec_eval knows a measure."""

    name: str
    field: str = ""
    """The parameter that trec_eval appends to the name, as in ``P_10``; '' if it appends none."""
    defaults: tuple[Any, ...] = ()
    """The values of it that trec_eval uses when none are given."""
    fixed: tuple[tuple[str, Any], ...] = ()
    """Parameters that differ from our defaults under this name."""


class Measure(Component, ABC):
    """Called with a judged run it gives one number a topic."""

    average: ClassVar[str] = "mean"
    """How the figure over all topics is made: ``mean``, or ``sum`` for counts."""
    trec_eval: ClassVar[tuple[TrecName, ...]] = ()
    better: ClassVar[str] = "high"
    """``high``, ``low``, or '' for counts that are neither good nor bad."""
    judged_by: ClassVar[str] = "qrels"
    """What it needs the run to be judged by: ``qrels``, ``prefs`` (core/preferences.py), ``subtopics``
    (core/subtopics.py) or ``spans`` (core/span_judgments.py)."""
    group: ClassVar[str] = "rank-based"
    """Under which heading it is listed: one of GROUPS."""
    compiled: ClassVar[str | None] = None
    """The parameter that the compiled loop of this name takes (native/measuring.c), '' if it takes none; None if there
    is no such loop."""

    limits: ClassVar[tuple[float, float]] = ANY_NUMBER
    """Between which values it lies whatever is judged, if gains are those of the grades."""

    def bounds(self) -> tuple[float, float]:
        """The least and the most that it can be with these parameters; infinite where that is not known."""
        return self.limits if isinstance(getattr(self, "gains", "grade"), str) else ANY_NUMBER

    def __post_init__(self) -> None:
        k = getattr(self, "k", None)
        if k is not None:
            require(self, "k", is_count(k), "be a whole number of documents, 1 or more")

    @abstractmethod
    def __call__(self, judged: JudgedRun) -> Floats:
        """A value for each topic of a judged run."""

    def loop(self) -> tuple[str, float] | None:
        """The compiled loop that gives the same values, and its number; None if there is none for these parameters."""
        if self.compiled is None:
            return None
        others = (field for field in parameters(type(self)) if field.name != self.compiled)
        if any(getattr(self, field.name) != field.default for field in others):
            return None
        number = getattr(self, self.compiled) if self.compiled else None
        return self.name, math.inf if number is None else float(number)


@dataclass(frozen=True)
class RankedMeasure(Measure):
    """A measure of a ranking, which may be asked to pass over unjudged documents.

    ``judged_only``: unjudged documents are dropped, and those below them move up (false).
    """

    judged_only: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_view()

    def check_view(self) -> None:
        """Raise unless the parameters that choose the view lie in their domains."""
        require(self, "judged_only", isinstance(self.judged_only, bool), "be true or false")
        rel, cutoff = getattr(self, "rel", None), getattr(self, "cutoff", None)
        if rel is not None:
            whole = isinstance(rel, int) and not isinstance(rel, bool) and 0 <= rel < 2**31
            require(self, "rel", whole, "be a grade, a whole number from 0 on")
        if cutoff is not None:
            require(self, "cutoff", is_count(cutoff), "be a whole number of documents, 1 or more")

    def __call__(self, judged: JudgedRun) -> Floats:
        return self.values(self.view(judged))

    @abstractmethod
    def values(self, judged: JudgedRun) -> Floats:
        """A value for each topic of the view of a judged run that the measure asks for."""

    def view(self, judged: JudgedRun) -> JudgedRun:
        """The judged run as this measure wants to see it."""
        return judged.view(getattr(self, "rel", None), self.judged_only, getattr(self, "cutoff", None))


@dataclass(frozen=True)
class RelevanceMeasure(RankedMeasure):
    """A measure that asks of a document only whether it is relevant.

    ``rel``: the lowest grade that counts as relevant, for this measure alone; by default the level by which the run
    was judged.
    """

    rel: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class TruncatedMeasure(RankedMeasure):
    """A measure of a whole list, which may be asked to look at its head only.

    ``cutoff``: documents ranked below it are dropped; all that is counted in the judgments stays the same.
    """

    cutoff: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class TextMeasure(RankedMeasure):
    """A description rather than a number: a string for each topic."""

    better: ClassVar[str] = ""

    def values(self, judged: JudgedRun) -> Floats:
        return np.full(len(judged.topics), np.nan)

    def texts(self, judged: JudgedRun) -> npt.NDArray[np.str_]:
        """A string for each topic of a judged run."""
        return self.describe(self.view(judged))

    @abstractmethod
    def describe(self, judged: JudgedRun) -> npt.NDArray[np.str_]:
        """A string for each topic of the view of a judged run that the measure asks for."""


GROUPS = {
    "rank-based": "Measures of a ranking",
    "set-based": "Measures of a set, whatever its order",
    "user models": "User models: what a reader gains who may stop at any document",
    "diversity": "Diversity and novelty: judgments of subtopics",
    "passages": "Passages: judgments of spans of documents",
    "preference": "Preference judgments: this document rather than that one",
    "counts": "Counts and descriptions",
}
"""The headings under which measures are listed."""

GEOMETRIC = "gm_"
"""Before any measure: its geometric mean over topics. gm_map is ap so averaged."""

GEOMETRIC_MEAN = "gm(floor=1e-05)"
"""As trec_eval makes it; the floor is always given."""


OTHER_NAMES = {
    "map": "ap",
    "map_cut": "ap",
    "α_dcg": "alpha_dcg",
    "α_ndcg": "alpha_ndcg",
    "map_ia": "ap_ia",
    "dsharp_ndcg": "d_sharp_ndcg",
    "strecall": "st_recall",
    "11_pt_avg": "eleven_point",
    "11pt": "eleven_point",
    "11pt_avg": "eleven_point",
    "iprec_at_recall": "iprec",
    "ndcg_cut": "ndcg",
    "numq": "num_q",
    "numrel": "num_rel",
    "numrelret": "num_rel_ret",
    "numret": "num_ret",
    "precision": "p",
    "prefs_avgjg_imp": "prefs_avgjg",
    "prefs_avgjg_ret": "prefs_avgjg",
    "prefs_avgjg_rnonrel_ret": "prefs_avgjg_rnonrel",
    "prefs_num_prefs_ful": "prefs_count",
    "prefs_num_prefs_ful_ret": "prefs_count",
    "prefs_num_prefs_poss": "prefs_count",
    "prefs_pair_imp": "prefs_pair",
    "prefs_pair_ret": "prefs_pair",
    "prefs_simp_imp": "prefs_simp",
    "prefs_simp_ret": "prefs_simp",
    "rbp_resid": "rbp_residual",
    "r": "recall",
    "r_precision": "rprec",
    "rprec_mult": "rprec",
    "mrr": "rr",
    "recip_rank": "rr",
    "setf": "set_f",
    "setp": "set_p",
    "setr": "set_recall",
    "hit_rate": "success",
}
"""Where to look for other names that measures declare, in lower case: importing all measures to find one costs more
than judging a small run. A test compares this with what they declare."""


class MeasureRegistry(Registry[Measure]):
    """Measures by the literature's name in any case, by trec_eval's, or by another in use.

    ``nDCG@10``, ``ndcg_cut_10`` and ``ndcg@10`` are the same measure.
    """

    @cached_property
    def known_as(self) -> dict[str, tuple[str, TrecName | None]]:
        """Every other name, in lower case where its own case does not matter: (measure, trec_eval's use of it)."""
        table: dict[str, tuple[str, TrecName | None]] = {}
        for cls in self.all():
            uses = [(use.name, use) for use in cls.trec_eval] + [(alias.lower(), None) for alias in cls.aliases]
            for name, use in uses:
                entry = (cls.name, use)
                if cls.name in self.plug_ins and (name.lower() in self.names or table.get(name, entry)[0] != cls.name):
                    warn(f"{self.plug_ins[cls.name]} claims the name {name!r}, which is taken: that name is ignored")
                    continue
                if name.lower() in self.names and name.lower() != cls.name:
                    raise ConflictError(f"{cls.name} claims the name {name!r}, which is a measure of its own")
                if table.setdefault(name, entry)[0] != cls.name:
                    raise ConflictError(f"both {table[name][0]} and {cls.name} claim the name {name!r}")
        return table

    @property
    def own_aliases(self) -> dict[str, str]:
        return OTHER_NAMES

    def other_names(self, cls: type[Measure]) -> tuple[str, ...]:
        return (*cls.aliases, *(use.name for use in cls.trec_eval))

    def find(self, name: str) -> tuple[str, TrecName | None] | None:
        """The measure that has this other name, and trec_eval's use of it; all measures are asked only for a name that
        is in no table."""
        likely = OTHER_NAMES.get(name.lower(), name.lower())
        if likely in self.own_names:
            cls = self.get(likely)
            for use in cls.trec_eval:
                if use.name == name:
                    return likely, use
            if name.lower() in (alias.lower() for alias in cls.aliases):
                return likely, None
        return self.known_as.get(name) or self.known_as.get(name.lower())

    def parse(self, spec: str, names: str | None = None) -> Measure:
        """The measure that a spec asks for, ours or as another program writes it.

        ``names`` is the program whose names are meant where it has them: ir_measures, ranx, ndeval or cwl_eval. Without
        it a name of another program is understood as long as it has one meaning.
        """
        return self.reading(spec, names)[0]

    def reading(self, spec: str, names: str | None = None) -> tuple[Measure, str]:
        """The measure of a spec, and the average by which its figure is made."""
        if names is not None:
            from .dialects import READERS, read_name

            meant = read_name(names, spec) if names in READERS else None
            if meant is not None:
                measure = super().parse(meant.spec)
                return measure, meant.average or measure.average
        elif isinstance(spec, str) and _NAME.match(spec)[0] in MEANT_ELSEWHERE:  # type: ignore[index]
            self._refuse_ambiguous(spec)
        try:
            measure = super().parse(spec)
        except SpecError:
            if isinstance(spec, str) and (found := self._of_others(spec)) is not None:
                return found
            raise
        return measure, measure.average

    def _others(self, spec: str) -> dict[str, tuple[Measure, str]]:
        """{dialect: what it means there} of the programs that have a name."""
        from .dialects import READERS, read_name

        found = {}
        for dialect in READERS:
            if (meant := read_name(dialect, spec)) is not None:
                measure = super().parse(meant.spec)
                found[dialect] = measure, meant.average or measure.average
        return found

    def _of_others(self, spec: str) -> tuple[Measure, str] | None:
        """What a name of another program means that is none of ours; None if nobody has it or it is wrong there too."""
        several = SEVERAL.get(f"{spec.partition('@')[0]}@" if "@" in spec else spec)
        if several is not None:
            raise SpecError(f"{self.kind} {spec!r} has two meanings: {several}")
        try:
            found = self._others(spec)
        except SpecError:
            return None
        if len(set(found.values())) > 1:
            raise SpecError(f"{self.kind} {spec!r} has two meanings: {_either(found)}")
        return next(iter(found.values()), None)

    def _refuse_ambiguous(self, spec: str) -> None:
        """An error if a name of another program would mean something else here."""
        found = self._others(spec)
        try:
            ours = super().parse(spec)
        except SpecError:
            return
        other = {dialect: meant for dialect, meant in found.items() if meant[0] != ours}
        if other:
            raise SpecError(f"{self.kind} {spec!r} has two meanings: {_either({'adjudge': (ours, ''), **other})}")

    def make(self, spec: Spec) -> Measure:
        name, given = spec.name, dict(spec.given)
        if name.lower() in self.own_names:
            return self._build(name.lower(), spec)
        base, joint, tail = _last_number(name)
        known = self.find(base) if joint else None
        if known is not None and known[1] is not None and known[1].field:
            given[known[1].field] = number(tail)
        else:
            known = self.find(name)
        if known is None and name in self.plug_ins:
            return build(self.get(name), spec, self.kind)
        if known is None and name.lower() == SAMPLED:
            raise SpecError(f"{name} is estimated from a sample of judgments in five columns: adjudge estimate does it")
        if known is None:
            raise SpecError(f"no {self.kind} {str(spec)!r}{did_you_mean(name, [*self.names, *self.known_as])}")
        canonical, use = known
        if use is not None and use.field and use.field not in given and not (use.field == "k" and spec.cutoff):
            raise SpecError(f"{self.kind} {str(spec)!r} needs a number, as in {use.name}_{use.defaults[0]}")
        given.update({key: value for key, value in (use.fixed if use else ()) if key not in given})
        return self._build(canonical, spec._replace(given=given))

    def _build(self, name: str, spec: Spec) -> Measure:
        """The measure of this name; ``cutoff`` is another word for k where a measure has a k that counts documents."""
        cls = self.get(name)
        known = {field.name for field in parameters(cls)}
        if "cutoff" in spec.given and "cutoff" not in known and "k" in known:
            if spec.cutoff is not None or "k" in spec.given:
                raise SpecError(f"{self.kind} {str(spec)!r} gives its cutoff twice")
            given = {key: value for key, value in spec.given.items() if key != "cutoff"}
            spec = spec._replace(given=given | {"k": spec.given["cutoff"]})
        elif spec.cutoff is not None and "k" not in known and "cutoff" in known:
            whole = f"write {cls.name}(cutoff={spec.cutoff}) to drop what is ranked below"
            raise SpecError(f"{self.kind} {str(spec)!r}: {cls.name} takes no cutoff after the @: {whole}")
        return build(cls, spec, self.kind)

    def column(self, spec: str, names: str | None = None) -> tuple[Column, Measure]:
        """A measure and how it stands in a table of scores: under the name that it was asked for."""
        if (known := self._columns.get((spec, names))) is not None:
            return known
        measure, average = self.reading(spec.removeprefix(GEOMETRIC), names)
        average = GEOMETRIC_MEAN if spec.startswith(GEOMETRIC) else average
        made = Column(spec, str(measure), average, measure.better), measure
        if measure.name in self.own_names:
            if len(self._columns) >= COLUMNS:
                self._columns.clear()
            self._columns[spec, names] = made
        return made

    @cached_property
    def _columns(self) -> dict[tuple[str, str | None], tuple[Column, Measure]]:
        """Columns of our own measures that were asked for: to read their specs again takes longer than to judge a small
        run. Measures are frozen, so whoever asks for one may have the same."""
        return {}


MEANT_ELSEWHERE = {"Accuracy", "ERR", "IPrec", "RBP", "SetF"}
"""Names that are understood here and mean something else in another program, in its capitals; a test compares this
with the tables of core/dialects.py. Ours are in lower case: accuracy, err, iprec, rbp, set_f."""

WHOSE = "write one of them, or say whose names they are (--names)"

SEVERAL = {
    "recall": f"in ranx set_recall, in trec_eval recall@k at nine cutoffs; {WHOSE}",
    "rbp@": f"in ranx a persistence, rbp(p=0.95, scaled=false), elsewhere a cutoff, rbp(cutoff=95); {WHOSE}",
}
"""Names that other programs give to different things, and that are none of ours as they stand."""

_NAME = re.compile(r"[\w.+-]*")


def _either(found: Mapping[str, tuple[Measure, str]]) -> str:
    ways = ", ".join(f"in {dialect} {measure}" for dialect, (measure, _) in found.items())
    return f"{ways}; {WHOSE}"


def _last_number(name: str) -> tuple[str, str, str]:
    """``ndcg_cut_10`` → ndcg_cut, _, 10."""
    match = re.fullmatch(r"(.*?)([_.])(\d*\.?\d+)", name)
    return (match[1], match[2], match[3]) if match else (name, "", "")


measures = MeasureRegistry("measure", "adjudge.measures", Measure)
