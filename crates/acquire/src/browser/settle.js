// Waiting until the page has settled. Used by the other scripts of this directory, one function body together.
const page = window[Symbol.for('atlas-gt')];
const SCRIPT_MS = 5000;
const STILL_MS = 60; // how long nothing may change before a page counts as still
// How long until what is waited for is looked at again: a tenth of the wait so far, between these.
const SOONEST_MS = 20;
const LATEST_MS = 100;

// A call that an alert cut short is made again; what still runs of the first must not interfere.
const run = page ? (page.run = (page.run || 0) + 1) : 0;
const ifCurrent = (go) => () => { if (!page || page.run === run) go(); };
const pause = (ms) => new Promise((go) => { setTimeout(ifCurrent(go), ms); });
// A frame, or a tenth of a second where the page is not drawn.
const nextFrame = () => new Promise((go) => {
  const late = setTimeout(ifCurrent(go), 100);
  requestAnimationFrame(() => { clearTimeout(late); ifCurrent(go)(); });
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

// `{}` stands for any text. `edge` closes the pattern at the end of the text. Quotes and dashes are the same in every shape.
function pattern(text, { start = true, edge = false } = {}) {
  const body = squash(text).split('{}')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/['\u2018\u2019\u02bc\u0060]/g, '[\'\u2018\u2019\u02bc\u0060]').replace(/[-\u2010-\u2014\u2212]/g, '[-\u2010-\u2014\u2212]'))
    .join('.+?');
  return new RegExp(`${start ? '^' : ''}${body}${edge ? '$' : ''}`, 'i');
}

// Visible elements that turn without end: loaders, as far as anybody can tell.
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

// Scripts that were asked for and have neither come nor failed; one that takes too long is not waited for.
function scriptsRun() {
  const now = performance.now();
  return [...document.querySelectorAll('script[src]')].some((script) => {
    if (script.noModule || !/^http/.test(script.src) || !/^$|module$|javascript/.test(script.type)) return false;
    if (page.ended.has(script) || performance.getEntriesByName(script.src).length) return false;
    if (!page.scripts.has(script)) page.scripts.set(script, now);
    return now - page.scripts.get(script) < SCRIPT_MS;
  });
}

// What keeps the page from being settled, as [key, words].
function blockers(expect) {
  const why = [];
  const add = (key, words) => { if (!page.tolerated.reasons.has(key)) why.push([key, words]); };
  if (document.readyState !== 'complete') add('loading', 'the document is still loading');
  const open = page.waitingFor();
  if (open.length) why.push(['network', `a request is still running: ${open[0].url.slice(0, 200)}`]);
  if (scriptsRun()) add('scripts', 'a script of the page is still loading');
  if (loaders().length) why.push(['loaders', 'a loader is still turning']);
  if (finiteAnimationsRun()) add('animation', 'a transition is still running');
  if (why.length) return why;
  // The text of a large page takes long to put together: what was in order stays so until something changes.
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

// What still blocks is not waited for any more. Returns how to wait for it again.
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

// Waits until nothing blocks and nothing has changed for `gap` ms, `from` (page time) on, at most until `until`, but for
// long enough to see the page still. What still blocks then is returned in words and not waited for again on this page,
// or not until it is called again what was added to `passed`.
async function quiet(until, gap, { expect = [], from = 0, passed = null } = {}) {
  const began = performance.now();
  const end = Math.max(until, began + gap * 2);
  for (let blocked = false; ;) {
    const why = blockers(expect);
    const now = performance.now();
    // when it ended since the poll before is not known: at the latest now
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
    const next = Math.min(LATEST_MS, Math.max(SOONEST_MS, (now - began) / 10));
    await pause(blocked ? next : Math.max(1, Math.min(SOONEST_MS, left)));
  }
}

// Until what was scrolled to is laid out and has been told so.
const twoFrames = async () => { await nextFrame(); await nextFrame(); };

// Waits until the document has changed since `version`, but not for long.
async function changed(version, ms) {
  const until = performance.now() + ms;
  while (page.changes === version && performance.now() < until) await nextFrame();
}
