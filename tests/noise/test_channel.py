from __future__ import annotations

import itertools
import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document
from adjudge.core.errors import DataError, SpecError
from adjudge.noise.channel import (
    Bursts,
    Channel,
    ChannelNoise,
    Rule,
    channel_files,
    channel_of,
    shipped_channels,
    slow_channel,
    uniform,
)
from adjudge.noise.channel.rule_arrays import compiled
from adjudge.noise.degrader import Degrader
from adjudge.noise.error_rates import cer, character_errors
from adjudge.noise.random_noise import RandomNoise

RULES = (
    Rule("rn", "m", 0.1),
    Rule("m", "rn", 0.05),
    Rule("", ".", 0.01),
    Rule("e", "c", 0.02),
    Rule("ab", "", 0.01),
    Rule("", "xy", 0.003),
    Rule("l", "", 0.01),
    Rule("iii", "m", 0.2),
    Rule(" ", "", 0.03),
    Rule("a", "o e", 0.01),
)
CHANNEL = Channel(RULES, substitution=0.01, deletion=0.002, insertion=0.003)
STRING = st.text(alphabet="abcrnmleix.yé𝔸 ", max_size=7)
SHORT = st.text(alphabet="abcrnmleix.yé𝔸 ", max_size=5)


def slow(channel: Channel, observed: str, true: str, best: bool) -> float:
    """P(observed | true) from the definition: what can happen at the first true character, then the rest."""
    rules = {(rule.source, rule.target): rule.probability for rule in channel.rules}
    size = len(channel.alphabet)
    known = set(channel.alphabet)

    def chances(true: str, observed: str) -> float:
        if not true and not observed:
            return 1.0
        ways = []
        if observed:
            extra = rules.get(("", observed[0]), 0.0) + channel.insertion / size
            ways.append(extra * chances(true, observed[1:]))
        longer = [d for d in (2, 3) if len(observed) >= d and ("", observed[:d]) in rules]
        ways += [rules["", observed[:d]] * chances(true, observed[d:]) for d in longer]
        if true:
            here = [rule for rule in channel.rules if rule.source and true.startswith(rule.source)]
            inserted = sum(rule.probability for rule in channel.rules if not rule.source)
            total = sum(rule.probability for rule in here) + inserted
            copy = max(0.02, 1 - total - channel.substitution - channel.deletion - channel.insertion)
            lost = rules.get((true[0], ""), 0.0) + channel.deletion
            ways.append(lost * chances(true[1:], observed))
            if observed and observed[0] == true[0]:
                ways.append(copy * chances(true[1:], observed[1:]))
            elif observed:
                known_rule = rules.get((true[0], observed[0]), 0.0) if {true[0], observed[0]} <= known else 0.0
                ways.append((known_rule + channel.substitution / size) * chances(true[1:], observed[1:]))
            for rule in here:
                single = len(rule.source) == 1 and len(rule.target) <= 1
                if not single and observed.startswith(rule.target):
                    rest = chances(true[len(rule.source) :], observed[len(rule.target) :])
                    ways.append(rule.probability * rest)
        return max(ways, default=0.0) if best else sum(ways)

    return math.log(chances(true, observed))


@settings(max_examples=40, deadline=None)
@given(SHORT, SHORT, st.booleans())
def test_scores_are_those_of_the_definition(true: str, observed: str, best: bool) -> None:
    expected = slow(CHANNEL, observed, true, best) if true or observed else 0.0
    assert CHANNEL.log_probability(observed, true, best=best) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.lists(STRING, max_size=4), STRING, st.booleans())
def test_python_and_the_compiled_loops_agree(candidates: list[str], observed: str, best: bool) -> None:
    if compiled is None:
        pytest.skip("no compiled loops")
    mine = np.empty(len(candidates))
    slow_channel.score(CHANNEL.tables.buffers, observed, candidates, best, mine)
    assert CHANNEL.log_probabilities(observed, candidates, best=best) == pytest.approx(mine, abs=1e-9)
    sums = [[np.zeros((256, 256)), np.zeros((2, 256)), np.zeros(len(CHANNEL.tables.numbered))] for _ in range(2)]
    weights, reads = np.arange(1.0, len(candidates) + 1), [observed] * len(candidates)
    one = compiled.expect(CHANNEL.tables.buffers, candidates, reads, weights, *sums[0])
    two = slow_channel.expect(CHANNEL.tables.buffers, candidates, reads, weights, *sums[1])
    assert one == pytest.approx(two, abs=1e-9)
    for a, b in zip(*sums, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


CERTAIN = Channel((Rule("e", "c", 1.0), Rule("rn", "m", 1.0)), substitution=0.3, deletion=0.01, insertion=0.01)
"""A rule and what lies outside the rules have a chance above 1 together, so that a way may gain by a step."""


MANY_WAYS = Channel(
    (
        *(
            Rule("", "rn", 0.05),
            Rule("", "mmm", 0.02),
            Rule("arn", "", 0.3),
            Rule("ab", "c", 0.2),
            Rule("r", "mn", 0.2),
        ),
        *(
            Rule("c", "ab", 0.4),
            Rule("rn", "m", 0.3),
            Rule("m", "rn", 0.3),
            Rule("abc", "cba", 0.3),
            Rule("a", "c", 0.1),
        ),
    ),
    "abcmnr",
)
"""Rules of all lengths on either side, without a source and without a target too."""


@settings(max_examples=100, deadline=None)
@given(
    st.lists(STRING, min_size=1, max_size=30),
    st.lists(STRING, max_size=3),
    st.integers(1, 6),
    st.sampled_from([CHANNEL, CERTAIN, MANY_WAYS, Channel(())]),
    st.integers(0, 9),
)
def test_the_best_candidates_are_those_of_all_scores(
    names: list[str], observed: list[str], most: int, channel: Channel, seed: int
) -> None:
    rows = np.random.default_rng(seed).integers(0, len(names), (len(observed), 40)).astype(np.int32)
    rows[:, 33 + seed % 4 :] = -1
    numbers, scores = channel.most_probable_of(observed, names, rows, most)
    for string, row, best, chances in zip(observed, rows, numbers, scores, strict=True):
        few = row[row >= 0]
        every = channel.log_probabilities(string, [names[number] for number in few], best=True)
        order = np.argsort(-every, kind="stable")[:most]
        order = order[every[order] > -np.inf]
        missing = most - len(order)
        assert best.tolist() == [*few[order].tolist(), *[-1] * missing]
        assert chances.tolist() == [*every[order].tolist(), *[-np.inf] * missing], "to the last bit"


@pytest.mark.parametrize("length", [62, 63, 64, 65])
def test_the_best_candidates_of_wide_strings(length: int) -> None:
    """Columns are bits of a number where there are few of them; all candidates are equally near otherwise."""
    observed = ("abcmnr" * 11)[:length]
    names = [observed, observed[1:], observed[:-1], observed.replace("rab", "rn"), "arn" + observed, observed + "rn"]
    rows = np.arange(len(names), dtype=np.int32)[None, :]
    numbers, scores = MANY_WAYS.most_probable_of([observed], names, rows, 4)
    every = MANY_WAYS.log_probabilities(observed, names, best=True)
    order = np.argsort(-every, kind="stable")[:4]
    assert numbers[0].tolist() == order.tolist()
    assert scores[0].tolist() == every[order].tolist()


def test_the_best_candidates_without_a_compiler() -> None:
    names, rows = ["corn", "com", "crane", "ab"], np.array([[2, 0, 1, 3], [0, 3, -1, -1]], np.int32)
    numbers, scores = CHANNEL.most_probable_of(["com", "ab"], names, rows, 3)
    one, two = np.empty_like(numbers), np.empty_like(scores)
    slow_channel.rank(CHANNEL.tables.buffers, ["com", "ab"], names, rows, one, two)
    assert numbers.tolist() == one.tolist() == [[1, 0, 3], [3, 0, -1]], "a row has as many as it can"
    np.testing.assert_allclose(scores, two, atol=1e-9)


def test_long_strings_are_ranked_by_logarithms() -> None:
    names = ["x" * 300, "a" * 300, "a" * 299 + "b", "a" * 280]
    rows = np.array([[0, 1, 2, 3, -1]], np.int32)
    channel = Channel((), substitution=1e-3, deletion=1e-4, insertion=1e-4)
    numbers, scores = channel.most_probable_of(["a" * 150 + "b" * 150], names, rows, 2)
    every = channel.log_probabilities("a" * 150 + "b" * 150, names, best=True)
    assert every.max() < -600, "no product of chances can hold that"
    assert numbers[0].tolist() == np.argsort(-every, kind="stable")[:2].tolist()
    assert scores[0].tolist() == every[numbers[0]].tolist()


def test_a_candidate_without_a_name_is_refused() -> None:
    if compiled is None:
        pytest.skip("no compiled loops")
    with pytest.raises(ValueError, match="a candidate without a name"):
        CHANNEL.most_probable_of(["a"], ["b"], np.array([[1]], np.int32), 1)


def test_the_worked_example_of_the_channel() -> None:
    channel = Channel((Rule("rn", "m", 0.1),))
    assert channel.log_probability("com", "corn", best=True) == pytest.approx(2 * math.log(0.95) + math.log(0.1))
    assert channel.log_probability("com", "corn", best=True) == pytest.approx(-2.405, abs=5e-4)
    assert channel.log_probability("com", "corn") > channel.log_probability("com", "corn", best=True)


def test_probabilities_of_all_strings_add_up_to_one() -> None:
    channel = Channel((Rule("ab", "b", 0.1), Rule("", "a", 0.02), Rule("a", "bb", 0.1)), "ab", 0.0, 0.03, 0.02)
    strings = ["".join(letters) for size in range(9) for letters in itertools.product("ab", repeat=size)]
    for word in ("a", "ab", "bab"):
        total = sum(math.exp(channel.log_probability(string, word)) for string in strings)
        assert total * (1 - 0.04) == pytest.approx(1, abs=1e-5)  # 0.04: an insertion behind the last character


def test_improbable_and_long_strings_do_not_underflow() -> None:
    assert -4000 < CHANNEL.log_probability("x" * 300, "abc") < -2000
    assert CHANNEL.log_probability("a" * 1000, "a" * 1000) > CHANNEL.log_probability("a" * 1000, "a" * 999)
    with pytest.raises(ValueError, match="too long"):
        CHANNEL.log_probability("a" * 9000, "a" * 9000)


def test_corruptions_of_the_worked_example() -> None:
    rules = (Rule("rn", "m", 0.3, 9), Rule("l", "1", 0.2, 8), Rule("e", "c", 0.1, 7))
    channel = Channel((), errors=rules)
    expected = {
        "eternal": 0.504,
        "etemal": 0.216,
        "eterna1": 0.126,
        "ctcrnal": 0.056,
        "etema1": 0.054,
        "ctcmal": 0.024,
        "ctcrna1": 0.014,
        "ctcma1": 0.006,
    }
    found = channel.corruptions("eternal")
    assert [variant for variant, _ in found] == list(expected)
    assert dict(found) == pytest.approx(expected)
    assert channel.corruptions("eternal", 3) == found[:3]
    sites = channel.corruptions("eternal", by="site")
    assert len(sites) == 16
    assert sum(p for _, p in sites) == pytest.approx(1)
    assert dict(sites)["cternal"] == pytest.approx(0.7 * 0.8 * 0.1 * 0.9)
    assert channel.corruptions("xyz") == [("xyz", 1.0)]


def test_a_rule_without_a_free_place_gives_no_variant() -> None:
    channel = Channel((), errors=(Rule("rn", "m", 0.3, 9), Rule("n", "u", 0.2, 9)))
    assert [variant for variant, _ in channel.corruptions("corn")] == ["corn", "com", "coru"]
    assert [variant for variant, _ in channel.corruptions("cornn")] == ["cornn", "comn", "coruu", "comu"]
    sure = Channel((), errors=(Rule("rn", "m", 1.0, 5),))
    assert sure.corruptions("corn") == [("com", 1.0), ("corn", 0.0)]


@given(st.text(alphabet="abc", min_size=1, max_size=6), st.integers(1, 20))
def test_the_most_probable_combinations_come_first(word: str, limit: int) -> None:
    rules = (Rule("a", "x", 0.6, 9), Rule("b", "y", 0.3, 9), Rule("c", "z", 0.05, 9), Rule("b", "w", 0.2, 9))
    channel = Channel((), errors=rules)
    everything = channel.corruptions(word, 10**6, by="site")
    some = channel.corruptions(word, limit, by="site")
    assert [p for _, p in some] == pytest.approx([p for _, p in everything[:limit]])
    assert set(some) <= set(everything)
    assert len({variant for variant, _ in everything}) == len(everything)


def sites_slowly(word: str, rules: tuple[Rule, ...]) -> dict[str, float]:
    """The definition: all subsets of rules at places that do not overlap, the most probable of each string."""
    choices = [(rule, k) for rule in rules for k in range(len(word)) if word.startswith(rule.source, k)]
    found: dict[str, float] = {}
    for present in itertools.product((False, True), repeat=len(choices)):
        chosen = sorted((k, rule) for (rule, k), there in zip(choices, present, strict=True) if there)
        if any(k + len(rule.source) > after for (k, rule), (after, _) in itertools.pairwise(chosen)):
            continue
        at, written = 0, ""
        for k, rule in chosen:
            written, at = written + word[at:k] + rule.target, k + len(rule.source)
        chances = (
            rule.probability if there else 1 - rule.probability
            for (rule, _), there in zip(choices, present, strict=True)
        )
        found[written + word[at:]] = max(found.get(written + word[at:], 0.0), math.prod(chances))
    return found


@given(st.text(alphabet="rnx", max_size=5))
def test_combinations_by_site_are_those_of_the_definition(word: str) -> None:
    rules = (Rule("rn", "m", 0.9, 9), Rule("n", "u", 0.6, 9), Rule("r", "", 0.3, 9))
    expected = sites_slowly(word, rules)
    found = Channel((), errors=rules).corruptions(word, by="site")
    assert dict(found) == pytest.approx(expected)
    assert [p for _, p in found] == pytest.approx(sorted(expected.values(), reverse=True))


def test_errors_that_exclude_each_other_do_not_make_the_search_endless() -> None:
    rules = (Rule("rn", "m", 0.9, 9), Rule("n", "u", 0.9, 9), Rule("r", "c", 0.8, 9))
    found = Channel((), errors=rules).corruptions("rn" * 20, by="site")
    assert len(found) == 256
    assert found[0][0] == "cu" * 20


def test_characteristic_errors_are_frequent_and_have_no_blank() -> None:
    errors = (Rule("a", "b", 0.5, 2), Rule("c", "d", 0.004, 50), Rule("e ", "e", 0.5, 9), Rule("f", "g", 0.2, 3))
    assert Channel((), errors=(*errors, Rule("h", "i", 0.1, 7))).characteristic() == (Rule("h", "i", 0.1, 7), errors[3])
    assert Channel((), errors=errors).characteristic(least=1, top=1, probability=0) == (errors[1],)


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet="abrnme", max_size=4), st.integers(1, 30))
def test_the_most_probable_strings_are_those_of_a_full_search(word: str, k: int) -> None:
    channel = Channel(RULES, substitution=0.0, deletion=0.0, insertion=0.0)
    found = channel.most_probable(word, k)
    assert len(found) == k
    assert [p for _, p in found] == sorted((p for _, p in found), reverse=True)
    for string, p in found:
        # Without masses outside the rules the best way of the scores is the best way of the search.
        assert p == pytest.approx(math.exp(channel.log_probability(string, word, best=True)))
    near = {
        string[:i] + x + string[j:]
        for string, _ in found
        for i in range(len(string) + 1)
        for j in (i, i + 1)
        for x in ("", "m", "c", ".")
    }
    with np.errstate(divide="ignore"):
        for string in near - {string for string, _ in found}:
            assert channel.log_probability(string, word, best=True) <= math.log(found[-1][1]) + 1e-9


@pytest.mark.slow
def test_sampled_strings_have_the_probabilities_of_the_scores() -> None:
    rng = np.random.default_rng(3)
    draws = 2_000
    counts: dict[str, int] = {}
    for _ in range(draws):
        read = CHANNEL.sample("corn al", rng)
        counts[read] = counts.get(read, 0) + 1
    ending = 1 - 0.003 - 0.013
    for read, number in sorted(counts.items(), key=lambda row: -row[1])[:15]:
        p = math.exp(CHANNEL.log_probability(read, "corn al")) * ending
        assert abs(number - draws * p) < 4.5 * math.sqrt(draws * p), read


def test_sampling_keeps_white_space_and_depends_on_the_generator_only() -> None:
    text = "the modern corn\n\n   farm \t learned\n" * 50
    one, two = (CHANNEL.sample(text, np.random.default_rng(5)) for _ in range(2))
    assert one == two != CHANNEL.sample(text, np.random.default_rng(6))
    assert "\n\n   farm" in one
    assert CHANNEL.sample("", np.random.default_rng(5)) == ""
    assert CHANNEL.sample(text, np.random.default_rng(5), 0) == text
    quiet = Channel((), substitution=0.0, deletion=0.0, insertion=0.0)
    assert quiet.sample(text + "é𝔸", np.random.default_rng(5)) == text + "é𝔸"
    assert quiet.sample("x", np.random.default_rng(5)) == "x"


@pytest.mark.parametrize("rate", [0.02, 0.1])
def test_a_chosen_rate_is_reached(rate: float) -> None:
    text = "the modern corn farm learned that all able men " * 2000
    assert cer(text[:40000], CHANNEL.sample(text[:40000], np.random.default_rng(1), rate)) == pytest.approx(
        rate, rel=0.1
    )


def test_bursts_leave_more_words_intact() -> None:
    text = "modern corn farm learned " * 4000
    even = uniform(0.1).sample(text, np.random.default_rng(1))
    bursts = Bursts(2000, (0.5, 1.5), (0.1, 1.9), (0.5, 0.5))
    burst = Channel((), substitution=0.1 / 3, deletion=0.1 / 3, insertion=0.1 / 3, bursts=bursts).sample(
        text, np.random.default_rng(1)
    )
    words = set(text.split())
    assert sum(w in words for w in burst.split()) > 1.1 * sum(w in words for w in even.split())


def test_a_rate_beyond_the_curve_is_refused() -> None:
    channel = Channel(RULES, curve=((0.5, 0.02), (1.0, 0.04), (4.0, 0.12)))
    with pytest.raises(SpecError, match=r"reaches a character error rate of 0\.120 at most, not 0\.5"):
        channel.sample("abc", np.random.default_rng(1), 0.5)
    with pytest.raises(SpecError, match="between 0 and 1"):
        ChannelNoise(channel, 1.5)
    with pytest.raises(SpecError, match=r"learned without bursts reaches an error rate of 0\.3, not 0\.9"):
        ChannelNoise(CHANNEL, 0.9)


@pytest.mark.parametrize("noise", [ChannelNoise(CHANNEL), ChannelNoise(CHANNEL, 0.2), RandomNoise(0.2)], ids=repr)
def test_hostile_documents_come_through(noise: Degrader) -> None:
    for text in ("", " ", "\n\n", "\x00\x07", "😀𝔸", "x" * 100_000, "\u05e9\u05dc", "\u0301", "\ufffe\uffff"):
        made = noise.degrade(Document("A", text))
        assert (made.id, made.pages, made.failures) == ("A", 1, ())
        assert made.text.encode() or len(text) < 5
        assert len(made.text) >= len(text) // 2


@pytest.mark.parametrize("name", shipped_channels())
def test_channels_of_the_package_are_fit_for_use(name: str) -> None:
    channel = channel_of(name)
    rate = float(name.rpartition("-")[2]) / 100
    text = "The committee may amend the modern rules of the corn program when its members agree. " * 600
    assert cer(text, channel.sample(text, np.random.default_rng(1))) == pytest.approx(rate, rel=0.5)
    assert channel.most_probable("modern", 2)[0][1] > 0.3
    assert len(channel_files.dumps(channel)) < 300_000


def test_a_document_depends_on_seed_and_id_only() -> None:
    noise = ChannelNoise(CHANNEL, 0.2, seed=4)
    text = "the modern corn farm learned that " * 20
    first = noise.degrade(Document("FR1", text))
    noise.degrade(Document("FR2", text))
    again = pickle.loads(pickle.dumps(noise)).degrade(Document("FR1", text))  # noqa: S301
    assert first == again
    assert first.text != noise.degrade(Document("FR2", text)).text
    assert first.text != ChannelNoise(CHANNEL, 0.2, seed=5).degrade(Document("FR1", text)).text
    assert json.loads(json.dumps(noise.settings)) == noise.settings
    assert noise.settings != ChannelNoise(uniform(0.1), 0.2, seed=4).settings
    with pytest.raises(SpecError, match="seed"):
        ChannelNoise(CHANNEL, seed=-1)


def test_a_channel_goes_to_a_file_and_back(tmp_path: Path) -> None:
    bursts = Bursts(1000, (0.5, 1.5), (0.0, 2.0), (0.5, 0.5))
    channel = Channel(
        RULES, "abcrnmleix.yo" + ' "\\é' + "\x01", 0.01, 0.002, 0.003, RULES[:2], bursts, ((1.0, 0.05),), {"a": 1}
    )
    path = str(tmp_path / "channel.json")
    channel.save(path)
    again = Channel.load(path)
    assert again == channel
    assert again.about == {"a": 1}
    assert channel_of(path) == channel
    for packing in (".gz", ".zst"):
        channel.save(path + packing)
        assert channel_of(path + packing) == channel


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: d.update(format="x"), "its format is not 'adjudge channel'"),
        (lambda d: d.update(version=9), "its version is 9, and this adjudge reads version 1"),
        (lambda d: d.pop("rules"), "'rules' is missing"),
        (lambda d: d["rules"].append(["a", "b"]), "a value of the wrong kind"),
        (lambda d: d["rules"].append(["a", 5, 0.1, 1]), "5 is not a string"),
        (lambda d: d["rules"].append(["a", "b", "x", 1]), "'x' is not a number"),
        (lambda d: d["rules"].append(["a", "b", 1.5, 1]), "needs a probability"),
        (lambda d: d["rules"].append(["abcd", "b", 0.5, 1]), "does not turn up to 3 characters"),
        (lambda d: d["rules"].append(["rn", "m", 0.5, 1]), "is there twice"),
        (lambda d: d["rules"].append(["ж", "m", 0.5, 1]), "not in the alphabet"),
        (lambda d: d["rules"].append(["", "m", 0.999, 1]), "text without end"),
        (lambda d: d["bursts"].update(shares=[0.3]), "add up to 1"),
        (lambda d: d["bursts"].update(pages=[]), "bursts of a channel need"),
        (lambda d: d.update(outside=[2, 0, 0]), "substitution mass"),
        (lambda d: d.update(alphabet=""), "alphabet"),
        (lambda d: d.update(alphabet="a𝔸", rules=[["a", "𝔸", 0.1, 1]]), "without surrogates: U+1D538"),
        (lambda d: d.update(alphabet="a\ud800", rules=[["a", "\ud800", 0.1, 1]]), "half of a surrogate pair"),
        (lambda d: d.update(curve=[[0, 0], [1, 0.1]]), "grows from above 0"),
        (lambda d: d.update(curve=[[1, 0.1], [2, 0.05]]), "not from (1.0, 0.1) to (2.0, 0.05)"),
        (lambda d: d.update(curve=[[float("nan"), 0.1]]), "grows from above 0"),
        (lambda d: d["bursts"].update(page=2.5), "2.5 is not a whole number"),
        (lambda d: d["bursts"].update(pages=[1e308]), "lie between 0 and 1e+06"),
    ],
)
def test_a_broken_file_is_refused_with_its_name(tmp_path: Path, change: object, why: str) -> None:
    data = json.loads(channel_files.dumps(CHANNEL))
    change(data)  # type: ignore[operator]
    path = tmp_path / "channel.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DataError, match=r"channel\.json: is not a channel") as caught:
        Channel.load(str(path))
    assert why in str(caught.value)


def test_no_file_and_no_json(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.json: no such file"):
        Channel.load(str(tmp_path / "none.json"))
    (tmp_path / "bad.json").write_bytes(b"\xff{")
    with pytest.raises(DataError, match="no valid JSON"):
        Channel.load(str(tmp_path / "bad.json"))
    (tmp_path / "list.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(DataError, match="its format"):
        Channel.load(str(tmp_path / "list.json"))
    with pytest.raises(SpecError, match="no channel 'ocrad-6'"):
        Channel.shipped("ocrad-6")
    with pytest.raises(DataError, match="cannot be written"):
        CHANNEL.save(str(tmp_path / "no folder" / "x.json"))


def test_shipped_channels_are_small_and_work() -> None:
    for name in shipped_channels():
        channel = Channel.shipped(name)
        assert len(channel_files.dumps(channel).encode()) < 300_000
        assert channel.characteristic()
        assert channel.curve[0][1] < 0.05 < channel.curve[-1][1]


def test_wrong_questions() -> None:
    with pytest.raises(SpecError, match="by type or by site"):
        CHANNEL.corruptions("a", by="word")
    with pytest.raises(SpecError, match="at least one corruption"):
        CHANNEL.corruptions("a", 0)
    with pytest.raises(SpecError, match="at least one string"):
        CHANNEL.most_probable("a", 0)
    with pytest.raises(SpecError, match="error rate between 0 and 1"):
        uniform(0)


def test_a_long_document_keeps_its_rate() -> None:
    text = " ".join(f"{n} modern corn farms" for n in range(30_000))
    made = ChannelNoise(CHANNEL, 0.1).degrade(Document("A", text))
    edits, length = character_errors(text, made.text)
    assert length > 600_000
    assert edits / length == pytest.approx(0.1, rel=0.1)
