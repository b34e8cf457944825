// Cards that travel from where they were to where they are, by the View Transitions API.

import { still } from './settings.js';

const MOST = 8; // cards at once
const LONGEST = 700; // milliseconds; then it is over, whatever the browser does

/** @type {any} */
let running = null;
document.addEventListener('pointerdown', () => running?.skipTransition(), true); // a tap skips it

/**
 * Changes the page, and lets cards travel if there is somebody to see it.
 * @param {HTMLElement} root
 * @param {import('../types').Flight[]} flights
 * @param {() => void} change
 */
export async function travel(root, flights, change) {
  if (!flights.length || still() || document.hidden || !('startViewTransition' in document)) {
    change();
    return;
  }
  const some = flights.slice(0, MOST);
  /** @type {Element[]} */
  let flyers = [];
  const land = () => {
    for (const flyer of flyers) flyer.remove();
    flyers = [];
  };
  const used = new Set();
  const names = some.map(({ from }, n) => (mark(root, from, `fly-${n}`, used, flyers) ? n : -1));
  const transition = document.startViewTransition(() => {
    land();
    unname(root);
    change();
    const there = new Set();
    some.forEach(({ to }, n) => names[n] !== -1 && mark(root, to, `fly-${n}`, there, flyers));
  });
  running = transition;
  transition.ready.catch(() => {}); // a tap may come before it has begun
  const late = setTimeout(() => transition.skipTransition(), LONGEST);
  try {
    await transition.finished;
  } catch {
    // it was skipped
  } finally {
    clearTimeout(late);
    running = null;
    land();
    unname(root);
  }
}

/**
 * Time to look; a tap or a key ends it.
 * @param {number} ms
 * @returns {Promise<void>}
 */
export function moment(ms) {
  return new Promise((resolve) => {
    const enough = () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', enough, true);
      document.removeEventListener('keydown', enough, true);
      resolve();
    };
    const timer = setTimeout(enough, document.hidden ? 0 : ms);
    document.addEventListener('pointerdown', enough, true);
    document.addEventListener('keydown', enough, true);
  });
}

/** A name may be on one element only. @param {HTMLElement} root */
function unname(root) {
  for (const named of root.querySelectorAll('.flies')) {
    named.classList.remove('flies');
    /** @type {HTMLElement} */ (named).style.removeProperty('view-transition-name');
  }
}

/**
 * Names the element at a place. A name belongs to one element only, so that where several cards come
 * from the same place, or go there, a copy of it travels.
 * @param {HTMLElement} root
 * @param {string} place
 * @param {string} name
 * @param {Set<Element>} used
 * @param {Element[]} flyers
 */
function mark(root, place, name, used, flyers) {
  const all = [...root.querySelectorAll(`[data-place="${CSS.escape(place)}"]`)];
  const found = all.find((one) => !used.has(one)) ?? all.at(-1);
  if (!found) return false;
  const box = found.getBoundingClientRect();
  if (found instanceof HTMLElement && !used.has(found) && box.width > 0) {
    used.add(found);
    found.classList.add('flies');
    found.style.setProperty('view-transition-name', name);
    return true;
  }
  const copy = document.createElement('div'); // parts of drawings cannot be named themselves
  copy.className = 'flyer';
  const picture = found instanceof SVGElement ? svgCopy(found) : /** @type {Element} */ (found.cloneNode(true));
  for (const one of [picture, ...picture.querySelectorAll('*')]) {
    one.removeAttribute('data-place');
    one.classList.remove('flies');
    /** @type {HTMLElement} */ (one).style.removeProperty('view-transition-name');
  }
  copy.append(picture);
  for (const [property, value] of Object.entries({
    left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px`,
    'view-transition-name': name,
  })) copy.style.setProperty(property, value);
  root.append(copy);
  flyers.push(copy);
  used.add(found);
  return true;
}

/**
 * A part of a drawing as a drawing of its own.
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
  svg.append(copy);
  return svg;
}
