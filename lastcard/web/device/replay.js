// Replays: a match step by step from a seat's view, or as a file.

import { readEntry } from './entries.js';
import { HUMAN, checkState, dumps, start, step } from './files.js';
import { CHANCE } from './match.js';
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

/** What the match was like, and what had happened. @typedef {[Pick<Table, 'match' | 'version'>, Pick<Happened, 'log' | 'seat' | 'by'>]} Step */

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
 * @param {import('./engine.js').Engine} engine
 * @param {Iterable<Step>} all
 * @param {Wanted} wanted
 */
function told(engine, all, { from, count, seat, open }) {
  const window = new Window(engine, seat), last = from + Math.min(count, MOST_STEPS), found = [];
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
  return told(table.engine, steps(table, lines, number), wanted);
}

/**
 * A finished match as a file: its moves as they counted in the end, who sat where, and where the cards came from.
 * @param {Table} table
 * @param {import('./entries.js').Line[]} lines
 * @param {number} number
 */
export function fileOf(table, lines, number) {
  if (!isOver(table, number)) throw new Refused('not_now', 'The file is available once the match is over.');
  /** @type {import('./types').Move[]} */
  const moves = [];
  /** @type {string[]} */
  let seats = [];
  /** @type {{match: import('./match.js').Match, shuffle: import('./types').Shuffle | null} | null} */
  let dealt = null;
  for (const [{ chairs, shuffle, match }, { undone, seat, action }] of steps(table, lines, number)) {
    if (undone !== null) moves.pop();
    else if (seat !== null) moves.push([seat, action]);
    else if (match) {
      dealt = { match: match.copy(), shuffle };
      seats = chairs.map((one) => (one.kind === 'bot' ? one.level : HUMAN));
    }
  }
  if (!dealt) throw new Refused('not_found', 'There is no such match at this table.');
  for (const [seat, action] of moves) dealt.match.play(seat, action);
  return dumps(dealt.match, { seats, shuffle: dealt.shuffle });
}

/**
 * The steps of a match file.
 * @param {import('./engine.js').Engine} engine
 * @param {import('./types').MatchFile} file
 * @returns {Generator<Step>}
 */
function* stepsIn(engine, file) {
  const match = start(engine, file);
  yield [{ match, version: 1 }, { log: null, seat: null, by: 'player' }];
  for (const [place, move] of file.moves.entries()) {
    const [seat] = move, human = !file.seats || file.seats[Number(seat)] === HUMAN;
    const by = seat === CHANCE ? 'chance' : human ? 'player' : 'bot';
    yield [{ match, version: place + 2 }, { log: step(match, move), seat, by }];
  }
  checkState(match, file);
}

/** Some of them, as JSON. @param {import('./engine.js').Engine} engine @param {import('./types').MatchFile} file @param {Wanted} wanted */
export const stepsOfFile = (engine, file, wanted) => told(engine, stepsIn(engine, file), wanted);
