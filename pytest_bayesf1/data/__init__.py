"""What was observed: confusion matrices, predictions, labels, spans and scores, paired where ids allow it."""

from abc import ABC, abstractmethod
from types import ModuleType
from typing import Any

from pytest_bayesf1.errors import ends_here


def table_engines() -> ModuleType:
    """Return the module that counts where tables are: it loads Narwhals, which takes a quarter of a second."""
    from pytest_bayesf1.data import frames  # noqa: PLC0415 (see above)

    return frames


class Tabular(ABC):
    """What can be written as a data frame."""

    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """Return the main figures by the names of columns."""

    @ends_here
    def to_frame(self, library: str = "pandas") -> Any:
        """Return the main figures as a data frame; those of several gates can be stacked.

        Parameters
        ----------
        library
            ``"pandas"``, ``"polars"``, ``"pyarrow"`` or another that Narwhals can make one of.

        Raises
        ------
        InputError
            Where the library is not installed.

        Examples
        --------
        >>> from pytest_bayesf1 import compare
        >>> frame = compare([[90, 10], [10, 90]], [[80, 20], [10, 90]], measure="accuracy", rope=0.05).to_frame()
        >>> frame[["measure", "baseline", "candidate", "change"]].round(3).to_dict("records")
        [{'measure': 'accuracy', 'baseline': 0.9, 'candidate': 0.85, 'change': -0.05}]
        """
        return table_engines().frame_of(self.columns(), library)
