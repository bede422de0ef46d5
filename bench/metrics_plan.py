#!/usr/bin/env python3
"""A straightforward Python implementation of the metrics plan, to measure ours against.

    python3 bench/metrics_plan.py PAIRS.jsonl [--strategies FILE] [--breakdown] [--pairs N]

Reads {"id", "truth", "answer"} a line. With --breakdown it prints the measures, the counts, the five buckets and an entry per
field with its reason for every pair, then a summary; without, the summary alone. That is what `atlas-gt score json --batch` does
with `--format jsonl` and `--format json`. There is no LLM on either side: FUZZY is the standard library's difflib here, and
SEMANTIC is equality but for case and spaces, else the field is unscored.

Plain dictionaries and loops, the formulas as the plan has them, the standard library's C JSON parser and printer.
"""

import argparse
import json
import re
import sys
from datetime import datetime
from difflib import SequenceMatcher

FUZZY_THRESHOLD, SEMANTIC_THRESHOLD = 0.85, 0.80
W_ACCURACY, W_COMPLETENESS, W_HALLUCINATION, W_SAFETY = 0.45, 0.25, 0.15, 0.15
EMAIL = re.compile(r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$")
NO_JUDGE = (
    "no judge is configured and the texts differ: give similarities, or --semantic lexical for a provisional score"
)


def is_null(value):
    if value is None:
        return True
    if isinstance(value, str) and value.strip() == "":
        return True
    return False


def kind_of(value):
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "numeric"
    if isinstance(value, list):
        return "array"
    if isinstance(value, dict):
        return "object"
    try:
        datetime.fromisoformat(value)
        return "date"
    except ValueError:
        return "email" if EMAIL.match(value) else "text"


def resolve_strategy(field, kind, strategies):
    if field in strategies:
        return strategies[field], "config"
    return ("SEMANTIC" if kind == "text" else "EXACT"), "auto"


def exact_text(value):
    if isinstance(value, (dict, list)):
        return json.dumps(value, sort_keys=True)
    return str(value)


def similarity(strategy, gt, aio):
    """The similarity and who says so; None where only a judge could tell."""
    gt, aio = " ".join(gt.lower().split()), " ".join(aio.lower().split())
    if gt == aio:
        return 1.0, "normalised"
    if strategy == "FUZZY":
        return SequenceMatcher(None, gt, aio).ratio(), "difflib"
    return None, "none"


def field_score(strategy, gt, aio):
    """1, 0, or None where nothing is to be scored or only a judge could tell."""
    if strategy == "IGNORE":
        return None
    if strategy == "EXACT":
        return 1 if exact_text(gt).lower() == exact_text(aio).lower() else 0
    score, _ = similarity(strategy, exact_text(gt), exact_text(aio))
    if score is None:
        return None
    return 1 if score >= (FUZZY_THRESHOLD if strategy == "FUZZY" else SEMANTIC_THRESHOLD) else 0


def shown(text):
    return json.dumps(text) if len(text) <= 80 else json.dumps(text[:80]) + "…"


def field_entry(field, gt, aio, strategies):
    """A field's line of the breakdown."""
    kind = kind_of(gt)
    strategy, origin = resolve_strategy(field, kind, strategies)
    entry = {"field": field, "kind": kind, "strategy": strategy, "strategy_from": origin}
    if strategy == "IGNORE":
        entry |= {"outcome": "ignored", "score": None, "backend": "none", "provisional": False}
        entry["reason"] = "left out of accuracy by its strategy"
        return entry
    gt_text, aio_text = exact_text(gt), exact_text(aio)
    if strategy == "EXACT":
        equal = gt_text.lower() == aio_text.lower()
        entry["outcome"] = "match" if equal else "mismatch"
        entry["score"] = 1.0 if equal else 0.0
        entry |= {"backend": "python-str", "provisional": False}
        if equal:
            entry["reason"] = f"equal but for case: {shown(gt_text)}"
        else:
            entry["reason"] = f"expected {shown(gt_text)}, found {shown(aio_text)}"
        return entry
    threshold = FUZZY_THRESHOLD if strategy == "FUZZY" else SEMANTIC_THRESHOLD
    score, backend = similarity(strategy, gt_text, aio_text)
    if score is None:
        entry |= {"outcome": "unscored", "score": None, "threshold": threshold}
        entry |= {"backend": backend, "provisional": False, "reason": NO_JUDGE}
        return entry
    good = score >= threshold
    entry["outcome"] = "match" if good else "mismatch"
    entry["score"] = 1.0 if good else 0.0
    entry |= {"similarity": score, "threshold": threshold, "backend": backend, "provisional": backend == "difflib"}
    sign = "≥" if good else "<"
    entry["reason"] = f"similarity {score:.2f} {sign} {threshold:.2f} ({backend}): {shown(gt_text)} against {shown(aio_text)}"
    return entry


def classify(gt, aio):
    """Phase 0: the five buckets."""
    return {
        "extra_keys": [k for k in aio if k not in gt],
        "gt_null_aio_has_value": [k for k in gt if is_null(gt[k]) and k in aio and not is_null(aio[k])],
        "gt_non_null": [k for k in gt if not is_null(gt[k])],
        "aio_missing_or_null": [k for k in gt if not is_null(gt[k]) and (k not in aio or is_null(aio[k]))],
        "both_non_null": [k for k in gt if not is_null(gt[k]) and k in aio and not is_null(aio[k])],
    }


def measures(buckets, total_distinct, matched, mismatched, unscored):
    """Phases 1 to 4."""
    expected = len(buckets["gt_non_null"])
    completeness = len(buckets["both_non_null"]) / expected if expected else 1.0
    hallucinated = len(buckets["extra_keys"]) + len(buckets["gt_null_aio_has_value"])
    hallucination = hallucinated / total_distinct if total_distinct else 0.0
    scorable = matched + mismatched
    accuracy = matched / scorable if scorable else (None if unscored else 1.0)
    rqs = None
    if accuracy is not None:
        rqs = W_ACCURACY * accuracy + W_COMPLETENESS * completeness + W_SAFETY * 1.0 - W_HALLUCINATION * hallucination
        rqs = max(0.0, min(1.0, rqs))
    top = W_ACCURACY + W_COMPLETENESS + W_SAFETY
    return {
        "completeness": completeness,
        "hallucination": hallucination,
        "accuracy": accuracy,
        "safety_score": 1.0,
        "safety_judged": False,
        "rqs": rqs,
        "rqs_max": top,
        "rqs_of_max": None if rqs is None else min(1.0, rqs / top),
    }


def evaluate(gt, aio, strategies, breakdown):
    buckets = classify(gt, aio)
    fields = []
    matched = mismatched = ignored = unscored = provisional = 0
    for key in buckets["both_non_null"]:
        if breakdown:
            entry = field_entry(key, gt[key], aio[key], strategies)
            fields.append(entry)
            strategy, score = entry["strategy"], entry["score"]
            provisional += entry["provisional"]
        else:
            strategy, _ = resolve_strategy(key, kind_of(gt[key]), strategies)
            score = field_score(strategy, gt[key], aio[key])
        if strategy == "IGNORE":
            ignored += 1
        elif score is None:
            unscored += 1
        elif score:
            matched += 1
        else:
            mismatched += 1
    total_distinct = len(set(gt) | set(aio))
    result = measures(buckets, total_distinct, matched, mismatched, unscored)
    result["counts"] = {
        "total_distinct": total_distinct,
        "gt_non_null": len(buckets["gt_non_null"]),
        "both_non_null": len(buckets["both_non_null"]),
        "aio_missing_or_null": len(buckets["aio_missing_or_null"]),
        "extra_keys": len(buckets["extra_keys"]),
        "gt_null_aio_has_value": len(buckets["gt_null_aio_has_value"]),
        "matched": matched,
        "mismatched": mismatched,
        "ignored": ignored,
        "unscored": unscored,
        "provisional": provisional,
    }
    if breakdown:
        result["buckets"] = buckets
        result["fields"] = fields
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--strategies")
    parser.add_argument("--breakdown", action="store_true")
    parser.add_argument("--pairs", type=int, default=None, help="stop after so many")
    args = parser.parse_args()
    strategies = {}
    if args.strategies:
        with open(args.strategies, encoding="utf-8") as file:
            strategies = json.load(file)
    pairs, totals, sums = 0, {}, {}
    with open(args.file, encoding="utf-8") as file:
        for line in file:
            if pairs == args.pairs:
                break
            pair = json.loads(line)
            result = evaluate(pair["truth"], pair["answer"], strategies, args.breakdown)
            pairs += 1
            for name, count in result["counts"].items():
                totals[name] = totals.get(name, 0) + count
            for name in ("completeness", "hallucination", "accuracy", "rqs", "rqs_of_max"):
                if result[name] is not None:
                    n, total = sums.get(name, (0, 0.0))
                    sums[name] = (n + 1, total + result[name])
            if args.breakdown:
                sys.stdout.write(json.dumps({"id": str(pair["id"])} | result, ensure_ascii=False) + "\n")
    summary = {"pairs": pairs, "counts": totals}
    for name, (n, total) in sums.items():
        summary[name] = {"n": n, "mean": total / n}
    print(json.dumps({"summary": summary} if args.breakdown else summary))


if __name__ == "__main__":
    main()
