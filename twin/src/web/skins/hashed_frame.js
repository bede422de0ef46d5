// The page frame in plain divs: bar, navigation, country selector, tooltip, labels above treemaps, full-page messages.

Object.assign(skin, {
  chartWidth: (room) => Math.min(room - 330, 1160) - 68,

  section(title, content) {
    return [
      title && h('div', { class: c('SectionHead') }, h('h2', { class: c('SectionTitle') }, title)),
      h('div', { class: c('SectionBody') }, content),
    ].filter(Boolean);
  },

  bar(place, title, figures) {
    return [
      h(
        'div',
        { class: c('BarPlace') },
        h('div', { class: c('BarName') }, place.shortName),
        h('div', { class: c('BarTitle') }, title),
      ),
      h(
        'div',
        { class: c('BarStats') },
        figures.map((shown) =>
          h(
            'div',
            { class: c('BarStat') },
            labelAndValue(
              h('div', { class: c('BarLabel') }, shown.label),
              h('div', { class: c('BarValue') }, valueSlot(shown)),
            ),
          ),
        ),
      ),
    ];
  },

  frame({ selector, navigation, bar, main }) {
    return h(
      'div',
      { class: c('Page') },
      h(
        'div',
        { class: c('Aside') },
        h('div', { class: c('Brand') }, 'The Atlas of', h('br'), 'Economic Complexity'),
        selector,
        navigation,
      ),
      h('div', { class: c('Column') }, bar ? h('div', { class: c('TopBar') }, bar) : null, h('div', { class: c('Main') }, main)),
    );
  },

  navigation(groups) {
    return h(
      'div',
      { class: c('Nav') },
      groups.map(([group, items]) =>
        h(
          'div',
          { class: c('NavGroup') },
          group ? h('div', { class: c('NavTitle') }, group) : null,
          items.map(({ slug, text }) => h('a', { class: c('NavLink'), href: pathOf(slug), on: { click: follow(slug) } }, text)),
        ),
      ),
    );
  },

  markActive(navigation, path) {
    for (const link of navigation.querySelectorAll('a')) {
      link.className = c(link.getAttribute('href') === path ? 'NavLink NavActive' : 'NavLink');
    }
  },

  selector(current, places, pick) {
    const list = h('ul', { class: c('PanelList') });
    const input = h('input', { class: c('PanelInput'), placeholder: current, autocomplete: 'off' });
    const menu = menuState(list);
    const clear = h(
      'button',
      {
        class: c('PanelClear'),
        on: {
          click: () => {
            input.value = '';
            input.dispatchEvent(new Event('input'));
          },
        },
      },
      '×',
    );
    places.then(
      (rows) => {
        const fill = () => {
          const wanted = input.value.trim().toLowerCase();
          list.replaceChildren(
            ...rows
              .filter((row) => row.text.toLowerCase().includes(wanted))
              .map((row) => h('li', null, h('button', { class: c('PanelItem'), on: { click: () => pick(row.id) } }, row.text))),
          );
        };
        input.addEventListener('input', fill);
        input.addEventListener('click', (event) => event.stopPropagation());
        input.addEventListener('focus', () => {
          fill();
          menu.show();
        });
      },
      () => {},
    );
    return h(
      'div',
      { class: c('Panel') },
      h('div', { class: c('PanelLabel') }, wording('frame.select')),
      h('div', { class: c('PanelBox') }, input, clear),
      list,
    );
  },

  pageLoader: () => h('div', { class: c('PageLoader') }, skin.loader('block')),

  notFound() {
    return h(
      'div',
      { class: c('Missing') },
      h('div', { class: c('MissingTitle') }, 'Uh-oh.'),
      h('p', null, 'The page you are looking for could not be found. We may not have enough data on this place.'),
      h('a', { class: c('Primary'), href: '/countries' }, 'Go to the country profiles'),
    );
  },

  tooltipAttributes: () => ({ class: c('Tooltip'), style: { opacity: '0' } }),

  tooltip({ title, code, colour, rows, extra }) {
    return [
      h(
        'div',
        { class: `rapid-tooltip-title ${c('TooltipTitle')}`, style: { backgroundColor: colour ? `${colour}33` : '#eef1f6' } },
        title,
      ),
      h(
        'div',
        { class: `rapid-tooltip-subsection-grid ${c('TooltipGrid')}` },
        code ? [h('div', { class: 'rapid-tooltip-cell' }, `${wording('tooltip.code')}:`), h('div', { class: 'rapid-tooltip-cell' }, code)] : null,
        rows.map(([label, text, swatch]) => [
          h(
            'div',
            { class: 'rapid-tooltip-cell' },
            swatch ? h('span', { class: c('Swatch'), style: { backgroundColor: swatch } }) : null,
            `${label}:`,
          ),
          h('div', { class: 'rapid-tooltip-cell' }, text),
        ]),
      ),
      extra || null,
      h('div', { class: `rapid-tooltip-arrow-container ${c('TooltipArrow')}` }),
    ].filter(Boolean);
  },

  treemapClass: () => `react-canvas-tree-map-masterContainer ${c('TreeMaster')}`,

  cellLabels(cell, fitted) {
    const box = (top, height) => ({
      left: `${cell.x + fitted.margin}px`,
      top: `${top}px`,
      width: `${cell.w - 2 * fitted.margin}px`,
      height: `${height}px`,
    });
    const out = [];
    if (fitted.name) {
      out.push(
        h(
          'div',
          {
            class: `react-canvas-tree-map-container ${c('TreeName')}`,
            style: { ...box(cell.y + fitted.margin, cell.h * 0.8 - fitted.margin), fontSize: `${fitted.size}px` },
          },
          fitted.name,
        ),
      );
    }
    if (fitted.value) {
      out.push(
        h(
          'div',
          {
            class: `react-canvas-tree-map-container react-canvas-tree-map-percentage ${c('TreeValue')}`,
            style: {
              ...box(cell.y + cell.h * 0.8 - (fitted.name ? 2 : cell.h * 0.3), Math.max(cell.h * 0.2, fitted.valueSize)),
              fontSize: `${fitted.valueSize}px`,
            },
          },
          fitted.value,
        ),
      );
    }
    return out;
  },

  overlay(title, text, accept, close) {
    return h(
      'div',
      { class: c('Backdrop') },
      h(
        'div',
        { class: c('Dialog') },
        h('h3', null, title),
        h('p', null, text),
        h('button', { class: c('Primary'), on: { click: close } }, accept),
      ),
    );
  },

  banner(text, accept, close) {
    return h(
      'div',
      { class: c('Banner') },
      h('span', null, text),
      h('button', { class: c('Primary'), on: { click: close } }, accept),
    );
  },
});
