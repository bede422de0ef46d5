"""The package says what the command line says."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import atlas_gt

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))


def test_models_are_those_of_the_schemas() -> None:
    import atlas_gt.models
    from generate_models import generate

    written = Path(atlas_gt.models.__file__).read_text(encoding="utf-8")
    assert written == generate(), "atlas_gt/models.py is out of date: python python/generate_models.py"


def test_the_program_is_in_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path(atlas_gt.program()).parent == Path(sysconfig.get_path("scripts"))
    monkeypatch.setenv("ATLAS_GT_BIN", "/nowhere/atlas-gt")
    assert atlas_gt.program() == "/nowhere/atlas-gt"


def test_one_answer(answers: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    for row, line in zip(answers, expected, strict=True):
        score = atlas_gt.score_answer(row["question_id"], row["answer"])
        assert (score["value"], score["verdict"]) == (line["value"], line["verdict"])
        assert score["metadata"] == line["metadata"]


def test_no_truth_is_an_error() -> None:
    with pytest.raises(atlas_gt.AtlasGtError, match="question 9999") as caught:
        atlas_gt.score_answer(9999, "$5")
    assert caught.value.exit_code == 2


def test_a_pipeline_is_handed_on() -> None:
    score = atlas_gt.score_answer(61, "$2,274", pipeline="sql")
    assert score["metadata"]["pipeline"] == "sql"


def test_many_answers_as_a_frame(answers: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(answers, index=range(100, 110)).assign(model="a")
    scored = atlas_gt.score_answers(frame)
    assert list(scored.index) == list(range(100, 110))
    assert list(scored["verdict"]) == [line["verdict"] for line in expected]
    assert set(scored["model"]) == {"a"}
    assert list(scored["right"]) == [line["metadata"]["right"] for line in expected]


def test_a_row_without_truth_keeps_its_place() -> None:
    rows = [{"question_id": 9999, "answer": "$5"}, {"question_id": 61, "answer": "$2,274"}]
    with pytest.warns(UserWarning, match="9999"):
        scored = atlas_gt.score_answers(rows)
    assert scored["verdict"].fillna("none").tolist() == ["none", "match"]


def test_lists_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    rows: Any = atlas_gt.score_answers([{"question_id": 61, "answer": "$2,274"}])
    assert rows == [
        {
            "question_id": 61,
            "answer": "$2,274",
            "value": 1.0,
            "verdict": "match",
            "reasons": ["1 right, 0 wrong, 0 missing, 0 unscored, 0 refused"],
            "right": 1,
            "wrong": 0,
            "missing": 0,
            "unscored": 0,
        }
    ]


def test_a_store_as_a_frame(store: Path) -> None:
    values = atlas_gt.load_store(store)
    assert values["question_id"].nunique() == len(list(store.glob("*/results.json")))
    kenya = values[(values.question_id == "61") & (values.data_point == "gdp_per_capita")]
    assert kenya["value"].tolist() == ["$2,274"]


def test_a_run(tmp_path: Path) -> None:
    command = [atlas_gt.program(), "eval", "run", "--answers", str(HERE / "answers.jsonl"), "--agent-site", "twin"]
    # a file of answers holds one a question: the first of question 61
    first = tmp_path / "answers.jsonl"
    lines = (HERE / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    first.write_text("\n".join([lines[0], *lines[4:]]), encoding="utf-8")
    command[command.index("--answers") + 1] = str(first)
    subprocess.run([*command, "--runs", str(tmp_path / "runs")], check=True, capture_output=True)
    [folder] = (tmp_path / "runs").glob("*/")
    summary, questions = atlas_gt.load_run(folder)
    assert summary["planned"] == len(questions) == 7
    assert (questions["verdict"] == "pass").sum() == summary["counts"]["pass"] > 0
    assert questions.loc[questions.question_id.astype(str) == "61", "answer"].tolist() == ["Kenya's GDP per capita is $2,274."]


def test_the_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_right(ground_truth):
            assert ground_truth(61, "Kenya's GDP per capita is $2,274.")["value"] == 1.0

        def test_wrong(ground_truth):
            ground_truth(61, "Kenya's GDP per capita is $3,000.")
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*question 61: mismatch*", "*gdp_per_capita: $2,274 differs from $3,000*"])


def test_the_example_of_the_page(tmp_path: Path) -> None:
    """The Python of `docs/how-to/python.md`, in order, as one program: all but the test of a user."""
    pytest.importorskip("inspect_ai")
    page = (PROJECT / "docs/how-to/python.md").read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    program = "\n".join(block for block in blocks if "def test_" not in block)
    assert program.count("atlas_gt.") >= 4, program
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "match" in done.stdout
