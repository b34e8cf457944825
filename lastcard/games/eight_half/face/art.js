// The cards: paint within a rim of paper, so that they can be told apart wherever they overlap.

import { copied, s } from '../../../web/lib/dom.js';
import { ON_PAINT, PAINT, sign } from '../../../web/lib/signs.js';
import { AMBER, figure, ghost, MOONLIGHT } from './emblem.js';

const PAPER = '#FFF8E7';
const EDGE = '#3A3226';
const JOKER = '#4A55A0';
const BACK = '#1B2650';
const SHROUD = '#F1F0FF';

/** @typedef {'y' | 'r' | 'j'} Kind yellow, red, joker */
/** @param {string} name @returns {Kind} */
export const kind = (name) => (name === '9' ? 'r' : '0hg'.includes(name) ? 'j' : 'y');

const FILL = { y: PAINT.y, r: '#C73B4F', j: JOKER };
const GLOW = { y: '#F6CB7E', r: '#B22F43', j: '#5C67B3' };
const FIGURE = { y: ON_PAINT.y, r: ON_PAINT.r, j: MOONLIGHT };

/** The figure of a card as it is written: a half is ½. @param {string} name */
export const written = (name) => (name === 'h' ? '½' : name);

/** @param {number} x @param {number} y @param {number} size */
const crescent = (x, y, size) =>
  s('path', { d: 'M2 -9A9 9 0 1 0 8 5 8 8 0 0 1 2 -9Z', fill: AMBER,
    transform: `translate(${x} ${y}) scale(${size / 18})` });

/** @param {string} name */
function index(name) {
  const colour = kind(name);
  return s('g', {},
    name === 'g' ? ghost('translate(8 9) scale(.27)', SHROUD, 1)
      : name === 'h' ? figure('½', 23, 23, 27, FIGURE.j)
        : figure(name, 19, 23, 29, FIGURE[colour], 19),
    '69'.includes(name) && s('rect', { x: 10, y: 39, width: 18, height: 3.5, rx: 1.7,
      fill: FIGURE[colour] }),
    colour === 'j' ? crescent(17, 48, 12) : sign(colour, 19, 51, 11, FIGURE[colour]));
}

/** @param {string} name */
function centre(name) {
  const colour = kind(name);
  if (name === 'g') {
    return [
      s('circle', { cx: 66, cy: 44, r: 21, fill: AMBER }),
      s('g', { fill: MOONLIGHT }, [[42, 22], [15, 84], [52, 124], [24, 112]].map(([cx, cy]) =>
        s('circle', { cx, cy, r: 1.8 }))),
      ghost('translate(20 35) scale(.74 .72)', SHROUD, 0.82),
    ];
  }
  return [
    s('circle', { cx: 50, cy: 70, r: 33, fill: GLOW[colour] }),
    figure(written(name), name === 'h' ? 49 : 50, 70, name === 'h' ? 54 : 64, FIGURE[colour]),
    name === '5' && s('path', { d: 'M40 114L50 122 60 114', fill: 'none', stroke: FIGURE[colour],
      'stroke-width': 5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }),
  ];
}

/**
 * @param {string} fill
 * @param {number} paper how much of the paper is seen: a ghost on the pot is transparent
 * @param {...(import('../../../web/lib/dom.js').Child | import('../../../web/lib/dom.js').Child[])} inside
 */
const sheet = (fill, paper, ...inside) =>
  s('svg', { viewBox: '0 0 100 140' },
    s('rect', { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, fill: PAPER,
      'fill-opacity': paper, stroke: EDGE, 'stroke-width': 1.5 }),
    s('rect', { x: 5, y: 5, width: 90, height: 130, rx: 5, fill, 'fill-opacity': paper }),
    ...inside);

export const card = copied((/** @type {string} */ name, /** @type {boolean} */ onPot = false) => {
  if (name === '?') return back();
  return sheet(FILL[kind(name)], onPot && name === 'g' ? 0.4 : 1,
    centre(name),
    index(name),
    s('g', { transform: 'rotate(180 50 70)' }, index(name)));
});

/** @param {number} x @param {number} y @param {number} size */
const tinyHalf = (x, y, size) => figure('½', x, y, size, '#6F7CC4', 17);

export const back = copied(() => {
  const rows = [22, 54, 86, 118];
  return sheet(BACK, 1,
    rows.flatMap((y, n) => (n % 2 ? [22, 78] : [50]).map((x) => tinyHalf(x, y, 20))),
    s('g', { fill: '#6F7CC4' }, rows.flatMap((y, n) =>
      (n % 2 ? [50] : [22, 78]).map((x) => s('circle', { cx: x, cy: y, r: 3 })))),
    s('circle', { cx: 50, cy: 70, r: 23, fill: BACK }),
    s('path', { d: 'M55 50A21 21 0 1 0 70 79 19 19 0 0 1 55 50Z', fill: AMBER }));
});

/** A card for a plate, 40 by 56, at (x, y): only its figure, large. "-" is an empty place.
 * @param {string} name @param {number} x @param {number} y */
export function mini(name, x, y) {
  const place = { transform: `translate(${x} ${y})` };
  if (name === '-')
    return s('g', place, s('rect', { class: 'gap', x: 2, y: 2, width: 36, height: 52, rx: 4 }));
  const colour = kind(name), known = name !== '?';
  return s('g', place,
    s('rect', { x: 0.5, y: 0.5, width: 39, height: 55, rx: 5, fill: PAPER, stroke: EDGE }),
    s('rect', { x: 3, y: 3, width: 34, height: 50, rx: 3, fill: known ? FILL[colour] : BACK }),
    !known ? s('g', {}, s('path', { d: 'M2 -9A9 9 0 1 0 8 5 8 8 0 0 1 2 -9Z', fill: AMBER,
      transform: 'translate(20 28)' }))
      : name === 'g' ? ghost('translate(5 9) scale(.375)', SHROUD, 1)
        : figure(written(name), 20, 28, name === 'h' ? 32 : 38, FIGURE[colour], 18),
    '69'.includes(name) && s('rect', { x: 11, y: 48, width: 18, height: 3, fill: FIGURE[colour] }));
}

const FLAME = 'M20 6C24 13 32 17 32 27A12 12 0 0 1 8 27C8 21 12 18 14 13 16 16 18 16 20 6Z';

/** Where burned cards will go, 40 by 56, at (x, y). @param {number} x @param {number} y */
export const hearth = (x, y) =>
  s('g', { transform: `translate(${x} ${y})` },
    s('rect', { class: 'gap', x: 2, y: 2, width: 36, height: 52, rx: 4 }),
    s('path', { class: 'gap-flame', d: FLAME }));

/** What has been burned: a scorched sheet with a flame, 40 by 56, at (x, y).
 * @param {number} x @param {number} y */
export const scorched = (x, y) =>
  s('g', { transform: `translate(${x} ${y})` },
    s('rect', { x: 0.5, y: 0.5, width: 39, height: 55, rx: 5, fill: '#5B4636', stroke: '#2A1E16' }),
    s('rect', { x: 3, y: 3, width: 34, height: 50, rx: 3, fill: '#3A2A20' }),
    s('path', { d: FLAME, fill: '#E4753B' }),
    s('path', { d: 'M20 20C22 24 26 25 26 30A6 6 0 0 1 14 30C14 26 18 25 20 20Z', fill: AMBER }));

/** A policeman's cap in a box of 40 by 40, at (x, y).
 * @param {number} x @param {number} y @param {number} [size] */
export const cap = (x, y, size = 40) =>
  s('g', { transform: `translate(${x} ${y}) scale(${size / 40})` },
    s('circle', { cx: 20, cy: 20, r: 19, fill: '#DCE6F7', stroke: '#24305E', 'stroke-width': 2 }),
    s('path', { d: 'M6 17C8 10 15 8 20 8S32 10 34 17L29 22H11Z', fill: '#2374AB' }),
    s('path', { d: 'M11 22H29V27H11Z', fill: '#24305E' }),
    s('path', { d: 'M9 27H31C29 32 25 33 20 33S11 32 9 27Z', fill: '#1A2347' }),
    sign('p', 20, 15, 9, AMBER));
