// A place at a table: the connection, everything it has sent, and what may be asked of the server.

import { address, path } from '../lib/address.js';
import { ask, codeOf, joinTable } from '../lib/api.js';
import { Connection } from '../lib/connection.js';
import { isHere } from '../lib/device.js';
import { forget, get, keep, keepToken, set } from '../lib/settings.js';
import { readBy } from '../lib/words.js';
import { Clock } from './clock.js';
import { EventLog } from './eventlog.js';
import { requestAs, seatsHere } from './handover.js';
import { Witness, shelf } from './witness.js';
import { seating } from './words.js';

/** @param {import('../types').Happening} event */
const endsRound = ({ kind }) => kind === 'scored';

/**
 * @typedef {object} Listener
 * @property {(message: import('../types').Message) => Promise<void> | void} message called with one message after the other
 * @property {(state: import('../lib/connection.js').State) => void} state the connection's
 * @property {(code: string) => void} refused a request
 */

export class Session {
  /**
   * @param {string} id of the table
   * @param {import('../types').Table} table as the server describes it
   * @param {Listener} listener
   */
  constructor(id, table, listener) {
    this.id = id;
    this.table = table;
    /** @type {number | null} */
    this.seat = null;
    /** @type {string | null} */
    this.token = null;
    /** @type {import('../types').Match | null} */
    this.match = null;
    /** @type {import('../types').View | null} */
    this.view = null;
    this.clock = new Clock();
    this.events = new EventLog();
    /** What is dealt on this device needs none. */
    this.witness = isHere(id) ? null : new Witness(id, shelf());
    this.witness?.promise(table);
    /** @type {Connection | null} */
    this.connection = null;
    /** @type {import('../lib/connection.js').State} */
    this.state = 'connecting';
    this._listener = listener;
    /** @type {import('../types').Message[]} */
    this._queue = []; // messages still to be handled
    this._handling = false;
  }

  /** Who sits where, as seen from here. */
  get at() {
    return seating(this.table, this.seat);
  }

  /** The seats of people on this device. */
  get here() {
    return seatsHere(this.id);
  }

  /** How many messages wait to be handled. */
  get backlog() {
    return this._queue.length;
  }

  /** @param {string | null} token */
  connect(token) {
    this.connection?.close();
    this._queue = [];
    this.token = token;
    this.connection = new Connection(this.id, token, (message) => this.receive(message), (state) => {
      this.state = state;
      this._listener.state(state);
    });
  }

  close() {
    this.connection?.close();
  }

  /** Disconnects, and drops everything that only this seat may know. */
  forget() {
    this.close();
    this.connection = null;
    this._queue = [];
    this.view = this.match = null;
    this.events.forget();
    this.witness?.forget();
  }

  // --- Messages ---

  /** Messages queue up, so that moves are shown one after the other. @param {import('../types').Message} message */
  async receive(message) {
    this.witness?.hear(message); // as it was shown, however long it waits to be handled
    this._queue.push(message);
    if (this._handling) return;
    this._handling = true;
    try {
      for (let next = this._queue.shift(); next; next = this._queue.shift()) await this._listener.message(next);
    } finally {
      this._handling = false;
    }
  }

  /** Takes the next message off the queue if it is a move within the round. */
  takeMove() {
    const [next] = this._queue;
    if (next?.type !== 'update' || !this.view || !this.match || next.events.some(endsRound)) return null;
    this._queue.shift();
    return next;
  }

  /** @param {import('../types').Welcome} message */
  welcome(message) {
    this.events.doubt(); // something may have happened while we were offline
    this.seat = message.seat;
    const { seats } = message.table;
    readBy(this.seat === null ? get().pronoun || null : seats[this.seat]?.pronoun ?? null); // several people may share this device
    if (this.seat !== null && this.token) keepToken(this.id, this.seat, this.token);
    history.replaceState(history.state, '', address(path())); // not earlier: a reload before this still needs the token
    const people = seats.filter((chair) => chair.kind === 'person');
    keep(this.id, { game: this.table.game, names: people.map((chair) => chair.name) });
  }

  /** @param {import('../types').Table} table */
  setTable(table) {
    this.table = table;
    this.clock.set(table.status === 'playing' ? table.seconds : null);
    if (table.status === 'over') keep(this.id, { matches: table.number });
  }

  /** @param {import('../types').Match} match */
  setMatch(match) {
    if (this.match?.number !== match.number) {
      this.events.forget();
      this.events.complete = match.view.round === 1 && this.match !== null;
    }
    this.match = match;
    this.view = match.view;
  }

  /** Takes in an update without showing it. @param {import('../types').Update} message @returns {import('../types').View} */
  update(message) {
    this.view = /** @type {import('../types').View} */ ({ ...this.view, ...message.changes });
    this.match = /** @type {import('../types').Match} */ ({ ...this.match, version: message.version, undo: message.undo });
    this.clock.set(message.seconds);
    this.events.add(message.version, message.events);
    return this.view;
  }

  // --- Requests ---

  /** Sends an action; false if that is not possible now. @param {string} action */
  move(action) {
    if (!this.connection || !this.match || this.connection.busy) return false;
    this.connection.move(this.match.version, action);
    return true;
  }

  /**
   * @param {string} type
   * @param {Record<string, unknown>} [more]
   */
  async request(type, more) {
    const { connection } = this;
    const answer = await connection?.request(type, more);
    // Passing the device on closes the connection: then nothing went wrong.
    if (answer?.type === 'error' && connection === this.connection) this._listener.refused(answer.code);
    return answer;
  }

  /** For everybody else on this device. @param {string} type */
  async requestForOthers(type) {
    for (const seat of this.here) if (seat !== this.seat) await requestAs(this.id, seat, type);
  }

  /** @param {string} name @param {'' | 'he' | 'she'} pronoun */
  async join(name, pronoun) {
    try {
      const seated = await joinTable(this.id, name, pronoun || null);
      set({ name, pronoun });
      keep(this.id, { game: this.table.game });
      keepToken(this.id, seated.seat, seated.token);
      this.connect(seated.token);
    } catch (problem) {
      this._listener.refused(codeOf(problem));
      this.table = await ask(`/api/tables/${encodeURIComponent(this.id)}`).catch(() => this.table); // somebody was quicker?
      if (this.table.status !== 'open') this.connect(null);
    }
  }

  /** Everybody on this device leaves; whether that worked. */
  async leave() {
    const answer = await this.request('leave');
    if (answer?.type === 'error' && answer.code === 'offline') return false; // forgetting the seat now would lose it
    await this.requestForOthers('leave');
    this.witness?.close();
    forget(this.id);
    return true;
  }

  /**
   * The last steps of the match as this seat may see them; none if the device has been passed on by the time they
   * arrive, since nobody else may see them.
   * @param {number} most
   * @returns {Promise<import('../types').Step[]>}
   */
  async lastSteps(most) {
    const { connection } = this;
    const path = `/api/tables/${this.id}/matches/${this.match?.number}/steps?${this.seat === null ? '' : `seat=${this.seat}&`}`;
    const more = { token: this.token ?? undefined };
    const { of } = await ask(`${path}count=1`, more).catch(() => ({ of: 0 }));
    const answer = await ask(`${path}from=${Math.max(0, of - most)}&count=${most}`, more).catch(() => null);
    return connection === this.connection ? (answer?.steps ?? []) : [];
  }
}
