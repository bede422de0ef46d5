// What is in the document only while it is in view: rows of a list that mounts those in view alone, and sections that
// are taken out once they have left the window. They are kept as they were seen (`page.kept`), and written where they
// belong. What cannot be kept whole is marked as a part, so that nobody takes it for all there is.
const WINDOWS = 200;   // a list that is longer than so many windows is not gathered
const STRIDE = 0.6;    // of a window, so that rows side by side are in view together
const LOW = 60;        // what is lower shows no list and no section
const ALIKE = 2;
const MANY = 200;
const LISTS_MS = 8000; // to go through lists, however little of the page's time is left: a part of one is worth nothing
const FILLS_MS = 1500; // how long rows may take to be filled once they are in view

// Elements within one that scroll by themselves and along with the page. What scrolls most of a page that does not scroll
// itself may be a mere list.
function innerScrollers(within, scroller) {
  const isList = (el) => el.clientHeight * el.clientWidth < (innerWidth * innerHeight) / 2;
  return [...within.querySelectorAll('*')].filter((el) => el.clientHeight >= LOW
    && el.scrollHeight - el.clientHeight > NUDGE && !/^(select|textarea)$/.test(el.localName)
    && /auto|scroll|overlay/.test(getComputedStyle(el).overflowY) && isVisible(el) && !isFixed(el, scroller)
    && (el === scroller.el ? isList(el) : !el.contains(scroller.el)));
}

const holdsDrawing = (el) => Boolean(el.querySelector('canvas,svg,img,video'));

// Where an element stands in what scrolls it, and how much of its height is in view.
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

// The outermost element within what scrolls that holds nothing but this list, and so the room for all of its rows.
function roomAround(holder, frame) {
  const text = squash(holder.textContent);
  const isRoom = (el) => el && el !== document.body && el !== frame.el && squash(el.textContent) === text;
  let room = holder;
  while (room !== frame.el && isRoom(room.parentElement)) room = room.parentElement;
  return room;
}

// The children of a list that are in view, in reading order. One without any content counts as a row that is not
// filled yet, but for what only holds room for the rows beyond the window.
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

// Adds what is in view to what was seen of a list. Answers in words what does not fit.
function addRows(seen, rows, keep) {
  let before = null;
  for (const row of rows) {
    // what sticks to the edge is where it was first
    if (row.sticks && seen.some((one) => one.el === row.el)) continue;
    let known = seen.find((one) => isAt(one, row));
    if (known && known.isBlank && !row.isBlank) {
      Object.assign(known, row, { html: keep(row.el) });
    } else if (!known) {
      known = { ...row, html: row.isBlank ? '' : keep(row.el), next: new Set() };
      seen.push(known);
    } else if (!row.isBlank && known.text !== row.text) {
      return `"${known.text.slice(0, 40)}" and "${row.text.slice(0, 40)}" stand in one place`;
    } else if (row.inView > known.inView) {
      Object.assign(known, { inView: row.inView, html: keep(row.el) });
    }
    if (before) before.next.add(known);
    before = known;
  }
  return null;
}

// Why rows are not all of a list, or null. Two rows that follow each other were seen to do so, and no room is left.
function whyPart(rows, top, bottom) {
  if (!rows.length) return 'none of its rows was seen';
  const usual = median(rows.map((row) => row.bottom - row.top));
  const lowest = rows.reduce((most, row) => Math.max(most, row.bottom), -Infinity);
  if (rows[0].top - top > usual * 0.8) return 'what comes before its rows was not seen';
  if (bottom - lowest > usual * 0.8) return 'what comes behind its rows was not seen';
  for (const [at, row] of rows.entries()) {
    if (row.isBlank) return 'a row of it was never filled';
    const next = rows[at + 1];
    if (next && !row.next.has(next)) return `what follows "${row.text.slice(0, 40)}" was not seen`;
    if (next && next.top - row.bottom > usual * 0.8) return `a row is missing behind "${row.text.slice(0, 40)}"`;
    if (next && coversPart(row, next)) return `"${next.text.slice(0, 40)}" covers another row`;
  }
  return null;
}

// Goes through a list from its beginning to its end, and keeps its rows as they come into view.
async function gatherRows(holder, frame, scroller, from, to, limits) {
  const seen = [];
  const marks = new Map();
  const start = frame.el.scrollTop;
  let generates;
  const keep = (el) => serialise(el, scroller, marks, generates, frame.el === scroller.el ? 0 : frame.el.scrollTop - start);
  let why = null;
  for (let step = 0, at = from; !why; step += 1) {
    await restAt(frame, at, limits.gap, limits);
    let rows = rowsInView(holder, frame);
    const patience = performance.now() + FILLS_MS;
    while ((!rows.length || rows.some((row) => row.isBlank)) && performance.now() < Math.min(patience, limits.until)) {
      await pause(LATEST_MS);
      rows = rowsInView(holder, frame);
    }
    generates = generating(); // it knows only what is in the document
    why = addRows(seen, rows, keep);
    const end = Math.min(frame.end(), to());
    if (at >= end) break;
    if (step >= WINDOWS) why = `it is longer than ${WINDOWS} windows`;
    if (performance.now() > limits.until) why = 'it took too long to go through';
    at = Math.min(end, at + frame.height() * STRIDE);
  }
  seen.sort(inReadingOrder);
  const room = roomAround(holder, frame);
  const { top, bottom } = room === frame.el ? { top: 0, bottom: frame.el.scrollHeight } : standing(room, frame);
  why = why || whyPart(seen, top, bottom);
  const html = why ? null : seen.map((row) => row.html).join('');
  return { html, part: why, marks, count: seen.length };
}

// The innermost element around all of what changed within `el`.
function aroundAll(changedOnes, el) {
  const found = changedOnes.filter((one) => one && el.contains(one));
  let around = found[0] || el;
  while (around !== el && !found.every((one) => around.contains(one))) around = around.parentElement;
  return around;
}

// Goes through an element that scrolls by itself. Rows that load at its end are then in the document; where rows come
// and go, all of them are kept.
async function goThrough(el, scroller, limits) {
  if ([...page.kept.keys()].some((one) => el.contains(one))) return;
  if (scroller.scrolls && inside(el, scroller.el)) await restAt(scroller, placeOf(el, scroller), STILL_MS, limits);
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
  for (let step = 0, at = 0; step < WINDOWS && performance.now() < limits.until; step += 1) {
    await restAt(frame, at, STILL_MS, limits);
    const isEnd = at >= frame.end();
    // rows that are asked for at the end come after a moment
    if (isEnd && touched.size) await restAt(frame, frame.end(), limits.gap, limits);
    isWhole = isEnd && at >= frame.end();
    if (isWhole) break;
    at = Math.min(frame.end(), at + frame.height() * 0.9);
  }
  const below = squash(el.textContent);
  if (touched.size) await restAt(frame, start, limits.gap, limits);
  else frame.to(start);
  watch.disconnect();
  if ((isWhole && !touched.size) || !el.isConnected || (isWhole && !isGone && below === squash(el.textContent))) return;
  // where there was no time to see its end, nobody knows
  const holder = aroundAll([...touched].map((one) => (one.nodeType === 3 ? one.parentElement : one)), el);
  page.windowed.rows = true;
  page.kept.set(holder, isWhole ? await gatherRows(holder, frame, scroller, 0, () => Infinity, limits)
    : { html: null, part: 'its end was not reached', marks: new Map(), count: 0 });
  await restAt(frame, start, limits.gap, limits);
}

// Goes through whatever scrolls by itself within an element. Answers whether anything does.
async function goThroughAll(within, scroller, limits) {
  const found = innerScrollers(within, scroller);
  for (const el of found) if (el.isConnected) await goThrough(el, scroller, limits);
  return found.length > 0;
}

// Notes what is taken out of the document from now on: the words that an element lost, and where a node was.
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
        if (lost.get(target).size < MANY) lost.get(target).add(text);
      }
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return { lost, placeOfLost: (el) => places.get(el.getRootNode()), end: () => observer.disconnect() };
}

// Whether an element may stay where it is while the page scrolls, as bars do.
function mayStand(el, scroller) {
  for (let at = el; at && at !== scroller.el; at = at.parentElement) {
    if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
  }
  return false;
}

const heightOf = (el) => el.getBoundingClientRect().height;

// The section that lost its content and has kept its height, or null.
function emptied(el, scroller) {
  let section = el;
  while (section !== document.body && heightOf(section) < LOW) section = section.parentElement;
  const isEmpty = section !== document.body && !squash(section.textContent) && !holdsDrawing(section);
  return isEmpty && isVisible(section) && !mayStand(section, scroller) ? section : null;
}

// What holds the rows that the page's own scrolling mounts and takes out, with the room that is kept for all of them;
// or null. Its rows stand together and leave room for others.
function roomOf(el, lostTexts, scroller) {
  const text = squash(el.textContent);
  if (!text || [...lostTexts].every((one) => text.includes(one)) || mayStand(el, scroller)) return null;
  const room = roomAround(el, scroller);
  if (heightOf(room) <= scroller.height()) return null;
  const rows = [...el.children].filter((one) => squash(one.textContent) || holdsDrawing(one));
  const boxes = rows.map((one) => one.getBoundingClientRect());
  const taken = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
  const usual = median(boxes.map((box) => box.height));
  return heightOf(room) - taken > Math.max(usual * 1.5, LOW) ? room : null;
}

// The place at which the lower edge of an element stands at that of the window.
const footOf = (el, scroller) => Math.max(0, Math.min(scroller.end(),
  scroller.el.scrollTop + el.getBoundingClientRect().bottom - scroller.top() - scroller.height()));

// Keeps a section as it is while it is in view: the same from its beginning to its end.
async function keepSection(el, scroller, limits) {
  await restAt(scroller, placeOf(el, scroller), limits.gap, limits);
  const text = squash(el.textContent);
  if (!text || !el.isConnected) return;
  page.windowed.sections = true;
  await goThroughAll(el, scroller, limits);
  if (heightOf(el) > scroller.height()) await restAt(scroller, footOf(el, scroller), limits.gap, limits);
  const marks = new Map();
  const html = serialise(el, scroller, marks, generating())
    .replace(/^<[^\s>]+(?: [^\s"'<>/=]+="[^"]*")*>/, '').replace(/<\/[^<>]+>$/, '');
  const isSame = squash(el.textContent) === text;
  page.kept.set(el, { html: isSame ? html : null, part: isSame ? null : 'it is not the same from end to end', marks, count: 0 });
}

// The elements that hold what left the document as it left the window: sections, and lists with their room.
function whatLeft({ lost }, scroller) {
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

// Goes once more to whatever left the document as it left the window, and keeps it. Answers whether there is any.
async function keepWhatLeft(leaving, scroller, limits) {
  if (!whatLeft(leaving, scroller).found) return false;
  await restAt(scroller, 0, limits.gap, limits);
  const { sections, lists, found } = whatLeft(leaving, scroller);
  for (const { el, room } of lists) {
    if (!el.isConnected || [...page.kept.keys()].some((one) => one.contains(el) || el.contains(one))) continue;
    page.windowed.sections = true;
    const from = Math.max(0, placeOf(room, scroller) - scroller.height() / 2);
    page.kept.set(el, await gatherRows(el, scroller, scroller, from, () => footOf(room, scroller), limits));
  }
  for (const el of sections) if (el.isConnected) await keepSection(el, scroller, limits);
  return found;
}

// A section that is back in the document is written as it is.
function forgetBack() {
  for (const [el, kept] of page.kept) if (kept.html !== null && !kept.count && squash(el.textContent)) page.kept.delete(el);
}

// Marks tables that have fewer rows than they say.
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

// What was kept stands for what is not in view now. After a control was worked it may no longer hold.
function dropKept() {
  for (const kept of page.kept.values()) {
    if (kept.html !== null) Object.assign(kept, { html: null, part: 'its other rows were not looked at again' });
  }
}
