// The explorer in plain divs.

Object.assign(skin, {
  explorerWidth: (room) => room - 16 - 92 - 80,

  explorer({ links, controls, title, total, body }) {
    return h(
      'div',
      { class: c('Explorer') },
      h(
        'div',
        { class: c('Rail') },
        h('div', { class: c('RailMenu') }, h('div', null, wording('view.menu-hashed')), '☰'),
        links.map((link) =>
          h(
            'a',
            { class: c(link.active ? 'RailLink RailActive' : 'RailLink'), href: link.href },
            h('span', null, link.label),
            h('span', { class: c('RailIcon') }, link.sign),
          ),
        ),
        h('div', { class: c('RailFoot') }, h('span', null, '?'), h('span', null, '↓'), h('span', null, '✉')),
      ),
      h(
        'div',
        { class: c('ExplorerBody') },
        h('div', { class: c('ExplorerBar') }, controls),
        h(
          'div',
          { class: c('ExplorerMain') },
          h('div', { class: c('ExplorerTitle') }, title),
          total ? h('div', { class: c('ExplorerTotal') }, total) : null,
          h('div', { class: c('ExplorerView') }, body),
        ),
      ),
    );
  },

  total: (text) => [h('span', { class: c('TotalLabel') }, wording('explore.total')), ' ', h('span', { class: c('TotalValue') }, text)],

  toggle(choices) {
    return h(
      'div',
      { class: c('Toggle') },
      choices.map(([text, on, click]) => h('div', { class: c(on ? 'ToggleOn' : 'ToggleOff'), on: click ? { click } : {} }, text)),
    );
  },

  explorerSelect(label, current, entries, pick) {
    const input = h('input', { class: c('PanelInput'), placeholder: current, autocomplete: 'off' });
    const list = h('ul', { class: c('PanelList') });
    const menu = menuState(list);
    const fill = () =>
      list.replaceChildren(
        ...entries
          .filter((entry) => entry.text.toLowerCase().includes(input.value.trim().toLowerCase()))
          .map((entry) => h('li', null, h('button', { class: c('PanelItem'), on: { click: () => pick(entry.id) } }, entry.text))),
      );
    input.addEventListener('focus', () => {
      fill();
      menu.show();
    });
    input.addEventListener('click', (event) => event.stopPropagation());
    input.addEventListener('keyup', fill);
    return h(
      'div',
      { class: c('Pick') },
      h('div', { class: c('DropdownLabel') }, label),
      h('div', { class: c('PickBox') }, input),
      list,
    );
  },

  finder(label, change) {
    const input = h('input', {
      class: c('PanelInput'),
      autocomplete: 'off',
      on: { input: (event) => change(event.target.value) },
    });
    return h(
      'div',
      { class: c('Pick') },
      h('div', { class: c('DropdownLabel') }, label),
      h('div', { class: c('PickBox') }, input),
    );
  },

  settings(label, controls) {
    const list = h('div', { class: c('SettingsBox') }, controls);
    const menu = menuState(list);
    list.addEventListener('click', (event) => event.stopPropagation());
    return h(
      'div',
      { class: c('Settings') },
      h('div', { class: c('SettingsButton'), on: { click: menu.toggle } }, `⚙ ${label}`),
      list,
    );
  },

  legendTitled: (title, items) =>
    h('div', { class: c('LegendBox') }, h('div', { class: c('LegendTitle') }, title), skin.legend(items)),

  moreRows: (row, pci) => [[wording('tooltip.pci'), textFor('drawn-otherwise', 'pci') || format.pciFixed(pci)]],

  tutorial(title, learn, skip, close) {
    return h(
      'div',
      { class: c('Backdrop') },
      h(
        'div',
        { class: c('Dialog') },
        h('h3', null, title),
        h('p', null, wording('explore.tutorial-text')),
        h(
          'div',
          { class: c('Controls') },
          h('button', { class: c('Primary'), on: { click: close } }, learn),
          h('button', { class: c('Button'), on: { click: close } }, skip),
        ),
      ),
    );
  },
});

const hashedTooltip = skin.tooltip;
skin.tooltip = (content) => {
  if (!content.more && !content.links) return hashedTooltip(content);
  const more = h('div', { class: `rapid-tooltip-subsection-grid ${c('TooltipGrid')}` });
  const button = content.more
    ? h(
        'button',
        {
          class: c('More'),
          on: {
            click: () => {
              more.replaceChildren(
                ...content.more.flatMap(([label, text]) => [
                  h('div', { class: 'rapid-tooltip-cell' }, `${label}:`),
                  h('div', { class: 'rapid-tooltip-cell' }, text),
                ]),
              );
              button.remove();
            },
          },
        },
        wording('tooltip.more'),
      )
    : null;
  const links = (content.links || []).map(([text, href]) => h('a', { class: c('TooltipLink'), href }, text));
  return hashedTooltip({ ...content, extra: h('div', null, more, button, links) });
};
