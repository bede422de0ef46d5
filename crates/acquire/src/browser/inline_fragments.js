// Joins figures that are laid out in pieces, and finds badges and chips beside a text.
const PIECE = /^(?:[\s\d.,$%+\u2212\u2013-]|USD|of|st|nd|rd|th|thousand|million|billion|trillion|[kMBT])+$/;
const MAX_GAP = 0.4; // in line heights: wider than a space between two words
const OPENING = /^(?:<i data-agt-gap=""><\/i>)?<[^\s>]+/;
const MAX_CHIP = 16; // characters
const NOTE = /^[([]?(?:\d{1,2}|[a-z*\u2020\u2021\u00a7\u2460-\u2473])[)\]]?$/;

function letterBox(text, at) {
  const range = document.createRange();
  range.setStart(text, at);
  range.setEnd(text, at + 1);
  return range.getBoundingClientRect();
}

// The boxes of the first and the last visible letter of a node.
function endsOf(node) {
  const texts = [];
  if (node.nodeType === 3) texts.push(node);
  else {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
  }
  if (!texts.length) return null;
  const last = texts[texts.length - 1];
  return [letterBox(texts[0], texts[0].data.search(/\S/)), letterBox(last, last.data.trimEnd().length - 1)];
}

// The gap between two boxes in heights of the smaller box; null if they are not on one line.
function distance(a, b) {
  const height = Math.min(a.height, b.height);
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return height > 0 && shared > height / 2 ? (b.left - a.right) / height : null;
}

const flowsWithin = (el) => [...el.querySelectorAll('*')].every((one) => /^inline/.test(getComputedStyle(one).display));

// Writes adjacent boxes that hold the pieces of one figure, such as `$` and `2,274`, as one line. A clear gap separates
// two figures.
function joinPieces(pieces, out) {
  for (let at = 1; at < pieces.length; at += 1) {
    const pair = [pieces[at - 1], pieces[at]];
    const texts = pair.map(({ node }) => node.textContent);
    if (!texts.every((text) => text.length <= 2 * MAX_CHIP && PIECE.test(text)) || !texts.some((text) => /\d/.test(text))) continue;
    if (!pair.every(({ node }) => node.nodeType === 3 || flowsWithin(node))) continue;
    const [a, b] = pair.map(({ node }) => endsOf(node));
    const gap = a && b ? distance(a[1], b[0]) : null;
    if (gap === null || gap < -GAP || gap > MAX_GAP) continue;
    for (const { node, at: start } of pair) {
      if (node.nodeType === 3 || / data-agt-d="i"/.test(out[start])) continue;
      out[start] = out[start].replace(/ data-agt-d="."/, '').replace(OPENING, '$& data-agt-d="i"');
    }
    if (gap > GAP) out[pair[1].at] = `<i data-agt-gap=""></i>${out[pair[1].at]}`;
  }
}

// Classifies a short text beside another one by its style: a footnote mark (raised or in a badge), or a chip.
function badge(el, style, before) {
  const inner = el.firstElementChild;
  if (el.childElementCount > 1 || (inner && inner.firstElementChild)) return '';
  const text = el.textContent.trim();
  const parent = holderOf(el);
  if (!text || text.length > MAX_CHIP || !parent || parent.textContent.trim() === text) return '';
  const round = style.borderTopLeftRadius !== '0px' && (style.backgroundColor !== CLEAR || borders(style) !== undefined);
  if (NOTE.test(text) && before && /[\p{L})]\s*$/u.test(before.data) && parent.textContent.trim().endsWith(text)) {
    const [a, b] = [endsOf(before), endsOf(el)];
    const gap = distance(a[1], b[0]);
    const raised = b[0].height < a[1].height * 0.9 && b[0].bottom < a[1].bottom - b[0].height / 5;
    if (gap !== null && gap > -GAP && gap < 2 && (round || raised)) return attribute('data-agt-chip', 'note');
  }
  return round ? attribute('data-agt-chip', 'chip') : '';
}
