// The one call per page: settles the page, walks through it, visits the stops, and returns the page as text.
// The other tasks serve interactions, between real clicks.
const FADE_MS = 450;

// Counts requests by host, including blocked ones. For the site's host, counts its requests, including the document
// itself
// and running requests, and how many of them are files.
function traffic(site) {
  const hostOf = (url) => { try { return new URL(url).host; } catch { return ''; } };
  const hosts = { [location.host]: 1 };
  let files = 0;
  let requests = 1 + [...page.open.values()].filter(({ url }) => hostOf(url) === site).length;
  for (const { name, deliveryType, initiatorType } of performance.getEntriesByType('resource')) {
    const host = hostOf(name);
    if (!host || /^(cache|navigational-prefetch)$/.test(deliveryType)) continue;
    hosts[host] = (hosts[host] || 0) + 1;
    if (host !== site) continue;
    requests += 1;
    if (!/^(fetch|xmlhttprequest|beacon)$/.test(initiatorType)) files += 1;
  }
  return { hosts, requests, files };
}

function frames(of) {
  const inner = [];
  for (const el of of.document.querySelectorAll('iframe')) {
    try { if (el.contentDocument) inner.push(el.contentWindow, ...frames(el.contentWindow)); } catch { /* another origin */ }
  }
  return inner;
}

// The recorders of the page and of its frames.
const recorders = () => [page, ...frames(window).map((one) => one[Symbol.for('atlas-gt')]).filter(Boolean)];

// The number of exchanges that the caller already has from this document. With frames, the position of new exchanges is
// unknown, so it is 0.
function known(all, { held }) {
  return all.length === 1 && held.document === performance.timeOrigin ? Math.min(held.exchanges, page.exchanges.length) : 0;
}

// The exchanges that the caller does not have yet. Packed ones come first.
async function recorded(options, packer) {
  const all = recorders();
  const exchanges = all.flatMap((one) => one.exchanges);
  const from = known(all, options);
  const packed = packer && all.length === 1 && packer.from === from ? packer : { count: 0, parts: [] };
  return {
    from,
    document: performance.timeOrigin,
    packed: await Promise.all(packed.parts),
    exchanges: exchanges.slice(from + packed.count),
    errors: all.flatMap((one) => one.errors),
    ...traffic(options.host),
  };
}

async function gzip(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

// Compresses complete exchanges, one part per call of `goOn`, while the page is waited for anyway. They are megabytes,
// and
// every step through the driver reads and writes them again.
function packing(options) {
  const packer = { from: known(recorders(), options), count: 0, parts: [] };
  packer.goOn = () => {
    const after = page.exchanges.slice(packer.from + packer.count);
    const running = after.findIndex((one) => !one.complete);
    const whole = running < 0 ? after : after.slice(0, running);
    if (!whole.length) return;
    packer.count += whole.length;
    packer.parts.push(gzip(JSON.stringify(whole)));
  };
  return packer;
}

// The document as text, or null if the caller already has the same text under the name `held`.
function show(scroller, held) {
  const at = performance.now();
  dropRemounted();
  countRows();
  const html = serialiseDocument(scroller);
  const isHeld = held === page.shown.name && html === page.shown.html;
  page.shown = { name: `${performance.timeOrigin} ${at}`, at, html };
  return { name: page.shown.name, html: isHeld ? null : html };
}

const tasks = {
  async snapshot(options) {
    const notes = [];
    const started = performance.now();
    const until = started + options.max_wait;
    notes.push(...await quiet(until, STILL_MS));
    // Overlays often appear after the first data. Only a real click closes them.
    const layer = options.overlays && findOverlay();
    if (layer) return { ...layer, notes };
    const packer = options.recorded ? packing(options) : null;
    const goOn = () => { if (packer) packer.goOn(); };
    goOn();
    notes.push(...await quiet(until, STILL_MS * 2, { expect: options.expect }));
    const settled = performance.now();
    const budget = settled + options.max_wait;
    page.kept.clear();
    const scroll = options.scroll || page.windowed.sections;
    const windows = scroll || page.windowed.rows || !page.shown.name;
    const stickyHeaders = windows || options.stops.length > 0
      ? await walk(findScroller(), { ...options, scroll, windows }, budget, notes, goOn) : [];
    const walked = performance.now();
    if (page.shown.name) await pause(page.shown.at + options.apart - performance.now());
    notes.push(...await quiet(Math.max(budget, performance.now() + STILL_MS * 4), STILL_MS));
    return {
      shown: {
        ...show(findScroller(), options.held.shown), url: location.href, title: document.title, sticky_headers: stickyHeaders,
        notes, took: [settled - started, walked - settled, performance.now() - walked].map(Math.round),
      },
      recorded: options.recorded ? await recorded(options, packer) : null,
    };
  },
  async state(options) {
    // Pinned elements depend on the scroll position, so pages are compared at the same position.
    if (options.top) findScroller().to(0);
    await changed(options.version, options.change_wait);
    await nextFrame();
    // After a selection, treemaps fade by timers for a third of a second, and nothing in the document shows it.
    const gap = options.html || options.top ? FADE_MS : STILL_MS;
    const notes = await quiet(performance.now() + options.max_wait, gap, { from: performance.now() });
    dropKept();
    return {
      html: options.html ? serialiseDocument(findScroller()) : '',
      text: options.top ? squash(document.body.innerText) : '',
      notes,
    };
  },
  async refresh(options) {
    return recorded(options, null);
  },
  async control(options) {
    if (options.remember) remember();
    const found = findControl(options);
    return found && { element: found.el, kind: found.kind, text: found.text };
  },
  async option(options) {
    const select = options.element;
    const found = findOption(select, options.text);
    const now = select.selectedOptions[0] || null;
    return found && { element: found, previous: now };
  },
  async cell({ text }) {
    const found = findCell(text);
    if (!found) return null;
    found.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    await nextFrame();
    remember();
    return centreOf(found.getBoundingClientRect());
  },
  async place({ across, down }) {
    const found = findDrawing();
    if (!found) return null;
    found.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    await nextFrame();
    remember();
    const box = found.getBoundingClientRect();
    return { x: Math.round(box.left + (box.width * across) / 100), y: Math.round(box.top + (box.height * down) / 100) };
  },
  async layer(options) {
    const found = findLayer(options);
    return found && { element: found.control, url: location.href, html: serialiseAll([found.el], null) };
  },
  async blank() {
    return findBlank();
  },
  async overlay() {
    return findOverlay();
  },
};

const [task, given, element] = arguments;
const done = arguments[arguments.length - 1];
// Ends the task with [error, answer as text or null, elements…].
const answer = (value) => {
  const { element: el, previous, ...plain } = value || {};
  done([null, value ? JSON.stringify({ version: page.changes, ...plain }) : null, el || null, previous || null]);
};
Promise.resolve()
  .then(() => {
    if (!page) throw new Error('the recording script did not run in this document');
    return tasks[task]({ ...JSON.parse(given), element });
  })
  .then(answer, (error) => done([String((error && error.stack) || error), null, null, null]));
