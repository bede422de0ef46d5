// Sections 7 and 8: an explanation of the product space, and the country's product space.

function spaceNodes(rows, own) {
  return rows
    .filter((row) => !absent(row.x) && !absent(row.y) && row.product.productType !== 'Service')
    .map((row) => {
      const on = own && row.rca > 1;
      return {
        id: row.product.id,
        px: row.x,
        py: row.y,
        size: 1,
        row,
        on: own ? on : true,
        colour: colourOf(row.product),
        tooltip: {
          title: row.product.shortName,
          code: codeOf(row.product),
          colour: colourOf(row.product),
          rows: own
            ? [
                [wording('tooltip.status'), wording(on ? 'tooltip.status-on' : 'tooltip.status-off')],
                [wording('tooltip.rca'), absent(row.rca) ? 'N/A' : format.rca(row.rca)],
              ]
            : [],
        },
      };
    });
}

const productSpace = {
  slug: 'product-space',
  bar: () => [],
  height: 900,
  draw(data) {
    return [
      skin.narrative(
        Promise.resolve([paragraph('prose.space-dots'), paragraph('prose.space-moves')]),
      ),
      area(data.space(), (rows) => network(spaceNodes(rows, false), edgesOf(rows), CHART_WIDTH, 520).root, 520),
      sectorLegend(),
    ];
  },
};

const SIZINGS = choices(
  ['World Trade', 'choice.world-trade'],
  ['Country Trade', 'choice.country-trade'],
  ['None', 'choice.none'],
);

const paths = {
  slug: 'paths',
  bar: () => ['rca-count', 'coi-rank'],
  height: 1000,
  draw(data) {
    let sizing = 'World Trade';
    let redraw = () => {};
    const commands = {};
    const drawing = area(
      Promise.all([data.space(), data.products()]),
      ([rows, products]) => {
        const world = new Map(products.map((row) => [row.product.id, row.globalExportValue || 0]));
        const host = h('div', { class: c('ChartHost') });
        redraw = () => {
          const nodes = spaceNodes(rows, true);
          for (const node of nodes) {
            node.size =
              sizing === 'World Trade' ? world.get(node.id) || 0 : sizing === 'Country Trade' ? node.row.exportValue || 0 : 0;
          }
          const made = network(nodes, edgesOf(rows), CHART_WIDTH, 560);
          Object.assign(commands, made);
          host.replaceChildren(made.root);
        };
        redraw();
        return host;
      },
      560,
    );
    const press = (name) => () => {
      if (commands[name]) commands[name]();
    };
    return [
      skin.controls([
        skin.dropdown(wording('control.sizing-dots'), SIZINGS, sizing, (next) => {
          sizing = next;
          redraw();
        }),
        skin.button(wording('control.zoom-in'), press('zoomIn')),
        skin.button(wording('control.zoom-out'), press('zoomOut')),
        skin.button(wording('control.zoom-reset'), press('reset')),
      ]),
      drawing,
      skin.howToRead(wording('chart.read'), [
        ['#74c5c6', wording('chart.read-on')],
        ['#d3d7de', wording('chart.read-off')],
      ]),
      sectorLegend(),
      skin.narrative(data.profile().then((p) => [paragraph('prose.paths', named(p.location))])),
    ];
  },
};
