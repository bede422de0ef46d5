// The explorer's queries: first the catalogues for every view, then the rows of the view.

const CATALOGUE = { HS92: 'productHs92', HS12: 'productHs12', HS22: 'productHs22', SITC: 'productSitc' };

const EXPLORER_PRODUCT = `fragment ProductFragment on Product {
  productId productLevel code productType nameEn nameShortEn clusterId productSpaceX productSpaceY isShown showFeasibility
  topParent { productId code nameEn nameShortEn __typename }
  __typename
}`;

function ask(operation, text, variables) {
  return request('explore', operation, text, variables || {});
}

/** Loads the data of every view: countries, groups, products, deflators, coverage, vintage, banner. */
/** `level` 6 also loads the six-digit products, which no other view needs. */
function explorerCatalogues(productClass, level) {
  const field = CATALOGUE[productClass] || CATALOGUE.HS92;
  ask('GetBanner', 'query GetBanner { banner { bannerId text __typename } }').catch(() => {});
  ask('GetMetadata', 'query GetMetadata { metadata { serverName ingestionDate __typename } }').catch(() => {});
  ask(
    'GetDataAvailability',
    'query GetDataAvailability { dataAvailability { productClassification yearMin yearMax __typename } }',
  ).catch(() => {});
  return {
    countries: ask(
      'GetCountries',
      `query GetCountries {
      countries: locationCountry { countryId iso3Code nameEn nameShortEn nameAbbrEn thePrefix inCp formerCountry __typename }
    }`,
    ).then((data) => data.countries),
    groups: ask(
      'GetGroups',
      `query GetGroups {
      groups: locationGroup { groupId groupName groupType members __typename }
    }`,
    ).then((data) => data.groups),
    products: ask(
      `Get${productClass}Products`,
      `query Get${productClass}Products {
      section: ${field}(productLevel: 1, servicesClass: unilateral) { ...ProductFragment }
      twoDigit: ${field}(productLevel: 2, servicesClass: unilateral) { ...ProductFragment }
      fourDigit: ${field}(productLevel: 4, servicesClass: unilateral) { ...ProductFragment }
      ${level === 6 ? `sixDigit: ${field}(productLevel: 6, servicesClass: unilateral) { ...ProductFragment }` : ''}
    }
    ${EXPLORER_PRODUCT}`,
    ),
    deflators: ask('GetYears', 'query GetYears { data: year { year deflator __typename } }').then((data) => data.data),
  };
}

const CPY = `query CPY($countryId: Int, $productId: Int, $productLevel: Int!, $productClass: ProductClass, $servicesClass: ServicesClass, $yearMin: Int, $yearMax: Int) {
  data: countryProductYear(countryId: $countryId, productId: $productId, productLevel: $productLevel, productClass: $productClass, servicesClass: $servicesClass, yearMin: $yearMin, yearMax: $yearMax) {
    countryId productId year exportValue importValue exportRca distance cog normalizedPci normalizedCog normalizedDistance globalMarketShare __typename
  }
}`;

const CCPY = `query CCPY($countryId: Int, $partnerCountryId: Int, $productId: Int, $productLevel: Int, $productClass: ProductClass, $servicesClass: ServicesClass, $yearMin: Int, $yearMax: Int) {
  data: countryCountryProductYear(countryId: $countryId, partnerCountryId: $partnerCountryId, productId: $productId, productLevel: $productLevel, productClass: $productClass, servicesClass: $servicesClass, yearMin: $yearMin, yearMax: $yearMax) {
    countryId partnerCountryId productId year exportValue importValue __typename
  }
}`;

const CCY = `query CCY($countryId: Int, $productClass: ProductClass, $yearMin: Int, $yearMax: Int) {
  data: countryCountryYear(countryId: $countryId, productClass: $productClass, yearMin: $yearMin, yearMax: $yearMax) {
    countryId partnerCountryId year exportValue importValue __typename
  }
}`;

const CGPY = `query CGPY($countryId: Int, $partnerGroupId: Int!, $productLevel: Int, $productClass: ProductClass, $yearMin: Int, $yearMax: Int) {
  data: countryGroupProductYear(countryId: $countryId, partnerGroupId: $partnerGroupId, productLevel: $productLevel, productClass: $productClass, yearMin: $yearMin, yearMax: $yearMax) {
    countryId productId year exportValue importValue __typename
  }
}`;

const GCPY = `query GCPY2($groupId: Int!, $partnerCountryId: Int, $productId: Int, $productLevel: Int, $productClass: ProductClass, $yearMin: Int, $yearMax: Int) {
  data: groupCountryProductYear(groupId: $groupId, partnerCountryId: $partnerCountryId, productId: $productId, productLevel: $productLevel, productClass: $productClass, yearMin: $yearMin, yearMax: $yearMax) {
    groupId partnerCountryId productId year exportValue importValue __typename
  }
}`;

const PY = `query PY($productLevel: Int!, $productClass: ProductClass, $servicesClass: ServicesClass, $yearMin: Int, $yearMax: Int) {
  data: productYear(productLevel: $productLevel, productClass: $productClass, servicesClass: $servicesClass, yearMin: $yearMin, yearMax: $yearMax) {
    productId year exportValue importValue pci exportValueConstGrowth5 complexityEnum __typename
  }
}`;

const CY = `query CY($countryId: Int, $productClass: ProductClass, $yearMin: Int, $yearMax: Int) {
  data: countryYear(countryId: $countryId, productClass: $productClass, yearMin: $yearMin, yearMax: $yearMax) {
    countryId year exportValue importValue population eci __typename
  }
}`;

const THRESHOLDS = `query CYT($countryId: Int, $productClass: ProductClass!, $yearMin: Int, $yearMax: Int) {
  data: countryYearThresholds(countryId: $countryId, productClass: $productClass, yearMin: $yearMin, yearMax: $yearMax) {
    variable year percentile10 percentile20 percentile30 percentile40 percentile50 percentile60 percentile70 percentile80 percentile90 __typename
  }
}`;

function years(state) {
  return state.start
    ? { yearMin: Math.min(state.start, state.end), yearMax: Math.max(state.start, state.end) }
    : { yearMin: state.year, yearMax: state.year };
}

async function rowsOf(operation, text, variables) {
  return (await ask(operation, text, variables)).data || [];
}

/** The rows of a country group, summed by `key` and year. */
function addedUp(rows, key) {
  const sums = new Map();
  for (const row of rows) {
    const name = `${row[key]} ${row.year}`;
    const sum = sums.get(name);
    if (sum) {
      sum.exportValue += row.exportValue || 0;
      sum.importValue += row.importValue || 0;
    } else sums.set(name, { ...row });
  }
  return [...sums.values()];
}

/** The rows by product. Only the world market includes services. */
async function productRows(state, level) {
  const { exporter, importer, productClass } = state;
  const base = { productLevel: level, productClass, ...years(state) };
  if (exporter.kind === 'country' && !importer) {
    return rowsOf('CPY', CPY, { ...base, countryId: exporter.id, servicesClass: 'unilateral' });
  }
  if (exporter.kind === 'country' && importer.kind === 'country') {
    return rowsOf('CCPY', CCPY, { ...base, countryId: exporter.id, partnerCountryId: importer.id });
  }
  if (exporter.kind === 'country') return rowsOf('CGPY', CGPY, { ...base, countryId: exporter.id, partnerGroupId: importer.id });
  if (!importer && exporter.id === 1) return rowsOf('PY', PY, { ...base, servicesClass: 'unilateral' });
  const rows = await rowsOf('GCPY2', GCPY, {
    ...base,
    groupId: exporter.id,
    partnerCountryId: importer && importer.kind === 'country' ? importer.id : undefined,
  });
  return addedUp(rows, 'productId');
}

/** The rows by partner: of one country, or of the world for one product, where the rows are the exporters. */
async function partnerRows(state) {
  const { exporter, productClass, product } = state;
  const base = { productClass, ...years(state) };
  if (exporter && exporter.kind === 'country') {
    return product
      ? rowsOf('CCPY', CCPY, { ...base, countryId: exporter.id, productId: product, productLevel: 4 })
      : rowsOf('CCY', CCY, { ...base, countryId: exporter.id });
  }
  const rows = await rowsOf('GCPY2', GCPY, { ...base, groupId: exporter ? exporter.id : 1, productId: product, productLevel: 4 });
  // The world's imports from a country are that country's exports.
  const places = addedUp(rows, 'partnerCountryId');
  return exporter ? places : places.map((row) => ({ ...row, exportValue: row.importValue, importValue: row.exportValue }));
}
