"""Finds the `atlas-gt` program and calls it."""

import json
import os
import shutil
import subprocess
import sysconfig
from typing import Any, cast

from .models import Pipeline, ScoreAnswer

PathLike = str | os.PathLike[str]


class AtlasGtError(Exception):
    """The program gave no result. `exit_code` is its own; the message is what it printed."""

    def __init__(self, exit_code: int, message: str) -> None:
        super().__init__(message or f"atlas-gt ended with exit code {exit_code}")
        self.exit_code = exit_code


def program() -> str:
    """The program: `ATLAS_GT_BIN`, else the one of this environment, else the one on `PATH`."""
    found = (
        os.environ.get("ATLAS_GT_BIN")
        or shutil.which("atlas-gt", path=sysconfig.get_path("scripts"))
        or shutil.which("atlas-gt")
    )
    if found is None:
        raise AtlasGtError(2, "atlas-gt is not installed: set ATLAS_GT_BIN or put it on PATH")
    return found


def run(*arguments: str, stdin: str, **settings: PathLike | None) -> tuple[Any, str]:
    """The JSON document that a command prints, and its messages. A setting that is none is left out."""
    flags = [f"--{name}={os.fspath(value)}" for name, value in settings.items() if value is not None]
    command = [program(), *arguments, "--format=json", *flags]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, encoding="utf-8", check=False)
    # a wrong answer ends with 3, a line that cannot be scored with 2: both come with a document
    document = json.loads(done.stdout) if done.returncode in (0, 2, 3) and done.stdout else {"error": done.stderr}
    if "error" in document:
        raise AtlasGtError(done.returncode, done.stderr.strip())
    return document, done.stderr.strip()


def score_answer(
    question_id: int | str,
    text: str,
    *,
    pipeline: Pipeline | None = None,
    store: PathLike | None = None,
    site: str | None = None,
    manifest: PathLike | None = None,
) -> ScoreAnswer:
    """Score one answer, as `atlas-gt score answer` does.

    `value` is from 0 to 1, or None where nothing can decide. Settings left out are the program's: environment
    variables such as `ATLAS_GT_STORE`, `atlas-gt.toml`, then its defaults.
    """
    document, _ = run(
        "score", "answer", f"--question={question_id}", "--file=-",
        stdin=text, pipeline=pipeline, store=store, site=site, manifest=manifest,
    )  # fmt: skip
    return cast(ScoreAnswer, document)
