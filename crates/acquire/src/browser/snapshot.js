// The one call per page: settles it, walks through it, visits the stops and brings it over as text.
// The other tasks serve interactions, between real clicks.
const FADE_MS = 450;

// Requests by host, tries to reach blocked ones included; those that reached the site's host, the document's own and
// running ones included; and the files among them.
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

// The page and its frames, as far as they are recorded.
const recorders = () => [page, ...frames(window).map((one) => one[Symbol.for('atlas-gt')]).filter(Boolean)];

// How much of what was sent and received is known already, where it was this document that it came from. With frames
// nobody can say where new ones stand.
function known(all, { held }) {
  return all.length === 1 && held.document === performance.timeOrigin ? Math.min(held.exchanges, page.exchanges.length) : 0;
}

// What was sent and received so far and is not known yet; what was packed meanwhile stands before the rest.
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

// Packs what has been received whole, a part each time `goOn` is called: it is megabytes, and every step on its way
// through the driver reads and writes them again. Done while the page is waited for anyhow.
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

// The document as text. What the snapshot of this name brought over already is not sent once more.
function show(scroller, held) {
  const at = performance.now();
  forgetBack();
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
    // Layers often come after the first data. Only a real click leaves them.
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
    // What is pinned follows the place, so pages are compared at the same one.
    if (options.top) findScroller().to(0);
    await changed(options.version, options.change_wait);
    await nextFrame();
    // Treemaps fade by timers for a third of a second after a choice, with nothing that shows it.
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
// What a task answers to: why it failed, its answer as text or null, and the elements that come along.
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
