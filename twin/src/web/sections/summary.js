// Section 12: the country in three cards, and links to more.

function structureSentences(data) {
  return Promise.all([data.profile(), data.tenYears(), data.newProducts()]).then(([p, ten, answer]) => {
    const slots = named(p.location);
    const change = ten.eciRankChange;
    return [
      change
        ? wording('prose.summary-moved', { ...slots, moved: change < 0 ? 'improved' : 'worsened', n: Math.abs(change) })
        : wording('prose.summary-held', slots),
      wording('prose.summary-added', { ...slots, count: format.integer((answer.newProductsCountry || {}).newProductCount) }),
    ];
  });
}

const summary = {
  slug: 'summary',
  bar: () => [],
  height: 700,
  draw(data) {
    const structure = structureSentences(data);
    return [
      skin.summaryCards(
        inOrder('summary cards', [
          {
            title: wording('card.structure'),
            entries: inOrder('summary structure', [
              [figure(data, 'summary-eci-change'), structure.then(([first]) => first)],
              [figure(data, 'summary-new-count'), structure.then(([, second]) => second)],
            ]),
          },
          {
            title: wording('card.future'),
            entries: [
              [
                figure(data, 'summary-projection'),
                data
                  .profile()
                  .then((p) =>
                    wording('prose.summary-growth', { ...named(p.location), growth: format.percent(p.growthProjection, 1) }),
                  ),
              ],
            ],
          },
          {
            title: wording('card.path'),
            entries: [
              [
                figure(data, 'summary-approach'),
                data.profile().then((p) => (APPROACHES[p.policyRecommendation] || ['', ABSENT])[1]),
              ],
            ],
          },
        ]),
      ),
      skin.onward([
        [wording('onward.search'), '/countries'],
        [wording('onward.explore'), `/explore/treemap?year=${LATEST}&exporter=country-${data.id}`],
        [wording('onward.cities'), '/countries'],
      ]),
    ];
  },
};
