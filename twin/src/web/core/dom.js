// Builds DOM nodes, and placeholders that a later response fills.

const SVG_NS = 'http://www.w3.org/2000/svg';

/** The generated class of a style name. One string may hold several names. */
function c(names) {
  return names
    .split(' ')
    .map((name) => CLASSES[name] || '')
    .join(' ')
    .trim();
}

function append(node, kids) {
  for (const kid of kids.flat(Infinity)) {
    if (kid === null || kid === undefined || kid === false) continue;
    node.append(kid instanceof Node ? kid : String(kid));
  }
  return node;
}

function decorate(node, attrs) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') {
      for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    } else if (name === 'style') {
      for (const [property, text] of Object.entries(value)) {
        if (property.startsWith('--')) node.style.setProperty(property, text);
        else node.style[property] = text;
      }
    } else {
      node.setAttribute(name, value);
    }
  }
  return node;
}

/** An HTML element: `h('div', { class, style, on, … }, ...children)`. */
function h(tag, attrs, ...kids) {
  return append(decorate(document.createElement(tag), attrs), kids);
}

/** An SVG element. */
function s(tag, attrs, ...kids) {
  return append(decorate(document.createElementNS(SVG_NS, tag), attrs), kids);
}

/** While this is set, the values of the current section never appear. */
let holdValues = false;

function settled(promise) {
  return holdValues ? new Promise(() => {}) : promise;
}

/** An inline placeholder: a loader until the promise settles, then the result of `fill`, or `---` without one. */
function slot(promise, fill) {
  const host = h('span', null, skin.loader('inline'));
  settled(promise).then(
    (value) => host.replaceChildren(...[fill(value)].flat()),
    () => host.replaceChildren('---'),
  );
  return host;
}

/** A block placeholder for a chart, table or text. */
function area(promise, fill, height) {
  const host = h('div', { style: { minHeight: height ? `${height}px` : '' } }, skin.loader(height ? 'block' : 'text'));
  settled(promise).then(
    (value) => {
      host.style.minHeight = '';
      host.replaceChildren(...[fill(value, host)].flat().filter(Boolean));
    },
    () => host.replaceChildren('---'),
  );
  return host;
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Returns the same promise for the same key. */
function memo(make) {
  const made = new Map();
  return (...key) => {
    const id = JSON.stringify(key);
    if (!made.has(id)) made.set(id, make(...key));
    return made.get(id);
  };
}
