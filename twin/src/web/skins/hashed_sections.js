// Blocks of the country sections in plain divs: partners, tables, ratings, strategy, summary.

Object.assign(skin, {
  partners(choice, cards) {
    return h(
      'div',
      { class: c('PartnerBlock') },
      h('div', { class: c('PartnerHead') }, h('span', null, wording('partners.question-hashed')), choice),
      cards,
    );
  },

  partnerCard(place, name, shown) {
    return h(
      'div',
      { class: c('PartnerCard') },
      h('span', { class: c('PartnerPlace') }, place),
      h(
        'div',
        null,
        h(
          'div',
          { class: c('PartnerName') },
          slot(name, (text) => text),
        ),
        h('div', { class: c('PartnerShare') }, valueSlot(shown)),
      ),
    );
  },

  chip(name, colour, remove) {
    return h(
      'div',
      { class: c('Chip'), style: { borderColor: colour } },
      h('span', { class: c('Swatch'), style: { backgroundColor: colour } }),
      h('span', null, name),
      h('button', { on: { click: remove } }, '×'),
    );
  },

  proportion(shown, text, promise) {
    const inner = h('div', { class: c('MiniInner') });
    settled(promise).then(
      (v) => {
        inner.style.width = inner.style.height = `${Math.sqrt(Math.max(v || 0, 0)) * 90}px`;
      },
      () => {},
    );
    return h(
      'div',
      { class: c('Proportion') },
      h('div', { class: c('Mini') }, inner),
      h(
        'div',
        null,
        labelAndValue(
          [h('div', { class: c('ProportionLabel') }, shown.label), h('div', { class: c('StatYear') }, text)],
          h('div', { class: c('StatValue') }, valueSlot(shown)),
        ),
      ),
    );
  },

  peerTable(columns, rows) {
    return h(
      'table',
      { class: c('PeerTable') },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          inColumns(columns).map((text) => h('th', null, text)),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((row) =>
          h(
            'tr',
            { class: row.own ? c('OwnRow') : '' },
            inColumns([row.name, ...row.cells]).map((text) => h('td', null, text)),
          ),
        ),
      ),
    );
  },

  howToRead(title, items) {
    return h(
      'div',
      { class: c('HowTo') },
      h('b', null, title),
      items.map(([colour, text]) => h('div', null, h('span', { class: c('Dot'), style: { backgroundColor: colour } }), text)),
    );
  },

  approach(sentence, shown, description) {
    return h(
      'div',
      { class: c('Approach') },
      h('div', { class: c('ApproachLabel') }, shown.label),
      h(
        'div',
        null,
        area(sentence, (parts) => h('p', null, parts)),
      ),
      h('div', { class: c('ApproachName') }, valueSlot(shown)),
      area(description, (text) => h('p', null, text)),
    );
  },

  unavailable(message, text, click) {
    return h(
      'div',
      { class: c('Unavailable') },
      h('div', null, message),
      h('button', { class: c('Primary'), on: { click } }, text),
    );
  },

  strategyPanel(name, criteria, current, change, pie) {
    return h(
      'div',
      { class: c('Strategy') },
      h(
        'div',
        { class: c('StrategyStep') },
        h('div', { class: c('StepTitle') }, wording('table.strategy')),
        h('div', { class: c('ApproachName') }, name),
      ),
      h(
        'div',
        { class: c('StrategyStep') },
        h('div', { class: c('StepTitle') }, wording('table.criteria')),
        criteria.map(([value, text]) =>
          h(
            'label',
            { class: c('Radio') },
            decorate(
              h('input', { type: 'radio', name: 'criterion', on: { change: () => change(value) } }),
              value === current ? { checked: '' } : {},
            ),
            text,
          ),
        ),
      ),
      pie,
    );
  },

  weights(parts) {
    return h(
      'div',
      { class: c('PieRow') },
      pieDrawing(parts, WEIGHT_COLOURS, 74),
      h(
        'div',
        null,
        parts.map((part, index) =>
          h(
            'div',
            { class: c('LegendItem') },
            h('span', { class: c('Swatch'), style: { backgroundColor: WEIGHT_COLOURS[index] } }),
            `${WEIGHT_NAMES[index]} ${part}%`,
          ),
        ),
      ),
    );
  },

  strategyLine: (text) => h('div', { class: c('StrategyLine') }, text),

  rating(value) {
    return h(
      'div',
      { class: c('Rating') },
      [0, 1, 2, 3, 4].map((index) =>
        h('span', { class: c('Diamond'), style: absent(value) ? {} : squareFill(value, index, '#808080') }),
      ),
    );
  },

  growth({ text, arrow }) {
    return [arrow ? h('span', { class: c(arrow === 'up' ? 'ArrowUp' : 'ArrowDown') }, arrow === 'up' ? '▲' : '▼') : null, text];
  },

  productTable(columns, rows) {
    return h(
      'table',
      { class: c('ProductTable') },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          inColumns(columns).map((text) => h('th', null, text)),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((row) =>
          h(
            'tr',
            null,
            inColumns([
              h(
                'div',
                { class: c('ProductName') },
                h('span', { class: c('Bar'), style: { backgroundColor: row.colour } }),
                h('a', { href: row.href }, row.name),
                h('span', { class: c('Code') }, ` (${row.code})`),
              ),
              ...row.ratings.map((value) => skin.rating(value)),
              row.size,
              skin.growth(row.growth),
            ]).map((content) => h('td', null, content)),
          ),
        ),
      ),
    );
  },

  summaryCards(cards) {
    return h(
      'div',
      { class: c('Cards') },
      cards.map((card) =>
        h(
          'div',
          { class: c('SummaryCard') },
          h('div', { class: c('SummaryTitle') }, card.title),
          card.entries.map(([shown, sentence]) =>
            h(
              'div',
              { class: c('SummaryEntry') },
              labelAndValue(
                h('div', { class: c('StatLabel') }, shown.label),
                h('div', { class: c('StatValue') }, valueSlot(shown)),
              ),
              area(sentence, (text) => h('p', null, text)),
            ),
          ),
        ),
      ),
    );
  },

  onward(links) {
    return h(
      'div',
      { class: c('Onward') },
      links.map(([text, href]) => h('a', { href }, text)),
    );
  },
});
