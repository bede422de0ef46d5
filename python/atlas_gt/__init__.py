"""Scores answers against ground truth and loads stores and runs. The `atlas-gt` program does the work."""

from .frames import load_run, load_store, score_answers
from .models import Pipeline
from .program import AtlasGtError, program, score_answer

__all__ = [
    "AtlasGtError",
    "Pipeline",
    "load_run",
    "load_store",
    "program",
    "score_answer",
    "score_answers",
]
