// Explorer views over years: stacked trade, and world market shares by sector.

const METRICS = [
  ['current', wording('explore.current')],
  ['constant', wording('explore.constant', { year: LATEST })],
  ['capita', wording('explore.capita')],
  ['capitaConstant', wording('explore.capita-constant', { year: LATEST })],
];

/** Sums of rows by name and year: name -> Map(year -> value). */
function sumByYear(rows, nameOf, field) {
  const sums = new Map();
  for (const row of rows) {
    const name = nameOf(row);
    if (!name || absent(row[field])) continue;
    if (!sums.has(name)) sums.set(name, new Map());
    sums.get(name).set(row.year, (sums.get(name).get(row.year) || 0) + row[field]);
  }
  return sums;
}

async function explorerOvertime(state, books) {
  const field = flowOf(state);
  const [rows, totals, deflators] = await Promise.all([
    state.markets ? partnerRows(state) : productRows(state, state.query.get('productLevel') === '2' ? 2 : 1),
    state.exporter.kind === 'country'
      ? rowsOf('CY', CY, { countryId: state.exporter.id, productClass: state.productClass, ...years(state) }).catch(() => [])
      : [],
    books.deflators,
  ]);
  const colours = state.markets ? REGION_COLOURS : SECTOR_COLOURS;
  const nameOf = state.markets
    ? (row) => books.regionOf(row.partnerCountryId)
    : (row) => (books.products.has(row.productId) ? sectorOfRow(books.products.get(row.productId)) : null);
  const sums = sumByYear(rows, nameOf, field);
  const perYear = new Map(totals.map((row) => [row.year, row]));
  const deflator = new Map(deflators.map((row) => [row.year, row.deflator]));
  const last = Math.max(state.start, state.end);
  const shownSum = [...sums.values()].reduce((sum, points) => sum + (points.get(last) || 0), 0);
  const whole =
    !state.markets && !state.importer && perYear.get(last) && !absent(perYear.get(last)[field])
      ? perYear.get(last)[field]
      : shownSum;
  if (!sums.size) return { total: '', body: [skin.note(wording('explore.nothing'))] };
  const converted = (metric) =>
    Object.keys(colours)
      .filter((name) => sums.has(name))
      .map((name) => ({
        name,
        colour: colours[name],
        points: new Map(
          [...sums.get(name)].map(([year, value]) => {
            const real = metric.includes('onstant') && deflator.get(year) ? value / deflator.get(year) : value;
            const people = (perYear.get(year) || {}).population;
            return [year, metric.startsWith('capita') ? (people ? real / people : 0) : real];
          }),
        ),
      }));
  const host = h('div', { class: c('ChartHost') });
  const draw = (metric) =>
    host.replaceChildren(stackedAreas(converted(metric), format.money, METRICS.find(([name]) => name === metric)[1]));
  draw('current');
  return {
    total: skin.total(textFor('drawn-otherwise', 'total') || `${format.compact(whole)} (${last})`),
    body: [
      skin.controls([skin.dropdown('', METRICS, 'current', draw)]),
      host,
      state.markets
        ? regionLegend()
        : skin.legendTitled(
            wording('explore.sectors'),
            Object.entries(SECTOR_COLOURS).map(([name, colour]) => ({ name, colour })),
          ),
    ],
  };
}

async function explorerShare(state, books) {
  const sector = (row) => (books.products.has(row.productId) ? sectorOfRow(books.products.get(row.productId)) : null);
  const [own, world] = await Promise.all([
    productRows({ ...state, importer: null }, 1),
    rowsOf('PY', PY, { productLevel: 1, productClass: state.productClass, servicesClass: 'unilateral', ...years(state) }),
  ]);
  const owned = sumByYear(own, sector, 'exportValue');
  const whole = sumByYear(world, sector, 'exportValue');
  const series = Object.keys(SECTOR_COLOURS)
    .filter((name) => owned.has(name) && name !== 'Other')
    .map((name) => ({
      name,
      colour: SECTOR_COLOURS[name],
      points: new Map(
        [...owned.get(name)]
          .filter(([year]) => (whole.get(name) || new Map()).get(year) > 0)
          .map(([year, value]) => [year, value / whole.get(name).get(year)]),
      ),
    }))
    .filter((line) => line.points.size);
  if (!series.length) return { total: null, body: [skin.note(wording('explore.nothing'))] };
  return {
    total: null,
    body: [
      linesOverYears(series, explorerWidth(), EXPLORER_HEIGHT, wording('chart.world-share')),
      skin.legendTitled(
        wording('explore.sectors'),
        series.map(({ name, colour }) => ({ name, colour })),
      ),
    ],
  };
}
