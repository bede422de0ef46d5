// The page's texts. The build provides TEXTS: texts by key, with slots that the page fills.

/** A text with its slots filled. `{n:one|many}` depends on the number in the slot `n`. */
function filled(text, slots) {
  return text.replace(/\{([\w-]+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) =>
    one === undefined ? slots[name] : String(slots[name]) === '1' ? one : many,
  );
}

/** The text of a key. */
function wording(key, slots) {
  return filled(TEXTS[key], slots || {});
}

/** The parts of a paragraph. Text between two asterisks is bold. */
function paragraph(key, slots) {
  return TEXTS[key]
    .split('*')
    .map((part, index) => (index % 2 ? skin.strong(filled(part, slots || {})) : filled(part, slots || {})))
    .filter((part) => part !== '');
}

/** The choices of a control with their texts. */
function choices(...keys) {
  return keys.map(([value, key]) => [value, wording(key)]);
}
