// Making elements and updating them, without a framework.

import { address } from './address.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Props attributes, handlers and styles, each of a type of its own
 * @typedef {Record<string, ((event: Event) => unknown) | null>} Handlers
 */

/**
 * An HTML element. Props that begin with "on" are handlers, `style` is an object of CSS properties, `class` a
 * string; true and false set or omit an attribute. A link's `href` is a path of the page.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(tag), props, children));
}

/**
 * An SVG element.
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
 * Caches a drawing: it is made once, then cloned. It must have no handlers.
 * @template {unknown[]} How
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

/** The cache would give away which cards somebody has seen. */
export const forgetDrawings = () => ORIGINALS.forEach((made) => made.clear());

/**
 * @param {Element} element
 * @param {Props} props
 * @param {(Child | Child[])[]} children
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on')) handlersOf(element)[name] = value && handler(value);
    else if (name === 'style') style(/** @type {HTMLElement} */ (element), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, name === 'href' && value.startsWith('/') ? address(value) : String(value));
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/** What `onclick` and the like are set to. @param {Element} element */
const handlersOf = (element) => /** @type {Handlers} */ (/** @type {unknown} */ (element));

/**
 * Drops the result: to a browser, false means "do not follow this link".
 * @param {(event: Event) => unknown} work
 */
const handler = (work) => (/** @type {Event} */ event) => {
  work(event);
};

/**
 * One by one: the content security policy forbids style attributes.
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
 * Makes `there` look like `wanted` with as few changes as possible, so that focus, scroll position and screen
 * readers are not disturbed. Children with a `data-key` are matched by it, others by position.
 * @param {Element} there
 * @param {Element} wanted
 */
export function morph(there, wanted) {
  if (there.isEqualNode(wanted)) {
    setHandlersWithin(there, wanted);
    return;
  }
  setAttributes(there, wanted);
  setHandlers(there, wanted);
  morphChildren(there, wanted);
}

/**
 * @param {Element} there
 * @param {Element} wanted
 */
function setAttributes(there, wanted) {
  for (const { name } of [...there.attributes])
    if (!wanted.hasAttribute(name) && name !== 'open') there.removeAttribute(name); // people open and close things themselves
  for (const { name, value } of [...wanted.attributes]) {
    if (name === 'style') continue; // forbidden as an attribute
    if (there.getAttribute(name) !== value) there.setAttribute(name, value);
  }
  const mine = /** @type {HTMLElement} */ (there).style, { cssText } = /** @type {HTMLElement} */ (wanted).style;
  if (mine.cssText !== cssText) mine.cssText = cssText; // only then: an empty attribute would differ from none
}

/**
 * @param {Element} there
 * @param {Element} wanted
 */
function morphChildren(there, wanted) {
  const keyed = new Map();
  for (const child of there.children) {
    const key = child.getAttribute('data-key');
    if (key !== null) keyed.set(key, child);
  }
  let place = there.firstChild;
  for (const child of [...wanted.childNodes]) {
    const old = counterpart(child, place, keyed);
    if (!old) {
      there.insertBefore(child, place);
      continue;
    }
    if (old === place) place = place?.nextSibling ?? null;
    else there.insertBefore(old, place);
    if (old instanceof Element) morph(old, /** @type {Element} */ (child));
    else if (old.nodeValue !== child.nodeValue) old.nodeValue = child.nodeValue;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/**
 * The old node that becomes a new child: the one with its key, or else the one at its position.
 * @param {Node} child
 * @param {Node | null} place
 * @param {Map<string, Element>} keyed
 */
function counterpart(child, place, keyed) {
  const key = child instanceof Element ? child.getAttribute('data-key') : null;
  const old = key === null ? place : (keyed.get(key) ?? null);
  if (key === null && old instanceof Element && old.hasAttribute('data-key')) return null;
  return old && old.nodeType === child.nodeType && old.nodeName === child.nodeName ? old : null;
}

/**
 * @param {Element} there
 * @param {Element} wanted
 */
function setHandlers(there, wanted) {
  const mine = handlersOf(there), theirs = handlersOf(wanted);
  for (const name of HANDLERS) if (mine[name] !== theirs[name]) mine[name] = theirs[name];
}

/**
 * Elements that look the same may have to do something else now.
 * @param {Element} there
 * @param {Element} wanted
 */
function setHandlersWithin(there, wanted) {
  setHandlers(there, wanted);
  if (COPIES.has(there)) return;
  for (let n = 0; n < there.children.length; n++) {
    const mine = there.children[n], theirs = wanted.children[n];
    if (mine && theirs) setHandlersWithin(mine, theirs);
  }
}
