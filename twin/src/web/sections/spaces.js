// Sections 7 and 8: the product space explained, and the country's own.

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
                ['Export Status', on ? 'Exported (RCA > 1)' : 'Not exported (RCA < 1)'],
                ['RCA', absent(row.rca) ? 'N/A' : format.rca(row.rca)],
              ]
            : [],
        },
      };
    });
}

const productSpace = {
  slug: 'product-space',
  nav: 'What is the Product Space?',
  title: () => 'What is the Product Space?',
  bar: () => [],
  height: 900,
  draw(data) {
    return [
      skin.narrative(
        Promise.resolve([
          ['Each dot is a product. Products that call for similar knowhow stand close together and are joined by a line.'],
          [
            'Countries move through this space by making products that are near to those they already make: the denser the ' +
              'surroundings of what is exported today, the easier the next step.',
          ],
        ]),
      ),
      area(data.space(), (rows) => network(spaceNodes(rows, false), edgesOf(rows), CHART_WIDTH, 520).root, 520),
      sectorLegend(),
    ];
  },
};

const SIZINGS = [
  ['World Trade', 'World Trade'],
  ['Country Trade', 'Country Trade'],
  ['None', 'None'],
];

const paths = {
  slug: 'paths',
  nav: 'Country’s Product Space',
  navFor: (place) => `${possessive(place.shortName)} Product Space`,
  title: (place) => `${possessive(place.shortName)} Product Space`,
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
        skin.dropdown('Sizing of Dots', SIZINGS, sizing, (next) => {
          sizing = next;
          redraw();
        }),
        skin.button('+ZOOM', press('zoomIn')),
        skin.button('-ZOOM', press('zoomOut')),
        skin.button('RESET ZOOM', press('reset')),
      ]),
      drawing,
      skin.howToRead('How to read', [
        ['#74c5c6', 'Colored nodes are products exported with RCA>1'],
        ['#d3d7de', 'Grey nodes are products not exported'],
      ]),
      sectorLegend(),
      skin.narrative(
        data
          .profile()
          .then((p) => [
            [
              `What ${spoken(p.location)} exports today marks where it stands in the space, and which products it can reach from there.`,
            ],
          ]),
      ),
    ];
  },
};
