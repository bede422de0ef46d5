// A treemap: squarified cells on a canvas, with labels as positioned elements above it.

/** Squarified layout of `items` (`value` > 0, sorted) in a rectangle; sets x, y, w, h on each. */
function squarify(items, x, y, w, hgt) {
  const total = items.reduce((sum, item) => sum + item.value, 0);
  if (!items.length || total <= 0 || w <= 0 || hgt <= 0) return;
  const factor = (w * hgt) / total;
  let start = 0;
  while (start < items.length) {
    const side = Math.min(w, hgt);
    let end = start;
    let sum = 0;
    let worst = Infinity;
    while (end < items.length) {
      const next = sum + items[end].value * factor;
      const largest = items[start].value * factor;
      const smallest = items[end].value * factor;
      const ratio = Math.max((side * side * largest) / (next * next), (next * next) / (side * side * smallest));
      if (ratio > worst) break;
      [worst, sum, end] = [ratio, next, end + 1];
    }
    const thickness = sum / side;
    let along = 0;
    for (const item of items.slice(start, end)) {
      const length = (item.value * factor) / thickness;
      if (w >= hgt) Object.assign(item, { x, y: y + along, w: thickness, h: length });
      else Object.assign(item, { x: x + along, y, w: length, h: thickness });
      along += length;
    }
    if (w >= hgt) [x, w] = [x + thickness, w - thickness];
    else [y, hgt] = [y + thickness, hgt - thickness];
    start = end;
  }
}

// Text width is proportional to font size, so each text is measured only once. Measuring every size is slow.
const measure = (() => {
  let context = null;
  const widths = new Map();
  return (text, size) => {
    if (!widths.has(text)) {
      context = context || document.createElement('canvas').getContext('2d');
      context.font = `600 100px ${FONT}`;
      widths.set(text, context.measureText(text).width / 100);
    }
    return widths.get(text) * size;
  };
})();

/** The lines of a text wrapped to a width, or null if a word is wider. */
function wrap(text, size, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (measure(word, size) > width) return null;
    const longer = line ? `${line} ${word}` : word;
    if (measure(longer, size) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

const SMALLEST = 8;
const LARGEST = 22;
const LEADING = 1.15;

function fittingSize(text, width, height) {
  for (let size = LARGEST; size >= SMALLEST; size -= 1) {
    const lines = wrap(text, size, width);
    if (lines && lines.length * size * LEADING <= height) return size;
  }
  return 0;
}

/** Shortens a name to fit at the smallest size; '' if fewer than three lines fit. */
function cut(text, width, height) {
  const rows = Math.floor(height / (SMALLEST * LEADING));
  if (rows < 3 || width < 24) return '';
  let room = width * rows * 0.85;
  let out = '';
  for (const letter of text) {
    room -= measure(letter, SMALLEST);
    if (room < measure('…', SMALLEST)) break;
    out += letter;
  }
  return out.length < 4 || out.length === text.length ? '' : `${out.trimEnd()}…`;
}

/** The label that fits into a cell: `{ name, size, margin, value, valueSize }`. */
function labelling(cell, name, value) {
  const nameHeight = cell.h * 0.8;
  const valueHeight = cell.h * 0.2;
  const fitted = { name: '', value: '', margin: 4 };
  fitted.size = fittingSize(name, cell.w - 8, nameHeight - 6);
  if (!fitted.size) {
    fitted.size = fittingSize(name, cell.w - 2, nameHeight);
    fitted.margin = 1;
  }
  if (fitted.size) fitted.name = name;
  else {
    fitted.name = cut(name, cell.w - 2, nameHeight);
    fitted.size = SMALLEST;
  }
  const room = Math.min(LARGEST * 0.9, Math.floor(Math.max(valueHeight, fitted.name ? 0 : Math.min(cell.h, 14))));
  for (let size = room; size >= SMALLEST; size -= 1) {
    if (measure(value, size) <= cell.w - 2) {
      fitted.value = value;
      fitted.valueSize = size;
      break;
    }
  }
  if (!fitted.value && fitted.name && cell.h < 28) fitted.name = '';
  return fitted;
}

/**
 * A treemap. Cells are `{ value, name, text, group, colour, tooltip }`. Cells without a positive value are left out.
 * Groups, and the cells inside them, are in descending order.
 */
function treemap(cells, width, height, options = {}) {
  const groups = new Map();
  for (const cell of cells) {
    if (!(cell.value > 0)) continue;
    if (!groups.has(cell.group)) groups.set(cell.group, { value: 0, cells: [] });
    const group = groups.get(cell.group);
    group.value += cell.value;
    group.cells.push({ ...cell });
  }
  const ordered = [...groups.values()].sort((one, other) => other.value - one.value);
  squarify(ordered, 0, 0, width, height);
  const placed = [];
  for (const group of ordered) {
    group.cells.sort((one, other) => other.value - one.value);
    squarify(group.cells, group.x, group.y, group.w, group.h);
    placed.push(...group.cells);
  }
  const total = ordered.reduce((sum, group) => sum + group.value, 0);
  const spoken20 = placed
    .slice(0, 20)
    .map((cell) => `${cell.name} makes up ${((cell.value / total) * 100).toFixed(3)}%`)
    .join(', ');
  const drawn = surface(
    width,
    height,
    (context) => {
      context.strokeStyle = '#ffffff';
      context.lineWidth = 1;
      for (const cell of placed) {
        context.fillStyle = cell.colour;
        context.fillRect(cell.x, cell.y, cell.w, cell.h);
        if (cell.w > 2 && cell.h > 2) context.strokeRect(cell.x, cell.y, cell.w, cell.h);
      }
    },
    spoken20,
  );
  const overlay = h('div', { class: skin.treemapClass('master'), style: { opacity: '0' } });
  for (const cell of placed) {
    if (cell.w < 18 || cell.h < 9) continue;
    const fitted = labelling(cell, cell.name, cell.text);
    overlay.append(...skin.cellLabels(cell, fitted));
  }
  drawn.root.append(overlay);
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      overlay.style.opacity = '1';
    }),
  );
  const under = (x, y) => placed.find((cell) => x >= cell.x && x < cell.x + cell.w && y >= cell.y && y < cell.y + cell.h);
  listen(drawn.root, under, (cell) => cell.tooltip(total), options.click);
  return drawn.root;
}

/** A treemap that is drawn again when its controls change. Old and new labels coexist for a moment. */
function changingTreemap(make) {
  const host = h('div', { class: c('Surface') });
  const draw = () => {
    const next = make();
    const previous = [...host.children];
    host.append(next);
    if (previous.length) {
      next.style.position = 'absolute';
      next.style.inset = '0';
      setTimeout(() => {
        previous.forEach((node) => node.remove());
        next.style.position = '';
      }, TRANSITION);
    }
  };
  draw();
  return { host, draw };
}
