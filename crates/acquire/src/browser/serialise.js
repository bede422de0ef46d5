// Writes an element as markup. Attributes `data-agt-*` hold what only a browser knows (see `Capture`).
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const DROPPED = new Set('script style noscript template'.split(' '));
const INLINE = new Set(('a abbr acronym audio b bdi bdo big br button canvas cite code data del dfn em embed font i '
  + 'iframe img input ins kbd label mark meter object output picture progress q ruby rb rt rp s samp select slot small '
  + 'span strike strong sub sup svg textarea time tt u var video wbr math').split(' '));
const UNPAINTED = new Set('title desc defs metadata symbol clippath mask lineargradient radialgradient'.split(' '));
const BLOCKS = 'div,p,ul,ol,dl,table,section,article,header,footer,h1,h2,h3,h4,h5,h6,form,hr,pre,blockquote,nav,aside';
const SVG = 'http://www.w3.org/2000/svg';
const SMALL = 40;
// Marks with these tags are written only once each (see `share`). Other marks keep their place, as cells, options or
// controls.
const SHARED = new Set('span i b em small div svg'.split(' '));
const CLEAR = 'rgba(0, 0, 0, 0)';
const FAINT = 0.05;
const NOT_PAINTED = /\bopacity\(0(\.0\d*)?%?\)/;
const MAX_INDENT = 200; // pixels: a larger indent moves text out of view
const GAP = 0.13; // in line heights: about the narrowest space

// Reading one property of a computed style takes about a microsecond, and a page has tens of thousands of elements.
// So the code reads shorthands, reads only what it needs, and reads the window's position only once.
const escapeText = (text) => (/[&<>]/.test(text) ? text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : text);
const escapeValue = (text) => (/[&"\u00a0]/.test(text)
  ? text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/\u00a0/g, '&nbsp;') : text);
const attribute = (name, value) => ` ${name}="${escapeValue(value)}"`;

// Returns whether attributes with this name are written.
const names = new Map();
function isWritten(name) {
  if (!names.has(name)) names.set(name, !/^on|^data-agt-|^srcdoc$/i.test(name) && /^[^\s"'<>/=]+$/.test(name));
  return names.get(name);
}

function ownAttributes(el) {
  let out = '';
  const all = el.attributes;
  for (let at = 0; at < all.length; at += 1) {
    const { name, value } = all[at];
    if (!isWritten(name)) continue;
    const long = value.length > 200 && /^\s*data:/i.test(value);
    out += attribute(name, long ? `${value.slice(0, 64)}…` : value);
  }
  return out;
}

function pseudoText(style, el, veils) {
  const content = style.content;
  if (!content || content === 'none' || content === 'normal' || style.display === 'none') return null;
  if (style.visibility !== 'visible' || style.opacity === '0') return null;
  let text = '';
  for (const [, quoted, name] of content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)/g)) {
    text += name ? el.getAttribute(name) || '' : quoted.replace(/\\(.)/g, '$1');
  }
  const box = el.getBoundingClientRect();
  const own = veilOf(style, box, null);
  const fits = !own || (own.layers && own.layers.every((layer) => layer && layer.least > VEILED));
  return (text && (!fits || isVeiled(veils, [box]))) || (own && own.nothing) ? null : text;
}

// Returns whether style or position hides an element with all its content. `plain`: its style makes it visible.
function hidesAll(el, style, display, plain, box, around) {
  if (!plain && (display === 'none' || style.opacity === '0')) return true;
  const parent = el.parentElement;
  if (parent && parent.localName === 'details' && !parent.open && el.localName !== 'summary') return true;
  if (display === 'contents' || display === 'inline') return false;
  if ((box.width <= 1 || box.height <= 1) && style.overflow !== 'visible') return true;
  if (el.firstChild && (style.opacity < FAINT || leavesNothing(style.clipPath) || NOT_PAINTED.test(style.filter))) return true;
  const { clip } = style;
  if (clip !== 'auto' && /absolute|fixed/.test(style.position) && /^rect\((\s*[01]px,?){4}\)$/.test(clip)) return true;
  if (around.inScroller || !hasArea(box)) return false;
  const left = box.left + around.x;
  const top = box.top + around.y;
  return left + box.width <= 0 || top + box.height <= 0 || left >= around.edge;
}

// Returns whether a clip path hides the whole element.
function leavesNothing(path) {
  if (path === 'none') return false;
  if (/^(circle|ellipse)\(0(px|%)/.test(path)) return true;
  const inset = /^inset\(([^()]*?)( round [^()]*)?\)$/.exec(path);
  if (inset) {
    const shares = inset[1].split(' ').map((one) => (/%$/.test(one) ? parseFloat(one) : 0));
    const [top, right = top, bottom = top, left = right] = shares;
    return top + bottom >= 100 || left + right >= 100;
  }
  const polygon = /^polygon\(([^()]*)\)$/.exec(path);
  return Boolean(polygon) && new Set(polygon[1].split(',').map((point) => point.trim())).size < 3;
}

// The element that holds `el` in its own document.
const holderOf = (el) => el.assignedSlot || el.parentElement || el.getRootNode().host || null;
const isOpen = (el) => el === document.documentElement || el === document.body;

// Returns whether ancestors that clip and do not scroll hide a whole box, such as a slide of a carousel. The inherited
// clip is right for most elements; an element out of the flow is clipped only by its containing blocks.
function isCutOff(el, box, { clip }) {
  if (!clip || !hasArea(box) || !missesAll(box, clip)) return false;
  let left = box;
  let { position } = getComputedStyle(el);
  for (let at = holderOf(el); at && !isOpen(at); at = holderOf(at)) {
    const style = getComputedStyle(at);
    const holds = position === 'absolute' ? style.position !== 'static' || !isStill(style)
      : position !== 'fixed' || !isStill(style);
    if (!holds) continue;
    position = style.position;
    if (/auto|scroll/.test(style.overflow)) return false;
    if (!/^(hidden|clip)$/.test(style.overflow) || /^(inline|contents)$/.test(style.display)) continue;
    const frame = at.getBoundingClientRect();
    if (missesAll(left, frame)) return true;
    left = meet(left, frame);
  }
  return false;
}

const meet = (a, b) => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});
const missesAll = (a, b) => a.right - b.left < 1 || b.right - a.left < 1 || a.bottom - b.top < 1 || b.bottom - a.top < 1;

// Returns whether an element's own text is transparent or far out of view.
function hidesWords(el, style, box, around) {
  if (/^rgba\(.+, 0\)$|\/ 0\)$/.test(style.color) && style.textShadow === 'none') {
    let at = el;
    while (at && !/text/.test(getComputedStyle(at).backgroundClip)) at = holderOf(at);
    if (!at) return true;
  }
  if (!(parseFloat(style.textIndent) < -MAX_INDENT)) return false;
  const end = style.overflow === 'visible' ? -around.x : box.left;
  return [...rangeOf(el).getClientRects()].every((one) => one.right <= end);
}

// Returns whether an element faces away from the reader and hides its back.
function isTurnedAway(el) {
  if (getComputedStyle(el).backfaceVisibility !== 'hidden') return false;
  let matrix = new DOMMatrix();
  for (let at = el; at; at = holderOf(at)) {
    const own = ownTurn(getComputedStyle(at), true);
    if (own) matrix = own.multiply(matrix);
    const around = holderOf(at);
    if (!around || getComputedStyle(around).transformStyle !== 'preserve-3d') break;
  }
  return matrix.m33 < 0;
}

// The invisible one of two elements in the same place, or null.
function hiddenOf(lower, upper) {
  if (isTurnedAway(upper.el)) return upper;
  if (isTurnedAway(lower.el)) return lower;
  const [a, b] = [lower, upper].map(({ el }) => getComputedStyle(el));
  const level = (style) => (style.position === 'static' ? -0.5 : parseInt(style.zIndex, 10) || 0);
  const [under, over] = level(a) > level(b) ? [upper, a] : [lower, b];
  return /^rgb\(/.test(over.backgroundColor) && over.opacity === '1' ? under : null;
}

const SAME = 2;
function hideCovered(faces, out) {
  for (let at = 1; at < faces.length; at += 1) {
    const [lower, upper] = [faces[at - 1], faces[at]];
    const [a, b] = [lower.box, upper.box];
    if (Math.abs(a.left - b.left) > SAME || Math.abs(a.top - b.top) > SAME) continue;
    if (Math.abs(a.right - b.right) > SAME || Math.abs(a.bottom - b.bottom) > SAME) continue;
    const unseen = hiddenOf(lower, upper);
    if (!unseen) continue;
    const bare = out[unseen.start].replace(/ data-agt-d="."/, '');
    out[unseen.start] = bare.replace(/^<[^\s>]+/, '$& data-agt-d="n"');
  }
}

// Returns whether a margin, a padding or a raised baseline separates two texts that are adjacent in the markup.
function isApart(before, behind) {
  if (!/[\p{L}\p{N}%]$/u.test(before.data) || !/^[\p{L}\p{N}$]/u.test(behind.data)) return false;
  if (/^(st|nd|rd|th|[kMBT])(?![\p{L}\p{N}])/u.test(behind.data)) return false;
  const [a, b] = [letterBox(before, before.data.length - 1), letterBox(behind, 0)];
  if (!a.width || !b.width) return false;
  const apart = b.left - a.right > Math.min(a.height, b.height) * GAP;
  return apart || b.bottom < a.bottom - a.height / 4 || b.top > a.bottom - a.height / 4;
}

function controlValue(el) {
  if (el.localName === 'select') return squash([...el.selectedOptions].map((one) => one.text).join(', '));
  if (el.localName === 'textarea') return el.value;
  if (el.localName !== 'input' || /^(password|hidden|file)$/.test(el.type)) return null;
  return /^(checkbox|radio)$/.test(el.type) ? (el.checked ? 'on' : 'off') : el.value;
}

function childNodesOf(el) {
  if (el.shadowRoot) return el.shadowRoot.childNodes;
  if (el.localName === 'slot') {
    const assigned = el.assignedNodes();
    if (assigned.length) return assigned;
  }
  return el.childNodes;
}

function frameBody(el) {
  if (el.localName !== 'iframe') return null;
  try { return el.contentDocument && el.contentDocument.body; } catch { return null; }
}

function numberOf(markup, marks) {
  if (!marks.has(markup)) marks.set(markup, marks.size);
  return marks.get(markup);
}

// A page repeats its marks thousands of times: diamonds, swatches, arrows. The markup from `start` on is stored once in
// `around.marks`, and its number is written instead. Adjacent marks share one element.
function share(out, start, around) {
  const markup = out.splice(start).join('');
  const number = numberOf(markup, around.marks);
  const before = /^<i data-agt-marks="([\d ]+)"><\/i>$/.exec(out[start - 1] || '');
  if (before) out[start - 1] = `<i data-agt-marks="${before[1]} ${number}"></i>`;
  else out.push(`<i data-agt-marks="${number}"></i>`);
}

// The stored markup of an element, with its marks renumbered for the whole document.
function renumbered({ html, marks: own }, marks) {
  const markups = [...own.keys()];
  return html.replace(/<i data-agt-marks="([\d ]+)">/g, (_, all) => (
    `<i data-agt-marks="${all.split(' ').map((one) => numberOf(markups[one], marks)).join(' ')}">`));
}

// Writes `el` to `out`. Returns whether its subtree holds text, and whether any of it is visible.
function write(el, out, around) {
  const tag = el.localName;
  if (DROPPED.has(tag)) return { text: false, seen: false };
  const start = out.push('') - 1;
  const isSvg = el.namespaceURI === SVG;
  const frame = frameBody(el);
  // Parsers close a paragraph before a block and read a frame as plain text, so both get another tag name.
  const name = frame || (tag === 'p' && el.querySelector(BLOCKS)) ? 'div' : tag;
  let extra = name !== tag ? attribute('data-agt-tag', tag) : '';

  const style = around.hidden ? null : getComputedStyle(el);
  const box = around.hidden ? null : el.getBoundingClientRect();
  const plain = !around.hidden && isVisible(el);
  const display = around.hidden ? '' : style.display;
  const veil = /^(|none|contents)$/.test(display) ? null : veilOf(style, box, () => sight(el, around).turn);
  const hidden = around.hidden || UNPAINTED.has(tag.toLowerCase()) || Boolean(veil && veil.nothing)
    || hidesAll(el, style, display, plain, box, around);
  const flows = /^(inline|contents)$/.test(display);
  // inline content is visible where its line is, even if its own end is clipped
  const cutOff = !hidden && (flows || (isSvg && tag !== 'svg') ? around.cutOff : isCutOff(el, box, around));
  let shows = !hidden && !cutOff && (plain || style.visibility === 'visible');
  const isSmall = !hidden && box.width <= SMALL && box.height <= SMALL && box.width + box.height > 0;
  const isParent = frame || el.firstElementChild || el.shadowRoot || tag === 'slot';
  const overflow = !hidden && isParent && !isOpen(el) ? style.overflow : '';
  const within = {
    ...around,
    hidden: hidden || (isParent && style.contentVisibility === 'hidden') || /^(canvas|video|audio|object)$/.test(tag),
    smallSvg: tag === 'svg' ? isSmall : around.smallSvg,
    inSvg: around.inSvg || isSvg,
    inScroller: around.inScroller || el === around.scroller || /auto|scroll/.test(overflow),
    cutOff,
    veils: veil ? [...around.veils, veil] : around.veils,
  };
  if (within.veils.length && !hidden && /auto|scroll/.test(style.overflow)) within.veils = veilsOfScroller(within.veils, el);
  const { veils } = within;
  if (frame && veils.length) within.veils = veilsInFrame(veils, box);
  if (frame || el === around.scroller || /auto|scroll/.test(overflow)) within.clip = null;
  else if (!isSvg && !flows && /^(hidden|clip)$/.test(overflow)) within.clip = around.clip ? meet(around.clip, box) : box;
  const block = !hidden && !/^(inline|contents|ruby)/.test(display);
  if (block || tag === 'br') around.line.last = null;
  if (!hidden && el === around.scroller) { within.dx += el.scrollLeft; within.dy += el.scrollTop; }
  if (frame) { within.dx += box ? box.left : 0; within.dy += box ? box.top : 0; }

  let direct = false;
  let text = false;
  let seen = false;
  let marked = false;
  const written = [];
  const faces = [];
  const before = around.line.before;
  const pieces = /flex|grid/.test(display) ? [] : null;
  const kept = page.kept.get(el);
  if (kept && kept.html !== null) {
    out.push(renumbered(kept, around.marks));
    text = true;
    seen = !hidden && !cutOff;
  }
  for (const child of kept && kept.html !== null ? [] : frame ? [frame] : childNodesOf(el)) {
    if (child.nodeType === 3) {
      const blank = child.data.trim() === '';
      if (!blank) { direct = true; text = true; }
      if (!blank && shows && around.line.last && isApart(around.line.last, child)) out.push('<i data-agt-gap=""></i>');
      if (child.data && (blank || shows)) around.line.last = blank || /\s$/.test(child.data) ? null : child;
      if (!blank) written.push(out.length);
      if (!blank && shows) around.line.before = child;
      if (!blank && shows && pieces) pieces.push({ node: child, at: out.length });
      out.push(escapeText(child.data));
    } else if (child.nodeType === 1) {
      if (tag === 'select' || tag === 'optgroup') {
        writeOption(child, out);
      } else {
        const result = write(child, out, within);
        text = text || result.text;
        seen = seen || result.seen;
        if (pieces && result.text && result.seen) pieces.push({ node: child, at: result.start });
        if (result.text && result.seen && result.box) faces.push({ el: child, start: result.start, box: result.box });
      }
    }
  }
  if (faces.length > 1) hideCovered(faces, out);
  if (pieces && pieces.length > 1) joinPieces(pieces, out);
  if (block) around.line.last = null;
  if (direct && shows && !isSvg && hidesWords(el, style, box, around)) shows = false;
  if (direct && shows && veils.length && wordsAreVeiled(veils, el)) shows = false;
  if (shows && !seen) {
    seen = hasArea(box)
      || (direct && [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim()
        && [...rangeOf(node).getClientRects()].some(hasArea)));
  }
  // The element itself is hidden, but has visible parts: only its own text is hidden.
  if (!hidden && !shows && seen) {
    for (const at of written) out[at] = `<span data-agt-d="n">${out[at]}</span>`;
  }

  const outline = () => [box.left + around.x + around.dx, box.top + around.y + around.dy, box.width, box.height]
    .map((n) => Math.round(n)).join(',');
  if (!hidden) {
    const value = controlValue(el);
    if (value !== null && !isVeiled(veils, [box])) extra += attribute('data-agt-value', value);
    if (seen && !isSvg && around.generates(el)) {
      for (const key of ['before', 'after']) {
        const pseudo = getComputedStyle(el, `::${key}`);
        const added = pseudoText(pseudo, el, veils);
        if (added) {
          extra += attribute(`data-agt-${key}`, added);
          extra += glyphs(`data-agt-glyph-${key}`, added, pseudo, () => through(pseudo, sight(el, around), false));
          text = true;
        } else if (added === '') {
          const width = parseFloat(pseudo.width) || 0;
          const height = parseFloat(pseudo.height) || 0;
          const drawn = pseudo.backgroundColor !== CLEAR || pseudo.backgroundImage !== 'none' || borders(pseudo)
            || pseudo.boxShadow !== 'none';
          if (drawn && width <= SMALL && height <= SMALL) {
            extra += attribute(`data-agt-mark-${key}`, JSON.stringify(lookOfAdded(el, pseudo, width, height, around)));
          }
        }
      }
    }
    const covered = around.veils.length > 0 && isVeiled(around.veils.filter(({ layers }) => layers), [box]);
    if (!text && (isSvg && tag !== 'svg' ? around.smallSvg : isSmall) && shows && !covered && tag !== 'br') {
      const mark = lookOf(el, style, box, isSvg, around);
      marked = !el.firstElementChild || isSvg || (mark.bg && mark.bg !== CLEAR) || Boolean(mark.bd || mark.bgi || mark.tf);
      if (marked) extra += attribute('data-agt-mark', JSON.stringify(mark));
    }
    if (seen && (direct || (block && text))) extra += attribute('data-agt-box', outline());
    if (direct && seen) extra += glyphs('data-agt-glyph', ownText(el), style, () => sight(el, around));
    if (text && seen && !isSvg) extra += badge(el, style, before);
    if (direct && seen) extra += attribute('data-agt-font', String(Math.round(parseFloat(style.fontSize) * 100) / 100));
    if (!seen && text) extra += attribute('data-agt-d', 'n');
    else if (!isSvg && block && (INLINE.has(tag) || tag.includes('-'))) extra += attribute('data-agt-d', 'b');
    else if (!isSvg && !block && !(INLINE.has(tag) || tag.includes('-'))) extra += attribute('data-agt-d', 'i');
  } else if (!around.hidden) {
    extra += attribute('data-agt-d', 'n');
  }
  if (kept && kept.part) extra += attribute('data-agt-part', kept.part);
  out[start] = `<${name}${ownAttributes(el)}${extra}>`;
  if (!VOID.has(tag)) out.push(`</${name}>`);
  if (marked && !around.inSvg && SHARED.has(tag) && !frame) share(out, start, around);
  return { text, seen, start, box: flows || isSvg ? null : box };
}

function writeOption(el, out) {
  const skip = el.localName === 'option' && !el.selected;
  out.push(`<${el.localName}${ownAttributes(el)}${skip ? attribute('data-agt-d', 'n') : ''}>`);
  if (el.localName === 'option') out.push(escapeText(el.text));
  else for (const child of el.children) writeOption(child, out);
  out.push(`</${el.localName}>`);
}

const templateOf = (marks) => (marks.size ? `<template data-agt-looks="">${[...marks.keys()].join('')}</template>` : '');

// The markup of several elements, preceded by their marks.
function serialiseAll(elements, scroller) {
  const marks = new Map();
  const generates = generating();
  const parts = elements.map((el) => serialise(el, scroller, marks, generates));
  return templateOf(marks) + parts.join('\n');
}

// `moved`: the scroll distance between now and when the document is written.
function serialise(el, scroller, marks, generates, moved = 0) {
  const out = [];
  const inner = scroller && !scroller.isRoot ? scroller.el : null;
  const edge = Math.max(document.documentElement.scrollWidth, innerWidth);
  const around = {
    hidden: false, smallSvg: false, inSvg: false, inScroller: false, scroller: inner, dx: 0, dy: moved, marks, edge,
    generates, x: scrollX, y: scrollY, clip: null, cutOff: false, line: { last: null, before: null }, veils: [],
    sights: new WeakMap(),
  };
  if (inner && inner !== el && inner.contains(el)) {
    around.inScroller = true;
    around.dx += inner.scrollLeft;
    around.dy += inner.scrollTop;
  }
  write(el, out, around);
  return out.join('');
}

function serialiseDocument(scroller) {
  const root = document.documentElement;
  const head = [...document.querySelectorAll('head > meta')].map((one) => `<meta${ownAttributes(one)}>`).join('');
  const marks = new Map();
  const body = document.body ? serialise(document.body, scroller, marks, generating()) : '<body></body>';
  const title = `<title>${escapeText(document.title)}</title>`;
  return `<!DOCTYPE html><html${ownAttributes(root)}><head>${head}${title}${templateOf(marks)}</head>${body}</html>`;
}
