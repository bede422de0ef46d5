// Which elements may have content that a style sheet puts before or after them. To ask that of every element is a fifth
// of the time that writing a page down takes, and the rules that put something there are few.
const PSEUDO = /(?<!\\)::?(before|after)(?![\w-])/gi;

// Adds the selectors of the rules that put content before or after something. Answers whether all of them could be read.
function readRules(rules, found) {
  for (const rule of rules) {
    const { selectorText: selector } = rule;
    if (selector === undefined) {
      // in a scope a selector means something else
      if (/scope/i.test(rule.constructor.name)) return false;
      if (rule.styleSheet && !readSheet(rule.styleSheet, found)) return false;
      if (rule.cssRules && !readRules(rule.cssRules, found)) return false;
      continue;
    }
    const isPseudo = selector.search(PSEUDO) >= 0;
    if (isPseudo && rule.style.content) found.push(selector);
    // a selector within another one is not read on its own, nor what a condition within one sets
    if ([...rule.cssRules || []].some((nested) => isPseudo || nested.cssText.search(PSEUDO) >= 0)) return false;
  }
  return true;
}

function readSheet(sheet, found) {
  // one of another origin may not be read
  try { return readRules(sheet.cssRules, found); } catch { return false; }
}

// A function that answers whether anything may stand before or after an element by a style sheet: yes where nobody can
// tell, as in a shadow tree or a frame, which have sheets of their own.
function generating() {
  const found = ['q']; // quotation marks come from the browser's own sheet
  if (![...document.styleSheets, ...document.adoptedStyleSheets].every((sheet) => readSheet(sheet, found))) return () => true;
  const bare = found.join(',').replace(PSEUDO, (pseudo, _, at, all) => (/^$|[\s>+~,]/.test(all.charAt(at - 1)) ? '*' : ''));
  let matching;
  try { matching = new Set(document.querySelectorAll(bare)); } catch { return () => true; }
  const isOfOthers = (el) => el.getRootNode() !== document || el.assignedSlot || (el.parentElement || el).localName.includes('-');
  return (el) => matching.has(el) || isOfOthers(el);
}
