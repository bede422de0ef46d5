#!/usr/bin/env python3
"""Measures collecting beside its peers: the same pages of the twin, read by Playwright and by Selenium.

    python3 bench/collect_peers.py [--runs 3] [--pages N] [--seed 1] [--program target/release/atlas-gt]

All pages of the manifest, or the first N of them, with every question that they answer. Each peer has one Chromium,
reused for all pages, with the flags and the window that atlas-gt uses (Playwright keeps its own list of features,
which ours would replace). On every page it waits until the text stands still and, on a country page, scrolls through
all of it (bench/peer_page.js). Its text is compared with what atlas-gt recorded: how many of the displayed values it
holds is printed, so that nobody is fast by reading less. What atlas-gt does beyond that (two looks that agree, the
page's own responses, evidence, records) is in its time, and so is starting the browser for each of them. It runs with
one browser, as the peers do, and with the two that it has by itself. Runs are interleaved, in an order from the seed.

The per-question way is measured beside the planned one: Playwright loads one country's page once for every question.
Packages are installed below target/bench_peers: playwright-core from npm, selenium from PyPI.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "target" / "bench_peers"
PLAYWRIGHT = "playwright-core@1.65.1"
SELENIUM = "selenium>=4.20,<5"
WINDOW = {"width": 1440, "height": 1000}
ARGS = [
    "--headless=new", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--disable-quic",
    "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions", "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--mute-audio", "--lang=en-US",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--force-device-scale-factor=1", "--hide-scrollbars", "--window-size=1440,1000",
] + (["--no-sandbox"] if os.geteuid() == 0 else [])


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def install():
    """Peers below target/, each once."""
    if not (PEERS / "node_modules" / "playwright-core").exists():
        run("npm", "install", "--prefix", PEERS, "--no-audit", "--no-fund", "--silent", PLAYWRIGHT)
    python = PEERS / "venv" / "bin" / "python"
    if not python.exists():
        run(sys.executable, "-m", "venv", PEERS / "venv")
        run(python, "-m", "pip", "install", "--quiet", SELENIUM)
    return python


def selenium_side(job_path):
    """Selenium's side; runs in the virtual environment."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    job = json.loads(Path(job_path).read_text())
    script = (ROOT / "bench" / "peer_page.js").read_text()
    script = "\n".join(line for line in script.splitlines() if not line.startswith("//"))
    started = time.perf_counter()
    options = Options()
    options.binary_location = job["chromium"]
    for argument in job["args"]:
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(job["chromedriver"]))
    driver.set_script_timeout(120)
    ready = time.perf_counter()
    pages = {}
    for path in job["pages"]:
        driver.get(job["base"] + path)
        pages[path] = driver.execute_async_script(f"const done = arguments[0]; ({script})().then(done);")
    done = time.perf_counter()
    driver.quit()
    print(json.dumps({"pages": pages, "start_ms": (ready - started) * 1e3, "visits_ms": (done - ready) * 1e3}))


def displayed(store, page_of):
    """What atlas-gt read as displayed text, by page. Tables are left out: diamonds and arrows are no text."""
    values = {}
    for path in sorted(store.glob("*/provenance.json")):
        for point in json.loads(path.read_text())["points"]:
            if point.get("displayed") and point["channel"] in ("dom", "narrative"):
                page = page_of[path.parent.name]
                values.setdefault(page, []).append(" ".join(point["displayed"].split()))
    return values


def coverage(pages, values):
    held = total = 0
    for page, wanted in values.items():
        text = " ".join(" ".join(pages.get(page, [])).split())
        total += len(wanted)
        held += sum(value in text for value in wanted)
    return f"{held} of {total}"


def spread(numbers):
    return f"{statistics.median(numbers):.2f} ({min(numbers):.2f}–{max(numbers):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pages", type=int, help="so many pages of the manifest; all when not given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, help="atlas-gt; built when not given")
    parser.add_argument("--selenium-side", metavar="JOB", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.selenium_side:
        return selenium_side(options.selenium_side)
    program = options.program
    if program is None:
        run("cargo", "build", "--release", "--locked", cwd=ROOT)
        program = ROOT / "target" / "release" / "atlas-gt"
    python = install()
    manifest = json.loads((ROOT / "manifests" / "atlas.json").read_text())
    by_page = {}
    for question in manifest["questions"]:
        path = question["atlas_url"].split("atlas.hks.harvard.edu", 1)[-1]
        if path.startswith("/countries/"):
            path = "/".join(path.split("/")[:3])
        if "planned" not in question and question.get("visit", True):
            by_page.setdefault(path, []).append(str(question["question_id"]))
    pages = list(by_page)[: options.pages]
    page_of = {question: page for page in pages for question in by_page[page]}
    questions = list(page_of)
    twin = subprocess.Popen(
        [program, "twin", "--port", "0", "--rate-limit", "0", "--twin-seed", str(options.seed)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    base = twin.stdout.readline().strip().split("/countries")[0]
    folder = Path(tempfile.mkdtemp())
    values = {}

    def job(paths):
        path = folder / "job.json"
        path.write_text(json.dumps({
            "base": base, "pages": paths, "args": ARGS, "viewport": WINDOW, "chromium": shutil.which("chromium"),
            "chromedriver": shutil.which("chromedriver"), "modules": str(PEERS / "package.json"),
        }))
        return path

    def peer(*command):
        began = time.perf_counter()
        output = run(*command, stdout=subprocess.PIPE, text=True).stdout
        return time.perf_counter() - began, json.loads(output)["pages"]

    def ours(sessions):
        store = folder / f"store-{time.monotonic_ns()}"
        began = time.perf_counter()
        done = run(program, "collect", "--site", base, "--store", store, "--sessions", str(sessions), "--format", "json",
                   "--questions", ",".join(questions), "--manifest", ROOT / "manifests" / "atlas.json",
                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        took = time.perf_counter() - began
        report = json.loads(done.stdout)
        assert report["exit_code"] == 0 and report["totals"]["collected"] == len(questions), report["totals"]
        values.update(displayed(store, page_of))
        return took, None

    own = {"atlas-gt, one browser": lambda: ours(1), "atlas-gt, two browsers": lambda: ours(2)}
    ways = own | {
        "playwright": lambda: peer("node", ROOT / "bench" / "peer_playwright.mjs", job(pages)),
        "selenium": lambda: peer(python, Path(__file__), "--selenium-side", job(pages)),
    }
    times = {name: [] for name in ways}
    texts = {}
    dice = random.Random(options.seed)
    try:
        for _ in range(options.runs):
            for name in dice.sample(sorted(ways), len(ways)):
                took, read = ways[name]()
                times[name].append(took)
                texts[name] = read
        print(f"{len(pages)} pages, {len(questions)} questions; {options.runs} runs, interleaved, seed {options.seed}\n")
        for name in own:
            print(f"{name:<24} {spread(times[name])} s")
        for name in (name for name in ways if name not in own):
            ratios = {mine: spread([one / other for one, other in zip(times[mine], times[name])]) for mine in own}
            print(f"{name:<24} {spread(times[name])} s · displayed values held: {coverage(texts[name], values)}")
            for mine, ratio in ratios.items():
                print(f"  {mine} / {name}: {ratio}")
        page = max(pages, key=lambda page: len(by_page[page]))
        count = len(by_page[page])
        once, _ = peer("node", ROOT / "bench" / "peer_playwright.mjs", job([page]))
        each, _ = peer("node", ROOT / "bench" / "peer_playwright.mjs", job([page] * count))
        print(f"\none load a question, {page}, {count} questions: {each:.1f} s; one load a page: {once:.1f} s "
              f"({each / once:.1f} times)")
    finally:
        twin.terminate()
        twin.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
