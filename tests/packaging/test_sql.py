"""The queries of `docs/how-to/sql.md`, against the export of a store of the replica with a change that was accepted."""

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
    run("export", "--sqlite", str(tmp_path / "truth.db"))
    database = sqlite3.connect(tmp_path / "truth.db")
    page = (PROJECT / "docs/how-to/sql.md").read_text(encoding="utf-8")
    queries = [block.split("```")[0] for block in page.split("```sql\n")[1:]]
    assert len(queries) == 10
    rows = {query: database.execute(query).fetchall() for query in queries}
    assert all(rows.values()), [query for query, found in rows.items() if not found]
    assert [number for _, number in rows[queries[-1]]] == ["2274", "2350"]
