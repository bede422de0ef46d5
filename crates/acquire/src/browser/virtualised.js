// Collects content that is in the document only while in view: rows of virtualised lists, and sections that are
// unmounted
// outside the window. `page.kept` stores it, and it is written in its place. Incomplete content is marked as a part, so
// that nobody mistakes it for the whole.
const MAX_WINDOWS = 200; // a longer list is not collected
const STRIDE = 0.6; // of a window, so that adjacent rows are in view together
const MIN_LIST_HEIGHT = 60; // pixels: lower elements are no lists and no sections
const ALIKE = 2;
const MAX_TEXTS = 200;
const LISTS_MS = 8000; // for lists, even if less of the page's time is left: a part of a list is useless
const FILLS_MS = 1500; // maximum wait until rows in view are filled

// Elements inside `within` that scroll on their own and also move with the page. The scroller itself can be a list too,
// if
// it is small.
function innerScrollers(within, scroller) {
  const isList = (el) => el.clientHeight * el.clientWidth < (innerWidth * innerHeight) / 2;
  return [...within.querySelectorAll('*')].filter((el) => el.clientHeight >= MIN_LIST_HEIGHT
    && el.scrollHeight - el.clientHeight > NUDGE && !/^(select|textarea)$/.test(el.localName)
    && /auto|scroll|overlay/.test(getComputedStyle(el).overflowY) && isVisible(el) && !isFixed(el, scroller)
    && (el === scroller.el ? isList(el) : !el.contains(scroller.el)));
}

const holdsDrawing = (el) => Boolean(el.querySelector('canvas,svg,img,video'));

// The position of an element inside its scroller, and how much of its height is in view.
function standing(el, frame) {
  const box = (hasSize(el) ? el : rangeOf(el)).getBoundingClientRect();
  const shift = frame.el.scrollTop - frame.top();
  const inView = Math.min(box.bottom, frame.top() + frame.height()) - Math.max(box.top, frame.top());
  return { top: box.top + shift, bottom: box.bottom + shift, left: box.left, right: box.right, inView };
}

const isAt = (a, b) => Math.abs(a.top - b.top) <= ALIKE && Math.abs(a.left - b.left) <= ALIKE;
const inReadingOrder = (a, b) => (Math.abs(a.top - b.top) > ALIKE ? a.top - b.top : a.left - b.left);
const coversPart = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > ALIKE
  && Math.min(a.right, b.right) - Math.max(a.left, b.left) > ALIKE;

// The outermost element inside the scroller that holds only this list: it reserves the space for all rows.
function roomAround(holder, frame) {
  const text = squash(holder.textContent);
  const isRoom = (el) => el && el !== document.body && el !== frame.el && squash(el.textContent) === text;
  let room = holder;
  while (room !== frame.el && isRoom(room.parentElement)) room = room.parentElement;
  return room;
}

// The children of a list that are in view, in reading order. An empty child counts as a row that is not filled yet,
// unless it only reserves the space of rows beyond the window.
function rowsInView(holder, frame) {
  const rows = [];
  for (const el of holder.children) {
    if (DROPPED.has(el.localName)) continue;
    const row = { el, text: squash(el.textContent), sticks: getComputedStyle(el).position === 'sticky', ...standing(el, frame) };
    row.isBlank = !row.text && !holdsDrawing(el);
    if (row.inView > ALIKE) rows.push(row);
  }
  const usual = median(rows.filter((row) => !row.isBlank).map((row) => row.bottom - row.top)) || 0;
  return rows.filter((row) => !row.isBlank || row.inView >= Math.max(usual / 2, ALIKE)).sort(inReadingOrder);
}

// Adds the rows in view to `seen`. Returns a contradiction in words, or null.
function addRows(seen, rows, keep) {
  let before = null;
  for (const row of rows) {
    // a sticky row keeps its first position
    if (row.sticks && seen.some((one) => one.el === row.el)) continue;
    let known = seen.find((one) => isAt(one, row));
    if (known && known.isBlank && !row.isBlank) {
      Object.assign(known, row, { html: keep(row.el) });
    } else if (!known) {
      known = { ...row, html: row.isBlank ? '' : keep(row.el), next: new Set() };
      seen.push(known);
    } else if (!row.isBlank && known.text !== row.text) {
      return `"${known.text.slice(0, 40)}" and "${row.text.slice(0, 40)}" are in the same place`;
    } else if (row.inView > known.inView) {
      Object.assign(known, { inView: row.inView, html: keep(row.el) });
    }
    if (before) before.next.add(known);
    before = known;
  }
  return null;
}

// The reason why the rows are not the whole list, or null. A whole list has no gaps: each adjacent pair was in view
// together, and no space is left.
function whyPart(rows, top, bottom) {
  if (!rows.length) return 'none of its rows came into view';
  const usual = median(rows.map((row) => row.bottom - row.top));
  const lowest = rows.reduce((most, row) => Math.max(most, row.bottom), -Infinity);
  if (rows[0].top - top > usual * 0.8) return 'content before its first row was not captured';
  if (bottom - lowest > usual * 0.8) return 'content after its last row was not captured';
  for (const [at, row] of rows.entries()) {
    if (row.isBlank) return 'one of its rows stayed empty';
    const next = rows[at + 1];
    if (next && !row.next.has(next)) return `content after "${row.text.slice(0, 40)}" was not captured`;
    if (next && next.top - row.bottom > usual * 0.8) return `a row is missing after "${row.text.slice(0, 40)}"`;
    if (next && coversPart(row, next)) return `"${next.text.slice(0, 40)}" covers another row`;
  }
  return null;
}

// Scrolls through a list from start to end, and stores its rows as they come into view.
async function gatherRows(holder, frame, scroller, from, to, limits) {
  const seen = [];
  const marks = new Map();
  const start = frame.el.scrollTop;
  let generates;
  const keep = (el) => serialise(el, scroller, marks, generates, frame.el === scroller.el ? 0 : frame.el.scrollTop - start);
  let why = null;
  for (let step = 0, at = from; !why; step += 1) {
    await settleAt(frame, at, limits.gap, limits);
    let rows = rowsInView(holder, frame);
    const patience = performance.now() + FILLS_MS;
    while ((!rows.length || rows.some((row) => row.isBlank)) && performance.now() < Math.min(patience, limits.until)) {
      await pause(MAX_POLL_MS);
      rows = rowsInView(holder, frame);
    }
    generates = generating(); // it covers only elements that are in the document
    why = addRows(seen, rows, keep);
    const end = Math.min(frame.end(), to());
    if (at >= end) break;
    if (step >= MAX_WINDOWS) why = `the list is longer than ${MAX_WINDOWS} windows`;
    if (performance.now() > limits.until) why = 'the list took too long to scroll through';
    at = Math.min(end, at + frame.height() * STRIDE);
  }
  seen.sort(inReadingOrder);
  const room = roomAround(holder, frame);
  const { top, bottom } = room === frame.el ? { top: 0, bottom: frame.el.scrollHeight } : standing(room, frame);
  why = why || whyPart(seen, top, bottom);
  const html = why ? null : seen.map((row) => row.html).join('');
  return { html, part: why, marks, count: seen.length };
}

// The innermost element around all changed elements inside `el`.
function aroundAll(changedOnes, el) {
  const found = changedOnes.filter((one) => one && el.contains(one));
  let around = found[0] || el;
  while (around !== el && !found.every((one) => around.contains(one))) around = around.parentElement;
  return around;
}

// Scrolls through an element that scrolls on its own. Rows that load at its end stay in the document. If rows mount and
// unmount, all of them are stored.
async function scrollThrough(el, scroller, limits) {
  if ([...page.kept.keys()].some((one) => el.contains(one))) return;
  if (scroller.scrolls && inside(el, scroller.el)) await settleAt(scroller, placeOf(el, scroller), STILL_MS, limits);
  if (!el.isConnected) return;
  const frame = scrolling(el);
  const start = el.scrollTop;
  const touched = new Set();
  let isGone = false;
  const watch = new MutationObserver((list) => list.forEach(({ target, removedNodes }) => {
    touched.add(target);
    isGone = isGone || [...removedNodes].some((node) => node.nodeType === 1);
  }));
  watch.observe(el, { childList: true, characterData: true, subtree: true });
  let isWhole = false;
  for (let step = 0, at = 0; step < MAX_WINDOWS && performance.now() < limits.until; step += 1) {
    await settleAt(frame, at, STILL_MS, limits);
    const isEnd = at >= frame.end();
    // rows that are requested at the end arrive after a moment
    if (isEnd && touched.size) await settleAt(frame, frame.end(), limits.gap, limits);
    isWhole = isEnd && at >= frame.end();
    if (isWhole) break;
    at = Math.min(frame.end(), at + frame.height() * 0.9);
  }
  const below = squash(el.textContent);
  if (touched.size) await settleAt(frame, start, limits.gap, limits);
  else frame.to(start);
  watch.disconnect();
  if ((isWhole && !touched.size) || !el.isConnected || (isWhole && !isGone && below === squash(el.textContent))) return;
  // if time ran out before its end, the list counts as incomplete
  const holder = aroundAll([...touched].map((one) => (one.nodeType === 3 ? one.parentElement : one)), el);
  page.windowed.rows = true;
  page.kept.set(holder, isWhole ? await gatherRows(holder, frame, scroller, 0, () => Infinity, limits)
    : { html: null, part: 'its end was not reached in time', marks: new Map(), count: 0 });
  await settleAt(frame, start, limits.gap, limits);
}

// Scrolls through every element inside `within` that scrolls on its own. Returns whether there is one.
async function scrollThroughAll(within, scroller, limits) {
  const found = innerScrollers(within, scroller);
  for (const el of found) if (el.isConnected) await scrollThrough(el, scroller, limits);
  return found.length > 0;
}

// Records what is removed from the document from now on: the texts that an element lost, and the place of each node.
function watchLeaving() {
  const lost = new Map();
  const places = new WeakMap();
  const observer = new MutationObserver((list) => {
    for (const { target, removedNodes } of list) {
      for (const node of removedNodes) {
        const text = squash(node.textContent);
        if (!text) continue;
        places.set(node, target);
        if (!lost.has(target)) lost.set(target, new Set());
        if (lost.get(target).size < MAX_TEXTS) lost.get(target).add(text);
      }
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return { lost, placeOfLost: (el) => places.get(el.getRootNode()), end: () => observer.disconnect() };
}

// Returns whether an element may stay in place while the page scrolls, as bars do.
function mayStand(el, scroller) {
  for (let at = el; at && at !== scroller.el; at = at.parentElement) {
    if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
  }
  return false;
}

const heightOf = (el) => el.getBoundingClientRect().height;

// The section that lost its content but kept its height, or null.
function emptied(el, scroller) {
  let section = el;
  while (section !== document.body && heightOf(section) < MIN_LIST_HEIGHT) section = section.parentElement;
  const isEmpty = section !== document.body && !squash(section.textContent) && !holdsDrawing(section);
  return isEmpty && isVisible(section) && !mayStand(section, scroller) ? section : null;
}

// The element that reserves the space for rows that page scrolling mounts and unmounts, or null. Its rows are adjacent
// and
// leave space for more.
function roomOf(el, lostTexts, scroller) {
  const text = squash(el.textContent);
  if (!text || [...lostTexts].every((one) => text.includes(one)) || mayStand(el, scroller)) return null;
  const room = roomAround(el, scroller);
  if (heightOf(room) <= scroller.height()) return null;
  const rows = [...el.children].filter((one) => squash(one.textContent) || holdsDrawing(one));
  const boxes = rows.map((one) => one.getBoundingClientRect());
  const taken = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
  const usual = median(boxes.map((box) => box.height));
  return heightOf(room) - taken > Math.max(usual * 1.5, MIN_LIST_HEIGHT) ? room : null;
}

// The scroll position that puts an element's lower edge at the window's lower edge.
const footOf = (el, scroller) => Math.max(0, Math.min(scroller.end(),
  scroller.el.scrollTop + el.getBoundingClientRect().bottom - scroller.top() - scroller.height()));

// Stores a section while it is in view, if its text stays the same from top to bottom.
async function keepSection(el, scroller, limits) {
  await settleAt(scroller, placeOf(el, scroller), limits.gap, limits);
  const text = squash(el.textContent);
  if (!text || !el.isConnected) return;
  page.windowed.sections = true;
  await scrollThroughAll(el, scroller, limits);
  if (heightOf(el) > scroller.height()) await settleAt(scroller, footOf(el, scroller), limits.gap, limits);
  const marks = new Map();
  const html = serialise(el, scroller, marks, generating())
    .replace(/^<[^\s>]+(?: [^\s"'<>/=]+="[^"]*")*>/, '').replace(/<\/[^<>]+>$/, '');
  const isSame = squash(el.textContent) === text;
  page.kept.set(el, { html: isSame ? html : null, part: isSame ? null : 'it is not the same from end to end', marks, count: 0 });
}

// The elements whose content was unmounted outside the window: sections, and lists with their reserved space.
function unmountedContent({ lost }, scroller) {
  const sections = new Set();
  const lists = [];
  for (const [el, lostTexts] of lost) {
    if (!el.isConnected) continue;
    const section = emptied(el, scroller);
    const room = section ? null : roomOf(el, lostTexts, scroller);
    if (section) sections.add(section);
    if (room) lists.push({ el, room });
  }
  return { sections, lists, found: sections.size + lists.length > 0 };
}

// Scrolls again to content that was unmounted outside the window, and stores it. Returns whether there is any.
async function keepUnmounted(leaving, scroller, limits) {
  if (!unmountedContent(leaving, scroller).found) return false;
  await settleAt(scroller, 0, limits.gap, limits);
  const { sections, lists, found } = unmountedContent(leaving, scroller);
  for (const { el, room } of lists) {
    if (!el.isConnected || [...page.kept.keys()].some((one) => one.contains(el) || el.contains(one))) continue;
    page.windowed.sections = true;
    const from = Math.max(0, placeOf(room, scroller) - scroller.height() / 2);
    page.kept.set(el, await gatherRows(el, scroller, scroller, from, () => footOf(room, scroller), limits));
  }
  for (const el of sections) if (el.isConnected) await keepSection(el, scroller, limits);
  return found;
}

// A section that is mounted again is written from the document.
function dropRemounted() {
  for (const [el, kept] of page.kept) if (kept.html !== null && !kept.count && squash(el.textContent)) page.kept.delete(el);
}

// Marks tables that have fewer rows than their `aria-rowcount`.
function countRows() {
  for (const el of document.querySelectorAll('[aria-rowcount]')) {
    const said = Number(el.getAttribute('aria-rowcount'));
    const holders = [...page.kept].filter(([one, kept]) => el.contains(one) && kept.html !== null);
    const mounted = [...el.querySelectorAll('[role=row],tr')].filter((row) => !holders.some(([one]) => one.contains(row)));
    const indices = new Set(mounted.map((row) => row.getAttribute('aria-rowindex') || row));
    const count = holders.reduce((sum, [, kept]) => sum + kept.count, indices.size);
    if (!(said > count) || !count) continue;
    const kept = page.kept.get(el) || { html: null, marks: new Map(), count: 0 };
    page.kept.set(el, { ...kept, part: `${count} of ${said} rows` });
  }
}

// Stored content stands for what is out of view. After a click on a control it may be outdated.
function dropKept() {
  for (const kept of page.kept.values()) {
    if (kept.html !== null) Object.assign(kept, { html: null, part: 'its other rows were not captured again' });
  }
}
