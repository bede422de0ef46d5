// The page's texts. TEXTS comes with the build: by key, with slots for what the page fills in.

/** A text with its slots filled in; `{n:one|many}` goes by the number in the slot `n`. */
function filled(text, slots) {
  return text.replace(/\{([\w-]+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) =>
    one === undefined ? slots[name] : String(slots[name]) === '1' ? one : many,
  );
}

/** The text of a key. */
function wording(key, slots) {
  return filled(TEXTS[key], slots || {});
}

/** The parts of a paragraph: what is between two stars stands out. */
function paragraph(key, slots) {
  return TEXTS[key]
    .split('*')
    .map((part, index) => (index % 2 ? skin.strong(filled(part, slots || {})) : filled(part, slots || {})))
    .filter((part) => part !== '');
}

/** Choices of a control, each with its text. */
function choices(...keys) {
  return keys.map(([value, key]) => [value, wording(key)]);
}
