// Finds what a person would click: a control by its text, or the button that closes an overlay.
const CLICKABLE = 'a,button,input,select,summary,label,option,[role=button],[role=option],[role=menuitem],'
  + '[role=menuitemradio],[role=tab],[role=radio],[role=switch],[role=combobox],[role=listbox],[tabindex],[onclick]';
const WAYS_OUT = [ // least consent first
  /^(reject|decline|refuse|deny|necessary only|only necessary|essential only|do not accept|disagree)/i,
  /^(close|dismiss|skip|no,? thanks|not now|maybe later|×|✕|✖|x$)/i,
  /^(got it|ok|okay|i understand|understood|continue)$/i,
  /^(accept|agree|allow|i agree|i accept)/i,
];

function labelOf(el) {
  const names = [squash(el.textContent), squash(el.getAttribute('aria-label')), squash(el.getAttribute('title'))];
  if (el.localName === 'select') names[0] = squash([...el.selectedOptions].map((one) => one.text).join(' '));
  if (el.localName === 'input') names.push(squash(el.value), squash(el.placeholder));
  if (el.labels) names.push(...[...el.labels].map((label) => squash(label.textContent)));
  return names.filter(Boolean);
}

const area = (el) => { const box = el.getBoundingClientRect(); return box.width * box.height; };
const centreOf = (box) => ({ x: Math.round(box.left + box.width / 2), y: Math.round(box.top + box.height / 2) });

const canClick = (el) => Boolean(el.closest(CLICKABLE)) || getComputedStyle(el).cursor === 'pointer';

// The control that a plain label names: the first one after it in the same block.
function labelled(label) {
  let block = label;
  for (let level = 0; level < 3 && block.parentElement && block.parentElement !== document.body; level += 1) {
    block = block.parentElement;
    for (const el of block.querySelectorAll('*')) {
      const follows = label.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (follows && !label.contains(el) && canClick(el) && isShown(el)) return el;
    }
  }
  return label;
}

// The smallest visible element that can be clicked and whose text matches `text`. Elements that appeared after
// `remember`
// rank first, then exact matches, matches at the start, and matches anywhere. With `within`, the first after that
// heading.
function findControl({ text, fresh, within, label }) {
  const ways = [pattern(text, { edge: true }), pattern(text), pattern(text, { start: false })];
  const heading = within ? headings([within])[0] : null;
  if (within && !heading) return null;
  let best = null;
  let order = 0;
  for (const el of document.body.querySelectorAll('*')) {
    order += 1;
    if (el.localName === 'option' || DROPPED.has(el.localName) || (el.textContent || '').length > 400) continue;
    if (heading && !(heading.el.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
    const clickable = el.matches(CLICKABLE);
    const names = clickable ? labelOf(el) : [squash(el.textContent)];
    const way = ways.findIndex((one) => names.some((name) => name.length <= 120 && one.test(name)));
    if (way < 0) continue;
    const can = clickable || canClick(el);
    // If nothing suggests that an element can be clicked, only the exact text counts.
    if (!can && way > 0) continue;
    if (!isShown(el)) continue;
    const old = page.known.has(el);
    if (fresh && old) continue;
    const rank = [old ? 1 : 0, can ? 0 : 1, way, el.localName === 'select' ? 0 : 1, heading ? order : area(el)];
    const better = !best || rank.reduce((found, one, i) => found || Math.sign(one - best.rank[i]), 0) < 0;
    if (better) best = { el, rank, can };
  }
  if (!best) return null;
  let el = best.el.localName === 'label' && best.el.control ? best.el.control : best.el;
  if (label && !best.can) el = labelled(el);
  const shown = el.localName === 'select' ? labelOf(el)[0] : squash(el.innerText) || labelOf(el)[0];
  return { el, kind: el.localName === 'select' ? 'select' : 'click', text: shown || '' };
}

function remember() {
  page.known = new Set([...document.body.querySelectorAll('*')].filter(isShown));
}

function findOption(select, text) {
  const options = [...select.options];
  return [pattern(text, { edge: true }), pattern(text)]
    .map((way) => options.find((one) => way.test(squash(one.text)))).find(Boolean) || null;
}

// Returns whether a click on the element's centre reaches the element.
function isOnTop(el) {
  const { x, y } = centreOf(el.getBoundingClientRect());
  const hit = document.elementFromPoint(x, y);
  return Boolean(hit) && el.contains(hit);
}

// A layer over the page, and the button that closes it with the least consent.
function findOverlay() {
  // A page without an overlay stays without one until something changes.
  const version = page.changes + page.finished;
  if (page.clear === version) return null;
  const found = findLayerOver();
  if (!found) page.clear = version;
  return found;
}

function findLayerOver() {
  const viewport = innerWidth * innerHeight;
  const whole = squash(document.body.innerText).length;
  const dialogs = new Set(document.body.querySelectorAll('dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]'));
  for (const el of document.body.querySelectorAll('*')) {
    const isDialog = dialogs.has(el);
    const style = getComputedStyle(el);
    if (!isDialog && style.position !== 'fixed') continue;
    if (!isShown(el) || style.pointerEvents === 'none') continue;
    const text = squash(el.innerText);
    // The whole application may be one fixed element.
    if (!isDialog && (text.length > 1500 || text.length * 2 > whole)) continue;
    const box = el.getBoundingClientRect();
    const covers = Math.max(0, Math.min(innerWidth, box.right) - Math.max(0, box.left))
      * Math.max(0, Math.min(innerHeight, box.bottom) - Math.max(0, box.top)) / viewport;
    const blocks = isDialog || covers > 0.3;
    const buttons = [...el.querySelectorAll('button,a,[role=button],input[type=button],input[type=submit]')]
      .filter(isShown);
    for (const [degree, way] of WAYS_OUT.entries()) {
      // On a bar that covers nothing, buttons to close or confirm mean something else.
      if (!blocks && (degree === 1 || degree === 2)) continue;
      const button = buttons.find((one) => labelOf(one).some((name) => name.length <= 60 && way.test(name)) && isOnTop(one));
      if (button) return { element: button, overlay: `${text.slice(0, 80)}: "${labelOf(button)[0]}"` };
    }
    if (blocks && !isDialog && buttons.length === 0 && covers > 0.9 && text) {
      return { element: null, overlay: text.slice(0, 80) };
    }
  }
  return null;
}
