// Waits until the page has settled. All scripts in this directory are concatenated into one function body.
const page = window[Symbol.for('atlas-gt')];
const SCRIPT_MS = 5000;
const STILL_MS = 60; // a page without changes for this long is still
// The poll interval is a tenth of the wait so far, within these limits.
const MIN_POLL_MS = 20;
const MAX_POLL_MS = 100;
const FRAME_MS = 17; // between two frames of a machine that has time
const LATE_FRAME_MS = 1000; // a busy machine may draw a frame this late
const NO_FRAME_MS = 100; // how long to wait for a frame of a page that is not drawn

// A call that an alert interrupts is repeated. Leftovers of the first call must not interfere.
const run = page ? (page.run = (page.run || 0) + 1) : 0;
const ifCurrent = (go) => () => { if (!page || page.run === run) go(); };
const pause = (ms) => new Promise((go) => { setTimeout(ifCurrent(go), ms); });
// Waits for a frame: it lays out a new position, and notifies the page of what came into view. A page counts as not
// drawn while a frame is more than a second late.
let isDrawn = !document.hidden;
const nextFrame = () => new Promise((go) => {
  const late = setTimeout(ifCurrent(() => { isDrawn = false; go(); }), isDrawn ? LATE_FRAME_MS : NO_FRAME_MS);
  requestAnimationFrame(() => { isDrawn = true; clearTimeout(late); ifCurrent(go)(); });
});
const squash = (text) => String(text || '').replace(/\s+/g, ' ').trim();
const isVisible = (el) => el.checkVisibility({
  opacityProperty: true, visibilityProperty: true, checkOpacity: true, checkVisibilityCSS: true,
});
const hasArea = (box) => box.width > 0 && box.height > 0;
const hasSize = (el) => hasArea(el.getBoundingClientRect());
const isShown = (el) => hasSize(el) && isVisible(el);
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const rangeOf = (node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range;
};

// `{}` matches any text. `edge` anchors the pattern at the end of the text. All kinds of quotes and dashes are equal.
function pattern(text, { start = true, edge = false } = {}) {
  const body = squash(text).split('{}')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/['\u2018\u2019\u02bc\u0060]/g, '[\'\u2018\u2019\u02bc\u0060]').replace(/[-\u2010-\u2014\u2212]/g, '[-\u2010-\u2014\u2212]'))
    .join('.+?');
  return new RegExp(`${start ? '^' : ''}${body}${edge ? '$' : ''}`, 'i');
}

// Visible elements with an endless animation; these are probably loaders.
function loaders() {
  const found = [];
  for (const animation of document.getAnimations()) {
    const effect = animation.effect;
    const target = effect && effect.target;
    if (!target || animation.playState !== 'running') continue;
    if (effect.getComputedTiming().iterations !== Infinity) continue;
    if (isShown(target)) found.push(target);
  }
  for (const smil of document.querySelectorAll('[repeatCount="indefinite"]')) {
    const drawn = smil.parentElement;
    if (drawn && isShown(drawn)) found.push(drawn);
  }
  return found.filter((el) => !page.tolerated.loaders.has(el));
}

function finiteAnimationsRun() {
  return document.getAnimations().some((animation) => {
    if (animation.playState !== 'running' || !animation.effect) return false;
    const end = animation.effect.getComputedTiming().endTime;
    return end !== Infinity && end < 3000 && animation.timeline === document.timeline;
  });
}

// Returns whether a requested script is still loading. A script that takes too long is ignored.
function scriptsRun() {
  const now = performance.now();
  return [...document.querySelectorAll('script[src]')].some((script) => {
    if (script.noModule || !/^http/.test(script.src) || !/^$|module$|javascript/.test(script.type)) return false;
    if (page.ended.has(script) || performance.getEntriesByName(script.src).length) return false;
    if (!page.scripts.has(script)) page.scripts.set(script, now);
    return now - page.scripts.get(script) < SCRIPT_MS;
  });
}

// The reasons why the page has not settled, as [key, words].
function blockers(expect) {
  const why = [];
  const add = (key, words) => { if (!page.tolerated.reasons.has(key)) why.push([key, words]); };
  if (document.readyState !== 'complete') add('loading', 'the document is still loading');
  const open = page.waitingFor();
  if (open.length) why.push(['network', `a request is still running: ${open[0].url.slice(0, 200)}`]);
  if (scriptsRun()) add('scripts', 'a script of the page is still loading');
  if (loaders().length) why.push(['loaders', 'a loader is still spinning']);
  if (finiteAnimationsRun()) add('animation', 'a transition is still running');
  if (why.length) return why;
  // Reading the text of a large page is slow, so a good result is valid until something changes.
  const version = `${page.changes} ${page.finished} ${expect.join('\n')}`;
  if (page.inOrder === version) return why;
  const text = squash(document.body && document.body.innerText);
  if (text === '' || /^loading[\s.…]*$/i.test(text)) add('empty', 'the page shows no text yet');
  for (const expected of expect) {
    if (!pattern(expected, { start: false }).test(text)) add(`expect ${expected}`, `the page does not show "${expected}"`);
  }
  if (!why.length) page.inOrder = version;
  return why;
}

// Ignores the current blockers from now on. Returns a function that undoes this.
function tolerate(why) {
  const { loaders: turning, reasons } = page.tolerated;
  const undo = [];
  const add = (set, one) => { if (!set.has(one)) { set.add(one); undo.push(() => set.delete(one)); } };
  for (const [key] of why) {
    if (key === 'network') {
      for (const one of page.waitingFor()) { one.tolerated = true; undo.push(() => { one.tolerated = false; }); }
    } else if (key === 'loaders') loaders().forEach((el) => add(turning, el));
    else add(reasons, key);
  }
  return () => undo.forEach((one) => one());
}

// Waits until nothing blocks and nothing has changed for `gap` ms since `from` (page time). It stops at `until`, but
// always
// waits long enough to see a still page. Returns the remaining blockers as words. This page ignores them from then on,
// or
// until the function that was added to `passed` is called.
async function quiet(until, gap, { expect = [], from = 0, passed = null } = {}) {
  const began = performance.now();
  const end = Math.max(until, began + gap * 2);
  for (let blocked = false; ;) {
    const why = blockers(expect);
    const now = performance.now();
    // the blocker ended between two polls, so the latest possible time counts
    if (why.length || blocked) page.blocked = now;
    blocked = why.length > 0;
    const moved = page.tolerated.reasons.has('changing') ? 0 : page.moved;
    const left = gap - (now - Math.max(from, page.blocked, moved));
    if (!why.length && left <= 0) return [];
    if (now >= (blocked ? end : Math.max(end, page.blocked + gap * 2))) {
      if (!why.length) why.push(['changing', 'the document keeps changing']);
      const again = tolerate(why);
      if (passed) passed.push(again);
      return why.map(([, words]) => words);
    }
    const next = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, (now - began) / 10));
    await pause(blocked ? next : Math.max(1, Math.min(MIN_POLL_MS, left)));
  }
}

// Waits until the new scroll position is laid out and the page has been notified.
const twoFrames = async () => { await nextFrame(); await nextFrame(); };

// Waits for a change of the document since `version`, for at most `ms`.
async function changed(version, ms) {
  const until = performance.now() + ms;
  while (page.changes === version && performance.now() < until) await nextFrame();
}
