"""The scorer in the real inspect_ai and the assertion in the real promptfoo, on the same ten answers."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
RIGHT = ("match", "expected_absence")


def test_inspect_ai(answers: list[dict[str, Any]], expected: list[dict[str, Any]], tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, get_model
    from inspect_ai.solver import Generate, TaskState, solver

    from atlas_gt.inspect_scorer import ground_truth

    @solver
    def recorded():  # type: ignore[no-untyped-def]
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            state.output = ModelOutput.from_content("recorded", state.metadata["answer"])
            return state

        return solve

    samples = [Sample(input="?", id=number, metadata=row) for number, row in enumerate(answers)]
    task = Task(dataset=samples, solver=recorded(), scorer=ground_truth())
    [log] = eval(task, model=get_model("mockllm/model"), log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    scores = {sample.id: sample.scores["ground_truth"] for sample in log.samples}
    for number, line in enumerate(expected):
        score = scores[number]
        assert score.metadata["verdict"] == line["verdict"]
        assert (score.value == line["value"]) if line["value"] is not None else score.value != score.value
    decided = [line["value"] for line in expected if line["value"] is not None]
    mean = log.results.scores[0].metrics["mean"].value
    assert mean == pytest.approx(sum(decided) / len(decided))
    print(f"inspect_ai: {len(scores)} answers, mean {mean:.3f} over {len(decided)}")


def test_promptfoo(answers: list[dict[str, Any]], expected: list[dict[str, Any]], tmp_path: Path) -> None:
    program = os.environ.get("PROMPTFOO")
    if not program:
        pytest.skip("PROMPTFOO names no program")
    (tmp_path / "ground_truth.py").write_text("from atlas_gt.promptfoo import get_assert  # noqa: F401\n")
    config = {
        "prompts": ["{{answer}}"],
        "providers": ["echo"],
        "defaultTest": {"assert": [{"type": "python", "value": "file://ground_truth.py", "config": {"site": "twin"}}]},
        "tests": [{"vars": row} for row in answers],
    }
    (tmp_path / "promptfooconfig.json").write_text(json.dumps(config))
    environment = os.environ | {
        "PROMPTFOO_PYTHON": sys.executable,
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "state"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    }
    command = [program, "eval", "--no-cache", "--no-write", "-c", "promptfooconfig.json", "-o", "out.json"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (tmp_path / "out.json").exists(), done.stdout + done.stderr
    results = json.loads((tmp_path / "out.json").read_text())["results"]["results"]
    assert len(results) == len(expected)
    for result in sorted(results, key=lambda result: result["testIdx"]):
        line = expected[result["testIdx"]]
        assert result["success"] == (line["verdict"] in RIGHT), result
        assert result["score"] == pytest.approx(line["value"] or 0.0)
        assert result["gradingResult"]["componentResults"][0]["reason"].startswith(f"{line['verdict']}: ")
    print(f"promptfoo: {sum(result['success'] for result in results)} of {len(results)} pass")
