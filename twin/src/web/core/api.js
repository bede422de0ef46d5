// One request per query, as the API wants it; answers are kept for the life of the page.

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

/** The query with the names that fields have now: FIELDS comes with the build, by endpoint and by the names used here. */
function asked(endpoint, query) {
  const names = FIELDS[endpoint];
  return query.replace(/\w+/g, (word) => (Object.hasOwn(names, word) ? names[word] : word));
}

/** Data with the names that fields have here. */
function read(endpoint, data) {
  const names = new Map(Object.entries(FIELDS[endpoint]).map(([here, now]) => [now, here]));
  const renamed = (value) => {
    if (Array.isArray(value)) return value.map(renamed);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [names.get(name) || name, renamed(inner)]));
  };
  return numbered(names.size ? renamed(data) : data);
}

/** Data whose numbers come as texts, with numbers: NUMBERS are the fields that hold some. */
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

/** Sends a query; a busy server gets a second chance after a pause. */
async function request(endpoint, operationName, query, variables) {
  const text = asked(endpoint, query.replace(/\n\s+/g, '\n  ').trim());
  try {
    return read(endpoint, await post(endpoint, operationName, text, variables));
  } catch (error) {
    if (!TRANSIENT.has(error.status)) throw error;
    await wait(1500);
    return read(endpoint, await post(endpoint, operationName, text, variables));
  }
}
