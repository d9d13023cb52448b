// What is wrong with a page as it is drawn now: text smaller than so many pixels, cut off, covered or on top of other text; targets that
// are too small for a finger or too near each other; a page that is wider than its screen. Returns sentences.
(smallest) => {
  const THUMB = 44;
  const CAPITALS = 0.7; // of the size of a font: what is inked of a line
  const found = [];
  const name = (node) => `“${node.textContent.trim().slice(0, 30)}” in ${[...(node.closest?.("[class]") ?? node.parentElement.closest("[class]")).classList].join(".")}`;
  const round = (number) => Math.round(number * 10) / 10;

  const texts = textsOf(document.querySelector("dialog[open]") ?? document.querySelector("#page"));
  for (const one of texts) {
    if (one.size < smallest * 0.98) found.push(`${round(one.size)} px: ${one.says}`);
    const clip = cutBy(one);
    if (clip) found.push(`cut off by ${clip}: ${one.says}`);
    const above = coverOf(one);
    if (above) found.push(`covered by ${above}: ${one.says}`);
    if (one.squeezed < 0.65) found.push(`squeezed to ${round(one.squeezed * 100)} %: ${one.says}`);
  }
  for (const [a, b] of pairs(texts)) if (meet(a.box, b.box)) found.push(`on top of each other: ${a.says} and ${b.says}`);

  const targets = [...document.querySelectorAll(".panel .target, #page :is(button, a, summary, input)")]
    .filter((node) => node.checkVisibility() && node.getBoundingClientRect().width)
    .map((node) => ({ node, box: (node.querySelector(":scope > .reach") ?? node).getBoundingClientRect(), says: node.ariaLabel ?? name(node) }));
  for (const { box, says } of targets) if (box.width < THUMB - 0.5 || box.height < THUMB - 0.5) found.push(`a target of ${round(box.width)} x ${round(box.height)}: ${says}`);
  const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
  for (const [a, b] of pairs(targets)) {
    if (a.node.contains(b.node) || b.node.contains(a.node)) continue;
    const [[x1, y1], [x2, y2]] = [middle(a.box), middle(b.box)];
    const far = Math.hypot(x1 - x2, y1 - y2);
    if (far < THUMB - 0.5) found.push(`targets ${round(far)} px apart: ${a.says} and ${b.says}`);
  }

  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`${scrollWidth} px wide`);
  const drawn = document.querySelectorAll(".panel svg, .panel svg *").length;
  if (drawn >= 600) found.push(`${drawn} SVG elements in a panel`);
  return found;

  function textsOf(root) {
    const all = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      const parent = node.parentElement;
      if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true }) || parent.closest(".visually-hidden, option, title")) continue;
      const scale = parent.getScreenCTM?.()?.a ?? (parent.getBoundingClientRect().width / parent.offsetWidth || 1);
      const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
      for (const rect of rectsOf(node, parent)) {
        if (rect.width < 1) continue;
        const line = (rect.top + rect.bottom) / 2;
        const half = (size * CAPITALS) / 2;
        const box = { left: rect.left + 0.5, right: rect.right - 0.5, top: line - half, bottom: line + half };
        all.push({ node, parent, size, box, squeezed: squeezedTo(parent), says: name(node) });
      }
    }
    return all;
  }

  // A text that is drawn closer together is measured as it is drawn.
  function rectsOf(node, parent) {
    if (parent.getAttribute("textLength")) return [parent.getBoundingClientRect()];
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getClientRects();
  }

  function squeezedTo(text) {
    if (!text.getAttribute("textLength")) return 1;
    const wanted = text.textLength.baseVal.value;
    const bare = text.cloneNode(true);
    bare.removeAttribute("textLength");
    text.parentNode.append(bare);
    const natural = bare.getComputedTextLength();
    bare.remove();
    return wanted / natural;
  }

  function cutBy({ parent, box }) {
    if (box.left < -0.5 || box.right > innerWidth + 0.5) return "the screen";
    for (let node = parent; node && node !== document.body; node = node.parentElement) {
      const style = getComputedStyle(node);
      if (style.display === "inline") continue;
      const within = node.getBoundingClientRect();
      if (node instanceof SVGElement && !(node instanceof SVGSVGElement)) continue; // only whole drawings cut off
      const hides = (axis) => style[axis] !== "visible" || node.classList.contains("panel");
      const wide = hides("overflowX") && (box.left < within.left - 1 || box.right > within.right + 1);
      const high = hides("overflowY") && (box.top < within.top - 1 || box.bottom > within.bottom + 1);
      if (wide || high) return `.${node.classList[0]}`;
    }
    return null;
  }

  // Whatever is drawn over a text, at its middle or near its ends, and is no part of its piece.
  function coverOf({ parent, box }) {
    const ends = Math.min(3, (box.right - box.left) / 2);
    for (const x of [(box.left + box.right) / 2, box.left + ends, box.right - ends]) {
      const cover = coverAt(x, (box.top + box.bottom) / 2, parent);
      if (cover) return cover;
    }
    return null;
  }

  function coverAt(x, y, parent) {
    const top = document.elementFromPoint(x, y);
    if (!top || top === parent || top.contains(parent) || parent.contains(top)) return null;
    if (top.closest(".thumbs, .floating")) return null;
    const over = parent.compareDocumentPosition(top) & Node.DOCUMENT_POSITION_FOLLOWING;
    return over ? `${top.tagName}.${top.classList[0] ?? top.closest("[class]").classList[0]}` : null;
  }

  function meet(a, b) {
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  }

  function pairs(list) {
    return list.flatMap((one, i) => list.slice(i + 1).filter((other) => other.node !== one.node).map((other) => [one, other]));
  }
}
