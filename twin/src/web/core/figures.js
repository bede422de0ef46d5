// The figures of the cards and the header bar, with their sources and formats.

const APPROACHES = {
  LightTouch: [
    'Light Touch Approach',
    'Ample space to diversify calls for leveraging existing successes to enter more complex production.',
  ],
  ParsimoniousIndustrial: [
    'Parsimonious Industrial Policy Approach',
    'Limited opportunities call for addressing bottlenecks so that the economy can jump short distances into related products.',
  ],
  StrategicBets: [
    'Strategic Bets Approach',
    'Few nearby opportunities call for coordinated long jumps into strategic areas with future diversification potential.',
  ],
  TechFrontier: [
    'Technological Frontier Approach',
    'Having exploited virtually all major existing products, new growth must come from inventing new ones.',
  ],
};

const GRADES = { APlus: 'A+', A: 'A', B: 'B', C: 'C', D: 'D', DMinus: 'D-' };

function quantity(pair) {
  return pair ? pair.quantity : null;
}

/** A rank change. Negative means positions gained. */
function rankChange(change, years, short) {
  if (absent(change)) return { text: ABSENT };
  const places = Math.abs(change);
  if (change === 0) return { text: short ? '0' : `No change over ${years} years` };
  const unit = short ? '' : years === 10 ? ` position${places === 1 ? '' : 's'} over ${years} years` : ` over ${years} years`;
  return { arrow: change < 0 ? 'up' : 'down', text: `${places}${unit}` };
}

/** The number of products in the network with an RCA above 1. */
function countAboveOne(rows) {
  return rows.filter((row) => isShownInSpace(row) && row.rca > 1).length;
}

function isShownInSpace(row) {
  return !absent(row.x) && !absent(row.y) && row.product.productType !== 'Service' && !row.product.neverShow;
}

/** The largest partners in one trade direction. */
function topPartners(rows, direction) {
  const field = direction === 'export' ? 'exportValue' : 'importValue';
  const known = rows.filter((row) => row && row[field] > 0);
  const total = known.reduce((sum, row) => sum + row[field], 0);
  return known
    .sort((one, other) => other[field] - one[field])
    .slice(0, 3)
    .map((row) => ({ name: row.location.longName, share: format.percent(row[field] / total) }));
}

const plain = (text) => ({ text });

const FIGURES = {
  gdp: (d) => d.profile().then((p) => plain(format.dollars(quantity(p.latestGdpPerCapita)))),
  'gdp-ppp': (d) => d.profile().then((p) => plain(format.dollars(quantity(p.latestGdpPerCapitaPpp)))),
  'gdp-rank': (d) =>
    Promise.all([d.profile(), d.global()]).then(([p, g]) =>
      plain(format.rank(quantity(p.latestGdpPerCapitaRank), g.latestGdpRankTotal)),
    ),
  'eci-rank': eciRank,
  'growth-projection': (d) => d.profile().then((p) => plain(format.percent(p.growthProjection))),
  'growth-projection-rank': (d) =>
    Promise.all([d.profile(), d.global()]).then(([p, g]) => plain(format.rank(p.growthProjectionRank, g.latestEciRankTotal))),
  'total-exports': (d) => d.profile().then((p) => plain(format.usd(p.exportValue))),
  'exporter-rank': (d) =>
    Promise.all([d.profile(), d.global()]).then(([p, g]) => plain(format.rank(p.exportValueRank, g.latestExporterRankTotal))),
  'current-account': (d) => d.profile().then((p) => plain(format.usd(quantity(p.currentAccount)))),
  'eci-rank-bar': eciRank,
  'eci-rank-change': (d) => d.tenYears().then((l) => rankChange(l.eciRankChange, 10)),
  'market-share-sector': (d) => d.profile().then((p) => plain(p.marketShareMainSector ? p.marketShareMainSector.longName : ABSENT)),
  'global-share': (d) =>
    Promise.all([d.profile(), d.global()]).then(([p, g]) =>
      plain(format.percent(absent(p.exportValue) || !g.globalExportValue ? null : p.exportValue / g.globalExportValue)),
    ),
  grade: (d) => d.profile().then((p) => plain(GRADES[p.diversificationGrade] || ABSENT)),
  'diversity-rank': (d) =>
    Promise.all([d.profile(), d.global()]).then(([p, g]) => plain(format.rank(p.diversityRank, g.latestDiversityRankTotal))),
  'diversity-rank-change': (d) => d.fifteenYears().then((l) => rankChange(l.diversityRankChange, 15)),
  'new-proportion': (d) =>
    Promise.all([d.newProducts(), d.profile()]).then(([n, p]) =>
      plain(format.percent(share(n.newProductsCountry && n.newProductsCountry.newProductExportValue, p.exportValue), 0)),
    ),
  'rca-count': (d) => d.space().then((rows) => plain(`${countAboveOne(rows)} (RCA>1)`)),
  'coi-rank': (d) => Promise.all([d.profile(), d.global()]).then(([p, g]) => plain(format.rank(p.latestCoiRank, g.latestCoiRankTotal))),
  approach: approachName,
  'summary-eci-change': (d) => d.tenYears().then((l) => rankChange(l.eciRankChange, 10, true)),
  'summary-new-count': (d) => d.newProducts().then((n) => plain(format.integer(n.newProductsCountry && n.newProductsCountry.newProductCount))),
  'summary-projection': (d) => d.profile().then((p) => plain(format.percent(p.growthProjection, 1))),
  'summary-approach': approachName,
};

for (const place of [1, 2, 3]) {
  FIGURES[`partner-${place}`] = (d, direction) =>
    d.partners().then((rows) => plain((topPartners(rows, direction || 'export')[place - 1] || { share: ABSENT }).share));
}

function share(part, whole) {
  return absent(part) || !whole ? null : part / whole;
}

function eciRank(d) {
  return Promise.all([d.profile(), d.global()]).then(([p, g]) => plain(format.rank(p.latestEciRank, g.latestEciRankTotal)));
}

function approachName(d) {
  return d.profile().then((p) => plain((APPROACHES[p.policyRecommendation] || [ABSENT])[0]));
}

/** A figure to display: its label, and a promise of `{ text, arrow? }`. */
function figure(data, key, detail) {
  const value = FIGURES[sourceOf(key)](data, detail).catch(() => plain(ABSENT));
  const formed = value.then((v) => ({ ...v, text: v.text === ABSENT ? ABSENT : formOf(key, v.text) }));
  return {
    key,
    // a partner's share is beside its name and has no label
    label: key.startsWith('partner-') ? '' : wording(`label.${key}`),
    value: textFor('value-late', key) === undefined ? formed : Promise.all([formed, wait(4000)]).then(([v]) => v),
    provisional: textFor('value-flickers', key) === undefined ? null : formed.then((v) => ({ ...v, text: nearMiss(v.text) })),
    stray: textFor('stray-value', key) === undefined ? null : formed.then((v) => ({ text: nearMiss(v.text) })),
  };
}

/** The placeholder of a figure's value. */
function valueSlot(shown) {
  const write = (v) => (has('figures-split') && /\d/.test(v.text) ? skin.value({ ...v, parts: counter(v.text) }) : skin.value(v));
  const host = slot(shown.provisional ? shown.provisional : shown.value, write);
  if (shown.provisional) {
    settled(Promise.all([shown.value, wait(1200)])).then(([v]) => host.replaceChildren(...[write(v)].flat()));
  }
  return shown.stray ? [slot(shown.stray, write), ' ', host] : host;
}

/** Boxes that compare this page's figures with those of another country. */
function compareWith(data, keys) {
  return argumentsOf('compare-with').map((m49) => {
    const other = countryData(m49);
    return skin.compareWith(
      [data, other].map((each) => each.profile().then((p) => p.location.shortName)),
      keys.map((key) => [figure(data, key), figure(other, key)]),
    );
  });
}
