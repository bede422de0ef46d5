// Section 4: the growth of product groups by complexity, with the country's complexity as a line.

const PATTERN = { Troubling: 'troubling', Mixed: 'mixed', Static: 'static', Promising: 'promising' };
const RANGE_LENGTH = { ThreeYears: 3, FiveYears: 5, TenYears: 10 };
const YEAR_RANGES = Object.entries(RANGE_LENGTH).map(([range, n]) => [range, wording('choice.years', { n })]);

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
          [wording('tooltip.country-export'), format.money(value)],
          [wording('tooltip.export-growth'), format.percent(cagr)],
        ],
      },
    }));
}

function growthChart(data, sizing, range) {
  return Promise.all([data.groups(), data.dynamics(range), data.chartYear()]).then(([groups, answer, year]) => {
    const marks = growthMarks(groups, answer, sizing);
    if (!marks.length) return skin.note(wording('chart.no-period'));
    return bubbleChart(marks, CHART_WIDTH, 540, {
      xEnds: [wording('chart.less-complex'), wording('chart.more-complex')],
      xTitle: wording('chart.complexity'),
      yTitle: wording('chart.growth', { start: LATEST - RANGE_LENGTH[range], end: LATEST }),
      yTick: (v) => `${Math.round(v * 100)}%`,
      labels: 6,
      radius: sizing === 'None' ? [7, 7] : [3, 44],
      line: absent(year.eci)
        ? null
        : { axis: 'x', at: year.eci, text: wording('chart.eci-year', { year: LATEST, eci: format.eci(year.eci) }) },
    });
  });
}

function dynamicsNarrative(data) {
  return Promise.all([data.profile(), data.fiveYears(), data.groups()]).then(([p, five, groups]) => {
    const levels = byProduct(groups);
    const drivers = (five.largestContributingExportProduct || []).filter(Boolean).slice(0, 2);
    const known = [...new Set(drivers.map((product) => (levels.get(product.id) || {}).complexityLevel).filter(Boolean))];
    const slots = {
      ...named(p.location),
      pattern: PATTERN[five.exportValueGrowthClassification] || ABSENT,
      levels: known.length ? listed(known) : 'low',
      products: listed(drivers.map((product) => product.shortName)) || ABSENT,
    };
    return [paragraph('prose.dynamics-note'), paragraph('prose.dynamics', slots)];
  });
}

const growthDynamics = {
  slug: 'growth-dynamics',
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
        skin.dropdown(wording('control.year-range'), YEAR_RANGES, range, (next) => {
          range = next;
          draw();
        }),
        skin.dropdown(
          wording('control.sizing-products'),
          choices(
            ['Country Trade', 'choice.country-trade'],
            ['World Trade', 'choice.world-trade'],
            ['None', 'choice.none'],
          ),
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
