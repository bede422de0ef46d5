// The explorer in components.

Object.assign(skin, {
  explorerWidth: (room) => room - 16 - 104 - 60,

  explorer({ links, controls, title, total, body }) {
    return h(
      'div',
      { class: c('Explorer') },
      h('header', { class: c('ExplorerBar') }, controls),
      h(
        'nav',
        { class: c('Rail') },
        h(
          'button',
          { class: c('IconButton'), type: 'button' },
          icon('M3 18h18v-2H3v2zm0-5h18v-2H3v2zm0-7v2h18V6H3z', 'RailIcon'),
          h('span', { class: c('RailText') }, wording('view.menu-mui')),
        ),
        h(
          'ul',
          { class: c('List') },
          links.map((link) =>
            h(
              'li',
              null,
              h(
                'a',
                { class: c(link.active ? 'RailLink RailActive' : 'RailLink'), href: link.href },
                h('span', { class: c('RailText') }, capital(link.label.toLowerCase())),
                h('span', null, link.sign),
              ),
            ),
          ),
        ),
      ),
      h(
        'main',
        { class: c('ExplorerMain') },
        total ? h('div', { class: c('ExplorerTotal') }, total) : null,
        h('h1', { class: c('ExplorerTitle') }, title),
        h('div', { class: c('ExplorerView') }, body),
      ),
    );
  },

  total(text) {
    const found = /^(\$)([^ ]+)( \(\d+\))?$/.exec(text);
    return [
      h(
        'p',
        { class: c('Big') },
        found ? [h('span', null, '$'), h('span', null, found[2]), found[3] ? h('small', null, found[3]) : null] : text,
      ),
      h('span', { class: c('Label') }, wording('explore.total')),
    ];
  },

  toggle(choices) {
    return h(
      'div',
      { class: c('Toggle') },
      choices.map(([text, on, click]) =>
        h(
          'button',
          {
            type: 'button',
            class: c(on ? 'ToggleOn' : 'ToggleOff'),
            ...(click ? {} : { disabled: '' }),
            on: click ? { click } : {},
          },
          text,
        ),
      ),
    );
  },

  explorerSelect(label, current, entries, pick) {
    const places = Promise.resolve(entries);
    return h('div', { class: c('Pick') }, skin.selector(current, places, pick), h('label', { class: c('SelectLabel') }, label));
  },

  finder(label, change) {
    const input = h('input', {
      class: c('AutoInput'),
      autocomplete: 'off',
      on: { input: (event) => change(event.target.value) },
    });
    return h(
      'div',
      { class: c('Pick') },
      h('div', { class: c('AutoBox') }, input),
      h('label', { class: c('SelectLabel') }, label),
    );
  },

  settings(label, controls) {
    const list = h('div', { class: c('MenuList SettingsBox') }, controls);
    const menu = menuState(list);
    list.addEventListener('click', (event) => event.stopPropagation());
    return h(
      'div',
      { class: c('Select') },
      h('button', { class: c('Button'), type: 'button', on: { click: menu.toggle } }, label),
      list,
    );
  },

  legendTitled: (title, items) => h('div', { class: c('Box') }, h('span', { class: c('Label') }, title), skin.legend(items)),

  moreRows: (row, pci) => [
    [wording('tooltip.rca'), absent(row.exportRca) ? 'N/A' : format.rca(row.exportRca)],
    [wording('tooltip.distance'), absent(row.distance) ? 'N/A' : format.distance(row.distance)],
    [wording('tooltip.pci'), textFor('drawn-otherwise', 'pci') || format.pciFixed(pci)],
  ],

  tutorial(title, learn, skip, close) {
    return h(
      'div',
      { class: c('Backdrop') },
      h(
        'div',
        { class: c('Dialog') },
        h('h2', null, title),
        h('p', { class: c('Body') }, wording('explore.tutorial-text')),
        h('button', { class: c('Primary'), type: 'button', on: { click: close } }, learn),
        ' ',
        h('button', { class: c('Button'), type: 'button', on: { click: close } }, skip),
      ),
    );
  },
});

const muiTooltip = skin.tooltip;
skin.tooltip = (content) => {
  if (!content.more && !content.links) return muiTooltip(content);
  const more = h('div', null);
  const button = content.more
    ? h(
        'button',
        {
          class: c('More'),
          type: 'button',
          on: {
            click: () => {
              more.replaceChildren(
                ...content.more.map(([label, text]) =>
                  h('div', { class: c('TooltipRow') }, h('b', null, text), h('span', null, label)),
                ),
              );
              button.remove();
            },
          },
        },
        wording('tooltip.more'),
      )
    : null;
  return muiTooltip({
    ...content,
    extra: h(
      'div',
      null,
      more,
      button,
      (content.links || []).map(([text, href]) => h('a', { class: c('TooltipLink'), href }, text)),
    ),
  });
};
