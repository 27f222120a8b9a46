"""Where the files that a report names can be read: links to their lines at the commit that was tested."""

from dataclasses import dataclass
from posixpath import join, normpath
from urllib.parse import quote

from pytest_bayesf1.reports.entry import Place


@dataclass(frozen=True)
class Source:
    """A commit of a repository on GitHub.

    Attributes
    ----------
    repository
        Address of its page, such as ``https://github.com/owner/name``.
    commit
        Its full hash.
    folder
        Where pytest ran, relative to the repository: files of a report are relative to it.
    """

    repository: str
    commit: str
    folder: str = "."

    @property
    def commit_url(self) -> str:
        """The page of the commit."""
        return f"{self.repository}/commit/{self.commit}"

    def line_url(self, place: Place) -> str:
        """Return the page of a file at the line of a test or a gate, whatever a stranger named so.

        Parameters
        ----------
        place
            Of an entry.

        Returns
        -------
        str
            Empty where the file is unknown or outside of the repository.
        """
        path = normpath(join(self.folder, place.file))
        if not place.file or path.startswith(("/", "..")):
            return ""
        line = f"#L{place.line}" if place.line else ""
        return f"{self.repository}/blob/{self.commit}/{quote(path, errors='replace')}{line}"
