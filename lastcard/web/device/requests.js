// Requests about tables, replays and examples, as docs/protocol.md lists them, answered without a server.

import { exampleAnswer } from './examples.js';
import { BadFile } from './files.js';
import { importMatch, opened } from './importing.js';
import { Refused, refusalOf } from './refusals.js';
import { fileOf, isOver, stepsOf, stepsOfFile } from './replay.js';
import { verify } from './verify.js';

/** @typedef {import('./house.js').House} House */

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path with its query
 * @property {unknown} [body]
 * @property {string} [token]
 *
 * @typedef {object} Asked
 * @property {House} house
 * @property {string[]} parts what the path names
 * @property {URLSearchParams} query
 * @property {Record<string, unknown>} body
 * @property {string | null} token
 *
 * @typedef {{status: number, body: string}} Answer its body is JSON
 */

const JOINED = 201, BAD_FILE = 400;

/** @type {[string, RegExp, (asked: Asked) => Promise<Answer>][]} */
const ROUTES = [
  ['GET', /^\/api\/tables$/, async ({ house }) => answered({ tables: await house.list() })],
  ['POST', /^\/api\/tables$/, openTable],
  ['GET', /^\/api\/tables\/([^/]+)$/, async ({ house, parts: [id = ''] }) => answered((await house.find(id)).shown())],
  ['DELETE', /^\/api\/tables\/([^/]+)$/, removeTable],
  ['POST', /^\/api\/tables\/([^/]+)\/join$/, joinTable],
  ['GET', /^\/api\/tables\/([^/]+)\/matches\/(\d{1,9})\/steps$/, steps],
  ['GET', /^\/api\/tables\/([^/]+)\/matches\/(\d{1,9})\/file$/, matchFile],
  ['POST', /^\/api\/replays$/, replayed],
  ['POST', /^\/api\/verdicts$/, verdict],
  ['GET', /^\/api\/games\/([^/]+)\/examples\/([a-z0-9_-]+)$/, async (asked) => example(asked, null)],
  ['POST', /^\/api\/games\/([^/]+)\/examples\/([a-z0-9_-]+)$/, async (asked) => example(asked, asked.body.moves)],
];

/** @param {unknown} content @param {number} [status] @returns {Answer} */
const answered = (content, status = 200) => ({ status, body: JSON.stringify(content) });

/** @param {string} code @param {string} text @param {number} status @param {Record<string, unknown>} [values] for the words of the code */
const refusal = (code, text, status, values) => answered({ type: 'error', id: null, code, text, values }, status);

/** The answer to a request; a refusal is one, too. @param {House} house @param {Request} request @returns {Promise<Answer>} */
export async function answerOf(house, { method, path, body, token = '' }) {
  try {
    const { pathname, searchParams } = new URL(path, import.meta.url);
    for (const [how, where, work] of ROUTES) {
      const found = how === method ? where.exec(pathname) : null;
      if (found) {
        const parts = found.slice(1).map(decodeURIComponent);
        return await work({ house, parts, query: searchParams, body: bodyOf(method, body), token: token || null });
      }
    }
    throw new Refused('not_found', 'There is nothing here.');
  } catch (problem) {
    if (problem instanceof BadFile) return refusal(problem.code, problem.message, BAD_FILE, problem.values);
    const { code, message, status } = refusalOf(problem);
    return refusal(code, message, status);
  }
}

/** @param {string} method @param {unknown} body @returns {Record<string, unknown>} */
function bodyOf(method, body) {
  if (method !== 'POST') return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refused('malformed', 'Bodies are JSON objects.');
  return /** @type {Record<string, unknown>} */ (body);
}

/** @param {string | null} text @param {number} otherwise */
function numberOf(text, otherwise) {
  if (text === null) return otherwise;
  if (!/^[0-9]{1,9}$/.test(text)) throw new Refused('malformed', 'Numbers are written in digits.');
  return Number(text);
}

/** @param {Asked} asked @returns {Promise<Answer>} */
async function openTable({ house, body }) {
  return seated('file' in body ? await importMatch(house, body) : await house.open(body));
}

/** @param {Asked} asked @returns {Promise<Answer>} */
async function joinTable({ house, parts: [id = ''], body }) {
  return seated(await house.join(await house.find(id), body));
}

/** Links lead nowhere but to this device: they are relative. @param {import('./house.js').Seated} one */
const seated = (one) => answered({ ...one, link: `/t/${one.table}`, own_link: `/t/${one.table}#${one.token}` }, JOINED);

/** @param {Asked} asked @returns {Promise<Answer>} */
async function removeTable({ house, parts: [id = ''] }) {
  await house.remove(id);
  return answered({});
}

/** A match at a table, if whoever asks may see it: during a match, players their own seat, and spectators what they saw. @param {Asked} asked @param {number | null} seat */
async function wanted({ house, parts: [id = '', digits = ''], token }, seat) {
  const { table } = await house.find(id), number = Number(digits), over = isOver(table, number);
  if (seat !== null && seat >= table.chairs.length) throw new Refused('not_found', 'There is no such seat at this table.');
  const own = token === null ? null : table.seatOf(token);
  if (own === null && !table.setup.watch) throw new Refused('unauthorized', 'This table does not allow spectators.');
  if (seat !== null && seat !== own && !over) throw new Refused('unauthorized', 'During a match you can replay only your own seat.');
  return { table, number, lines: await house.store.lines(id, 0) };
}

/** @param {Asked} asked @returns {Promise<Answer>} */
async function steps(asked) {
  const { query } = asked, from = numberOf(query.get('from'), 0), count = numberOf(query.get('count'), 50);
  const seat = query.has('seat') ? numberOf(query.get('seat'), 0) : null, open = query.get('open') === 'true';
  const { table, lines, number } = await wanted(asked, seat);
  return { status: 200, body: stepsOf(table, lines, number, { from, count, seat, open }) };
}

/** @param {Asked} asked @returns {Promise<Answer>} */
async function matchFile(asked) {
  const { table, lines, number } = await wanted(asked, null);
  return { status: 200, body: fileOf(table, lines, number) };
}

/** Steps of a match that is given as a file: whoever has that may know everything. @param {Asked} asked @returns {Promise<Answer>} */
async function replayed({ house, body: { file: text, from = 0, count = 50, seat = null, open = false } }) {
  const { file, engine } = await opened(house, text);
  const numbers = /** @type {number[]} */ ([from, count, seat ?? 0]);
  if (!numbers.every((one) => Number.isInteger(one) && one >= 0) || Number(seat) >= file.players) {
    throw new Refused('malformed', 'from, count and seat are numbers.');
  }
  const [first = 0, most = 0, viewer = 0] = numbers;
  return { status: 200, body: stepsOfFile(engine, file, { from: first, count: most, seat: seat === null ? null : viewer, open: open === true }) };
}

/** Whether a live match was dealt as promised, and shown as it was: the page says what it was told of it. @param {Asked} asked @returns {Promise<Answer>} */
async function verdict({ house, body: { game, ...told } }) {
  const engine = await house.engineOf(String(game));
  return answered(verify(engine, /** @type {Parameters<typeof verify>[1]} */ (told)));
}

/** @param {Asked} asked @param {unknown} moves null to begin @returns {Promise<Answer>} */
async function example({ house, parts: [game = '', name = ''] }, moves) {
  const [engine, all] = await Promise.all([house.engineOf(game), house.examplesOf(game)]);
  const found = Object.hasOwn(all, name) ? all[name] : null;
  if (!found) throw new Refused('no_device', 'There is no such example on this device.'); // a server may have it
  return { status: 200, body: exampleAnswer(engine, found, moves) };
}
