// Scatter and bubble charts on a canvas: axes, reference lines and labels are drawn, not part of the document.

/** The range of values with a margin. */
function extent(values, margin = 0.08) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const pad = (high - low || 1) * margin;
  return [low - pad, high + pad];
}

/**
 * A bubble chart. `marks` are `{ vx, vy, size, colour, opacity, name, tooltip }`.
 * Options: `xEnds`, `yEnds` (texts at the ends of the axes), `xTitle`, `yTitle`, `line` ({ at, text, axis }), `yTick`, `xTick`
 * (formatters of tick texts), `labels` (the number of largest marks with a name), `radius` ([smallest, largest]).
 */
function bubbleChart(marks, width, height, options) {
  const inset = { left: 64, right: 24, top: 26, bottom: 54 };
  const line = options.line;
  const xs = marks.map((mark) => mark.vx).concat(line && line.axis === 'x' ? [line.at] : []);
  const ys = marks.map((mark) => mark.vy).concat(line && line.axis === 'y' ? [line.at] : []);
  const x = scale(extent(xs), [inset.left, width - inset.right]);
  const y = scale(extent(ys), [height - inset.bottom, inset.top]);
  const [smallest, largest] = options.radius || [3, 30];
  const biggest = Math.max(...marks.map((mark) => mark.size), 1e-9);
  for (const mark of marks) {
    mark.x = x(mark.vx);
    mark.y = y(mark.vy);
    mark.r = Math.max(smallest, Math.sqrt(Math.max(mark.size, 0) / biggest) * largest);
  }
  const backToFront = [...marks].sort((one, other) => other.r - one.r);
  const drawn = surface(width, height, (context) => {
    axes(context, width, height, inset, x, y, extent(xs), extent(ys), options);
    for (const mark of backToFront) disc(context, mark.x, mark.y, mark.r, mark.colour, '#ffffff', mark.opacity || 0.85);
    if (line) referenceLine(context, line, x, y, inset, width, height);
    for (const mark of backToFront.slice(0, options.labels || 0)) {
      write(context, mark.name, mark.x, mark.y + 4, { align: 'center', size: 11, weight: 600, colour: '#1d2c44' });
    }
  });
  listen(
    drawn.root,
    (px, py) => nearestDisc(marks, px, py),
    (mark) => mark.tooltip,
    options.click,
  );
  return drawn.root;
}

function axes(context, width, height, inset, x, y, [x0, x1], [y0, y1], options) {
  context.lineWidth = 1;
  for (const tick of ticks(y0, y1, 6)) {
    segment(context, inset.left, y(tick), width - inset.right, y(tick), tick === 0 ? '#9aa5b8' : '#e6eaf0');
    if (options.yTick) write(context, options.yTick(tick), inset.left - 8, y(tick) + 4, { align: 'right', size: 11 });
  }
  segment(context, inset.left, height - inset.bottom, width - inset.right, height - inset.bottom, '#9aa5b8');
  segment(context, inset.left, inset.top, inset.left, height - inset.bottom, '#9aa5b8');
  if (options.xTick) {
    for (const tick of ticks(x0, x1, 8)) {
      write(context, options.xTick(tick), x(tick), height - inset.bottom + 16, { align: 'center', size: 11 });
    }
  }
  const [less, more] = options.xEnds || ['', ''];
  write(context, less, inset.left, height - 14, { size: 12, weight: 600 });
  write(context, more, width - inset.right, height - 14, { size: 12, weight: 600, align: 'right' });
  write(context, options.xTitle || '', (inset.left + width - inset.right) / 2, height - 14, {
    align: 'center',
    size: 13,
    weight: 600,
  });
  write(context, options.yTitle || '', 16, (inset.top + height - inset.bottom) / 2, {
    align: 'center',
    size: 13,
    weight: 600,
    rotate: -Math.PI / 2,
  });
}

function referenceLine(context, line, x, y, inset, width, height) {
  context.lineWidth = 1.5;
  if (line.axis === 'x') {
    segment(context, x(line.at), inset.top, x(line.at), height - inset.bottom, '#33415c', [6, 4]);
    const nearRight = x(line.at) > width * 0.75;
    write(context, line.text, x(line.at) + (nearRight ? -6 : 6), inset.top - 8, {
      weight: 700,
      size: 12,
      colour: '#33415c',
      align: nearRight ? 'right' : 'left',
    });
  } else {
    segment(context, inset.left, y(line.at), width - inset.right, y(line.at), '#33415c', [6, 4]);
    write(context, line.text, width - inset.right - 4, y(line.at) - 6, {
      weight: 700,
      size: 12,
      colour: '#33415c',
      align: 'right',
    });
  }
}

/** The chart of strategic approaches: four named quadrants, one dot per country, the page's country named. */
function quadrantChart(marks, width, height) {
  const inset = 46;
  const reach = (key) => Math.max(...marks.map((mark) => Math.abs(mark[key])), 0.5) * 1.1;
  const x = scale([-reach('vx'), reach('vx')], [inset, width - 20]);
  const y = scale([-reach('vy'), reach('vy')], [height - inset, 20]);
  for (const mark of marks) Object.assign(mark, { x: x(mark.vx), y: y(mark.vy), r: mark.own ? 8 : 5 });
  const drawn = surface(width, height, (context) => {
    const tint = (left, top, right, bottom, colour) => {
      context.fillStyle = colour;
      context.fillRect(left, top, right - left, bottom - top);
    };
    tint(inset, 20, x(0), y(0), '#fbf3e4');
    tint(x(0), 20, width - 20, y(0), '#e6f4f1');
    tint(inset, y(0), x(0), height - inset, '#f8eaea');
    tint(x(0), y(0), width - 20, height - inset, '#e9eef8');
    segment(context, x(0), 20, x(0), height - inset, '#7d8aa3');
    segment(context, inset, y(0), width - 20, y(0), '#7d8aa3');
    const corner = (lines, px, py, align) =>
      lines.forEach((text, index) =>
        write(context, text, px, py + index * 15, { size: 12, weight: 700, align, colour: '#6b788f' }),
      );
    corner(['Parsimonious Industrial', 'Policy Approach'], inset + 10, 40, 'left');
    corner(['Light Touch', 'Approach'], width - 30, 40, 'right');
    corner(['Strategic Bets', 'Approach'], inset + 10, height - inset - 26, 'left');
    corner(['Technological Frontier', 'Approach'], width - 30, height - inset - 26, 'right');
    for (const mark of marks)
      disc(context, mark.x, mark.y, mark.r, mark.own ? '#de6054' : '#8fa0bd', '#ffffff', mark.own ? 1 : 0.7);
    for (const mark of marks.filter((candidate) => candidate.own)) {
      write(context, mark.name, mark.x + 12, mark.y + 4, { weight: 700, size: 14, colour: '#1d2c44' });
    }
    write(context, wording('chart.income-question'), width / 2, height - 12, {
      align: 'center',
      size: 12,
      weight: 600,
    });
    write(context, wording('chart.low-relative'), inset, height - 28, { size: 11 });
    write(context, wording('chart.high-relative'), width - 20, height - 28, { size: 11, align: 'right' });
    write(context, wording('chart.outlook-question'), 16, height / 2, {
      align: 'center',
      size: 12,
      weight: 600,
      rotate: -Math.PI / 2,
    });
  });
  listen(
    drawn.root,
    (px, py) => nearestDisc(marks, px, py),
    (mark) => mark.tooltip,
  );
  return drawn.root;
}
