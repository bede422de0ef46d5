// A drawing surface: a canvas at device resolution in a box with pointer events, and the page's only tooltip.

const POINTER_INTERVAL = 50;
const TRANSITION = 350;

/** A box of `width` × `height` with a canvas; `paint(context)` draws on it. */
function surface(width, height, paint, label) {
  const ratio = window.devicePixelRatio || 1;
  const canvas = h('canvas', {
    width: Math.round(width * ratio),
    height: Math.round(height * ratio),
    style: { width: `${width}px`, height: `${height}px`, display: 'block' },
    ...(label && SKIN === 'hashed' ? { role: 'img', 'aria-label': label } : {}),
  });
  const root = h('div', { class: c('Surface'), style: { width: `${width}px`, height: `${height}px` } }, canvas);
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  context.lineJoin = 'round';
  paint(context);
  return {
    root,
    canvas,
    context,
    repaint: (again) => {
      context.clearRect(0, 0, width, height);
      again(context);
    },
  };
}

const FONT = '"Source Sans Pro", "Helvetica Neue", Arial, sans-serif';

function write(context, text, x, y, options = {}) {
  context.save();
  context.font = `${options.weight || 400} ${options.size || 12}px ${FONT}`;
  context.fillStyle = options.colour || '#51607a';
  context.textAlign = options.align || 'left';
  context.textBaseline = options.baseline || 'alphabetic';
  if (options.rotate) {
    context.translate(x, y);
    context.rotate(options.rotate);
    context.fillText(text, 0, 0);
  } else {
    context.fillText(text, x, y);
  }
  context.restore();
}

function segment(context, x1, y1, x2, y2, colour, dash) {
  context.save();
  context.strokeStyle = colour;
  context.setLineDash(dash || []);
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
  context.restore();
}

function disc(context, x, y, radius, fill, stroke, opacity = 1) {
  context.save();
  context.globalAlpha = opacity;
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fillStyle = fill;
  context.fill();
  if (stroke) {
    context.strokeStyle = stroke;
    context.stroke();
  }
  context.restore();
}

let tooltipNode = null;

let tooltipPinned = false;

function hideTooltip() {
  if (!tooltipNode || tooltipPinned) return;
  const leaving = tooltipNode;
  tooltipNode = null;
  leaving.style.opacity = '0';
  setTimeout(() => leaving.remove(), 150);
}

/** Shows `content` (see `skin.tooltip`) above a point of the window. */
function showTooltip(content, x, y) {
  if (tooltipPinned) return;
  if (!tooltipNode) {
    tooltipNode = h('div', skin.tooltipAttributes());
    portal().append(tooltipNode);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (tooltipNode) tooltipNode.style.opacity = '1';
      }),
    );
  }
  tooltipNode.replaceChildren(...skin.tooltip(content));
  const box = tooltipNode.getBoundingClientRect();
  const left = Math.min(Math.max(8, x - box.width / 2), window.innerWidth - box.width - 8);
  const top = y - box.height - 14 < 4 ? y + 18 : y - box.height - 14;
  tooltipNode.style.left = `${Math.round(left)}px`;
  tooltipNode.style.top = `${Math.round(top)}px`;
}

/** Keeps a tooltip open so that its links can be clicked. A click elsewhere closes it. */
function pinTooltip(content, x, y) {
  tooltipPinned = false;
  showTooltip(content, x, y);
  tooltipPinned = true;
  const node = tooltipNode;
  node.style.pointerEvents = 'auto';
  const close = (event) => {
    if (node.contains(event.target)) return;
    document.removeEventListener('mousedown', close);
    tooltipPinned = false;
    if (tooltipNode === node) hideTooltip();
  };
  document.addEventListener('mousedown', close);
}

function portal() {
  let node = document.getElementById('overlayPortalContainerId');
  if (!node) {
    node = h('div', { id: 'overlayPortalContainerId' });
    document.body.append(node);
  }
  return node;
}

/**
 * Adds tooltips to a surface. `find(x, y)` returns the mark at a point, and `describe(mark)` its tooltip.
 * It handles at most 20 pointer moves a second, and none while the drawing changes.
 */
function listen(root, find, describe, click) {
  const ready = Date.now() + TRANSITION;
  let last = 0;
  let pending = null;
  const update = (event) => {
    last = Date.now();
    const box = root.getBoundingClientRect();
    const mark = find(event.clientX - box.left, event.clientY - box.top);
    if (mark) showTooltip(describe(mark), event.clientX, event.clientY);
    else hideTooltip();
    root.style.cursor = mark ? 'pointer' : '';
  };
  root.addEventListener('mousemove', (event) => {
    clearTimeout(pending);
    const now = Date.now();
    if (now < ready) return;
    if (now - last >= POINTER_INTERVAL) update(event);
    else pending = setTimeout(() => update(event), POINTER_INTERVAL - (now - last));
  });
  root.addEventListener('mouseleave', () => {
    clearTimeout(pending);
    hideTooltip();
  });
  if (click) {
    root.addEventListener('click', (event) => {
      const box = root.getBoundingClientRect();
      const mark = find(event.clientX - box.left, event.clientY - box.top);
      if (mark) click(mark, event);
    });
  }
}

/** The circle `{ x, y, r }` that contains a point and has the nearest centre. */
function nearestDisc(marks, x, y, slack = 2) {
  let best = null;
  let bestDistance = Infinity;
  for (const mark of marks) {
    const distance = Math.hypot(mark.x - x, mark.y - y);
    if (distance <= mark.r + slack && distance < bestDistance) [best, bestDistance] = [mark, distance];
  }
  return best;
}

/** Linear scale. */
function scale([d0, d1], [r0, r1]) {
  const span = d1 - d0 || 1;
  return (v) => r0 + ((v - d0) / span) * (r1 - r0);
}

/** Round tick positions between two values. */
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * unit).find((candidate) => candidate >= raw);
  const out = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) out.push(Math.abs(v) < step * 1e-9 ? 0 : v);
  return out;
}
