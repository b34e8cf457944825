// Requests, to the server or to the device: docs/protocol.md.

import { alone } from './address.js';
import { askHere, isAboutHere } from './device.js';
import { Refused } from './refused.js';

export { Refused } from './refused.js';

/**
 * What the server says no with; whatever else goes wrong is a fault of the page.
 * @param {unknown} problem
 */
export const codeOf = (problem) => (problem instanceof Refused ? problem.code : 'unavailable');

const EXAMPLE = /^\/api\/games\/[^/]+\/examples\//;

/**
 * The answer is as docs/protocol.md says: who asks names its type. Tables on this device, and examples, are asked there.
 * @param {string} path
 * @param {{body?: unknown, token?: string | undefined}} [more]
 * @returns {Promise<any>}
 */
export async function ask(path, more = {}) {
  if (isAboutHere(path)) return onDevice(path, more);
  if (EXAMPLE.test(path)) return hereOrThere(path, more);
  return askServer(path, more);
}

/**
 * @param {string} path
 * @param {{body?: unknown, token?: string | undefined}} [more]
 * @returns {Promise<any>}
 */
export const onDevice = async (path, more = {}) => JSON.parse(await askHere(more.body === undefined ? 'GET' : 'POST', path, more));

/**
 * What the device can answer as well, the server is asked only if that has no engine for it.
 * @param {string} path
 * @param {{body?: unknown, token?: string | undefined}} [more]
 * @returns {Promise<any>}
 */
export async function hereOrThere(path, more = {}) {
  try {
    return await onDevice(path, more);
  } catch (problem) {
    if (codeOf(problem) !== 'no_device') throw problem;
    return askServer(path, more).catch((other) => {
      throw codeOf(other) === 'offline' ? problem : other;
    });
  }
}

/**
 * @param {string} path
 * @param {{body?: unknown, token?: string | undefined}} [more]
 * @returns {Promise<any>}
 */
async function askServer(path, { body, token } = {}) {
  if (alone()) throw new Refused('offline', '');
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = `Bearer ${token}`;
  /** @type {RequestInit} */
  const how = { headers, method: body === undefined ? 'GET' : 'POST' };
  if (body !== undefined) how.body = JSON.stringify(body);
  let response;
  try {
    response = await fetch(path, how);
  } catch {
    throw new Refused('offline', '');
  }
  const answer = await response.json().catch(() => ({ code: 'unavailable', text: '' }));
  if (!response.ok) throw new Refused(answer.code ?? 'unavailable', answer.text ?? '');
  return answer;
}

/** An answer that the server has put into the page, to save a request. @param {string} path */
function embedded(path) {
  const found = document.querySelector(`script[data-answer="${path}"]`);
  return found && Promise.resolve(JSON.parse(found.textContent ?? ''));
}

/** @type {Promise<import('../types').Offered> | null} */
let known = null;

/** What the server offers to play; asked for once. @returns {Promise<import('../types').Offered>} */
export function offered() {
  known ??= embedded('/api/games') ?? ask('/api/games').catch((problem) => {
    known = null;
    throw problem;
  });
  return known;
}

/**
 * A new table, at the server, or on this device if only people here are to play, and bots.
 * @param {Record<string, unknown>} setup
 * @param {{here?: boolean}} [where]
 * @returns {Promise<import('../types').Seated>}
 */
export const openTable = (setup, { here = false } = {}) =>
  (here ? hereOrThere : askServer)('/api/tables', { body: setup });

/** The tables of this device, latest first. @returns {Promise<import('../types').KeptTable[]>} */
export const tablesHere = async () => (await onDevice('/api/tables')).tables;

/**
 * A match file as a table of this device; the same file leads to the same table.
 * @param {string} file its text
 * @param {string[]} names of people, by seat
 * @returns {Promise<import('../types').Seated & {match: number}>}
 */
export const importMatch = (file, names) => onDevice('/api/tables', { body: { file, names } });

/**
 * Steps of a match that is given as a file: docs/protocol.md, Replays.
 * @param {string} file its text
 * @param {{from: number, count: number, seat?: number | null, open?: boolean}} wanted
 * @returns {Promise<{of: number, steps: import('../types').Step[]}>}
 */
export const replayFile = (file, wanted) => onDevice('/api/replays', { body: { file, ...wanted } });

/** @param {string} table on this device */
export const removeTable = (table) => askHere('DELETE', `/api/tables/${encodeURIComponent(table)}`);

/**
 * @param {string} table
 * @param {string} name
 * @param {string | null} pronoun
 * @returns {Promise<import('../types').Seated>}
 */
export const joinTable = (table, name, pronoun) =>
  ask(`/api/tables/${encodeURIComponent(table)}/join`, { body: { name, pronoun, id: newId() } });

/** An id that nobody can guess. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_');
}

/**
 * Downloads a file. A plain link will not do: it cannot send the token.
 * @param {string} path
 * @param {string | undefined} token
 * @param {string} name
 */
export async function save(path, token, name) {
  const content = isAboutHere(path) ? new Blob([await askHere('GET', path, { token })], { type: 'application/json' }) : await download(path, token);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string} path @param {string | undefined} token */
async function download(path, token) {
  const response = await fetch(path, token ? { headers: { Authorization: `Bearer ${token}` } } : {}).catch(() => null);
  if (!response?.ok) throw new Refused(response ? 'unauthorized' : 'offline', '');
  return response.blob();
}
