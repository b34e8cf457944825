// The cards of TAKI: a white stream runs down every card between two banks of its colour.

import { copied, s } from '../../../web/lib/dom.js';
import { INK, PAINT, sign } from '../../../web/lib/signs.js';

/** @typedef {import('../../../web/lib/dom.js').Child} Child */
/** @typedef {'r' | 'y' | 'g' | 'b'} Colour */

export const COLOURS = /** @type {Colour[]} */ (['r', 'y', 'g', 'b']);
const PAPER = '#FFFDF8';
const NIGHT = '#2B2A3D';
const EDGE = '#8D8A9E';
const FONT = 'system-ui, sans-serif';

const BANK = 'M37 4H90Q96 4 96 10V84C93 56 80 47 62 43C45 39 37 26 37 4Z';
const INNER_BANK = 'M60 4H90Q96 4 96 10V60C94 42 86 36 78 32C66 27 60 18 60 4Z';

/**
 * The colour of a card, or '' if it has none.
 * @param {string} name
 * @returns {Colour | ''}
 */
export function colourOf(name) {
  return name.length > 1 && name !== 'cc' && name !== 'cz' && name !== 'st'
    ? /** @type {Colour} */ (name[0])
    : '';
}

export const card = copied((/** @type {string} */ name) => {
  if (name === '?') return back();
  const colour = colourOf(name);
  const kind = colour ? name.slice(1) : name;
  const ink = colour ? INK[colour] : NIGHT;
  return sheet(
    PAPER,
    bank(colour ? [PAINT[colour]] : [PAINT.r, PAINT.y]),
    turned(bank(colour ? [PAINT[colour]] : [PAINT.b, PAINT.g])),
    figure(kind, 50, 70, ink, colour),
    index(kind, colour, ink),
    turned(index(kind, colour, ink)),
  );
});

export const back = copied(() => {
  const wave = 'C22 -16 34 20 58 4S86 -14 112 6';
  return sheet(
    PAPER,
    s('rect', { x: 5, y: 5, width: 90, height: 130, rx: 5, fill: NIGHT }),
    s('svg', { x: 5, y: 5, width: 90, height: 130, viewBox: '5 5 90 130' },
      COLOURS.map((colour, n) =>
        s('path', {
          d: `M-10 ${24 + 30 * n}${shifted(wave, 24 + 30 * n)}`, fill: 'none',
          stroke: PAINT[colour], 'stroke-width': 15, 'stroke-linecap': 'round',
        }))),
  );
});

/**
 * A path whose ordinates are moved down: they are the second of each pair of numbers.
 * @param {string} path
 * @param {number} dy
 */
function shifted(path, dy) {
  return path.replace(/(-?\d+) (-?\d+)/g, (_, x, y) => `${x} ${Number(y) + dy}`);
}

/**
 * @param {string} fill
 * @param {...(Child | Child[])} children
 */
function sheet(fill, ...children) {
  return s('svg', { viewBox: '0 0 100 140', class: 'taki-face', 'aria-hidden': 'true' },
    s('rect', {
      x: 0.8, y: 0.8, width: 98.4, height: 138.4, rx: 8, fill, stroke: EDGE, 'stroke-width': 1.6,
    }),
    ...children);
}

/** @param {string[]} paints */
function bank(paints) {
  return s('g', {}, paints.map((fill, n) => s('path', { d: n ? INNER_BANK : BANK, fill })));
}

/** @param {SVGElement} element */
function turned(element) {
  return s('g', { transform: 'rotate(180 50 70)' }, element);
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y the middle of the letters
 * @param {number} size
 * @param {string} fill
 * @param {import('../../../web/lib/dom.js').Props} [more]
 */
export function letters(text, x, y, size, fill, more = {}) {
  return s('text', {
    x, y: y + 0.36 * size, 'text-anchor': 'middle', 'font-family': FONT, 'font-size': size,
    'font-weight': 800, fill, direction: 'ltr', ...more,
  }, text);
}

/**
 * What stands in a corner.
 * @param {string} kind
 * @param {Colour | ''} colour
 * @param {string} ink
 */
function index(kind, colour, ink) {
  return s('g', {}, mark(kind, ink), colour && sign(colour, 16, 45.5, 14));
}

/**
 * @param {string} kind
 * @param {string} ink
 */
function mark(kind, ink) {
  switch (kind) {
    case 's': case 'r': case '+': return scaled(drawn(kind, ink), 18.5, 20, 0.43);
    case 't': return letters('T', 18, 21, 31, ink);
    case 'st': return letters('ST', 19.5, 21, 22, ink, fitted(28));
    case 'cc': return wheel(19.5, 20, 13);
    case 'cz': return scaled(whirl(ink), 19.5, 20, 0.4);
    case '2+': return letters('+2', 20, 21, 28, ink, fitted(30));
    default: return s('g', {}, letters(kind, 18, 20, 33, ink), foot(kind, 18, 33.5, 15, ink));
  }
}

/**
 * The large figure.
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 * @param {string} ink
 * @param {Colour | ''} colour
 */
function figure(kind, x, y, ink, colour) {
  switch (kind) {
    case 's': case 'r': case '+': return scaled(drawn(kind, ink), x, y, 1);
    case 't': return taki(x, y, ink, [PAINT[/** @type {Colour} */ (colour)]]);
    case 'st': return taki(x, y, ink, COLOURS.map((one) => PAINT[one]), 'SUPER');
    case 'cc': return wheel(x, y, 31);
    case 'cz': return scaled(whirl(ink), x, y, 1);
    case '2+': return letters('+2', x + 1, y, 52, ink, { ...outlined(9), ...fitted(60) });
    default: return s('g', {},
      foot(kind, x, y + 29, 30, ink, outlined(8)), letters(kind, x, y, 70, ink, outlined(8)),
      foot(kind, x, y + 29, 30, ink));
  }
}

/** @param {number} width */
const fitted = (width) => ({ textLength: width, lengthAdjust: 'spacingAndGlyphs' });

/** @param {number} width */
const outlined = (width) => ({
  stroke: PAPER, 'stroke-width': width, 'stroke-linejoin': 'round', 'paint-order': 'stroke',
});

/**
 * The line under a 6 or a 9, which tells them apart when they stand on their heads.
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {string} fill
 * @param {import('../../../web/lib/dom.js').Props} [more]
 */
function foot(kind, x, y, width, fill, more = {}) {
  return (kind === '6' || kind === '9') &&
    s('rect', { x: x - width / 2, y, width, height: width / 7, rx: width / 14, fill, ...more });
}

/**
 * @param {SVGElement} element
 * @param {number} x
 * @param {number} y
 * @param {number} by
 */
export function scaled(element, x, y, by) {
  return s('g', { transform: `translate(${x} ${y}) scale(${by})` }, element);
}

/**
 * Stop, reverse and plus, around the origin and 56 across.
 * @param {string} kind
 * @param {string} ink
 */
function drawn(kind, ink) {
  const rim = { stroke: PAPER, 'stroke-width': 5, 'stroke-linejoin': 'round', fill: ink };
  if (kind === 's') {
    return s('g', {},
      s('path', { d: 'M-12 -29H12L29 -12V12L12 29H-12L-29 12V-12Z', ...rim }),
      s('rect', { x: -18, y: -5.5, width: 36, height: 11, rx: 3, fill: PAPER }));
  }
  if (kind === 'r') {
    const way = 'M-28 29V-6A21 21 0 0 1 14 -6V3H28L7 29L-14 3H0V-6A7 7 0 0 0 -14 -6V29Z';
    return s('path', { d: way, ...rim });
  }
  const cross = 'M-9 -29H9V-9H29V9H9V29H-9V9H-29V-9H-9Z';
  return s('path', { d: cross, ...rim });
}

/**
 * The word, with cards that pour down on it.
 * @param {number} x
 * @param {number} y
 * @param {string} ink
 * @param {string[]} paints
 * @param {string} [above]
 */
function taki(x, y, ink, paints, above) {
  const places = above
    ? [[-17, -27, -20], [-4, -25, -8], [10, -23, 6], [24, -17, 20]]
    : [[-14, -27, -20], [3, -24, -2], [20, -19, 16]];
  return s('g', {},
    places.map(([dx, dy, angle], n) =>
      s('rect', {
        x: -8.5, y: -12, width: 17, height: 24, rx: 2.5, fill: paints[n % paints.length],
        stroke: PAPER, 'stroke-width': 2.5,
        transform: `translate(${x + dx} ${y + dy}) rotate(${angle})`,
      })),
    letters('TAKI', x, y + (above ? 13 : 3), above ? 27 : 30, ink,
      { ...outlined(7), ...fitted(68) }),
    above && letters(above, x, y - 6, 15, ink, { ...outlined(5), ...fitted(56) }));
}

/**
 * Four quarters with their signs.
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function wheel(x, y, r) {
  const quarter = `M0 0V${-r}A${r} ${r} 0 0 1 ${r} 0Z`;
  return s('g', { transform: `translate(${x} ${y})` },
    s('circle', { r: r * 1.1, fill: PAPER }),
    COLOURS.map((colour, n) =>
      s('path', { d: quarter, fill: PAINT[colour], transform: `rotate(${90 * n - 90})` })),
    COLOURS.map((colour, n) => {
      const dx = (n === 0 || n === 3 ? -1 : 1) * r * 0.42, dy = (n < 2 ? -1 : 1) * r * 0.42;
      return sign(colour, dx, dy, r * 0.42, PAPER);
    }),
    s('path', {
      d: `M0 ${-r}V${r}M${-r} 0H${r}`, stroke: PAPER, 'stroke-width': r / 10, fill: 'none',
    }));
}

/**
 * A dizzy face among four arrows, around the origin and 60 across.
 * @param {string} ink
 */
function whirl(ink) {
  const eye = 'M0 0C2 -2 4 1 2 3C-1 6 -6 3 -5 -1C-4 -6 3 -8 6 -3';
  const line = { fill: 'none', stroke: ink, 'stroke-width': 2.6, 'stroke-linecap': 'round' };
  return s('g', {},
    s('circle', { r: 33, fill: PAPER }),
    COLOURS.map((colour, n) =>
      s('path', {
        d: 'M-20.5 -20.5A29 29 0 0 1 10 -27.2L12 -32L21.5 -20L6 -17.4'
          + 'L8 -21.4A23 23 0 0 0 -16 -16.3Z',
        fill: PAINT[colour], transform: `rotate(${90 * n})`,
      })),
    s('circle', { r: 18, fill: '#F7E7CE', stroke: ink, 'stroke-width': 2.2 }),
    s('path', { d: eye, transform: 'translate(-7.5 -3) scale(.9)', ...line }),
    s('path', { d: eye, transform: 'translate(8 -3) scale(-.9 .9)', ...line }),
    s('path', { d: 'M-8 9Q-5 5.5 -2 8.5T4 8.5T8.5 7', ...line }));
}

/**
 * A small picture for a choice.
 * @param {...(Child | Child[])} children
 */
function small(...children) {
  return s('svg', { viewBox: '0 0 40 40', width: 40, height: 40, 'aria-hidden': 'true' },
    ...children);
}

/**
 * A colour to be named.
 * @param {string} colour
 */
export function swatch(colour) {
  return small(
    s('circle', { cx: 20, cy: 20, r: 19, fill: PAPER, stroke: EDGE, 'stroke-width': 1.5 }),
    sign(colour, 20, 20, 24));
}

/**
 * An arrow round, clockwise or counter-clockwise.
 * @param {string} direction
 */
export function arrow(direction) {
  const round = s('path', {
    d: 'M8.5 28A14 14 0 1 1 31.5 28L35.5 31L24 34.5L24.5 22.5L28 25.3A9.5 9.5 0 1 0 12.2 25.4Z',
    fill: 'currentColor',
  });
  const way = direction === 'ccw' ? { transform: 'translate(40 0) scale(-1 1)' } : {};
  return small(s('g', way, round));
}

/**
 * A plus and a 3 of one colour.
 * @param {string} colour
 */
export function pair(colour) {
  return s('svg', { viewBox: '0 0 56 50', width: 45, height: 40, 'aria-hidden': 'true' },
    placed(card(`${colour}+`), 0, 0, 34), placed(card(`${colour}3`), 21, 2, 34));
}

/**
 * A card within another drawing.
 * @param {SVGElement} element
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} [angle]
 */
export function placed(element, x, y, width, angle = 0) {
  const height = width * 1.4;
  for (const [name, value] of Object.entries({ x, y, width, height }))
    element.setAttribute(name, String(value));
  return s('g',
    angle ? { transform: `rotate(${angle} ${x + width / 2} ${y + height / 2})` } : {}, element);
}
