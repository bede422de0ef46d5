"""A pytest fixture, registered by the package: `def test_kenya(ground_truth): ground_truth(61, agent.ask(...))`."""

from collections.abc import Callable
from typing import Any

import pytest

from .models import ScoreAnswer
from .program import score_answer


@pytest.fixture
def ground_truth() -> Callable[..., ScoreAnswer]:
    """Fails unless every data point of an answer is right. Takes what `score_answer` takes, and returns its score."""

    def check(question_id: int | str, text: str, **settings: Any) -> ScoreAnswer:
        __tracebackhide__ = True
        score = score_answer(question_id, text, **settings)
        if score["verdict"] not in ("match", "expected_absence"):
            points = "\n".join(f"  {point['field']}: {point['reason']}" for point in score["metadata"]["points"])
            pytest.fail(f"question {question_id}: {score['verdict']}\n{points}", pytrace=False)
        return score

    return check
