// Blocks of the country sections in components: partners, tables, ratings, strategy, summary.

Object.assign(skin, {
  partners(choice, cards) {
    return h(
      'div',
      { class: c('Paper PartnerBlock') },
      h('div', { class: c('PartnerHead') }, h('span', { class: c('Body') }, wording('partners.question-mui')), choice),
      cards,
    );
  },

  partnerCard(place, name, shown) {
    return h(
      'div',
      { class: c('Paper PartnerCard') },
      h('div', { class: c('Big') }, valueSlot(shown)),
      h(
        'div',
        { class: c('Medium') },
        slot(name, (text) => text),
      ),
      h('span', { class: c('PartnerPlace') }, `#${place}`),
    );
  },

  chip(name, colour, remove) {
    return h(
      'div',
      { class: c('Chip'), style: { backgroundColor: `${colour}44` } },
      h('span', { class: c('ChipLabel') }, name),
      s(
        'svg',
        { class: c('ChipIcon'), viewBox: '0 0 24 24', on: { click: remove } },
        s('path', { d: 'M19 6.4L17.6 5 12 10.6 6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12z' }),
      ),
    );
  },

  proportion(shown, text, promise) {
    const arc = h('div', { class: c('Mini') });
    settled(promise).then(
      (v) => {
        arc.replaceChildren(pieDrawing([100 * (v || 0), 100 - 100 * (v || 0)], ['#2a7f86', '#dbe6e6'], 84));
      },
      () => {},
    );
    return h(
      'div',
      { class: c('Paper Proportion') },
      arc,
      h(
        'div',
        { class: c('Box') },
        h('div', { class: c('Big') }, valueSlot(shown)),
        h('span', { class: c('Label') }, shown.label),
        ' ',
        h('span', { class: c('Small') }, text),
      ),
    );
  },

  /** A grid of cells, row by row, without a table element. */
  peerTable(columns, rows) {
    const cell = (content, style) => h('div', { class: c(style) }, content);
    return h(
      'div',
      { class: c('PeerGrid'), style: { gridTemplateColumns: `2fr repeat(${columns.length - 1}, 1fr)` } },
      inColumns(columns).map((text) => cell(text, 'GridHead')),
      rows.flatMap((row) =>
        inColumns([row.name, ...row.cells.map(pieces)]).map((content) => cell(content, row.own ? 'GridOwn' : 'GridCell')),
      ),
    );
  },

  howToRead(title, items) {
    return h(
      'dl',
      { class: c('HowTo') },
      h('dt', null, title),
      items.map(([colour, text]) => h('dd', null, h('i', { class: c('Dot'), style: { backgroundColor: colour } }), text)),
    );
  },

  approach(sentence, shown, description) {
    return h(
      'div',
      { class: c('Paper Approach') },
      area(sentence, (parts) => h('p', { class: c('Body') }, parts)),
      h('div', { class: c('Big') }, valueSlot(shown)),
      h('div', { class: c('Label') }, shown.label),
      area(description, (text) => h('p', { class: c('Body') }, text)),
    );
  },

  unavailable(message, text, click) {
    return h(
      'div',
      { class: c('Paper Unavailable') },
      h('p', { class: c('Body') }, message),
      h('button', { class: c('Primary'), type: 'button', on: { click } }, text),
    );
  },

  strategyPanel(name, criteria, current, change, pie) {
    const marks = criteria.map(([value, text]) => {
      const mark = h('i', { class: c(value === current ? 'RadioOn' : 'RadioOff') });
      const item = h(
        'div',
        {
          class: c('Radio'),
          on: {
            click: () => {
              marks.forEach((other) => {
                other.mark.className = c('RadioOff');
              });
              mark.className = c('RadioOn');
              change(value);
            },
          },
        },
        mark,
        text,
      );
      return { mark, item };
    });
    return h(
      'div',
      { class: c('Paper Strategy') },
      h('div', null, h('div', { class: c('Label') }, wording('table.strategy')), h('div', { class: c('Body') }, name)),
      h(
        'div',
        null,
        h('div', { class: c('Label') }, wording('table.criteria')),
        marks.map(({ item }) => item),
      ),
      pie,
    );
  },

  weights(parts) {
    return h(
      'div',
      { class: c('PieRow') },
      pieDrawing(parts, WEIGHT_COLOURS, 70),
      h(
        'ul',
        { class: c('WeightList') },
        parts.map((part, index) =>
          h(
            'li',
            null,
            h('i', { class: c('Swatch'), style: { backgroundColor: WEIGHT_COLOURS[index] } }),
            h('span', null, `${part}\u202f%`),
            ' ',
            h('span', null, WEIGHT_NAMES[index]),
          ),
        ),
      ),
    );
  },

  strategyLine: (text) => h('p', { class: c('Medium StrategyLine') }, text),

  growth({ text, arrow }) {
    return h(
      'div',
      { class: c('Growth') },
      arrow ? icon(ARROW_PATH, arrow === 'up' ? 'GrowthUp' : 'GrowthDown') : null,
      pieces(text),
    );
  },

  productTable(columns, rows) {
    const diamonds = (value) =>
      h(
        'div',
        { class: c('Rating') },
        [0, 1, 2, 3, 4].map((index) =>
          h('span', { class: c('Diamond'), style: absent(value) ? {} : squareFill(value, index, '#808080') }),
        ),
      );
    const td = (...kids) => h('td', { class: c('BodyCell') }, kids);
    return h(
      'div',
      { class: c('TableBox') },
      h(
        'table',
        { class: c('Table') },
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            inColumns(columns).map((text) => h('th', { class: c('HeadCell') }, h('span', { class: c('SortLabel') }, text))),
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
                  { class: c('ProductName'), style: { borderLeftColor: row.colour } },
                  h('a', { class: c('Link'), href: row.href }, row.name),
                  h('div', { class: c('Small') }, `(${row.code})`),
                ),
                ...row.ratings.map(diamonds),
                pieces(row.size),
                skin.growth(row.growth),
              ]).map((content) => td(content)),
            ),
          ),
        ),
      ),
    );
  },

  summaryCards(cards) {
    return h(
      'div',
      { class: c('Grid') },
      cards.map((card) =>
        h(
          'div',
          { class: c('Cell') },
          h(
            'div',
            { class: c('StatCard') },
            h(
              'div',
              { class: c('CardContent') },
              h('h3', { class: c('Subtitle') }, card.title),
              card.entries.map(([shown, sentence]) =>
                h(
                  'div',
                  { class: c('SummaryEntry') },
                  h('div', { class: c('Big') }, valueSlot(shown)),
                  h('div', { class: c('Label') }, shown.label),
                  area(sentence, (text) => h('p', { class: c('Medium') }, text)),
                ),
              ),
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
      links.map(([text, href]) => h('a', { class: c('Primary'), href }, text)),
    );
  },
});
