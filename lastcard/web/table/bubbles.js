// Speech bubbles at the plates, placed where they cover nothing that matters.

const EDGE = 6; // pixels to the edge of the board
const OVERLAP = 4; // pixels of the plate that its bubble covers
const PRECIOUS = 20; // covering what the player needs is this much worse than covering a plate

/** @typedef {{x: number, y: number}} Spot */
/** @typedef {{width: number, height: number}} Size */

/**
 * A bubble stands below its plate or beside it; the player's own, above the line that says what is expected.
 * @param {HTMLElement} root
 */
export function placeBubbles(root) {
  const bubbles = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.bubble'));
  const board = root.querySelector('.board');
  if (!bubbles.length || !board) return;
  const precious = boxes(board, '.expects, .offer, .card, .own > *, .choices');
  /** @type {DOMRect[]} */
  const placed = [];
  // The newest first: an older one that would lie under it is hidden, since it has been read.
  for (const bubble of [...bubbles].sort((a, b) => Number(b.dataset.at) - Number(a.dataset.at))) {
    const plate = bubble.closest('.plate');
    if (!plate) continue;
    const from = plate.getBoundingClientRect(), size = bubble.getBoundingClientRect();
    const others = boxes(board, '.plate').filter((box) => box.left !== from.left || box.top !== from.top);
    /** @param {Spot} spot */
    const cost = (spot) => PRECIOUS * covered(spot, size, precious) + covered(spot, size, [...others, ...placed]);
    const best = spots(board, plate, size).reduce((one, other) => (cost(other) < cost(one) ? other : one));
    const stale = covered(best, size, placed) > 0;
    bubble.classList.toggle('stale', stale);
    if (!stale) placed.push(new DOMRect(best.x, best.y, size.width, size.height));
    bubble.style.setProperty('left', `${Math.round(best.x - from.left - plate.clientLeft)}px`);
    bubble.style.setProperty('top', `${Math.round(best.y - from.top - plate.clientTop)}px`);
  }
}

/**
 * Where a bubble may stand, the preferred spot first, all of them within the board.
 * @param {Element} board
 * @param {Element} plate
 * @param {Size} size
 * @returns {Spot[]}
 */
function spots(board, plate, { width, height }) {
  const within = board.getBoundingClientRect(), from = plate.getBoundingClientRect();
  const [line = within] = boxes(board, '.ask');
  const [plates = from] = boxes(board, '.plates'); // has no box of its own where the seats stand around the board
  const centre = from.left + from.width / 2 - width / 2, level = from.top + from.height / 2 - height / 2;
  /** @type {[number, number][]} */
  const places = plate.classList.contains('mine') ? [[centre, line.top - height]] : [
    [centre, from.bottom - OVERLAP],
    [from.right - OVERLAP, level],
    [from.left - width + OVERLAP, level],
    [plates.right, Math.min(level, line.top - height)],
    [centre, plates.bottom],
  ];
  return places.map(([x, y]) => ({
    x: Math.max(within.left + EDGE, Math.min(within.right - EDGE - width, x)),
    y: Math.max(within.top, Math.min(within.bottom - height, y)),
  }));
}

/** @param {Element} board @param {string} selector */
const boxes = (board, selector) =>
  [...board.querySelectorAll(selector)].map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0);

/** The area of some boxes that a bubble would cover. @param {Spot} spot @param {Size} size @param {DOMRect[]} some */
const covered = ({ x, y }, { width, height }, some) => some.reduce((sum, box) => {
  const across = Math.min(x + width, box.right) - Math.max(x, box.left), down = Math.min(y + height, box.bottom) - Math.max(y, box.top);
  return sum + Math.max(0, across) * Math.max(0, down);
}, 0);
