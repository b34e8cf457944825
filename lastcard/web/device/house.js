// All tables on this device: people open them, join, connect and disconnect, as docs/protocol.md says.

import { notLater, now } from './clock.js';
import { readEntry } from './entries.js';
import { HostedTable } from './hosted.js';
import { idOf, readMessage } from './messages.js';
import { randomBytes } from './random.js';
import { Refused, refusalOf } from './refusals.js';
import { tokenOf } from './secrets.js';
import { checkedSetup, readPronoun } from './setup.js';
import { hex, newSecret } from './shuffle.js';
import { Table } from './table.js';
import { Tabs } from './tabs.js';
import { TIMES } from './times.js';
import { Turns } from './turns.js';
import { adviceOf, likedOf } from './window.js';
import { Writer, damaged, summaryOf } from './writer.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./hosted.js').Client} Client */
/** @typedef {import('./messages.js').Asked} Asked */

/**
 * Who thinks for bots, from what their seat may know.
 * @typedef {object} Thinking
 * @property {(engine: Engine, hidden: Uint8Array, seat: number, level: string) => Promise<number | null>} decide null to do nothing
 * @property {(engine: Engine, hidden: Uint8Array, seat: number) => Promise<import('./types').Judgement[]>} advise
 * @property {(engine: Engine, hidden: Uint8Array, seat: number) => Promise<import('./types').Opinion[]>} opinions
 *
 * @typedef {object} Parts
 * @property {import('./store.js').Store} store
 * @property {(game: string) => Promise<Engine>} engineOf
 * @property {(game: string) => Promise<Record<string, import('./examples.js').Compiled>>} examplesOf
 * @property {Thinking} thinkers
 * @property {import('./times.js').Times} [times]
 *
 * @typedef {{table: string, seat: number, token: string}} Seated
 */

export const HERE = 'here-'; // how the ids of tables on a device begin
const MOST_KEPT = 60; // tables
const POLICY = 1008, NO_TABLE = 4004; // close codes

/** The higher, the longer a table is kept. @param {import('./store.js').Listed} listed */
const rank = ({ summary, at }) => (summary.status === 'over' || !summary.people.length ? 0 : 1e15) + at;

export class House {
  /** @param {Parts} parts */
  constructor({ store, engineOf, examplesOf, thinkers, times = TIMES }) {
    this.store = store;
    this.engineOf = engineOf;
    this.examplesOf = examplesOf;
    this._thinkers = thinkers;
    this._times = times;
    /** @type {Map<string, Promise<HostedTable>>} */
    this._tables = new Map(); // in memory, or being read
    /** @type {Map<string, HostedTable>} */
    this._read = new Map();
    this._tabs = new Tabs(hex(randomBytes(8)), times, {
      entry: (id, seq) => this._with(id, (hosted) => this._writer.readOn(hosted, seq)),
      here: (id, tab, seats) => this._with(id, (hosted) => this._setElsewhere(hosted, tab, seats)),
      asked: (ids) => ids.forEach((id) => this._with(id, (hosted) => this._tellWhoIsHere(hosted))),
      silent: (tab) => this._read.forEach((hosted) => this._setElsewhere(hosted, tab, [])),
      reaction: (id, seat, reaction) => this._with(id, (hosted) => hosted.tellAll({ type: 'reaction', seat, reaction })),
      removed: (id) => this._drop(id, NO_TABLE),
    });
    this._writer = new Writer(store, {
      changed: (hosted) => this._turns.schedule(hosted),
      broken: (hosted, { code, message }) => {
        hosted.tellAll({ type: 'error', id: null, code, text: message });
        this._drop(hosted.table.id, POLICY);
      },
      wrote: (hosted) => this._tabs.tell({ entries: { [hosted.table.id]: hosted.table.seq } }),
    });
    this._turns = new Turns(this._writer, thinkers, times);
    this._beat = setInterval(() => this._look(), 1000 * times.heartbeat);
  }

  close() {
    clearInterval(this._beat);
    for (const hosted of this._read.values()) this._turns.cancel(hosted);
    this._tabs.close();
  }

  // --- Tables in memory ---

  /** A table, from memory or from its journal; refused if there is none. @param {string} id @returns {Promise<HostedTable>} */
  find(id) {
    const known = this._tables.get(id) ?? this._readTable(id);
    this._tables.set(id, known);
    known.catch(() => this._tables.delete(id));
    return known;
  }

  /** @param {string} id */
  async _readTable(id) {
    const founded = await this.store.get(id);
    if (!founded) throw new Refused('not_found', 'There is no such table on this device.');
    const table = new Table(await this.engineOf(founded.setup.game), founded);
    for (const { seq, at, entry } of await this.store.lines(id, 0)) {
      try {
        if (seq !== table.seq + 1) throw new Error(`entry ${table.seq + 1} is missing`);
        table.fold(readEntry(entry), notLater(at));
      } catch (problem) {
        throw damaged(seq, problem);
      }
    }
    return this._put(table);
  }

  /** @param {Table} table */
  _put(table) {
    const hosted = new HostedTable(table);
    this._read.set(table.id, hosted);
    this._tables.set(table.id, Promise.resolve(hosted));
    this._tabs.tell({ asking: [table.id] });
    return hosted;
  }

  /** @param {string} id @param {(hosted: HostedTable) => void} work */
  _with(id, work) {
    const hosted = this._read.get(id);
    if (hosted) work(hosted);
  }

  /** Tells other tabs who is here, and drops tables that nobody looks at; their journals keep them. */
  _look() {
    this._tabs.forgetTheSilent();
    const idle = now() - this._times.linger;
    for (const [id, hosted] of this._read) {
      if (hosted.clients.size) this._tellWhoIsHere(hosted);
      else if (hosted.used < idle) this._forget(id);
    }
  }

  /** @param {string} id */
  _forget(id) {
    this._with(id, (hosted) => this._turns.cancel(hosted));
    this._read.delete(id);
    this._tables.delete(id);
  }

  /** Sends everybody away. @param {string} id @param {number} code */
  _drop(id, code) {
    this._with(id, (hosted) => [...hosted.clients].forEach((client) => client.close(code)));
    this._forget(id);
  }

  // --- Taking a seat ---

  /** A new table, with the person who opens it in the first seat. @param {Record<string, unknown>} wanted @returns {Promise<Seated>} */
  async open({ name, seed = null, pronoun, ...setup }) {
    if (typeof setup.game !== 'string') throw new Refused('malformed', 'Which game?');
    const engine = await this.engineOf(setup.game), chosen = readPronoun(pronoun);
    const id = `${HERE}${hex(randomBytes(8))}`;
    const founded = { id, created: now(), setup: checkedSetup(setup, engine.facts), secret: newSecret() };
    const table = new Table(engine, founded), token = tokenOf(founded.secret, 0);
    const entry = table.join(/** @type {string} */ (name), /** @type {string | null} */ (seed), token, chosen);
    await this.found(table, [entry]);
    return { table: id, seat: entry.seat, token };
  }

  /** Keeps a new table, with its first entries; false if there is such a table already. @param {Table} table @param {import('./entries.js').Entry[]} entries */
  async found(table, entries) {
    const at = table.founded.created, lines = entries.map((entry, place) => ({ table: table.id, seq: place + 1, at, entry }));
    for (const entry of entries) table.fold(entry, at);
    if (!await this.store.found({ ...table.founded, summary: summaryOf(table), at: Date.now() }, lines)) return false;
    this._put(table);
    await this._tidy(table.id);
    return true;
  }

  /** Drops the oldest tables beyond what is kept, those first that are over or abandoned; but none that somebody looks at. @param {string} latest */
  async _tidy(latest) {
    const all = (await this.store.list()).sort((a, b) => rank(b) - rank(a));
    for (const { id } of all.slice(MOST_KEPT)) if (id !== latest && !this._read.get(id)?.clients.size) await this.remove(id);
  }

  /** @param {HostedTable} hosted @param {Record<string, unknown>} wanted @returns {Promise<Seated>} */
  async join(hosted, { name, seed = null, pronoun, id, ...rest }) {
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined || (id !== undefined && typeof id !== 'string')) throw new Refused('malformed', 'Not a request to join.');
    const { table } = hosted, { secret } = table.founded;
    return this._writer.inTurn(hosted, async () => {
      const before = hosted.joined.get(id ?? '');
      if (before !== undefined) return { table: table.id, seat: before, token: tokenOf(secret, before) };
      const [free = -1] = table.free, token = tokenOf(secret, free);
      const entry = table.join(/** @type {string} */ (name), /** @type {string | null} */ (seed), token, readPronoun(pronoun));
      await this._writer.write(hosted, entry);
      if (id) hosted.joined.set(id, entry.seat);
      return { table: table.id, seat: entry.seat, token };
    });
  }

  /** The tables of this device, latest first, with the tokens of their people: all of them sit here. */
  async list() {
    const all = await this.store.list();
    return all.sort((a, b) => b.at - a.at).map(({ id, setup, summary, secret, at, imported }) => ({
      id, game: setup.game, players: setup.players, status: summary.status, names: summary.names, matches: summary.matches,
      over: summary.over, at, imported: imported !== undefined,
      tokens: Object.fromEntries(summary.people.map((seat) => [seat, tokenOf(secret, seat)])),
    }));
  }

  /** @param {string} id */
  async remove(id) {
    if (!await this.store.get(id)) throw new Refused('not_found', 'There is no such table on this device.');
    await this.store.remove(id);
    this._drop(id, NO_TABLE);
    this._tabs.tell({ removed: id });
  }

  // --- Coming and going ---

  /** Seats a client by its token, or lets it watch, and tells it everything. @param {HostedTable} hosted @param {Client} client @param {string | null} token */
  async connect(hosted, client, token) {
    await this._writer.inTurn(hosted, async () => {
      const { table } = hosted;
      if (token === null) {
        if (!table.setup.watch) throw new Refused('unauthorized', 'This table does not allow spectators.');
      } else {
        const seat = table.seatOf(token);
        client.seat = seat;
        if (table.chairs[seat]?.left) await this._writer.write(hosted, { is: 'returned', seat });
      }
      hosted.clients.add(client);
      if (client.seat !== null) {
        hosted.gone.delete(client.seat);
        if (hosted.clockOf(client.seat) < now()) hosted.back.set(client.seat, now()); // it ran out while nobody was here
      }
      hosted.welcome(client);
    });
    this._tellPresence(hosted, client);
  }

  /** @param {HostedTable} hosted @param {Client} client */
  disconnect(hosted, client) {
    if (!hosted.clients.delete(client)) return;
    hosted.used = now();
    if (![...hosted.clients].some(({ seat }) => seat === client.seat)) hosted.windows.delete(client.seat);
    hosted.noteGone();
    this._tellPresence(hosted, client);
  }

  /** Tells everybody else, here and in other tabs, who is here. @param {HostedTable} hosted @param {Client} client */
  _tellPresence(hosted, client) {
    hosted.tellTable(client);
    this._turns.schedule(hosted);
    this._tellWhoIsHere(hosted);
  }

  /** @param {HostedTable} hosted */
  _tellWhoIsHere(hosted) {
    this._tabs.tell({ here: { [hosted.table.id]: [...hosted.clients].map(({ seat }) => seat) } });
  }

  /** @param {HostedTable} hosted @param {string} tab @param {(number | null)[]} seats */
  _setElsewhere(hosted, tab, seats) {
    if (JSON.stringify(hosted.elsewhere.get(tab) ?? []) === JSON.stringify(seats)) return;
    if (seats.length) hosted.elsewhere.set(tab, seats);
    else hosted.elsewhere.delete(tab);
    hosted.noteGone();
    hosted.tellTable();
    this._turns.schedule(hosted);
  }

  // --- Messages ---

  /** Does what a client asks, or refuses it. Answers once it is kept. @param {HostedTable} hosted @param {Client} client @param {Asked} asked */
  async handle(hosted, client, asked) {
    const { seat } = client, { table } = hosted, id = asked.id ?? null;
    if (asked.type === 'ping') return { type: 'ok', id, version: null };
    if (asked.type === 'hello') throw new Refused('malformed', 'You have already said hello.');
    if (seat === null) throw new Refused('not_seated', 'Spectators cannot do this; take a seat first.');
    if (asked.type === 'hint') return this._advise(hosted, seat, id);
    if (asked.type === 'react') {
      hosted.tellAll({ type: 'reaction', seat, reaction: asked.reaction });
      this._tabs.tell({ reaction: { table: table.id, seat, reaction: asked.reaction } });
    } else if (asked.type === 'hurry') {
      if (!table.waiting.includes(seat)) hosted.hurry(seat);
    } else {
      const version = await this._writer.inTurn(hosted, () => this._carryOut(hosted, client, seat, asked));
      return { type: 'ok', id, version };
    }
    return { type: 'ok', id, version: null };
  }

  /** The version that a move or an undo led to. @param {HostedTable} hosted @param {Client} client @param {number} seat @param {Asked} asked */
  async _carryOut(hosted, client, seat, asked) {
    const { table } = hosted;
    if (client.seat !== seat) throw new Refused('not_seated', 'You have left this seat.'); // while this was waiting
    if (asked.type === 'move') return this._move(hosted, client, seat, asked);
    const entry = this._entryOf(hosted, seat, asked);
    if (asked.type === 'pause' && entry.is === 'agreed' && table.agreed.has(seat) && !entry.all) return null;
    await this._writer.write(hosted, entry);
    return asked.type === 'undo' ? table.version : null;
  }

  /** @param {HostedTable} hosted @param {number} seat @param {Asked} asked @returns {import('./entries.js').Entry} */
  _entryOf({ table, electorate }, seat, { type, version, level, seed }) {
    switch (type) {
      case 'undo': return table.undo(seat, version);
      case 'pause': return table.pause(seat, electorate);
      case 'resume': return table.resume(seat);
      case 'fill': return table.fill(level);
      case 'seed': return table.seed(seat, seed);
      case 'rematch': return table.rematch(seat, electorate, seed ?? null);
      case 'leave': return table.leave(seat);
      default: throw new Refused('malformed', 'This is not a message to a table.');
    }
  }

  /** @param {HostedTable} hosted @param {Client} client @param {number} seat @param {Asked} asked */
  async _move(hosted, client, seat, { version, action, id }) {
    const { table } = hosted, done = table.movedAlready(seat, id ?? '');
    if (done !== null) return done;
    let entry;
    try {
      entry = table.move(seat, version, action, id ?? '');
    } catch (problem) {
      if (problem instanceof Refused && problem.code === 'stale') hosted.tellWhole(client);
      throw problem;
    }
    await this._writer.write(hosted, entry);
    return table.version;
  }

  /** Changes nothing, so the table goes on meanwhile. @param {HostedTable} hosted @param {number} seat @param {string | null} id */
  async _advise(hosted, seat, id) {
    if (hosted.advised.has(seat)) throw new Refused('too_fast', 'One hint at a time.');
    const { table } = hosted, match = table.mayBeAdvised(seat), { version, engine } = table;
    hosted.advised.add(seat);
    try {
      const hidden = match.hidden(seat);
      const judged = await this._thinkers.advise(engine, hidden, seat);
      if (!judged.length) throw new Refused('unavailable', 'Nobody can think about this now. Try again.');
      const opinions = await this._thinkers.opinions(engine, hidden, seat);
      return { type: 'hint', id, version, best: adviceOf(engine, judged, opinions), learned: likedOf(engine, opinions) };
    } finally {
      hosted.advised.delete(seat);
    }
  }
}

/** One page's connection to a table: the device's end of what is a WebSocket elsewhere. */
export class Line {
  /**
   * @param {House} house
   * @param {string} table
   * @param {(message: string) => void} send
   * @param {(code: number) => void} closed
   */
  constructor(house, table, send, closed) {
    this._house = house;
    this._closed = closed;
    /** @type {Client} */
    this._client = { seat: null, send: (message) => this._open && send(message), close: (code) => this.close(code) };
    this._open = true;
    this._greeted = false;
    /** @type {Promise<HostedTable>} */
    this._table = house.find(table);
    this._turn = this._table.then(() => {}, (problem) => this._turnAway(problem));
  }

  /** Messages are answered one after the other. @param {string} sent */
  receive(sent) {
    this._turn = this._turn.then(() => this._answer(sent));
    return this._turn;
  }

  /** @param {number} [code] */
  close(code = 1000) {
    if (!this._open) return;
    this._open = false;
    this._table.then((hosted) => this._house.disconnect(hosted, this._client), () => {});
    this._closed(code);
  }

  /** @param {string} sent */
  async _answer(sent) {
    if (!this._open) return;
    const hosted = await this._table;
    try {
      const asked = readMessage(sent);
      if (!this._greeted) await this._greet(hosted, asked);
      else if (asked.type === 'hint') this._carryOut(hosted, asked, sent); // the player may move before it comes
      else await this._carryOut(hosted, asked, sent);
    } catch (problem) {
      this._refuse(idOf(sent), problem);
      if (!this._greeted) this.close(POLICY);
    }
  }

  /** @param {HostedTable} hosted @param {Asked} asked */
  async _greet(hosted, asked) {
    if (asked.type !== 'hello') throw new Refused('hello_first', 'Say hello first.');
    await this._house.connect(hosted, this._client, asked.token ?? null);
    this._greeted = true;
    if (!this._open) this._house.disconnect(hosted, this._client); // meanwhile
  }

  /** @param {HostedTable} hosted @param {Asked} asked @param {string} sent */
  async _carryOut(hosted, asked, sent) {
    try {
      this._client.send(JSON.stringify(await this._house.handle(hosted, this._client, asked)));
    } catch (problem) {
      this._refuse(idOf(sent), problem);
    }
  }

  /** @param {unknown} problem */
  _turnAway(problem) {
    this._refuse(null, problem);
    this.close(refusalOf(problem).code === 'not_found' ? NO_TABLE : POLICY);
  }

  /** @param {string | null} id @param {unknown} problem */
  _refuse(id, problem) {
    const { code, message } = refusalOf(problem);
    this._client.send(JSON.stringify({ type: 'error', id, code, text: message }));
  }
}
