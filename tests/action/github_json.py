"""The JSON that GitHub answers with: complete enough for its own description of it."""

import hashlib
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote
from zlib import crc32

from .github_state import Account, Artifact, Comment, Pull, Run, State

_ACCOUNT_LINKS = {
    "events": "{/privacy}",
    "followers": "",
    "following": "{/other_user}",
    "gists": "{/gist_id}",
    "received_events": "",
    "repos": "",
    "starred": "{/owner}{/repo}",
    "subscriptions": "",
}
_REPOSITORY_LINKS = {
    "archive": "/{archive_format}{/ref}",
    "assignees": "/assignees{/user}",
    "blobs": "/git/blobs{/sha}",
    "branches": "/branches{/branch}",
    "collaborators": "/collaborators{/collaborator}",
    "comments": "/comments{/number}",
    "commits": "/commits{/sha}",
    "compare": "/compare/{base}...{head}",
    "contents": "/contents/{+path}",
    "contributors": "/contributors",
    "deployments": "/deployments",
    "downloads": "/downloads",
    "events": "/events",
    "forks": "/forks",
    "git_commits": "/git/commits{/sha}",
    "git_refs": "/git/refs{/sha}",
    "git_tags": "/git/tags{/sha}",
    "hooks": "/hooks",
    "issue_comment": "/issues/comments{/number}",
    "issue_events": "/issues/events{/number}",
    "issues": "/issues{/number}",
    "keys": "/keys{/key_id}",
    "labels": "/labels{/name}",
    "languages": "/languages",
    "merges": "/merges",
    "milestones": "/milestones{/number}",
    "notifications": "/notifications{?since,all,participating}",
    "pulls": "/pulls{/number}",
    "releases": "/releases{/id}",
    "stargazers": "/stargazers",
    "statuses": "/statuses/{sha}",
    "subscribers": "/subscribers",
    "subscription": "/subscription",
    "tags": "/tags",
    "teams": "/teams",
    "trees": "/git/trees{/sha}",
}
_SWITCHES = ("has_issues", "has_projects", "has_downloads", "has_wiki", "has_pages", "has_discussions")
_NUMBERS = (
    *("forks", "forks_count", "network_count", "open_issues", "open_issues_count", "size"),
    *("stargazers_count", "subscribers_count", "watchers", "watchers_count"),
)


def _id(name: str) -> int:
    return crc32(name.encode())


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class GithubJson:
    """Every URL starts with `api`, so that a client that follows one comes back to this machine."""

    def __init__(self, api: str, state: State) -> None:
        self._api = api
        self._state = state
        self._own = f"{api}/repos/{state.repository}"
        self._site = f"https://github.com/{state.repository}"

    def account(self, account: Account | None) -> dict[str, Any] | None:
        if account is None:
            return None
        login = quote(account.login)
        url = f"{self._api}/users/{login}"
        return {
            "login": account.login,
            "id": _id(account.login),
            "node_id": f"U_{account.login}",
            "avatar_url": f"https://avatars.githubusercontent.com/u/{_id(account.login)}",
            "gravatar_id": "",
            "html_url": f"https://github.com/{login}",
            "url": url,
            "organizations_url": f"{url}/orgs",
            **{f"{name}_url": f"{url}/{name}{rest}" for name, rest in _ACCOUNT_LINKS.items()},
            "site_admin": False,
            "type": account.type,
        }

    def repository(self, full_name: str | None) -> dict[str, Any] | None:
        if full_name is None:
            return None
        owner, name = full_name.split("/")
        url, site = f"{self._api}/repos/{full_name}", f"https://github.com/{full_name}"
        return {
            "id": _id(full_name),
            "node_id": f"R_{name}",
            "name": name,
            "full_name": full_name,
            "owner": self.account(Account(owner)),
            "private": False,
            "html_url": site,
            "description": None,
            "fork": full_name != self._state.repository,
            "url": url,
            **{f"{link}_url": f"{url}{rest}" for link, rest in _REPOSITORY_LINKS.items()},
            "clone_url": f"{site}.git",
            "git_url": f"git://github.com/{full_name}.git",
            "ssh_url": f"git@github.com:{full_name}.git",
            "svn_url": site,
            "mirror_url": None,
            "homepage": None,
            "language": "Python",
            "license": None,
            "default_branch": "main",
            "archived": False,
            "disabled": False,
            **dict.fromkeys(_SWITCHES, True),
            **dict.fromkeys(_NUMBERS, 0),
            **dict.fromkeys(("pushed_at", "created_at", "updated_at"), "2025-01-01T00:00:00Z"),
        }

    def comment(self, comment: Comment) -> dict[str, Any]:
        return {
            "id": comment.id,
            "node_id": f"IC_{comment.id}",
            "url": f"{self._own}/issues/comments/{comment.id}",
            "html_url": f"{self._site}/pull/{comment.issue}#issuecomment-{comment.id}",
            "issue_url": f"{self._own}/issues/{comment.issue}",
            "body": comment.body,
            "user": self.account(comment.user),
            "created_at": _time(comment.created_at),
            "updated_at": _time(comment.updated_at),
            "author_association": "NONE",
            "performed_via_github_app": None,
        }

    def issue(self, pull: Pull) -> dict[str, Any]:
        """Tell of a pull request as the issue that it is too."""
        url, site = f"{self._own}/issues/{pull.number}", f"{self._site}/pull/{pull.number}"
        return {
            **self._thread(pull),
            "url": url,
            "repository_url": self._own,
            "labels_url": f"{url}/labels{{/name}}",
            "comments_url": f"{url}/comments",
            "events_url": f"{url}/events",
            "comments": sum(comment.issue == pull.number for comment in self._state.comments),
            "pull_request": {
                "url": f"{self._own}/pulls/{pull.number}",
                "html_url": site,
                "diff_url": f"{site}.diff",
                "patch_url": f"{site}.patch",
            },
        }

    def pull(self, pull: Pull) -> dict[str, Any]:
        """Tell of a pull request as a list of them does."""
        url, issue = f"{self._own}/pulls/{pull.number}", f"{self._own}/issues/{pull.number}"
        site = f"{self._site}/pull/{pull.number}"
        links = {
            "comments": f"{issue}/comments",
            "commits": f"{url}/commits",
            "issue": issue,
            "review_comment": f"{self._own}/pulls/comments{{/number}}",
            "review_comments": f"{url}/comments",
            "statuses": f"{self._own}/statuses/{pull.head_sha}",
        }
        owner = self._state.repository.split("/")[0]
        return {
            **self._thread(pull),
            "url": url,
            "diff_url": f"{site}.diff",
            "patch_url": f"{site}.patch",
            **{f"{name}_url": link for name, link in links.items()},
            "_links": {name: {"href": link} for name, link in {**links, "self": url, "html": site}.items()},
            "merge_commit_sha": None,
            "merged_at": None,
            "auto_merge": None,
            "draft": False,
            "head": self._branch(pull.head_owner, pull.head_ref, pull.head_sha, pull.head_repository),
            "base": self._branch(owner, pull.base_ref, "b" * 40, self._state.repository),
        }

    def whole_pull(self, pull: Pull) -> dict[str, Any]:
        """Tell of a pull request as its own page does."""
        return {
            **self.pull(pull),
            **dict.fromkeys(("merged", "maintainer_can_modify"), False),
            **dict.fromkeys(("additions", "deletions", "changed_files", "commits", "review_comments"), 0),
            "comments": sum(comment.issue == pull.number for comment in self._state.comments),
            "mergeable": None,
            "mergeable_state": "unknown",
            "merged_by": None,
        }

    def run(self, run: Run) -> dict[str, Any]:
        url = f"{self._own}/actions/runs/{run.id}"
        return {
            "id": run.id,
            "node_id": f"WFR_{run.id}",
            "name": "tests",
            "path": ".github/workflows/tests.yml",
            "display_title": "tests",
            "run_number": 1,
            "event": run.event,
            "status": "completed",
            "conclusion": run.conclusion,
            "workflow_id": 1,
            "head_branch": run.head_branch,
            "head_sha": run.head_sha,
            "head_commit": None,
            "head_repository": self.repository(run.head_repository),
            "repository": self.repository(self._state.repository),
            "pull_requests": [self._short_pull(pull) for pull in run.pulls],
            "url": url,
            "html_url": f"{self._site}/actions/runs/{run.id}",
            **{f"{name}_url": f"{url}/{name}" for name in ("jobs", "logs", "cancel", "rerun", "artifacts")},
            "check_suite_url": f"{self._own}/check-suites/1",
            "workflow_url": f"{self._own}/actions/workflows/1",
            "created_at": _time(run.created_at),
            "updated_at": _time(run.created_at),
        }

    def artifact(self, artifact: Artifact) -> dict[str, Any]:
        url, run = f"{self._own}/actions/artifacts/{artifact.id}", artifact.run
        return {
            "id": artifact.id,
            "node_id": f"A_{artifact.id}",
            "name": artifact.name,
            "size_in_bytes": len(artifact.content),
            "url": url,
            "archive_download_url": f"{url}/zip",
            "expired": artifact.expired,
            "digest": f"sha256:{hashlib.sha256(artifact.content).hexdigest()}",
            "created_at": _time(artifact.created_at),
            "updated_at": _time(artifact.created_at),
            "expires_at": _time(artifact.created_at + timedelta(days=90)),
            "workflow_run": {
                "id": run.id,
                "repository_id": _id(self._state.repository),
                "head_repository_id": _id(run.head_repository or ""),
                "head_branch": run.head_branch,
                "head_sha": run.head_sha,
            },
        }

    def _thread(self, pull: Pull) -> dict[str, Any]:
        """Tell what a pull request and its issue have in common."""
        return {
            "id": _id(f"pull {pull.number}"),
            "node_id": f"PR_{pull.number}",
            "number": pull.number,
            "html_url": f"{self._site}/pull/{pull.number}",
            "state": pull.state,
            "locked": False,
            "title": f"Merge {pull.head_ref}",
            "body": None,
            "user": self.account(Account(pull.head_owner)),
            "labels": [],
            "assignee": None,
            "assignees": [],
            "milestone": None,
            "closed_at": None if pull.state == "open" else _time(pull.created_at),
            "created_at": _time(pull.created_at),
            "updated_at": _time(pull.created_at),
            "author_association": "NONE",
        }

    def _branch(self, owner: str, ref: str, sha: str, repository: str | None) -> dict[str, Any]:
        user = self.account(Account(owner))
        return {"label": f"{owner}:{ref}", "ref": ref, "sha": sha, "user": user, "repo": self.repository(repository)}

    def _short_pull(self, pull: Pull) -> dict[str, Any]:
        repository = {"id": _id(self._state.repository), "url": self._own, "name": self._state.repository}
        return {
            "id": _id(f"pull {pull.number}"),
            "number": pull.number,
            "url": f"{self._own}/pulls/{pull.number}",
            "head": {"ref": pull.head_ref, "sha": pull.head_sha, "repo": repository},
            "base": {"ref": pull.base_ref, "sha": "b" * 40, "repo": repository},
        }
