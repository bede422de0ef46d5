// Section 1: cards, the narrative of a country's standing, and the way to the four groups.

const INCOME = { High: 'high-income', UpperMiddle: 'upper-middle-income', LowerMiddle: 'lower-middle-income', Low: 'low-income' };
const REGIONAL = { Above: 'above regional averages', InLine: 'in line with regional averages', Below: 'below regional averages' };
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

/** What moved the ranking, told from the direction of complexity and of diversification. */
function driverPhrase(lookback) {
  const worse = lookback.eciRankChange > 0;
  const wider = lookback.diversityChange > 0;
  if (!worse && wider) return 'improving complexity has been driven by diversifying its exports';
  if (!worse) return 'improving complexity has occurred despite the stagnant diversification of its exports';
  if (!wider) return 'worsening complexity has been driven by a lack of diversification of exports';
  return 'worsening complexity has occurred in spite of the increasing diversification of its exports, towards lower complexity products';
}

function decadeSentence(name, lookback) {
  const change = lookback.eciRankChange;
  if (absent(change)) return '';
  if (change === 0) return `Compared to a decade prior, ${possessive(name)} economy holds the same position in the ECI ranking.`;
  const [more, verb] = change < 0 ? ['more', 'improving'] : ['less', 'worsening'];
  const places = `${Math.abs(change)} position${Math.abs(change) === 1 ? '' : 's'}`;
  return (
    `Compared to a decade prior, ${possessive(name)} economy has become ${more} complex, ${verb} ${places} in the ECI ranking. ` +
    `${capital(possessive(name))} ${driverPhrase(lookback)}.`
  );
}

function introNarrative(data) {
  return Promise.all([data.profile(), data.global(), data.fiveYears(), data.tenYears()]).then(([p, g, five, ten]) => {
    const name = spoken(p.location);
    const gdp = p.latestGdpPerCapita || {};
    return [
      [
        `${capital(name)} is ${p.incomeClassification === 'UpperMiddle' ? 'an' : 'a'} `,
        skin.strong(INCOME[p.incomeClassification] || ABSENT),
        ` country, ranking as the ${format.ordinal(quantity(p.latestGdpPerCapitaRank))} richest economy per capita out of ${g.latestGdpRankTotal} studied. Its `,
        skin.strong(format.people(quantity(p.latestPopulation))),
        ` inhabitants have a GDP per capita of ${format.dollars(gdp.quantity)} (${format.dollars(quantity(p.latestGdpPerCapitaPpp))} PPP; ${gdp.year || LATEST}). ` +
          'GDP per capita growth has ',
        skin.strong(`averaged ${format.percent(five.gdpPerCapitaChangeConstantCagr, 1)}`),
        ` over the past five years, ${REGIONAL[five.gdpPcConstantCagrRegionalDifference] || ABSENT}.`,
      ],
      [
        `${capital(name)} ranks as the `,
        skin.strong(`${format.ordinal(p.latestEciRank)} most complex country`),
        ` in the Economic Complexity Index (ECI) ranking. ${decadeSentence(name, ten)} Looking ahead, ${name} is positioned to take advantage of `,
        skin.strong(`${OPPORTUNITIES[p.coiClassification] || ABSENT} opportunities`),
        ' to diversify its production using its existing knowhow.',
      ],
      [
        `${capital(name)} is `,
        skin.strong(`${RELATION[p.growthProjectionRelativeToIncome] || ABSENT} expected`),
        ` for its income level. As a result, its economy is projected to grow ${SPEED[p.growthProjectionClassification] || ABSENT}. ` +
          `The Growth Lab’s 2034 Growth Projections foresee growth in ${name} of `,
        skin.strong(`${format.percent(p.growthProjection, 1)} annually`),
        ` over the coming decade, ranking in the ${PERCENTILE[p.growthProjectionPercentileClassification] || ABSENT} of countries globally.`,
      ],
    ];
  });
}

/** Other countries' values, right under the cards. */
function comparison(data) {
  return Promise.all([data.profile(), data.peers()]).then(([p, peers]) => {
    const years = new Map((peers.allCountryYear || []).filter((row) => row && row.location).map((row) => [row.location.id, row]));
    return (p.comparisonLocations || []).map((place) => {
      const row = years.get(place.id) || {};
      return {
        name: place.shortName,
        values: [
          ['GDP per capita', format.dollars(row.gdpPerCapita)],
          ['ECI ranking', format.ordinal(row.eciRank)],
        ],
      };
    });
  });
}

const introduction = {
  slug: 'introduction',
  path: '',
  nav: 'Introduction',
  title: () => 'Introduction',
  bar: () => [],
  height: 900,
  draw(data) {
    const line = (field, write_, downIsBetter) => data.range().then((r) => sparkline(r[field] || [], write_, downIsBetter));
    return [
      skin.hero(
        data.profile().then((p) => p.location),
        [
          skin.statCard({
            main: figure(data, 'gdp'),
            year: LATEST,
            lines: [figure(data, 'gdp-ppp'), figure(data, 'gdp-rank')],
            spark: line('gdpPerCapita', format.dollars),
            info: 'Current US dollars, and international dollars at purchasing power parity.',
          }),
          skin.statCard({
            main: figure(data, 'eci-rank'),
            year: LATEST,
            lines: [],
            spark: line('eciRank', format.ordinal, true),
            info: 'Countries ranked by the diversity and complexity of their exports.',
          }),
          skin.statCard({
            main: figure(data, 'growth-projection'),
            year: null,
            lines: [figure(data, 'growth-projection-rank')],
            spark: null,
            info: 'Annual growth over the coming decade, given the present complexity.',
          }),
        ],
      ),
      skin.comparisonBox(comparison(data)),
      compareWith(data, ['gdp', 'gdp-ppp', 'gdp-rank', 'eci-rank', 'growth-projection', 'total-exports']),
      skin.narrative(introNarrative(data)),
      skin.jumps('Jump To Specific Section'),
      skin.note(
        'Data source: UN COMTRADE (HS 1992) and the IMF’s WEO; services data from the IMF’s Direction of Trade Statistics.',
      ),
    ];
  },
};
