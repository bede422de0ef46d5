// The product space: a network of products on a zoomable canvas.

/**
 * Draws the network. `nodes` are `{ px, py, size, colour, on, tooltip, id }` with positions in any unit, `edges` pairs of ids.
 * Returns the element and the zoom commands.
 */
function network(nodes, edges, width, height) {
  const pad = 26;
  const [x0, x1] = extent(
    nodes.map((node) => node.px),
    0,
  );
  const [y0, y1] = extent(
    nodes.map((node) => node.py),
    0,
  );
  const factor = Math.min((width - 2 * pad) / (x1 - x0 || 1), (height - 2 * pad) / (y1 - y0 || 1));
  const offsetX = (width - (x1 - x0) * factor) / 2;
  const offsetY = (height - (y1 - y0) * factor) / 2;
  const biggest = Math.max(...nodes.map((node) => node.size || 0), 1e-9);
  const byId = new Map();
  let zoom = 1;
  const place = () => {
    for (const node of nodes) {
      node.x = width / 2 + (offsetX + (node.px - x0) * factor - width / 2) * zoom;
      node.y = height / 2 + (offsetY + (node.py - y0) * factor - height / 2) * zoom;
      node.r = Math.max(2.4, Math.sqrt((node.size || 0) / biggest) * 13) * Math.sqrt(zoom);
      byId.set(node.id, node);
    }
  };
  const paint = (context) => {
    context.lineWidth = 0.6;
    context.strokeStyle = '#d5dae3';
    context.beginPath();
    for (const [from, to] of edges) {
      const [one, other] = [byId.get(from), byId.get(to)];
      if (!one || !other) continue;
      context.moveTo(one.x, one.y);
      context.lineTo(other.x, other.y);
    }
    context.stroke();
    for (const node of nodes) if (!node.on) disc(context, node.x, node.y, node.r, '#d3d7de', '#bcc2cc');
    context.lineWidth = 0.8;
    for (const node of nodes) if (node.on) disc(context, node.x, node.y, node.r, node.colour, '#ffffff');
  };
  place();
  const drawn = surface(width, height, paint);
  const again = (next) => () => {
    zoom = next(zoom);
    place();
    drawn.repaint(paint);
  };
  listen(
    drawn.root,
    (px, py) => nearestDisc(nodes, px, py),
    (node) => node.tooltip,
  );
  return {
    root: drawn.root,
    zoomIn: again((z) => Math.min(8, z * 1.4)),
    zoomOut: again((z) => Math.max(0.6, z / 1.4)),
    reset: again(() => 1),
  };
}

/** The edges in a product space response, each pair once. */
function edgesOf(rows) {
  const seen = new Set();
  const edges = [];
  for (const row of rows) {
    for (const connection of row.connections || []) {
      const pair = [row.product.id, connection.productId].sort();
      const key = pair.join(' ');
      if (!seen.has(key)) {
        seen.add(key);
        edges.push(pair);
      }
    }
  }
  return edges;
}
