// Sections 9, 10 and 11: the recommended approach, its opportunities, and the table of the best fifty products.

function strategyMarks(answer, own) {
  const outlook = new Map(
    (answer.allCountryYear || []).filter((row) => row && row.location).map((row) => [row.location.id, row.coi]),
  );
  return (answer.allCountryProfiles || [])
    .filter((row) => row && row.location && !absent(row.eciNatResourcesGdpControlled) && !absent(outlook.get(row.location.id)))
    .map((row) => ({
      vx: row.eciNatResourcesGdpControlled,
      vy: outlook.get(row.location.id),
      own: row.location.id === own,
      name: row.location.shortName,
      tooltip: {
        title: row.location.shortName,
        rows: [
          [wording('tooltip.relative'), format.rca(row.eciNatResourcesGdpControlled)],
          [wording('tooltip.outlook'), format.rca(outlook.get(row.location.id))],
        ],
      },
    }))
    .sort((one, other) => Number(one.own) - Number(other.own));
}

const strategicApproach = {
  slug: 'strategic-approach',
  bar: () => [],
  height: 950,
  draw(data) {
    return [
      skin.approach(
        data
          .profile()
          .then((p) =>
            paragraph('prose.approach', {
              ...named(p.location),
              opportunities: OPPORTUNITIES[p.coiClassification] || ABSENT,
            }),
          ),
        figure(data, 'approach'),
        data.profile().then((p) => (APPROACHES[p.policyRecommendation] || ['', ABSENT])[1]),
      ),
      area(data.peers(), (answer) => quadrantChart(strategyMarks(answer, data.location), CHART_WIDTH, 560), 560),
    ];
  },
};

const CRITERIA = choices(['low', 'choice.low'], ['balanced', 'choice.balanced'], ['long', 'choice.long']);
const BALANCED = { StrategicBets: [50, 15, 35], ParsimoniousIndustrial: [55, 20, 25], LightTouch: [60, 20, 20] };

/** The weights of distance, complexity and opportunity gain. */
function weights(policy, criterion) {
  if (criterion === 'low') return [60, 15, 25];
  if (criterion === 'long') return [45, 20, 35];
  return BALANCED[policy] || [50, 15, 35];
}

/** The products within reach, best first. For poor countries, products far above their own complexity are left out. */
function opportunities(rows, products, p, criterion, ceiling) {
  const [near, complex, gain] = weights(p.policyRecommendation, criterion);
  const poor = (quantity(p.latestGdpPerCapita) || 0) <= 6000;
  return rows
    .filter((row) => row && row.product.productType !== 'Service' && !row.product.neverShow && !row.product.hideFeasibility)
    .filter((row) => !absent(row.rca) && row.rca < 1 && !absent(row.distance))
    .map((row) => ({ ...row, world: products.get(row.product.id) || {} }))
    .filter((row) => !absent(row.world.pci) && (!poor || row.world.pci < p.latestEci + ceiling))
    .map((row) => ({
      ...row,
      score:
        near * (row.normalizedDistance || 0) + complex * (row.normalizedPci || 0) + gain * (row.normalizedOpportunityGain || 0),
    }))
    .sort((one, other) => other.score - one.score || one.product.code.localeCompare(other.product.code));
}

function opportunityMarks(rows) {
  return rows.map((row) => ({
    vx: row.distance,
    vy: row.world.pci,
    size: row.world.globalExportValue || 0,
    colour: colourOf(row.product),
    opacity: 0.65,
    name: row.product.shortName,
    tooltip: {
      title: row.product.shortName,
      code: codeOf(row.product),
      colour: colourOf(row.product),
      rows: [
        [wording('tooltip.distance'), format.distance(row.distance)],
        [wording('tooltip.pci'), format.pci(row.world.pci)],
        [wording('tooltip.world-trade'), format.money(row.world.globalExportValue)],
      ],
    },
  }));
}

/** A section, or a message instead of it for frontier countries. */
function unlessFrontier(data, build, height) {
  return area(
    data.profile(),
    (p) =>
      isFrontier(p)
        ? skin.unavailable(wording('prose.unavailable'), wording('control.to-summary'), () =>
            goTo('summary'),
          )
        : build(p),
    height,
  );
}

const growthOpportunities = {
  slug: 'growth-opportunities',
  bar: () => [],
  height: 1000,
  draw(data) {
    return [
      unlessFrontier(
        data,
        (p) => {
          let criterion = 'balanced';
          const chart = h('div', { class: c('ChartHost') });
          const pie = h('div', { class: c('Weights') });
          const draw = () => {
            pie.replaceChildren(skin.weights(weights(p.policyRecommendation, criterion)));
            chart.replaceChildren(
              area(
                Promise.all([data.basket(), data.products()]),
                ([rows, products]) => {
                  const shown = opportunities(rows, byProduct(products), p, criterion, criterion === 'long' ? 2.5 : 2);
                  if (!shown.length) return skin.note(wording('chart.no-data'));
                  return bubbleChart(opportunityMarks(shown), CHART_WIDTH, 540, {
                    xEnds: [wording('chart.nearby'), wording('chart.far')],
                    xTitle: wording('chart.distance'),
                    yTitle: wording('chart.complexity'),
                    xTick: (v) => v.toFixed(2),
                    yTick: (v) => v.toFixed(1),
                    radius: [3, 26],
                    line: { axis: 'y', at: p.latestEci, text: wording('chart.average') },
                  });
                },
                540,
              ),
            );
          };
          draw();
          return [
            skin.strategyPanel(
              APPROACHES[p.policyRecommendation][0],
              CRITERIA,
              criterion,
              (next) => {
                criterion = next;
                draw();
              },
              pie,
            ),
            chart,
            sectorLegend(),
          ];
        },
        700,
      ),
    ];
  },
};

const DECILES = {
  Last: 0.5,
  Second: 1,
  Third: 1.5,
  Fourth: 2,
  Fifth: 2.5,
  Sixth: 3,
  Seventh: 3.5,
  Eighth: 4,
  Ninth: 4.5,
  Top: 5,
};

/** The two product groups with the highest weight among the fifty products. */
function highPotential(rows) {
  const sums = new Map();
  rows.forEach((row, index) => {
    const group = row.product.parent ? row.product.parent.longName : sectorOf(row.product);
    sums.set(group, (sums.get(group) || 0) + (rows.length - index));
  });
  return [...sums.entries()]
    .sort((one, other) => other[1] - one[1])
    .slice(0, 2)
    .map(([name]) => name);
}

const productTable = {
  slug: 'product-table',
  bar: () => [],
  height: 2600,
  draw(data) {
    return [
      unlessFrontier(
        data,
        (p) =>
          area(
            Promise.all([data.basket(), data.products(), data.deciles()]),
            ([rows, products, deciles]) => {
              const ratings = byProduct(deciles);
              const best = opportunities(rows, byProduct(products), p, 'balanced', 1.75).slice(0, 50);
              const [first, second] = highPotential(best);
              return [
                skin.narrative(
                  Promise.resolve([paragraph('prose.potential', { country: spoken(p.location), first, second })]),
                ),
                skin.subtitle(wording('table.top')),
                skin.strategyLine(`${APPROACHES[p.policyRecommendation][0]} / ${wording('choice.balanced')}`),
                skin.productTable(
                  ['product-name', 'distance', 'gain', 'complexity', 'size', 'growth'].map((column) =>
                    wording(`column.${column}`),
                  ),
                  best.map((row) => productRow(row, ratings.get(row.product.id) || {})),
                ),
              ];
            },
            2000,
          ),
        700,
      ),
    ];
  },
};

function productRow(row, rating) {
  const change = row.world.globalExportValueChangeFiveYears;
  return {
    name: row.product.shortName,
    code: codeOf(row.product),
    colour: colourOf(row.product),
    href: `/explore/treemap?year=${LATEST}&product=${row.product.id.replace('product-HS-', 'product-HS92-')}&view=markets`,
    ratings: [
      DECILES[rating.normalizedDistanceDecileClassification],
      DECILES[rating.normalizedOpportunityGainDecileClassification],
      DECILES[rating.normalizedPciDecileClassification],
    ],
    size: format.money(row.world.globalExportValue),
    growth: { text: format.growth(change), arrow: absent(change) ? null : change < 0 ? 'down' : 'up' },
  };
}
