"""What can go wrong between a client and GitHub, in GitHub's words."""

import re
from dataclasses import dataclass

from .fake_github import refusal
from .serving import Answer, ComparisonTask

DROPPED = None  # no answer at all: the connection ends
FORBIDDEN = refusal(403, "Resource not accessible by integration")
NOT_FOUND = refusal(404, "Not Found")
SERVER_ERROR = refusal(500, "Server Error")
BAD_GATEWAY = Answer(502, b"<html><head><title>502 Bad Gateway</title></head></html>", {"content-type": "text/html"})


def too_many(retry_after: int) -> Answer:
    """Refuse for the primary rate limit, with the seconds to wait."""
    answer = refusal(429, "API rate limit exceeded for installation.")
    return Answer(answer.status, answer.body, {**answer.headers, "retry-after": str(retry_after)})


SECONDARY_LIMIT = refusal(
    403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)


@dataclass
class Fault:
    """Answers the next requests of a method and with a part of a path (None: any); has no effect on the state."""

    answer: Answer | None
    method: str | None = None
    path: str | None = None
    times: int = 1

    def strikes(self, question: ComparisonTask) -> bool:
        if (
            not self.times
            or self.method not in {None, question.method}
            or not re.search(self.path or "", question.path)
        ):
            return False
        self.times -= 1
        return True
