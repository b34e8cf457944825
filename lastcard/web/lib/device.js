// The page's end of the worker that plays on this device: requests, and connections to its tables.

import { Refused } from './refused.js';

const HERE = 'here-'; // how the ids of tables on a device begin
const DATABASE = 'lastcard'; // as the worker names it
const LOST = 1006; // as of a WebSocket whose server is gone

/** Whether a table is on this device. @param {string} table its id */
export const isHere = (table) => table.startsWith(HERE);

/** Whether this is a request about one. @param {string} path */
export const isAboutHere = (path) => path.startsWith(`/api/tables/${HERE}`);

/** Whether this device may have tables: then it is worth the time to ask. */
export async function mayHaveTables() {
  const all = await globalThis.indexedDB?.databases?.().catch(() => null); // forbidden
  return all?.some(({ name }) => name === DATABASE) ?? false;
}

/** @typedef {{status: number, body: string}} Answer */
/** @typedef {{resolve: (answer: Answer) => void, reject: (problem: Refused) => void}} Asker */
/** Why nothing is kept. @typedef {import('../device/store.js').Why} Why */

/** @type {Worker | null} */
let worker = null;
let ready = false; // whether the worker has said anything
let last = 0; // the number of the last request or connection
/** @type {Map<number, Asker>} */
const asked = new Map();
/** @type {Map<number, Line>} */
const lines = new Map();
/** @type {Why | null} */
let unkept = null;
/** @type {(why: Why) => void} */
let onUnkept = () => {};

/** Whoever is to tell the player, once, that matches on this device will not be kept. @param {(why: Why) => void} tell */
export function whenUnkept(tell) {
  onUnkept = tell;
  if (unkept) tell(unkept);
}

/** The worker, started when it is first needed; refused where there can be none. */
function started() {
  if (worker) return worker;
  if (typeof Worker === 'undefined' || typeof WebAssembly === 'undefined') throw new Refused('no_device', '');
  try {
    worker = new Worker(new URL('../device/worker.js', import.meta.url), { type: 'module' });
  } catch {
    throw new Refused('no_device', ''); // forbidden
  }
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = (event) => {
    if (ready) console.error(event.message); // one request has failed, which is answered
    else lose();
  };
  return worker;
}

/** It could not be loaded. Who asks again tries again. */
function lose() {
  worker?.terminate();
  [worker, ready] = [null, false];
  for (const { reject } of asked.values()) reject(new Refused('no_device', ''));
  asked.clear();
  for (const line of [...lines.values()]) line.closed(LOST);
}

/** @param {{ready?: true, answer?: number, status?: number, body?: string, from?: number, message?: string, closed?: number, code?: number, unkept?: Why}} said */
function hear(said) {
  ready = true;
  const { answer, status = 0, body = '', from, message = '', closed, code = LOST } = said;
  if (answer !== undefined) {
    asked.get(answer)?.resolve({ status, body });
    asked.delete(answer);
  }
  if (from !== undefined) lines.get(from)?.onmessage({ data: message });
  if (closed !== undefined) lines.get(closed)?.closed(code);
  if (said.unkept) {
    unkept = said.unkept;
    onUnkept(unkept);
  }
}

/**
 * A request, as to a server: the text of the answer.
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, token?: string | undefined}} [more]
 * @returns {Promise<string>}
 */
export async function askHere(method, path, { body, token } = {}) {
  const to = started(), number = (last += 1);
  /** @type {Answer} */
  const answer = await new Promise((resolve, reject) => {
    asked.set(number, { resolve, reject });
    to.postMessage({ ask: number, method, path, body, token });
  });
  if (answer.status < 400) return answer.body;
  const { code, text, values } = JSON.parse(answer.body);
  throw new Refused(code, text, values);
}

/** A connection to a table on this device: to be used like a WebSocket. */
export class Line {
  /** @param {string} table */
  constructor(table) {
    /** @type {number} */
    this.readyState = WebSocket.CONNECTING;
    /** @type {() => void} */
    this.onopen = () => {};
    /** @type {(event: {data: string}) => void} */
    this.onmessage = () => {};
    /** @type {(event: {code: number}) => void} */
    this.onclose = () => {};
    this._number = last += 1;
    this._table = table;
    lines.set(this._number, this);
    queueMicrotask(() => this._open()); // whoever made it listens by then
  }

  _open() {
    if (this.readyState !== WebSocket.CONNECTING) return;
    try {
      started().postMessage({ open: this._number, table: this._table });
    } catch {
      this.closed(LOST);
      return;
    }
    this.readyState = WebSocket.OPEN;
    this.onopen();
  }

  /** @param {string} message */
  send(message) {
    worker?.postMessage({ say: this._number, message });
  }

  close() {
    worker?.postMessage({ close: this._number });
    this.closed(1000);
  }

  /** @param {number} code */
  closed(code) {
    if (!lines.delete(this._number)) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose({ code });
  }
}
