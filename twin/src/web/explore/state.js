// The view that an explorer address requests, with the defaults that the page adds to it.

const TIME_SERIES = ['overtime', 'marketshare'];
const FIRST_YEAR = { HS92: 1995, HS12: 2012, HS22: 2022, SITC: 1962 };
const ARBITRARY = ['682', '36', '276'];

function entity(text) {
  const found = /^(country|group)-(\d+)$/.exec(text || '');
  return found ? { kind: found[1], id: Number(found[2]) } : null;
}

function sameEntity(one, other) {
  return Boolean(one && other && one.kind === other.kind && one.id === other.id);
}

/** Parses the address and completes it. The page shows the completed address. */
function explorerState() {
  const viz = window.location.pathname.replace(/^\/explore\/?/, '').replace(/\/$/, '') || 'treemap';
  const query = new URLSearchParams(window.location.search);
  const read = (name, fallback) => query.get(name) || fallback;
  const markets = query.get('view') === 'markets' || viz === 'geomap';
  const product = /^product-([A-Z0-9]+)-(\d+)$/.exec(read('product', ''));
  const productClass = read('productClass', product ? product[1] : 'HS92');
  const world = product && markets && !query.get('exporter');
  const importing = query.get('tradeDirection') === 'imports';
  if (!query.get('exporter') && !world && !(importing && query.get('importer'))) {
    query.set('exporter', `country-${ARBITRARY[c('Swatch').length % ARBITRARY.length]}`);
  }
  if (TIME_SERIES.includes(viz)) {
    if (!query.get('startYear')) query.set('startYear', String(FIRST_YEAR[productClass] || 1995));
    if (!query.get('endYear')) query.set('endYear', String(LATEST));
  } else if (!query.get('year')) query.set('year', String(LATEST));
  if (viz === 'treemap' && !markets && !query.get('importer')) query.set('importer', 'group-1');
  if (markets && query.get('importer') && !importing) query.delete('importer');
  if (viz === 'feasibility/table' && !query.get('productLevel')) query.set('productLevel', '4');
  const address = `${window.location.pathname}?${query}`;
  if (address !== window.location.pathname + window.location.search) window.history.replaceState(null, '', address);
  let exporter = entity(query.get('exporter'));
  let importer = entity(query.get('importer'));
  if (importing && importer && importer.kind === 'country' && !exporter) [exporter, importer] = [importer, null];
  const [other] = argumentsOf('other-country');
  if (other && exporter && exporter.kind === 'country') exporter = { kind: 'country', id: Number(other) };
  return {
    viz,
    query,
    markets,
    importing,
    productClass: textFor('drawn-otherwise', 'class') || productClass,
    product: product ? Number(product[2]) : null,
    exporter,
    importer: importer && importer.kind === 'group' && importer.id === 1 ? null : importer,
    level: Number(read('productLevel', '4')),
    year: Number(query.get('year')),
    start: Number(query.get('startYear')),
    end: Number(query.get('endYear')),
    itself: sameEntity(exporter, importer),
  };
}

/** The address with changed parameters; null removes one. */
function addressWith(state, changes, viz) {
  const query = new URLSearchParams(state.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return `/explore/${viz || state.viz}?${query}`;
}

const VIZ_SIGNS = [
  ['treemap', '▦'],
  ['geomap', '◍'],
  ['overtime', '◢'],
  ['marketshare', '⌁'],
  ['productspace', '✣'],
  ['feasibility', '◎'],
];

/** The question above the drawing. */
function explorerTitle(state, names) {
  const { viz, importing, markets, year, start, end } = state;
  const { exporter, importer } = names;
  const slots = {
    exporter,
    Exporter: capital(exporter),
    Exporters: capital(possessive(exporter)),
    importer,
    product: names.product || wording('title.all-products'),
    year,
    start,
    end,
  };
  if (viz === 'marketshare') return wording('title.market-share', slots);
  if (viz === 'productspace') return wording('title.space', slots);
  if (viz.startsWith('feasibility')) return wording('title.opportunities', slots);
  const span = viz === 'overtime' ? '-years' : '';
  if (markets && !state.exporter && !span) return wording('title.world', slots);
  if (markets) return wording(`title.${importing ? 'sellers' : 'buyers'}${span}`, slots);
  const products = importing ? (importer ? 'import-from' : 'import') : importer ? 'export-to' : 'export';
  return wording(`title.${products}${span}`, slots);
}
