// Sends one request per query, as the API requires. The page caches the responses.

const ENDPOINTS = { country: '/api/countries/graphql', explore: '/api/graphql' };

async function post(endpoint, operationName, query, variables) {
  const response = await fetch(ENDPOINTS[endpoint], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: '*/*' },
    body: JSON.stringify({ operationName, variables, query }),
  });
  if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
  const body = await response.json();
  const data = body.data || {};
  if (Object.values(data).some((value) => value !== null && value !== undefined)) return data;
  throw new Error((body.errors || [{ message: 'no data' }]).map((error) => error.message).join('; '));
}

const TRANSIENT = new Set([429, 500, 502, 503, 504]);

/** The query with the API's current field names. The build provides FIELDS: current names by endpoint and by our names. */
function currentNames(endpoint, query) {
  const names = FIELDS[endpoint];
  return query.replace(/\w+/g, (word) => (Object.hasOwn(names, word) ? names[word] : word));
}

/** The data with our field names. */
function read(endpoint, data) {
  const names = new Map(Object.entries(FIELDS[endpoint]).map(([here, now]) => [now, here]));
  const renamed = (value) => {
    if (Array.isArray(value)) return value.map(renamed);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [names.get(name) || name, renamed(inner)]));
  };
  return numbered(names.size ? renamed(data) : data);
}

/** The data with texts converted to numbers. NUMBERS lists the numeric fields. */
function numbered(data) {
  if (!has('numbers-as-text')) return data;
  const known = new Set(NUMBERS);
  const plain = (value, name) => {
    if (Array.isArray(value)) return value.map((item) => plain(item, name));
    if (value === null || typeof value !== 'object') {
      return typeof value === 'string' && known.has(name) ? Number(value) : value;
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner, key)]));
  };
  return plain(data, '');
}

/** Sends a query. If the server is busy, retries once after a pause. */
async function request(endpoint, operationName, query, variables) {
  const text = currentNames(endpoint, query.replace(/\n\s+/g, '\n  ').trim());
  try {
    return read(endpoint, await post(endpoint, operationName, text, variables));
  } catch (error) {
    if (!TRANSIENT.has(error.status)) throw error;
    await wait(1500);
    return read(endpoint, await post(endpoint, operationName, text, variables));
  }
}
