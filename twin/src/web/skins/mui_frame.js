// The page frame in components: app bar, drawer, autocomplete, popper, labels in treemap cells, full-page messages.

Object.assign(skin, {
  chartWidth: (room) => Math.min(room - 334, 1140),

  section(title, content) {
    return [title && h('h2', { class: c('Heading') }, title), h('div', { class: c('SectionBody') }, content)].filter(Boolean);
  },

  bar(place, title, figures) {
    return [
      ...figures.map((shown, index) =>
        h(
          'div',
          { class: c('BarStat') },
          h('span', { class: c('BarLabel') }, shown.label),
          h('sup', { class: c('Foot') }, index === 2 ? '1' : '†'),
          skin.info(wording('frame.about', { label: shown.label })),
          h('p', { class: c('BarValue') }, valueSlot(shown)),
        ),
      ),
      h(
        'div',
        { class: c('BarPlace') },
        h('span', { class: c('BarTitle') }, title),
        h('span', { class: c('BarName') }, place.shortName),
      ),
    ];
  },

  frame({ selector, navigation, bar, main }) {
    return h(
      'div',
      { class: c('Page') },
      h('header', { class: c('AppBar') }, h('div', { class: c('Toolbar') }, selector, bar)),
      h('div', { class: c('Drawer') }, h('div', { class: c('Brand') }, 'ATLAS'), navigation),
      h('main', { class: c('Main') }, main),
    );
  },

  navigation(groups) {
    return h(
      'ul',
      { class: c('List') },
      groups.map(([group, items]) =>
        h(
          'li',
          null,
          group ? h('div', { class: c('ListHead') }, group) : null,
          h(
            'ul',
            { class: c('SubList') },
            items.map(({ slug, text }) =>
              h(
                'li',
                null,
                h(
                  'a',
                  { class: c('ListItem'), href: pathOf(slug), on: { click: follow(slug) } },
                  h('span', { class: c('Medium') }, text),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  },

  markActive(navigation, path) {
    for (const link of navigation.querySelectorAll('a')) {
      link.className = c(link.getAttribute('href') === path ? 'ListItem ListActive' : 'ListItem');
    }
  },

  selector(current, places, pick) {
    const input = h('input', { class: c('AutoInput'), role: 'combobox', autocomplete: 'off', spellcheck: 'false' });
    input.value = current;
    const list = h('ul', { class: c('AutoList') });
    const menu = menuState(list);
    let rows = [];
    const fill = (wanted) =>
      list.replaceChildren(
        ...rows
          .filter((row) => row.text.toLowerCase().includes(wanted))
          .map((row) => h('li', { class: c('Option'), on: { mousedown: () => pick(row.id) } }, row.text)),
      );
    places.then(
      (answer) => {
        rows = answer;
      },
      () => {},
    );
    input.addEventListener('focus', () => {
      input.select();
      fill('');
      menu.show();
    });
    input.addEventListener('click', (event) => event.stopPropagation());
    input.addEventListener('input', () => fill(input.value.trim().toLowerCase()));
    input.addEventListener('blur', () => {
      input.value = current;
      menu.close();
    });
    return h('div', { class: c('Autocomplete') }, h('div', { class: c('AutoBox') }, input, icon(CARET_PATH)), list);
  },

  pageLoader: () => h('div', { class: c('PageLoader') }, skin.loader('block')),

  notFound() {
    return h(
      'div',
      { class: c('Missing') },
      h('h1', { class: c('Big') }, 'Uh-oh.'),
      h('p', { class: c('Body') }, 'This page ', h('strong', null, 'could not be found'), '.'),
      h('p', { class: c('Body') }, 'There may not be enough data for this place.'),
      h('a', { class: c('Primary'), href: '/countries' }, 'To the country profiles'),
    );
  },

  tooltipAttributes: () => ({ class: c('Popper'), role: 'tooltip', style: { opacity: '0' } }),

  tooltip({ title, code, rows, extra }) {
    return [
      h(
        'div',
        { class: c('Bubble') },
        h('div', { class: c('TooltipTitle') }, title),
        code ? h('div', { class: c('Small') }, code) : null,
        rows.map(([label, text, swatch]) =>
          h(
            'div',
            { class: c('TooltipRow') },
            h('b', null, pieces(text)),
            h('span', null, swatch ? h('i', { class: c('Swatch'), style: { backgroundColor: swatch } }) : null, label),
          ),
        ),
        extra || null,
      ),
    ];
  },

  treemapClass: () => c('TreeMaster'),

  cellLabels(cell, fitted) {
    if (!fitted.name && !fitted.value) return [];
    const position = {
      left: `${cell.x}px`,
      top: `${cell.y}px`,
      width: `${cell.w}px`,
      height: `${cell.h}px`,
      padding: `${fitted.margin}px`,
    };
    return [
      h(
        'div',
        { class: c('TreeCell'), style: position },
        fitted.name ? h('span', { class: c('TreeName'), style: { fontSize: `${fitted.size}px` } }, fitted.name) : null,
        fitted.value ? h('span', { class: c('TreeValue'), style: { fontSize: `${fitted.valueSize}px` } }, fitted.value) : null,
      ),
    ];
  },

  overlay(title, text, accept, close) {
    return h(
      'div',
      { class: c('Backdrop') },
      h(
        'div',
        { class: c('Dialog') },
        h('h2', null, title),
        h('p', { class: c('Body') }, text),
        h('button', { class: c('Primary'), type: 'button', on: { click: close } }, accept),
      ),
    );
  },

  banner(text, accept, close) {
    return h(
      'div',
      { class: c('Banner') },
      h('span', { class: c('Medium') }, text),
      h('button', { class: c('Primary'), type: 'button', on: { click: close } }, accept),
    );
  },
});
