"""The queries of `docs/how-to/sql.md`, against the export of a store of the replica with a change that was accepted."""

import json
import os
import sqlite3
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def test_every_query_of_the_page_finds_rows(tmp_path: Path) -> None:
    def run(*arguments: str, expected: int = 0) -> None:
        settings = {"ATLAS_GT_SITE": "twin", "ATLAS_GT_STORE": str(tmp_path / "store")}
        settings["ATLAS_GT_MANIFEST"] = str(PROJECT / "manifests/atlas.json")
        done = subprocess.run([os.environ["ATLAS_GT_BIN"], *arguments], env={**os.environ, **settings}, check=False)
        assert done.returncode == expected, arguments

    run("collect", "--questions", "61,62,85")
    run("refresh", "--questions", "61", "--vintage", "2027", expected=3)
    run("refresh", "--commit")
    answers, runs, checks = tmp_path / "answers.jsonl", tmp_path / "runs", tmp_path / "checks"
    answer = {"question_id": 61, "answer": "It is $9.", "trace": {"question_id": "61", "tool_calls": ["atlas_graphql"]}}
    answers.write_text(json.dumps(answer))
    run("eval", "run", "--agent-site", "twin", "--answers", str(answers), "--runs", str(runs))
    point = {"field": "gdp_per_capita", "truth": "$2,274", "page": "$2,350", "agent": "$9", "cause": "agent_error"}
    report = {"timestamp": "2026-11-21T10:30:00Z", "agent": "a", "site": "twin"}
    report["details"] = [{"question_id": "61", "match": False, "points": [point]}]
    checks.mkdir()
    (checks / "spot_check_report.json").write_text(json.dumps(report))
    run("export", "--sqlite", str(tmp_path / "truth.db"), "--runs", str(runs), "--spot-checks", str(checks))
    database = sqlite3.connect(tmp_path / "truth.db")
    page = (PROJECT / "docs/how-to/sql.md").read_text(encoding="utf-8")
    queries = [block.split("```")[0] for block in page.split("```sql\n")[1:]]
    assert len(queries) == 15
    rows = {query: database.execute(query).fetchall() for query in queries}
    assert all(rows.values()), [query for query, found in rows.items() if not found]
    assert [number for _, number in rows[queries[-1]]] == ["2274", "2350"]
