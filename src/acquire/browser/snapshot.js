// The one call per page: settles it, walks through it, visits the stops and brings it over as text.
// The other tasks serve interactions, between real clicks.
const FADE_MS = 450;

// Requests that reached the site's host, the document's own included, and the files among them.
function requestCount(host) {
  const reached = performance.getEntriesByType('resource').filter((one) => {
    if (one.deliveryType === 'cache' || one.deliveryType === 'navigational-prefetch') return false;
    try { return new URL(one.name).host === host; } catch { return false; }
  });
  const open = [...page.open.values()].filter((one) => { try { return new URL(one.url).host === host; } catch { return false; } });
  const isFile = (one) => !/^(fetch|xmlhttprequest|beacon)$/.test(one.initiatorType);
  return { requests: 1 + reached.length + open.length, files: reached.filter(isFile).length };
}

// Requests by host, tries to reach blocked ones included.
function hostCounts() {
  const counts = { [location.host]: 1 };
  for (const one of performance.getEntriesByType('resource')) {
    if (one.deliveryType === 'cache' || one.deliveryType === 'navigational-prefetch') continue;
    let host = '';
    try { host = new URL(one.name).host; } catch { /* no address */ }
    if (host) counts[host] = (counts[host] || 0) + 1;
  }
  return counts;
}

function frames(of) {
  const inner = [];
  for (const el of of.document.querySelectorAll('iframe')) {
    try { if (el.contentDocument) inner.push(el.contentWindow, ...frames(el.contentWindow)); } catch { /* another origin */ }
  }
  return inner;
}

// What was sent and received so far: `held` of it are known already, where it was this document that they came from.
// With frames nobody can say where new ones stand.
function recorded({ held, document: of }) {
  const all = [page, ...frames(window).map((one) => one[Symbol.for('atlas-gt')]).filter(Boolean)];
  const exchanges = all.flatMap((one) => one.exchanges);
  const from = all.length === 1 && of === performance.timeOrigin ? Math.min(held, exchanges.length) : 0;
  return {
    from,
    document: performance.timeOrigin,
    exchanges: exchanges.slice(from),
    errors: all.flatMap((one) => one.errors),
  };
}

const tasks = {
  async look(options) {
    const notes = [];
    const until = performance.now() + options.max_wait;
    notes.push(...await quiet(until, LOOK_MS * 2, options.expect));
    let scroller = findScroller();
    const budget = performance.now() + options.max_wait;
    if (options.scroll && scroller.scrolls) {
      await walk(scroller, budget, notes);
      scroller = findScroller();
      notes.push(...await quiet(budget, LOOK_MS));
    }
    const pinned = options.stops.length ? await visitStops(scroller, options.stops, options.stop_wait, budget) : [];
    notes.push(...await quiet(Math.max(budget, performance.now() + LOOK_MS * 4), LOOK_MS));
    const started = performance.now();
    const html = serialiseDocument(scroller);
    const took = performance.now() - started;
    return {
      url: location.href, title: document.title, html, pinned, notes,
      ...requestCount(options.host), serialise_ms: Math.round(took),
    };
  },
  async state(options) {
    // What is pinned follows the place, so pages are compared at the same one.
    if (options.top) findScroller().to(0);
    await changed(options.version, options.change_wait);
    await nextFrame();
    // Treemaps fade by timers for a third of a second after a choice, with nothing that shows it.
    const gap = options.html || options.top ? FADE_MS : LOOK_MS;
    const notes = await quiet(performance.now() + options.max_wait, gap);
    return { html: options.html ? serialiseDocument(findScroller()) : '', text: squash(document.body.innerText), notes };
  },
  async refresh(options) {
    return { ...recorded(options), ...requestCount(options.host), hosts: hostCounts() };
  },
  async control(options) {
    if (options.remember) remember();
    const found = findControl(options);
    return found && { element: found.el, kind: found.kind, text: found.text, version: page.changes };
  },
  async option(options) {
    const select = options.element;
    const found = findOption(select, options.text);
    const now = select.selectedOptions[0] || null;
    return found && { element: found, previous: now, version: page.changes };
  },
  async cell({ text }) {
    const found = findCell(text);
    if (!found) return null;
    found.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    await nextFrame();
    remember();
    return { ...centreOf(found.getBoundingClientRect()), version: page.changes };
  },
  async layer(options) {
    const found = findLayer(options);
    return found && {
      element: found.control, url: location.href, html: serialiseAll([found.el], null), version: page.changes,
    };
  },
  async blank() {
    const found = findBlank();
    return found && { ...found, version: page.changes };
  },
  async overlay() {
    const found = findOverlay();
    return found && { element: found.el, text: found.words, version: page.changes };
  },
};

const [task, given, element] = arguments;
const done = arguments[arguments.length - 1];
const answer = (value) => {
  const { element: el, previous, ...plain } = value || {};
  done([JSON.stringify({ found: Boolean(value), ...plain }), el || null, previous || null]);
};
Promise.resolve()
  .then(() => {
    if (!page) throw new Error('the recording script did not run in this document');
    return tasks[task]({ ...JSON.parse(given), element });
  })
  .then(answer, (error) => done([JSON.stringify({ failed: String((error && error.stack) || error) }), null, null]));
