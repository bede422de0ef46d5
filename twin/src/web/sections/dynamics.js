// Section 4: growth of the product groups against their complexity, with the country's own complexity as a line.

const PATTERN = { Troubling: 'troubling', Mixed: 'mixed', Static: 'static', Promising: 'promising' };
const YEAR_RANGES = [
  ['ThreeYears', '3 Years'],
  ['FiveYears', '5 Years'],
  ['TenYears', '10 Years'],
];
const RANGE_LENGTH = { ThreeYears: 3, FiveYears: 5, TenYears: 10 };

function growthMarks(groups, answer, sizing) {
  const growth = byProduct(answer.countryProductLookback || []);
  const trade = byProduct(answer.treeMap || []);
  return groups
    .filter((group) => !absent(group.pci) && group.product.productType !== 'Service' && growth.has(group.product.id))
    .map((group) => {
      const cagr = growth.get(group.product.id).exportValueConstCagr;
      const value = (trade.get(group.product.id) || {}).exportValue || 0;
      const size = sizing === 'Country Trade' ? value : sizing === 'World Trade' ? group.globalExportValue || 0 : 1;
      return { group, cagr, value, size };
    })
    .filter((row) => !absent(row.cagr) && row.value > 0 && Math.abs(row.cagr) < 0.6)
    .map(({ group, cagr, value, size }) => ({
      vx: group.pci,
      vy: cagr,
      size,
      colour: colourOf(group.product),
      name: group.product.shortName,
      tooltip: {
        title: group.product.shortName,
        code: codeOf(group.product),
        colour: colourOf(group.product),
        rows: [
          ['Gross Country Export', format.money(value)],
          ['Export Growth', format.percent(cagr)],
        ],
      },
    }));
}

function growthChart(data, sizing, range) {
  return Promise.all([data.groups(), data.dynamics(range), data.chartYear()]).then(([groups, answer, year]) => {
    const marks = growthMarks(groups, answer, sizing);
    if (!marks.length) return skin.note('No data for this period.');
    return bubbleChart(marks, CHART_WIDTH, 540, {
      xEnds: ['◄ Less Complex', 'More Complex ►'],
      xTitle: 'Product Complexity',
      yTitle: `Annual Export Growth (CAGR), ${LATEST - RANGE_LENGTH[range]} – ${LATEST}`,
      yTick: (v) => `${Math.round(v * 100)}%`,
      labels: 6,
      radius: sizing === 'None' ? [7, 7] : [3, 44],
      line: absent(year.eci) ? null : { axis: 'x', at: year.eci, text: `ECI (${LATEST}): ${format.eci(year.eci)}` },
    });
  });
}

function dynamicsNarrative(data) {
  return Promise.all([data.profile(), data.fiveYears(), data.groups()]).then(([p, five, groups]) => {
    const name = spoken(p.location);
    const levels = byProduct(groups);
    const drivers = (five.largestContributingExportProduct || []).filter(Boolean).slice(0, 2);
    const known = [...new Set(drivers.map((product) => (levels.get(product.id) || {}).complexityLevel).filter(Boolean))];
    const pattern = PATTERN[five.exportValueGrowthClassification] || ABSENT;
    return [
      [
        'The dynamics of export growth show whether a country moves into more complex products, or stays with what it already makes.',
      ],
      [
        `During the last five years, ${name} has seen a `,
        skin.strong(pattern),
        ' pattern of export growth, with the largest contribution to export growth coming from ',
        skin.strong(`${known.length ? listed(known) : 'low'} complexity`),
        ' products, particularly ',
        skin.strong(listed(drivers.map((product) => product.shortName)) || ABSENT),
        '.',
      ],
    ];
  });
}

const growthDynamics = {
  slug: 'growth-dynamics',
  nav: 'Export Growth Dynamics',
  title: () => 'Export Growth Dynamics',
  bar: () => [],
  height: 1000,
  draw(data) {
    let sizing = 'Country Trade';
    let range = 'FiveYears';
    const host = h('div', { class: c('ChartHost') });
    const draw = () => host.replaceChildren(area(growthChart(data, sizing, range), (chart) => chart, 540));
    draw();
    return [
      skin.controls([
        skin.dropdown('Year Range', YEAR_RANGES, range, (next) => {
          range = next;
          draw();
        }),
        skin.dropdown(
          'Sizing Products by',
          [
            ['Country Trade', 'Country Trade'],
            ['World Trade', 'World Trade'],
            ['None', 'None'],
          ],
          sizing,
          (next) => {
            sizing = next;
            draw();
          },
        ),
      ]),
      host,
      sectorLegend(),
      skin.narrative(dynamicsNarrative(data)),
    ];
  },
};
