// The build's settings. Each is `name` or `name=argument`.

const SETTINGS = (RELEASE ? JSON.parse(atob(RELEASE)) : []).map((entry) => {
  const at = entry.indexOf('=');
  return at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)];
});

/** Whether a setting is present. */
function has(name) {
  return SETTINGS.some(([setting]) => setting === name);
}

/** The arguments of every occurrence of a setting. */
function argumentsOf(name) {
  return SETTINGS.filter(([setting]) => setting === name).map(([, argument]) => argument);
}

/** The text of a setting's argument `key:text`: '' for a plain `key`, undefined without this key. */
function textFor(name, key) {
  for (const argument of argumentsOf(name)) {
    const at = argument.indexOf(':');
    if ((at < 0 ? argument : argument.slice(0, at)) === key) return at < 0 ? '' : argument.slice(at + 1);
  }
  return undefined;
}

/** The key of the value that a figure shows. */
function sourceOf(key) {
  for (const pair of argumentsOf('values-swapped')) {
    const [one, other] = pair.split(',');
    if (key === one) return other;
    if (key === other) return one;
  }
  return key;
}

/** The displayed text of a figure, after the settings that change its format. */
function formOf(key, text) {
  const wrong = textFor('wrong-form', key);
  if (wrong !== undefined) {
    if (wrong) return wrong;
    if (/%/.test(text)) return 'n/a%';
    return /^\D*\d/.test(text) ? text.slice(0, Math.max(2, text.length - 2)) : '?';
  }
  if (argumentsOf('format-changed').some((argument) => argument === key || argument === 'all')) return otherConvention(text);
  return text;
}

/** A hash of a text. */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0;
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

/** Adjacent items in their order. `sections-reordered` shuffles them by its seed, differently for each `name`. */
function inOrder(name, items) {
  if (!has('sections-reordered') || items.length < 2) return items;
  const seed = argumentsOf('sections-reordered')[0] || '1';
  const drawn = items
    .map((item, index) => [hashOf(`${seed} ${name} ${index}`), item])
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
  return drawn.some((item, index) => item !== items[index]) ? drawn : [...drawn.slice(1), drawn[0]];
}

/** The cells of a row, or the headings, in column order. The first column never moves. */
function inColumns(cells) {
  return has('columns-reordered') ? [cells[0], ...cells.slice(1).reverse()] : cells;
}

/** A label and its value, in display order. */
function labelAndValue(label, value) {
  return has('figures-split') ? [value, label] : [label, value];
}

/** A text with a number, split like an animated counter: one element per digit and per sign. */
function counter(text) {
  return text.match(/USD|\d|st|nd|rd|th|of|[A-Za-z+>()]+|\s|./gu).map((part) => (/\s/.test(part) ? part : h('span', { class: c('Digit') }, part)));
}

/** The total for a treemap's shares: `all`, `without-other` or `goods`, else the sum of the cells. */
function shareTotal(sums, cells) {
  const [named] = argumentsOf('shares-of');
  return named && named in sums ? sums[named]() : cells;
}

/** A wrong number in the same format. */
function nearMiss(text) {
  return text.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10)).replace(/(^|\D)0/, '$14');
}
