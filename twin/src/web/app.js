// The country page: one document with twelve sections, a bar that follows the scroll position, and the navigation.

const CHART_WIDTH = Math.max(560, skin.chartWidth(window.innerWidth - 16));

// The introduction has no heading: it stays first in every order.
const SECTIONS = [
  introduction,
  ...inOrder('sections', [
    exportBasket,
    exportComplexity,
    growthDynamics,
    marketShare,
    newProducts,
    productSpace,
    paths,
    strategicApproach,
    growthOpportunities,
    productTable,
    summary,
  ]),
];

let currentCountry = '';
let goTo = () => {};

function pathOf(slug) {
  return `/countries/${currentCountry}${slug === 'introduction' ? '' : `/${slug}`}`;
}

/** The click handler of a link to a section: scrolls to the section and changes the address. */
function follow(slug) {
  return (event) => {
    event.preventDefault();
    goTo(slug);
  };
}

/** The slots of headings, and of links to them: country and year. */
function inHeading(place) {
  return { country: place.shortName, countrys: possessive(place.shortName), year: LATEST };
}

function sectionTitle(section, place) {
  return wording(`heading.${section.slug}`, inHeading(place));
}

function held(slug, draw) {
  holdValues = argumentsOf('spinner-forever').includes(slug);
  try {
    return draw();
  } finally {
    holdValues = false;
  }
}

function barFigures(section, data) {
  return inOrder(`${section.slug} bar`, section.bar()).map((key) => figure(data, key));
}

function sectionContent(section, place, data) {
  return held(section.slug, () => {
    const content = skin.section(section.slug === 'introduction' ? null : sectionTitle(section, place), section.draw(data));
    if (has('bar-in-section') && section.bar().length) {
      content.splice(content.length - 1, 0, h('div', { class: c('TopBar') }, skin.bar(place, '', barFigures(section, data))));
    }
    return content;
  });
}

/** With the fault `lazy-rest`, a section mounts after this time in the window; in ms. */
const MOUNT_DELAY_MS = 150;

function isLazy() {
  return has('lazy') || has('lazy-rest') || (SKIN === 'mui' && !has('eager'));
}

/** Mounts sections immediately, when they are near, or when they stay in the window; `wanted` mounts first. */
function mountAll(place, data, wanted) {
  const missing = argumentsOf('section-missing');
  const mounted = SECTIONS.filter((section) => !missing.includes(section.slug)).map((section) => ({
    section,
    node: h('div', { class: c('Section'), style: { minHeight: `${section.height}px` } }),
    mount() {
      if (this.done) return;
      this.done = true;
      this.node.append(...sectionContent(section, place, data));
      this.node.style.minHeight = '';
    },
  }));
  if (!isLazy()) return { mounted, start: () => mountInTurn(mounted) };
  const rests = has('lazy-rest');
  const start = () => {
    const near = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const item = mounted.find((one) => one.node === entry.target);
          clearTimeout(item.due);
          if (!entry.isIntersecting) continue;
          const mount = () => {
            near.unobserve(entry.target);
            item.mount();
          };
          if (rests) item.due = setTimeout(mount, MOUNT_DELAY_MS);
          else mount();
        }
      },
      { rootMargin: rests ? '0px' : '350px 0px' },
    );
    const first = mounted.find((item) => item.section.slug === wanted) || mounted[0];
    first.mount();
    mounted.forEach((item) => near.observe(item.node));
  };
  return { mounted, start };
}

function mountInTurn(mounted) {
  for (const [index, item] of mounted.entries()) {
    if (index === 1 && has('script-error')) throw new TypeError("Cannot read properties of undefined (reading 'map')");
    item.mount();
  }
}

/** Keeps a section at the top while the page above it settles, until the visitor scrolls. */
function holdAt(node, offset) {
  let own = -1;
  const page = document.documentElement;
  page.style.overflowAnchor = 'none';
  const apply = () => {
    window.scrollTo({ top: Math.max(0, node.getBoundingClientRect().top + window.scrollY - offset), behavior: 'instant' });
    own = window.scrollY;
  };
  apply();
  const watcher = new ResizeObserver(() => {
    const atEnd = window.scrollY >= page.scrollHeight - window.innerHeight - 2;
    if (Math.abs(window.scrollY - own) > 2 && !atEnd) release();
    else apply();
  });
  const release = () => {
    watcher.disconnect();
    page.style.overflowAnchor = '';
  };
  watcher.observe(node.parentElement);
  setTimeout(release, 6000);
}

function watchScroll(mounted, activate) {
  let active = null;
  let queued = false;
  const look = () => {
    queued = false;
    const passed = mounted.filter((item) => item.node.getBoundingClientRect().top <= 220);
    const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 4;
    const next = atEnd ? mounted[mounted.length - 1] : passed[passed.length - 1] || mounted[0];
    if (next && next !== active) {
      active = next;
      activate(next.section);
    }
  };
  window.addEventListener('scroll', () => {
    if (!queued) {
      queued = true;
      requestAnimationFrame(look);
    }
  });
  look();
}

function selectorPlaces(data) {
  return data.places().then((rows) =>
    rows
      .filter((row) => row && row.isInCountryPages)
      .map((row) => ({ id: row.id.replace('location-', ''), text: `${row.shortName} (${row.code})` }))
      .sort((one, other) => one.text.localeCompare(other.text, 'en')),
  );
}

async function placeOf(data) {
  try {
    return { place: (await data.profile()).location };
  } catch (error) {
    if (/not a supported country/i.test(error.message)) return { missing: true };
    const rows = await data.places().catch(() => []);
    return { place: rows.find((row) => row && row.id === data.location) || { shortName: ABSENT, longName: ABSENT } };
  }
}

/** Prefetches the data of two comparison countries, whose pages a visitor may open next. */
function prefetchCountries(data) {
  const ask = (p) => {
    for (const place of (p.comparisonLocations || []).slice(0, 2)) {
      const next = countryData(place.id.replace('location-', ''));
      for (const name of ['profile', 'basket', 'partners', 'tenYears', 'newProducts', 'space']) next[name]().catch(() => {});
    }
  };
  data.profile().then(ask, () => {});
}

async function countryPage(root, m49, slug) {
  currentCountry = m49;
  const data = countryData(argumentsOf('other-country')[0] || m49);
  root.replaceChildren(skin.pageLoader());
  data.global().catch(() => {});
  const { place, missing } = await placeOf(data);
  if (missing) {
    document.title = 'Not Found | The Atlas of Economic Complexity';
    root.replaceChildren(skin.notFound());
    return;
  }
  document.title = `${place.shortName} | The Atlas of Economic Complexity`;
  const wanted = SECTIONS.some((section) => section.slug === slug) ? slug : 'introduction';
  const bar = has('bar-in-section') ? null : h('div', { class: c('BarInner') });
  const { mounted, start } = mountAll(place, data, wanted);
  const navigation = skin.navigation(
    COUNTRY_GROUPS.map(([group, slugs]) => [
      group,
      slugs.map((each) => ({ slug: each, text: wording(`nav.${each}`, inHeading(place)) })),
    ]),
  );
  const selector = skin.selector(`${place.shortName} (${place.code || ''})`, selectorPlaces(data), (id) =>
    window.location.assign(`/countries/${id}`),
  );
  root.replaceChildren(skin.frame({ selector, navigation, bar, main: mounted.map((item) => item.node) }));
  data.year().catch(() => {});
  if (has('prefetch')) prefetchCountries(data);
  const offset = bar ? 96 : 16;
  goTo = (next, replace) => {
    const item = mounted.find((candidate) => candidate.section.slug === next);
    if (!replace) window.history.pushState(null, '', pathOf(next));
    if (item) holdAt(item.node, offset);
  };
  start();
  if (wanted !== 'introduction') goTo(wanted, true);
  watchScroll(mounted, (section) => {
    skin.markActive(navigation, pathOf(section.slug));
    if (bar)
      bar.replaceChildren(...held(section.slug, () => skin.bar(place, sectionTitle(section, place), barFigures(section, data))));
  });
}

/** Adds the overlays over the page. */
function overlays() {
  if (has('cookie-overlay')) {
    const node = skin.overlay(
      'We value your privacy',
      'We use cookies to remember your choices and to understand how these pages are used.',
      'Accept All',
      () => node.remove(),
    );
    document.body.append(node);
  }
  if (has('consent-banner')) {
    const node = skin.banner('This site uses cookies. By continuing you agree to our privacy policy.', 'Got it', () =>
      node.remove(),
    );
    document.body.append(node);
  }
}

function start() {
  const root = document.getElementById('root');
  if (has('never-starts')) return;
  if (has('soft-block')) {
    document.title = 'Just a moment...';
    root.replaceChildren(
      h('div', { class: c('Missing') }, h('p', null, 'Please verify you are human before continuing. Checking your browser…')),
    );
    return;
  }
  const [, page, id, slug] = window.location.pathname.split('/');
  if (page === 'countries') countryPage(root, id || '', slug || 'introduction');
  else if (page === 'explore' && typeof explorePage === 'function') explorePage(root);
  else root.replaceChildren(skin.notFound());
  overlays();
}

window.addEventListener('popstate', () => {
  const [, page, , slug] = window.location.pathname.split('/');
  if (page === 'countries') goTo(slug || 'introduction', true);
});

start();
