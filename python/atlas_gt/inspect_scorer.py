"""A scorer for inspect_ai: `Task(dataset, scorer=ground_truth(site="live"))`. Samples carry `question_id` in their metadata."""

import asyncio
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from .program import score_answer


@scorer(metrics=[mean(), stderr()])
def ground_truth(**settings: Any) -> Scorer:
    """Scores the completion of a sample. Takes the settings of `score_answer`. An unscored answer is in no metric."""

    async def score(state: TaskState, target: Target) -> Score:
        question_id = state.metadata.get("question_id", state.sample_id)
        answer = state.output.completion
        result = await asyncio.to_thread(score_answer, question_id, answer, **settings)
        reasons = "; ".join(result["reasons"])
        if result["value"] is None:
            return Score.unscored(answer=answer, explanation=reasons, metadata=dict(result))
        return Score(value=result["value"], answer=answer, explanation=reasons, metadata=dict(result))

    return score
