// Match files that become tables: finished ones to be looked at, others to be played on.

import { BadFile, HUMAN, checkShuffle, read, replay } from './files.js';
import { HERE } from './house.js';
import { now } from './clock.js';
import { CHANCE } from './match.js';
import { Refused } from './refusals.js';
import { hashOf, matchSecret, tokenOf } from './secrets.js';
import { BOTS, checkedSetup, readName } from './setup.js';
import { commitmentOf, hex, newSecret, sha256 } from './shuffle.js';
import { Table } from './table.js';

/** @typedef {import('./house.js').House} House */
/** @typedef {import('./types').MatchFile} MatchFile */

const BY_POLICY = 'normal'; // the level of bots that are not ours

/** Where a file's match is now. @typedef {import('./house.js').Seated & {match: number}} Imported */

/** The content of a file, and the engine of its game. @param {House} house @param {unknown} text */
export async function opened(house, text) {
  if (typeof text !== 'string') throw new Refused('malformed', 'file is the text of a match file.');
  const file = read(text);
  const engine = await house.engineOf(file.game).catch((problem) => {
    throw problem instanceof Refused ? new BadFile('file.game', { game: file.game }) : problem;
  });
  return { file, engine };
}

/**
 * A match file as a table of this device. Whoever comes again with the same file is led to the same table.
 * @param {House} house
 * @param {Record<string, unknown>} wanted `file`, its text; `names` of the people, by seat
 * @returns {Promise<Imported>}
 */
export async function importMatch(house, { file: text, names = [] }) {
  if (!Array.isArray(names)) throw new Refused('malformed', 'names are a list.');
  const { file, engine } = await opened(house, text);
  replay(engine, file); // says what is wrong with it
  if (file.shuffle) checkShuffle(file);
  const seats = seatsOf(file), own = await playedHere(house, file);
  if (own) return own;
  const { game, players, options, key, shuffle = null, moves } = file;
  const setup = checkedSetup({ game, players, options, grace: null, undo: true }, engine.facts);
  const id = `${HERE}${hex(sha256(JSON.stringify([game, players, setup.options, key.toLowerCase(), seats, moves]))).slice(0, 16)}`;
  const founded = { id, created: now(), setup, secret: newSecret(), imported: { key, shuffle: shuffle ?? null, seats } };
  /** @type {import('./entries.js').Entry[]} */
  const joined = seats.flatMap((one, seat) => (one === HUMAN ? [{
    is: 'joined', seat, name: readName(names[seat] ?? String(seat + 1)), token: hashOf(tokenOf(founded.secret, seat)),
    seed: shuffle?.seeds[seat] ?? null,
  }] : []));
  await house.found(new Table(engine, founded), [...joined, ...moves.map((move) => moved(move, seats))]);
  return seatAt(await house.store.get(id) ?? founded, seats.indexOf(HUMAN), 1);
}

/** @param {import('./types').Move} move @param {string[]} seats @returns {import('./entries.js').Entry} */
function moved([seat, action], seats) {
  return { is: 'moved', seat, action, by: seat === CHANCE ? 'chance' : seats[seat] === HUMAN ? 'player' : 'bot' };
}

/** Who sits where from now on: there must be somebody. @param {MatchFile} file */
function seatsOf({ seats, players }) {
  const known = (seats ?? Array(players).fill(HUMAN)).map((one) => (one === HUMAN || BOTS.includes(one) ? one : BY_POLICY));
  return known.includes(HUMAN) ? known : [HUMAN, ...known.slice(1)];
}

/** @param {import('./table.js').Founded} founded @param {number} seat @param {number} match @returns {Imported} */
const seatAt = ({ id, secret }, seat, match) => ({ table: id, seat, token: tokenOf(secret, seat), match });

/** The table at which a file's match was played, if that is still here. @param {House} house @param {MatchFile} file */
async function playedHere(house, { shuffle }) {
  if (!shuffle) return null;
  for (const one of await house.store.list()) {
    const { summary, secret, imported } = one;
    for (let number = imported ? 2 : 1; number <= summary.matches; number += 1) {
      if (commitmentOf(matchSecret(secret, number)) === shuffle.commitment) return seatAt(one, summary.people[0] ?? 0, number);
    }
  }
  return null;
}
