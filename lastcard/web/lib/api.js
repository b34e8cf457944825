// Requests to the server: docs/protocol.md.

import { alone } from './address.js';

/** The server said no: the code is one of the protocol's, or "offline". */
export class Refused extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

/**
 * What the server says no with; whatever else goes wrong is a fault of the page.
 * @param {unknown} problem
 */
export const codeOf = (problem) => (problem instanceof Refused ? problem.code : 'unavailable');

/**
 * The answer is as docs/protocol.md says: who asks names its type.
 * @param {string} path
 * @param {{body?: unknown, token?: string | undefined}} [more]
 * @returns {Promise<any>}
 */
export async function ask(path, { body, token } = {}) {
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

/** @param {Record<string, unknown>} setup @returns {Promise<import('../types').Seated>} */
export const openTable = (setup) => ask('/api/tables', { body: setup });

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
  const response = await fetch(path, token ? { headers: { Authorization: `Bearer ${token}` } } : {}).catch(() => null);
  if (!response?.ok) throw new Refused(response ? 'unauthorized' : 'offline', '');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
