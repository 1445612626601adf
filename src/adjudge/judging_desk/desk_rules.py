"""The rules of a judging desk: the scale, how many judge a pair, who judges which topics. A project writes them itself.

PROJECT/desk.toml, if there is one:

    people = 2          # judges of a pair that is in the overlap
    overlap = 0.2       # the share of pairs that so many people judge
    [[grades]]
    grade = 0
    name = "not relevant"
    meaning = "says nothing about the topic"
    colour = "#59636e"
    examples = ["a page that only lists the words"]
    [assignments]
    Ada = ["1", "2"]
    [about]             # what only the makers know, for the datasheet
    purpose = "to compare search engines for recipes"
    licence = "CC BY 4.0"

PROJECT/guidelines.md, plain text, is shown beside the decisions. PROJECT/pairs.tsv, if there is one, has a line for
each pair that is for somebody: topic, document and assessor with tabs between them (pair_assignments.py).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..collection.workbench.events import check_name
from ..core.errors import DataError, at, did_you_mean
from ..formats.toml_lines import line_in_toml
from ..storage.access import reading
from ..storage.digest import digest_number
from .pair_assignments import NO_PAIRS, PAIRS, PairAssignments, read_pair_assignments

RULES, GUIDELINES = "desk.toml", "guidelines.md"
MOST_GRADE = 9
"""As far as there are digits to press."""
LONGEST_WORDS = 2000
MOST_EXAMPLES = 20
LONGEST_GUIDELINES = 100_000
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
CHANCES = 8
ABOUT = ("name", "purpose", "makers", "funding", "licence", "contact")


class RuleError(DataError):
    """What is wrong with a rule, and where it stands in the file: a path of keys and numbers."""

    def __init__(self, why: str, *path: str | int) -> None:
        super().__init__(why)
        self.path = path


@dataclass(frozen=True)
class Grade:
    """A step of the scale."""

    grade: int
    name: str
    meaning: str = ""
    colour: str = ""
    """#rrggbb; that of the page if there is none."""
    examples: tuple[str, ...] = ()


USUAL_GRADES = (
    Grade(0, "not relevant", "nothing that helps with the topic"),
    Grade(1, "related", "about the topic, but no answer"),
    Grade(2, "relevant", "answers a part, or has to be searched for it"),
    Grade(3, "perfectly relevant", "what the topic asks for"),
)


@dataclass(frozen=True)
class DeskRules:
    """How a pool is judged."""

    grades: tuple[Grade, ...] = USUAL_GRADES
    people: int = 2
    """Judges of a pair that is in the overlap; every other pair has one."""
    overlap: float = 0.0
    assignments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """{assessor: topics}; a topic that nobody has is for all."""
    pairs: PairAssignments = NO_PAIRS
    """Pairs that are for somebody; they judge them, and nobody else does."""
    guidelines: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    """What only the makers of the collection know."""

    def __post_init__(self) -> None:
        if isinstance(self.people, bool) or not isinstance(self.people, int) or not 1 <= self.people <= 100:
            raise RuleError(f"people must be a whole number from 1 to 100, not {self.people!r}", "people")
        fine = isinstance(self.overlap, int | float) and not isinstance(self.overlap, bool)
        if not fine or not 0 <= self.overlap <= 1:
            raise RuleError(f"overlap must be a number from 0 to 1, not {self.overlap!r}", "overlap")

    def wanted(self, topic: str, document: str, seed: int) -> int:
        """How many people judge a pair; by seed, topic and document alone, so that it never changes."""
        if names := self.pairs.names(topic, document):
            return len(names)
        if self.people < 2 or self.overlap <= 0:
            return 1
        drawn = digest_number(f"overlap {seed} {topic}\0{document}".encode("utf-8", "surrogatepass"), CHANCES)
        return self.people if drawn < self.overlap * 2.0 ** (8 * CHANCES) else 1

    def own_topics(self, who: str, topics: Sequence[str]) -> tuple[str, ...]:
        """The topics that somebody judges: what was assigned, whole or in part; what nobody has, if nothing was."""
        if self._has_some(who):
            mine = {*self.assignments.get(who, ()), *self.pairs.topics_of(who)}
            return tuple(topic for topic in topics if topic in mine)
        taken = {topic for some in self.assignments.values() for topic in some}
        return tuple(topic for topic in topics if topic not in taken)

    @property
    def several(self) -> bool:
        """Whether two people or more are to judge some pairs, so that they should not follow each other."""
        return (self.people > 1 and self.overlap > 0) or self.pairs.shared > 0

    @property
    def exemplified(self) -> tuple[Grade, ...]:
        """The grades that have examples."""
        return tuple(grade for grade in self.grades if grade.examples)

    def _has_some(self, who: str) -> bool:
        return who in self.assignments or bool(self.pairs.topics_of(who))

    def may_judge(self, who: str, topic: str, document: str) -> bool:
        """Whether a pair is for somebody, or for nobody in particular."""
        names = self.pairs.names(topic, document)
        return not names or who in names

    def begins(self, who: str, topic: str) -> Callable[[str], bool]:
        """Which documents of a topic somebody may be the first to judge.

        Who has pairs of a topic and not the topic has these alone; of all other topics what is not for others.
        """
        if self._has_some(who) and topic not in self.assignments.get(who, ()):
            return lambda document: who in self.pairs.names(topic, document)
        return lambda document: self.may_judge(who, topic, document)


def read_rules(
    folder: Path, topics: Collection[str], *, people: int | None = None, overlap: float | None = None
) -> DeskRules:
    """The rules of a project; what is given here counts more than what its file says."""
    path = folder / RULES
    rules = _parse(path, topics) if path.is_file() else DeskRules()
    text = folder / GUIDELINES
    if text.is_file():
        with reading(text):
            rules = replace(rules, guidelines=text.read_text("utf-8", "replace")[:LONGEST_GUIDELINES])
    if (folder / PAIRS).is_file():
        rules = replace(rules, pairs=read_pair_assignments(folder / PAIRS, topics))
    if people is not None:
        rules = replace(rules, people=people)
    return rules if overlap is None else replace(rules, overlap=overlap)


def _parse(path: Path, topics: Collection[str]) -> DeskRules:
    try:
        with reading(path):
            text = path.read_text("utf-8")
        body = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"{path}: {str(error) or 'nested too deeply'}") from None
    known = ["grades", "people", "overlap", "assignments", "about"]
    try:
        for name in body:
            if name not in known:
                raise RuleError(f"{name!r} is not a rule{did_you_mean(name, known)}", name)
        return DeskRules(
            _grades(body["grades"]) if "grades" in body else USUAL_GRADES,
            body.get("people", 2),
            body.get("overlap", 0.0),
            _assignments(body.get("assignments", {}), topics),
            about=_about(body.get("about", {})),
        )
    except RuleError as error:
        raise DataError(at(str(path), line_in_toml(text, error.path), str(error))) from None


def _grades(rows: Any) -> tuple[Grade, ...]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise RuleError("grades are tables: [[grades]]", "grades")
    grades = []
    for place, row in enumerate(rows):
        if unknown := row.keys() - {"grade", "name", "meaning", "colour", "examples"}:
            name = min(unknown)
            raise RuleError(
                f"a grade has grade, name, meaning, colour and examples, not {name!r}", "grades", place, name
            )
        number, name, colour = row.get("grade"), row.get("name", ""), row.get("colour", "")
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_GRADE:
            why = f"a grade is a whole number from 0 to {MOST_GRADE}, not {number!r}"
            raise RuleError(why, "grades", place, *(["grade"] if "grade" in row else []))
        texts = (name, row.get("meaning", ""), colour)
        if not all(isinstance(text, str) and len(text) <= LONGEST_WORDS for text in texts) or not name:
            raise RuleError(f"grade {number} needs a name; name, meaning and colour are texts", "grades", place)
        if colour and not COLOUR.fullmatch(colour):
            why = f"the colour of grade {number} must be like #0072b2, not {colour!r}"
            raise RuleError(why, "grades", place, "colour")
        examples = _examples(row.get("examples", []), number, place)
        grades.append(Grade(number, name, row.get("meaning", ""), colour, examples))
    if len({grade.grade for grade in grades}) < max(2, len(grades)):
        raise RuleError("a scale has two grades or more, each once", "grades")
    return tuple(sorted(grades, key=lambda grade: grade.grade))


def _examples(given: Any, number: int, place: int) -> tuple[str, ...]:
    listed = isinstance(given, list) and len(given) <= MOST_EXAMPLES
    if not listed or not all(isinstance(text, str) and len(text) <= LONGEST_WORDS for text in given):
        why = f"the examples of grade {number} must be a list of at most {MOST_EXAMPLES} texts"
        raise RuleError(why, "grades", place, "examples")
    return tuple(given)


def _assignments(table: Any, topics: Collection[str]) -> dict[str, tuple[str, ...]]:
    if not isinstance(table, dict):
        raise RuleError("assignments are a table: [assignments]", "assignments")
    assigned = {}
    for who, some in table.items():
        if not isinstance(some, list) or not all(isinstance(topic, str | int) for topic in some):
            raise RuleError(f"the topics of {who!r} must be a list", "assignments", who)
        own = tuple(map(str, some))
        for topic in own:
            if topic not in topics:
                why = f"topic {topic!r} of {who!r} is not in the pool{did_you_mean(topic, list(topics))}"
                raise RuleError(why, "assignments", who)
        try:
            assigned[check_name(who)] = own
        except DataError as error:
            raise RuleError(str(error), "assignments", who) from None
    return assigned


def _about(table: Any) -> dict[str, str]:
    if not isinstance(table, dict):
        raise RuleError("about is a table: [about]", "about")
    for name, text in table.items():
        if name not in ABOUT:
            raise RuleError(
                f"about has {', '.join(ABOUT)}, not {name!r}{did_you_mean(name, list(ABOUT))}", "about", name
            )
        if not isinstance(text, str) or len(text) > LONGEST_WORDS:
            raise RuleError(f"{name} must be a text of at most {LONGEST_WORDS:,} characters", "about", name)
    return dict(table)
