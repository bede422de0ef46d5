// Explorer views of capabilities: the product space, the opportunity graph and the sortable table.

function goodsOnly(rows, books) {
  return rows.filter((row) => books.products.has(row.productId) && books.products.get(row.productId).productType !== 'service');
}

async function explorerSpace(state, books) {
  const [rows, world] = await Promise.all([
    productRows({ ...state, importer: null }, 4),
    rowsOf('PY', PY, { productLevel: 4, productClass: state.productClass, ...years(state) }).catch(() => []),
  ]);
  const goods = goodsOnly(rows, books);
  const size = new Map(world.map((row) => [row.productId, row.exportValue]));
  const nodes = goods
    .map((row) => [row, books.products.get(row.productId)])
    .filter(([, product]) => !absent(product.productSpaceX) && !absent(product.productSpaceY))
    .map(([row, product]) => ({
      id: row.productId,
      px: product.productSpaceX,
      py: product.productSpaceY,
      size: size.get(row.productId) || 0,
      on: row.exportRca >= 1,
      colour: SECTOR_COLOURS[sectorOfRow(product)],
      tooltip: {
        title: product.nameShortEn,
        code: `${product.code} ${state.productClass}`,
        rows: [
          [wording('tooltip.export-value'), format.money(row.exportValue)],
          [wording('tooltip.rca'), absent(row.exportRca) ? 'N/A' : format.rca(row.exportRca)],
        ],
      },
    }));
  const total = goods.reduce((sum, row) => sum + (row.exportValue || 0), 0);
  if (!nodes.length) return { total: '', body: [skin.note(wording('explore.nothing'))] };
  const made = network(nodes, nearestPairs(nodes, 3), explorerWidth(), EXPLORER_HEIGHT);
  return {
    total: skin.total(textFor('drawn-otherwise', 'total') || format.compact(total)),
    body: [
      skin.controls([
        skin.button('+', made.zoomIn),
        skin.button('-', made.zoomOut),
        skin.button(wording('control.zoom-reset'), made.reset),
        skin.button(wording('explore.learn'), () => {
          const node = tutorial(() => node.remove());
          document.body.append(node);
        }),
      ]),
      made.root,
    ],
  };
}

/** Links to the nearest neighbours. No response contains the strengths themselves. */
function nearestPairs(nodes, count) {
  const pairs = [];
  for (const node of nodes) {
    const near = nodes
      .filter((other) => other !== node)
      .map((other) => [Math.hypot(other.px - node.px, other.py - node.py), other.id])
      .sort((one, other) => one[0] - other[0])
      .slice(0, count);
    pairs.push(...near.map(([, id]) => [node.id, id]));
  }
  return pairs;
}

async function opportunityRows(state, books) {
  const where = { productClass: state.productClass, ...years(state) };
  const [rows, world, own, thresholds] = await Promise.all([
    productRows({ ...state, importer: null }, 4),
    rowsOf('PY', PY, { ...where, productLevel: 4 }),
    rowsOf('CY', CY, { ...where, countryId: state.exporter.id }).catch(() => []),
    rowsOf('CYT', THRESHOLDS, { ...where, countryId: state.exporter.id }).catch(() => []),
  ]);
  const worldById = new Map(world.map((row) => [row.productId, row]));
  const complete = goodsOnly(rows, books)
    .filter(
      (row) =>
        !absent(row.exportRca) &&
        !absent(row.distance) &&
        worldById.has(row.productId) &&
        !absent(worldById.get(row.productId).pci),
    )
    .map((row) => ({ ...row, product: books.products.get(row.productId), world: worldById.get(row.productId) }));
  return { rows: complete, eci: own[0] ? own[0].eci : null, thresholds };
}

async function explorerFeasibility(state, books) {
  const { rows, eci } = await opportunityRows(state, books);
  if (!rows.length) return { total: '', body: [skin.note(wording('explore.nothing'))] };
  const total = rows.filter((row) => row.exportRca < 1).reduce((sum, row) => sum + (row.exportValue || 0), 0);
  const marks = rows.map((row) => ({
    vx: row.distance,
    vy: row.world.pci,
    size: row.world.exportValue || 0,
    colour: SECTOR_COLOURS[sectorOfRow(row.product)],
    opacity: row.exportRca < 1 ? 0.65 : 0.95,
    name: row.product.nameShortEn,
    tooltip: {
      title: row.product.nameShortEn,
      code: `${row.product.code} ${state.productClass}`,
      rows: [
        [wording('tooltip.distance'), format.distance(row.distance)],
        [wording('tooltip.pci'), format.pciFixed(row.world.pci)],
        [wording('tooltip.gain'), format.rca(row.cog)],
        [wording('tooltip.world-trade'), format.money(row.world.exportValue)],
      ],
    },
  }));
  const chart = bubbleChart(
    marks.filter((mark) => mark.opacity < 0.9),
    explorerWidth(),
    EXPLORER_HEIGHT,
    {
      xEnds: [wording('chart.nearby-explore'), wording('chart.far-explore')],
      xTitle: wording('chart.distance'),
      yTitle: wording('chart.complexity'),
      xTick: (v) => v.toFixed(2),
      yTick: (v) => v.toFixed(1),
      radius: [3, 24],
      line: absent(eci) ? null : { axis: 'y', at: eci, text: wording('chart.eci-class', { class: state.productClass, eci: format.eci(eci) }) },
      click: (mark, event) => pinTooltip(mark.tooltip, event.clientX, event.clientY),
    },
  );
  return {
    total: skin.total(textFor('drawn-otherwise', 'total') || format.compact(total)),
    body: [
      chart,
      skin.legendTitled(
        wording('explore.sectors'),
        Object.entries(SECTOR_COLOURS).map(([name, colour]) => ({ name, colour })),
      ),
    ],
  };
}

/** The rating from 0.5 to 5 by decile. The limits come from the thresholds if there are any, else from the rows. */
function deciles(rows, thresholds, field, cue, nearerIsSmaller) {
  const known = thresholds.find((row) => cue.test(row.variable || ''));
  const sorted = rows.map((row) => row[field]).sort((one, other) => one - other);
  const limits =
    known && !absent(known.percentile10)
      ? [10, 20, 30, 40, 50, 60, 70, 80, 90].map((part) => known[`percentile${part}`])
      : [1, 2, 3, 4, 5, 6, 7, 8, 9].map((part) => sorted[Math.floor((sorted.length * part) / 10)]);
  return (value) => {
    const above = limits.filter((limit) => value >= limit).length;
    return (nearerIsSmaller ? 10 - above : above + 1) / 2;
  };
}

async function explorerFeasibilityTable(state, books) {
  const { rows: all, thresholds } = await opportunityRows(state, books);
  const near = deciles(all, thresholds, 'normalizedDistance', /^normalized_?distance$/i);
  const gain = deciles(all, thresholds, 'normalizedCog', /^normalized_?cog$/i);
  const complex = deciles(all, thresholds, 'normalizedPci', /^normalized_?pci$/i);
  const rows = all
    .filter((row) => row.exportRca < 1)
    .map((row) => ({
      ...row,
      score: 0.5 * row.normalizedDistance + 0.15 * row.normalizedPci + 0.35 * row.normalizedCog,
    }));
  const total = rows.reduce((sum, row) => sum + (row.exportValue || 0), 0);
  const columns = [
    [wording('column.product-name'), (row) => row.product.nameEn],
    [wording('column.distance'), (row) => row.normalizedDistance],
    [wording('column.gain'), (row) => row.normalizedCog],
    [wording('column.complexity'), (row) => row.normalizedPci],
    [wording('column.size-explore'), (row) => row.world.exportValue || 0],
    [wording('column.growth-explore'), (row) => row.world.exportValueConstGrowth5 || 0],
  ];
  const view = (row) => {
    const change = row.world.exportValueConstGrowth5;
    return {
      name: row.product.nameEn,
      code: `${row.product.code} ${SKIN === 'mui' ? state.productClass : state.productClass.replace(/\d+$/, '')}`,
      colour: SECTOR_COLOURS[sectorOfRow(row.product)],
      href: addressWith(state, { product: row.productId, view: 'markets', importer: null, productLevel: null }, 'treemap'),
      ratings: [near(row.normalizedDistance), gain(row.normalizedCog), complex(row.normalizedPci)],
      size: format.money(row.world.exportValue),
      growth: { text: format.growth(change), arrow: absent(change) ? null : change < 0 ? 'down' : 'up' },
    };
  };
  const host = h('div', { class: c('ChartHost') });
  let sorted = { by: null, down: true };
  const draw = () => {
    const key = sorted.by === null ? (row) => row.score : columns[sorted.by][1];
    const compare = (one, other) =>
      key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : one.product.code.localeCompare(other.product.code);
    const ordered = [...rows].sort((one, other) => (sorted.down ? -compare(one, other) : compare(one, other)));
    host.replaceChildren(
      skin.productTable(
        columns.map(([label]) => label),
        ordered.map(view),
      ),
    );
    const places = inColumns(columns.map((_, index) => index));
    [...host.querySelectorAll('th')].forEach((head, place) => {
      const index = places[place];
      if (sorted.by === index) head.append(sorted.down ? ' ▼' : ' ▲');
      head.style.cursor = 'pointer';
      head.addEventListener('click', () => {
        sorted = { by: index, down: sorted.by === index ? !sorted.down : true };
        draw();
      });
    });
  };
  draw();
  return { total: skin.total(textFor('drawn-otherwise', 'total') || format.compact(total)), body: [host] };
}
