"""Tables: many scored answers, the records of a store, the questions of a run. DataFrames where pandas is installed."""

import json
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .models import Pipeline, RunQuestion, RunSummary, ScoreAnswers
from .program import PathLike, run

if TYPE_CHECKING:
    from pandas import DataFrame

# what `atlas-gt score answers` reads of a line
FIELDS = ("question_id", "answer", "id", "pipeline", "links", "trace", "error")


def _table(rows: list[dict[str, Any]], index: Any = None) -> "DataFrame":
    try:
        from pandas import DataFrame
    except ImportError:
        return cast("DataFrame", rows)
    return DataFrame(rows, index=index)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def score_answers(
    rows: "Iterable[Mapping[str, Any]] | DataFrame",
    *,
    pipeline: Pipeline | None = None,
    store: PathLike | None = None,
    site: str | None = None,
    manifest: PathLike | None = None,
) -> "DataFrame":
    """Score many answers in one call of `atlas-gt score answers`.

    A row has `question_id` and `answer`, and where it helps `id`, `pipeline`, `links`, `trace` and `error`. Each comes
    back with `value`, `verdict`, `reasons`, `right`, `wrong`, `missing` and `unscored`. A row that cannot be scored has
    no verdict, and a warning says why. A list of dicts where pandas is not installed.
    """
    index = getattr(rows, "index", None) if hasattr(rows, "to_json") else None
    if index is not None:
        rows = json.loads(cast("DataFrame", rows).to_json(orient="records"))
    table = [dict(row) for row in cast("Iterable[Mapping[str, Any]]", rows)]
    lines = ({key: row[key] for key in FIELDS if row.get(key) is not None} for row in table)
    stdin = "".join(json.dumps(line) + "\n" for line in lines)
    document, messages = run(
        "score", "answers", "-", stdin=stdin, pipeline=pipeline, store=store, site=site, manifest=manifest
    )
    if messages:
        warnings.warn(messages, stacklevel=2)
    scored = {line["line"]: line for line in cast(ScoreAnswers, document)["answers"]}
    for number, row in enumerate(table, start=1):
        line = scored.get(number)
        row.update({key: line[key] if line else None for key in ("value", "verdict", "reasons")})
        counts: Mapping[str, Any] = line["metadata"] if line else {}
        row.update({key: counts.get(key) for key in ("right", "wrong", "missing", "unscored")})
    return _table(table, index)


def load_store(path: PathLike) -> "DataFrame":
    """The values of a store, one row each: the columns of `results.json` with the keys of its record before them."""
    rows = []
    for file in sorted(Path(path).glob("*/results.json")):
        record = _read(file)
        data = record.pop("results")["data"]
        rows += [record | row for row in data]
    return _table(rows)


def load_run(path: PathLike) -> "tuple[RunSummary, DataFrame]":
    """The summary of a run and its questions, one row each. `path` is the run's folder, such as `runs/20261120T103000Z`."""
    rows = []
    for file in sorted(Path(path).glob("questions/*.json")):
        asked: RunQuestion = _read(file)
        parts = (asked["question"], asked["answer"], asked["answer"].get("reply"), asked.get("scored"))
        rows.append({key: value for part in parts for key, value in (part or {}).items()})
    return cast(RunSummary, _read(Path(path, "summary.json"))), _table(rows)
