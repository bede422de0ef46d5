// Finds elements that may have content from `::before` or `::after`. Querying every element takes a fifth of the time
// to
// serialise a page, but only a few rules add such content.
const PSEUDO = /(?<!\\)::?(before|after)(?![\w-])/gi;

// Adds the selectors of the rules that add content before or after elements. Returns whether all rules were readable.
function readRules(rules, found) {
  for (const rule of rules) {
    const { selectorText: selector } = rule;
    if (selector === undefined) {
      // inside a scope, a selector has another meaning
      if (/scope/i.test(rule.constructor.name)) return false;
      if (rule.styleSheet && !readSheet(rule.styleSheet, found)) return false;
      if (rule.cssRules && !readRules(rule.cssRules, found)) return false;
      continue;
    }
    const isPseudo = selector.search(PSEUDO) >= 0;
    if (isPseudo && rule.style.content) found.push(selector);
    // nested selectors, and rules in nested conditions, cannot be read on their own
    if ([...rule.cssRules || []].some((nested) => isPseudo || nested.cssText.search(PSEUDO) >= 0)) return false;
  }
  return true;
}

function readSheet(sheet, found) {
  // a style sheet from another origin may be unreadable
  try { return readRules(sheet.cssRules, found); } catch { return false; }
}

// Returns a function that tells whether an element may have content from `::before` or `::after`. It returns true if
// that is unknown, as in a shadow tree or a frame, which have their own style sheets.
function generating() {
  const found = ['q']; // the browser's own style sheet adds quotation marks
  if (![...document.styleSheets, ...document.adoptedStyleSheets].every((sheet) => readSheet(sheet, found))) return () => true;
  const bare = found.join(',').replace(PSEUDO, (pseudo, _, at, all) => (/^$|[\s>+~,]/.test(all.charAt(at - 1)) ? '*' : ''));
  let matching;
  try { matching = new Set(document.querySelectorAll(bare)); } catch { return () => true; }
  const isOfOthers = (el) => el.getRootNode() !== document || el.assignedSlot || (el.parentElement || el).localName.includes('-');
  return (el) => matching.has(el) || isOfOthers(el);
}
