// Scrolling: which part of the page scrolls, walking through it, and what stays in place meanwhile.
const STEPS = 200;       // more viewports than this and the page is taken to be endless
const STOPS = 80;
const HEADING = 160;     // a longer text is no heading
const NUDGE = 30;

// The window, or the element that scrolls most of the page.
function findScroller() {
  const root = document.scrollingElement || document.documentElement;
  const locked = [document.documentElement, document.body].some(
    (el) => el && /hidden|clip/.test(getComputedStyle(el).overflowY));
  let best = { el: root, score: locked ? 0 : Math.max(0, root.scrollHeight - innerHeight) };
  const viewport = innerWidth * innerHeight;
  for (const el of document.body ? document.body.querySelectorAll('*') : []) {
    const range = el.scrollHeight - el.clientHeight;
    if (range <= NUDGE || el.clientHeight < 100) continue;
    const share = Math.min(1, (el.clientHeight * el.clientWidth) / viewport);
    if (share < 0.25 || range * share <= best.score) continue;
    if (/auto|scroll|overlay/.test(getComputedStyle(el).overflowY) && isVisible(el)) {
      best = { el, score: range * share };
    }
  }
  const el = best.el;
  const isRoot = el === root;
  return {
    el,
    isRoot,
    scrolls: best.score > 0,
    height: () => (isRoot ? innerHeight : el.clientHeight),
    top: () => (isRoot ? 0 : el.getBoundingClientRect().top + el.clientTop),
    end: () => Math.max(0, el.scrollHeight - (isRoot ? innerHeight : el.clientHeight)),
    to: (top) => el.scrollTo({ top, behavior: 'instant' }),
  };
}

// Once through the page, so that whatever mounts when seen has been seen; ends at the top.
async function walk(scroller, until, notes) {
  let at = 0;
  for (let step = 0; ; step += 1) {
    if (step > STEPS) { notes.push(`the page is longer than ${STEPS} windows; the rest was not seen`); break; }
    scroller.to(at);
    await nextFrame();
    await nextFrame();
    notes.push(...await quiet(until, LOOK_MS));
    const end = scroller.end();
    if (at >= end) break;
    at = Math.min(end, at + scroller.height() * 0.9);
  }
  scroller.to(0);
  await nextFrame();
  await nextFrame();
}

const inside = (el, ancestor) => ancestor !== el && ancestor.contains(el);

function isFixed(el) {
  for (let at = el; at && at !== document.body; at = at.parentElement) {
    if (getComputedStyle(at).position === 'fixed') return true;
  }
  return false;
}

// Headings to stop at: the innermost visible elements whose text starts as one of the stops.
function headings(stops) {
  const wanted = stops.map((stop) => pattern(stop));
  if (!wanted.length) return [];
  let found = [];
  for (const el of document.body.querySelectorAll('*')) {
    const raw = el.textContent;
    if (!raw || raw.length > HEADING * 4) continue;
    const text = squash(raw);
    if (!text || text.length > HEADING || !wanted.some((one) => one.test(text))) continue;
    if (el.closest('a,button,script,style,noscript,select,option,[role=button],[role=link],[role=tab]')) continue;
    if (!isVisible(el) || !hasSize(el)) continue;
    found.push({ el, text });
  }
  found = found.filter(({ el }) => !found.some((other) => inside(other.el, el)) && !isFixed(el));
  return found.slice(0, STOPS);
}

// The largest elements with text whose place in the window does not change when the page scrolls.
function pinnedElements(scroller) {
  if (!scroller.scrolls) {
    return [...document.body.querySelectorAll('*')].filter((el) =>
      /fixed|sticky/.test(getComputedStyle(el).position) && squash(el.textContent) && isVisible(el) && hasSize(el));
  }
  const all = [...document.body.querySelectorAll('*')];
  const start = scroller.el.scrollTop;
  const before = all.map((el) => el.getBoundingClientRect());
  scroller.to(start + NUDGE <= scroller.end() ? start + NUDGE : start - NUDGE);
  const still = new Map();
  all.forEach((el, i) => {
    const box = el.getBoundingClientRect();
    const same = Math.abs(box.top - before[i].top) < 0.5 && Math.abs(box.left - before[i].left) < 0.5;
    const shown = box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0
      && box.top < innerHeight && box.left < innerWidth;
    still.set(el, same && shown);
  });
  scroller.to(start);
  const found = [];
  const visit = (el) => {
    for (const child of el.children) {
      const holdsScroller = child === scroller.el || child.contains(scroller.el);
      if (still.get(child) && !holdsScroller && isVisible(child) && squash(child.innerText)) found.push(child);
      else visit(child);
    }
  };
  visit(document.body);
  return found;
}

// Scrolls to each heading and records what is pinned there once it stays the same.
async function visitStops(scroller, stops, stopWait, until) {
  const recorded = [];
  for (const { el, text } of headings(stops)) {
    if (!el.isConnected) continue;
    const place = scroller.el.scrollTop + el.getBoundingClientRect().top - scroller.top();
    const holds = scroller.isRoot || scroller.el.contains(el);
    if (scroller.scrolls && holds) scroller.to(Math.max(0, Math.min(scroller.end(), Math.ceil(place) + 1)));
    await nextFrame();
    await nextFrame();
    // Bars follow by scroll handlers that may be throttled: the same text over all of `stopWait`.
    const limit = Math.max(Math.min(performance.now() + 2000, until), performance.now() + stopWait * 2);
    // What is pinned changes less often than what it says: it is looked for again only when something moved.
    let bars = pinnedElements(scroller);
    let version = page.changes;
    let last = bars.map((bar) => bar.innerText).join('\n');
    let since = performance.now();
    while (performance.now() - since < stopWait && performance.now() < limit) {
      await nextFrame();
      await nextFrame();
      if (page.changes !== version) {
        version = page.changes;
        bars = pinnedElements(scroller);
      }
      const now = bars.map((bar) => bar.innerText).join('\n');
      if (now !== last || page.waitingFor().length) { last = now; since = performance.now(); }
    }
    if (bars.length) recorded.push({ stop: text, html: serialiseAll(bars, scroller) });
  }
  scroller.to(0);
  await nextFrame();
  return recorded;
}
