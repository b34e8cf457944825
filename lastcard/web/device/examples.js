// Examples in the rules that readers play themselves: as lastcard/server/examples.py does, from what it has compiled.

import { CHANCE, Illegal, Match } from './match.js';
import { Refused } from './refusals.js';

/**
 * A value that a key must have in the end, as text; cards, and seats, in any order.
 * @typedef {object} Check
 * @property {number} key its number
 * @property {string | string[]} value
 * @property {number | null} place in a list
 * @property {boolean} size only the number of cards counts
 *
 * @typedef {object} Compiled
 * @property {string} record how it begins: the bytes of its record in base64
 * @property {number} seat the reader's
 * @property {number[]} [moves] any of these is right
 * @property {Check[]} [checks] or whatever leads to all of these
 */

const MOST_MOVES = 40;

/** Plays for the dice, which are not for the reader to decide. @param {Match} match @returns {import('./types').Log[]} */
function rolled(match) {
  const logs = [];
  while (match.waiting[0] === CHANCE) logs.push(match.roll());
  return logs;
}

/** What a key tells, in the words of a check. @param {any} told @param {Check} check */
function wordsOf(told, { place, size }) {
  const value = place === null ? told : told[place];
  if (size) return String(value.size);
  if (Array.isArray(value?.cards ?? value)) return (value.cards ?? value).map(String).sort();
  return String(value);
}

/** @param {Match} match @param {Check} check */
const holds = (match, check) =>
  JSON.stringify(wordsOf(JSON.parse(match.engine.value(match.bytes, check.key)), check)) === JSON.stringify(check.value);

/**
 * Whether the reader is done, and whether it is what was asked.
 * @param {Compiled} example
 * @param {Match} match
 * @param {number} begun the round in which it began
 * @param {string[]} made moves
 */
function judged({ seat, moves, checks = [] }, match, begun, [first]) {
  if (first === undefined) return { over: false, meant: false };
  if (moves) return { over: true, meant: moves.includes(match.engine.numbers.get(first.trim().split(/\s+/).join(' ')) ?? -1) };
  const meant = match.round === begun && checks.every((check) => holds(match, check));
  return { over: meant || match.round !== begun || !match.legal(seat).length, meant };
}

/**
 * How an example begins, or what all moves so far led to, as JSON.
 * @param {import('./engine.js').Engine} engine
 * @param {Compiled} example
 * @param {unknown} moves null to begin
 */
export function exampleAnswer(engine, example, moves) {
  const match = Match.from(engine, Uint8Array.from(atob(example.record), (one) => one.charCodeAt(0))), { seat } = example;
  if (moves === null) return `{"seat":${seat},"view":${match.view(seat)}}`;
  if (!Array.isArray(moves) || moves.length > MOST_MOVES || !moves.every((one) => typeof one === 'string')) {
    throw new Refused('malformed', `moves are at most ${MOST_MOVES} texts.`);
  }
  const begun = match.round;
  const steps = moves.map((move) => {
    const logs = [play(match, seat, move), ...rolled(match)];
    const events = logs.flatMap((log) => JSON.parse(match.tell(log, seat)));
    return `{"events":${JSON.stringify(events)},"view":${match.view(seat)}}`;
  });
  const { over, meant } = judged(example, match, begun, moves);
  return `{"seat":${seat},"steps":[${steps.join(',')}],"over":${over},"meant":${meant}}`;
}

/** @param {Match} match @param {number} seat @param {string} move */
function play(match, seat, move) {
  try {
    return match.play(seat, move);
  } catch (problem) {
    throw problem instanceof Illegal ? new Refused('illegal', problem.message) : problem;
  }
}
