"""How long something takes: by the clock on the wall, and of the processors, children's included."""

import resource
from time import perf_counter, process_time


class Clock:
    """Begins to run when it is made."""

    def __init__(self) -> None:
        self._begin = _now()

    def figures(self) -> dict[str, float]:
        """Return ``seconds`` and seconds of the ``processor`` since then; the latter hardly know what else runs."""
        seconds, processor = (now - before for before, now in zip(self._begin, _now(), strict=True))
        return {"seconds": seconds, "processor": processor}


def _now() -> tuple[float, float]:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return perf_counter(), process_time() + children.ru_utime + children.ru_stime
