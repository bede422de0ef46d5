// The explorer: frame, names, total, and the view in the address.

const EXPLORER_HEIGHT = 560;

function explorerWidth() {
  return Math.max(640, skin.explorerWidth(window.innerWidth));
}

/** The lookups for all views, built from the catalogues. */
async function explorerBooks(catalogues) {
  const [countries, products] = await Promise.all([catalogues.countries, catalogues.products]);
  const groups = await catalogues.groups.catch(() => []);
  const regions = new Map();
  for (const group of groups.filter((each) => each && each.groupType === 'continent')) {
    const name = Object.keys(REGION_COLOURS).find((known) => group.groupName.includes(known));
    for (const member of group.members || []) if (name) regions.set(member, name);
  }
  const levels = [products.section, products.twoDigit, products.fourDigit, products.sixDigit];
  const catalogue = levels.flatMap((level) => level || []);
  return {
    countries: new Map(countries.map((row) => [row.countryId, row])),
    deflators: catalogues.deflators.catch(() => []),
    groups: new Map(groups.filter(Boolean).map((row) => [row.groupId, row])),
    products: new Map(catalogue.map((row) => [row.productId, row])),
    regionOf: (id) => regions.get(id) || (/services/i.test(String(id)) ? 'Services Partners' : 'Other'),
  };
}

function sectorOfRow(product) {
  const top = product.topParent || product;
  return sectorOf({ shortName: top.nameShortEn, longName: top.nameEn });
}

function entityName(who, books, short) {
  if (!who) return '';
  if (who.kind === 'group')
    return who.id === 1 ? 'World' : (books.groups.get(`group-${who.id}`) || { groupName: ABSENT }).groupName;
  const row = books.countries.get(`country-${who.id}`);
  if (!row) return ABSENT;
  return !short && row.thePrefix ? `the ${row.nameShortEn}` : row.nameShortEn;
}

const EXPLORER_VIEWS = {
  treemap: (state, books) => explorerTreemap(state, books),
  geomap: (state, books) => explorerMap(state, books),
  overtime: (state, books) => explorerOvertime(state, books),
  marketshare: (state, books) => explorerShare(state, books),
  productspace: (state, books) => explorerSpace(state, books),
  feasibility: (state, books) => explorerFeasibility(state, books),
  'feasibility/table': (state, books) => explorerFeasibilityTable(state, books),
};

function explorerControls(state, books) {
  const go = (changes, viz) => () => window.location.assign(addressWith(state, changes, viz));
  const entries = [...books.countries.values()]
    .map((row) => ({ id: row.countryId, text: `${row.nameShortEn} (${row.iso3Code})` }))
    .concat([...books.groups.values()].map((row) => ({ id: row.groupId, text: row.groupName })))
    .sort((one, other) => one.text.localeCompare(other.text, 'en'));
  const single = ['marketshare', 'productspace', 'feasibility', 'feasibility/table'].includes(state.viz);
  const pick = (name) => (id) => window.location.assign(addressWith(state, { [name]: id }));
  const series = TIME_SERIES.includes(state.viz);
  const first = FIRST_YEAR[state.productClass] || 1995;
  const yearChoices = Array.from({ length: LATEST - first + 1 }, (_, index) => [String(LATEST - index), String(LATEST - index)]);
  const year = (label, name, value) => skin.dropdown(label, yearChoices, String(value), (next) => go({ [name]: next })());
  return [
    single
      ? null
      : skin.toggle([
          [wording('explore.products'), !state.markets, state.viz === 'geomap' ? null : go({ view: null })],
          [wording('explore.locations'), state.markets, go({ view: 'markets', importer: null })],
        ]),
    skin.explorerSelect(wording('explore.exporter'), entityName(state.exporter, books, true) || 'World', entries, pick('exporter')),
    single || state.markets
      ? null
      : skin.explorerSelect(wording('explore.importer'), entityName(state.importer, books, true) || 'World', entries, pick('importer')),
    single || state.markets
      ? null
      : skin.button('⇆', go({ exporter: state.query.get('importer'), importer: state.query.get('exporter') })),
    ...(series
      ? [
          year(wording('explore.start-year'), 'startYear', state.start),
          year(wording('explore.end-year'), 'endYear', state.end),
        ]
      : [year(wording('explore.year'), 'year', state.year)]),
    state.viz.startsWith('feasibility')
      ? skin.toggle([
          [wording('explore.graph'), state.viz === 'feasibility', go({}, 'feasibility')],
          [wording('explore.table'), state.viz !== 'feasibility', go({}, 'feasibility/table')],
        ])
      : null,
    ['treemap', 'overtime', 'productspace', 'feasibility'].includes(state.viz) ? skin.finder(wording('explore.find'), findInView) : null,
    explorerSettings(state, go),
  ];
}

function tutorial(close) {
  return skin.tutorial(
    wording('explore.tutorial'),
    wording('explore.tutorial-start'),
    wording('explore.tutorial-skip'),
    close,
  );
}

/** Fades the labels that do not contain the search text. */
function findInView(text) {
  const wanted = text.trim().toLowerCase();
  for (const label of document.querySelectorAll(`.${c('TreeMaster').split(' ').pop()} > div`)) {
    label.style.opacity = !wanted || label.textContent.toLowerCase().includes(wanted) ? '' : '0.2';
  }
}

function explorerSettings(state, go) {
  const detail = ['treemap', 'overtime'].includes(state.viz)
    ? [
        [
          wording('explore.detail'),
          ['2', '4', '6'].map((n) => [n, wording('explore.digits', { n })]),
          String(state.level),
          'productLevel',
        ],
      ]
    : [];
  const classes = [
    wording('explore.class'),
    [
      ['HS92', 'HS 1992'],
      ['HS12', 'HS 2012'],
      ['HS22', 'HS 2022'],
      ['SITC', 'SITC'],
    ],
    state.productClass,
    'productClass',
  ];
  return skin.settings(
    wording('explore.settings'),
    [...detail, classes].map(([label, options, current, name]) =>
      skin.dropdown(label, options, current, (next) => go({ [name]: next })()),
    ),
  );
}

/** Prefetches what a visitor may view next: the previous year and another exporter. */
function prefetchViews(state) {
  const others = ARBITRARY.map(Number).filter((id) => !state.exporter || id !== state.exporter.id);
  const next = [{ ...state, exporter: { kind: 'country', id: others[0] } }];
  if (state.year) next.unshift({ ...state, year: state.year - 1 });
  for (const other of next) {
    if (!other.exporter) continue;
    const rows = other.markets ? partnerRows(other) : productRows(other, cellLevel(other));
    rows.catch(() => {});
    const where = { countryId: other.exporter.id, productClass: other.productClass, ...years(other) };
    if (other.exporter.kind === 'country') rowsOf('CY', CY, where).catch(() => {});
  }
}

async function explorePage(root) {
  const state = explorerState();
  if (!EXPLORER_VIEWS[state.viz]) {
    root.replaceChildren(skin.notFound());
    return;
  }
  root.replaceChildren(skin.pageLoader());
  const books = await explorerBooks(explorerCatalogues(state.productClass, state.level)).catch(() => null);
  if (!books) {
    root.replaceChildren(skin.note('Something went wrong. Please reload the page.'));
    return;
  }
  const product = state.product ? books.products.get(`product-${state.productClass}-${state.product}`) : null;
  const title = explorerTitle(state, {
    exporter: entityName(state.exporter, books) || 'the world',
    importer: entityName(state.importer, books),
    product: product ? product.nameShortEn : '',
  });
  document.title = `${title} | The Atlas of Economic Complexity`;
  const nothing = state.itself || (state.importing && state.product && !state.markets);
  const view = nothing
    ? Promise.resolve({ total: null, body: [skin.note(wording('explore.nothing'))] })
    : argumentsOf('spinner-forever').includes(state.viz)
      ? new Promise(() => {})
      : EXPLORER_VIEWS[state.viz](state, books);
  if (has('prefetch')) prefetchViews(state);
  const links = VIZ_SIGNS.map(([viz, sign]) => ({
    label: wording(`view.${viz}`),
    sign,
    active: state.viz.split('/')[0] === viz,
    href: addressWith(state, viz === 'geomap' ? { view: 'markets', importer: null } : {}, viz),
  }));
  root.replaceChildren(
    skin.explorer({
      links,
      controls: explorerControls(state, books),
      title,
      total: nothing
        ? null
        : slot(
            view.then((made) => made.total),
            (text) => text || '',
          ),
      body: area(view, (made) => made.body, EXPLORER_HEIGHT),
    }),
  );
  if (state.viz === 'productspace' && !window.sessionStorage.getItem('seen')) {
    const close = () => {
      window.sessionStorage.setItem('seen', '1');
      node.remove();
    };
    const node = tutorial(close);
    document.body.append(node);
  }
}
