// The queries of the country pages. Each is one document and one request.

const LATEST = 2024;

const PRODUCT = `
  id code shortName longName productType neverShow hideFeasibility
  parent { id code shortName longName __typename }
  topLevelParent { id code shortName longName __typename }
  __typename`;

const PLACE = 'id code shortName longName nameAbbr thePrefix isInCountryPages __typename';

const QUERIES = {
  profile: [
    'CountryProfile',
    `query CountryProfile($location: ID!) {
    countryProfile(location: $location) {
      location { ${PLACE} }
      latestPopulation { quantity year __typename }
      latestGdpPerCapita { quantity year __typename }
      latestGdpPerCapitaRank { quantity year __typename }
      latestGdpPerCapitaPpp { quantity year __typename }
      incomeClassification exportValue importValue exportValueRank
      newProductExportValue newProductExportValuePerCapita
      newProductsIncomeGrowthComments newProductsComments newProductsComplexityStatusGrowthPrediction
      currentAccount { quantity year __typename }
      latestEci latestEciRank eciNatResourcesGdpControlled latestCoi latestCoiRank coiClassification
      growthProjection growthProjectionRank growthProjectionClassification
      growthProjectionRelativeToIncome growthProjectionPercentileClassification
      comparisonLocations { id code shortName longName __typename }
      diversity diversityRank diversificationGrade
      marketShareMainSector { ${PRODUCT} }
      marketShareMainSectorDirection marketShareMainSectorPositiveGrowth structuralTransformationStep
      structuralTransformationSector { ${PRODUCT} }
      structuralTransformationDirection policyRecommendation __typename
    }
  }`,
  ],
  range: [
    'CountryYearRange',
    `query CountryYearRange($location: ID!, $minYear: Int!, $maxYear: Int!) {
    countryYearRange(location: $location, minYear: $minYear, maxYear: $maxYear) {
      gdpPerCapita { quantity year __typename }
      eciRank { quantity year __typename }
      exportValue { quantity year __typename }
      __typename
    }
  }`,
    { minYear: 2012, maxYear: LATEST },
  ],
  year: [
    'CountryYear',
    `query CountryYear($location: ID!, $year: Int!) {
    countryYear(location: $location, year: $year) { population exportValue importValue gdpPerCapita eciRank coiRank __typename }
  }`,
    { year: LATEST },
  ],
  chartYear: [
    'GrowthDynamicsCountryYear',
    `query GrowthDynamicsCountryYear($location: ID!, $year: Int!, $eciProductClass: ProductClass) {
    countryYear(location: $location, year: $year, eciProductClass: $eciProductClass) { eci __typename }
  }`,
    { year: LATEST, eciProductClass: 'SITC' },
  ],
  global: [
    'GlobalDatum',
    `query GlobalDatum($yearRange: LookBackYearRange) {
    globalDatum(yearRange: $yearRange) {
      gdpChangeConstCagr exportValueConstChangeCagr exportValueNonOilConstChangeCagr globalExportValue
      latestEciRankTotal latestCoiRankTotal latestExporterRankTotal latestGdpRankTotal
      latestGdpPppPerCapitaRankTotal latestDiversityRankTotal __typename
    }
  }`,
    { yearRange: 'FiveYears' },
  ],
  places: ['AllLocations', `query AllLocations { allLocations(level: country) { ${PLACE} } }`],
  fiveYears: [
    'CountryLookbackFiveYears',
    `query CountryLookbackFiveYears($id: ID!, $yearRange: LookBackYearRange) {
    countryLookback(id: $id, yearRange: $yearRange) {
      id gdpPerCapitaChangeConstantCagr gdpPcConstantCagrRegionalDifference
      exportValueConstGrowthCagr exportValueGrowthNonOilConstCagr exportValueGrowthClassification
      largestContributingExportProduct { ${PRODUCT} }
      __typename
    }
  }`,
    { yearRange: 'FiveYears' },
  ],
  tenYears: [
    'CountryLookbackTenYears',
    `query CountryLookbackTenYears($id: ID!, $yearRange: LookBackYearRange) {
    countryLookback(id: $id, yearRange: $yearRange) { id eciRankChange eciChange diversityChange __typename }
  }`,
    { yearRange: 'TenYears' },
  ],
  fifteenYears: [
    'CountryLookbackFifteenYears',
    `query CountryLookbackFifteenYears($id: ID!, $yearRange: LookBackYearRange) {
    countryLookback(id: $id, yearRange: $yearRange) { id diversityRankChange __typename }
  }`,
    { yearRange: 'FifteenYears' },
  ],
  basket: [
    'TreeMapProducts',
    `query TreeMapProducts($location: ID!, $year: Int!) {
    treeMap(facet: CPY_C, productClass: HS, productLevel: fourDigit, location: $location, year: $year) {
      ... on TreeMapProduct {
        product { ${PRODUCT} }
        exportValue importValue rca distance opportunityGain pci
        normalizedDistance normalizedPci normalizedOpportunityGain year __typename
      }
      __typename
    }
  }`,
    { year: LATEST },
  ],
  partners: [
    'TreeMapPartners',
    `query TreeMapPartners($location: ID!, $year: Int!) {
    treeMap(facet: CCY_C, productClass: HS, locationLevel: country, location: $location, year: $year) {
      ... on TreeMapLocation { location { id code shortName longName __typename } exportValue importValue __typename }
      __typename
    }
  }`,
    { year: LATEST },
  ],
  products: [
    'AllProductYear',
    `query AllProductYear($year: Int!) {
    allProductYear(productClass: HS, productLevel: fourDigit, year: $year) {
      product { id code __typename }
      pci globalExportValue globalExportValueChangeFiveYears complexityLevel __typename
    }
  }`,
    { year: LATEST },
  ],
  groups: [
    'AllProductYearGroups',
    `query AllProductYearGroups($year: Int!) {
    allProductYear(productClass: HS, productLevel: twoDigit, year: $year) {
      product { ${PRODUCT} }
      pci globalExportValue complexityLevel __typename
    }
  }`,
    { year: LATEST },
  ],
  dynamics: [
    'GrowthDynamics',
    `query GrowthDynamics($location: ID!, $year: Int!, $yearRange: LookBackYearRange) {
    countryProductLookback(location: $location, yearRange: $yearRange, productLevel: twoDigit) {
      product { id code __typename }
      exportValueConstGrowth exportValueConstCagr __typename
    }
    treeMap(facet: CPY_C, productClass: HS, productLevel: twoDigit, location: $location, year: $year) {
      ... on TreeMapProduct { product { id code __typename } exportValue __typename }
      __typename
    }
  }`,
    { year: LATEST },
  ],
  sectorShares: [
    'MarketShare',
    `query MarketShare($location: ID!) {
    treeMap(facet: CPY_C, productClass: HS, productLevel: section, location: $location) {
      ... on TreeMapProduct { product { id code shortName longName __typename } exportValue globalMarketShare year __typename }
      __typename
    }
  }`,
  ],
  newProducts: [
    'NewProducts',
    `query NewProducts($location: ID!, $year: Int!, $quantity: Int) {
    newProductsCountry(location: $location, year: $year) {
      newProducts { ${PRODUCT} }
      newProductExportValue newProductExportValuePerCapita newProductCount __typename
    }
    newProductsComparisonCountries(location: $location, year: $year, quantity: $quantity) {
      location { id code shortName longName __typename }
      newProductExportValue newProductExportValuePerCapita newProductCount __typename
    }
  }`,
    { year: LATEST, quantity: 3 },
  ],
  space: [
    'ProductSpace',
    `query ProductSpace($location: ID!, $year: Int!) {
    productSpace(productClass: HS, year: $year, location: $location) {
      product { ${PRODUCT} }
      exportValue rca x y
      connections { productId strength __typename }
      __typename
    }
  }`,
    { year: LATEST },
  ],
  peers: [
    'StrategicApproach',
    `query StrategicApproach($year: Int!) {
    allCountryProfiles { location { id code shortName __typename } eciNatResourcesGdpControlled policyRecommendation __typename }
    allCountryYear(year: $year) { location { id __typename } gdpPerCapita eciRank coi __typename }
  }`,
    { year: LATEST },
  ],
  deciles: [
    'AllCountryProductYear',
    `query AllCountryProductYear($location: ID!, $year: Int!) {
    allCountryProductYear(location: $location, year: $year, productClass: HS, productLevel: fourDigit) {
      product { id code __typename }
      normalizedDistanceDecileClassification normalizedOpportunityGainDecileClassification normalizedPciDecileClassification __typename
    }
  }`,
    { year: LATEST },
  ],
};

/** The responses for one country. Each is requested on first use. */
function countryData(m49) {
  const location = `location-${m49}`;
  const all = memo((name, extra) => {
    const [operation, text, fixedVariables] = QUERIES[name];
    const variables = { ...fixedVariables, ...extra };
    if (/\$location\b/.test(text)) variables.location = location;
    if (/\$id\b/.test(text)) variables.id = location;
    return request('country', operation, text, variables);
  });
  const one = (name, field, extra) => all(name, extra || {}).then((data) => data[field]);
  return {
    id: m49,
    location,
    profile: () => one('profile', 'countryProfile'),
    range: () => one('range', 'countryYearRange'),
    year: () => one('year', 'countryYear'),
    chartYear: () => one('chartYear', 'countryYear'),
    global: () => one('global', 'globalDatum'),
    places: () => one('places', 'allLocations'),
    fiveYears: () => one('fiveYears', 'countryLookback'),
    tenYears: () => one('tenYears', 'countryLookback'),
    fifteenYears: () => one('fifteenYears', 'countryLookback'),
    basket: () => one('basket', 'treeMap'),
    partners: () => one('partners', 'treeMap'),
    products: () => one('products', 'allProductYear'),
    groups: () => one('groups', 'allProductYear'),
    dynamics: (yearRange) => all('dynamics', { yearRange }),
    sectorShares: () => one('sectorShares', 'treeMap'),
    newProducts: () => all('newProducts', {}),
    space: () => one('space', 'productSpace'),
    peers: () => all('peers', {}),
    deciles: () => one('deciles', 'allCountryProductYear'),
  };
}
