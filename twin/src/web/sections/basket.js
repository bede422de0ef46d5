// Sections 2 and 3: the exports and their complexity, as two treemaps of the same rows.

/** The goods and services that the drawings show, without the sector Other. */
function shownRows(rows) {
  return rows.filter((row) => row && row.product && !row.product.neverShow && sectorOf(row.product) !== 'Other');
}

const FLOWS = choices(['Gross', 'choice.gross'], ['Net', 'choice.net']);

function flowName(flow) {
  return FLOWS.find(([value]) => value === flow)[1];
}

function tradeValue(row, flow) {
  return flow === 'Net' ? (row.exportValue || 0) - (row.importValue || 0) : row.exportValue || 0;
}

function basketCells(rows, flow) {
  const shown = shownRows(rows).filter((row) => tradeValue(row, flow) > 0);
  const sum = (list) => list.reduce((total, row) => total + Math.max(0, tradeValue(row, flow)), 0);
  const total = shareTotal(
    {
      all: () => sum(rows.filter((row) => row && row.product)),
      'without-other': () => sum(shown),
      goods: () => sum(shown.filter((row) => row.product.productType !== 'Service')),
    },
    sum(shown),
  );
  return shown.map((row) => {
    const value = tradeValue(row, flow);
    return {
      value,
      name: row.product.shortName,
      text: format.percent(value / total),
      group: sectorOf(row.product),
      colour: colourOf(row.product),
      tooltip: () => ({
        title: row.product.shortName,
        code: codeOf(row.product),
        colour: colourOf(row.product),
        rows: [
          [wording('tooltip.flow-export', { flow: flowName(flow) }), format.money(value)],
          [wording('tooltip.share'), format.percent(value / total)],
        ],
      }),
    };
  });
}

function sectorLegend() {
  return skin.legend(Object.entries(SECTOR_COLOURS).map(([name, colour]) => ({ name, colour })));
}

function changeVerb(value) {
  return value < 0 ? 'declined' : 'grown';
}

function basketNarrative(data) {
  return Promise.all([data.profile(), data.fiveYears(), data.global()]).then(([p, five, g]) => {
    const all = five.exportValueConstGrowthCagr;
    const nonOil = five.exportValueGrowthNonOilConstCagr;
    const unsigned = (v) => (absent(v) ? ABSENT : format.percent(Math.abs(v), 1));
    const slots = {
      ...named(p.location),
      year: LATEST,
      exports: format.moneyWords(p.exportValue),
      verb: changeVerb(all),
      growth: unsigned(all),
      'verb-non-oil': changeVerb(nonOil),
      'growth-non-oil': unsigned(nonOil),
      against: nonOil >= g.exportValueNonOilConstChangeCagr ? 'outpacing' : 'falling below',
      imports: format.moneyWords(p.importValue),
      balance: p.exportValue - p.importValue >= 0 ? 'surplus' : 'deficit',
    };
    return [paragraph('prose.exports', slots), paragraph('prose.imports', slots)];
  });
}

function partnerBlock(data) {
  const cards = h('div', { class: c('Partners') });
  const draw = (direction) => {
    cards.replaceChildren(
      ...[1, 2, 3].map((place) => {
        const name = data.partners().then((rows) => (topPartners(rows, direction)[place - 1] || { name: ABSENT }).name);
        return skin.partnerCard(place, name, figure(data, `partner-${place}`, direction));
      }),
    );
  };
  const choice = skin.dropdown(
    '',
    choices(['export', 'partners.exports'], ['import', 'partners.imports']),
    'export',
    draw,
  );
  draw('export');
  return skin.partners(choice, cards);
}

const exportBasket = {
  slug: 'export-basket',
  bar: () => ['total-exports', 'exporter-rank', 'current-account'],
  height: 1150,
  draw(data) {
    let flow = 'Gross';
    let redraw = () => {};
    const tree = area(
      data.basket(),
      (rows) => {
        const made = changingTreemap(() => treemap(basketCells(rows, flow), CHART_WIDTH, 520));
        redraw = made.draw;
        return made.host;
      },
      520,
    );
    return [
      skin.controls([
        skin.dropdown(
          wording('control.trade-flow'),
          FLOWS,
          flow,
          (next) => {
            flow = next;
            redraw();
          },
        ),
      ]),
      tree,
      sectorLegend(),
      skin.narrative(basketNarrative(data)),
      compareWith(data, ['total-exports', 'exporter-rank', 'current-account']),
      partnerBlock(data),
    ];
  },
};

/** The colour of a product's entry. The data has no entry years, so RCA decides. */
function entryColour(row) {
  return row.rca >= 1 ? '#4a76b8' : row.rca >= 0.5 ? '#8db3dc' : '#c9d4e3';
}

function complexityCells(rows, products, flow, colouring) {
  const pciOf = (row) => {
    const known = products.get(row.product.id);
    return known && !absent(known.pci) ? known.pci : null;
  };
  return shownRows(rows)
    .filter((row) => row.product.productType !== 'Service' && !absent(pciOf(row)))
    .map((row) => ({
      value: tradeValue(row, flow),
      name: row.product.shortName,
      text: format.pci(pciOf(row)),
      group: sectorOf(row.product),
      colour: colouring === 'Complexity' ? complexityColour(pciOf(row)) : entryColour(row),
      tooltip: () => ({
        title: row.product.shortName,
        code: codeOf(row.product),
        colour: complexityColour(pciOf(row)),
        rows: [
          [wording('tooltip.flow-export', { flow: flowName(flow) }), format.money(tradeValue(row, flow))],
          [wording('tooltip.pci'), format.pci(pciOf(row))],
        ],
      }),
    }));
}

/** The two largest pairs of complexity level and sector among goods, in words. */
function levelPhrase(rows, products) {
  const sums = new Map();
  for (const row of shownRows(rows).filter((candidate) => candidate.product.productType !== 'Service')) {
    const level = (products.get(row.product.id) || {}).complexityLevel;
    if (!level || !(row.exportValue > 0)) continue;
    const key = `${level}|${sectorOf(row.product)}`;
    sums.set(key, (sums.get(key) || 0) + row.exportValue);
  }
  const pairs = [...sums.entries()]
    .sort((one, other) => other[1] - one[1])
    .slice(0, 2)
    .map(([key]) => key.split('|'));
  if (!pairs.length) return null;
  const levels = [...new Set(pairs.map(([level]) => level))];
  const sectors = [...new Set(pairs.map(([, sector]) => sector))];
  const tail = levels.length > 1 && sectors.length > 1 ? ', respectively' : '';
  return { levels: levels.join(' and '), sectors: sectors.join(' and ') + tail };
}

function complexityNarrative(data) {
  return Promise.all([data.profile(), data.basket(), data.products()]).then(([p, rows, products]) => {
    const { levels, sectors } = levelPhrase(rows, byProduct(products)) || { levels: ABSENT, sectors: ABSENT };
    return [paragraph('prose.levels', { ...named(p.location), levels, sectors }), paragraph('prose.levels-note')];
  });
}

const exportComplexity = {
  slug: 'export-complexity',
  bar: () => ['eci-rank-bar', 'eci-rank-change'],
  height: 1000,
  draw(data) {
    const chosen = { flow: 'Gross', colouring: 'Complexity' };
    let redraw = () => {};
    const choose = (key) => (next) => {
      chosen[key] = next;
      redraw();
    };
    const tree = area(
      Promise.all([data.basket(), data.products()]),
      ([rows, products]) => {
        const known = byProduct(products);
        const made = changingTreemap(() =>
          treemap(complexityCells(rows, known, chosen.flow, chosen.colouring), CHART_WIDTH, 520),
        );
        redraw = made.draw;
        return made.host;
      },
      520,
    );
    return [
      skin.controls([
        skin.dropdown(
          wording('control.trade-flow'),
          FLOWS,
          'Gross',
          choose('flow'),
        ),
        skin.dropdown(
          wording('control.colored-by'),
          choices(['Complexity', 'choice.complexity'], ['Entry Year', 'choice.entry-year']),
          'Complexity',
          choose('colouring'),
        ),
      ]),
      tree,
      skin.gradient(wording('chart.low-complexity'), wording('chart.high-complexity')),
      skin.narrative(complexityNarrative(data)),
    ];
  },
};
