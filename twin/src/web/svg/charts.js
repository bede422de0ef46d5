// SVG charts over years: axes with values, lines or areas, a hover line, and labels at the line ends.

const CHART_INSET = { left: 84, right: 20, top: 16, bottom: 36 };

/** The years of all lines, in order. */
function yearsOf(series) {
  return [...new Set(series.flatMap((line) => [...line.points.keys()]))].sort((one, other) => one - other);
}

/** A path through points `[x, y]`. */
function lineThrough(points) {
  return points.map(([x, y], index) => `${index ? 'L' : 'M'}${x.toFixed(1)},${y.toFixed(1)}`).join('');
}

/** Scales, axes and a hover line for a chart over `years` with values from zero to `highest`. */
function chartFrame(years, highest, { width, height, inset, write_, yTitle }) {
  const span = years.length > 1 ? [years[0], years[years.length - 1]] : [years[0] - 1, years[0] + 1];
  const x = scale(span, [inset.left, width - inset.right]);
  const y = scale([0, highest * 1.05], [height - inset.bottom, inset.top]);
  const every = Math.max(1, Math.ceil(years.length / 12));
  const text = (words, attributes) => s('text', { fill: '#51607a', 'font-size': 11, ...attributes }, words);
  const grid = ticks(0, highest * 1.05, 5).flatMap((tick) => [
    s('line', { x1: inset.left, x2: width - inset.right, y1: y(tick), y2: y(tick), stroke: '#e6eaf0' }),
    text(write_(tick), { x: inset.left - 8, y: y(tick) + 4, 'text-anchor': 'end' }),
  ]);
  const below = years
    .filter((year, index) => index % every === 0)
    .map((year) => text(String(year), { x: x(year), y: height - 12, 'text-anchor': 'middle' }));
  const title = text(yTitle, {
    'font-size': 13,
    'font-weight': 600,
    'text-anchor': 'middle',
    transform: `translate(16 ${height / 2}) rotate(-90)`,
  });
  const hoverLine = s('line', { y1: inset.top, y2: height - inset.bottom, stroke: '#6b788f', visibility: 'hidden' });
  const svg = s('svg', { width, height, viewBox: `0 0 ${width} ${height}`, style: { position: 'absolute', left: '0', top: '0' } });
  const pointAt = (year) => {
    hoverLine.setAttribute('visibility', year === null ? 'hidden' : 'visible');
    if (year === null) return;
    hoverLine.setAttribute('x1', x(year));
    hoverLine.setAttribute('x2', x(year));
  };
  const yearAt = (px) => years.reduce((best, year) => (Math.abs(x(year) - px) < Math.abs(x(best) - px) ? year : best), years[0]);
  return { x, y, svg, axes: [...grid, ...below, title], hoverLine, pointAt, yearAt };
}

/** The box of a chart: stacked layers with a tooltip. */
function chartBox(width, height, layers, { find, describe, leave }) {
  const root = h('div', { class: c('Surface'), style: { width: `${width}px`, height: `${height}px` } }, layers);
  listen(root, find, describe);
  root.addEventListener('mouseleave', leave);
  return root;
}

/** The labels at the line ends, from the lowest up. A label that would overlap another is left out. */
function endLabels(series, last, frame, write_) {
  let free = Infinity;
  return series
    .filter((line) => line.points.has(last))
    .sort((one, other) => one.points.get(last) - other.points.get(last))
    .map((line) => {
      const at = frame.y(line.points.get(last)) + 4;
      if (at > free) return null;
      free = at - 13;
      const value = textFor('drawn-otherwise', 'end') || write_(line.points.get(last));
      return s('text', { x: frame.x(last) + 8, y: at, fill: line.colour, 'font-size': 11, 'font-weight': 600 }, `${line.name} ${value}`);
    });
}

/**
 * A line chart over years. `series` are `{ name, colour, points: Map(year -> fraction) }`. The tooltip lists all lines at the
 * year under the pointer, largest first.
 */
function linesOverYears(series, width, height, yTitle) {
  const inset = { ...CHART_INSET, right: SKIN === 'mui' ? 130 : 20 };
  const years = yearsOf(series);
  const highest = Math.max(...series.flatMap((line) => [...line.points.values()]), 1e-6);
  const frame = chartFrame(years, highest, { width, height, inset, write_: format.percentShort, yTitle });
  const lines = series.map((line) =>
    s('path', {
      d: lineThrough(years.filter((year) => line.points.has(year)).map((year) => [frame.x(year), frame.y(line.points.get(year))])),
      fill: 'none',
      stroke: line.colour,
      'stroke-width': 2.5,
    }),
  );
  const ends = SKIN === 'mui' ? endLabels(series, years[years.length - 1], frame, format.percentShort) : [];
  append(frame.svg, [frame.axes, lines, frame.hoverLine, ends]);
  return chartBox(width, height, [frame.svg], {
    find: (px, py) => {
      const inside = px > inset.left - 6 && px < width - inset.right + 6 && py > inset.top && py < height - inset.bottom;
      const year = inside ? frame.yearAt(px) : null;
      frame.pointAt(year);
      return year;
    },
    describe: (year) => ({
      title: wording('tooltip.year-title', { year }),
      rows: series
        .filter((line) => line.points.has(year))
        .sort((one, other) => other.points.get(year) - one.points.get(year))
        .map((line) => [line.name, textFor('drawn-otherwise', 'hover') || format.percentShort(line.points.get(year)), line.colour]),
    }),
    leave: () => frame.pointAt(null),
  });
}

/**
 * Stacked areas of `series` with a tooltip per year. One rendering uses SVG paths, the other paints on a canvas below the
 * axes.
 */
function stackedAreas(series, write_, yTitle) {
  const [width, height] = [explorerWidth(), EXPLORER_HEIGHT - 40];
  const years = yearsOf(series);
  const floors = new Map(years.map((year) => [year, 0]));
  const bands = series.map((line) => ({
    ...line,
    edges: years.map((year) => {
      const low = floors.get(year);
      const high = low + (line.points.get(year) || 0);
      floors.set(year, high);
      return [year, low, high];
    }),
  }));
  const highest = Math.max(...floors.values(), 1e-9);
  const frame = chartFrame(years, highest, { width, height, inset: CHART_INSET, write_, yTitle });
  // a single year is drawn as a bar
  const edges = ({ edges: [only, ...more] }) =>
    more.length ? [only, ...more] : [-0.4, 0.4].map((aside) => [only[0] + aside, only[1], only[2]]);
  const outline = (band) => [
    ...edges(band).map(([year, , high]) => [frame.x(year), frame.y(high)]),
    ...edges(band)
      .reverse()
      .map(([year, low]) => [frame.x(year), frame.y(low)]),
  ];
  const paint = (context) => {
    for (const band of bands) {
      context.fillStyle = band.colour;
      context.beginPath();
      outline(band).forEach(([px, py], index) => (index ? context.lineTo(px, py) : context.moveTo(px, py)));
      context.fill();
    }
  };
  const areas = SKIN === 'mui' ? bands.map((band) => s('path', { d: `${lineThrough(outline(band))}Z`, fill: band.colour })) : [];
  const layers = SKIN === 'mui' ? [] : [surface(width, height, paint).canvas];
  append(frame.svg, [frame.axes, areas, frame.hoverLine]);
  return chartBox(width, height, [...layers, frame.svg], {
    find: (px, py) => {
      const year = frame.yearAt(px);
      const band = bands.find(({ edges: all }) => {
        const [, low, high] = all.find((edge) => edge[0] === year);
        return py <= frame.y(low) && py >= frame.y(high);
      });
      frame.pointAt(band ? year : null);
      return band ? { band, year } : null;
    },
    describe: ({ band, year }) => ({
      title: band.name,
      colour: band.colour,
      rows: [
        [wording('tooltip.year'), String(year)],
        [wording('tooltip.export-value'), textFor('drawn-otherwise', 'hover') || write_(band.points.get(year) || 0)],
      ],
    }),
    leave: () => frame.pointAt(null),
  });
}
