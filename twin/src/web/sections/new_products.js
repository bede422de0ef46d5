// Section 6: the new products of fifteen years, compared with those of three peers.

const NEW_SINCE = LATEST - 15;

function newProductCells(rows, answer) {
  const added = new Set(((answer.newProductsCountry || {}).newProducts || []).map((product) => product.id));
  const shown = rows.filter((row) => row && added.has(row.product.id) && row.exportValue > 0);
  const total = shown.reduce((sum, row) => sum + row.exportValue, 0);
  return shown.map((row) => ({
    value: row.exportValue,
    name: row.product.shortName,
    text: format.percent(row.exportValue / total),
    group: sectorOf(row.product),
    colour: colourOf(row.product),
    tooltip: () => ({
      title: row.product.shortName,
      code: codeOf(row.product),
      colour: colourOf(row.product),
      rows: [
        [wording('tooltip.gross-export'), format.money(row.exportValue)],
        [wording('tooltip.share-new'), format.percent(row.exportValue / total)],
      ],
    }),
  }));
}

function newProductsNarrative(data) {
  return Promise.all([data.profile(), data.newProducts()]).then(([p, answer]) => {
    const own = answer.newProductsCountry || {};
    const enough = p.newProductsComments === 'Sufficient';
    const large = p.newProductsIncomeGrowthComments === 'LargeEnough';
    const slots = {
      ...named(p.location),
      count: format.integer(own.newProductCount),
      since: NEW_SINCE,
      'per-capita': format.dollars(own.newProductExportValuePerCapita),
      year: LATEST,
    };
    const verdict = !enough ? 'prose.verdict-few' : large ? 'prose.verdict-large' : 'prose.verdict-small';
    return [paragraph('prose.added', slots), paragraph(verdict, slots)];
  });
}

/** The rows of the country and its peers, by number of new products. */
function peerRows(place, answer) {
  const row = (location, source) => ({
    name: location.shortName,
    own: location === place,
    cells: [
      format.integer(source.newProductCount),
      format.dollars(source.newProductExportValuePerCapita),
      format.money(source.newProductExportValue),
    ],
    count: source.newProductCount || 0,
  });
  const peers = (answer.newProductsComparisonCountries || []).filter((peer) => peer && peer.location);
  return [row(place, answer.newProductsCountry || {}), ...peers.map((peer) => row(peer.location, peer))].sort(
    (one, other) => other.count - one.count,
  );
}

const newProducts = {
  slug: 'new-products',
  bar: () => ['grade', 'diversity-rank', 'diversity-rank-change'],
  height: 1350,
  draw(data) {
    data.fifteenYears().catch(() => {});
    let colouring = 'Sector';
    let redraw = () => {};
    const tree = area(
      Promise.all([data.basket(), data.newProducts(), data.products()]),
      ([rows, answer, products]) => {
        const known = new Map(products.map((row) => [row.product.id, row.pci]));
        const pciByName = new Map(rows.map((row) => [row.product.shortName, known.get(row.product.id)]));
        const cells = () =>
          newProductCells(rows, answer).map((cell) =>
            colouring === 'Sector' ? cell : { ...cell, colour: complexityColour(pciByName.get(cell.name)) },
          );
        const made = changingTreemap(() => treemap(cells(), CHART_WIDTH, 380));
        redraw = made.draw;
        return made.host;
      },
      380,
    );
    const proportion = Promise.all([data.newProducts(), data.profile()]).then(([answer, p]) =>
      share((answer.newProductsCountry || {}).newProductExportValue, p.exportValue),
    );
    return [
      skin.subtitle(wording('table.new-cells', { start: NEW_SINCE, end: LATEST })),
      skin.controls([
        skin.dropdown(
          wording('control.colored-by'),
          choices(['Sector', 'choice.sector'], ['Complexity', 'choice.complexity']),
          'Sector',
          (next) => {
            colouring = next;
            redraw();
          },
        ),
      ]),
      tree,
      skin.proportion(figure(data, 'new-proportion'), wording('table.new-span'), proportion),
      skin.subtitle(wording('table.new-peers', { start: NEW_SINCE, end: LATEST })),
      area(
        Promise.all([data.profile(), data.newProducts()]),
        ([p, answer]) =>
          skin.peerTable(
            ['country', 'new-products', 'per-capita', 'total'].map((column) => wording(`column.${column}`)),
            peerRows(p.location, answer),
          ),
        180,
      ),
      skin.narrative(newProductsNarrative(data)),
    ];
  },
};
