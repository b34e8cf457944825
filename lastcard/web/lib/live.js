// The connection to a table: it comes back by itself, and sends an unanswered move again.

import { newId } from './api.js';

const LOST = [300, 700, 1500, 3000, 5000]; // milliseconds before the next try
const ANSWER = 5000; // milliseconds for a sign of life
const FINAL = [1008, 4004]; // closed with these, it is no use to come back

/** @typedef {'connecting' | 'here' | 'lost' | 'gone'} State */

export class Live {
  /**
   * @param {string} table
   * @param {string | null} token
   * @param {(message: any) => void} hear
   * @param {(state: State) => void} changed
   */
  constructor(table, token, hear, changed) {
    this._url = new URL(`/api/tables/${encodeURIComponent(table)}/live`, location.href);
    this._url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this._token = token;
    this._hear = hear;
    this._changed = changed;
    this._tries = 0;
    this._closed = false;
    /** @type {WebSocket | null} */
    this._socket = null;
    /** @type {any} */
    this._move = null; // sent, and not answered yet
    /** @type {Map<string, (answer: any) => void>} */
    this._answers = new Map();
    this._wake = () => this.check();
    document.addEventListener('visibilitychange', this._wake);
    window.addEventListener('online', this._wake);
    this._open();
  }

  close() {
    this._closed = true;
    clearTimeout(this._timer);
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
   * Sends anything else; comes back with the answer: an ok, an error or a hint.
   * @param {string} type
   * @param {Record<string, unknown>} [more]
   * @returns {Promise<any>}
   */
  say(type, more = {}) {
    const id = newId();
    return new Promise((resolve) => {
      this._answers.set(id, resolve);
      if (!this._send({ type, id, ...more })) this._answered(id, { type: 'error', code: 'offline' });
    });
  }

  /** After a pause of the device: is the connection still there? */
  check() {
    if (document.hidden || this._closed) return;
    if (this._socket?.readyState === WebSocket.OPEN) {
      clearTimeout(this._doubt);
      this._doubt = setTimeout(() => this._socket?.close(), ANSWER);
      this.say('ping').then(() => clearTimeout(this._doubt));
    } else if (this._socket?.readyState !== WebSocket.CONNECTING) {
      this._tries = 0;
      this._open();
    }
  }

  _open() {
    clearTimeout(this._timer);
    const socket = (this._socket = new WebSocket(this._url));
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', token: this._token }));
    socket.onmessage = ({ data }) => this._heard(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (socket !== this._socket) return;
      for (const id of [...this._answers.keys()]) this._answered(id, { type: 'error', code: 'offline' });
      if (this._closed) return;
      if (FINAL.includes(code)) {
        this._changed('gone');
        return;
      }
      this._changed('lost');
      this._timer = setTimeout(() => this._open(), LOST[Math.min(this._tries++, LOST.length - 1)]);
    };
  }

  /** @param {any} message */
  _heard(message) {
    if (message.type === 'welcome') {
      this._tries = 0;
      this._changed('here');
    }
    const answer = ['ok', 'error', 'hint'].includes(message.type) && message.id;
    if (answer && answer === this._move?.id) this._move = null;
    else if (answer && this._answers.has(answer)) {
      this._answered(answer, message);
      return;
    }
    this._hear(message);
    if (message.type === 'welcome' && this._move) this._send(this._move); // again, with the same id
  }

  /** @param {string} id @param {any} answer */
  _answered(id, answer) {
    this._answers.get(id)?.(answer);
    this._answers.delete(id);
  }

  /** @param {unknown} message */
  _send(message) {
    if (this._socket?.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }
}
