// Match files: a match as readable JSON, enough to replay it to the same bytes (docs/positions.md). What is written
// here, `lastcard replay` and `lastcard verify` read, and the other way round.

import { CHANCE, Illegal, Match } from './match.js';
import { BadOption } from './options.js';
import { commitmentOf, hex, keyOf, sha256, unhex } from './shuffle.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types').MatchFile} MatchFile */
/** @typedef {import('./types').Move} Move */
/** @typedef {import('./types').Shuffle} Shuffle */
/** @typedef {(value: unknown) => boolean} Check */

const FORMAT = 1;
const MOST_CHARACTERS = 8_000_000; // of a file: more than any match has
export const HUMAN = 'human'; // in `seats`, a person and not a bot

/** A file that cannot be used: the page words the code, and the values that belong to it. */
export class BadFile extends Error {
  /** @param {string} code @param {Record<string, unknown>} [values] */
  constructor(code, values = {}) {
    super(`${code} ${JSON.stringify(values)}`);
    this.code = code;
    this.values = values;
  }
}

// --- Writing ---

/** A digest of the last state. @param {Match} match */
const digest = (match) => hex(sha256(match.bytes)).slice(0, 16);

/** JSON as Python writes it: in ASCII, with blanks between values. @param {unknown} value @returns {string} */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value).map(([key, one]) => `${written(key)}: ${written(one)}`).join(', ')}}`;
  }
  return JSON.stringify(value).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The text of a match file, with a line for every key and every move.
 * @param {Match} match
 * @param {{seats?: string[] | null, shuffle?: Shuffle | null}} [more] for each seat "human" or a bot's level; how the key came about
 */
export function dumps(match, { seats = null, shuffle = null } = {}) {
  const content = {
    lastcard: FORMAT,
    game: match.engine.facts.game,
    players: match.players,
    options: match.options,
    key: hex(match.key),
    ...(seats && { seats }),
    state: digest(match),
    ...(shuffle && {
      shuffle: { commitment: shuffle.commitment, secret: shuffle.secret, seeds: shuffle.seeds },
    }),
  };
  const lines = Object.entries(content).map(([key, value]) => `  ${written(key)}: ${written(value)}`);
  const moves = match.moves.map((move) => `    ${written(move)}`).join(',\n');
  lines.push(`  "moves": [${moves && `\n${moves}\n  `}]`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

// --- Reading ---

/** @type {Check} */
const isText = (value) => typeof value === 'string';
/** @type {Check} */
const isNumber = (value) => Number.isSafeInteger(value);
/** @type {Check} */
const isMapping = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @param {Check} check @returns {Check} */
const listOf = (check) => (value) => Array.isArray(value) && value.every(check);
/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => value === null || check(value);
/** @type {Check} */
const isMove = (value) => Array.isArray(value) && value.length === 2
  && (isNumber(value[0]) || isText(value[0])) && isText(value[1]);

/** What must be there, and what may be. @type {Record<string, Check>} */
const NEEDED = { lastcard: isNumber, game: isText, players: isNumber, options: isMapping, key: isText, moves: listOf(isMove) };
/** @type {Record<string, Check>} */
const OPTIONAL = {
  position: orNull(isMapping),
  seats: orNull(listOf(isText)),
  state: orNull(isText),
  shuffle: orNull((value) => wrong(value, { commitment: isText, secret: isText, seeds: listOf(orNull(isText)) }) === null),
};

/**
 * The first key that is missing, unknown or of another type; "" if it is no mapping at all.
 * @param {unknown} value
 * @param {Record<string, Check>} needed
 * @param {Record<string, Check>} [optional]
 */
function wrong(value, needed, optional = {}) {
  if (!isMapping(value)) return '';
  const given = /** @type {Record<string, unknown>} */ (value), known = { ...needed, ...optional };
  const missing = Object.keys(needed).find((key) => !Object.hasOwn(given, key));
  return missing ?? Object.keys(given).find((key) => !(Object.hasOwn(known, key) && known[key](given[key]))) ?? null;
}

/** The content of a file, or BadFile. Whether it can be played, `replay` says. @param {string} text @returns {MatchFile} */
export function read(text) {
  if (text.length > MOST_CHARACTERS) throw new BadFile('file.large');
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new BadFile('file.damaged');
  }
  const key = wrong(content, NEEDED, OPTIONAL);
  if (key !== null) throw new BadFile('file.foreign', { key });
  if (content.lastcard !== FORMAT) throw new BadFile('file.format', { format: content.lastcard });
  if (!/^[0-9a-f]{64}$/i.test(content.key)) throw new BadFile('file.key');
  return content;
}

/** A file's match before its first move. @param {Engine} engine @param {MatchFile} file */
export function start(engine, file) {
  if (file.game !== engine.facts.game) throw new BadFile('file.game', { game: file.game });
  if (file.position) throw new BadFile('file.position');
  const match = dealt(engine, file);
  if (file.seats && file.seats.length !== match.players) {
    throw new BadFile('file.seats', { seats: file.seats.length, players: match.players });
  }
  return match;
}

/** @param {Engine} engine @param {MatchFile} file */
function dealt(engine, { players, options, key }) {
  try {
    return Match.deal(engine, { players, options, key: unhex(key) });
  } catch (problem) {
    if (problem instanceof BadOption) throw new BadFile(`file.${problem.what}`, problem.about);
    throw problem;
  }
}

/**
 * Carries out the next move of a file.
 * @param {Match} match
 * @param {Move} move
 * @param {{fair?: boolean}} [how] fair: dice must fall as the key says, as they do at tables
 */
export function step(match, [seat, action], { fair = false } = {}) {
  const number = match.moves.length + 1;
  try {
    const [, chosen] = match.check(seat, action);
    if (fair && seat === CHANCE && chosen !== match.tossed()) throw new BadFile('file.dice', { number, action });
    return match.play(seat, chosen);
  } catch (problem) {
    // The reason would reveal what the seat holds.
    if (problem instanceof Illegal) throw new BadFile('file.move', { number, action });
    throw problem;
  }
}

/** Raises BadFile unless the moves led to the state that was saved. @param {Match} match @param {MatchFile} file */
export function checkState(match, { state }) {
  if (typeof state === 'string' && state !== digest(match)) throw new BadFile('file.altered');
}

/** A file's match after its last move, checked move by move. @param {Engine} engine @param {MatchFile} file */
export function replay(engine, file) {
  const match = start(engine, file);
  for (const move of file.moves) step(match, move);
  checkState(match, file);
  return match;
}

/** Raises BadFile if the key does not follow from the secret and the seeds. @param {MatchFile} file */
export function checkShuffle({ shuffle, players, key }) {
  if (!shuffle) throw new BadFile('file.unshuffled');
  const { commitment, secret, seeds } = shuffle;
  if (seeds.length !== players) throw new BadFile('file.seeds', { seats: seeds.length, players });
  if (commitmentOf(secret) !== commitment) throw new BadFile('file.secret');
  if (hex(keyOf(secret, seeds)) !== key.toLowerCase()) throw new BadFile('file.secret_key');
}
