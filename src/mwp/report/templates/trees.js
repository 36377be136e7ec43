// Solutions in prefix: read, written as infix, drawn as trees.
const OPERATORS = { "+": "+", "-": "−", "*": "×", "/": "÷", "^": "^" };
const BINDING = { "+": 1, "-": 1, "*": 2, "/": 2, "^": 3 };

const readPrefix = (solution) => {
  const tokens = solution.split(" ");
  let position = 0;
  const next = () => {
    const token = tokens[position++];
    return token in OPERATORS ? { token, left: next(), right: next() } : { token };
  };
  return next();
};

const infix = (node, label) => {
  if (!node.left) return label(node.token);
  const own = BINDING[node.token];
  const side = (child, isRight) => {
    const text = infix(child, label);
    const below = child.left && BINDING[child.token];
    const loose = below && (below < own || (below === own && (isRight ? "-/".includes(node.token) : node.token === "^")));
    return loose ? `(${text})` : text;
  };
  return `${side(node.left, false)} ${OPERATORS[node.token]} ${side(node.right, true)}`;
};

const inSvg = (name, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
};

// Leaves stand side by side in the order of the formula, an operator above the middle of its operands.
const ROW = 50, GAP = 10, EDGE = 3;
const placeNodes = (node, spelling, depth, state) => {
  node.y = depth * ROW + 18;
  state.depth = Math.max(state.depth, depth);
  if (node.left) {
    placeNodes(node.left, spelling, depth + 1, state);
    placeNodes(node.right, spelling, depth + 1, state);
    node.x = (node.left.x + node.right.x) / 2;
  } else {
    node.under = spelling(node.token);
    node.width = Math.max(34, 7.5 * Math.max(node.token.length, node.under.length) + 12);
    node.x = state.right + node.width / 2;
    state.right += node.width + GAP;
  }
};

const drawTree = (solution, spelling) => {
  const tree = readPrefix(solution);
  const state = { right: EDGE, depth: 0 };
  placeNodes(tree, spelling, 0, state);
  const width = Math.max(state.right - GAP + EDGE, 40), height = state.depth * ROW + 44;
  const svg = inSvg("svg", {
    class: "tree", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `Tree of ${infix(tree, (token) => token)}`,
  });
  const edges = inSvg("g", { class: "edges" }), nodes = inSvg("g", {});
  const draw = (node) => {
    if (!node.left) return nodes.append(drawLeaf(node));
    for (const child of [node.left, node.right]) {
      edges.append(inSvg("line", { x1: node.x, y1: node.y, x2: child.x, y2: child.y }));
      draw(child);
    }
    const group = inSvg("g", { class: "operator" });
    group.append(
      inSvg("circle", { cx: node.x, cy: node.y, r: 15 }),
      inSvg("text", { x: node.x, y: node.y + 5 }, OPERATORS[node.token]),
    );
    nodes.append(group);
  };
  draw(tree);
  svg.append(edges, nodes);
  return svg;
};

const drawLeaf = (node) => {
  const group = inSvg("g", { class: /^N\d+$/.test(node.token) ? "quantity" : "constant" });
  const height = node.under ? 38 : 28;
  group.append(
    inSvg("rect", { x: node.x - node.width / 2, y: node.y - 14, width: node.width, height, rx: 5 }),
    inSvg("text", { x: node.x, y: node.y + 5 }, node.token),
  );
  if (node.under) group.append(inSvg("text", { class: "under", x: node.x, y: node.y + 19 }, node.under));
  return group;
};
