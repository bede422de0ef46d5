// Playwright's side of bench/collect_peers.py: node peer_playwright.mjs JOB.json, the result on stdout.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const job = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { chromium } = createRequire(job.modules)('playwright-core');
const script = readFileSync(new URL('./peer_page.js', import.meta.url), 'utf8');

// a list of features would take the place of Playwright's own
const args = job.args.filter((one) => !one.startsWith('--disable-features'));

const started = performance.now();
const browser = await chromium.launch({ executablePath: job.chromium, args, headless: true });
const page = await (await browser.newContext({ viewport: job.viewport, deviceScaleFactor: 1 })).newPage();
const ready = performance.now();
const pages = {};
for (const path of job.pages) {
  await page.goto(job.base + path, { waitUntil: 'load' });
  pages[path] = await page.evaluate(`(${script.replace(/^\/\/.*$/gm, '')})()`);
}
const done = performance.now();
await browser.close();
console.log(JSON.stringify({ pages, start_ms: ready - started, visits_ms: done - ready }));
