// Section 5: the world market shares by sector and year.

const STEP = {
  NotStarted: 'not yet started',
  TextilesOnly: 'started',
  ElectronicsOnly: 'started',
  MachineryOnly: 'started',
  Completed: 'completed',
};

function shareSeries(rows) {
  const series = new Map();
  for (const row of rows) {
    if (!row || !row.product || absent(row.year) || absent(row.globalMarketShare)) continue;
    const name = sectorOf(row.product);
    if (name === 'Other') continue;
    if (!series.has(name)) series.set(name, { name, colour: SECTOR_COLOURS[name], points: new Map() });
    series.get(name).points.set(row.year, row.globalMarketShare);
  }
  return Object.keys(SECTOR_COLOURS)
    .filter((name) => series.has(name))
    .map((name) => series.get(name));
}

function transformationSentence(p) {
  const step = STEP[p.structuralTransformationStep] || ABSENT;
  const ahead = p.structuralTransformationStep === 'NotStarted';
  const start = wording(ahead ? 'prose.transformation-ahead' : 'prose.transformation', { ...named(p.location), step });
  const sector = p.structuralTransformationSector;
  const direction = p.structuralTransformationDirection;
  if (!sector || !direction) return start;
  return `${start} ${wording('prose.sector-share', { ...named(p.location), sector: sectorOf(sector), direction })}`;
}

function mechanismSentence(p) {
  const sector = p.marketShareMainSector ? p.marketShareMainSector.shortName : ABSENT;
  const first = wording('prose.main-sector', { ...named(p.location), sector });
  if (p.marketShareMainSectorDirection === 'rising') return `${first} ${wording('prose.gained')}`;
  if (p.marketShareMainSectorPositiveGrowth) {
    const state = p.marketShareMainSectorDirection === 'falling' ? 'has fallen' : 'has stagnated';
    return `${first} ${wording('prose.carried', { state })}`;
  }
  return `${first} ${wording('prose.neither', named(p.location))}`;
}

function marketNarrative(data) {
  return data.profile().then((p) => [[transformationSentence(p)], [mechanismSentence(p)]]);
}

const marketShare = {
  slug: 'market-share',
  bar: () => ['market-share-sector', 'global-share'],
  height: 950,
  draw(data) {
    const hidden = new Set();
    const chart = area(
      data.sectorShares(),
      (rows) => {
        const series = shareSeries(rows);
        if (!series.length) return skin.note(wording('chart.no-data'));
        const host = h('div', { class: c('ChartHost') });
        const chips = h('div', { class: c('Chips') });
        const draw = () => {
          const shown = series.filter((line) => !hidden.has(line.name));
          host.replaceChildren(shown.length ? lineChart(shown, CHART_WIDTH, 460) : '');
          chips.replaceChildren(
            ...shown.map((line) =>
              skin.chip(line.name, line.colour, () => {
                hidden.add(line.name);
                draw();
              }),
            ),
          );
        };
        draw();
        return [chips, host];
      },
      500,
    );
    return [chart, skin.narrative(marketNarrative(data))];
  },
};
