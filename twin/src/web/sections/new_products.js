// Section 6: products that were added in fifteen years, beside those of three peers.

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
        ['Gross Export', format.money(row.exportValue)],
        ['Share of New Exports', format.percent(row.exportValue / total)],
      ],
    }),
  }));
}

function newProductsNarrative(data) {
  return Promise.all([data.profile(), data.newProducts()]).then(([p, answer]) => {
    const name = spoken(p.location);
    const own = answer.newProductsCountry || {};
    const enough = p.newProductsComments === 'Sufficient';
    const large = p.newProductsIncomeGrowthComments === 'LargeEnough';
    return [
      [
        'Economic growth is driven by diversification into new products that are incrementally more complex. ',
        `${capital(name)} has added `,
        skin.strong(`${format.integer(own.newProductCount)} new products since ${NEW_SINCE}`),
        ' and these products contributed ',
        skin.strong(`${format.dollars(own.newProductExportValuePerCapita)} in income per capita`),
        ` in ${LATEST}.`,
      ],
      [
        `${capital(name)} has diversified into ${enough ? 'a sufficient number of' : 'too few'} new products to contribute to substantial ` +
          `income growth${enough && !large ? ', but in volumes that are still too small' : ''}.`,
      ],
    ];
  });
}

/** Own row and peers, by number of new products. */
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
  nav: 'Diversification into New Products',
  title: () => 'Diversification into New Products',
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
      skin.subtitle(`New Products Exported, ${NEW_SINCE} – ${LATEST}`),
      skin.controls([
        skin.dropdown(
          'Colored by',
          [
            ['Sector', 'Sector'],
            ['Complexity', 'Complexity'],
          ],
          'Sector',
          (next) => {
            colouring = next;
            redraw();
          },
        ),
      ]),
      tree,
      skin.proportion(figure(data, 'new-proportion'), '(Added in 15 years)', proportion),
      skin.subtitle(`New Export Products, ${NEW_SINCE} – ${LATEST}`),
      area(
        Promise.all([data.profile(), data.newProducts()]),
        ([p, answer]) =>
          skin.peerTable(['Country', 'New Products', 'USD Per Capita', 'USD (Total Value)'], peerRows(p.location, answer)),
        180,
      ),
      skin.narrative(newProductsNarrative(data)),
    ];
  },
};
