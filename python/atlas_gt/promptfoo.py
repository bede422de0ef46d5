"""An assertion for promptfoo. `from atlas_gt.promptfoo import get_assert` in a file that `value: file://…` names.

The test's variable `question_id` names the question; the assertion's `config` holds settings of `score_answer`.
"""

from typing import Any

from .program import score_answer


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Passes when every data point is right. promptfoo knows no unscored answer: it fails, and the reason says so."""
    result = score_answer(context["vars"]["question_id"], output, **context.get("config", {}))
    reasons = "; ".join(result["reasons"])
    return {
        "pass": result["verdict"] in ("match", "expected_absence"),
        "score": result["value"] or 0.0,
        "reason": f"{result['verdict']}: {reasons}",
    }
