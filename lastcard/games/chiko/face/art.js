// Chiko's paper: cards, their back, the dice, chicks, and the ring of values.

import { copied, s } from '../../../web/lib/dom.js';

const PAPER = '#FFFAEC';
const EDGE = '#8F7440';
const DARK = '#33230F';
const BEAK = '#F47B20';
const BEAK_LOW = '#C9540F';
const YELLOW = '#FFCB3D';
const GOLD = '#F2A71B';
const FONT = 'system-ui, sans-serif';

/** The values of the pile in the order in which they follow each other, round and round. */
export const CYCLE = ['1', '2', '3', '4', '5', '6', 'c'];

/** Of each card: the panel behind, the bird, its lighter feathers, and ink that reads on paper. */
/** @typedef {{panel: string, bird: string, light: string, ink: string}} Dress */
const DRESS = /** @type {Record<string, Dress>} */ ({
  1: { panel: '#F0705F', bird: '#B3273D', light: '#FFC2B0', ink: '#A81F37' },
  2: { panel: '#F9AE4B', bird: '#C9591A', light: '#FFE2A6', ink: '#98430C' },
  3: { panel: '#96C95F', bird: '#3E8239', light: '#DDF0B4', ink: '#2C6A29' },
  4: { panel: '#63B8E8', bird: '#1F6BA8', light: '#CBE9FA', ink: '#175A91' },
  5: { panel: '#B597E2', bird: '#6A40A8', light: '#E6D9F8', ink: '#5B3299' },
  6: { panel: '#F08DB8', bird: '#B02F74', light: '#FFD6E7', ink: '#98225F' },
  c: { panel: '#35B3A4', bird: YELLOW, light: '#FFE28A', ink: '#7A5200' },
  e: { panel: '#4B3566', bird: '#FFF3D6', light: '#8468A8', ink: '#4B3566' },
});

// --- Shapes ----------------------------------------------------------------------------------

/** @param {string} d @param {string} fill @param {import('../../../web/lib/dom.js').Props} [more] */
const cut = (d, fill, more = {}) => s('path', { d, fill, ...more });
/** @param {number} cx @param {number} cy @param {number} r @param {string} fill */
const disc = (cx, cy, r, fill) => s('circle', { cx, cy, r, fill });
/**
 * @param {number} cx @param {number} cy @param {number} rx @param {number} ry
 * @param {string} fill @param {number} [turn]
 */
const oval = (cx, cy, rx, ry, fill, turn = 0) =>
  s('ellipse', { cx, cy, rx, ry, fill, transform: turn ? `rotate(${turn} ${cx} ${cy})` : null });
/** @param {string} d @param {string} stroke @param {number} width */
const line = (d, stroke, width) => s('path', {
  d, fill: 'none', stroke, 'stroke-width': width, 'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
});
/** What a piece of paper throws on the one below. @param {string} d */
const shade = (d) => cut(d, DARK, { opacity: 0.2, transform: 'translate(1.2 2)' });
/**
 * @param {string} words @param {number} x @param {number} y @param {number} size
 * @param {string} fill
 */
const figure = (words, x, y, size, fill) => s('text', {
  x, y, fill, 'font-size': size, 'font-weight': 800, 'font-family': FONT, 'text-anchor': 'middle',
}, words);
/** @param {number} n */
const round = (n) => Math.round(n * 100) / 100;

/**
 * A drawing put somewhere into a larger one.
 * @param {SVGElement} drawing
 * @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {number} [turn] in degrees, around its middle
 */
export function put(drawing, x, y, width, height, turn = 0) {
  for (const [name, value] of Object.entries({ x, y, width, height }))
    drawing.setAttribute(name, String(value));
  if (!turn) return drawing;
  return s('g', { transform: `rotate(${turn} ${x + width / 2} ${y + height / 2})` }, drawing);
}

// --- Chicks ----------------------------------------------------------------------------------

const BODY = 'M50 14C71 14 85 33 85 57C85 80 70 92 50 92C30 92 15 80 15 57C15 33 29 14 50 14Z';
const TUFT = 'M49 18C43 14 42 8 44 3C48 6 49 9 50 13C50 8 53 3 58 1C59 7 58 13 52 18Z';
const WINGS = {
  down: [
    'M18 52C8 60 7 72 11 80C20 77 27 68 27 58Z', 'M82 52C92 60 93 72 89 80C80 77 73 68 73 58Z',
  ],
  up: [
    'M20 60C8 56 2 44 3 34C14 35 24 44 27 54Z', 'M80 60C92 56 98 44 97 34C86 35 76 44 73 54Z',
  ],
};

/**
 * A chick in a square of 100: `asleep` with closed eyes, `up` with its wings raised.
 * @param {{asleep?: boolean, up?: boolean, feet?: boolean}} [how]
 */
export function chick({ asleep = false, up = false, feet = true } = {}) {
  return s('g', {},
    feet && [36, 64].map((x) => line(`M${x} 89V97M${x - 6} 99L${x} 95L${x + 6} 99`, BEAK, 3.6)),
    shade(BODY),
    cut(TUFT, GOLD),
    cut(BODY, YELLOW),
    oval(50, 74, 21, 15, '#FFE28A'),
    WINGS[up ? 'up' : 'down'].map((d) => cut(d, GOLD)),
    oval(28, 56, 6, 4.4, '#FF9E6B'),
    oval(72, 56, 6, 4.4, '#FF9E6B'),
    s('g', { class: 'chiko-eyes' }, asleep ? closed(37) : eye(37, 43, 5.6),
      asleep ? closed(63) : eye(63, 43, 5.6)),
    cut('M41 54Q50 47 59 54L50 60Z', BEAK),
    cut('M43 56L50 60L57 56Q50 67 43 56Z', BEAK_LOW));
}

/** @param {number} x @param {number} y @param {number} r */
const eye = (x, y, r) =>
  s('g', {}, disc(x, y, r, DARK), disc(x + 1.8, y - 1.8, round(r / 3), '#FFFFFF'));
/** @param {number} x */
const closed = (x) => line(`M${x - 6} 43Q${x} 49 ${x + 6} 43`, DARK, 3);

/** A chick that sits out the round. */
export function sleeper() {
  return s('svg', { viewBox: '0 0 120 100', class: 'chiko-sleeper', 'aria-hidden': 'true' },
    chick({ asleep: true, feet: false }),
    ['M88 30h12l-12 13h12', 'M104 8h10l-10 11h10'].map((d) =>
      s('path', { d, class: 'chiko-line', 'stroke-width': 4.5 })));
}

/** The chick beside the nest. @param {boolean} excited */
export function onlooker(excited) {
  return s('svg', {
    viewBox: '-4 -2 108 106', class: excited ? 'chiko-looks chiko-hops' : 'chiko-looks',
    'aria-hidden': 'true',
  }, chick({ up: excited }));
}

// --- Cards -----------------------------------------------------------------------------------

const EGG = 'M50 34C69 34 82 63 82 84C82 105 68 117 50 117C32 117 18 105 18 84C18 63 31 34 50 34Z';
const SPOTS = /** @type {const} */ ([
  [38, 56, 6.5, 1], [60, 50, 5, 4], [67, 71, 7, 3], [47, 74, 8.5, 2], [29, 80, 6.5, 5],
  [61, 93, 8, 6], [40, 100, 7, 4], [73, 91, 4.5, 1], [26, 97, 4, 3],
]);
const BIRD = 'M50 35C69 35 84 56 84 82C84 106 70 120 50 120C30 120 16 106 16 82C16 56 31 35 50 35Z';

/** The face of a card, or its back for one that is not known. */
export const card = copied((/** @type {string} */ name) => {
  if (!(name in DRESS)) return back();
  const { panel } = DRESS[name];
  return sheet(panel,
    name === 'c' ? chickScene() : name === 'e' ? eggScene() : bird(name),
    index(name),
    s('g', { transform: 'rotate(180 50 70)' }, index(name)));
});

/** @param {string} panel @param {...(SVGElement | SVGElement[])} drawing */
function sheet(panel, ...drawing) {
  return s('svg', { viewBox: '0 0 100 140', class: 'chiko-card', 'aria-hidden': 'true' },
    s('rect', {
      x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, fill: PAPER, stroke: EDGE,
      'stroke-width': 1.5,
    }),
    s('rect', { x: 4.5, y: 4.5, width: 91, height: 131, rx: 5, fill: panel }),
    ...drawing);
}

const TAB = 'M0.75 8.75A8 8 0 0 1 8.75 0.75H31.5C33 22 28 37 0.75 40Z';

/** What a corner says. @param {string} name */
function index(name) {
  const { ink } = DRESS[name];
  return s('g', {},
    cut(TAB, PAPER),
    line('M0.75 40V8.75A8 8 0 0 1 8.75 0.75H31.5', EDGE, 1.5),
    name === 'c' ? s('g', { transform: 'translate(3.5 5) scale(.24)' }, head())
      : name === 'e' ? s('g', { transform: 'translate(.5 -6.5) scale(.3)' }, egg(4))
        : figure(name, 15, 29.5, 29, ink));
}

/** A chick's head, for small places: a square of 100. */
function head() {
  return s('g', {},
    cut('M50 20C40 10 44 0 48 -4C54 2 54 6 54 10C58 4 62 2 68 2C68 10 64 16 58 20Z', DARK),
    disc(50, 56, 40, YELLOW),
    s('circle', { cx: 50, cy: 56, r: 40, fill: 'none', stroke: DARK, 'stroke-width': 6 }),
    disc(35, 48, 7, DARK), disc(65, 48, 7, DARK),
    cut('M34 64Q50 52 66 64L50 82Z', BEAK_LOW));
}

/** @param {number} [rim] */
function egg(rim = 0) {
  return s('g', {},
    rim ? s('path', { d: EGG, fill: '#FFF3D6', stroke: DARK, 'stroke-width': rim + 2 })
      : cut(EGG, '#FFF3D6'),
    SPOTS.map(([x, y, r, paint]) => oval(x, y, r, r * 0.86, DRESS[paint].panel)));
}

function chickScene() {
  return [
    cut('M4.5 112C24 98 58 100 95.5 110V130.5A5 5 0 0 1 90.5 135.5H9.5A5 5 0 0 1 4.5 130.5Z',
      '#1E8476'),
    disc(50, 74, 42, '#57C9BB'),
    s('g', { transform: 'translate(4.5 29) scale(.91)' }, chick({ up: true })),
  ];
}

function eggScene() {
  const confetti = /** @type {const} */ ([
    [44, 18, 1], [60, 24, 3], [78, 16, 6], [86, 38, 2], [14, 52, 4], [12, 78, 2], [88, 64, 5],
    [16, 108, 3], [34, 127, 6], [54, 127, 1], [89, 92, 4], [70, 38, 1], [28, 40, 6],
  ]);
  return [
    ...confetti.map(([x, y, paint]) => oval(x, y, 3.4, 2.6, DRESS[paint].panel, x * 7)),
    shade(EGG),
    egg(),
    line('M31 44L40 50L46 42L54 50L60 42L69 48', DRESS.e.ink, 2.6),
  ];
}

/** The bird of a number: that many feathers, and the number on its belly. @param {string} name */
function bird(name) {
  const { bird: coat, light, ink, panel } = DRESS[name];
  const face = FACES[name];
  return [
    oval(50, 122, 35, 7, ink),
    ...feathers(name),
    line('M39 118V126M33 128L39 124L45 128M61 118V126M55 128L61 124L67 128', '#FFD27A', 3.6),
    shade(BIRD),
    cut(BIRD, coat),
    cut('M19 74C9 84 8 98 12 106C22 102 28 92 28 80Z', light),
    cut('M81 74C91 84 92 98 88 106C78 102 72 92 72 80Z', light),
    ...face(coat, light, panel),
    oval(50, 92, 24.5, 25.5, PAPER),
    figure(name, 50, 108, 45, ink),
  ];
}

/**
 * What makes each bird somebody: its eyes and its beak.
 * @type {Record<string, (coat: string, light: string, panel: string) => SVGElement[]>}
 */
const FACES = {
  1: () => [eyeball(40, 53, 7), line('M54 54Q60 48 66 54', PAPER, 3), beak(50, 60, 7)],
  2: (_, light) => [disc(38, 53, 12, light), disc(62, 53, 12, light), eyeball(38, 53, 8.5),
    eyeball(62, 53, 8.5), beak(50, 60, 5)],
  3: () => [eyeball(40, 53, 6.5), eyeball(60, 53, 6.5), beak(50, 60, 8)],
  4: () => [eyeball(41, 51, 6), eyeball(59, 51, 6),
    cut('M34 60Q50 53 66 60Q68 68 50 67Q32 68 34 60Z', '#FFB02E')],
  5: (_, light) => [line('M32 47L42 43M68 47L58 43', light, 3), eyeball(40, 54, 6),
    eyeball(60, 54, 6), beak(50, 60, 7)],
  6: (_, light) => [line('M31 49L27 46M33 45L30 41M69 49L73 46M67 45L70 41', light, 2.6),
    eyeball(39, 53, 7), eyeball(61, 53, 7), beak(50, 61, 6)],
};

/** @param {number} x @param {number} y @param {number} r */
const eyeball = (x, y, r) =>
  s('g', {}, disc(x, y, r, '#FFFFFF'), disc(x, y + 0.5, round(r * 0.56), DARK));
/** @param {number} x @param {number} y @param {number} r */
const beak = (x, y, r) =>
  cut(`M${x - r} ${y}Q${x} ${y - 7} ${x + r} ${y}L${x} ${y + 8}Z`, '#FFB02E');

const EARS = [
  'M26 56C22 42 25 30 28 22C38 27 46 34 48 42Z', 'M74 56C78 42 75 30 72 22C62 27 54 34 52 42Z',
];

/** As many feathers as the number says. @param {string} name */
function feathers(name) {
  const { bird: coat, light } = DRESS[name];
  if (name === '2') // an owl's ears
    return EARS.map((d) => cut(d, coat));
  if (name === '3') // a cock's comb
    return [[39, 33, 8], [50, 27, 9], [61, 33, 8]].map(([x, y, r]) => disc(x, y, r, '#D8323F'));
  const many = Number(name), wide = many < 5 ? 17 : 80 / (many - 1);
  const long = many === 1 ? 33 : many === 4 ? 34 : 46;
  const foot = many < 5 ? 44 : 58;
  return Array.from({ length: many }, (_, n) => {
    const turn = many === 1 ? 14 : round((n - (many - 1) / 2) * wide);
    return s('g', { transform: `translate(50 ${foot}) rotate(${turn})` },
      cut(`M0 0C-9 ${-long / 2} -7 ${-long} 0 ${-long}C7 ${-long} 9 ${-long / 2} 0 0Z`, light),
      many === 6 ? oval(0, -long + 9, 3.4, 4.6, coat) : line(`M0 -6V${-long + 8}`, coat, 1.8));
  });
}

/** The back: eggs on a blue sky. */
export const back = copied(() => {
  const eggs = [];
  for (let row = 0; row < 7; row++)
    for (let column = 0; column < 5; column++)
      if ((row + column) % 2 === 0)
        eggs.push(oval(14 + column * 18, 16 + row * 18, 5, 6.4, row === 3 ? '#8CCBEA' : '#5FB0DA'));
  return sheet('#3F98CB', ...eggs,
    oval(50, 70, 27, 33, PAPER),
    oval(50, 70, 23.5, 29.5, '#2C7FB3'),
    s('g', { transform: 'translate(28 46) scale(.44)' }, chick({ feet: false })),
    cut('M29 73L35 78L41 72L47 78L53 72L59 78L65 72L71 75C71 90 62 99 50 99C38 99 29 90 29 75Z',
      '#FFF3D6'));
});

// --- Dice ------------------------------------------------------------------------------------

const PIPS = /** @type {Record<number, [number, number][]>} */ ({
  1: [[21, 21]],
  2: [[11, 11], [31, 31]],
  3: [[10, 10], [21, 21], [32, 32]],
  4: [[11, 11], [31, 11], [11, 31], [31, 31]],
  5: [[10, 10], [32, 10], [21, 21], [10, 32], [32, 32]],
});
/** What is seen above and beside a face. */
const BESIDE = /** @type {Record<number, [number, number]>} */ ({
  1: [2, 3], 2: [3, 1], 3: [1, 5], 4: [5, 1], 5: [4, 3], 10: [5, 4],
});

/** One side of a die, a square of 42. @param {number} value @param {string} ink */
function side(value, ink) {
  if (value !== 10) {
    const r = value === 1 ? 6.5 : 4.6;
    return s('g', {}, PIPS[value].map(([x, y]) => disc(x, y, r, value === 1 ? '#C22F45' : ink)));
  }
  return s('g', {},
    [[15, 10, 4.5], [21.5, 7.5, 4.8], [28, 10, 4.5]].map(([x, y, r]) => disc(x, y, r, '#D8323F')),
    cut('M11 38C8 22 12 11 21 11C29 11 33 18 32 25C32 30 34 35 36 38Z', '#C9591A'),
    cut('M12 38L16 31L20 38L24 31L28 38L32 31L36 38V39H11Z', '#8A3A0C'),
    cut('M29 17L39 21L30 25Z', '#FFB02E'),
    oval(29, 29, 3, 4.6, '#D8323F'),
    disc(24, 19, 2.8, PAPER), disc(24.6, 19.2, 1.6, DARK));
}

/**
 * A die that shows 1 to 5, or the rooster for 10.
 * @param {number} value
 * @returns {SVGElement}
 */
export function die(value) {
  const [above, right] = BESIDE[value] ?? [1, 2];
  return s('svg', { viewBox: '0 0 64 64', class: 'chiko-die', 'aria-hidden': 'true' },
    s('path', {
      d: 'M6 17L17 6H58V47L47 58H6Z', fill: DARK, stroke: DARK, 'stroke-width': 8,
      'stroke-linejoin': 'round',
    }),
    joined('M6 17L17 6H58L47 17Z', '#FBEFCB'),
    joined('M47 17L58 6V47L47 58Z', '#D9BD82'),
    s('g', { transform: 'matrix(1 0 -.262 .262 16.5 6)', opacity: 0.75 }, side(above, DARK)),
    s('g', { transform: 'matrix(.262 -.262 0 1 47 16.5)', opacity: 0.75 }, side(right, DARK)),
    joined('M6 17H47V58H6Z', '#FFFDF6'),
    s('g', { transform: 'translate(5.5 16.5)' }, side(value, DARK)));
}

/** @param {string} d @param {string} fill */
const joined = (d, fill) =>
  s('path', { d, fill, stroke: fill, 'stroke-width': 5, 'stroke-linejoin': 'round' });

// --- The ring --------------------------------------------------------------------------------

const TURN = (2 * Math.PI) / CYCLE.length;
const FAR = 80; // how far from the middle of a square of 200
const CLOUDS = [
  'M52 62a9 7 0 0 1 14-6a10 9 0 0 1 18 3a7 6 0 0 1 0 12H56a7 6 0 0 1-4-9Z',
  'M118 136a8 6 0 0 1 12-5a9 8 0 0 1 16 3a6 5 0 0 1 0 10H121a6 5 0 0 1-3-8Z',
];
/** Blades of straw: how far out they lie, and how long they are. */
const STRAW = /** @type {const} */ ([
  [89, '46 9 30 7'], [72, '28 8 40 9'], [84, '34 10 52 8'], [77, '50 9 24 8'],
  [80.5, '22 14 38 11'],
]);

/** @param {number} step @param {number} [far] @returns {[number, number]} */
function spot(step, far = FAR) {
  const angle = step * TURN - Math.PI / 2;
  return [round(100 + far * Math.cos(angle)), round(100 + far * Math.sin(angle))];
}

/**
 * The values in a ring of straw, the present one and those that may follow marked, and the way from
 * each to the next one.
 * @param {string} top the present value, or ""
 * @param {string[]} fits
 * @returns {SVGElement}
 */
export function ring(top, fits) {
  return s('svg', { viewBox: '0 0 200 200', class: 'chiko-ring', 'aria-hidden': 'true' },
    s('circle', { cx: 100, cy: 100, r: 86, class: 'chiko-sky' }),
    CLOUDS.map((d) => s('path', { d, class: 'chiko-cloud' })),
    STRAW.map(([r, dashes], n) => s('circle', {
      cx: 100, cy: 100, r, class: `chiko-straw chiko-straw-${n}`, 'stroke-dasharray': dashes,
    })),
    CYCLE.map((name, n) => {
      const leads = name === top && fits.includes(CYCLE[(n + 1) % CYCLE.length]);
      return [0.42, 0.58].map((part) => chevron(n + part, leads));
    }).flat(),
    CYCLE.map((name, n) =>
      token(name, n, name === top ? 'here' : fits.includes(name) ? 'next' : 'far')));
}

/** A mark that points on to the next value. @param {number} step @param {boolean} leads */
function chevron(step, leads) {
  const [x, y] = spot(step);
  const turn = round((step * 360) / CYCLE.length + 90);
  return s('path', {
    d: leads ? 'M-7 4.5L0 -4.5L7 4.5' : 'M-4.5 3L0 -3L4.5 3',
    class: leads ? 'chiko-step chiko-leads' : 'chiko-step',
    transform: `translate(${x} ${y}) rotate(${turn})`,
  });
}

/** @param {string} name @param {number} step @param {'here' | 'next' | 'far'} how */
function token(name, step, how) {
  const { ink, panel } = DRESS[name];
  const [x, y] = spot(step);
  const r = { here: 18, next: 16, far: 13 }[how];
  const fill = how === 'here' ? (name === 'c' ? '#1E8476' : ink) : PAPER;
  return s('g', { class: `chiko-token chiko-${how}`, transform: `translate(${x} ${y})` },
    disc(0, 0, r, fill),
    s('circle', {
      r: r - 1, fill: 'none', class: 'chiko-rim', stroke: how === 'here' ? PAPER : panel,
      'stroke-width': how === 'far' ? 2 : 3,
    }),
    name === 'c' ? s('g', { transform: `scale(${r / 66}) translate(-50 -54)` }, head())
      : figure(name, 0, round(r * 0.46), round(r * 1.34), how === 'here' ? '#FFFFFF' : ink));
}
