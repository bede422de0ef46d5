// The page in plain divs and spans, labels before values, arrows and ranks as text.

const skin = {
  loader(kind) {
    if (kind === 'inline') return h('span', { class: c('Dots') }, h('i'), h('i'), h('i'));
    if (kind === 'text') return h('div', { class: c('Bars') }, h('div'), h('div'), h('div'));
    return h('div', { class: c('Loading') }, h('div', { class: c('Ring') }, h('div'), h('div'), h('div'), h('div')));
  },

  value({ text, arrow }) {
    return `${arrow ? (arrow === 'up' ? '↑' : '↓') : ''}${text}`;
  },

  strong: (text) => h('b', null, text),

  hero(place, cards) {
    return h('div', { class: c('Hero') },
      h('div', { class: c('HeroTop') },
        h('div', null,
          h('div', { class: c('HeroKicker') }, 'Country Profile'),
          h('div', { class: c('HeroName') }, slot(place, (p) => p.shortName))),
        h('div', { class: c('Globe') }, globeDrawing(150))),
      h('div', { class: c('Cards') }, cards));
  },

  statCard({ main, year, lines, spark, info }) {
    return h('div', { class: c('StatCard') },
      h('div', { class: c('StatTitle') }, h('span', null, main.label), year ? h('span', { class: c('StatYear') }, ` (${year})`) : null,
        h('span', { class: c('Info'), title: info }, '?')),
      h('div', { class: c('StatValue') }, valueSlot(main)),
      lines.map((line) => h('div', { class: c('StatLine') }, h('span', { class: c('StatLabel') }, `${line.label}: `), valueSlot(line))),
      spark ? area(spark, (made) => (made ? skin.spark(made) : h('span')), 66) : null);
  },

  spark(made) {
    return h('div', { class: c('Spark') },
      h('div', { class: c('SparkBody') }, made.drawing,
        h('div', { class: c('SparkEnds') }, h('span', null, made.top), h('span', null, made.bottom))),
      h('div', { class: c('SparkYears') }, h('span', null, made.first), h('span', null, made.last)));
  },

  comparisonBox(rows) {
    return h('div', { class: c('Compare') }, h('div', { class: c('CompareTitle') }, 'Compared with'),
      area(rows, (list) => list.map((row) => h('div', { class: c('CompareRow') }, h('span', { class: c('CompareName') }, row.name),
        row.values.map(([label, text]) => h('span', null, `${label} `, h('b', null, text)))))));
  },

  narrative(paragraphs) {
    return h('div', { class: c('Narrative') }, area(paragraphs, (list) => list.map((parts) => h('p', null, parts))));
  },

  jumps(title) {
    return h('div', { class: c('Jumps') }, h('div', { class: c('JumpsTitle') }, title),
      h('div', { class: c('JumpsRow') }, COUNTRY_GROUPS.filter(([group]) => group).map(([group, [first]], index) =>
        h('a', { class: c('Jump'), href: pathOf(first), on: { click: follow(first) } },
          h('span', { class: c('JumpIcon') }, ['▦', '↗', '✣', '◎'][index]), h('span', null, group)))));
  },

  note: (text) => h('div', { class: c('Note') }, text),
  subtitle: (text) => h('div', { class: c('Subtitle') }, text),
  controls: (list) => h('div', { class: c('Controls') }, list),
  button: (text, click) => h('button', { class: c('Button'), on: { click } }, text),

  legend(items) {
    return h('div', { class: c('Legend') }, items.map(({ name, colour }) =>
      h('div', { class: c('LegendItem') }, h('span', { class: c('Swatch'), style: { backgroundColor: colour } }), h('span', null, name))));
  },

  gradient(low, high) {
    const stops = [-2.5, -1.25, 0, 1.25, 2.5].map((v) => complexityColour(v)).join(',');
    return h('div', { class: c('Gradient') }, h('span', null, low),
      h('div', { class: c('GradientBar'), style: { backgroundImage: `linear-gradient(90deg, ${stops})` } }), h('span', null, high));
  },

  dropdown(label, options, current, change) {
    const shown = h('span', null, options.find(([value]) => value === current)[1]);
    const list = h('ul', { class: c('MenuList') });
    const menu = menuState(list);
    list.append(...options.map(([value, text]) => h('li', { on: { click: () => { shown.textContent = text; change(value); } } }, text)));
    return h('div', { class: c('Dropdown') }, label ? h('div', { class: c('DropdownLabel') }, label) : null,
      h('div', { class: c('DropdownBox') }, h('div', { class: c('DropdownButton'), on: { click: menu.toggle } }, shown, h('span', null, '▾')), list));
  },

  partners(choice, cards) {
    return h('div', { class: c('PartnerBlock') },
      h('div', { class: c('PartnerHead') }, h('span', null, 'Where does trade go? Top '), choice), cards);
  },

  partnerCard(place, name, shown) {
    return h('div', { class: c('PartnerCard') }, h('span', { class: c('PartnerPlace') }, place),
      h('div', null, h('div', { class: c('PartnerName') }, slot(name, (text) => text)), h('div', { class: c('PartnerShare') }, valueSlot(shown))));
  },

  chip(name, colour, remove) {
    return h('div', { class: c('Chip'), style: { borderColor: colour } }, h('span', { class: c('Swatch'), style: { backgroundColor: colour } }),
      h('span', null, name), h('button', { on: { click: remove } }, '×'));
  },

  proportion(shown, text, promise) {
    const inner = h('div', { class: c('MiniInner') });
    settled(promise).then((v) => { inner.style.width = inner.style.height = `${Math.sqrt(Math.max(v || 0, 0)) * 90}px`; }, () => {});
    return h('div', { class: c('Proportion') }, h('div', { class: c('Mini') }, inner),
      h('div', null, h('div', { class: c('ProportionLabel') }, shown.label), h('div', { class: c('StatYear') }, text),
        h('div', { class: c('StatValue') }, valueSlot(shown))));
  },

  peerTable(columns, rows) {
    return h('table', { class: c('PeerTable') }, h('thead', null, h('tr', null, columns.map((text) => h('th', null, text)))),
      h('tbody', null, rows.map((row) => h('tr', { class: row.own ? c('OwnRow') : '' }, h('td', null, row.name),
        row.cells.map((text) => h('td', null, text))))));
  },

  howToRead(title, items) {
    return h('div', { class: c('HowTo') }, h('b', null, title), items.map(([colour, text]) =>
      h('div', null, h('span', { class: c('Dot'), style: { backgroundColor: colour } }), text)));
  },

  approach(sentence, shown, description) {
    return h('div', { class: c('Approach') }, h('div', null, area(sentence, (parts) => h('p', null, parts))),
      h('div', { class: c('ApproachLabel') }, shown.label), h('div', { class: c('ApproachName') }, valueSlot(shown)),
      area(description, (text) => h('p', null, text)));
  },

  unavailable(message, text, click) {
    return h('div', { class: c('Unavailable') }, h('div', null, message), h('button', { class: c('Primary'), on: { click } }, text));
  },

  strategyPanel(name, criteria, current, change, pie) {
    return h('div', { class: c('Strategy') },
      h('div', { class: c('StrategyStep') }, h('div', { class: c('StepTitle') }, '1. Your Strategic Approach'), h('div', { class: c('ApproachName') }, name)),
      h('div', { class: c('StrategyStep') }, h('div', { class: c('StepTitle') }, '2. Product Selection Criteria'),
        criteria.map(([value, text]) => h('label', { class: c('Radio') },
          decorate(h('input', { type: 'radio', name: 'criterion', on: { change: () => change(value) } }), value === current ? { checked: '' } : {}), text))),
      pie);
  },

  weights(parts) {
    return h('div', { class: c('PieRow') }, pieDrawing(parts, WEIGHT_COLOURS, 74), h('div', null, parts.map((part, index) =>
      h('div', { class: c('LegendItem') }, h('span', { class: c('Swatch'), style: { backgroundColor: WEIGHT_COLOURS[index] } }),
        `${WEIGHT_NAMES[index]} ${part}%`))));
  },

  strategyLine: (text) => h('div', { class: c('StrategyLine') }, text),

  rating(value) {
    return h('div', { class: c('Rating') }, [0, 1, 2, 3, 4].map((index) =>
      h('span', { class: c('Diamond'), style: absent(value) ? {} : squareFill(value, index, '#808080') })));
  },

  growth({ text, arrow }) {
    return [arrow ? h('span', { class: c(arrow === 'up' ? 'ArrowUp' : 'ArrowDown') }, arrow === 'up' ? '▲' : '▼') : null, text];
  },

  productTable(columns, rows) {
    return h('table', { class: c('ProductTable') }, h('thead', null, h('tr', null, columns.map((text) => h('th', null, text)))),
      h('tbody', null, rows.map((row) => h('tr', null,
        h('td', null, h('div', { class: c('ProductName') }, h('span', { class: c('Bar'), style: { backgroundColor: row.colour } }),
          h('a', { href: row.href }, row.name), h('span', { class: c('Code') }, ` (${row.code})`))),
        row.ratings.map((value) => h('td', null, skin.rating(value))),
        h('td', null, row.size), h('td', null, skin.growth(row.growth))))));
  },

  summaryCards(cards) {
    return h('div', { class: c('Cards') }, cards.map((card) => h('div', { class: c('SummaryCard') }, h('div', { class: c('SummaryTitle') }, card.title),
      card.entries.map(([shown, sentence]) => h('div', { class: c('SummaryEntry') }, h('div', { class: c('StatLabel') }, shown.label),
        h('div', { class: c('StatValue') }, valueSlot(shown)), area(sentence, (text) => h('p', null, text)))))));
  },

  onward(links) {
    return h('div', { class: c('Onward') }, links.map(([text, href]) => h('a', { href }, text)));
  },
};
