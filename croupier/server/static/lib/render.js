// Keyed DOM renderer: `h` describes an element, `render` updates the page to match.
// Elements are reused by key, so focus and animations survive. Strings are text, never HTML.

const SVG_TAGS = new Set([
  "svg",
  "g",
  "path",
  "circle",
  "ellipse",
  "rect",
  "text",
  "line",
  "polygon",
]);
const DOM_PROPERTIES = new Set(["value", "checked", "disabled", "open", "selected"]);

// Special props: `key` identifies an element among its siblings, `vars` sets CSS variables, and
// `selfRendered` leaves the children to a custom element.
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flatten(children) };
}

export function render(parent, ...nodes) {
  const described = withKeys(flatten(nodes));
  const existing = new Map();
  for (const child of [...parent.childNodes]) {
    if (described.has(child.croupierKey) && !existing.has(child.croupierKey))
      existing.set(child.croupierKey, child);
    else child.remove(); // whatever this description does not place
  }
  let next = parent.firstChild;
  for (const [key, node] of described) {
    const element = existing.get(key) ?? create(node, key);
    if (element === next) next = next.nextSibling;
    else parent.insertBefore(element, next);
    update(element, node);
  }
}

// Siblings by key. Equal keys are a mistake of the page: they are reported and numbered, so that
// every element is still found again by the next drawing.
function withKeys(nodes) {
  const described = new Map();
  nodes.forEach((node, index) => {
    let key = keyOf(node, index);
    if (described.has(key)) console.error(`two elements have the key "${key}"`);
    while (described.has(key)) key += "+";
    described.set(key, node);
  });
  return described;
}

function flatten(nodes) {
  return nodes
    .flat(Infinity)
    .filter((node) => node !== null && node !== undefined && node !== false);
}

function keyOf(node, index) {
  if (typeof node !== "object") return `text ${index}`;
  const { key } = node.props;
  return key === undefined ? `${node.tag} #${index}` : `${node.tag} ${key}`;
}

function create(node, key) {
  let element;
  if (typeof node !== "object") element = document.createTextNode("");
  else if (SVG_TAGS.has(node.tag))
    element = document.createElementNS("http://www.w3.org/2000/svg", node.tag);
  else element = document.createElement(node.tag);
  element.croupierKey = key;
  return element;
}

function update(element, node) {
  if (typeof node !== "object") {
    if (element.data !== String(node)) element.data = String(node);
    return;
  }
  const before = element.croupierProps ?? {};
  for (const name of Object.keys(before)) if (!(name in node.props)) setProp(element, name, null);
  for (const [name, value] of Object.entries(node.props)) {
    if (before[name] !== value || typeof value === "object") setProp(element, name, value);
  }
  element.croupierProps = node.props;
  if (!node.props.selfRendered) render(element, ...node.children);
}

function setProp(element, name, value) {
  if (name === "key" || name === "selfRendered") return;
  if (name === "vars") {
    for (const [variable, text] of Object.entries(value ?? {}))
      element.style.setProperty(variable, text);
  } else if (name.startsWith("on")) {
    element[name] = value;
  } else if (DOM_PROPERTIES.has(name) && !(name === "value" && element.tagName === "OPTION")) {
    if (element[name] !== value) element[name] = value ?? false;
  } else if (value === null || value === false || value === undefined) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}
