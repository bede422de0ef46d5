// Scrolling: finds the part of the page that scrolls, walks through it, and finds what stays in place.
const MAX_STEPS = 200; // a page with more viewports counts as endless
const MAX_STOPS = 80;
const MAX_TRIES = 4; // to scroll to a heading while the content around it still loads
const MAX_HEADING = 160; // characters
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
  return scrolling(best.el, best.score > 0);
}

// The functions to scroll the window or an element.
function scrolling(el, scrolls = true) {
  const isRoot = el === (document.scrollingElement || document.documentElement);
  return {
    el,
    isRoot,
    scrolls,
    height: () => (isRoot ? innerHeight : el.clientHeight),
    top: () => (isRoot ? 0 : el.getBoundingClientRect().top + el.clientTop),
    end: () => Math.max(0, el.scrollHeight - (isRoot ? innerHeight : el.clientHeight)),
    to: (top) => el.scrollTo({ top, behavior: 'instant' }),
  };
}

const inside = (el, ancestor) => ancestor !== el && ancestor.contains(el);

// Returns whether an element stays in the window. Inside the scroller everything moves, even if the scroller is fixed.
function isFixed(el, scroller) {
  for (let at = el; at && at !== document.body && (scroller.isRoot || at !== scroller.el); at = at.parentElement) {
    if (getComputedStyle(at).position === 'fixed') return true;
  }
  return false;
}

// Headings to stop at: the innermost visible elements whose text starts with one of the stops.
function headings(stops, scroller = findScroller()) {
  const wanted = stops.map((stop) => pattern(stop));
  // Heading parts on separate lines have no space between them in `textContent`. `innerText` is exact, but expensive.
  const spaceless = wanted.map((one) => new RegExp(one.source.replace(/ /g, '\\s*'), 'i'));
  if (!wanted.length) return [];
  let found = [];
  for (const el of document.body.querySelectorAll('*')) {
    const raw = el.textContent;
    if (!raw || raw.length > MAX_HEADING * 4) continue;
    let text = squash(raw);
    if (!text || text.length > MAX_HEADING || !spaceless.some((one) => one.test(text))) continue;
    if (el.closest('a,button,script,style,noscript,select,option,[role=button],[role=link],[role=tab]')) continue;
    if (!isShown(el)) continue;
    if (el.firstElementChild) {
      const laidOut = squash(el.innerText);
      if (laidOut.length !== text.length) text = laidOut;
    }
    if (!wanted.some((one) => one.test(text))) continue;
    found.push({ el, text });
  }
  found = found.filter(({ el }) => !found.some((other) => inside(other.el, el)) && !isFixed(el, scroller));
  return found.slice(0, MAX_STOPS);
}

// Elements that may stay in place when the page scrolls: fixed and sticky ones, and those outside the scroller's own
// content. Reading styles takes a third of the time of reading positions.
function mayStay(scroller) {
  const kinds = scroller.isRoot ? /fixed|sticky/ : /fixed|sticky|absolute/;
  const found = new Set([...document.body.querySelectorAll('*')].filter((el) => kinds.test(getComputedStyle(el).position)));
  for (let at = scroller.el; !scroller.isRoot && at !== document.body; at = at.parentElement) {
    for (const el of at.parentElement.children) if (el !== at) found.add(el);
  }
  for (const el of [...found]) {
    // an element without size, or an invisible one, may hold visible elements
    if (!el.getClientRects().length || isShown(el)) continue;
    el.querySelectorAll('*').forEach((one) => found.add(one));
  }
  return [...found].sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

// The boxes of elements before and after a small scroll, which is undone.
function nudged(elements, scroller) {
  const boxes = () => elements.map((el) => el.getBoundingClientRect());
  const start = scroller.el.scrollTop;
  const before = boxes();
  if (!scroller.scrolls) return [before, before];
  scroller.to(start + NUDGE <= scroller.end() ? start + NUDGE : start - NUDGE);
  const after = boxes();
  scroller.to(start);
  return [before, after];
}

// The outermost elements with text that stay in place in the window when the page scrolls.
function stickyElements(scroller) {
  const all = mayStay(scroller);
  const [before, after] = nudged(all, scroller);
  const still = all.filter((_, at) => {
    const [was, box] = [before[at], after[at]];
    return Math.abs(box.top - was.top) < 0.5 && Math.abs(box.left - was.left) < 0.5 && hasArea(box)
      && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  });
  const found = new Set(still.filter((el) => !el.contains(scroller.el) && isVisible(el) && squash(el.innerText)));
  return [...found].filter((el) => {
    for (let at = el.parentElement; at; at = at.parentElement) if (found.has(at)) return false;
    return true;
  });
}

// The scroll position that puts a heading at the window's upper edge.
function placeOf(el, scroller) {
  const place = scroller.el.scrollTop + el.getBoundingClientRect().top - scroller.top();
  return Math.max(0, Math.min(scroller.end(), Math.ceil(place) + 1));
}

// Returns whether an element scrolls with the page. Sticky bars repeat the headings.
function scrollsAlong(el, scroller) {
  const [[before], [after]] = nudged([el], scroller);
  return !scroller.scrolls || Math.abs(after.top - before.top) >= 0.5;
}

// The time limit of one position: half of the remaining time, so that an endless change at one position leaves time for
// the others.
const timeLimit = (until) => (performance.now() + until) / 2;

// Scrolls to a position and waits until the content there is still. Late frames show the position later, so the wait
// counts from then.
async function settleAt(frame, top, gap, { until, passed }) {
  frame.to(top);
  const scrolled = performance.now();
  await twoFrames();
  const from = Math.max(scrolled, performance.now() - FRAME_MS * 2);
  await quiet(timeLimit(until), gap, { from, passed });
}

// Scrolls to a heading and records the elements that stay in the window there, once they stop changing.
async function stopAt(heading, scroller, stopWait, until, passed) {
  const { el, text } = heading;
  const follows = scroller.scrolls && (scroller.isRoot || scroller.el.contains(el));
  let bars;
  const words = () => bars.map((bar) => bar.innerText).join('\n');
  for (let tries = 1; ; tries += 1) {
    // Bars follow by scroll handlers that may be throttled, so the text has to stay the same for all of `stopWait`.
    const limit = Math.max(Math.min(performance.now() + 2000, until), performance.now() + stopWait * 2);
    const place = follows ? placeOf(el, scroller) : 0;
    if (follows) scroller.to(place);
    await twoFrames();
    // The set of bars changes less often than their text, so it is computed again only after a mutation.
    bars = stickyElements(scroller);
    let version = page.changes;
    let last = words();
    let since = performance.now();
    while (performance.now() - since < stopWait && performance.now() < limit) {
      await twoFrames();
      if (page.changes !== version) {
        version = page.changes;
        bars = stickyElements(scroller);
      }
      const now = words();
      if (now !== last || page.waitingFor().length) { last = now; since = performance.now(); }
    }
    const before = performance.now();
    await quiet(timeLimit(until), STILL_MS, { from: since, passed });
    // Content that mounted meanwhile may have pushed the heading away, and another section's bar into the window.
    const stands = performance.now() - before < STILL_MS && (!follows || Math.abs(placeOf(el, scroller) - place) < 2);
    if (stands || !el.isConnected || tries >= MAX_TRIES) break;
  }
  return { stop: text, html: bars.length ? serialiseAll(bars, scroller) : '', el };
}

// Walks through the page once, so that content that mounts when in view is mounted. Stops at the headings on the way,
// and
// at those that appear later. Calls `seen` after every window. With `windows`, also goes through inner scrollers. Then
// collects content that was unmounted again. Ends at the top. A position that does not settle in time is skipped; the
// caller waits for it afterwards.
async function walk(scroller, { scroll, windows, dwell, stops, stop_wait: stopWait, max_wait: maxWait }, until, notes, seen) {
  const leaving = watchLeaving();
  let stopped = [];
  const passed = [];
  const next = () => headings(stops, scroller).filter(
    ({ el }) => !stopped.some((one) => one.el === el) && scrollsAlong(el, scroller));
  const stop = async (heading) => { stopped.push(await stopAt(heading, scroller, stopWait, until, passed)); };
  for (let step = 0, at = 0; scroll && scroller.scrolls; step += 1) {
    if (step > MAX_STEPS) { notes.push(`the page is longer than ${MAX_STEPS} windows; the rest was not captured`); break; }
    await settleAt(scroller, at, dwell, { until, passed });
    seen();
    for (let near = true; near;) {
      near = next().find(({ el }) => placeOf(el, scroller) <= at + scroller.height() * 0.9);
      if (!near) break;
      await stop(near);
      at = Math.max(at, scroller.el.scrollTop);
    }
    const end = scroller.end();
    if (at >= end) break;
    at = Math.min(end, at + scroller.height() * 0.9);
  }
  for (const heading of next()) if (heading.el.isConnected) await stop(heading);
  const toTop = async () => { scroller.to(0); await twoFrames(); };
  const limits = { until: performance.now() + Math.max(maxWait, LISTS_MS), gap: stopWait, passed };
  // content that was in view at the end unmounts now
  if (scroll) await settleAt(scroller, 0, STILL_MS, limits);
  else await toTop();
  leaving.end();
  const kept = scroll && await keepUnmounted(leaving, scroller, limits);
  const wentOn = windows && await scrollThroughAll(document.body, scroller, limits);
  // content that is in view at the top mounts again now
  if (kept) await settleAt(scroller, 0, STILL_MS, limits);
  else if (wentOn) await toTop();
  for (const again of passed) again();
  // its former place has the same text again, or no text yet
  const isBack = (text, place) => place && place.isConnected && (squash(place.textContent) || text).includes(text)
    && !stopped.some((one) => one.stop === text && one.el.isConnected);
  const isThere = ({ el, stop: text }) => {
    const place = el.isConnected ? null : leaving.placeOfLost(el);
    return el.isConnected || [...page.kept.keys()].some((one) => one.contains(place || null)) || isBack(text, place);
  };
  stopped = stopped.filter((one) => one.html && isThere(one));
  return stopped.map(({ stop: text, html }) => ({ stop: text, html }));
}
