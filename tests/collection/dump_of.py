"""Small dumps, made as StackExchange makes them, and the reference data when it is beside the checkout."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
ESCAPED = {"\n": "&#xA;", "\r": "&#xD;", "\t": "&#x9;"}


def shared(name: str, folder: Path) -> Path:
    """An unpacked archive of the reference data."""
    archive = SHARED / f"{name}.tar.xz"
    if not archive.exists():
        pytest.skip(f"{archive.name} is not beside this checkout")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / name


def row(**values: Any) -> str:
    return "  <row " + " ".join(f"{name}={quoteattr(str(value), ESCAPED)}" for name, value in values.items()) + " />\n"


def file_of(kind: str, *rows: str) -> str:
    return f'<?xml version="1.0" encoding="utf-8"?>\n<{kind}>\n{"".join(rows)}</{kind}>\n'


def question(id_: int, body: str = "<p>Is $x$ known?</p>", accepted: int | None = None, **more: Any) -> str:
    values = {"Id": id_, "PostTypeId": 1, "CreationDate": "2018-03-12T17:00:45.567", "Score": 3, "Body": body}
    values |= {"OwnerUserId": 7, "Title": f"Title {id_}", "Tags": "<a><b>"}
    if accepted is not None:
        values["AcceptedAnswerId"] = accepted
    return row(**values | more)


def answer(id_: int, parent: int, body: str = "<p>See arXiv:0704.0001.</p>", **more: Any) -> str:
    values = {"Id": id_, "PostTypeId": 2, "ParentId": parent, "CreationDate": "2018-03-13T17:00:45.567", "Score": 1}
    return row(**values | {"Body": body, "OwnerUserId": 8} | more)


def comment(id_: int, post: int, text: str = "Thanks, that is it!", **more: Any) -> str:
    values = {"Id": id_, "PostId": post, "Score": 0, "Text": text, "CreationDate": "2018-03-14T17:00:45.567"}
    return row(**values | {"UserId": 7} | more)


def dump(folder: Path, posts: str, **others: str) -> Path:
    """A folder with Posts.xml and, by their names in small letters, other files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Posts.xml").write_text(posts, encoding="utf-8")
    names = {"comments": "Comments.xml", "postlinks": "PostLinks.xml", "votes": "Votes.xml"}
    for kind, text in others.items():
        (folder / names[kind]).write_text(text, encoding="utf-8")
    return folder


def small(folder: Path) -> Path:
    """Two candidates and what is none."""
    posts = file_of(
        "posts",
        question(1, "<p>Let $M$ be a manifold.</p><p>Is it known? Or is $M$ open?</p>", accepted=2),
        answer(2, 1, '<p>Yes: <a href="https://arxiv.org/abs/math.AG/0406343v3">here</a> and arXiv:0704.0001v2.</p>'),
        question(3, "<p>I am looking for a reference on bikes.</p>", accepted=5),
        answer(4, 3, "<p>No citation.</p>"),
        answer(5, 3, "<p>doi:10.1145/3121050.3121106.</p>", OwnerUserId=7),
        question(6),
        answer(7, 6),
        question(8, accepted=9),
        answer(9, 8, "<p>Nothing is cited.</p>"),
        row(Id=10, PostTypeId=4, Body="a wiki"),
    )
    comments = file_of("comments", comment(1, 2), comment(2, 2, "And this?", UserId=9), comment(3, 9))
    links = file_of("postlinks", row(Id=1, PostId=1, RelatedPostId=77, LinkTypeId=3))
    votes = file_of(
        "votes",
        row(Id=1, PostId=2, VoteTypeId=1, CreationDate="2018-03-15T00:00:00.000"),
        row(Id=2, PostId=2, VoteTypeId=9, BountyAmount=50, CreationDate="2018-03-15T00:00:00.000"),
    )
    return dump(folder, posts, comments=comments, postlinks=links, votes=votes)
