#!/usr/bin/env python3
"""Measures JSON scoring beside its peers, on the same pairs, in one run.

    python3 bench/score_peers.py [--pairs 100000] [--sample 20000] [--rounds 5] [--memory-gb 1] [--out target/bench_score.json]

Whole programs are measured, from the file to the printed result: `atlas-gt score json --batch` on all pairs, and the
straightforward Python of bench/metrics_plan.py on the first `--sample` of them (pairs per second are compared; a longer run makes
the same). Rounds are interleaved; the median of the rounds' ratios is held against the aim, the least and the most stand beside
it. Before anything is timed, both have to give the same result for every pair and field, wherever no similarity decides.

Four jobs: the summary alone, or the whole job: an entry per field with its reason for every pair, printed as JSONL, and the
summary; each with the plan's own defaults, and with a strategy file as in the plan (names FUZZY, descriptions SEMANTIC, a field
IGNOREd). Python runs on one core. So does ours, which is what the aim is about; all cores are printed beside it.

Then, inside one process and on one core: against serde_json's time to only parse the pairs, against deepdiff from PyPI (installed
into a virtual environment under target/), and the speed-up of the second core; and the peak memory over a large file.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target"
PEER = ROOT / "bench" / "metrics_plan.py"
ENGINE = ["cargo", "bench", "--bench", "score", "--"]
BINARY = Path(os.environ.get("CARGO_TARGET_DIR", TARGET)) / "release" / "atlas-gt"


def strategies():
    """As in the plan's example: names FUZZY, descriptions SEMANTIC, internal notes IGNOREd; the rest by type."""
    fields = {}
    for position in range(50):
        rule = {5: "FUZZY", 6: "SEMANTIC"}.get(position % 10)
        if rule:
            fields[f"field_{position:02}"] = rule
    fields["field_48"] = "IGNORE"
    return fields


def command(job, path, threads=None):
    """Ours on `path`, or the peer's when `threads` is None."""
    breakdown, given = job
    if threads is None:
        options = (["--breakdown"] if breakdown else []) + (["--strategies", str(given)] if given else [])
        return [sys.executable, str(PEER), str(path), *options]
    options = ["--format", "jsonl" if breakdown else "json"] + (["--strategies", str(given)] if given else [])
    return [str(BINARY), "score", "json", "--batch", str(path), "--threads", str(threads), *options]


def clock(arguments):
    start = time.perf_counter()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


# --- both say the same ------------------------------------------------------------------------------------------------

def comparable(value):
    """Without what depends on the library that measures similarity."""
    if isinstance(value, dict):
        return {name: comparable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [comparable(part) for part in value]
    return round(value, 9) if isinstance(value, float) else value


def by_similarity(field):
    return field["strategy"] == "FUZZY" and field["backend"] != "normalised"


def agree(job, sample):
    """Ends the program when ours and the peer's results differ anywhere but in similarities; gives how often those
    decide a field, and how often to the same outcome."""
    breakdown, _ = job
    outputs = [subprocess.run(command(job, sample, threads), check=True, stdout=subprocess.PIPE).stdout for threads in (2, None)]
    decided = alike = 0
    if not breakdown:
        ours, theirs = (json.loads(output) for output in outputs)
        for name in ("completeness", "hallucination"):
            if abs(ours[name]["mean"] - theirs[name]["mean"]) > 1e-9:
                sys.exit(f"the two disagree on the mean {name}: {ours[name]} {theirs[name]}")
        if not job[1] and ours["counts"] != theirs["counts"]:
            sys.exit(f"the two disagree: {ours['counts']} {theirs['counts']}")
        return 0, 0
    for ours, theirs in zip(*(output.splitlines()[:-1] for output in outputs), strict=True):
        ours, theirs = json.loads(ours), comparable(json.loads(theirs))
        ours = comparable({"id": ours["id"], **ours["metadata"]})
        for mine, other in zip(ours["fields"], theirs["fields"], strict=True):
            if by_similarity(mine):
                decided += 1
                alike += mine["outcome"] == other["outcome"]
            elif mine != other:
                sys.exit(f"the two disagree on a field of pair {ours['id']}:\n{mine}\n{other}")
        if ours["buckets"] != theirs["buckets"] or ours["completeness"] != theirs["completeness"]:
            sys.exit(f"the two disagree on pair {ours['id']}:\n{ours}\n{theirs}")
        if not any(map(by_similarity, ours["fields"])) and ours != theirs:
            sys.exit(f"the two disagree on pair {ours['id']}:\n{ours}\n{theirs}")
    return decided, alike


# --- deepdiff and memory ----------------------------------------------------------------------------------------------

DEEPDIFF = """
import json, sys, time
from deepdiff import DeepDiff
import deepdiff
lines = open(sys.argv[1], "rb").read().splitlines()[: int(sys.argv[2])]
start = time.perf_counter()
for line in lines:
    pair = json.loads(line)
    DeepDiff(pair["truth"], pair["answer"], ignore_order=True)
print(json.dumps({"seconds": time.perf_counter() - start, "version": deepdiff.__version__}))
"""


def deepdiff_peer(path, count):
    venv = TARGET / "bench_venv"
    python = venv / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([str(venv / "bin" / "pip"), "install", "-q", "deepdiff"], check=True)
    out = subprocess.run([str(python), "-c", DEEPDIFF, str(path), str(count)], check=True, stdout=subprocess.PIPE)
    return json.loads(out.stdout)


PEAK = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss / 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak_memory(pairs, gigabytes):
    """Peak memory in MB and seconds of both jobs over a file of so many gigabytes."""
    big = TARGET / "bench_score_big.jsonl"
    text = pairs.read_bytes()
    with big.open("wb") as out:
        while out.tell() < gigabytes * 1e9:
            out.write(text)
    size, peaks = big.stat().st_size, []
    start = time.perf_counter()
    try:
        for breakdown in (False, True):
            # A process inherits the peak of the one that starts it, so a small one does.
            arguments = [sys.executable, "-c", PEAK, *command((breakdown, None), big, 2)]
            peaks.append(float(subprocess.run(arguments, check=True, stdout=subprocess.PIPE).stdout))
    finally:
        big.unlink()
    return max(peaks), time.perf_counter() - start, size


# --- the run ----------------------------------------------------------------------------------------------------------

def spread(ratios):
    return {"median": statistics.median(ratios), "least": min(ratios), "most": max(ratios)}


def measure(job, pairs, sample, counts, rounds):
    times = {"python": [], "one": [], "two": []}
    for _ in range(rounds):
        times["python"].append(clock(command(job, sample)) / counts[1])
        times["one"].append(clock(command(job, pairs, 1)) / counts[0])
        times["two"].append(clock(command(job, pairs, 2)) / counts[0])
    over = {which: spread([p / o for p, o in zip(times["python"], times[which], strict=True)]) for which in ("one", "two")}
    micro = {which: statistics.median(taken) * 1e6 for which, taken in times.items()}
    return {"microseconds_a_pair": micro, "times_python_one_core": over["one"], "times_python_two_cores": over["two"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory-gb", type=float, default=1.0)
    parser.add_argument("--out", default=str(TARGET / "bench_score.json"))
    args = parser.parse_args()

    TARGET.mkdir(exist_ok=True)
    pairs, sample = TARGET / "bench_pairs.jsonl", TARGET / "bench_sample.jsonl"
    inside, given = TARGET / "bench_inside.json", TARGET / "bench_strategies.json"
    os.chdir(ROOT)
    subprocess.run(["cargo", "build", "--release", "--bin", "atlas-gt"], check=True)
    subprocess.run([*ENGINE, str(args.pairs), "--write", str(pairs)], check=True)
    given.write_text(json.dumps(strategies()))
    with pairs.open("rb") as lines, sample.open("wb") as out:
        taken = sum(1 for line in islice(lines, args.sample) if out.write(line))
    few = TARGET / "bench_few.jsonl"
    with sample.open("rb") as lines, few.open("wb") as out:
        out.writelines(islice(lines, 2_000))

    jobs = {
        "whole job, strategies as in the plan": (True, given),
        "whole job, default strategies": (True, None),
        "summary alone, strategies as in the plan": (False, given),
        "summary alone, default strategies": (False, None),
    }
    report = {"pairs": args.pairs, "sample": taken, "rounds": args.rounds, "python": sys.version.split()[0], "jobs": {}}
    for name, job in jobs.items():
        decided, alike = agree(job, few)
        report["jobs"][name] = measure(job, pairs, sample, (args.pairs, taken), args.rounds)
        report["jobs"][name] |= {"decided_by_similarity": decided, "with_the_same_outcome": alike}

    subprocess.run([*ENGINE, str(args.pairs), "--json", str(inside)], check=True, stdout=subprocess.DEVNULL)
    report["inside_one_process"] = engine = json.loads(inside.read_text())
    count = min(taken, 1_000)
    deep = deepdiff_peer(sample, count)
    report["deepdiff_version"] = deep["version"]
    report["times_deepdiff"] = deep["seconds"] / count / (engine["score_one_core_s"] / engine["pairs"])
    memory, seconds, size = peak_memory(pairs, args.memory_gb)
    report |= {"batch_peak_mb": memory, "batch_s": seconds, "batch_bytes": size}
    for path in (pairs, sample, few, inside, given):
        path.unlink()

    missed = 0

    def aim(value, relation, bar, name):
        nonlocal missed
        good = value >= bar if relation == ">=" else value <= bar
        missed += not good
        print(f"{'ok    ' if good else 'MISSED'} {value:8.2f} {name} (aim {relation} {bar})")

    print(f"{args.pairs} pairs of 50 fields; Python {report['python']} on {taken} of them; {args.rounds} interleaved rounds")
    for name, job in report["jobs"].items():
        two, one, micro = job["times_python_two_cores"], job["times_python_one_core"], job["microseconds_a_pair"]
        aim(one["median"], ">=", 10, f"times Python, {name}, one core")
        print(f"                 {one['least']:.1f} to {one['most']:.1f}; on two cores {two['median']:.1f} ({two['least']:.1f} to "
              f"{two['most']:.1f}); µs a pair: Python {micro['python']:.1f}, ours {micro['one']:.2f} and {micro['two']:.2f}")
    aim(report["times_deepdiff"], ">=", 20, "times deepdiff, one core")
    print(f"       {engine['times_parse_only']:8.2f} times serde_json's parse-only time, one core")
    print(f"       {engine['speed_up_on_two_cores']:8.2f} speed-up on two cores")
    aim(memory, "<=", 100, f"MB at most over {size / 1e9:.1f} GB of JSONL, both jobs")
    Path(args.out).write_text(json.dumps(report, indent=2) + "\n")
    return 3 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
