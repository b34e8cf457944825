// Elements, made and brought up to date without a framework.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Props
 */

/**
 * An element of HTML. Props that begin with "on" are handlers, `style` is an object of CSS
 * properties, `class` a string; true and false set and leave out an attribute.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(tag), props, children));
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, props = {}, ...children) {
  return /** @type {SVGElement} */ (fill(document.createElementNS(SVG, tag), props, children));
}

const COPIES = new WeakSet();
/** @type {Map<string, SVGElement>[]} */
const ORIGINALS = [];

/**
 * A drawing that is wanted again and again is made once; then it is copied. Nothing in it is handled.
 * @template {any[]} How
 * @param {(...how: How) => SVGElement} draw
 * @returns {(...how: How) => SVGElement}
 */
export function copied(draw) {
  const made = new Map();
  ORIGINALS.push(made);
  return (...how) => {
    const key = how.join(' ');
    const first = made.get(key) ?? draw(...how);
    made.set(key, first);
    const copy = /** @type {SVGElement} */ (first.cloneNode(true));
    COPIES.add(copy);
    return copy;
  };
}

/** What has been drawn tells what somebody has seen. */
export const forgetDrawings = () => ORIGINALS.forEach((made) => made.clear());

/**
 * @param {Element} element
 * @param {Props} props
 * @param {(Child | Child[])[]} children
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on')) /** @type {any} */ (element)[name] = value && handler(value);
    else if (name === 'style') style(/** @type {any} */ (element), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/**
 * What it returns does not count: a browser takes false for "do not follow this link".
 * @param {(event: Event) => unknown} work
 */
const handler = (work) => (/** @type {Event} */ event) => {
  work(event);
};

/**
 * Styles are set one by one: the page's policy allows no style attributes in markup.
 * @param {HTMLElement | SVGElement} element
 * @param {Record<string, string | number>} values
 */
function style(element, values) {
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, String(value));
}

const HANDLERS = /** @type {const} */ ([
  'onclick', 'onpointerdown', 'oninput', 'onchange', 'onsubmit', 'onkeydown', 'onclose', 'ontoggle',
]);

/**
 * Makes `there` look like `wanted` with as few changes as possible, so that focus, scrolling and
 * what a screen reader is just reading stay where they are. Children with a `data-key` are matched
 * by it, others by their place.
 * @param {Element} there
 * @param {Element} wanted
 */
export function morph(there, wanted) {
  if (there.isEqualNode(wanted)) {
    copyHandlers(there, wanted);
    return;
  }
  for (const { name } of [...there.attributes])
    if (!wanted.hasAttribute(name) && name !== 'open') there.removeAttribute(name); // people open things
  for (const { name, value } of [...wanted.attributes]) {
    if (name === 'style') continue; // a policy would refuse it as an attribute
    if (there.getAttribute(name) !== value) there.setAttribute(name, value);
  }
  const mine = /** @type {HTMLElement} */ (there);
  const style = /** @type {HTMLElement} */ (wanted).style.cssText;
  if (mine.style.cssText !== style) mine.style.cssText = style; // an empty attribute would differ from none
  handlers(there, wanted);
  const keyed = new Map();
  for (const child of there.children) {
    const key = child.getAttribute('data-key');
    if (key !== null) keyed.set(key, child);
  }
  let place = there.firstChild;
  for (const child of [...wanted.childNodes]) {
    const key = child instanceof Element ? child.getAttribute('data-key') : null;
    let old = key === null ? place : (keyed.get(key) ?? null);
    if (key === null && old instanceof Element && old.hasAttribute('data-key')) old = null;
    if (old && sameKind(old, child)) {
      if (old === place) place = place?.nextSibling ?? null;
      else there.insertBefore(old, place);
      if (old instanceof Element) morph(old, /** @type {Element} */ (child));
      else if (old.nodeValue !== child.nodeValue) old.nodeValue = child.nodeValue;
    } else {
      there.insertBefore(child, place);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/**
 * @param {Node} one
 * @param {Node} other
 */
function sameKind(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}

/**
 * @param {Element} there
 * @param {Element} wanted
 */
function handlers(there, wanted) {
  for (const name of HANDLERS)
    if (/** @type {any} */ (there)[name] !== /** @type {any} */ (wanted)[name])
      /** @type {any} */ (there)[name] = /** @type {any} */ (wanted)[name];
}

/**
 * What looks the same may still do something else now.
 * @param {Element} there
 * @param {Element} wanted
 */
function copyHandlers(there, wanted) {
  handlers(there, wanted);
  if (COPIES.has(there)) return;
  for (let n = 0; n < there.children.length; n++) {
    const mine = there.children[n], theirs = wanted.children[n];
    if (mine && theirs) copyHandlers(mine, theirs);
  }
}
