// Names and helpers that several sections share.

const SECTOR_COLOURS = {
  Services: '#b23c6f',
  Textiles: '#7bc8a4',
  Agriculture: '#e5c21a',
  Stone: '#caa46b',
  Minerals: '#a88b7d',
  Metals: '#c9656b',
  Chemicals: '#b07ac9',
  Vehicles: '#7a6cc3',
  Machinery: '#6e8fc3',
  Electronics: '#74c5c6',
  Other: '#2f5d74',
};

const REGION_COLOURS = {
  'Services Partners': '#033095',
  Africa: '#773bd8',
  Americas: '#9e4643',
  Asia: '#6bc285',
  Europe: '#5780b7',
  Oceania: '#f2bc67',
  Other: '#576582',
};

const PLURAL_NAMES =
  /^(United|Netherlands|Philippines|Bahamas|Gambia|Maldives|Dominican|Central African|Czech|Democratic|Republic)/;

/** The short sector name of a product. `SECTOR_COLOURS` has its colour. */
function sectorOf(product) {
  const top = product.topLevelParent || product;
  const name = top.shortName || top.longName || 'Other';
  return (
    Object.keys(SECTOR_COLOURS).find((known) => name.toLowerCase().startsWith(known.toLowerCase())) ||
    sectorByLongName(top.longName || '') ||
    'Other'
  );
}

function sectorByLongName(name) {
  const cues = { Vegetables: 'Agriculture', Transport: 'Vehicles' };
  return Object.keys(cues)
    .filter((cue) => name.startsWith(cue))
    .map((cue) => cues[cue])[0];
}

function colourOf(product) {
  return SECTOR_COLOURS[sectorOf(product)];
}

/** `0902 HS92`, `ict HS92` */
function codeOf(product) {
  return `${product.code} HS92`;
}

/** The country's name inside a sentence, with "the" if it needs one. */
function spoken(place) {
  const the = absent(place.thePrefix) ? PLURAL_NAMES.test(place.shortName) : place.thePrefix;
  return the ? `the ${place.shortName}` : place.shortName;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function possessive(text) {
  return text.endsWith('s') ? `${text}'` : `${text}'s`;
}

/** The slots for a country in a sentence: `{name}`, `{Name}` at the start of one, and both as possessives. */
function named(place) {
  const name = spoken(place);
  return { name, Name: capital(name), names: possessive(name), Names: capital(possessive(name)) };
}

function listed(names) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** The rows by product id. */
function byProduct(rows) {
  return new Map(rows.map((row) => [row.product.id, row]));
}

function isFrontier(profile) {
  return profile.policyRecommendation === 'TechFrontier';
}

/** A colour from teal to coral on a scale from `low` to `high`. */
function complexityColour(value, low = -2.5, high = 2.5) {
  if (absent(value)) return '#c9ccd1';
  const stops = [
    [38, 153, 147],
    [143, 204, 196],
    [236, 231, 214],
    [240, 168, 140],
    [222, 96, 84],
  ];
  const at = Math.min(0.9999, Math.max(0, (value - low) / (high - low))) * (stops.length - 1);
  const from = stops[Math.floor(at)];
  const to = stops[Math.floor(at) + 1];
  const mixed = from.map((part, index) => Math.round(part + (to[index] - part) * (at - Math.floor(at))));
  return `rgb(${mixed.join(',')})`;
}
