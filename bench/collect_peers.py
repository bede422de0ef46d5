#!/usr/bin/env python3
"""Measures collecting beside its peers: the same pages of the twin, read by Playwright and by Selenium.

    python3 bench/collect_peers.py [--rounds 1] [--seed 1] [--program target/release/atlas-gt] [--list]

All pages that the manifest opens, those of the inputs of derived answers among them, with every question that they
answer; what only a query of our own answers opens no page and is left out. Pages of countries and Explore pages are
measured apart: in blocks, each read by everyone before the next, in an order from the seed. Questions that share a page
are of one block, so that no page is read twice.

Each peer has one Chromium, reused for all pages of a block, with the flags and the window that atlas-gt uses (Playwright
keeps its own list of features, which ours would replace). On every page it waits until the text stands still and, on a
country page, scrolls through all of it (bench/peer_page.js). Its text is compared with what atlas-gt recorded: how many
of the displayed values it holds is printed, so that nobody is fast by reading less. What atlas-gt does beyond that (two
snapshots that agree, the page's own responses, tooltips, evidence, records) is in its time, and so is starting the
browser for each of them. It runs with one browser, as the peers do, and with the two that it has by itself.

`--per-question` measures the way that loads a page once for every question, beside the planned one, and nothing else:
Playwright reads one country's page as often as it has questions, 25 at most. Packages are installed below
target/bench_peers: playwright-core from npm, selenium from PyPI.
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


def displayed(store):
    """What atlas-gt read as displayed text, by page: of records, and of the inputs of derived answers. Tables are left
    out: diamonds and arrows are no text."""
    values = {}
    for path in sorted(store.glob("*/provenance.json")):
        provenance = json.loads(path.read_text())
        inputs = [(one["point"], one["atlas_url"]) for one in (provenance.get("derivation") or {}).get("inputs", [])]
        address = json.loads((path.parent / "results.json").read_text())["atlas_url"]
        for point, address in [(point, address) for point in provenance["points"]] + inputs:
            if point.get("displayed") and point["channel"] in ("dom", "narrative"):
                page = address.split("atlas.hks.harvard.edu", 1)[-1]
                page = "/".join(page.split("/")[:3]) if page.startswith("/countries/") else page
                values.setdefault(page, []).append(" ".join(point["displayed"].split()))
    return values


def coverage(pages, values):
    held = total = 0
    for page, wanted in values.items():
        text = " ".join(" ".join(pages.get(page, [])).split())
        total += len(wanted)
        held += sum(value in text for value in wanted)
    return f"{held} of {total}"


def spread(numbers, unit=""):
    text = f"{statistics.median(numbers):.2f}{unit}"
    return text if len(numbers) == 1 else f"{text} ({min(numbers):.2f}–{max(numbers):.2f})"


def planned(program, base, folder):
    """The questions that open pages, as a manifest of their own, and the pages that each question opens."""
    manifest = json.loads((ROOT / "manifests" / "atlas.json").read_text())
    path = folder / "manifest.json"

    def plan():
        path.write_text(json.dumps(manifest))
        command = [program, "plan", "--site", base, "--manifest", path, "--format", "json"]
        return json.loads(run(*command, stdout=subprocess.PIPE, text=True).stdout)

    left_out = set(plan()["own_queries"])
    manifest["questions"] = [
        question for question in manifest["questions"]
        if "expected_behavior" not in question and "planned" not in question and question.get("visit", True)
        and str(question["question_id"]) not in left_out
    ]
    pages = {}
    for visit in plan()["visits"]:
        for question in visit["questions"]:
            pages.setdefault(str(question), []).append(visit["page"])
    return path, pages


def blocks_of(pages, count):
    """Blocks of questions with their pages: those of countries in one, the others in `count` of about one size."""
    groups = []
    for question, own in pages.items():
        sharing = [group for group in groups if group[1] & set(own)]
        groups = [group for group in groups if group not in sharing]
        questions = {question}.union(*(group[0] for group in sharing))
        groups.append((questions, set(own).union(*(group[1] for group in sharing))))
    is_country = [all(page.startswith("/countries/") for page in group[1]) for group in groups]
    explore = [(set(), set()) for _ in range(count)]
    country = (set(), set())
    for group, of_country in sorted(zip(groups, is_country), key=lambda one: (-len(one[0][1]), min(one[0][1]))):
        block = country if of_country else min(explore, key=lambda block: len(block[1]))
        block[0].update(group[0])
        block[1].update(group[1])
    named = [("country", country)] + [("Explore", block) for block in explore]
    return [(kind, sorted(block[0], key=int), sorted(block[1])) for kind, block in named if block[0]]


class Bench:
    """Everybody who is measured, over one twin."""

    def __init__(self, options, folder):
        self.program, self.folder, self.values = options.program, folder, {}
        self.twin = subprocess.Popen(
            [self.program, "twin", "--port", "0", "--rate-limit", "0", "--twin-seed", str(options.seed)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        self.base = self.twin.stdout.readline().strip().split("/countries")[0]

    def close(self):
        self.twin.terminate()
        self.twin.wait()

    def job(self, pages):
        path = self.folder / "job.json"
        path.write_text(json.dumps({
            "base": self.base, "pages": pages, "args": ARGS, "viewport": WINDOW,
            "chromium": shutil.which("chromium"), "chromedriver": shutil.which("chromedriver"),
            "modules": str(PEERS / "package.json"),
        }))
        return path

    def peer(self, *command):
        """Seconds, and the lines of each page."""
        began = time.perf_counter()
        output = run(*command, stdout=subprocess.PIPE, text=True).stdout
        return time.perf_counter() - began, json.loads(output)["pages"]

    def playwright(self, pages):
        return self.peer("node", ROOT / "bench" / "peer_playwright.mjs", self.job(pages))

    def selenium(self, pages):
        python = PEERS / "venv" / "bin" / "python"
        return self.peer(python, Path(__file__), "--selenium-side", self.job(pages))

    def ours(self, manifest, questions, pages, sessions):
        """Seconds; what is displayed is kept by page. The pages that are opened must be those that the peers read."""
        store = self.folder / f"store-{time.monotonic_ns()}"
        began = time.perf_counter()
        done = subprocess.run(
            [str(part) for part in (
                self.program, "collect", "--site", self.base, "--store", store, "--sessions", sessions,
                "--format", "json", "--questions", ",".join(questions), "--manifest", manifest,
            )],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        took = time.perf_counter() - began
        report = json.loads(done.stdout)
        assert report["exit_code"] == 0 and report["totals"]["collected"] == len(questions), report["totals"]
        opened = sorted(visit["page"] for visit in report["visits"] if visit["loads"])
        assert opened == pages, set(opened) ^ set(pages)
        self.values.update(displayed(store))
        shutil.rmtree(store)
        return took


def measure(bench, options, manifest, blocks):
    ours, peers = ("one browser", "two browsers"), ("Playwright", "Selenium")
    times, texts = {}, {name: {} for name in peers}
    dice = random.Random(options.seed)
    for number in range(options.rounds):
        for at, (kind, questions, pages) in enumerate(blocks):
            ways = {
                "one browser": lambda: (bench.ours(manifest, questions, pages, 1), None),
                "two browsers": lambda: (bench.ours(manifest, questions, pages, 2), None),
                "Playwright": lambda: bench.playwright(pages),
                "Selenium": lambda: bench.selenium(pages),
            }
            for name in dice.sample(sorted(ways), len(ways)):
                took, read = ways[name]()
                times[name, number, at] = took
                texts.get(name, {}).update(read or {})
                print(f"round {number + 1}, {kind} block {at + 1}, {name}: {took:.1f} s", file=sys.stderr)
    print(f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {options.rounds} rounds, seed {options.seed}\n")
    print("| pages | read by | seconds a page | beside Playwright | beside Selenium |\n|---|---|---|---|---|")
    for kinds in (("country", "Explore"), ("country",), ("Explore",)):
        chosen = [at for at, (kind, *_) in enumerate(blocks) if kind in kinds]
        count = sum(len(blocks[at][2]) for at in chosen)

        def whole(name):
            return [sum(times[name, number, at] for at in chosen) for number in range(options.rounds)]

        for name in ours + peers:
            ratios = [spread([one / other for one, other in zip(whole(name), whole(peer))]) for peer in peers]
            beside = ratios if name in ours else ["–", "–"]
            pace = spread([took / count for took in whole(name)])
            pages = f"{'all' if len(kinds) > 1 else kinds[0]}, {count}"
            print(f"| {pages} | {'atlas-gt, ' if name in ours else ''}{name} | {pace} | {beside[0]} | {beside[1]} |")
    print()
    for name in peers:
        print(f"{name} holds {coverage(texts[name], bench.values)} displayed values of atlas-gt")


def per_question(bench, pages):
    """One load a question instead of one a page."""
    of_page = {}
    for question, own in pages.items():
        for page in own:
            of_page.setdefault(page, []).append(question)
    page = max((page for page in of_page if page.startswith("/countries/")), key=lambda page: len(of_page[page]))
    count = min(25, len(of_page[page]))
    once, _ = bench.playwright([page])
    each, _ = bench.playwright([page] * count)
    print(f"{time.strftime('%Y-%m-%d')}: one load a question, {page}, {count} questions: {each:.1f} s; "
          f"one load a page: {once:.1f} s ({each / once:.1f} times)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--blocks", type=int, default=2, help="blocks of Explore pages")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, help="atlas-gt; built when not given")
    parser.add_argument("--per-question", action="store_true", help="measure one load a question, and nothing else")
    parser.add_argument("--list", action="store_true", help="list the blocks and measure nothing")
    parser.add_argument("--selenium-side", metavar="JOB", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.selenium_side:
        return selenium_side(options.selenium_side)
    if options.program is None:
        run("cargo", "build", "--release", "--locked", cwd=ROOT)
        options.program = ROOT / "target" / "release" / "atlas-gt"
    if not options.list:
        install()
    folder = Path(tempfile.mkdtemp())
    bench = Bench(options, folder)
    try:
        manifest, pages = planned(options.program, bench.base, folder)
        blocks = blocks_of(pages, options.blocks)
        for kind, questions, own in blocks:
            print(f"{kind}: {len(own)} pages, {len(questions)} questions", file=sys.stderr)
        if options.list:
            print("\n".join(f"{kind} {page}" for kind, _, own in blocks for page in own))
        elif options.per_question:
            per_question(bench, pages)
        else:
            measure(bench, options, manifest, blocks)
    finally:
        bench.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
