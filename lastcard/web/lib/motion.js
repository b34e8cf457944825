// Cards that travel from where they were to where they are.
//
// The page changes first; then copies of the cards fly over it, and the cards themselves stay hidden until the copies
// land. So everything can be tapped at once, whatever is still in the air.

import { reducedMotion } from './settings.js';

const MOST = 28; // cards at once
const FLIGHT = 240; // milliseconds that a card is in the air
const STAGGER = 60; // milliseconds between two starts
const SPREAD = 340; // milliseconds from the first start to the last, however many cards there are
const NEAR = 3; // pixels: a shorter way is not worth a flight
const EASE = 'cubic-bezier(0.3, 0.1, 0.3, 1)';

/** @typedef {import('../types').Flight} Flight */
/** @typedef {{left: number, top: number, width: number, height: number}} Box */
/** @typedef {{box: Box, picture: Element | null}} Seen */

/** @type {Set<() => void>} */
const endings = new Set(); // each ends one animation
const skip = () => [...endings].forEach((end) => end());
document.addEventListener('pointerdown', skip, true); // a tap skips animations, and still counts
document.addEventListener('keydown', skip, true);

/**
 * Changes the page, with travelling cards if anybody is there to see them.
 * @param {HTMLElement} root
 * @param {Flight[]} flights
 * @param {() => void} change
 * @param {Map<string, Flyer>} [aloft] cards already in the air, by the place they left
 */
export async function travel(root, flights, change, aloft = new Map()) {
  if (!flights.length || reducedMotion() || document.hidden) {
    change();
    return;
  }
  const some = flights.slice(0, MOST), taken = new Set();
  const starts = some.map(({ from }) => {
    const flyer = aloft.get(from);
    aloft.delete(from); // it is one card: others come from the place itself
    return flyer?.seen() ?? look(root, from, taken);
  });
  const before = new Map(some.map(({ to }) => [to, isPile(to) ? look(root, to) : null]));
  change();
  const reached = new Set();
  const layer = layerOf(root), apart = Math.min(STAGGER, SPREAD / some.length);
  /** @type {Promise<void>[]} */
  const landed = [];
  some.forEach(({ from, to }, n) => {
    const start = starts[n], target = find(root, to, reached);
    if (!start || !target) return;
    const end = seen(target);
    if (distance(start.box, end.box) < NEAR) return;
    // A card that goes to or comes from a plate is face up at one end only: show that side.
    const picture = (to.startsWith('seat:') ? start.picture : end.picture) ?? start.picture;
    if (!picture) return;
    const hidden = to.startsWith('seat:') ? null : target;
    const under = before.get(to) ?? null;
    before.delete(to); // for the first card only
    landed.push(fly(layer, picture, start.box, end.box, n * apart, hidden, under));
  });
  await Promise.all(landed);
}

/** A place whose top card changes: the old one stays visible until the new one lands. @param {string} place */
const isPile = (place) => !place.startsWith('hand:') && !place.startsWith('seat:');

/**
 * @param {Element} layer
 * @param {Element} picture
 * @param {Box} from
 * @param {Box} to
 * @param {number} delay
 * @param {Element | null} hidden until the card lands
 * @param {Seen | null} under what is visible there meanwhile
 * @returns {Promise<void>}
 */
function fly(layer, picture, from, to, delay, hidden, under) {
  const below = under?.picture && overlay(layer, under.picture, under.box);
  const flyer = overlay(layer, picture, to);
  hidden?.classList.add('arriving');
  const animation = flyer.animate([{ transform: shift(to, from) }, { transform: 'none' }],
    { duration: FLIGHT, delay, easing: EASE, fill: 'backwards' });
  return done(animation, () => {
    flyer.remove();
    if (below) below.remove();
    hidden?.classList.remove('arriving');
  });
}

/**
 * Resolves when an animation is over, or a tap has skipped it.
 * @param {Animation} animation
 * @param {() => void} after
 * @returns {Promise<void>}
 */
function done(animation, after) {
  return new Promise((resolve) => {
    const end = () => {
      if (!endings.delete(end)) return;
      animation.cancel();
      after();
      resolve();
    };
    endings.add(end);
    animation.onfinish = animation.oncancel = end;
  });
}

/** A card that leaves at the tap, before the server has answered, and waits where it lands. */
export class Flyer {
  /**
   * @param {HTMLElement} root
   * @param {Element} card
   * @param {Element} target
   */
  constructor(root, card, target) {
    const { box, picture } = seen(card);
    this._start = box;
    this._box = within(box, seen(target).box);
    this._element = picture && overlay(layerOf(root), picture, this._box);
    this._element?.animate([{ transform: shift(this._box, box) }, { transform: 'none' }],
      { duration: reducedMotion() ? 0 : FLIGHT, easing: EASE, fill: 'backwards' });
  }

  /** What it looks like right now. @returns {Seen} */
  seen() {
    return { box: this._element?.getBoundingClientRect() ?? this._box, picture: this._element?.firstElementChild ?? null };
  }

  /** The real card has taken its place. */
  land() {
    this._element?.remove();
    this._element = null;
  }

  /** The move was refused. @returns {Promise<void>} */
  async goBack() {
    const element = this._element;
    this._element = null;
    if (!element) return;
    const animation = element.animate([{ transform: 'none' }, { transform: shift(this._box, this._start) }],
      { duration: reducedMotion() ? 0 : FLIGHT, easing: EASE, fill: 'forwards' });
    await done(animation, () => element.remove());
  }
}

/**
 * Moves an element on the spot.
 * @param {Element | null} element
 * @param {'shake' | 'pulse'} how
 */
export function stir(element, how) {
  if (!element || reducedMotion() || document.hidden) return;
  const frames = how === 'shake'
    ? [0, -7, 6, -5, 4, -2, 0].map((x) => ({ translate: `${x}px 0` }))
    : [{ scale: 1 }, { scale: 1.08 }, { scale: 1 }];
  element.animate(frames, { duration: how === 'shake' ? 420 : 260, easing: 'ease-in-out' });
}

/**
 * A pause to look; a tap or a key ends it.
 * @param {number} ms
 * @returns {Promise<void>}
 */
export function moment(ms) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      endings.delete(end);
      resolve();
    };
    const timer = setTimeout(end, document.hidden ? 0 : ms);
    endings.add(end);
  });
}

// --- Looking and placing ---------------------------------------------------------------------

/**
 * The element at a place; if there are several, one that is not taken yet.
 * @param {HTMLElement} root
 * @param {string} place
 * @param {Set<Element>} taken
 */
function find(root, place, taken) {
  const all = [...root.querySelectorAll(`[data-place="${CSS.escape(place)}"]`)];
  const found = all.find((one) => !taken.has(one)) ?? all.at(-1);
  if (found) taken.add(found);
  return found;
}

/**
 * @param {HTMLElement} root
 * @param {string} place
 * @param {Set<Element>} [taken]
 * @returns {Seen | null}
 */
function look(root, place, taken = new Set()) {
  const found = find(root, place, taken);
  return found ? seen(found) : null;
}

/** Where something is, and what it looks like. @param {Element} element @returns {Seen} */
function seen(element) {
  const drawings = element.matches('svg') ? [element] : element instanceof SVGElement ? [] : outermost(element);
  if (!drawings.length) {
    return { box: element.getBoundingClientRect(), picture: element instanceof SVGElement ? svgCopy(element) : null };
  }
  const boxes = drawings.map((one) => one.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left, height = Math.max(...boxes.map((box) => box.bottom)) - top;
  const picture = document.createElement('div');
  drawings.forEach((one, n) => {
    const copy = /** @type {SVGElement} */ (one.cloneNode(true));
    const box = /** @type {DOMRect} */ (boxes[n]);
    copy.classList.remove('small');
    copy.removeAttribute('data-place');
    setStyles(copy, { left: `${percent(box.left - left, width)}%`, top: `${percent(box.top - top, height)}%`,
      width: `${percent(box.width, width)}%`, height: `${percent(box.height, height)}%` });
    picture.append(copy);
  });
  return { box: { left, top, width, height }, picture };
}

/** Of a plate's row of backs, only the last: a single card comes or goes. @param {Element} element */
function outermost(element) {
  const all = [...element.querySelectorAll('svg')].filter((one) => one.getBoundingClientRect().width > 0);
  const outer = all.filter((one) => !one.parentElement?.closest('svg'));
  return element.getAttribute('data-place')?.startsWith('tile:') ? outer : outer.slice(-1);
}

/** @param {number} part @param {number} whole */
const percent = (part, whole) => (whole ? (100 * part) / whole : 0);

/**
 * @param {Element} layer
 * @param {Element} picture
 * @param {Box} box
 */
function overlay(layer, picture, box) {
  const flyer = document.createElement('div');
  flyer.className = 'flyer';
  flyer.append(picture.cloneNode(true));
  setStyles(flyer, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  layer.append(flyer);
  return flyer;
}

/** @param {HTMLElement | SVGElement} element @param {Record<string, string>} styles */
function setStyles(element, styles) {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value);
}

/** Where cards fly: above the table, below dialogs. @param {HTMLElement} root */
function layerOf(root) {
  const there = root.querySelector(':scope > .flights');
  if (there) return there;
  const layer = document.createElement('div');
  layer.className = 'flights';
  layer.setAttribute('aria-hidden', 'true');
  root.append(layer);
  return layer;
}

/** @param {Box} here @param {Box} there */
const shift = (here, there) =>
  `translate(${there.left - here.left}px, ${there.top - here.top}px) scale(${there.width / (here.width || 1)}, ${there.height / (here.height || 1)})`;

/** @param {Box} one @param {Box} other */
const distance = (one, other) =>
  Math.max(Math.abs(one.left - other.left), Math.abs(one.top - other.top), Math.abs(one.width - other.width));

/** A card's box centred in another, as large as fits. @param {Box} card @param {Box} box @returns {Box} */
function within(card, box) {
  const scale = Math.min(box.width / (card.width || 1), box.height / (card.height || 1)) || 1;
  const width = card.width * scale, height = card.height * scale;
  return { left: box.left + (box.width - width) / 2, top: box.top + (box.height - height) / 2, width, height };
}

/**
 * Part of a drawing, as a drawing of its own.
 * @param {SVGElement} part
 */
function svgCopy(part) {
  const box = /** @type {SVGGraphicsElement} */ (part).getBBox?.() ?? { x: 0, y: 0, width: 1, height: 1 };
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width || 1} ${box.height || 1}`);
  svg.setAttribute('width', '100%');
  svg.setAttribute('height', '100%');
  const copy = /** @type {Element} */ (part.cloneNode(true));
  copy.removeAttribute('transform');
  copy.removeAttribute('data-place');
  svg.append(copy);
  const picture = document.createElement('div');
  picture.append(svg);
  return picture;
}
