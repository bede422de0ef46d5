"""The workflow files of `.github/workflows`, their `run:` steps executed in order by a shell, as a runner would.

The program, the browser, the replica, git and its remote are real. Stand-ins are the agent, `gh`, which writes down how it
was called, and `cargo`, which puts the program that is tested in place of an optimised build.
"""

import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[2]
PROGRAM = os.environ["ATLAS_GT_BIN"]
HOOKED: list[str] = []
SAYS = {"Kenya": "Kenya's GDP per capita is $2,274."}


def evaluate(expression: str, context: dict[str, Any]) -> Any:
    """An expression of a workflow, as far as these two files use the language."""

    def look(path: str) -> Any:
        found: Any = context
        for name in path.split("."):
            found = found.get(name) or "" if isinstance(found, dict) else ""
        return found

    python = re.sub(r"\b(?:steps|vars|secrets|github)(?:\.[\w-]+)+", lambda name: f"look({name[0]!r})", expression)
    python = python.replace("!contains", "not contains").replace("||", "or")
    known = {"look": look, "contains": lambda all, one: one in all, "fromJSON": json.loads, "always": lambda: True}
    return eval(python, known)


def filled(text: str, context: dict[str, Any]) -> str:
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: str(evaluate(found[1], context)), text)


class Runner:
    """A clone of a team's repository, with a remote, and the programs of a runner."""

    def __init__(self, folder: Path, store: Path) -> None:
        self.clone = folder / "clone"
        self.calls = folder / "calls"
        self.folder = folder
        self.secrets: dict[str, str] = {}
        bin = folder / "bin"
        for made in (self.clone, bin, folder / "home"):
            made.mkdir()
        self.script(bin / "cargo", f'mkdir -p target/release && ln -sf "{PROGRAM}" target/release/atlas-gt')
        self.script(
            bin / "gh",
            f'echo "$*" >> "{self.calls}"; cat issue.md > "{folder}/issue" 2>/dev/null\n'
            f'if [ "$1 $2" = "issue list" ] && [ -e "{folder}/open" ]; then echo 17; fi',
        )
        self.path = f"{bin}:{os.environ['PATH']}"
        for name in ("Makefile", "scripts", "manifests"):
            source = PROJECT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, self.clone / name)
        shutil.copytree(store, self.clone / "ground_truth")
        (self.clone / ".gitignore").write_text("/target\n/report\n/issue.md\n.lock\n.run.jsonl\n")
        self.git("init", "--quiet", "--bare", "--initial-branch=main", str(folder / "remote"))
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("remote", "add", "origin", str(folder / "remote"))
        self.git("add", ".")
        self.git("-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--quiet", "-m", "start")
        self.git("push", "--quiet", "--set-upstream", "origin", "main")

    @staticmethod
    def script(path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.clone, check=True, capture_output=True, text=True)
        return done.stdout

    def run(self, name: str, **variables: str) -> dict[str, str]:
        """Runs the one job of a workflow; the outcome of each step by its name."""
        self.calls.write_text("")
        [job] = yaml.safe_load((PROJECT / ".github/workflows" / name).read_text())["jobs"].values()
        context: dict[str, Any] = {
            "vars": variables,
            "secrets": self.secrets,
            "github": {"token": "t", "server_url": "https://git", "repository": "a/b", "run_id": "1"},
            "steps": {},
        }
        paths = self.folder / "paths"
        paths.write_text("")
        outcomes: dict[str, str] = {}
        failed = False
        for step in job["steps"]:
            title = step.get("name", step.get("uses"))
            condition = filled(str(step.get("if", "")), context) if "${{" in str(step.get("if")) else None
            wanted = condition == "True" if condition else evaluate(step.get("if", "True"), context)
            if not wanted or (failed and step.get("if") != "always()"):
                outcomes[title] = "skipped"
                continue
            if "run" not in step:
                if "upload" in step["uses"]:
                    assert any((self.clone / step["with"]["path"]).iterdir())
                outcomes[title] = "used"
                continue
            output = self.folder / "output"
            output.write_text("")
            settings = {**job["env"], **step.get("env", {})}
            environment = {
                **os.environ,
                "HOME": str(self.folder / "home"),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_PATH": str(paths),
                "PATH": ":".join([*reversed(paths.read_text().split()), self.path]),
                "ATLAS_GT_SITE": "twin",
                **{key: filled(text, context) for key, text in settings.items()},
            }
            del environment["ATLAS_GT_BIN"]
            done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=self.clone, env=environment, check=False)
            lines = [line.split("=", 1) for line in output.read_text().split()]
            context["steps"][step.get("id", "")] = {"outputs": dict(lines)}
            outcomes[title] = "ok" if done.returncode == 0 else f"failed {done.returncode}"
            failed = failed or done.returncode != 0
        self.code = next((step["outputs"]["code"] for step in context["steps"].values() if "code" in step["outputs"]), "")
        return outcomes

    def issues(self) -> list[str]:
        return [call for call in self.calls.read_text().splitlines() if call.split()[:2] != ["label", "create"]]


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two records of the replica, collected."""
    folder = tmp_path_factory.mktemp("collected")
    command = [PROGRAM, "collect", "--site", "twin", "--questions", "61,62", "--store", "store"]
    manifest = PROJECT / "manifests/atlas.json"
    subprocess.run([*command, "--manifest", str(manifest)], cwd=folder, check=True)
    return folder / "store"


@pytest.fixture
def runner(tmp_path: Path, store: Path) -> Runner:
    return Runner(tmp_path, store)


@pytest.fixture
def agent() -> Iterator[str]:
    """An Ask-Atlas that says one sentence to everything."""

    class Agent(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/hook":
                HOOKED.append(json.loads(body)["text"])
            talk = {"source": "agent", "content": SAYS["Kenya"], "message_type": "agent_talk"}
            events = [("thread_id", {"thread_id": "t1"}), ("agent_talk", talk), ("done", {"thread_id": "t1"})]
            body = "".join(f"event: {name}\r\ndata: {json.dumps(data)}\r\n\r\n" for name, data in events).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.send_error(404)

        do_DELETE = do_GET

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Agent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_nothing_is_said_of_a_good_spot_check(runner: Runner, agent: str) -> None:
    flags = "--agent-site twin --questions 61"
    outcomes = runner.run("spot-check.yml", ASK_ATLAS_URL=agent, SPOT_CHECK_FLAGS=flags)
    assert runner.code == "0", outcomes
    assert outcomes["Keep the report"] == "used"
    assert outcomes["Open or update the issue"] == outcomes["Fail if the check did not run"] == "skipped"
    assert runner.calls.read_text() == ""


def test_a_wrong_answer_opens_an_issue_and_the_next_one_updates_it(runner: Runner, agent: str) -> None:
    flags = "--agent-site twin --questions 62"
    outcomes = runner.run("spot-check.yml", ASK_ATLAS_URL=agent, SPOT_CHECK_FLAGS=flags)
    assert runner.code == "3" and outcomes["Open or update the issue"] == "ok", outcomes
    assert runner.issues()[-1].startswith("issue create --title Spot check: something is wrong")
    issue = (runner.folder / "issue").read_text()
    assert issue.startswith("Exit code 3") and "agent wrong" in issue and "https://git/a/b/actions/runs/1" in issue
    (runner.folder / "open").touch()
    shutil.rmtree(runner.clone / "report")
    runner.secrets["ATLAS_GT_NOTIFY"] = f"{agent}/hook"
    runner.run("spot-check.yml", ASK_ATLAS_URL=agent, SPOT_CHECK_FLAGS=flags)
    assert runner.issues()[-1] == "issue comment 17 --body-file issue.md"
    assert len(HOOKED) == 1 and HOOKED[0].startswith("atlas-gt spot-check: exit code 3")


def test_an_agent_that_is_away_opens_an_issue(runner: Runner) -> None:
    flags = "--agent-site twin --questions 61"
    runner.run("spot-check.yml", ASK_ATLAS_URL="http://127.0.0.1:1", SPOT_CHECK_FLAGS=flags)
    assert runner.code == "6"
    assert runner.issues()[-1].startswith("issue create")


def test_a_check_that_did_not_run_fails_the_job(runner: Runner) -> None:
    outcomes = runner.run("spot-check.yml", ASK_ATLAS_URL="http://127.0.0.1:1", SPOT_CHECK_FLAGS="--questions 999")
    assert runner.code == "2"
    assert outcomes["Open or update the issue"] == "skipped"
    assert outcomes["Fail if the check did not run"] == "failed 2"


def test_a_refresh_without_changes_keeps_the_date_of_the_visit(runner: Runner) -> None:
    outcomes = runner.run("refresh.yml", REFRESH_FLAGS="--questions 61")
    assert runner.code == "0", outcomes
    assert runner.calls.read_text() == ""
    assert runner.git("show", "--stat", "--format=%s", "origin/main").startswith("Records the refresh of ")
    assert "checks.jsonl" in runner.git("show", "--name-only", "--format=", "origin/main")


def test_a_change_opens_an_issue_and_waits_in_the_remote(runner: Runner) -> None:
    outcomes = runner.run("refresh.yml", REFRESH_FLAGS="--questions 61 --vintage 2027")
    assert runner.code == "3" and outcomes["Fail if the refresh did not run"] == "skipped", outcomes
    assert runner.issues()[-1].startswith("issue create --title Refresh: something changed")
    assert re.search(r"61 .*GDP per capita.*2,274.*2,350", (runner.folder / "issue").read_text())
    assert "ground_truth/pending/" in runner.git("show", "--name-only", "--format=", "origin/main")
    assert runner.git("status", "--short") == ""
    accepted = subprocess.run(
        [PROGRAM, "refresh", "--site", "twin", "--store", "ground_truth", "--commit"],
        cwd=runner.clone, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert "changed from $2,274 to $2,350" in accepted.stdout, accepted


def test_only_stale_records_are_visited_by_default(runner: Runner) -> None:
    outcomes = runner.run("refresh.yml")
    assert runner.code == "0", outcomes
    assert "checking 0 questions" in (runner.clone / "report/output.txt").read_text()
    assert runner.issues() == []
