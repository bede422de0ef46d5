"""A store of the twin for every test, named to the program as a user would: by the environment."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["pytester"]
HERE = Path(__file__).parent
PROJECT = HERE.parent.parent


@pytest.fixture(scope="session", autouse=True)
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("store")
    with gzip.open(PROJECT / "tests/records/twin.json.gz") as packed:
        for name, text in json.load(packed).items():
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
    # the records are packed without the log of their checks: one without a check
    (folder / "checks.jsonl").write_bytes((PROJECT / "examples/scoring/store/checks.jsonl").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATLAS_GT_STORE", str(folder))
        patch.setenv("ATLAS_GT_SITE", "twin")
        patch.setenv("ATLAS_GT_MANIFEST", str(PROJECT / "manifests/atlas.json"))
        yield folder


@pytest.fixture(scope="session")
def answers() -> list[dict[str, Any]]:
    """Ten recorded answers: right, wrong, partly right, missing and unscored ones."""
    return [json.loads(line) for line in (HERE / "answers.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def expected(store: Path, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the command line says of each of them."""
    import subprocess

    import atlas_gt

    command = [atlas_gt.program(), "score", "answers", str(HERE / "answers.jsonl"), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    lines: list[dict[str, Any]] = json.loads(done.stdout)["answers"]
    verdicts = {line["verdict"] for line in lines}
    assert verdicts == {"match", "mismatch", "partial", "unscored"}, verdicts
    return lines
