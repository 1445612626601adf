"""Who watches an experiment: hears what begins, what is told on the way and what is done."""

from __future__ import annotations


class Watch:
    """Does nothing; commands show more. All calls come one at a time."""

    def planned(self, cells: int, done: int) -> None:
        """So many cells there are, and so many of them were done before."""

    def began(self, what: str) -> None:
        """A step begins: ``gmu961 on 5 %``, ``version 20 %``, ``analysis``."""

    def told(self, what: str, said: str) -> None:
        """Something that a user should know."""

    def reached(self, what: str, said: str) -> None:
        """How far a step is; said many times."""

    def ended(self, what: str, *, failed: bool = False) -> None:
        """The step is over."""


class Saying(Watch):
    """Every beginning and everything told as a line."""

    def __init__(self, say: object) -> None:
        if not callable(say):
            raise TypeError("lines are said to something that can be called")
        self.say = say

    def began(self, what: str) -> None:
        self.say(what)

    def told(self, what: str, said: str) -> None:
        self.say(f"{what}: {said}")
