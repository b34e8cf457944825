// Entries of a table's journal. A table is its setup, its secret and its entries, nothing more.

/**
 * @typedef {'player' | 'bot' | 'clock' | 'chance'} By
 * @typedef {'he' | 'she'} Pronoun
 * @typedef {number | 'chance'} Seat
 *
 * @typedef {{is: 'joined', seat: number, name: string, token: string, seed?: string | null, pronoun?: Pronoun | null}} Joined the token is hashed
 * @typedef {{is: 'left', seat: number}} Left
 * @typedef {{is: 'returned', seat: number}} Returned
 * @typedef {{is: 'filled', level: string}} Filled bots have taken all free seats
 * @typedef {{is: 'seeded', seat: number, seed: string}} Seeded
 * @typedef {{is: 'moved', seat: Seat, action: string, id?: string, by?: By}} Moved
 * @typedef {{is: 'undone', seat: number}} Undone
 * @typedef {{is: 'agreed', seat: number, all: boolean, seed?: string | null}} Agreed to a pause or a rematch; `all` if it was the last one needed
 * @typedef {{is: 'resumed', seat: number}} Resumed
 * @typedef {Joined | Left | Returned | Filled | Seeded | Moved | Undone | Agreed | Resumed} Entry
 *
 * @typedef {{table: string, seq: number, at: number, entry: Entry}} Line of a journal
 */

const text = (/** @type {unknown} */ value) => typeof value === 'string';
const seat = (/** @type {unknown} */ value) => Number.isInteger(value) && Number(value) >= 0;
const mover = (/** @type {unknown} */ value) => value === 'chance' || seat(value);
const truth = (/** @type {unknown} */ value) => typeof value === 'boolean';
/** @param {(value: unknown) => boolean} holds */
const perhaps = (holds) => (/** @type {unknown} */ value) => value === undefined || value === null || holds(value);
/** @param {...string} some */
const oneOf = (...some) => (/** @type {unknown} */ value) => some.includes(/** @type {string} */ (value));

/** What each kind of entry has. @type {Record<string, Record<string, (value: unknown) => boolean>>} */
const KINDS = {
  joined: { seat, name: text, token: text, seed: perhaps(text), pronoun: perhaps(oneOf('he', 'she')) },
  left: { seat },
  returned: { seat },
  filled: { level: text },
  seeded: { seat, seed: text },
  moved: { seat: mover, action: text, id: perhaps(text), by: perhaps(oneOf('player', 'bot', 'clock', 'chance')) },
  undone: { seat },
  agreed: { seat, all: truth, seed: perhaps(text) },
  resumed: { seat },
};

/**
 * An entry as it came out of storage; an error if it is none.
 * @param {unknown} value
 * @returns {Entry}
 */
export function readEntry(value) {
  const found = /** @type {Record<string, unknown>} */ (value ?? {});
  const kind = Object.hasOwn(KINDS, String(found.is)) ? KINDS[String(found.is)] : null;
  if (!kind) throw new Error('not an entry of a journal');
  for (const [name, holds] of Object.entries(kind)) if (!holds(found[name])) throw new Error(`an entry with a wrong ${name}`);
  return /** @type {Entry} */ (value);
}
