// The explorer's treemaps by product and by place, and the map.

function flowOf(state) {
  return state.importing ? 'importValue' : 'exportValue';
}

function valueName(state) {
  return wording(state.importing ? 'tooltip.import-value' : 'tooltip.export-value');
}

/** The product level of the cells: two or six digits if requested, else four. */
function cellLevel(state) {
  return state.level === 2 || state.level === 6 ? state.level : 4;
}

/** The tooltip links of a product cell. */
function productLinks(state, product, books) {
  const id = product.productId;
  const who = entityName(state.exporter, books);
  return [
    [wording('tooltip.who'), `/explore/treemap?year=${state.year}&product=${id}&view=markets`],
    [wording('tooltip.where', { country: who }), addressWith(state, { product: id, view: 'markets', importer: null }, 'treemap')],
  ];
}

async function explorerTreemap(state, books) {
  return state.markets ? placeTreemap(state, books) : productTreemap(state, books);
}

async function productTreemap(state, books) {
  const field = flowOf(state);
  const level = cellLevel(state);
  const withYear = state.exporter.kind === 'country';
  const [rows, world, year] = await Promise.all([
    productRows(state, level),
    rowsOf('PY', PY, {
      productLevel: level,
      productClass: state.productClass,
      servicesClass: 'unilateral',
      ...years(state),
    }).catch(() => []),
    withYear
      ? rowsOf('CY', CY, { countryId: state.exporter.id, productClass: state.productClass, ...years(state) }).catch(() => [])
      : [],
  ]);
  const pci = new Map(world.map((row) => [row.productId, row.pci]));
  const shown = rows.filter((row) => row[field] > 0 && books.products.has(row.productId));
  const sum = shown.reduce((total, row) => total + row[field], 0);
  const some = (keep) => shown.filter((row) => keep(books.products.get(row.productId))).reduce((total, row) => total + row[field], 0);
  const divisor = shareTotal(
    {
      all: () => sum,
      'without-other': () => some((product) => sectorOfRow(product) !== 'Other'),
      goods: () => some((product) => product.productType !== 'service'),
    },
    sum,
  );
  const whole = !state.importer && year[0] && !absent(year[0][field]) ? year[0][field] : sum;
  const cells = shown.map((row) => {
    const product = books.products.get(row.productId);
    const sector = sectorOfRow(product);
    return {
      value: row[field],
      name: product.nameShortEn,
      text: textFor('drawn-otherwise', product.code) || format.money(row[field]),
      group: sector,
      colour: SECTOR_COLOURS[sector],
      row,
      product,
      tooltip: () => ({
        title: product.nameShortEn,
        code: `${product.code} ${state.productClass}`,
        colour: SECTOR_COLOURS[sector],
        rows: [
          [wording('tooltip.sector'), sector, SECTOR_COLOURS[sector]],
          [valueName(state), format.money(row[field])],
          [wording('tooltip.share'), format.percent(row[field] / divisor)],
        ],
        more: skin.moreRows(row, pci.get(row.productId)),
        links: productLinks(state, product, books),
      }),
    };
  });
  if (!cells.length) return { total: '', body: [skin.note(wording('explore.nothing'))] };
  return {
    total: skin.total(textFor('drawn-otherwise', 'total') || format.compact(whole)),
    body: [
      treemap(cells, explorerWidth(), EXPLORER_HEIGHT, {
        click: (cell, event) => pinTooltip(cell.tooltip(), event.clientX, event.clientY),
      }),
      skin.legendTitled(
        wording('explore.sectors'),
        Object.entries(SECTOR_COLOURS).map(([name, colour]) => ({ name, colour })),
      ),
    ],
  };
}

function placeCells(state, books, rows) {
  const field = flowOf(state);
  const shown = rows.filter((row) => row[field] > 0);
  const sum = shown.reduce((total, row) => total + row[field], 0);
  const cells = shown.map((row) => {
    const place = books.countries.get(row.partnerCountryId);
    const region = place ? books.regionOf(row.partnerCountryId) : 'Services Partners';
    const name = place ? place.nameShortEn : 'Services Partners';
    return {
      value: row[field],
      name,
      text: format.money(row[field]),
      group: region,
      colour: REGION_COLOURS[region],
      tooltip: () => ({
        title: name,
        colour: REGION_COLOURS[region],
        rows: [
          [valueName(state), format.money(row[field])],
          [wording('tooltip.share'), format.percent(row[field] / sum)],
        ],
        links:
          state.exporter && place
            ? [
                [
                  wording('tooltip.what', { country: entityName(state.exporter, books), partner: place.nameShortEn }),
                  addressWith(state, { view: null, importer: row.partnerCountryId, product: null }, 'treemap'),
                ],
              ]
            : [],
      }),
    };
  });
  return { cells, sum };
}

function regionLegend() {
  return skin.legendTitled(
    wording('explore.regions'),
    Object.entries(REGION_COLOURS).map(([name, colour]) => ({ name, colour })),
  );
}

async function placeTreemap(state, books) {
  const { cells, sum } = placeCells(state, books, await partnerRows(state));
  if (!cells.length) return { total: '', body: [skin.note(wording('explore.nothing'))] };
  return {
    total: skin.total(format.compact(sum)),
    body: [
      treemap(cells, explorerWidth(), EXPLORER_HEIGHT, {
        click: (cell, event) => pinTooltip(cell.tooltip(), event.clientX, event.clientY),
      }),
      regionLegend(),
    ],
  };
}

/** The map as tiles, one per country, shaded on a logarithmic scale. */
async function explorerMap(state, books) {
  const { cells, sum } = placeCells(state, books, await partnerRows(state));
  const width = explorerWidth();
  const columns = 24;
  const size = Math.floor(Math.min(width / columns, 46));
  const own = state.exporter ? `country-${state.exporter.id}` : '';
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const tiles = [...books.countries.values()]
    .filter((row) => !row.formerCountry)
    .map((row, index) => ({
      x: (index % columns) * size,
      y: Math.floor(index / columns) * size,
      place: row,
      cell: byName.get(row.nameShortEn),
    }));
  const shade = (value) => {
    const strength = Math.min(1, Math.max(0, (Math.log10(value) - 4) / 5));
    return `rgb(${Math.round(222 - 190 * strength)},${Math.round(235 - 130 * strength)},${Math.round(247 - 90 * strength)})`;
  };
  const height = Math.ceil(tiles.length / columns) * size;
  const drawn = surface(width, height, (context) => {
    for (const tile of tiles) {
      context.fillStyle = tile.place.countryId === own ? '#e0b43b' : tile.cell ? shade(tile.cell.value) : '#eceff3';
      context.fillRect(tile.x + 1, tile.y + 1, size - 2, size - 2);
    }
  });
  listen(
    drawn.root,
    (x, y) => tiles.find((tile) => x >= tile.x && x < tile.x + size && y >= tile.y && y < tile.y + size),
    (tile) => ({
      title: tile.place.nameShortEn,
      rows: tile.cell ? [[valueName(state), format.money(tile.cell.value)]] : [],
    }),
  );
  return {
    total: skin.total(textFor('drawn-otherwise', 'total') || format.compact(sum)),
    body: [
      drawn.root,
      skin.legendTitled(
        wording('explore.gross-trade'),
        [4, 5, 6, 7, 8, 9].map((power) => ({ name: format.tick(10 ** power), colour: shade(10 ** power) })),
      ),
      skin.legend([{ name: wording('explore.selected'), colour: '#e0b43b' }]),
      skin.controls([skin.button('+', () => {}), skin.button('-', () => {}), skin.button(wording('control.zoom-reset'), () => {})]),
      skin.note('© Mapbox © OpenStreetMap'),
    ],
  };
}
