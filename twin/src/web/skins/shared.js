// Drawings that are the same in every style.

/** A pie chart of weights in percent. */
function pieDrawing(parts, colours, size) {
  let angle = -Math.PI / 2;
  const middle = size / 2;
  return s(
    'svg',
    { width: size, height: size, viewBox: `0 0 ${size} ${size}` },
    parts.map((part, index) => {
      const next = angle + (part / 100) * Math.PI * 2;
      const point = (a) => `${(middle + Math.cos(a) * middle).toFixed(2)} ${(middle + Math.sin(a) * middle).toFixed(2)}`;
      const path = `M${middle} ${middle}L${point(angle)}A${middle} ${middle} 0 ${part > 50 ? 1 : 0} 1 ${point(next)}Z`;
      angle = next;
      return s('path', { d: path, fill: colours[index], stroke: '#fff' });
    }),
  );
}

const WEIGHT_NAMES = ['weight.distance', 'weight.complexity', 'weight.gain'].map((key) => wording(key));
const WEIGHT_COLOURS = ['#2b7f9e', '#de8a54', '#7bc8a4'];

/** A globe with meridians and parallels. */
function globeDrawing(size) {
  const middle = size / 2;
  const radius = middle - 4;
  const lines = [];
  for (const part of [0.3, 0.62, 0.88]) {
    lines.push(s('ellipse', { cx: middle, cy: middle, rx: radius * part, ry: radius }));
  }
  for (const part of [-0.75, -0.4, 0, 0.4, 0.75]) {
    const half = radius * Math.sqrt(1 - part * part);
    lines.push(s('line', { x1: middle - half, x2: middle + half, y1: middle + radius * part, y2: middle + radius * part }));
  }
  return s(
    'svg',
    { width: size, height: size, viewBox: `0 0 ${size} ${size}` },
    s('circle', { cx: middle, cy: middle, r: radius, fill: '#2c4a78', stroke: '#5f86bd', 'stroke-width': 2 }),
    s('g', { fill: 'none', stroke: '#5f86bd', 'stroke-width': 1, opacity: 0.7 }, lines),
    s('path', {
      fill: '#6fb7a5',
      opacity: 0.85,
      d:
        `M${middle * 0.7} ${middle * 0.5}q${middle * 0.3} -${middle * 0.2} ${middle * 0.5} 0t${middle * 0.1} ${middle * 0.5}q-${middle * 0.1} ` +
        `${middle * 0.3} -${middle * 0.3} ${middle * 0.5}t-${middle * 0.25} -${middle * 0.35}q-${middle * 0.3} -${middle * 0.2} -${middle * 0.05} -${middle * 0.65}z`,
    }),
  );
}

/** The background of one square of a rating: full, half (diagonal), or empty. */
function squareFill(rating, index, colour) {
  if (rating >= index + 1) return { backgroundColor: colour };
  if (rating >= index + 0.5) return { backgroundImage: `linear-gradient(135deg, ${colour} 50%, transparent 50%)` };
  return { backgroundColor: 'transparent' };
}

const COUNTRY_GROUPS = [
  ['', ['introduction']],
  [wording('group.structure'), ['export-basket', 'export-complexity']],
  [wording('group.market'), ['growth-dynamics', 'market-share', 'new-products']],
  [wording('group.strategy'), ['product-space', 'paths', 'strategic-approach']],
  [wording('group.opportunities'), ['growth-opportunities', 'product-table']],
  ['', ['summary']],
];

/** The state of a menu that opens below a button. It closes on a choice or on a click elsewhere. */
function menuState(list) {
  let open = false;
  const set = (next) => {
    open = next;
    list.style.display = open ? '' : 'none';
  };
  set(false);
  document.addEventListener('click', () => set(false));
  return {
    toggle: (event) => {
      event.stopPropagation();
      set(!open);
    },
    close: () => set(false),
    show: () => set(true),
  };
}
