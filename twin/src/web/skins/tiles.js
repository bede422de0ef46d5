// A third style, based on the components. It has no heading and table elements, shows labels below their values, and splits
// figures and titles into one element per part.

/** A title with one element per word. */
function words(text, style) {
  return h(
    'div',
    { class: c(style) },
    text.split(' ').flatMap((word, index) => [index ? ' ' : null, h('span', null, word)]),
  );
}

/** A figure with one element per part. */
function tiles(text) {
  return /\d/.test(text) ? counter(text) : [h('span', null, text)];
}

/** A value with its label below. */
function tile(value, label, more) {
  return h(
    'div',
    { class: c('Tile') },
    h('div', { class: c('TileValue') }, value),
    h('div', { class: c('TileFoot') }, h('div', { class: c('TileLabel') }, label), more || null),
  );
}

/** Rows of cells without a table element. */
function cellRows(columns, rows) {
  const line = (cells, style) =>
    h(
      'div',
      { class: c('TileRow'), style: { gridTemplateColumns: `2.4fr repeat(${cells.length - 1}, 1fr)` } },
      inColumns(cells).map((content) => h('div', { class: c(style) }, content)),
    );
  return h(
    'div',
    { class: c('TileRows') },
    line(
      columns.map((text) => words(text, 'TileWords')),
      'TileHead',
    ),
    rows.map(([cells, own]) => line(cells, own ? 'TileOwn' : 'TileCell')),
  );
}

Object.assign(skin, {
  value({ text, arrow, parts }) {
    return [...(parts || tiles(text)), arrow ? icon(ARROW_PATH, arrow === 'up' ? 'IconUp' : 'IconDown') : null].filter(Boolean);
  },

  section(title, content) {
    return [
      h(
        'div',
        { class: c('SectionBody') },
        title && h('div', { class: c('TileSide') }, words(title, 'TileTitle')),
        h('div', { class: c('TileMain') }, content),
      ),
    ];
  },

  bar(place, title, figures) {
    return [
      h('div', { class: c('BarPlace') }, words(title, 'BarTitle'), h('div', { class: c('BarName') }, place.shortName)),
      h(
        'div',
        { class: c('TileBar') },
        figures.map((shown) => tile(valueSlot(shown), shown.label)),
      ),
    ];
  },

  hero(place, cards) {
    return h(
      'div',
      { class: c('Hero') },
      h(
        'div',
        { class: c('HeroName') },
        slot(place, (p) => p.shortName),
      ),
      h('div', { class: c('Small') }, wording('frame.profile-mui')),
      h('div', { class: c('Grid') }, cards),
    );
  },

  statCard({ main, year, lines, spark, info }) {
    return h(
      'div',
      { class: c('TileCard') },
      spark ? area(spark, (made) => (made ? skin.spark(made) : h('span')), 70) : null,
      tile(valueSlot(main), main.label, [year ? h('div', { class: c('Small') }, year) : null, skin.info(info)]),
      h(
        'div',
        { class: c('TileBar') },
        lines.map((line) => tile(valueSlot(line), line.label)),
      ),
    );
  },

  comparisonBox(rows) {
    return h(
      'div',
      { class: c('Compare') },
      area(rows, (list) =>
        list.map((row) =>
          h(
            'div',
            { class: c('TileBar') },
            h('div', { class: c('Medium') }, row.name),
            row.values.map(([label, text]) => tile(tiles(text), label)),
          ),
        ),
      ),
    );
  },

  subtitle: (text) => words(text, 'TileSubtitle'),
  note: (text) => h('div', { class: c('Small Note') }, text),

  partnerCard(place, name, shown) {
    return h(
      'div',
      { class: c('PartnerCard') },
      h(
        'div',
        { class: c('Medium') },
        slot(name, (text) => text),
      ),
      h('div', { class: c('TileValue') }, valueSlot(shown)),
    );
  },

  proportion(shown, text, promise) {
    const arc = h('div', { class: c('Mini') });
    settled(promise).then(
      (v) => {
        arc.replaceChildren(pieDrawing([100 * (v || 0), 100 - 100 * (v || 0)], ['#8a4f7d', '#e8dce6'], 84));
      },
      () => {},
    );
    return h('div', { class: c('Proportion') }, tile(valueSlot(shown), shown.label, h('div', { class: c('Small') }, text)), arc);
  },

  peerTable: (columns, rows) =>
    cellRows(
      columns,
      rows.map((row) => [[row.name, ...row.cells.map(tiles)], row.own]),
    ),

  approach(sentence, shown, description) {
    return h(
      'div',
      { class: c('TileCard') },
      area(sentence, (parts) => h('p', { class: c('Body') }, parts)),
      tile(valueSlot(shown), shown.label),
      area(description, (text) => h('p', { class: c('Body') }, text)),
    );
  },

  growth: ({ text, arrow }) => [tiles(text), arrow ? icon(ARROW_PATH, arrow === 'up' ? 'GrowthUp' : 'GrowthDown') : null],

  productTable(columns, rows) {
    const diamonds = (value) =>
      h(
        'div',
        { class: c('Rating') },
        [0, 1, 2, 3, 4].map((index) =>
          h('span', { class: c('Diamond'), style: absent(value) ? {} : squareFill(value, index, '#808080') }),
        ),
      );
    return cellRows(
      columns,
      rows.map((row) => [
        [
          h(
            'div',
            { class: c('ProductName'), style: { borderLeftColor: row.colour } },
            h('div', { class: c('Small') }, row.code),
            h('a', { class: c('Link'), href: row.href }, row.name),
          ),
          ...row.ratings.map(diamonds),
          tiles(row.size),
          skin.growth(row.growth),
        ],
        false,
      ]),
    );
  },

  summaryCards(cards) {
    return h(
      'div',
      { class: c('Grid') },
      cards.map((card) =>
        h(
          'div',
          { class: c('TileCard') },
          words(card.title, 'TileSubtitle'),
          card.entries.map(([shown, sentence]) => [
            tile(valueSlot(shown), shown.label),
            area(sentence, (text) => h('p', { class: c('Medium') }, text)),
          ]),
        ),
      ),
    );
  },

  total: (text) => [h('div', { class: c('TileValue') }, counter(text)), h('div', { class: c('TileLabel') }, wording('explore.total'))],

  explorer({ links, controls, title, total, body }) {
    return h(
      'div',
      { class: c('Explorer') },
      h('div', { class: c('ExplorerBar') }, controls),
      h(
        'div',
        { class: c('Rail') },
        links.map((link) =>
          h('a', { class: c(link.active ? 'RailLink RailActive' : 'RailLink'), href: link.href }, capital(link.label.toLowerCase())),
        ),
      ),
      h(
        'div',
        { class: c('ExplorerMain') },
        words(title, 'ExplorerTitle'),
        h('div', { class: c('ExplorerView') }, body),
        total ? h('div', { class: c('ExplorerTotal') }, total) : null,
      ),
    );
  },

  notFound() {
    return h(
      'div',
      { class: c('Missing') },
      words('Uh-oh.', 'TileTitle'),
      h('div', { class: c('Body') }, 'The page you are looking for ', h('i', null, 'could not be found'), '.'),
      h('a', { class: c('Primary'), href: '/countries' }, 'Country profiles'),
    );
  },
});
