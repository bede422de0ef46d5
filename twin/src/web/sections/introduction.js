// Section 1: cards, a text on the country's position, and links to the four groups.

const INCOME = { High: 'high-income', UpperMiddle: 'upper-middle-income', LowerMiddle: 'lower-middle-income', Low: 'low-income' };
const REGIONAL = { Above: 'above', InLine: 'in line with', Below: 'below' };
const OPPORTUNITIES = { high: 'many', medium: 'a moderate number of', low: 'few' };
const RELATION = {
  ModeratelyMore: 'slightly more complex than',
  More: 'more complex than',
  Same: 'as complex as',
  ModeratelyLess: 'slightly less complex than',
  Less: 'less complex than',
};
const SPEED = { rapid: 'rapidly', moderate: 'moderately', slow: 'slowly' };
const PERCENTILE = { TopDecile: 'top decile', TopQuartile: 'top quartile', TopHalf: 'top half', BottomHalf: 'bottom half' };

/** The phrase on why the ranking changed, from the changes of complexity and diversification. */
function driverPhrase(lookback) {
  const worse = lookback.eciRankChange > 0;
  const wider = lookback.diversityChange > 0;
  if (!worse) return wording(wider ? 'prose.driver-wider' : 'prose.driver-despite');
  return wording(wider ? 'prose.driver-lower' : 'prose.driver-lack');
}

function decadeSentence(place, lookback) {
  const change = lookback.eciRankChange;
  if (absent(change)) return '';
  if (change === 0) return wording('prose.decade-held', named(place));
  const [more, verb] = change < 0 ? ['more', 'improving'] : ['less', 'worsening'];
  return wording('prose.decade', { ...named(place), more, verb, n: Math.abs(change), driver: driverPhrase(lookback) });
}

function introNarrative(data) {
  return Promise.all([data.profile(), data.global(), data.fiveYears(), data.tenYears()]).then(([p, g, five, ten]) => {
    const gdp = p.latestGdpPerCapita || {};
    const slots = {
      ...named(p.location),
      a: p.incomeClassification === 'UpperMiddle' ? 'an' : 'a',
      income: INCOME[p.incomeClassification] || ABSENT,
      total: g.latestGdpRankTotal,
      population: format.people(quantity(p.latestPopulation)),
      gdp: format.dollars(gdp.quantity),
      ppp: format.dollars(quantity(p.latestGdpPerCapitaPpp)),
      year: gdp.year || LATEST,
      growth: format.percent(five.gdpPerCapitaChangeConstantCagr, 1),
      regional: REGIONAL[five.gdpPcConstantCagrRegionalDifference] || ABSENT,
      decade: decadeSentence(p.location, ten),
      opportunities: OPPORTUNITIES[p.coiClassification] || ABSENT,
      relation: RELATION[p.growthProjectionRelativeToIncome] || ABSENT,
      speed: SPEED[p.growthProjectionClassification] || ABSENT,
      projection: format.percent(p.growthProjection, 1),
      percentile: PERCENTILE[p.growthProjectionPercentileClassification] || ABSENT,
    };
    return [
      paragraph('prose.standing', { ...slots, rank: format.ordinal(quantity(p.latestGdpPerCapitaRank)) }),
      paragraph('prose.outlook', { ...slots, rank: format.ordinal(p.latestEciRank) }),
      paragraph('prose.projection', slots),
    ];
  });
}

/** Values of other countries, directly below the cards. */
function comparison(data) {
  return Promise.all([data.profile(), data.peers()]).then(([p, peers]) => {
    const years = new Map((peers.allCountryYear || []).filter((row) => row && row.location).map((row) => [row.location.id, row]));
    return (p.comparisonLocations || []).map((place) => {
      const row = years.get(place.id) || {};
      return {
        name: place.shortName,
        values: [
          [wording('frame.peer-gdp'), format.dollars(row.gdpPerCapita)],
          [wording('frame.peer-eci'), format.ordinal(row.eciRank)],
        ],
      };
    });
  });
}

const introduction = {
  slug: 'introduction',
  bar: () => [],
  height: 900,
  draw(data) {
    const line = (field, write_, downIsBetter) => data.range().then((r) => sparkline(r[field] || [], write_, downIsBetter));
    const lines = (...keys) => inOrder(`${keys[0]} lines`, keys).map((key) => figure(data, key));
    const cards = [
      {
        main: figure(data, 'gdp'),
        year: LATEST,
        lines: lines('gdp-ppp', 'gdp-rank'),
        spark: line('gdpPerCapita', format.dollars),
      },
      { main: figure(data, 'eci-rank'), year: LATEST, lines: [], spark: line('eciRank', format.ordinal, true) },
      { main: figure(data, 'growth-projection'), year: null, lines: lines('growth-projection-rank'), spark: null },
    ];
    return [
      skin.hero(
        data.profile().then((p) => p.location),
        inOrder('introduction cards', cards).map((card) =>
          skin.statCard({ ...card, info: wording(`info.${card.main.key}`) }),
        ),
      ),
      skin.comparisonBox(comparison(data)),
      compareWith(data, ['gdp', 'gdp-ppp', 'gdp-rank', 'eci-rank', 'growth-projection', 'total-exports']),
      skin.narrative(introNarrative(data)),
      skin.jumps(wording('frame.jumps')),
      skin.note(wording('frame.source')),
    ];
  },
};
