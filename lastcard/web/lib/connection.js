// The connection to a table: reconnects by itself and resends an unanswered move.

import { newId } from './api.js';
import { Line, isHere } from './device.js';

const RETRY = [300, 700, 1500, 3000, 5000]; // milliseconds before each attempt to reconnect
const PING_TIMEOUT = 5000; // milliseconds
const FINAL = [1008, 4004]; // close codes after which reconnecting is pointless

/** @typedef {'connecting' | 'here' | 'lost' | 'gone'} State */

export class Connection {
  /**
   * @param {string} table
   * @param {string | null} token
   * @param {(message: import('../types').Message) => void} onMessage
   * @param {(state: State) => void} onState
   */
  constructor(table, token, onMessage, onState) {
    this._table = table;
    this._token = token;
    this._onMessage = onMessage;
    this._onState = onState;
    this._attempts = 0;
    this._closed = false;
    /** @type {WebSocket | Line | null} */
    this._socket = null;
    /** @type {{type: 'move', version: number, action: string, id: string} | null} */
    this._move = null; // sent, but not yet answered
    /** @type {Map<string, (answer: import('../types').Answer) => void>} */
    this._waiting = new Map(); // who waits for an answer, by the request's id
    this._wake = () => this.check();
    document.addEventListener('visibilitychange', this._wake);
    window.addEventListener('online', this._wake);
    this._open();
  }

  close() {
    this._closed = true;
    clearTimeout(this._retryTimer);
    document.removeEventListener('visibilitychange', this._wake);
    window.removeEventListener('online', this._wake);
    const socket = this._socket;
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  /** Whether a move is on its way. */
  get busy() {
    return this._move !== null;
  }

  /**
   * @param {number} version
   * @param {string} action
   */
  move(version, action) {
    if (this._move) return;
    this._move = { type: 'move', version, action, id: newId() };
    this._send(this._move);
  }

  /**
   * Sends any other message; resolves to the answer: an ok, an error or a hint.
   * @param {string} type
   * @param {Record<string, unknown>} [more]
   * @returns {Promise<import('../types').Answer>}
   */
  request(type, more = {}) {
    const id = newId();
    return new Promise((resolve) => {
      this._waiting.set(id, resolve);
      if (!this._send({ type, id, ...more })) this._answer(offline(id));
    });
  }

  /** Checks that the connection has survived, say after the device slept. */
  check() {
    if (document.hidden || this._closed) return;
    if (this._socket?.readyState === WebSocket.OPEN) {
      clearTimeout(this._pingTimer);
      this._pingTimer = setTimeout(() => this._socket?.close(), PING_TIMEOUT);
      this.request('ping').then(() => clearTimeout(this._pingTimer));
    } else if (this._socket?.readyState !== WebSocket.CONNECTING) {
      this._attempts = 0;
      this._open();
    }
  }

  _open() {
    clearTimeout(this._retryTimer);
    const socket = (this._socket = isHere(this._table) ? new Line(this._table) : new WebSocket(liveAt(this._table)));
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', token: this._token }));
    socket.onmessage = (/** @type {{data: string}} */ { data }) => this._receive(JSON.parse(data));
    socket.onclose = (/** @type {{code: number}} */ { code }) => {
      if (socket !== this._socket) return;
      for (const id of [...this._waiting.keys()]) this._answer(offline(id));
      if (this._closed) return;
      if (FINAL.includes(code)) {
        this._onState('gone');
        return;
      }
      this._onState('lost');
      this._retryTimer = setTimeout(() => this._open(), RETRY[Math.min(this._attempts++, RETRY.length - 1)]);
    };
  }

  /** @param {import('../types').Message} message */
  _receive(message) {
    if (message.type === 'welcome') {
      this._attempts = 0;
      this._onState('here');
    }
    const answer = message.type === 'ok' || message.type === 'error' || message.type === 'hint' ? message : null, id = answer?.id;
    if (id && id === this._move?.id) this._move = null;
    else if (id && this._waiting.has(id)) {
      this._answer(answer);
      return;
    }
    this._onMessage(message);
    if (message.type === 'welcome' && this._move) this._send(this._move); // again, under the same id
  }

  /** @param {import('../types').Answer} answer */
  _answer(answer) {
    const id = answer.id ?? '';
    this._waiting.get(id)?.(answer);
    this._waiting.delete(id);
  }

  /** @param {unknown} message */
  _send(message) {
    if (this._socket?.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }
}

/** @param {string} table */
function liveAt(table) {
  const url = new URL(`/api/tables/${encodeURIComponent(table)}/live`, location.href);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** @param {string} id of a request @returns {import('../types').Refusal} */
const offline = (id) => ({ type: 'error', id, code: 'offline', text: '' });
