// A page is drawn from plain values: `h` describes an element, `render` makes the page agree.
// Elements are kept by their key, so that focus and motion survive. Text is only ever text.

const SVG = new Set(["svg", "g", "path", "circle", "ellipse", "rect", "text", "line", "polygon"]);

export function h(tag, props, ...children) {
  const kept = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return { tag, props: props ?? {}, children: kept };
}

export function render(parent, ...nodes) {
  const wanted = nodes.flat(Infinity).filter((node) => node !== null && node !== undefined && node !== false);
  const known = new Map();
  for (const child of parent.childNodes) known.set(child.croupierKey ?? child, child);
  let place = parent.firstChild;
  wanted.forEach((node, index) => {
    const key = keyOf(node, index);
    const found = known.get(key) ?? made(node, key);
    known.delete(key);
    if (found === place) place = place.nextSibling;
    else parent.insertBefore(found, place);
    fill(found, node);
  });
  for (const left of known.values()) left.remove();
}

function keyOf(node, index) {
  if (typeof node !== "object") return `text ${index}`;
  return `${node.tag} ${node.props.key ?? index}`;
}

function made(node, key) {
  let found;
  if (typeof node !== "object") found = document.createTextNode("");
  else if (SVG.has(node.tag)) found = document.createElementNS("http://www.w3.org/2000/svg", node.tag);
  else found = document.createElement(node.tag);
  found.croupierKey = key;
  return found;
}

function fill(element, node) {
  if (typeof node !== "object") {
    if (element.data !== String(node)) element.data = String(node);
    return;
  }
  const before = element.croupierProps ?? {};
  for (const name of Object.keys(before)) if (!(name in node.props)) set(element, name, null);
  for (const [name, value] of Object.entries(node.props)) {
    if (before[name] !== value || typeof value === "object") set(element, name, value);
  }
  element.croupierProps = node.props;
  if (!node.props.own) render(element, ...node.children);
}

function set(element, name, value) {
  if (name === "key" || name === "own") return;
  if (name === "vars") {
    for (const [variable, text] of Object.entries(value ?? {})) element.style.setProperty(variable, text);
  } else if (name.startsWith("on")) {
    element[name] = value;
  } else if (name === "value" || name === "checked" || name === "disabled" || name === "open" || name === "selected") {
    if (element[name] !== value) element[name] = value ?? false;
  } else if (value === null || value === false || value === undefined) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}
