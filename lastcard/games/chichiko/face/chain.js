// Where the tiles of the chain lie. Lengths are in halves of a tile, around the first double.

/**
 * A tile of the chain: two halves, the one that touches the chain first (across: the upper one), or
 * a single half where only the end is known.
 * @typedef {{tile: string, halves: string[], closed: boolean}} Piece
 * @typedef {{x: number, y: number, w: number, h: number, flow: string}} Box
 * @typedef {{upper?: Piece, lower?: Piece, across?: Piece}} Column
 * @typedef {{first: Piece, arms: Piece[][], sides: Column[][], pieces: Piece[], ends: string[],
 *   accepts: string[]}} Chain
 * @typedef {{boxes: Map<Piece, Box>, slots: Box[], sides: (Box | null)[], wraps: Box[],
 *   width: number, height: number}} Layout
 */

const BEND = 0.25; // between a tile that leads down and the row below
const NEAR = 0.08;
const TIGHT = 1.4; // from row to row where doubles lie along the line
const LONG = 32; // tiles, from which on that may be
const WORTH = 1.12; // how much larger they must be then
const SLOT = [2.5, 1.7]; // what fits an end is shown in a box of this size
const LANE_SLOT = [2.3, 1.45];
const WIDTHS = [4.5, 5.5, 6.5, 7.5, 8.5, 10, 11.5, 13, 15, 17]; // from the first double to the edge
const CROSS_WIDTHS = [6.5, 8.5, 11.5, 15];
const LEAST = [8, 5.2];
const FAR = 1000;

/**
 * The chain as the view tells it.
 * @param {import('./view').View} view
 * @returns {Chain}
 */
export function chainOf(view) {
  const ends = view.ends.split(' ').filter(Boolean);
  /** @type {string[][]} */
  const laid = view.laid.map((word) => word.split('@'));
  const begins = laid.length > 0 && laid[0]?.length === 1;
  const first = piece(begins ? (laid[0]?.[0] ?? '?') : '?');
  const placed = laid.filter((word) => word.length > 1);
  /** @type {Chain} */
  const chain = { first, arms: [], sides: [], pieces: [first], ends, accepts: view.accepts };
  if (view.options.sausage) {
    chain.sides = ['left', 'right'].map((name, side) => columns(placed, name, side, ends));
    for (const { upper, lower, across } of chain.sides.flat())
      for (const one of [across, upper, lower]) if (one) chain.pieces.push(one);
  } else {
    chain.arms = ends.map((/** @type {string} */ shown, /** @type {number} */ end) => {
      const line = placed.filter(([, place]) => place === String(end));
      return completed(line.map(([tile = '']) => piece(tile)), shown, first);
    });
    chain.pieces.push(...chain.arms.flat());
  }
  return chain;
}

/** @param {string} tile @returns {Piece} */
function piece(tile) {
  return { tile, halves: tile === '?' ? ['?', '?'] : tile.split('-'), closed: tile === '?' };
}

/**
 * Closes what is closed, and adds the end alone where its tile is not known.
 * @param {Piece[]} line
 * @param {string | undefined} shown
 * @param {Piece} first
 */
function completed(line, shown, first) {
  const last = line.at(-1);
  if (shown === '-') {
    if (last) last.closed = true;
  } else if (shown && (last ?? first).halves.at(-1) !== shown) {
    line.push({ tile: shown, halves: [shown], closed: false });
  }
  return line;
}

/**
 * A side of the sausage: two tiles above each other, or one across, from the middle on.
 * @param {string[][]} placed
 * @param {string} name
 * @param {number} side
 * @param {string[]} ends
 */
function columns(placed, name, side, ends) {
  /** @type {Column[]} */
  const found = [];
  /** @param {'upper' | 'lower'} line @param {Piece} one */
  const add = (line, one) => {
    const free = found.find((column) => !column.across && !column[line]);
    if (free) free[line] = one;
    else found.push({ [line]: one });
  };
  for (const [tile = '', place] of placed) {
    if (place === name) found.push({ across: piece(tile) });
    else if (place === String(2 * side)) add('upper', piece(tile));
    else if (place === String(2 * side + 1)) add('lower', piece(tile));
  }
  if (!placed.length && ends.length)
    for (const [n, line] of /** @type {const} */ (['upper', 'lower']).entries()) {
      const shown = ends[2 * side + n];
      if (shown) add(line, { tile: shown, halves: [shown], closed: false });
    }
  return found;
}

/**
 * The layout that shows the chain largest in a box of this aspect.
 * @param {Chain} chain
 * @param {number} aspect
 * @param {boolean[]} across whether a tile may be put across, on the left and on the right
 * @returns {Layout}
 */
export function layout(chain, aspect, across) {
  if (chain.sides.length) return best(WIDTHS.map((half) => sausage(chain, half, across)), aspect);
  const ways = waysOf(chain);
  const loose = best(ways.map((way) => lines(chain, way, false)), aspect);
  if (chain.pieces.length < LONG) return loose;
  const tight = best(ways.map((way) => lines(chain, way, true)), aspect);
  return size(tight, aspect) > WORTH * size(loose, aspect) ? tight : loose;
}

/**
 * The edges on the left and right, how many tiles the upright lines of a cross have before they
 * bend, and whether what fits is shown within the edges.
 * @typedef {{left: number, right: number, straight: number, within: boolean}} Way
 */

/** @param {Chain} chain @returns {Way[]} */
function waysOf(chain) {
  /** @type {Way[]} */
  const ways = [];
  const cross = chain.arms.length > 2, widths = cross ? CROSS_WIDTHS : WIDTHS;
  for (const left of widths)
    for (const right of cross ? widths : [left])
      for (const straight of cross ? [1, 2] : [0])
        for (const within of [true, false]) ways.push({ left, right, straight, within });
  return ways;
}

/** @param {Layout[]} all @param {number} aspect @returns {Layout} */
function best(all, aspect) {
  return all.reduce((one, other) => (size(other, aspect) > 1.02 * size(one, aspect) ? other : one));
}

/** @param {Layout} one @param {number} aspect */
const size = (one, aspect) => Math.min(aspect / one.width, 1 / one.height);

// --- A line, and the cross -----------------------------------------------------------------------

/**
 * From the first double each line runs to the edge and bends there: those to the right go on below,
 * those to the left above.
 * @param {Chain} chain
 * @param {Way} way
 * @param {boolean} tight
 */
function lines({ first, arms }, { left, right, straight, within }, tight) {
  const inner = arms.length > 2 ? 2.1 : -Math.max(left, right);
  const all = { straight: 0, breadth: 1, tight };
  const lies = tight && arms.length === 2, begin = lies ? 1 : 0.5;
  /** @type {Pen[]} */
  const pens = [
    { ...all, x: -begin, y: 0, dx: -1, dy: 0, out: -1, turn: 1, left: -left, right: -inner },
    { ...all, x: begin, y: 0, dx: 1, dy: 0, out: 1, turn: -1, left: inner, right },
    { ...all, x: 0, y: -1, dx: 0, dy: -1, out: -1, turn: 1, left: -0.5, right, straight },
    { ...all, x: 0, y: 1, dx: 0, dy: 1, out: 1, turn: -1, left: -left, right: 0.5, straight },
  ];
  /** @type {Map<Piece, Box>} */
  const boxes = new Map([[first, lies
    ? { x: -1, y: -0.5, w: 2, h: 1, flow: 'row' }
    : { x: -0.5, y: -1, w: 1, h: 2, flow: 'column' }]]);
  arms.forEach((arm, end) => {
    for (const one of arm) boxes.set(one, laid(/** @type {Pen} */ (pens[end]), one));
  });
  const scale = Math.max(1, 0.06 * (left + right)), there = [...boxes.values()];
  const slots = arms.map((_, end) => {
    const tries = slotsAt(/** @type {Pen} */ (pens[end]), scale, within);
    const free = tries.find((one) => !there.some((other) => meets(one, other)));
    const slot = free ?? { x: 0, y: FAR, w: 1, h: 1, flow: '' }; // so that another layout is better
    there.push(slot);
    return slot;
  });
  return framed({ boxes, slots, sides: [], wraps: [], width: 0, height: 0 });
}

/** @param {Box} one @param {Box} other */
const meets = (one, other) =>
  one.x < other.x + other.w && other.x < one.x + one.w
  && one.y < other.y + other.h && other.y < one.y + one.h;

/**
 * Where a line goes on: the middle of its edge, its direction; where its rows go (`out`: up or
 * down) and in which direction the next one runs (`turn`); its edges; how many tiles it still goes
 * upright; and how far its last tile reaches to each side.
 * @typedef {{x: number, y: number, dx: number, dy: number, out: number, turn: number, left: number,
 *   right: number, straight: number, breadth: number, tight: boolean}} Pen
 */

/** @param {Pen} pen */
const room = (pen) => (pen.dx > 0 ? pen.right - pen.x : pen.x - pen.left);

/**
 * Puts one tile and moves on.
 * @param {Pen} pen
 * @param {Piece} one
 * @returns {Box}
 */
function laid(pen, one) {
  const [a, b] = one.halves;
  if (b === undefined) return along(pen, 1, 1);
  if (pen.dx && pen.tight) return room(pen) < 3 ? hairpin(pen) : along(pen, 2, 1);
  if (pen.dx) {
    if (a !== b) return room(pen) < 3 ? corner(pen, 0, pen.out) : along(pen, 2, 1);
    if (room(pen) >= 2) return along(pen, 1, 2);
    pen.x -= 0.5 * pen.dx; // a double at the edge lies below the last tile
    pen.y += pen.out * (pen.breadth + NEAR);
    head(pen, 0, pen.out);
    return { ...along(pen, 1, 2), ...skip(pen, NEAR) };
  }
  if (pen.straight > 0) {
    pen.straight -= 1;
    return a === b ? along(pen, 1, 2) : along(pen, 2, 1);
  }
  if (a !== b || pen.tight) return corner(pen, pen.turn, 0);
  const box = along(pen, 1, 2);
  pen.y -= 0.5 * pen.dy;
  pen.x += pen.turn;
  head(pen, pen.turn, 0);
  return box;
}

/** @param {Pen} pen @param {number} dx @param {number} dy */
function head(pen, dx, dy) {
  if (pen.dx) pen.turn = -pen.dx;
  pen.dx = dx;
  pen.dy = dy;
  pen.breadth = 0.5;
}

/** @param {Pen} pen @param {number} by @returns {{}} */
function skip(pen, by) {
  pen.y += pen.dy * by;
  return {};
}

/**
 * A tile in the line's direction, or a double across it.
 * @param {Pen} pen
 * @param {number} length
 * @param {number} breadth
 * @returns {Box}
 */
function along(pen, length, breadth) {
  const { x, y, dx, dy } = pen;
  pen.x += dx * length;
  pen.y += dy * length;
  pen.breadth = breadth / 2;
  const flow = breadth > 1 ? (dx ? 'column' : 'row') : flowOf(dx, dy);
  return dx
    ? { x: Math.min(x, pen.x), y: y - breadth / 2, w: length, h: breadth, flow }
    : { x: x - breadth / 2, y: Math.min(y, pen.y), w: breadth, h: length, flow };
}

/**
 * A tile around which the line bends: its first half in the old direction, its second in the new.
 * @param {Pen} pen
 * @param {number} dx
 * @param {number} dy
 * @returns {Box}
 */
function corner(pen, dx, dy) {
  const x = pen.x + pen.dx / 2, y = pen.y + pen.dy / 2; // the middle of its first half
  head(pen, dx, dy);
  pen.x = x + 1.5 * dx;
  pen.y = y + (1.5 + BEND) * dy;
  return {
    x: Math.min(x, x + dx) - 0.5, y: Math.min(y, y + dy) - 0.5,
    w: 1 + Math.abs(dx), h: 1 + Math.abs(dy), flow: flowOf(dx, dy),
  };
}

/**
 * A tile from one row to the next, beside both.
 * @param {Pen} pen
 * @returns {Box}
 */
function hairpin(pen) {
  const { x, y, dx, out } = pen;
  head(pen, -dx, 0);
  pen.y += out * TIGHT;
  return { x: dx > 0 ? x : x - 1, y: y + (out * TIGHT) / 2 - 1, w: 1, h: 2, flow: flowOf(0, out) };
}

/** @param {number} dx @param {number} dy */
const flowOf = (dx, dy) => `${dx ? 'row' : 'column'}${dx + dy > 0 ? '' : '-reverse'}`;

/**
 * Where what fits an end may be shown, the best place first: beside it, or where the chain has not
 * been yet.
 * @param {Pen} pen
 * @param {number} scale
 * @param {boolean} within
 * @returns {Box[]}
 */
function slotsAt(pen, scale, within) {
  const [w = 0, h = 0] = SLOT.map((one) => one * scale), { x, y, dx, out } = pen;
  /** @param {number} left @param {number} away from the middle of the row, outwards */
  const box = (left, away) => ({ x: left, y: out > 0 ? y + away : y - away - h, w, h, flow: '' });
  const outside = [0.65, 1.15, 1.7, 2.3, 3.2, 4.4];
  if (!dx) {
    const edge = pen.straight > 0 ? 1 : 0.5;
    return [0.1, ...outside].map((away) => box(pen.turn > 0 ? x - edge : x + edge - w, away));
  }
  const beside = within && room(pen) < w + 0.15 ? []
    : [-0.85, pen.tight ? -0.7 : -1.05, -0.5].map((away) =>
      box(dx > 0 ? x + 0.15 : x - 0.15 - w, away));
  return [...beside, ...outside.map((away) => box(dx > 0 ? x - w : x, away))];
}

// --- The sausage ---------------------------------------------------------------------------------

/**
 * Two lines to each side, in rows that are read like a text: on the right the next row is below, on
 * the left above, and the upper line is always the upper one.
 * @param {Chain} chain
 * @param {number} half
 * @param {boolean[]} across
 */
function sausage({ first, sides, accepts }, half, across) {
  const scale = Math.max(1, 0.11 * half), [w = 0, h = 0] = LANE_SLOT.map((one) => one * scale);
  /** @type {Map<Piece, Box>} */
  const boxes = new Map([[first, { x: -0.5, y: -1, w: 1, h: 2, flow: 'column' }]]);
  /** @type {Layout} */
  const made = { boxes, slots: [], sides: [], wraps: [], width: 0, height: 0 };
  sides.forEach((side, n) => {
    const way = n ? 1 : -1, flow = flowOf(way, 0);
    let x = 0.5, row = 0;
    /** @param {number} length whether there is room for it in the row, else in the next */
    const fit = (length) => {
      if (half - x >= length) return;
      x = -half;
      row += 1;
    };
    const columns = side.map((column) => {
      const length = column.across ? 1 : 2;
      fit(length);
      x += length;
      return { column, x: x - length, row, length };
    });
    const open = side.at(-1), uneven = open && !open.across && !(open.upper && open.lower);
    if (uneven) x -= 2;
    const asked = across[n] ? 1.1 : 0;
    if (!uneven) fit(2);
    const rows = row, big = Math.max(2.6, rows > 1 ? 1.2 + 1.5 * scale : 3.1 * scale);
    /** @param {number} r */
    const y = (r) => {
      let sum = 0;
      for (let k = 1; k <= r; k++) sum += k === 1 || k === rows ? big : 2.6;
      return way * sum;
    };
    /** @param {number} from @param {number} length */
    const left = (from, length) => (way > 0 ? from : -from - length);
    for (const { column, x: from, row: r, length } of columns) {
      const box = { x: left(from, length), w: length, flow };
      if (column.across) boxes.set(column.across, { ...box, y: y(r) - 1, h: 2, flow: 'column' });
      if (column.upper) boxes.set(column.upper, { ...box, y: y(r) - 1, h: 1 });
      if (column.lower) boxes.set(column.lower, { ...box, y: y(r), h: 1 });
    }
    for (const lane of [0, 1])
      made.slots[2 * n + lane] = {
        x: left(x + asked + 0.12, w), y: lane ? y(row) + 0.06 : y(row) - 0.06 - h, w, h, flow: '',
      };
    made.sides[n] = asked ? { x: left(x + 0.1, 1), y: y(row) - 1, w: 1, h: 2, flow: '' } : null;
    for (let r = 0; r < row; r++) {
      const last = columns.findLast((one) => one.row === r), to = last ? last.x + last.length : 0.5;
      made.wraps.push({
        x: left(-half - 0.4, half + to + 0.8), y: Math.min(y(r), y(r + 1)),
        w: half + to + 0.8, h: Math.abs(y(r + 1) - y(r)), flow: '',
      });
    }
  });
  made.slots = made.slots.filter((_, end) => accepts[end] !== undefined);
  return framed(made);
}

/**
 * Moves everything so that it begins at 0, and tells how much room it takes.
 * @param {Layout} made
 */
function framed(made) {
  const sides = made.sides.filter((one) => one !== null);
  const all = [...made.boxes.values(), ...made.slots, ...sides, ...made.wraps];
  const edge = 0.2;
  const x = Math.min(...all.map((one) => one.x)) - edge;
  const y = Math.min(...all.map((one) => one.y)) - edge;
  const w = Math.max(...all.map((one) => one.x + one.w)) + edge - x;
  const h = Math.max(...all.map((one) => one.y + one.h)) + edge - y;
  made.width = Math.max(w, LEAST[0] ?? 0);
  made.height = Math.max(h, LEAST[1] ?? 0);
  for (const one of all) {
    one.x += (made.width - w) / 2 - x;
    one.y += (made.height - h) / 2 - y;
  }
  return made;
}
