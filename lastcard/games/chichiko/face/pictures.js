// Pictures of the rules page: tiles laid out to explain one thing each.

import { h, s } from '../../../web/lib/dom.js';
import { t } from '../../../web/lib/words.js';
import { backShapes, halfShapes, ringShapes, tileShapes } from './art.js';

/**
 * A tile at a place, in halves: upright, or lying with the first half on the left.
 * @typedef {[x: number, y: number, tile: string, lies?: boolean]} Place
 */

/** @param {Place} place */
function tile([x, y, name, lies = false]) {
  const [first = '', second] = name.split('-');
  const shapes = name === '?' ? backShapes(lies)
    : second ? tileShapes(first, second, lies) : halfShapes(first);
  return s('g', { transform: `translate(${x * 100} ${y * 100})` }, shapes);
}

/**
 * @param {number} width in halves
 * @param {number} height
 * @param {Place[]} places
 * @param {{path?: string, more?: SVGElement[], name?: string}} [extra]
 */
function sketch(width, height, places, { path, more = [], name = 'sketch' } = {}) {
  return s('svg', { viewBox: `-15 -15 ${width * 100 + 30} ${height * 100 + 30}`, class: name },
    path ? s('path', { d: path, class: 'under', 'stroke-width': 126 }) : null,
    places.map(tile), more);
}

/** @param {...HTMLElement} parts */
const picture = (...parts) => h('div', { class: 'pic' }, parts);

/** @param {SVGElement} drawn @param {string} [words] @param {string} [kind] */
const part = (drawn, words = '', kind = '') =>
  h('div', { class: kind }, drawn, words ? h('span', {}, words) : null);

/** @param {number} x @param {number} y @param {number} w @param {number} tall */
const mark = (x, y, w, tall) => s('rect', {
  x: x * 100 + 4, y: y * 100 + 4, width: w * 100 - 8, height: tall * 100 - 8, rx: 14, class: 'mark',
});

/** A chain that has bent at the edge of the table. */
export function chain() {
  return picture(part(sketch(11, 4.6, [
    [0, 0, 'ys-gc', true], [2, 0, 'gp-bn', true], [4, 0, 'yn-rc', true], [6, 0, 'bc-bx', true],
    [0, 1.1, 'yp-bk'], [0, 3.1, 'gk-yn', true], [2, 2.6, 'rn-rn'], [3, 3.1, 'rk-rc', true],
    [5, 2.6, 'yc-yc'], [6, 3.1, 'yc-y+4', true], [8, 3.1, 'yk-gs', true],
  ], {
    path: 'M750 50 H50 V360 H950',
    more: [mark(10.1, 3.1, 0.9, 1), mark(8.1, 0, 0.9, 1)],
  }), '', 'whole'));
}

/** Ordinary, double and super tile. */
export function tiles() {
  return picture(
    part(sketch(1, 2, [[0, 0, 'rk-ys']], { name: 'sketch tall' }), t('chichiko.pic.point')),
    part(sketch(1, 2, [[0, 0, 'gn-gn']], { name: 'sketch tall' }), t('chichiko.pic.point')),
    part(sketch(1, 2, [[0, 0, 'bp-b+4']], { name: 'sketch tall' }), t('chichiko.pic.points')));
}

/** Who beats whom. */
export function ring() {
  const drawn = s('svg', { viewBox: '0 0 300 300' }, ringShapes(74, true));
  return picture(part(drawn, t('chichiko.beats.rule'), 'whole'));
}

/** What goes against a red rock. */
export function fits() {
  return picture(
    part(sketch(3.1, 1, [[0, 0, 'rk'], [1.1, 0, 'yk-gs', true]]), t('chichiko.pic.same')),
    part(sketch(3.1, 1, [[0, 0, 'rk'], [1.1, 0, 'rp-yn', true]]), t('chichiko.pic.beats')),
    part(sketch(3.1, 1, [[0, 0, 'rk'], [1.1, 0, 'rs-r+4', true]]), t('chichiko.pic.super')),
    part(sketch(3.1, 1, [[0, 0, 'rk'], [1.1, 0, 'rk-gp', true]], {
      more: [s('path', { d: 'M125 15 L295 85 M295 15 L125 85', class: 'cross' })],
    }), t('chichiko.pic.not')));
}

/** What the four special pictures do to the next player. */
export function specials() {
  return picture(
    part(sketch(1, 1, [[0, 0, 'r+2']]), t('chichiko.pic.take2')),
    part(sketch(1, 1, [[0, 0, 'y+4']]), t('chichiko.pic.take4')),
    part(sketch(1, 1, [[0, 0, 'bx']]), t('chichiko.pic.skip')),
    part(sketch(1, 1, [[0, 0, 'gv']]), t('chichiko.pic.turn')));
}

/** A super tile with its special picture as the end, and the other way round. */
export function event() {
  return picture(
    part(sketch(3.1, 1, [[0, 0, 'bs'], [1.1, 0, 'bs-b+2', true]], {
      more: [mark(2.05, -0.05, 1.1, 1.1)],
    }), t('chichiko.pic.event')),
    part(sketch(3.1, 1, [[0, 0, 'bs'], [1.1, 0, 'b+2-bs', true]]), t('chichiko.pic.quiet')));
}

/** What goes against a special picture. */
export function special() {
  return picture(
    part(sketch(3.1, 1, [[0, 0, 'g+2'], [1.1, 0, 'gn-yc', true]]), t('chichiko.any.g')),
    part(sketch(3.1, 1, [[0, 0, 'g+2'], [1.1, 0, 'r+2-rc', true]]), t('chichiko.other.+2')));
}

/** The cross, with one end closed. */
export function phone() {
  return picture(part(sketch(8, 6, [
    [4, 2, 'rk-rk'], [2, 2.5, 'yn-rc', true], [0, 2.5, 'yn-ys', true], [5, 2.5, 'rp-gc', true],
    [7, 2, '?'], [4, 0, 'bp-yk'], [4, 4, 'gk-bs'],
  ], { path: 'M50 300 H750 M450 50 V550' }), '', 'whole'));
}

/** Two lines to each side, and a tile across those on the right. */
export function sausage() {
  return picture(part(sketch(8, 2, [
    [3, 0, 'rk-rk'], [1, 0, 'yp-bk', true], [1, 1, 'yn-rc', true], [4, 0, 'yk-rn', true],
    [4, 1, 'rc-bs', true], [6, 0, 'gn-bk'],
  ], {
    more: [0, 7.1].flatMap((x) => [mark(x, 0, 0.9, 1), mark(x, 1, 0.9, 1)]),
  }), '', 'whole'));
}

/** Three tiles left, and a face. */
export function face() {
  return picture(
    part(sketch(3.4, 2, [[0, 0, 'gp-g+2'], [1.2, 0, 'bs-bn'], [2.4, 0, 'yc-yc']], {
      name: 'sketch tall',
    })),
    part(s('svg', { viewBox: '0 0 100 100', class: 'sketch tall' },
      s('circle', { cx: 50, cy: 50, r: 44, fill: '#EDAE49' }),
      s('path', {
        d: 'M28 34 L42 42 M72 34 L58 42', stroke: '#2B2118', 'stroke-width': 6,
        'stroke-linecap': 'round',
      }),
      s('path', { d: 'M28 56 H72 Q70 78 50 78 Q30 78 28 56Z', fill: '#2B2118' }),
      s('path', { d: 'M42 64 H62 V82 Q62 92 52 92 Q42 92 42 82Z', fill: '#D1495B' }))));
}
