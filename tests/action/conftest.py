from .github_api import _servers, github

__all__ = ["_servers", "github"]
