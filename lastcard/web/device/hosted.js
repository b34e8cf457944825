// A table in memory: its state, who is connected to it, and since when.

import { now } from './clock.js';
import { Window } from './window.js';

/** @typedef {import('./table.js').Happened} Happened */

/**
 * A connection to a table.
 * @typedef {object} Client
 * @property {number | null} seat null for a spectator
 * @property {(message: string) => void} send JSON
 * @property {(code: number) => void} close
 */

export class HostedTable {
  /** @param {import('./table.js').Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Set<Client>} */
    this.clients = new Set();
    /** @type {Map<number | null, Window>} */
    this.windows = new Map();
    /** @type {Map<number, number>} */
    this.gone = new Map(); // people not connected, and since when
    /** @type {Map<number, number>} */
    this.back = new Map(); // who returned after their clock ran out
    /** @type {Map<string, (number | null)[]>} */
    this.elsewhere = new Map(); // clients by tab
    /** @type {Set<number>} */
    this.advised = new Set(); // seats with a hint under way
    /** @type {Set<number>} */
    this.hurried = new Set(); // people who are only waiting for bots
    /** @type {Set<() => void>} */
    this.pausing = new Set(); // wakes bots that have decided and wait
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Map<string, number>} */
    this.joined = new Map(); // seats by the ids of requests, which may be repeated
    this.asked = -1; // the version for which bots were last asked to act out of turn
    this.thinking = -1; // the version whose turn is under way
    this.mine = true; // this tab wrote the last entry, so it takes the next turn
    this.newest = 0; // the number of the last entry that other tabs announced
    this.used = now();
    /** @type {Promise<unknown>} */
    this._turn = Promise.resolve();
    this.noteGone();
  }

  /** One thing at a time. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  locked(work) {
    const done = this._turn.then(work);
    this._turn = done.catch(() => {});
    return done;
  }

  /** The seats of people who are connected, from any tab. */
  get here() {
    return new Set(this._connected.filter((seat) => seat !== null));
  }

  get watching() {
    return this._connected.filter((seat) => seat === null).length;
  }

  get _connected() {
    return [...[...this.clients].map(({ seat }) => seat), ...[...this.elsewhere.values()].flat()];
  }

  noteGone() {
    const { here } = this;
    for (const seat of this.table.people) {
      if (here.has(seat)) this.gone.delete(seat);
      else if (!this.gone.has(seat)) this.gone.set(seat, now());
    }
  }

  /** Whose agreement is needed: people who are here, or were until a moment ago. @returns {Set<number>} */
  get electorate() {
    const { chairs, people, setup: { grace } } = this.table, at = now();
    return new Set(people.filter((seat) => {
      const since = this.gone.get(seat);
      return !chairs[seat]?.left && (since === undefined || grace === null || at < since + grace);
    }));
  }

  /** Bots need not pause for this seat. Once all people say so, they move at once. @param {number} seat */
  hurry(seat) {
    this.hurried.add(seat);
    if (this._allHurry) for (const wake of [...this.pausing]) wake();
  }

  get _allHurry() {
    return this.hurried.size > 0 && [...this.electorate].every((seat) => this.hurried.has(seat));
  }

  /** How long a bot waits before it moves. @param {import('./times.js').Times} times @param {boolean} slow */
  pace(times, slow) {
    if (this._allHurry) return Math.min(times.hurry, times.pace);
    return slow ? times.patience : times.pace;
  }

  /** When the seat runs out of time. @param {number} seat */
  clockOf(seat) {
    const { setup: { clock }, askedAt } = this.table, asked = askedAt.get(seat);
    if (clock === null || asked === undefined) return Infinity;
    return Math.max(asked, this.back.get(seat) ?? asked) + clock;
  }

  /** Time left on the clock, if there is one. */
  get seconds() {
    const { setup: { clock }, status, askedAt } = this.table;
    if (clock === null || status !== 'playing' || !askedAt.size) return null;
    const ends = [...askedAt.keys()].map((seat) => this.clockOf(seat));
    return Math.round(Math.max(Math.min(...ends) - now(), 0) * 10) / 10;
  }

  /** @param {number | null} seat */
  window(seat) {
    const found = this.windows.get(seat) ?? new Window(this.table.engine, seat);
    this.windows.set(seat, found);
    return found;
  }

  // --- What is public ---

  /** Everything about the table but its cards. @returns {import('../types').Table} */
  shown() {
    const { table, here } = this, { setup } = table, over = table.status === 'over';
    return {
      id: table.id, game: setup.game, players: table.chairs.length, options: setup.options, public: setup.public, watch: setup.watch,
      clock: setup.clock, grace: setup.grace, undo: setup.undo, status: table.status,
      seats: table.chairs.map(({ kind, name, level, left, seed, pronoun }, seat) => ({
        kind, name, level: level || null, here: here.has(seat), left, seed: table.match ? table.dealtSeeds[seat] ?? null : seed, pronoun,
      })),
      number: table.number, commitment: table.commitment, next_commitment: table.nextCommitment,
      secret: over ? table.shuffle?.secret ?? null : null, key: over ? table.keyDigits : null,
      agreed: [...table.agreed].sort((a, b) => a - b), seconds: this.seconds, watching: this.watching,
    };
  }

  // --- What the clients are sent ---

  /** Everything the client may know. @param {Client} client */
  welcome(client) {
    const match = this.window(client.seat).shown(this.table);
    client.send(`{"type":"welcome","seat":${client.seat},"table":${JSON.stringify(this.shown())},"match":${match}}`);
  }

  /** What an entry has changed: to each client as much as its seat may know. @param {Happened} happened */
  tell(happened) {
    if (happened.undone !== null) this.tellAll({ type: 'undone', seat: happened.undone });
    if (happened.log || happened.whole) this._tellMatch(happened);
    if (happened.table) this.tellTable();
  }

  /** @param {Happened} happened */
  _tellMatch(happened) {
    const { seconds } = this, made = new Map();
    for (const { seat } of this.clients) {
      const window = this.window(seat);
      if (!made.has(seat)) made.set(seat, happened.whole ? window.anew(this.table) : window.update(this.table, happened, seconds));
    }
    for (const client of this.clients) client.send(made.get(client.seat));
  }

  /** The table as it is now, without its cards. @param {Client} [but] */
  tellTable(but) {
    const message = JSON.stringify({ type: 'table', table: this.shown() });
    for (const client of this.clients) if (client !== but) client.send(message);
  }

  /** The whole match, to one client that has fallen behind. @param {Client} client */
  tellWhole(client) {
    if (this.table.match) client.send(this.window(client.seat).anew(this.table));
  }

  /** @param {unknown} message */
  tellAll(message) {
    const text = JSON.stringify(message);
    for (const client of this.clients) client.send(text);
  }
}
