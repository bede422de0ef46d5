// Section 12: the country in three cards, and ways onward.

function structureSentences(data) {
  return Promise.all([data.profile(), data.tenYears(), data.newProducts()]).then(([p, ten, answer]) => {
    const name = spoken(p.location);
    const change = ten.eciRankChange;
    const moved = change < 0 ? 'improved' : change > 0 ? 'worsened' : 'held';
    const places = Math.abs(change || 0);
    return [
      change
        ? `${capital(possessive(name))} position in the ECI ranking has ${moved} by ${places} place${places === 1 ? '' : 's'} over the past decade.`
        : `${capital(name)} has held its position in the ECI ranking over the past decade.`,
      `Over the last 15 years, ${name} has added ${format.integer((answer.newProductsCountry || {}).newProductCount)} new products to its exports.`,
    ];
  });
}

const summary = {
  slug: 'summary',
  nav: 'Country Summary',
  title: (place) => `${place.shortName} in Summary`,
  bar: () => [],
  height: 700,
  draw(data) {
    const structure = structureSentences(data);
    return [
      skin.summaryCards([
        {
          title: 'Economic Structure',
          entries: [
            [figure(data, 'summary-eci-change'), structure.then(([first]) => first)],
            [figure(data, 'summary-new-count'), structure.then(([, second]) => second)],
          ],
        },
        {
          title: 'Future Dynamics',
          entries: [
            [
              figure(data, 'summary-projection'),
              data
                .profile()
                .then(
                  (p) =>
                    `${capital(spoken(p.location))} is expected to grow by ${format.percent(p.growthProjection, 1)} per year over the next 10 years.`,
                ),
            ],
          ],
        },
        {
          title: 'Path to Diversification',
          entries: [
            [
              figure(data, 'summary-approach'),
              data.profile().then((p) => (APPROACHES[p.policyRecommendation] || ['', ABSENT])[1]),
            ],
          ],
        },
      ]),
      skin.onward([
        ['Search a New Country', '/countries'],
        ['Analyze & Explore This Country Further', `/explore/treemap?year=${LATEST}&exporter=country-${data.id}`],
        ['Explore This Country’s Cities with Metroverse', '/countries'],
      ]),
    ];
  },
};
