// Line charts: sparklines in the cards (SVG), and the market-share chart of country pages (canvas with a crosshair).

/** A sparkline that prints its lowest and highest value. `downIsBetter` inverts the axis for ranks. */
function sparkline(points, write_, downIsBetter) {
  const known = points.filter((point) => !absent(point.quantity)).sort((one, other) => one.year - other.year);
  if (known.length < 2) return null;
  const values = known.map((point) => point.quantity);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = scale([known[0].year, known[known.length - 1].year], [4, 156]);
  const y = scale([low, high], downIsBetter ? [6, 40] : [40, 6]);
  const path = known
    .map((point, index) => `${index ? 'L' : 'M'}${x(point.year).toFixed(1)},${y(point.quantity).toFixed(1)}`)
    .join('');
  const end = known[known.length - 1];
  return {
    drawing: s(
      'svg',
      { width: 160, height: 46, viewBox: '0 0 160 46' },
      s('path', { d: path, fill: 'none', stroke: '#2b7f9e', 'stroke-width': 2 }),
      s('circle', { cx: x(end.year), cy: y(end.quantity), r: 3, fill: '#2b7f9e' }),
    ),
    first: String(known[0].year),
    last: String(end.year),
    top: write_(downIsBetter ? low : high),
    bottom: write_(downIsBetter ? high : low),
  };
}

/**
 * A line chart over years. `series` are `{ name, colour, points: Map(year -> fraction) }`.
 * The crosshair lists all lines at the year under the pointer, largest first.
 */
function lineChart(series, width, height) {
  const inset = { left: 74, right: 20, top: 20, bottom: 40 };
  const years = [...new Set(series.flatMap((line) => [...line.points.keys()]))].sort((one, other) => one - other);
  const highest = Math.max(...series.flatMap((line) => [...line.points.values()]), 1e-6);
  const x = scale([years[0], years[years.length - 1]], [inset.left, width - inset.right]);
  const y = scale([0, highest * 1.05], [height - inset.bottom, inset.top]);
  const paint = (crosshair) => (context) => {
    for (const tick of ticks(0, highest * 1.05, 5)) {
      segment(context, inset.left, y(tick), width - inset.right, y(tick), '#e6eaf0');
      write(context, format.percentShort(tick), inset.left - 8, y(tick) + 4, { align: 'right', size: 11 });
    }
    for (const year of years.filter((candidate) => candidate % 4 === 0)) {
      write(context, String(year), x(year), height - inset.bottom + 18, { align: 'center', size: 11 });
    }
    write(context, wording('chart.world-share'), 18, height / 2, {
      align: 'center',
      size: 13,
      weight: 600,
      rotate: -Math.PI / 2,
    });
    for (const line of series) {
      context.strokeStyle = line.colour;
      context.lineWidth = 2.5;
      context.beginPath();
      years
        .filter((year) => line.points.has(year))
        .forEach((year, index) => {
          if (index) context.lineTo(x(year), y(line.points.get(year)));
          else context.moveTo(x(year), y(line.points.get(year)));
        });
      context.stroke();
    }
    if (crosshair) {
      context.lineWidth = 1;
      segment(context, x(crosshair), inset.top, x(crosshair), height - inset.bottom, '#6b788f');
      for (const line of series) {
        if (line.points.has(crosshair)) disc(context, x(crosshair), y(line.points.get(crosshair)), 4, line.colour, '#ffffff');
      }
    }
  };
  const drawn = surface(width, height, paint(null));
  const yearAt = (px) => {
    if (px < inset.left - 6 || px > width - inset.right + 6) return null;
    return years.reduce((best, year) => (Math.abs(x(year) - px) < Math.abs(x(best) - px) ? year : best), years[0]);
  };
  listen(
    drawn.root,
    (px, py) => {
      const year = py > inset.top && py < height - inset.bottom ? yearAt(px) : null;
      drawn.repaint(paint(year));
      return year;
    },
    (year) => ({
      title: wording('tooltip.year-title', { year }),
      rows: series
        .filter((line) => line.points.has(year))
        .sort((one, other) => other.points.get(year) - one.points.get(year))
        .map((line) => [line.name, textFor('drawn-otherwise', 'hover') || format.percentShort(line.points.get(year)), line.colour]),
    }),
  );
  drawn.root.addEventListener('mouseleave', () => drawn.repaint(paint(null)));
  return drawn.root;
}
