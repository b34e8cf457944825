// Replays: a match step by step from a seat's view, or as a file.

import { readEntry } from './entries.js';
import { Refused } from './refusals.js';
import { Table } from './table.js';
import { Window } from './window.js';

/** @typedef {import('./table.js').Happened} Happened */

const MOST_STEPS = 200; // in one answer

/**
 * Which steps are wanted, and who looks.
 * @typedef {object} Wanted
 * @property {number} from
 * @property {number} count
 * @property {number | null} seat null is a spectator
 * @property {boolean} open with all cards, once the match is over
 */

/** Whether a match is over; refused if there is none of this number. @param {Table} table @param {number} number */
export function isOver(table, number) {
  const begun = table.match ? table.number : 0;
  if (number < 1 || number > begun) throw new Refused('not_found', 'There is no such match at this table.');
  return number < table.number || table.status === 'over';
}

/**
 * The deal of a match and every move or undo after it, each with the table as it was then.
 * @param {Table} table
 * @param {import('./entries.js').Line[]} lines its journal
 * @param {number} number of the match
 * @returns {Generator<[Table, Happened]>}
 */
function* steps(table, lines, number) {
  const then = new Table(table.engine, table.founded);
  for (const { entry, at } of lines) {
    const happened = then.fold(readEntry(entry), at);
    if (then.number > number) return;
    if (then.number === number && (happened.log || happened.whole)) yield [then, happened];
  }
}

/**
 * Some steps, as JSON.
 * @param {Table} table
 * @param {Iterable<[Table, Happened]>} all
 * @param {Wanted} wanted
 */
function told(table, all, { from, count, seat, open }) {
  const window = new Window(table, seat), last = from + Math.min(count, MOST_STEPS), found = [];
  let place = 0;
  for (const [then, happened] of all) {
    if (place >= from && place < last) found.push(window.step(then, happened, open));
    place += 1;
  }
  return `{"of":${place},"steps":[${found.join(',')}]}`;
}

/**
 * @param {Table} table
 * @param {import('./entries.js').Line[]} lines
 * @param {number} number
 * @param {Wanted} wanted
 */
export function stepsOf(table, lines, number, wanted) {
  if (wanted.open && !isOver(table, number)) throw new Refused('not_now', 'All cards can be shown once the match is over.');
  return told(table, steps(table, lines, number), wanted);
}

/**
 * A finished match: its moves as they counted in the end, who sat where, and where the cards came from.
 * @param {Table} table
 * @param {import('./entries.js').Line[]} lines
 * @param {number} number
 */
export function recordOf(table, lines, number) {
  if (!isOver(table, number)) throw new Refused('not_now', 'The file is available once the match is over.');
  /** @type {import('./types').Move[]} */
  const moves = [];
  /** @type {{seats: string[], shuffle: import('./types').Shuffle | null, key: Uint8Array} | null} */
  let facts = null;
  for (const [{ chairs, shuffle, key }, { undone, seat, action }] of steps(table, lines, number)) {
    if (undone !== null) moves.pop();
    else if (seat !== null) moves.push([seat, action]);
    else facts = { seats: chairs.map((one) => (one.kind === 'bot' ? one.level : 'human')), shuffle, key };
  }
  if (!facts) throw new Refused('not_found', 'There is no such match at this table.');
  return { ...facts, moves };
}
