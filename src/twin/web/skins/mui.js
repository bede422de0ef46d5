// The page in cards and typography components: values before labels, icons, numbers split over elements.

const MUI_PARTS = {
  StatCard: 'MuiPaper-root MuiPaper-elevation1 MuiCard-root', CardContent: 'MuiCardContent-root',
  Big: 'MuiTypography-root MuiTypography-h4', Label: 'MuiTypography-root MuiTypography-overline', Small: 'MuiTypography-root MuiTypography-caption',
  Body: 'MuiTypography-root MuiTypography-body1', Medium: 'MuiTypography-root MuiTypography-body2', IconButton: 'MuiButtonBase-root MuiIconButton-root',
  Icon: 'MuiSvgIcon-root MuiSvgIcon-fontSizeSmall', Circle: 'MuiCircularProgress-root MuiCircularProgress-indeterminate',
  CircleSvg: 'MuiCircularProgress-svg', Skeleton: 'MuiSkeleton-root MuiSkeleton-text MuiSkeleton-pulse', Select: 'MuiInputBase-root MuiSelect-root',
  SelectLabel: 'MuiFormLabel-root MuiInputLabel-root', SelectShown: 'MuiSelect-select', MenuList: 'MuiPaper-root MuiMenu-paper',
  MenuItem: 'MuiButtonBase-root MuiMenuItem-root', Chip: 'MuiButtonBase-root MuiChip-root', ChipLabel: 'MuiChip-label', Button: 'MuiButtonBase-root MuiButton-root MuiButton-outlined',
  Primary: 'MuiButtonBase-root MuiButton-root MuiButton-contained', Grid: 'MuiGrid-root MuiGrid-container', Cell: 'MuiGrid-root MuiGrid-item', Box: 'MuiBox-root',
  Stack: 'MuiStack-root', Table: 'MuiTable-root', TableBox: 'MuiTableContainer-root', HeadCell: 'MuiTableCell-root MuiTableCell-head', BodyCell: 'MuiTableCell-root MuiTableCell-body',
  SortLabel: 'MuiButtonBase-root MuiTableSortLabel-root', AppBar: 'MuiPaper-root MuiAppBar-root MuiAppBar-positionFixed', Toolbar: 'MuiToolbar-root', Drawer: 'MuiDrawer-root',
  List: 'MuiList-root', ListItem: 'MuiButtonBase-root MuiListItemButton-root', ListHead: 'MuiListSubheader-root', Option: 'MuiAutocomplete-option',
  Autocomplete: 'MuiAutocomplete-root', Link: 'MuiTypography-root MuiLink-root', Paper: 'MuiPaper-root', Popper: 'MuiPopper-root MuiTooltip-popper', Bubble: 'MuiTooltip-tooltip',
  Dialog: 'MuiPaper-root MuiDialog-paper', Backdrop: 'MuiBackdrop-root MuiModal-root', Banner: 'MuiPaper-root MuiSnackbar-root', Heading: 'MuiTypography-root MuiTypography-h2',
};
for (const [name, parts] of Object.entries(MUI_PARTS)) CLASSES[name] = `${parts} ${CLASSES[name] || ''}`;

const ARROW_PATH = 'M4 12l1.41 1.41L11 7.83V20h2V7.83l5.58 5.59L20 12l-8-8-8 8z';
const INFO_PATH = 'M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm1 15h-2v-6h2v6zm0-8h-2V7h2v2z';
const CARET_PATH = 'M7 10l5 5 5-5z';

function icon(path, style) {
  return s('svg', { class: c(style || 'Icon'), viewBox: '0 0 24 24', focusable: 'false' }, s('path', { d: path }));
}

/** Narrow spaces and element borders where numbers meet their units. */
function pieces(text) {
  const rank = /^(\d+)(st|nd|rd|th) of (.+)$/.exec(text);
  if (rank) return [h('span', null, rank[1], h('span', { class: c('Sup') }, rank[2])), ' ', h('span', null, `of\u00a0${rank[3]}`)];
  const usd = /^USD (.+)$/.exec(text);
  if (usd) return [h('span', null, 'USD'), '\u00a0', h('span', null, usd[1])];
  const percent = /^([^%]*\d)%$/.exec(text);
  if (percent) return [h('span', null, percent[1]), h('span', null, '\u202f%')];
  const dollars = /^\$(.+)$/.exec(text);
  if (dollars) return [h('span', null, '$'), h('span', null, dollars[1])];
  return [h('span', null, text)];
}

const skin = {
  loader(kind) {
    if (kind === 'text') return h('div', null, [92, 98, 64].map((width) => h('span', { class: c('Skeleton'), style: { width: `${width}%` } })));
    const size = kind === 'inline' ? 18 : 44;
    return h('span', { class: c(kind === 'inline' ? 'Circle' : 'CircleBox Circle'), style: { width: kind === 'inline' ? '18px' : '', height: kind === 'inline' ? '18px' : '' } },
      s('svg', { class: c('CircleSvg'), viewBox: '22 22 44 44', width: size, height: size },
        s('circle', { cx: 44, cy: 44, r: 20.2, fill: 'none', 'stroke-width': 3.6, stroke: '#2a7f86', 'stroke-dasharray': '80 200' })));
  },

  value({ text, arrow }) {
    return [arrow ? icon(ARROW_PATH, arrow === 'up' ? 'IconUp' : 'IconDown') : null, ...pieces(text)].filter(Boolean);
  },

  strong: (text) => h('strong', null, text.replace(/(\d) (million|billion|trillion)/, '$1\u00a0$2')),

  info: (text) => h('button', { class: c('IconButton'), type: 'button', title: text }, icon(INFO_PATH)),

  hero(place, cards) {
    return h('div', { class: c('Hero') }, h('div', { class: c('HeroTop') }, globeDrawing(120),
      h('div', { class: c('Box') }, h('h1', { class: c('HeroName') }, slot(place, (p) => p.shortName)), h('span', { class: c('Label') }, 'Country profile'))),
      h('div', { class: c('Grid') }, cards.map((card) => h('div', { class: c('Cell') }, card))));
  },

  statCard({ main, year, lines, spark, info }) {
    return h('div', { class: c('StatCard') }, h('div', { class: c('CardContent') },
      h('div', { class: c('Big') }, valueSlot(main)),
      h('div', { class: c('Stack') }, h('span', { class: c('Label') }, main.label), h('sup', null, '†'), skin.info(info),
        year ? h('span', { class: c('Small') }, year) : null),
      spark ? area(spark, (made) => (made ? skin.spark(made) : h('span')), 70) : null,
      lines.map((line) => h('div', { class: c('Stack') }, h('span', { class: c('Body') }, valueSlot(line)), h('span', { class: c('Small') }, line.label)))));
  },

  spark(made) {
    return h('div', { class: c('Spark') }, h('div', { class: c('SparkSide') }, h('span', { class: c('Small') }, made.first)), made.drawing,
      h('div', { class: c('SparkSide') }, h('span', { class: c('Small') }, made.top), h('span', { class: c('Small') }, made.bottom),
        h('span', { class: c('Small') }, made.last)));
  },

  comparisonBox(rows) {
    return h('div', { class: c('Compare') }, area(rows, (list) => [
      h('div', { class: c('CompareCell') }, 'Peers'), ...list.map((row) => h('div', { class: c('CompareCell') }, row.name)),
      ...[0, 1].flatMap((index) => [
        h('div', { class: c('CompareCell') }, list.length ? list[0].values[index][0] : ''),
        ...list.map((row) => h('div', { class: c('CompareCell') }, pieces(row.values[index][1]))),
      ]),
    ]));
  },

  narrative(paragraphs) {
    return h('div', { class: c('Narrative') }, area(paragraphs, (list) => list.map((parts) => h('p', { class: c('Body') }, parts))));
  },

  jumps(title) {
    return h('div', { class: c('Jumps') }, h('span', { class: c('Label') }, title), h('ul', { class: c('JumpsRow') },
      COUNTRY_GROUPS.filter(([group]) => group).map(([group, [first]], index) => h('li', null, h('a', { class: c('Link Jump'), href: pathOf(first), on: { click: follow(first) } },
        icon(['M3 3h8v8H3zm10 0h8v8h-8zM3 13h8v8H3zm10 0h8v8h-8z', 'M3 17l6-6 4 4 8-8v4h2V4h-7v2h4l-7 7-4-4-8 8z', 'M12 2l3 7h7l-6 5 2 8-6-5-6 5 2-8-6-5h7z', 'M12 2a10 10 0 100 20 10 10 0 000-20zm0 4a6 6 0 110 12 6 6 0 010-12z'][index], 'JumpIcon'),
        h('span', { class: c('Medium') }, group))))));
  },

  note: (text) => h('p', { class: c('Small Note') }, text),
  subtitle: (text) => h('h3', { class: c('Subtitle') }, text),
  controls: (list) => h('div', { class: c('Controls') }, list),
  button: (text, click) => h('button', { class: c('Button'), type: 'button', on: { click } }, text),

  legend(items) {
    return h('ul', { class: c('Legend') }, items.map(({ name, colour }) => h('li', null, h('i', { class: c('Swatch'), style: { backgroundColor: colour } }), name)));
  },

  gradient(low, high) {
    return h('div', { class: c('Gradient') }, h('div', { class: c('GradientBar') }, [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5].map((v) =>
      h('i', { style: { backgroundColor: complexityColour(v) } }))), h('div', { class: c('GradientEnds') }, h('span', null, low), h('span', null, high)));
  },

  dropdown(label, options, current, change) {
    const shown = h('div', { class: c('SelectShown'), tabindex: 0 }, options.find(([value]) => value === current)[1]);
    const list = h('div', { class: c('MenuList') });
    const menu = menuState(list);
    list.append(...options.map(([value, text]) => h('div', { class: c('MenuItem'), on: { click: () => { shown.textContent = text; change(value); } } }, text)));
    return h('div', { class: c('Select') }, h('div', { class: c('SelectBox'), on: { click: menu.toggle } }, shown, icon(CARET_PATH)), list,
      label ? h('label', { class: c('SelectLabel') }, label) : null);
  },

  partners(choice, cards) {
    return h('div', { class: c('Paper PartnerBlock') }, h('div', { class: c('PartnerHead') }, h('span', { class: c('Body') }, 'Top 3 by'), choice), cards);
  },

  partnerCard(place, name, shown) {
    return h('div', { class: c('Paper PartnerCard') }, h('div', { class: c('Big') }, valueSlot(shown)),
      h('div', { class: c('Medium') }, slot(name, (text) => text)), h('span', { class: c('PartnerPlace') }, `#${place}`));
  },

  chip(name, colour, remove) {
    return h('div', { class: c('Chip'), style: { backgroundColor: `${colour}44` } }, h('span', { class: c('ChipLabel') }, name),
      s('svg', { class: c('ChipIcon'), viewBox: '0 0 24 24', on: { click: remove } }, s('path', { d: 'M19 6.4L17.6 5 12 10.6 6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12z' })));
  },

  proportion(shown, text, promise) {
    const arc = h('div', { class: c('Mini') });
    settled(promise).then((v) => { arc.replaceChildren(pieDrawing([100 * (v || 0), 100 - 100 * (v || 0)], ['#2a7f86', '#dbe6e6'], 84)); }, () => {});
    return h('div', { class: c('Paper Proportion') }, arc, h('div', { class: c('Box') }, h('div', { class: c('Big') }, valueSlot(shown)),
      h('span', { class: c('Label') }, shown.label), ' ', h('span', { class: c('Small') }, text)));
  },

  /** No table element: a grid whose cells follow each other row by row. */
  peerTable(columns, rows) {
    const cell = (content, style) => h('div', { class: c(style) }, content);
    return h('div', { class: c('PeerGrid'), style: { gridTemplateColumns: `2fr repeat(${columns.length - 1}, 1fr)` } },
      columns.map((text) => cell(text, 'GridHead')),
      rows.flatMap((row) => [cell(row.name, row.own ? 'GridOwn' : 'GridCell'), ...row.cells.map((text) => cell(pieces(text), row.own ? 'GridOwn' : 'GridCell'))]));
  },

  howToRead(title, items) {
    return h('dl', { class: c('HowTo') }, h('dt', null, title), items.map(([colour, text]) => h('dd', null, h('i', { class: c('Dot'), style: { backgroundColor: colour } }), text)));
  },

  approach(sentence, shown, description) {
    return h('div', { class: c('Paper Approach') }, area(sentence, (parts) => h('p', { class: c('Body') }, parts)),
      h('div', { class: c('Big') }, valueSlot(shown)), h('div', { class: c('Label') }, shown.label), area(description, (text) => h('p', { class: c('Body') }, text)));
  },

  unavailable(message, text, click) {
    return h('div', { class: c('Paper Unavailable') }, h('p', { class: c('Body') }, message), h('button', { class: c('Primary'), type: 'button', on: { click } }, text));
  },

  strategyPanel(name, criteria, current, change, pie) {
    const marks = criteria.map(([value, text]) => {
      const mark = h('i', { class: c(value === current ? 'RadioOn' : 'RadioOff') });
      const item = h('div', { class: c('Radio'), on: { click: () => { marks.forEach((other) => { other.mark.className = c('RadioOff'); }); mark.className = c('RadioOn'); change(value); } } }, mark, text);
      return { mark, item };
    });
    return h('div', { class: c('Paper Strategy') }, h('div', null, h('div', { class: c('Label') }, '1. Your Strategic Approach'), h('div', { class: c('Body') }, name)),
      h('div', null, h('div', { class: c('Label') }, '2. Product Selection Criteria'), marks.map(({ item }) => item)), pie);
  },

  weights(parts) {
    return h('div', { class: c('PieRow') }, pieDrawing(parts, WEIGHT_COLOURS, 70), h('ul', { class: c('WeightList') }, parts.map((part, index) =>
      h('li', null, h('i', { class: c('Swatch'), style: { backgroundColor: WEIGHT_COLOURS[index] } }), h('span', null, `${part}\u202f%`), ' ', h('span', null, WEIGHT_NAMES[index])))));
  },

  strategyLine: (text) => h('p', { class: c('Medium StrategyLine') }, text),

  growth({ text, arrow }) {
    return h('div', { class: c('Growth') }, arrow ? icon(ARROW_PATH, arrow === 'up' ? 'GrowthUp' : 'GrowthDown') : null, pieces(text));
  },

  productTable(columns, rows) {
    const diamonds = (value) => h('div', { class: c('Rating') }, [0, 1, 2, 3, 4].map((index) => h('span', { class: c('Diamond'), style: absent(value) ? {} : squareFill(value, index, '#808080') })));
    const td = (...kids) => h('td', { class: c('BodyCell') }, kids);
    return h('div', { class: c('TableBox') }, h('table', { class: c('Table') },
      h('thead', null, h('tr', null, columns.map((text) => h('th', { class: c('HeadCell') }, h('span', { class: c('SortLabel') }, text))))),
      h('tbody', null, rows.map((row) => h('tr', null,
        td(h('div', { class: c('ProductName'), style: { borderLeftColor: row.colour } }, h('a', { class: c('Link'), href: row.href }, row.name), h('div', { class: c('Small') }, `(${row.code})`))),
        row.ratings.map((value) => td(diamonds(value))), td(pieces(row.size)), td(skin.growth(row.growth)))))));
  },

  summaryCards(cards) {
    return h('div', { class: c('Grid') }, cards.map((card) => h('div', { class: c('Cell') }, h('div', { class: c('StatCard') }, h('div', { class: c('CardContent') },
      h('h3', { class: c('Subtitle') }, card.title), card.entries.map(([shown, sentence]) => h('div', { class: c('SummaryEntry') }, h('div', { class: c('Big') }, valueSlot(shown)),
        h('div', { class: c('Label') }, shown.label), area(sentence, (text) => h('p', { class: c('Medium') }, text)))))))));
  },

  onward(links) {
    return h('div', { class: c('Onward') }, links.map(([text, href]) => h('a', { class: c('Primary'), href }, text)));
  },
};
