// Runs before the page's own scripts. Records the page's GraphQL exchanges, its uncaught errors, and how busy it is.
// The page sees native functions that behave as usual.
(() => {
  const KEY = Symbol.for('atlas-gt');
  if (window[KEY]) return;
  const LONG_MS = 5000; // a request that takes longer than this is a stream or a long poll
  const state = {
    exchanges: [],   // {url, request, status, response, complete, error}
    errors: [],
    changes: 0,      // mutations of the document
    finished: 0,     // requests that ended
    moved: 0,        // page time of the last mutation or ended request
    blocked: 0,      // page time at which the page was last seen waiting for something
    open: new Map(), // running requests: token -> {url, graphql, since, tolerated}
    tolerated: { loaders: new WeakSet(), reasons: new Set() },
    known: new Set(),       // elements that were visible before a control was opened
    scripts: new WeakMap(), // page time at which a loading script was first seen
    ended: new WeakSet(),   // scripts that have loaded or failed
    inOrder: '',            // the document version whose text was last found complete
    clear: -1,              // the document version that had no overlay
    kept: new Map(),        // content that is mounted only while in view: element -> {html, part, marks, count}
    windowed: { rows: false, sections: false }, // whether the page has such rows or sections
    shown: { name: '', at: 0, html: '' }, // the document in the last snapshot, and its time
  };
  Object.defineProperty(window, KEY, { value: state });
  try { performance.setResourceTimingBufferSize(20000); } catch { /* without it, the count is a lower bound */ }

  const absolute = (url) => {
    try { return new URL(String(url), document.baseURI).href; } catch { return String(url); }
  };
  const isGraphql = (url) => /graphql/i.test(url);
  const begin = (url) => {
    const token = {};
    state.open.set(token, { url, graphql: isGraphql(url), since: performance.now(), tolerated: false });
    return token;
  };
  const end = (token) => {
    if (!state.open.delete(token)) return;
    state.finished += 1;
    state.moved = performance.now();
  };
  const entry = (url) => {
    if (!isGraphql(url)) return null;
    const made = { url, request: '', status: 0, response: '', complete: false, error: '', retry_after: '' };
    state.exchanges.push(made);
    return made;
  };
  const keepRequest = (made, body) => { Promise.resolve(body).then((text) => { made.request = text; }, () => {}); };
  // Ends a request: `outcome` holds the response or the error.
  const finish = (token, made, outcome) => {
    if (made) Object.assign(made, outcome, { complete: true });
    end(token);
  };
  const note = (text) => { if (state.errors.length < 50) state.errors.push(String(text).slice(0, 500)); };

  state.waitingFor = () => {
    const now = performance.now();
    return [...state.open.values()].filter(
      (one) => !one.tolerated && (one.graphql || now - one.since < LONG_MS));
  };

  const bodyText = (body) => {
    if (body === undefined || body === null) return '';
    if (typeof body === 'string') return body;
    if (body instanceof URLSearchParams) return body.toString();
    if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new TextDecoder().decode(body);
    if (body instanceof Blob) return body.text();
    if (body instanceof FormData) {
      return JSON.stringify(Object.fromEntries([...body].map(([k, v]) => [k, typeof v === 'string' ? v : '(file)'])));
    }
    return '';
  };

  if (window.fetch) {
    window.fetch = new Proxy(window.fetch, {
      apply(target, self, args) {
        const [input, init] = args;
        const isRequest = input instanceof Request;
        const url = absolute(isRequest ? input.url : input);
        const token = begin(url);
        const made = entry(url);
        try {
          const body = init && init.body !== undefined ? init.body : null;
          if (made) keepRequest(made, body !== null ? bodyText(body) : isRequest && input.body ? input.clone().text() : '');
        } catch { /* an unreadable body stays empty */ }
        const failed = (error) => finish(token, made, { error: String(error) });
        let running;
        try { running = Reflect.apply(target, self, args); } catch (error) { failed(error); throw error; }
        return running.then((response) => {
          if (!made) { end(token); return response; }
          made.status = response.status;
          made.retry_after = response.headers.get('retry-after') || '';
          try {
            response.clone().text().then((text) => finish(token, made, { response: text }), failed);
          } catch (error) { failed(error); }
          return response;
        }, (error) => { failed(error); throw error; });
      },
    });
  }

  const targets = new WeakMap();
  XMLHttpRequest.prototype.open = new Proxy(XMLHttpRequest.prototype.open, {
    apply(target, self, args) {
      targets.set(self, absolute(args[1]));
      return Reflect.apply(target, self, args);
    },
  });
  XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
    apply(target, self, args) {
      const url = targets.get(self) || '';
      const token = begin(url);
      const made = entry(url);
      if (made) keepRequest(made, bodyText(args[0]));
      self.addEventListener('loadend', () => {
        if (!made) { end(token); return; }
        made.status = self.status;
        made.retry_after = self.getResponseHeader('retry-after') || '';
        if (self.status === 0) made.error = 'the request failed';
        const done = (text) => finish(token, made, { response: text });
        try {
          const type = self.responseType;
          if (type === '' || type === 'text') done(self.responseText);
          else if (type === 'json') done(self.response === null ? '' : JSON.stringify(self.response));
          else Promise.resolve(bodyText(self.response)).then(done, () => done(''));
        } catch { done(''); }
      }, { once: true });
      try { return Reflect.apply(target, self, args); } catch (error) {
        finish(token, made, { error: String(error) });
        throw error;
      }
    },
  });

  window.addEventListener('error', (event) => {
    if (event instanceof ErrorEvent) note(event.message);
    else if (event.target) state.ended.add(event.target);
  }, true);
  window.addEventListener('load', (event) => {
    if (event.target instanceof Element) state.ended.add(event.target);
  }, true);
  window.addEventListener('unhandledrejection', (event) => {
    const reason = event.reason;
    note(`unhandled rejection: ${reason && reason.message ? reason.message : reason}`);
  });

  new MutationObserver((list) => { state.changes += list.length; state.moved = performance.now(); }).observe(document, {
    childList: true, subtree: true, characterData: true, attributes: true,
    attributeFilter: ['class', 'style', 'hidden', 'open', 'src', 'd', 'width', 'height', 'value', 'aria-expanded'],
  });
})();
