// Section 5: the share of the world market by sector over the years.

const STEP = {
  NotStarted: 'not yet started the traditional',
  TextilesOnly: 'started the',
  ElectronicsOnly: 'started the',
  MachineryOnly: 'started the',
  Completed: 'completed the',
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

function transformationSentence(p, name) {
  const start =
    `${capital(name)} has ${STEP[p.structuralTransformationStep] || ABSENT} process of structural transformation, in which ` +
    'activity moves from low-productivity to high-productivity sectors: out of agriculture, into textiles, and on to electronics and machinery.';
  const sector = p.structuralTransformationSector;
  if (!sector || !p.structuralTransformationDirection) return start;
  return (
    `${start} In ${name}, the global market share of the ${sectorOf(sector)} sector has ${p.structuralTransformationDirection} ` +
    'over the previous decade.'
  );
}

function mechanismSentence(p, name) {
  const sector = p.marketShareMainSector ? p.marketShareMainSector.shortName : ABSENT;
  const first = `${capital(possessive(name))} export growth in the past five years has been driven by ${sector}.`;
  const own = 'has been driven by expanding its global market share';
  const luck = 'by simply concentrating in a growing global sector';
  if (p.marketShareMainSectorDirection === 'rising') {
    return `${first} This growth has not been by good luck, ${luck}; rather, it ${own}.`;
  }
  if (p.marketShareMainSectorPositiveGrowth) {
    const state = p.marketShareMainSectorDirection === 'falling' ? 'has fallen' : 'has stagnated';
    return `${first} This growth has come ${luck}, while its global market share ${state}.`;
  }
  return `${first} The global sector itself has not grown, nor has ${possessive(name)} global market share in it.`;
}

function marketNarrative(data) {
  return data.profile().then((p) => {
    const name = spoken(p.location);
    return [[transformationSentence(p, name)], [mechanismSentence(p, name)]];
  });
}

const marketShare = {
  slug: 'market-share',
  nav: 'Growth in Global Market Share',
  title: () => 'Growth in Global Market Share',
  bar: () => ['market-share-sector', 'global-share'],
  height: 950,
  draw(data) {
    const hidden = new Set();
    const chart = area(
      data.sectorShares(),
      (rows) => {
        const series = shareSeries(rows);
        if (!series.length) return skin.note('No data.');
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
