// The page in cards and typography components: values before labels, icons, numbers split over elements.

const MUI_PARTS = {
  StatCard: 'MuiPaper-root MuiPaper-elevation1 MuiCard-root',
  CardContent: 'MuiCardContent-root',
  Big: 'MuiTypography-root MuiTypography-h4',
  Label: 'MuiTypography-root MuiTypography-overline',
  Small: 'MuiTypography-root MuiTypography-caption',
  Body: 'MuiTypography-root MuiTypography-body1',
  Medium: 'MuiTypography-root MuiTypography-body2',
  IconButton: 'MuiButtonBase-root MuiIconButton-root',
  Icon: 'MuiSvgIcon-root MuiSvgIcon-fontSizeSmall',
  Circle: 'MuiCircularProgress-root MuiCircularProgress-indeterminate',
  CircleSvg: 'MuiCircularProgress-svg',
  Skeleton: 'MuiSkeleton-root MuiSkeleton-text MuiSkeleton-pulse',
  Select: 'MuiInputBase-root MuiSelect-root',
  SelectLabel: 'MuiFormLabel-root MuiInputLabel-root',
  SelectShown: 'MuiSelect-select',
  MenuList: 'MuiPaper-root MuiMenu-paper',
  MenuItem: 'MuiButtonBase-root MuiMenuItem-root',
  Chip: 'MuiButtonBase-root MuiChip-root',
  ChipLabel: 'MuiChip-label',
  Button: 'MuiButtonBase-root MuiButton-root MuiButton-outlined',
  Primary: 'MuiButtonBase-root MuiButton-root MuiButton-contained',
  Grid: 'MuiGrid-root MuiGrid-container',
  Cell: 'MuiGrid-root MuiGrid-item',
  Box: 'MuiBox-root',
  Stack: 'MuiStack-root',
  Table: 'MuiTable-root',
  TableBox: 'MuiTableContainer-root',
  HeadCell: 'MuiTableCell-root MuiTableCell-head',
  BodyCell: 'MuiTableCell-root MuiTableCell-body',
  SortLabel: 'MuiButtonBase-root MuiTableSortLabel-root',
  AppBar: 'MuiPaper-root MuiAppBar-root MuiAppBar-positionFixed',
  Toolbar: 'MuiToolbar-root',
  Drawer: 'MuiDrawer-root',
  List: 'MuiList-root',
  ListItem: 'MuiButtonBase-root MuiListItemButton-root',
  ListHead: 'MuiListSubheader-root',
  Option: 'MuiAutocomplete-option',
  Autocomplete: 'MuiAutocomplete-root',
  Link: 'MuiTypography-root MuiLink-root',
  Paper: 'MuiPaper-root',
  Popper: 'MuiPopper-root MuiTooltip-popper',
  Bubble: 'MuiTooltip-tooltip',
  Dialog: 'MuiPaper-root MuiDialog-paper',
  Backdrop: 'MuiBackdrop-root MuiModal-root',
  Banner: 'MuiPaper-root MuiSnackbar-root',
  Heading: 'MuiTypography-root MuiTypography-h2',
};
for (const [name, parts] of Object.entries(MUI_PARTS)) CLASSES[name] = `${parts} ${CLASSES[name] || ''}`;

const ARROW_PATH = 'M4 12l1.41 1.41L11 7.83V20h2V7.83l5.58 5.59L20 12l-8-8-8 8z';
const INFO_PATH = 'M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm1 15h-2v-6h2v6zm0-8h-2V7h2v2z';
const CARET_PATH = 'M7 10l5 5 5-5z';

function icon(path, style) {
  return s('svg', { class: c(style || 'Icon'), viewBox: '0 0 24 24', focusable: 'false' }, s('path', { d: path }));
}

/** Splits numbers from their units, with narrow spaces or element borders in between. */
function pieces(text) {
  const rank = /^(\d+)(st|nd|rd|th) of (.+)$/.exec(text);
  if (rank)
    return [h('span', null, rank[1], h('span', { class: c('Sup') }, rank[2])), ' ', h('span', null, `of\u00a0${rank[3]}`)];
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
    if (kind === 'text')
      return h(
        'div',
        null,
        [92, 98, 64].map((width) => h('span', { class: c('Skeleton'), style: { width: `${width}%` } })),
      );
    const size = kind === 'inline' ? 18 : 44;
    return h(
      'span',
      {
        class: c(kind === 'inline' ? 'Circle' : 'CircleBox Circle'),
        style: { width: kind === 'inline' ? '18px' : '', height: kind === 'inline' ? '18px' : '' },
      },
      s(
        'svg',
        { class: c('CircleSvg'), viewBox: '22 22 44 44', width: size, height: size },
        s('circle', {
          cx: 44,
          cy: 44,
          r: 20.2,
          fill: 'none',
          'stroke-width': 3.6,
          stroke: '#2a7f86',
          'stroke-dasharray': '80 200',
        }),
      ),
    );
  },

  value({ text, arrow, parts }) {
    return [arrow ? icon(ARROW_PATH, arrow === 'up' ? 'IconUp' : 'IconDown') : null, ...(parts || pieces(text))].filter(Boolean);
  },

  strong: (text) => h('strong', null, text.replace(/(\d) (million|billion|trillion)/, '$1\u00a0$2')),

  info: (text) => h('button', { class: c('IconButton'), type: 'button', title: text }, icon(INFO_PATH)),

  hero(place, cards) {
    return h(
      'div',
      { class: c('Hero') },
      h(
        'div',
        { class: c('HeroTop') },
        globeDrawing(120),
        h(
          'div',
          { class: c('Box') },
          h(
            'h1',
            { class: c('HeroName') },
            slot(place, (p) => p.shortName),
          ),
          h('span', { class: c('Label') }, wording('frame.profile-mui')),
        ),
      ),
      h(
        'div',
        { class: c('Grid') },
        cards.map((card) => h('div', { class: c('Cell') }, card)),
      ),
    );
  },

  statCard({ main, year, lines, spark, info }) {
    return h(
      'div',
      { class: c('StatCard') },
      h(
        'div',
        { class: c('CardContent') },
        h('div', { class: c('Big') }, valueSlot(main)),
        h(
          'div',
          { class: c('Stack') },
          h('span', { class: c('Label') }, main.label),
          h('sup', null, '†'),
          skin.info(info),
          year ? h('span', { class: c('Small') }, year) : null,
        ),
        spark ? area(spark, (made) => (made ? skin.spark(made) : h('span')), 70) : null,
        lines.map((line) =>
          h(
            'div',
            { class: c('Stack') },
            h('span', { class: c('Body') }, valueSlot(line)),
            h('span', { class: c('Small') }, line.label),
          ),
        ),
      ),
    );
  },

  spark(made) {
    return h(
      'div',
      { class: c('Spark') },
      h('div', { class: c('SparkSide') }, h('span', { class: c('Small') }, made.first)),
      made.drawing,
      h(
        'div',
        { class: c('SparkSide') },
        h('span', { class: c('Small') }, made.top),
        h('span', { class: c('Small') }, made.bottom),
        h('span', { class: c('Small') }, made.last),
      ),
    );
  },

  comparisonBox(rows) {
    return h(
      'div',
      { class: c('Compare') },
      area(rows, (list) => [
        h('div', { class: c('CompareCell') }, wording('frame.peers-mui')),
        ...list.map((row) => h('div', { class: c('CompareCell') }, row.name)),
        ...[0, 1].flatMap((index) => [
          h('div', { class: c('CompareCell') }, list.length ? list[0].values[index][0] : ''),
          ...list.map((row) => h('div', { class: c('CompareCell') }, pieces(row.values[index][1]))),
        ]),
      ]),
    );
  },

  compareWith(names, rows) {
    const cell = (content) => h('div', { class: c('CompareCell') }, content);
    return h(
      'div',
      { class: c('Paper CompareWith') },
      cell(h('span', { class: c('Label') }, 'Compare with')),
      names.map((name) => cell(slot(name, (text) => text))),
      rows.flatMap(([own, other]) => [cell(other.label), cell(valueSlot(own)), cell(valueSlot(other))]),
    );
  },

  narrative(paragraphs) {
    return h(
      'div',
      { class: c('Narrative') },
      area(paragraphs, (list) => list.map((parts) => h('p', { class: c('Body') }, parts))),
    );
  },

  jumps(title) {
    return h(
      'div',
      { class: c('Jumps') },
      h('span', { class: c('Label') }, title),
      h(
        'ul',
        { class: c('JumpsRow') },
        COUNTRY_GROUPS.filter(([group]) => group).map(([group, [first]], index) =>
          h(
            'li',
            null,
            h(
              'a',
              { class: c('Link Jump'), href: pathOf(first), on: { click: follow(first) } },
              icon(
                [
                  'M3 3h8v8H3zm10 0h8v8h-8zM3 13h8v8H3zm10 0h8v8h-8z',
                  'M3 17l6-6 4 4 8-8v4h2V4h-7v2h4l-7 7-4-4-8 8z',
                  'M12 2l3 7h7l-6 5 2 8-6-5-6 5 2-8-6-5h7z',
                  'M12 2a10 10 0 100 20 10 10 0 000-20zm0 4a6 6 0 110 12 6 6 0 010-12z',
                ][index],
                'JumpIcon',
              ),
              h('span', { class: c('Medium') }, group),
            ),
          ),
        ),
      ),
    );
  },

  note: (text) => h('p', { class: c('Small Note') }, text),
  subtitle: (text) => h('h3', { class: c('Subtitle') }, text),
  controls: (list) => h('div', { class: c('Controls') }, list),
  button: (text, click) => h('button', { class: c('Button'), type: 'button', on: { click } }, text),

  legend(items) {
    return h(
      'ul',
      { class: c('Legend') },
      items.map(({ name, colour }) => h('li', null, h('i', { class: c('Swatch'), style: { backgroundColor: colour } }), name)),
    );
  },

  gradient(low, high) {
    return h(
      'div',
      { class: c('Gradient') },
      h(
        'div',
        { class: c('GradientBar') },
        [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5].map((v) => h('i', { style: { backgroundColor: complexityColour(v) } })),
      ),
      h('div', { class: c('GradientEnds') }, h('span', null, low), h('span', null, high)),
    );
  },

  dropdown(label, options, current, change) {
    const shown = h('div', { class: c('SelectShown'), tabindex: 0 }, options.find(([value]) => value === current)[1]);
    const list = h('div', { class: c('MenuList') });
    const menu = menuState(list);
    list.append(
      ...options.map(([value, text]) =>
        h(
          'div',
          {
            class: c('MenuItem'),
            on: {
              click: () => {
                shown.textContent = text;
                change(value);
              },
            },
          },
          text,
        ),
      ),
    );
    return h(
      'div',
      { class: c('Select') },
      h('div', { class: c('SelectBox'), on: { click: menu.toggle } }, shown, icon(CARET_PATH)),
      list,
      label ? h('label', { class: c('SelectLabel') }, label) : null,
    );
  },
};
