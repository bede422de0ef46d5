// Finds text that masks hide. Gradients are evaluated. What a mask picture hides is unknown, so text under one counts
// as hidden. Fades at the edge of a scroller hide nothing, because their content can be scrolled into view.
const VEILED = 0.1;
const SAMPLES = 40;
const alphaOf = (colour) => {
  if (colour === 'transparent') return 0;
  const [, alpha = '1'] = /(?:^rgba.*, |\/ )([\d.]+%?)\)$/.exec(colour) || [];
  return /%$/.test(alpha) ? parseFloat(alpha) / 100 : Number(alpha);
};

// Splits a list at its commas, except inside brackets.
function partsOf(text) {
  const parts = [''];
  let depth = 0;
  for (const c of text) {
    if (c === '(') depth += 1;
    if (c === ')') depth -= 1;
    if (c === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim());
}

// The position of a colour stop along a line of `length` pixels, from 0 to 1: undefined if not given, NaN if unclear.
function offsetOf(text, length) {
  if (!text) return undefined;
  const sum = /^calc\(([^()]*)\)$/.exec(text);
  const terms = (sum ? sum[1].replace(/ ([+-]) /g, ' $1') : text).split(' ');
  return terms.reduce((all, term) => {
    const [, number, unit] = /^([+-]?[\d.]+)(%|px)$/.exec(term) || [];
    return all + (unit === '%' ? number / 100 : unit ? number / length : NaN);
  }, 0);
}

const SIDES = { 'to top': 0, 'to right': 90, 'to bottom': 180, 'to left': 270 };
const TURNS = { deg: 1, turn: 360, grad: 0.9, rad: 180 / Math.PI };

// The colour stops of a gradient with their positions and alpha values, and its direction; null if it is unclear.
function gradientOf(layer, width, height) {
  const [, kind, inner] = /^(?:-webkit-)?(linear|radial|conic)-gradient\((.*)\)$/.exec(layer) || [];
  if (!kind) return null;
  const parts = partsOf(inner);
  const [, number, unit] = /^(-?[\d.]+)(deg|turn|grad|rad)$/.exec(parts[0]) || [];
  const degrees = unit ? number * TURNS[unit] : SIDES[parts[0]];
  const isColour = /^(rgb|color|transparent|#|lab|lch|ok|hsl)/.test(parts[0]);
  if (!isColour) parts.shift();
  const angle = ((isColour ? 180 : degrees) * Math.PI) / 180;
  const along = [Math.sin(angle), -Math.cos(angle)];
  const length = Math.abs(width * along[0]) + Math.abs(height * along[1]);
  const stops = [];
  for (const part of parts) {
    const [, colour, rest] = /^([a-z]+(?:\([^()]*\))?|#\w+)((?: .*)?)$/.exec(part) || [];
    if (!colour) return null;
    const places = rest.trim() ? rest.trim().match(/calc\([^()]*\)|\S+/g) : [''];
    for (const place of places) stops.push([offsetOf(place, length), alphaOf(colour)]);
  }
  const alphas = stops.map(([, alpha]) => alpha);
  const [least, most] = [Math.min(...alphas), Math.max(...alphas)];
  const isPlain = kind === 'linear' && stops.length > 1 && Number.isFinite(angle)
    && stops.every(([place]) => place === undefined || Number.isFinite(place));
  if (!isPlain) return { least, most };
  if (stops[0][0] === undefined) stops[0][0] = 0;
  if (stops[stops.length - 1][0] === undefined) stops[stops.length - 1][0] = 1;
  for (let at = 1; at < stops.length; at += 1) {
    if (stops[at][0] !== undefined) { stops[at][0] = Math.max(stops[at][0], stops[at - 1][0]); continue; }
    const next = stops.findIndex(([place], other) => other > at && place !== undefined);
    const before = stops[at - 1][0];
    stops[at][0] = before + Math.max(0, stops[next][0] - before) / (next - at + 1);
  }
  return { least, most, stops, along, length };
}

// The visible share at a point of a box, from 0 to 1.
function shownAt({ stops, along, length, least, most }, x, y, width, height) {
  if (least === most) return least;
  if (!stops) return least > VEILED ? least : 0;
  const place = 0.5 + ((x - width / 2) * along[0] + (y - height / 2) * along[1]) / length;
  const next = stops.findIndex(([at]) => at >= place);
  if (next === 0) return stops[0][1];
  if (next < 0) return stops[stops.length - 1][1];
  const [[from, a], [to, b]] = [stops[next - 1], stops[next]];
  return to > from ? a + ((b - a) * (place - from)) / (to - from) : b;
}

// The effect of an element's mask, or null. `nothing`: the mask hides everything, as far as is known.
function veilOf(style, box, turnOf) {
  const image = style.maskImage || style.webkitMaskImage;
  const border = style.webkitMaskBoxImageSource;
  if (isNone(image) && isNone(border)) return null;
  if (isNone(image) || !isNone(border)) return { box, layers: null };
  const { width, height } = box;
  const layers = partsOf(image).map((layer) => gradientOf(layer, width, height));
  if (layers.every((layer) => layer && layer.most <= VEILED)) return { box, layers, nothing: true };
  const each = (value, plain) => partsOf(value || '').every((one) => one === '' || plain.test(one));
  const turn = turnOf && turnOf();
  const isUpright = !turn || (turn.is2D && turn.b === 0 && turn.c === 0 && turn.a > 0 && turn.d > 0);
  const fills = layers.every(Boolean) && isUpright && each(style.maskSize, /^(auto( auto)?|100% 100%|cover|contain)$/)
    && each(style.maskMode, /^(match-source|alpha)$/) && each(style.maskComposite, /^(add|intersect|source-over|source-in)$/)
    && each(style.maskPosition, /^0(%|px) 0(%|px)$/);
  if (!fills) return { box, layers: null };
  const meets = /intersect|source-in/.test(style.maskComposite || '');
  return { box, layers, meets, free: { x: false, y: false } };
}

// The masks inside an element that scrolls: its content can be scrolled past a fade.
function veilsOfScroller(veils, el) {
  const x = el.scrollWidth > el.clientWidth + 1;
  const y = el.scrollHeight > el.clientHeight + 1;
  return veils.map((veil) => (veil.free ? { ...veil, free: { x: veil.free.x || x, y: veil.free.y || y } } : veil));
}

const veilsInFrame = (veils, frame) => veils.map((veil) => {
  const { left, top, width, height } = veil.box;
  return { ...veil, box: { left: left - frame.left, top: top - frame.top, width, height } };
});

// The share of one point that a mask leaves visible.
function letsThrough({ box, layers, meets, free }, x, y) {
  if (!layers) return 0;
  const spread = (size) => Array.from({ length: SAMPLES + 1 }, (_, at) => (size * at) / SAMPLES);
  const xs = free.x ? spread(box.width) : [x - box.left];
  const ys = free.y ? spread(box.height) : [y - box.top];
  let most = 0;
  for (const left of xs) {
    for (const top of ys) {
      if (left < -1 || top < -1 || left > box.width + 1 || top > box.height + 1) continue;
      const shown = layers.map((layer) => shownAt(layer, left, top, box.width, box.height));
      most = Math.max(most, meets ? Math.min(...shown) : Math.max(...shown));
    }
  }
  return most;
}

// Returns whether a mask hides text in these boxes at the start, in the middle or at the end.
function isVeiled(veils, boxes) {
  return veils.some((veil) => veil.nothing || [...boxes].some((box) => {
    if (!hasArea(box)) return false;
    const y = (box.top + box.bottom) / 2;
    const inset = Math.min(1, box.width / 2);
    const xs = [box.left + inset, (box.left + box.right) / 2, box.right - inset];
    return xs.some((x) => letsThrough(veil, x, y) <= VEILED);
  }));
}

function wordsAreVeiled(veils, el) {
  return [...childNodesOf(el)].some(
    (node) => node.nodeType === 3 && node.data.trim() && isVeiled(veils, rangeOf(node).getClientRects()));
}
