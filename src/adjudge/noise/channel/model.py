"""The error channel: how true text becomes observed text, as a probability for every rewriting.

Text is written from left to right. At each true character one of these happens:

- a rule ``source → target`` whose source stands here is applied, with its probability; up to three characters become
  up to three others, none (a deletion) included, and the writing goes on behind the source;
- a rule without a source inserts its target, and the writing stays where it is;
- any character is substituted, deleted or inserted outside the rules: three small masses, spread evenly over the
  alphabet, which keep what was never seen from being impossible;
- or the character comes through: with what all these leave of 1, at least 0.02.

The blank is a character like the others, so words break and join. After the last character only insertions are left;
the probability that there are none is the same for all strings and left out of the figures for words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.errors import SpecError
from .rule_arrays import LETTERS, ChannelTables, loops

Floats = npt.NDArray[np.float64]

LONGEST = 3
"""Characters on either side of a rule."""

HIGHEST = 1e6
"""No multiplier is higher; products of those that are would not be numbers any more."""

ASCII = "".join(map(chr, range(32, 127)))


def tellable(character: str) -> bool:
    """Whether a channel can have a character in its alphabet: up to U+FFFF, and no half of a surrogate pair."""
    return ord(character) < 0xD800 or 0xE000 <= ord(character) <= 0xFFFF


class Rule(NamedTuple):
    """What is read for what, with which probability wherever the source stands, and how often that was seen."""

    source: str
    target: str
    probability: float
    seen: float = 0.0


@dataclass(frozen=True)
class Bursts:
    """Errors come in bursts: how much more or less is wrong on a page and in a word than on average.

    A page of ``page`` characters has one of the multipliers ``pages``, all equally probable, and each of its words one
    of ``words`` with the probability in ``shares``.
    """

    page: int = 2000
    pages: tuple[float, ...] = (1.0,)
    words: tuple[float, ...] = (1.0,)
    shares: tuple[float, ...] = (1.0,)


EVEN = Bursts()
LONGEST_PAGE = 10**9
"""Characters."""


@dataclass(frozen=True)
class Channel:
    """Rules with probabilities, what happens outside them, and how errors come in bursts; frozen.

    ``substitution``, ``deletion`` and ``insertion`` are the masses outside the rules, each for one true character.
    ``errors`` are the confusions seen in training as section 2.2 of the Confusion Track's systems counts them: an
    insertion or deletion with a neighbouring character. ``curve`` tells which character error rate a multiplier of
    all probabilities leads to, by simulation; ``about`` says where the channel comes from.
    """

    rules: tuple[Rule, ...]
    alphabet: str = ASCII
    substitution: float = 0.04
    deletion: float = 0.005
    insertion: float = 0.005
    errors: tuple[Rule, ...] = ()
    bursts: Bursts = EVEN
    curve: tuple[tuple[float, float], ...] = ()
    about: dict[str, object] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        if len(set(self.alphabet)) != len(self.alphabet) or not 0 < len(self.alphabet) <= LETTERS:
            raise SpecError(f"the alphabet of a channel has 1 to {LETTERS} different characters")
        for character in self.alphabet:
            if not tellable(character):
                raise SpecError(f"the alphabet of a channel ends at U+FFFF, without surrogates: U+{ord(character):04X}")
        masses = {"substitution": self.substitution, "deletion": self.deletion, "insertion": self.insertion}
        for name, mass in masses.items():
            if not 0 <= mass < 1:
                raise SpecError(f"the {name} mass of a channel lies between 0 and 1, not {mass}")
        known, seen = set(self.alphabet), set()
        for rule in self.rules:
            check_rule(rule)
            if not known.issuperset(rule.source + rule.target):
                raise SpecError(f"rule {format_rule(rule)} has a character that is not in the alphabet")
            if (rule.source, rule.target) in seen:
                raise SpecError(f"rule {format_rule(rule)} is there twice")
            seen.add((rule.source, rule.target))
        if sum(rule.probability for rule in self.rules if not rule.source) + self.insertion >= 1:
            raise SpecError("the insertions of a channel have a probability of 1 or more together: text without end")
        for rule in self.errors:
            check_rule(rule)
        _check_bursts(self.bursts)
        _check_curve(self.curve)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name not in {"tables", "sampler", "by_source"}}

    @cached_property
    def tables(self) -> ChannelTables:
        """The rules laid out for the compiled loops."""
        return ChannelTables.of(self.rules, self.alphabet, self.substitution, self.deletion, self.insertion)

    @cached_property
    def by_source(self) -> dict[str, tuple[Rule, ...]]:
        """The rules of each source."""
        groups: dict[str, list[Rule]] = {}
        for rule in self.rules:
            groups.setdefault(rule.source, []).append(rule)
        return {source: tuple(rules) for source, rules in groups.items()}

    @staticmethod
    def shipped(name: str) -> Channel:
        """A channel that comes with the package, by its name; a path to a file is taken too."""
        from .channel_files import channel_of

        return channel_of(name)

    @staticmethod
    def load(path: str) -> Channel:
        """A channel from a file."""
        from .channel_files import load

        return load(path)

    def save(self, path: str) -> None:
        """Writes the channel to a file, whole or not at all."""
        from .channel_files import save

        save(self, path)

    def log_probability(self, observed: str, true: str, *, best: bool = False) -> float:
        """The logarithm of P(observed | true): the sum over all ways to get there, or the best of them alone.

        >>> channel = Channel((Rule("rn", "m", 0.1),))
        >>> round(channel.log_probability("com", "corn", best=True), 3)
        -2.405
        """
        return float(self.log_probabilities(observed, [true], best=best)[0])

    def log_probabilities(self, observed: str, candidates: Sequence[str], *, best: bool = False) -> Floats:
        """The same for many candidates for the true string, in their order."""
        scores = np.empty(len(candidates))
        loops.score(self.tables.buffers, observed, list(candidates), best, scores)
        return scores

    def most_probable_of(
        self, observed: Sequence[str], names: list[str], rows: npt.NDArray[np.int32], most: int
    ) -> tuple[npt.NDArray[np.int32], Floats]:
        """For each observed string, the best of its candidates and log P(observed | candidate) along the best way.

        A row has the numbers of the candidates in ``names``, filled up with -1, and so has the answer. Of equals the
        one that stands first in its row is ahead.
        """
        numbers = np.empty((len(observed), most), np.int32)
        scores = np.empty(numbers.shape)
        loops.rank(self.tables.buffers, list(observed), names, rows, numbers, scores)
        return numbers, scores

    def bits_per_character(self, pairs: Iterable[tuple[str, str]]) -> float:
        """The bits that the channel needs to tell the observed texts to one who has the true ones, a true character.

        Fewer bits: a better model of the errors. Long texts are cut where they agree (``fit.py``).
        """
        from .fit import bits_per_character

        return bits_per_character(self, pairs)

    def corruptions(self, word: str, limit: int = 256, *, by: str = "type") -> list[tuple[str, float]]:
        """The word with every combination of its characteristic errors, the most probable first.

        ``by="type"``: an error happens at all its places in the word or at none; ``by="site"``: at each on its own.
        """
        from .corruption import corruptions

        return corruptions(word, self.characteristic(), limit, by=by)

    def most_probable(self, word: str, k: int = 10) -> list[tuple[str, float]]:
        """The k most probable observed strings for a word by the rules of the channel, the best way to each counted.

        The search is exact (best first); what lies outside the rules is not listed.
        """
        from .corruption import most_probable

        return most_probable(self, word, k)

    def characteristic(self, *, least: int = 3, probability: float = 0.005, top: int = 20) -> tuple[Rule, ...]:
        """The errors that were seen ``least`` times, are not too rare and have no blank inside; most frequent first."""
        ranked = [
            rule
            for rule in self.errors
            if rule.seen >= least and rule.probability >= probability and " " not in rule.source + rule.target
        ]
        return tuple(sorted(ranked, key=lambda rule: (-rule.seen, rule.source, rule.target))[:top])

    def sample(self, text: str, rng: np.random.Generator, rate: float | None = None) -> str:
        """A text as the channel may leave it; ``rate`` asks for another character error rate than it was learned at."""
        from .sampling import sample

        return sample(self, text, rng, rate)


def check_rule(rule: Rule) -> None:
    """A rule that cannot be is refused."""
    if max(len(rule.source), len(rule.target)) > LONGEST or rule.source == rule.target:
        raise SpecError(
            f"rule {format_rule(rule)} does not turn up to {LONGEST} characters into up to {LONGEST} others"
        )
    if not 0 < rule.probability <= 1 or not (math.isfinite(rule.seen) and rule.seen >= 0):
        raise SpecError(f"rule {format_rule(rule)} needs a probability above 0 and up to 1 and a count of 0 or more")


def format_rule(rule: Rule) -> str:
    """A rule as messages show it."""
    return f"{rule.source!r} → {rule.target!r}"


def _check_bursts(bursts: Bursts) -> None:
    if (
        not 1 <= bursts.page <= LONGEST_PAGE
        or not bursts.pages
        or len(bursts.words) != len(bursts.shares)
        or not bursts.words
    ):
        raise SpecError(
            "the bursts of a channel need a page length, multipliers and as many shares as word multipliers"
        )
    multipliers = (*bursts.pages, *bursts.words, *bursts.shares)
    if not all(0 <= value <= HIGHEST for value in multipliers) or not math.isclose(sum(bursts.shares), 1, abs_tol=1e-3):
        raise SpecError(f"the multipliers of bursts lie between 0 and {HIGHEST:g}, and the shares of words add up to 1")


def _check_curve(curve: Sequence[tuple[float, float]]) -> None:
    before = (0.0, 0.0)
    for gain, rate in curve:
        if not (before[0] < gain <= HIGHEST and before[1] < rate <= HIGHEST):
            raise SpecError(
                f"the curve of a channel grows from above 0 in both figures, not from {before} to {gain, rate}"
            )
        before = gain, rate


def uniform(
    rate: float, alphabet: str = ASCII, *, shares: tuple[float, float, float] = (1 / 3, 1 / 3, 1 / 3)
) -> Channel:
    """The channel that knows the error rate and the shares of substitutions, deletions, insertions, nothing else."""
    if not 0 < rate < 1 or min(shares) < 0 or not math.isclose(sum(shares), 1, abs_tol=1e-6):
        raise SpecError(
            f"an error rate between 0 and 1 and shares that add up to 1 are needed, not {rate} and {shares}"
        )
    substitution, deletion, insertion = (rate * share for share in shares)
    return Channel((), alphabet, substitution, deletion, insertion)
