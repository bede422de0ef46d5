// Describes how marks look: small elements without text, and glyphs that a style rotates or colours. Ancestors count
// too: they can rotate or dim a mark, or have the same colour.
function borders(style) {
  const whole = style.border; // empty if the sides differ
  if (/^0px|^\S+ none/.test(whole)) return undefined;
  if (whole) return whole;
  const sides = ['Top', 'Right', 'Bottom', 'Left'].map((side) => {
    const width = style[`border${side}Width`];
    const line = style[`border${side}Style`];
    return line === 'none' || width === '0px' ? '0' : `${width} ${line} ${style[`border${side}Color`]}`;
  });
  if (sides.every((side) => side === '0')) return undefined;
  return sides.every((side) => side === sides[0]) ? sides[0] : sides.join(' / ');
}

const unless = (value, empty) => (value && value !== empty ? value : undefined);

const isNone = (value) => !value || value === 'none';
const UP_OR_DOWN = /[\u2190-\u21ff\u23f6\u23f7\u25b2-\u25bf\u2b06\u2b07\u{1f53c}\u{1f53d}\u{1f800}-\u{1f8ff}]/u;
const DIAMONDS = /[\u25c6\u25c7\u2b16]/;

// The transform from an element's own style: a matrix, a matrix of NaN if it is unknown, or null if there is none.
function ownTurn(style, isBox) {
  const { rotate, scale, transform } = style;
  if (isNone(rotate) && isNone(scale) && isNone(transform)) return null;
  if (!isBox && /^(inline|contents)$/.test(style.display)) return null;
  const turn = isNone(rotate) ? ['0deg'] : rotate.split(' ');
  const angle = turn.pop();
  const axis = { x: '1,0,0', y: '0,1,0' }[turn[0]] || (turn.length === 3 ? turn.join(',') : '0,0,1');
  const [x, y = x, z = 1] = isNone(scale) ? [1] : scale.split(' ');
  try {
    return new DOMMatrix(`rotate3d(${axis},${angle}) scale3d(${x},${y},${z})${isNone(transform) ? '' : ` ${transform}`}`);
  } catch {
    return new DOMMatrix(Array(6).fill(NaN));
  }
}

const parentOf = (el) => holderOf(el) || (el.ownerDocument.defaultView || {}).frameElement || null;
const flat = ({ a, b, c, d }) => new DOMMatrix([a, b, c, d, 0, 0]);

// The combined effect of an element and its ancestors: transform, opacity, filter, and the background behind its
// content.
function through(style, above, isBox) {
  const own = ownTurn(style, isBox);
  const turn = own && above.turn ? (above.deep ? above.turn : flat(above.turn)).multiply(own) : own || above.turn;
  const { backgroundColor, filter } = style;
  const painted = alphaOf(backgroundColor) > 0.5 ? backgroundColor : above.on;
  return {
    turn,
    deep: Boolean(turn && !turn.is2D && style.transformStyle === 'preserve-3d'),
    op: above.op * style.opacity,
    filter: isNone(filter) || /^drop-shadow/.test(filter) ? above.filter : filter,
    on: isNone(style.backgroundImage) ? painted : 'image',
  };
}

// Like `through`, for an element with all its ancestors. Results are cached.
function sight(el, around) {
  if (!el) return { turn: null, deep: false, op: 1, filter: undefined, on: undefined };
  if (!around.sights.has(el)) {
    const isBox = el.namespaceURI === SVG || /^(iframe|img|canvas|video|object|embed)$/.test(el.localName);
    around.sights.set(el, through(getComputedStyle(el), sight(parentOf(el), around), isBox));
  }
  return around.sights.get(el);
}

const turnText = ({ a, b, c, d }) => `matrix(${[a, b, c, d].map((n) => Math.round(n * 1e6) / 1e6).join(', ')}, 0, 0)`;

// The share of `outer` that an inner box takes, as width and height from 0 to 1; empty if it is unclear.
function part(outer, left, top, width, height) {
  const clips = getComputedStyle(outer).overflow !== 'visible';
  const along = (start, size, room) => {
    const end = start + size;
    if (!room || (!clips && size > 0 && (start < -1.5 || end > room + 1.5))) return NaN;
    return Math.max(0, Math.round(((Math.min(room, end) - Math.max(0, start)) / room) * 100) / 100);
  };
  const taken = [along(left, width, outer.clientWidth), along(top, height, outer.clientHeight)];
  return taken.every(Number.isFinite) ? taken : [];
}

const isStill = (style) => [style.transform, style.rotate, style.scale, style.translate].every(isNone);

function partOf(el, style) {
  const outer = el.parentElement;
  const isPlain = isStill(style) && outer && el.offsetParent === outer;
  return isPlain ? part(outer, el.offsetLeft, el.offsetTop, el.offsetWidth, el.offsetHeight) : [];
}

function partOfAdded(el, style, width, height) {
  const [left, top] = [parseFloat(style.left) || 0, parseFloat(style.top) || 0];
  const isPlain = isStill(style) && (style.position === 'absolute' || (left === 0 && top === 0));
  return isPlain ? part(el, left, top, width, height) : [];
}

// Extra properties of a rotated drawing or filled box. They distinguish squares that are rotated by 45 degrees.
function filled(style, seen, on) {
  return {
    op: seen.op === 1 ? undefined : Math.round(seen.op * 1000) / 1000,
    filter: seen.filter,
    on,
    sh: unless(style.boxShadow, 'none'),
    bgs: isNone(style.backgroundImage) ? undefined : unless(style.backgroundSize, 'auto'),
    mask: unless(style.maskImage, 'none'),
  };
}

// The appearance of a small element without text. Undefined properties are omitted.
function appearance(style, width, height, isSvg, turn, more) {
  return {
    bg: isSvg ? undefined : style.backgroundColor,
    fill: isSvg ? style.fill : undefined,
    stroke: isSvg ? unless(style.stroke, 'none') : undefined,
    tf: turn ? turnText(turn) : undefined,
    bd: borders(style),
    bgi: unless(style.backgroundImage, 'none'),
    clip: unless(style.clipPath, 'none'),
    w: Math.round(width * 10) / 10,
    h: Math.round(height * 10) / 10,
    ...more,
  };
}

// A part of a drawing carries only its own transform; the outer `svg` carries the rest.
function lookOf(el, style, box, isSvg, around) {
  if (isSvg && around.inSvg) {
    const seen = { op: style.opacity * style.fillOpacity, filter: unless(style.filter, 'none') };
    return appearance(style, box.width, box.height, true, ownTurn(style, true), filled(style, seen));
  }
  const seen = sight(el, around);
  const above = sight(parentOf(el), around);
  if (isSvg) return appearance(style, box.width, box.height, true, seen.turn, filled(style, seen, seen.on));
  const more = seen.turn && { size: [el.offsetWidth, el.offsetHeight], ...filled(style, seen, above.on) };
  if (more && above.turn) more.part = partOf(el, style);
  return appearance(style, box.width, box.height, isSvg, seen.turn, more);
}

function lookOfAdded(el, style, width, height, around) {
  const above = sight(el, around);
  const seen = through(style, above, false);
  const more = seen.turn && { size: [width, height], ...filled(style, seen, above.on) };
  if (more && above.turn) more.part = partOfAdded(el, style, width, height);
  return appearance(style, width, height, false, seen.turn, more);
}

function ownText(el) {
  let text = '';
  for (const node of childNodesOf(el)) if (node.nodeType === 3) text += node.data;
  return text;
}

// A text arrow points where its element is rotated to, and text diamonds may differ only in colour.
function glyphs(name, text, style, sightOf) {
  const diamonds = DIAMONDS.test(text);
  if (!diamonds && !UP_OR_DOWN.test(text)) return '';
  const seen = sightOf();
  if (!diamonds && !seen.turn) return '';
  const colour = diamonds ? { fg: style.color, op: seen.op, filter: seen.filter, on: seen.on } : {};
  return attribute(name, JSON.stringify({ tf: seen.turn ? turnText(seen.turn) : undefined, ...colour }));
}
