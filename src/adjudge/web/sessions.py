"""Who is at the other end: a signed cookie, and the token without which nothing can be written.

The secret lives as long as the server; after a restart people sign in again, and no copy of the store can
forge a cookie.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

LASTS = 7 * 24 * 3600


@dataclass(frozen=True)
class Session:
    """A browser: nameless until somebody has signed in."""

    nonce: str
    name: str = ""
    role: str = ""
    token: str = ""
    """The beginning of the hash of the token that was used, so that a new token ends old sessions."""
    at: int = 0


@dataclass(frozen=True)
class Signer:
    """Writes and reads cookies."""

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    clock: Callable[[], float] = time.time
    ended: dict[str, float] = field(default_factory=dict, repr=False)
    """Sessions that were signed out, and when: a copy of a cookie is of no use then."""

    def end(self, session: Session) -> None:
        """Let a session be none any more."""
        now = self.clock()
        for nonce in [nonce for nonce, at in self.ended.items() if now - at > LASTS]:
            self.ended.pop(nonce, None)
        self.ended[session.nonce] = now

    def new(self, name: str = "", role: str = "", token: str = "") -> Session:
        return Session(secrets.token_hex(16), name, role, token, int(self.clock()))

    def same(self, name: str, role: str) -> Session:
        """The one session of a workbench with one person, so that tabs opened together do not shut each other out."""
        return Session(self._mac(f"person {name}")[:32], name, role, "", int(self.clock()))

    def write(self, session: Session) -> str:
        payload = json.dumps([session.nonce, session.name, session.role, session.token, session.at]).encode()
        packed = base64.urlsafe_b64encode(payload).decode().rstrip("=")
        return f"{packed}.{self._mac(f'session {packed}')}"

    def read(self, cookie: str) -> Session | None:
        """The session of a cookie; None if it is not ours, or too old."""
        packed, _, mac = cookie.partition(".")
        if not hmac.compare_digest(mac.encode("utf-8", "replace"), self._mac(f"session {packed}").encode()):
            return None
        session = Session(*json.loads(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))
        return session if self.clock() - session.at < LASTS and session.nonce not in self.ended else None

    def has_ended(self, cookies: str) -> bool:
        """Whether one of the cookies of a header may be of a session that was signed out."""
        values = (part.partition("=")[2].strip() for part in cookies.split(";"))
        return bool(self.ended) and any("." in value and self.read(value) is None for value in values)

    def csrf(self, session: Session) -> str:
        return self._mac(f"csrf {session.nonce}")

    def csrf_holds(self, session: Session, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.csrf(session).encode())

    def _mac(self, text: str) -> str:
        return hmac.new(self.secret, text.encode("utf-8", "replace"), "sha256").hexdigest()
