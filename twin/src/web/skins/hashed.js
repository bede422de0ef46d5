// The page in plain divs and spans, labels before values, arrows and ranks as text.

const skin = {
  loader(kind) {
    if (kind === 'inline') return h('span', { class: c('Dots') }, h('i'), h('i'), h('i'));
    if (kind === 'text') return h('div', { class: c('Bars') }, h('div'), h('div'), h('div'));
    return h('div', { class: c('Loading') }, h('div', { class: c('Ring') }, h('div'), h('div'), h('div'), h('div')));
  },

  value({ text, arrow, parts }) {
    const sign = arrow ? (arrow === 'up' ? '↑' : '↓') : '';
    return parts ? [sign, ...parts] : `${sign}${text}`;
  },

  strong: (text) => h('b', null, text),

  hero(place, cards) {
    return h(
      'div',
      { class: c('Hero') },
      h(
        'div',
        { class: c('HeroTop') },
        h(
          'div',
          null,
          h('div', { class: c('HeroKicker') }, wording('frame.profile-hashed')),
          h(
            'div',
            { class: c('HeroName') },
            slot(place, (p) => p.shortName),
          ),
        ),
        h('div', { class: c('Globe') }, globeDrawing(150)),
      ),
      h('div', { class: c('Cards') }, cards),
    );
  },

  statCard({ main, year, lines, spark, info }) {
    return h(
      'div',
      { class: c('StatCard') },
      labelAndValue(
        h(
          'div',
          { class: c('StatTitle') },
          h('span', null, main.label),
          year ? h('span', { class: c('StatYear') }, ` (${year})`) : null,
          h('span', { class: c('Info'), title: info }, '?'),
        ),
        h('div', { class: c('StatValue') }, valueSlot(main)),
      ),
      lines.map((line) =>
        h(
          'div',
          { class: c('StatLine') },
          has('figures-split')
            ? [valueSlot(line), h('span', { class: c('StatLabel') }, ` ${line.label}`)]
            : [h('span', { class: c('StatLabel') }, `${line.label}: `), valueSlot(line)],
        ),
      ),
      spark ? area(spark, (made) => (made ? skin.spark(made) : h('span')), 66) : null,
    );
  },

  spark(made) {
    return h(
      'div',
      { class: c('Spark') },
      h(
        'div',
        { class: c('SparkBody') },
        made.drawing,
        h('div', { class: c('SparkEnds') }, h('span', null, made.top), h('span', null, made.bottom)),
      ),
      h('div', { class: c('SparkYears') }, h('span', null, made.first), h('span', null, made.last)),
    );
  },

  comparisonBox(rows) {
    return h(
      'div',
      { class: c('Compare') },
      h('div', { class: c('CompareTitle') }, wording('frame.peers-hashed')),
      area(rows, (list) =>
        list.map((row) =>
          h(
            'div',
            { class: c('CompareRow') },
            h('span', { class: c('CompareName') }, row.name),
            row.values.map(([label, text]) => h('span', null, `${label} `, h('b', null, text))),
          ),
        ),
      ),
    );
  },

  compareWith([, other], rows) {
    return h(
      'div',
      { class: c('CompareWith') },
      h(
        'div',
        { class: c('CompareTitle') },
        'Compare with ',
        slot(other, (name) => name),
      ),
      rows.map(([, shown]) =>
        h('div', { class: c('StatLine') }, h('span', { class: c('StatLabel') }, `${shown.label} `), valueSlot(shown)),
      ),
    );
  },

  narrative(paragraphs) {
    return h(
      'div',
      { class: c('Narrative') },
      area(paragraphs, (list) => list.map((parts) => h('p', null, parts))),
    );
  },

  jumps(title) {
    return h(
      'div',
      { class: c('Jumps') },
      h('div', { class: c('JumpsTitle') }, title),
      h(
        'div',
        { class: c('JumpsRow') },
        COUNTRY_GROUPS.filter(([group]) => group).map(([group, [first]], index) =>
          h(
            'a',
            { class: c('Jump'), href: pathOf(first), on: { click: follow(first) } },
            h('span', { class: c('JumpIcon') }, ['▦', '↗', '✣', '◎'][index]),
            h('span', null, group),
          ),
        ),
      ),
    );
  },

  note: (text) => h('div', { class: c('Note') }, text),
  subtitle: (text) => h('div', { class: c('Subtitle') }, text),
  controls: (list) => h('div', { class: c('Controls') }, list),
  button: (text, click) => h('button', { class: c('Button'), on: { click } }, text),

  legend(items) {
    return h(
      'div',
      { class: c('Legend') },
      items.map(({ name, colour }) =>
        h(
          'div',
          { class: c('LegendItem') },
          h('span', { class: c('Swatch'), style: { backgroundColor: colour } }),
          h('span', null, name),
        ),
      ),
    );
  },

  gradient(low, high) {
    const stops = [-2.5, -1.25, 0, 1.25, 2.5].map((v) => complexityColour(v)).join(',');
    return h(
      'div',
      { class: c('Gradient') },
      h('span', null, low),
      h('div', { class: c('GradientBar'), style: { backgroundImage: `linear-gradient(90deg, ${stops})` } }),
      h('span', null, high),
    );
  },

  dropdown(label, options, current, change) {
    const shown = h('span', null, options.find(([value]) => value === current)[1]);
    const list = h('ul', { class: c('MenuList') });
    const menu = menuState(list);
    list.append(
      ...options.map(([value, text]) =>
        h(
          'li',
          {
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
      { class: c('Dropdown') },
      label ? h('div', { class: c('DropdownLabel') }, label) : null,
      h(
        'div',
        { class: c('DropdownBox') },
        h('div', { class: c('DropdownButton'), on: { click: menu.toggle } }, shown, h('span', null, '▾')),
        list,
      ),
    );
  },
};
