from tests.unmeasured import _unmeasured

from .github_api import _servers, github

__all__ = ["_servers", "_unmeasured", "github"]
