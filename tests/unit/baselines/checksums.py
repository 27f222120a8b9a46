"""Baselines that this version does not write, whose checksum is right all the same."""

from hashlib import sha256


def with_checksum(body):
    """Return a text as only this package writes it, in which something is odd all the same."""
    digest = sha256(body.encode() + b"\n").hexdigest()[:32]
    return f'{body}"checksum": "sha256:{digest}"\n}}\n'
