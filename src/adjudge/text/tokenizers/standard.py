"""Words by Unicode's rules, as Lucene 4.10 has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from ...core.spec import is_count, require
from ..splitting import SplittingRule
from ..tokenizer import RuleTokenizer

# Unicode has moved characters between the classes of UAX#29 since Lucene 4.10 was made from version 6.3 of it: the
# colon no longer joins letters by default, some signs count as letters or digits now. What differs is written out here;
# letters that were added to Unicode later are letters here.
NO_LETTER = r"\p{Sk}\p{Cf}\U0001F130-\U0001F189\u055A-\u055C\u055E\u055F\u058A"
LETTER = rf"[\p{{WB=ALetter}}\p{{WB=Hebrew_Letter}}--[{NO_LETTER}]]"
HEBREW = r"\p{WB=Hebrew_Letter}"
DIGIT = r"[\p{WB=Numeric}--\p{Cf}]"
KATAKANA = r"\p{WB=Katakana}"
JOINER = r"[\p{WB=ExtendNumLet}--\u202F]"
QUOTE = r"\p{WB=Single_Quote}"
IN_WORDS = rf"[\p{{WB=MidLetter}}\p{{WB=MidNumLet}}{QUOTE}:\u02D7--\u055F]"
IN_NUMBERS = rf"[\p{{WB=MidNum}}\p{{WB=MidNumLet}}{QUOTE}\uFE10\uFE14]"
MARK = r"\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}\u0600-\u0604\u06DD\u070F"
SOUTH_EAST = r"\p{LB=SA}"
ALONE = r"\p{Script=Han}\p{Script=Hiragana}"
DASH = r"[-\u2010\u2011]"


def ascii_rule(dashes: bool) -> str:
    """Runs of letters, of digits and of underscores; a character between two letters or two digits may join them."""
    dash = "|-(?=[A-Za-z0-9])" if dashes else ""
    run = f"[A-Za-z]++(?:['.:](?=[A-Za-z]){dash})?+|[0-9]++(?:['.,;](?=[0-9]){dash})?+"
    # Underscores are tried at the first of them only: a long line of them would else be gone through again and again.
    return f"(?:(?<!_)_++)?+(?:{run})(?:{run}|_++)*+"


def unicode_rule(dashes: bool) -> str:
    """The same with Unicode's classes; marks go with the character that they stand on."""
    on = f"[{MARK}]*+"
    dash = f"|{DASH}{on}(?=[{LETTER}{DIGIT}])" if dashes else ""
    hebrew = rf"|(?<={HEBREW}[{MARK}]*)(?:{QUOTE}{on}|\p{{WB=Double_Quote}}{on}(?={HEBREW}))"
    letters = f"{LETTER}[{LETTER}{MARK}]*+(?:{IN_WORDS}{on}(?={LETTER}){hebrew}{dash})?+"
    digits = f"{DIGIT}[{DIGIT}{MARK}]*+(?:{IN_NUMBERS}{on}(?={DIGIT}){dash})?+"
    run = f"(?:(?:{letters}|{digits})++|{KATAKANA}[{KATAKANA}{MARK}]*+)"
    joiner = f"(?:{JOINER}{on})"
    word = f"(?:(?<!{JOINER}){joiner}++)?+{run}(?:{joiner}++{run})*+{joiner}*+"
    return f"{word}|{SOUTH_EAST}[{SOUTH_EAST}{MARK}]*+|[{ALONE}]{on}"


@lru_cache(maxsize=16)
def standard(dashes: bool, longest: int) -> SplittingRule:
    core = f"[{LETTER}{DIGIT}{KATAKANA}{SOUTH_EAST}{ALONE}]"
    name = "standard(dashes=true)" if dashes else "standard"
    return SplittingRule(name, ascii_rule(dashes), unicode_rule(dashes), longest, core=core)


@dataclass(frozen=True)
class StandardTokenizer(RuleTokenizer):
    """Words by Unicode's rules for word boundaries (UAX#29), as in Lucene's StandardTokenizer.

    Formula: runs of letters, digits and underscores with at least one letter or digit. ``'`` ``.`` ``:`` join two
    letters, ``'`` ``.`` ``,`` ``;`` two digits. Ideographs and Hiragana are tokens of one character, runs of Katakana
    and of South East Asian scripts one token.

    Parameters: ``dashes`` (false), whether ``-`` and the hyphens U+2010 and U+2011 join two letters or digits;
    ``longest`` (255), the length at which tokens are cut: the rest is looked at as if the text began there, as Lucene
    4.10 does.

    Paper: the Unicode Standard, Annex 29; Lucene 4.10. Dashes that join: Stathopoulos and Teufel, Retrieval
    of research-level mathematical information needs (ACL 2015).

    Example: ``o'reilly's u.s.a. 3.14 calabi-yau`` → ``o'reilly's u.s.a 3.14 calabi yau``, with dashes ``calabi-yau``.
    """

    name: ClassVar[str] = "standard"

    dashes: bool = False
    longest: int = 255

    def __post_init__(self) -> None:
        require(self, "dashes", isinstance(self.dashes, bool), "be true or false")
        require(self, "longest", is_count(self.longest), "be a whole number, 1 or more")

    def rule(self) -> SplittingRule:
        return standard(self.dashes, self.longest)
