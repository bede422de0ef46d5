// Finds what opens over a drawing: the label to point at, the new layer, and a blank place to click.

const drawings = () => [...document.querySelectorAll('canvas')].filter(isShown).map((el) => el.getBoundingClientRect());
const isIn = ({ x, y }) => (box) => x >= box.left && x < box.right && y >= box.top && y < box.bottom;

// Returns whether a label equals `text`, or is a shortened form of it.
function reads(label, text) {
  const [own, whole] = [label.toLowerCase(), squash(text).toLowerCase()];
  const cut = own.replace(/\s*(…|\.\.\.)$/, '');
  return own === whole || (cut !== own && cut.length >= 4 && whole.startsWith(cut));
}

// The innermost visible element over a drawing that reads `text`; null if there are several.
function findCell(text) {
  const found = [];
  for (const el of document.body.querySelectorAll('*')) {
    if (DROPPED.has(el.localName) || (el.textContent || '').length > 200 || el.closest('a,button,select,option')) continue;
    if (!reads(squash(el.textContent), text) || !isShown(el)) continue;
    if (drawings().some(isIn(centreOf(el.getBoundingClientRect()))) && !found.some((other) => inside(el, other))) found.push(el);
  }
  const innermost = found.filter((el) => !found.some((other) => inside(other, el)));
  const exact = innermost.filter((el) => squash(el.textContent).toLowerCase() === squash(text).toLowerCase());
  const chosen = exact.length ? exact : innermost;
  return chosen.length === 1 ? chosen[0] : null;
}

// The largest drawing.
function findDrawing() {
  const size = (el) => { const box = el.getBoundingClientRect(); return box.width * box.height; };
  const found = [...document.querySelectorAll('canvas,svg')].filter((el) => isShown(el) && !el.parentElement.closest('svg'));
  found.sort((one, other) => size(other) - size(one));
  return found[0] || null;
}

// The outermost element around `el` that is new.
function freshRoot(el) {
  let root = el;
  while (root.parentElement && root.parentElement !== document.body && !page.known.has(root.parentElement)) root = root.parentElement;
  return root;
}

// A visible element that is new since `remember`, and a control that shows more of it.
function findLayer({ text, more }) {
  const control = (more || []).map((words) => findControl({ text: words, fresh: true })).find((found) => found && !page.known.has(found.el));
  const shown = control ? control.el
    : [...document.body.querySelectorAll('*')].find((el) => !page.known.has(el) && !DROPPED.has(el.localName)
      && squash(el.textContent) && !el.closest('svg') && squash(el.textContent).toLowerCase().includes(squash(text).toLowerCase()) && isShown(el));
  return shown ? { el: freshRoot(shown), control: control ? control.el : null } : null;
}

// A place in the window where a click hits nothing.
function findBlank() {
  const stays = (el) => el.closest(`${CLICKABLE},canvas,svg`) || getComputedStyle(el).cursor === 'pointer';
  const boxes = drawings();
  for (let y = innerHeight - 12; y > 0; y -= 40) {
    for (let x = innerWidth - 12; x > 0; x -= 60) {
      const el = document.elementFromPoint(x, y);
      const drawn = boxes.some(isIn({ x, y }));
      if (el && !drawn && !stays(el) && (page.known.has(el) || el === document.body || el === document.documentElement)) return { x, y };
    }
  }
  return null;
}
