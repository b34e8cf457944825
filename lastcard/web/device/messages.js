// Messages from a page to a table, as docs/protocol.md describes them.

import { Refused } from './refusals.js';

export const REACTIONS = ['hello', 'thanks', 'well_played', 'good_luck', 'oops', 'wow', 'laugh', 'hurry', 'bye'];

/** @typedef {{type: string, id?: string | null, token?: string | null, version?: any, action?: any, level?: any, seed?: any, reaction?: any}} Asked */

const MOST_BYTES = 4096; // of a message
const MOST_VERSION = 2 ** 31;

/** @param {number} most */
const text = (most) => (/** @type {unknown} */ value) => typeof value === 'string' && [...value].length <= most;
const version = (/** @type {unknown} */ value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_VERSION;
/** @param {(value: unknown) => boolean} holds */
const perhaps = (holds) => (/** @type {unknown} */ value) => value === undefined || value === null || holds(value);
const reaction = (/** @type {unknown} */ value) => REACTIONS.includes(/** @type {string} */ (value));

/** @type {Record<string, Record<string, (value: unknown) => boolean>>} */
const KINDS = {
  hello: { token: perhaps(text(200)) },
  move: { version, action: text(200) },
  undo: { version },
  pause: {},
  resume: {},
  fill: { level: text(200) },
  seed: { seed: text(200) },
  rematch: { seed: perhaps(text(200)) },
  react: { reaction },
  hint: {},
  hurry: {},
  leave: {},
  ping: {},
};
const ID = perhaps(text(64));

/**
 * A message; refused if it is none.
 * @param {string} sent
 * @returns {Asked}
 */
export function readMessage(sent) {
  if (sent.length > MOST_BYTES) throw new Refused('too_large', `A message has at most ${MOST_BYTES} bytes.`);
  const asked = parsed(sent);
  const kind = Object.hasOwn(KINDS, asked.type) ? KINDS[asked.type] : null;
  if (!kind) throw new Refused('malformed', 'This is not a message: see docs/protocol.md.');
  const wrong = Object.entries({ ...kind, id: ID }).find(([name, holds]) => !holds(asked[name]))?.[0]
    ?? Object.keys(asked).find((name) => name !== 'type' && name !== 'id' && !Object.hasOwn(kind, name));
  if (wrong !== undefined) throw new Refused('malformed', `${asked.type}: ${wrong} is not as docs/protocol.md says.`);
  return asked;
}

/** The id of a text that may not even be a message. @param {string} sent @returns {string | null} */
export function idOf(sent) {
  if (sent.length > MOST_BYTES) return null;
  try {
    const { id } = parsed(sent);
    return typeof id === 'string' && ID(id) ? id : null;
  } catch {
    return null;
  }
}

/** @param {string} sent @returns {any} */
function parsed(sent) {
  try {
    return Object(JSON.parse(sent));
  } catch {
    throw new Refused('malformed', 'This is not a message: see docs/protocol.md.');
  }
}
