// Building the page: elements from plain calls, so that no text is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element. Props: class, dataset, style (an object), on: {event: fn}; anything else is an attribute.
    Children may be nodes, texts, numbers, lists of these; null and false are left out.
    @template {keyof HTMLElementTagNameMap} T
    @param {T} tag
    @param {Props | null} [props]
    @param {Child[]} children
    @returns {HTMLElementTagNameMap[T]} */
export function h(tag, props, ...children) {
  return build(document.createElement(tag), props, children);
}

/** The same for a part of an SVG drawing.
    @template {keyof SVGElementTagNameMap} T
    @param {T} tag
    @param {Props | null} [props]
    @param {Child[]} children
    @returns {SVGElementTagNameMap[T]} */
export function svg(tag, props, ...children) {
  return build(document.createElementNS(SVG, tag), props, children);
}

function build(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "dataset") {
      Object.assign(node.dataset, value);
    } else if (name === "style") {
      for (const [key, entry] of Object.entries(value)) node.style.setProperty(key, entry);
    } else if (name === "class") {
      node.setAttribute("class", value);
    } else if (name === "value" || name === "checked" || name === "indeterminate") {
      node[name] = value;
    } else {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  put(node, children);
  return node;
}

function put(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === true) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/** Take everything out of a node, and put these in. */
export function clear(node, ...children) {
  node.replaceChildren();
  put(node, children);
  return node;
}

/** Fill a node anew only if its facts changed: nothing may vanish under a finger, or take the keyboard from whoever
    types, because something else happened at the table. */
export function once(node, facts, draw) {
  const key = JSON.stringify([document.documentElement.lang, facts]);
  if (node.dataset.drawn === key) return;
  node.dataset.drawn = key;
  clear(node, draw());
}

/** A button that cannot be tapped twice while its first tap is still at work. Kinds: primary, quiet, danger, big.
    @param {Child} label
    @param {(event: MouseEvent) => unknown} tap
    @param {Props & {kind?: string}} [props] */
export function button(label, tap, { kind = "", ...props } = {}) {
  const node = h("button", { type: "button", class: `button ${kind}`, ...props }, label);
  node.addEventListener("click", async (event) => {
    if (node.getAttribute("aria-busy") === "true" || node.getAttribute("aria-disabled") === "true") return;
    node.setAttribute("aria-busy", "true");
    try {
      await tap(event);
    } finally {
      node.removeAttribute("aria-busy");
    }
  });
  return node;
}

/** Whether people asked for less movement. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
