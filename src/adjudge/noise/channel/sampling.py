"""Degraded text drawn from a channel: whole texts at a time, in arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.errors import SpecError
from .sampler import Sampler, codes_of, sampler_of

if TYPE_CHECKING:
    from .model import Channel

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

CAP = 0.97
"""The chance of an error at a character never exceeds this, however bad the page and the word are."""

UNSURE = 0.3
"""Up to this error rate probabilities that are multiplied make as many errors more; beyond, errors hit each other."""

WHITE = np.zeros(0x3002, bool)
"""Whether a character is white space, as ``str.split`` sees it."""
WHITE[[9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)]] = True
WHITE[[0x2028, 0x2029, 0x202F, 0x205F, 0x3000]] = True


def sample(channel: Channel, text: str, rng: np.random.Generator, rate: float | None = None) -> str:
    """A text as the channel may leave it. White space stays as it is where no error hits it."""
    sampler = sampler_of(channel)
    return degrade_text(channel, sampler, text, rng, gain_for(channel, sampler, text, rate))


def gain_for(channel: Channel, sampler: Sampler, text: str, rate: float | None) -> float:
    """What all probabilities are multiplied by to reach a character error rate, by simulation when it was learned."""
    if rate is None:
        return 1.0
    if not 0 <= rate < 1:
        raise SpecError(f"a character error rate lies between 0 and 1, not {rate}")
    if rate == 0:
        return 0.0
    if not channel.curve:
        if rate > UNSURE:
            raise SpecError(f"a channel that was learned without bursts reaches an error rate of {UNSURE}, not {rate}")
        codes = codes_of(text)
        expected = sampler.expected_edits(codes).mean() if len(codes) else 1.0
        if expected <= 0:
            raise SpecError("a channel without errors cannot be brought to an error rate")
        return float(rate / expected)
    gains, rates = np.array(channel.curve).T
    if rate > rates[-1]:
        raise SpecError(f"the channel reaches a character error rate of {rates[-1]:.3f} at most, not {rate}")
    if rate < rates[0]:
        return float(rate / rates[0] * gains[0])
    return float(np.exp(np.interp(np.log(rate), np.log(rates), np.log(gains))))


def degrade_text(
    channel: Channel,
    sampler: Sampler,
    text: str,
    rng: np.random.Generator,
    gain: float,
    pages: Floats | None = None,
) -> str:
    """One draw. ``pages`` are the multipliers of its pages when they are not to be drawn."""
    whole = codes_of(text)
    if not len(whole) or gain == 0:
        return text
    white = WHITE[np.minimum(whole, len(WHITE) - 1)]
    # A run of white space is one blank to the channel and comes through as it was.
    first = np.flatnonzero(~(white & np.concatenate(([False], white[:-1]))))
    runs = np.diff(np.append(first, len(whole)))
    codes = np.where(white[first], np.uint32(32), whole[first])
    multiplier = gain * _multipliers(channel, white[first], rng, pages)
    known = sampler.numbers_of(codes)
    inserting = np.minimum(multiplier * sampler.inserting, 0.5)
    erring = np.minimum(multiplier * sampler.total(known), CAP) / (1 - inserting)
    at = np.flatnonzero(rng.random(len(codes)) < erring)
    sources = sampler.sources(known, at)
    rules, letters, spans = _choose(sampler, sources, sampler.chances(sources), rng)
    separate = _without_overlap(at, spans)
    at, rules, letters, spans = at[separate], rules[separate], letters[separate], spans[separate]
    places, inserted = _insertions(sampler, inserting, rng)

    lengths = runs.copy()  # of what is written for each character
    for further in (1, 2):
        covered = at[spans > further] + further
        lengths[covered] = 0
    replaced = np.where(rules >= 0, np.append(sampler.lengths, 0)[rules], letters > 0)
    lengths[at] = replaced
    extra = np.zeros(len(codes) + 1, np.int64)
    added = _target_lengths(sampler, inserted)
    np.add.at(extra, places, added)
    offsets = np.concatenate(([0], np.cumsum(lengths + extra[:-1]))) + extra
    result = np.empty(int(offsets[-1]), np.uint32)

    copied = lengths == runs
    copied[at] = False
    single = np.flatnonzero(copied & (runs == 1))
    result[offsets[single]] = whole[first[single]]
    longer = np.flatnonzero(copied & (runs > 1))
    steps = _steps(runs[longer])
    result[np.repeat(offsets[longer], runs[longer]) + steps] = whole[np.repeat(first[longer], runs[longer]) + steps]
    _write(sampler, result, offsets[at], rules, letters)
    # Several insertions at one place stand one behind the other.
    before = np.cumsum(added) - added
    begins = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1]))) if len(places) else places
    within = before - np.repeat(before[begins], np.diff(np.append(begins, len(places))))
    rule, letter = np.where(inserted >= 0, inserted, -1), np.where(inserted < 0, -inserted - 1, 0)
    _write(sampler, result, offsets[places] - extra[places] + within, rule, letter)
    return result.tobytes().decode("utf-32-le", "surrogatepass")


def _multipliers(
    channel: Channel, white: npt.NDArray[np.bool_], rng: np.random.Generator, pages: Floats | None
) -> Floats:
    bursts = channel.bursts
    page = np.arange(len(white)) // bursts.page
    if pages is None:
        pages = rng.choice(np.array(bursts.pages), int(page[-1]) + 1)
    word = np.cumsum(np.concatenate(([False], white[:-1])))  # the blank behind a word belongs to it
    shares = np.array(bursts.shares)
    words = rng.choice(np.array(bursts.words), int(word[-1]) + 1, p=shares / shares.sum())
    return np.asarray(pages[page] * words[word], np.float64)


def _choose(
    sampler: Sampler, sources: Integers, chances: Floats, rng: np.random.Generator
) -> tuple[Integers, npt.NDArray[np.uint32], Integers]:
    """Which error it is: the number of a rule, or -1 and a letter (0: lost); and the length of its source."""
    number = sources.shape[1]
    ends = np.cumsum(chances, 0)
    drawn = rng.random(number) * ends[2]
    size = (drawn >= ends[0]).astype(np.int64) + (drawn >= ends[1])
    rest = drawn - np.where(size > 0, ends[np.maximum(size - 1, 0), np.arange(number)], 0.0)
    source = sources[size, np.arange(number)]
    inside = rest < np.append(sampler.totals, 0.0)[source]
    place = np.searchsorted(sampler.ends, sampler.bases[source] + rest, "right")
    rules = np.where(inside, np.minimum(place, len(sampler.ends) - 1), -1)
    letters = sampler.letters[rng.integers(0, len(sampler.letters), number)]
    outside = sampler.substitution + sampler.deletion
    lost = rng.random(number) * outside < sampler.deletion
    return rules, np.where(lost | inside, np.uint32(0), letters), size + 1


def _without_overlap(at: Integers, spans: Integers) -> Integers:
    """The errors that remain when, from left to right, none may begin inside the one before it."""
    separate = np.arange(len(at))
    while True:
        late = np.concatenate(([False], at[separate[1:]] < at[separate[:-1]] + spans[separate[:-1]]))
        if not late.any():
            return separate
        separate = separate[~(late & ~np.concatenate(([False], late[:-1])))]


def _insertions(sampler: Sampler, inserting: Floats, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """The places of insertions, the one behind the last character included, and the rule or -1 minus the letter."""
    inserting = np.append(inserting, inserting[-1])
    places = here = np.flatnonzero(rng.random(len(inserting)) < inserting)
    while len(here):  # each may be followed by another
        here = here[rng.random(len(here)) < inserting[here]]
        places = np.concatenate((places, here))
    places = np.sort(places)
    drawn = rng.random(len(places)) * sampler.inserting
    rule = np.minimum(np.searchsorted(sampler.ends, drawn, "right"), max(len(sampler.ends) - 1, 0))
    letters = sampler.letters[rng.integers(0, len(sampler.letters), len(places))].astype(np.int64)
    return places, np.where(drawn < sampler.totals[0], rule, -1 - letters)


def _target_lengths(sampler: Sampler, inserted: Integers) -> Integers:
    return np.where(inserted >= 0, np.append(sampler.lengths, 1)[np.maximum(inserted, -1)], 1)


def _write(
    sampler: Sampler, result: npt.NDArray[np.uint32], offsets: Integers, rules: Integers, letters: Array
) -> None:
    alone = letters > 0
    result[offsets[alone]] = letters[alone]
    lengths = np.where(rules >= 0, np.append(sampler.lengths, 0)[rules], 0)
    for k in range(3):
        longer = lengths > k
        result[offsets[longer] + k] = sampler.targets[rules[longer], k]


def _steps(lengths: Integers) -> Integers:
    """0, 1, … below each length, one after the other."""
    return np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
